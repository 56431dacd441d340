import type { Db } from '../../../db/schema.ts';
import { catalogOf } from '../../../shared/catalogs/all.ts';
import { formatDate, isPlainDate } from '../../../shared/dates.ts';
import type { RecordField } from '../../../shared/record-fields.ts';
import { Button, LinkButton } from '../../../shared/ui/Button.tsx';
import { DataTable } from '../../../shared/ui/DataTable.tsx';
import { parseOptionalId, readChosenName } from './pickers.ts';
import { evaluateOperations, formatTypedMoney } from './posted.ts';
import type { Texts } from './record-fields.tsx';

interface StaleRow {
  label: string;
  stored: string;
  yours: string;
}

export interface StaleFieldsProps {
  rows: readonly StaleRow[];
  reload: string;
  form?: string;
}

export function StaleFields({ rows, reload, form }: StaleFieldsProps) {
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
        {form && <Button form={form}>Quedarme con lo mío</Button>}
        <LinkButton href={reload}>Cargar lo guardado</LinkButton>
      </p>
    </section>
  );
}

/** A field that was not sent does not differ. */
export async function compareTexts(
  db: Db,
  fields: readonly RecordField[],
  stored: Texts,
  posted: Texts,
): Promise<StaleRow[]> {
  const yours = evaluateOperations(fields, posted);
  const rows: StaleRow[] = [];
  for (const field of fields) {
    const isSent = [field.name, field.catalog && catalogOf(field.catalog).nameField].some(
      (name) => name && yours[name] !== undefined,
    );
    if (isSent)
      rows.push(
        ...differenceRows(
          field.label,
          await describeValue(db, field, stored),
          await describeValue(db, field, yours),
        ),
      );
  }
  return rows;
}

export const differenceRows = (label: string, stored: string, yours: string): StaleRow[] =>
  stored === yours ? [] : [{ label, stored, yours }];

/** A reference is shown by its name, which may be posted instead of the id. */
async function describeValue(
  db: Db,
  { name, kind, catalog, options }: RecordField,
  texts: Texts,
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
