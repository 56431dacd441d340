import type { Db } from '../../../db/schema.ts';
import { catalogOf } from '../../../shared/catalogs/all.ts';
import { formatDate, isPlainDate } from '../../../shared/dates.ts';
import type { RecordField } from '../../../shared/record-fields.ts';
import { Button, LinkButton } from '../../../shared/ui/Button.tsx';
import { DataTable } from '../../../shared/ui/DataTable.tsx';
import { parseOptionalId, readChosenName } from './pickers.ts';
import { evaluateOperations, formatTypedMoney } from './posted-fields.ts';
import type { FieldTexts } from './record-fields.tsx';

interface FieldDifference {
  label: string;
  stored: string;
  yours: string;
}

export interface StaleFieldsProps {
  rows: readonly FieldDifference[];
  reloadHref: string;
  formId?: string;
}

export function StaleFields({ rows, reloadHref, formId }: StaleFieldsProps) {
  return (
    <section className="stale" aria-label="Lo que cambió">
      {rows.length > 0 && (
        <DataTable
          caption="Lo que cambió"
          showCaption
          columns={[
            { key: 'label', label: 'Campo', card: 'title', render: (row) => row.label },
            { key: 'stored', label: 'Guardado ahora', render: (row) => row.stored || '(vacío)' },
            { key: 'yours', label: 'Lo tuyo', render: (row) => row.yours || '(vacío)' },
          ]}
          rows={rows}
          rowKey={(row) => row.label}
        />
      )}
      <p>
        {rows.length > 0
          ? 'Si guardas de nuevo, queda lo tuyo en todos estos campos.'
          : 'Lo guardado dice lo mismo que lo tuyo. Si guardas de nuevo, queda lo tuyo.'}
      </p>
      <p className="actions">
        {formId && <Button form={formId}>Quedarme con lo mío</Button>}
        <LinkButton href={reloadHref}>Cargar lo guardado</LinkButton>
      </p>
    </section>
  );
}

/** Leaves out fields that were not sent. */
export async function findFieldDifferences(
  db: Db,
  fields: readonly RecordField[],
  stored: FieldTexts,
  posted: FieldTexts,
): Promise<FieldDifference[]> {
  const yours = evaluateOperations(fields, posted);
  const rows: FieldDifference[] = [];
  for (const field of fields) {
    const isSent = [field.name, field.catalog && catalogOf(field.catalog).nameField].some(
      (name) => name && yours[name] !== undefined,
    );
    if (isSent)
      rows.push(
        ...toDifferenceRows(
          field.label,
          await describeFieldValue(db, field, stored),
          await describeFieldValue(db, field, yours),
        ),
      );
  }
  return rows;
}

export const toDifferenceRows = (label: string, stored: string, yours: string): FieldDifference[] =>
  stored === yours ? [] : [{ label, stored, yours }];

/** Describes a reference by its name, which may be posted instead of the id. */
async function describeFieldValue(
  db: Db,
  { name, kind, catalog, options }: RecordField,
  texts: FieldTexts,
): Promise<string> {
  // Browsers post line breaks as CR LF.
  const text = texts[name]?.trim().replaceAll('\r\n', '\n') ?? '';
  if (catalog) {
    const { nameField } = catalogOf(catalog);
    return (
      (await readChosenName(db, catalogOf(catalog), parseOptionalId(text))) ?? texts[nameField]?.trim() ?? ''
    );
  }
  if (kind === 'money') return formatTypedMoney(text);
  if (kind === 'rate') return /\d/.test(text) ? `${text} %` : text;
  if (kind === 'date') return isPlainDate(text) ? formatDate(text) : text;
  return options?.find(({ value }) => value === text)?.label ?? text;
}
