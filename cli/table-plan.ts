import { fieldsOf } from '../server/formats/tables/fields.ts';
import type { PlanQuestion, RawTable, TablePlan } from '../server/formats/tables/table.ts';
import { DomainError } from '../shared/errors.ts';

export interface TableImportFlags {
  dryRun?: boolean;
  map?: Record<string, string>;
  set?: Record<string, string>;
  sheet?: string;
  dateFormat?: string;
  amount?: 'subtotal' | 'total';
  decimal?: '.' | ',';
  createMissing?: boolean;
  onError: 'stop' | 'skip';
  rejects?: string;
  allowDuplicates?: boolean;
  hidden?: 'import' | 'skip';
  json?: boolean;
  as?: string;
}

/** @throws DomainError malformed: lists what the import still has to know, and the options that answer it */
export function requireCompletePlan(
  table: RawTable,
  { kind, columns, questions, missingFields }: TablePlan,
): void {
  const lines: string[] = [];
  for (const question of questions) {
    const options = question.choices.map((choice) => formatAnswerOption(question, choice));
    lines.push(`${question.question} Dilo con ${options.join(' o ')}`);
  }
  if (missingFields.length > 0) {
    const headings = table.header.names.map((name, index) => (name ? `«${name}»` : `#${index + 1}`));
    const fields = fieldsOf(kind).filter(({ label }) => missingFields.includes(label));
    const unusedHeader =
      columns.find((column) => column.field === null && column.header)?.header ?? 'Encabezado';
    const example = fields[0]?.name ?? (kind === 'payments' ? 'numfactura' : '');
    const values = fields.map(
      ({ name, requirement }) => `--set ${name}=${requirement ? `"${requirement.unknown}"` : '…'}`,
    );
    lines.push(
      `Falta una columna para: ${missingFields.join(', ')}.`,
      ...fields.flatMap(({ requirement }) => (requirement ? [requirement.why] : [])),
      `El archivo tiene (línea ${table.header.line}): ${headings.join(', ')}.`,
      `Dila con --map ${example}="${unusedHeader}", o da el mismo valor a todos con ${values.join(' ') || `--set ${example}=…`}.`,
    );
  }
  if (lines.length > 0) throw new DomainError('malformed', lines.join('\n'));
}

export const PLAN_OPTIONS = {
  map: '--map',
  set: '--set',
  decimal: '--decimal',
  dateFormat: '--date-format',
  amount: '--amount',
};

const formatAnswerOption = ({ answerOption, field }: PlanQuestion, choice: string): string =>
  `${PLAN_OPTIONS[answerOption]} ${answerOption === 'map' || answerOption === 'set' ? `${field}=` : ''}${choice}`;
