import { DomainError } from '../../../shared/errors.ts';
import { SUBTOTALS_BY_NAME, TOTAL } from './aliases.ts';
import { shownText } from './cell-text.ts';
import type { DraftColumn } from './draft-column.ts';
import { fieldNamed } from './fields.ts';
import { headingKey } from './headings.ts';
import type { AmountMeaning, PlanOptions, PlanQuestion, ReadTable } from './table.ts';

/**
 * Of invoices with one amount: whether it is the subtotal or the total, and at which rate. "Importe" may be either,
 * and nothing else in such a table would show a mistake of 16 %, so what is not said is asked.
 * @throws DomainError invalid where `amount` says something else than `map`
 */
export function settleAmount(
  table: ReadTable,
  columns: readonly DraftColumn[],
  { amount, set = {} }: Pick<PlanOptions, 'amount' | 'set'>,
  questions: PlanQuestion[],
): void {
  const holding = columns.filter((column) => column.field && holdsSomething(table, column));
  const named = holding.filter(({ field }) => MEANINGS.includes(field!.name));
  const given = MEANINGS.filter((name) => set[name] !== undefined);
  // None is missing, and said so; of two, the row itself shows its tax.
  if (named.length + given.length !== 1) return;
  const [column] = named;
  if (column && amount) takeFor(column, amount);
  const hasColumn = (name: string) => holding.some(({ field }) => field?.name === name);
  if (hasColumn('iva') || hasColumn('tasa')) return;
  if (column && !amount && !column.isAsked && !isPlain(column)) questions.push(askMeaning(table, column));
  if (set.tasa === undefined && set.iva === undefined) questions.push(askRate(column));
}

/** A column that is empty in every row says nothing. */
const holdsSomething = ({ census }: ReadTable, { index }: DraftColumn): boolean =>
  census.holding[index] === true;

const MEANINGS: readonly string[] = ['subtotal', 'total'] satisfies AmountMeaning[];

function takeFor(column: DraftColumn, amount: AmountMeaning): void {
  if (column.isAsked && column.field?.name !== amount) {
    const message = `La columna «${column.header}» ya se pidió como ${column.field?.label}.`;
    throw new DomainError('invalid', message, { code: 'contradictory_amount', fields: { amount: message } });
  }
  column.field = fieldNamed('invoices', amount);
  column.why = 'porque así se pidió';
}

/** Its heading can mean nothing else. */
const isPlain = ({ header, field }: DraftColumn): boolean =>
  (field?.name === 'total' ? TOTAL : SUBTOTALS_BY_NAME).some(
    (words) => headingKey(words) === headingKey(header),
  );

function askMeaning({ rows }: ReadTable, { index, header, field }: DraftColumn): PlanQuestion {
  const row = Iterator.from(rows).find(({ cells }) => shownText(cells[index]) !== '');
  const example = row ? ` (línea ${row.line}: «${shownText(row.cells[index]).slice(0, 30)}»)` : '';
  return {
    field: field!.name,
    header,
    question: `«${header}»${example} es el único importe, sin IVA, tasa ni total a su lado: ¿es el subtotal, antes de IVA, o el total, con IVA?`,
    answer: 'amount',
    choices: MEANINGS,
  };
}

const askRate = (column: DraftColumn | undefined): PlanQuestion => ({
  field: 'tasa',
  header: column?.header ?? '',
  question: 'Ninguna columna dice el IVA ni su tasa: ¿qué tasa llevan todas las filas?',
  answer: 'set',
  choices: ['16', '8', '0'],
});
