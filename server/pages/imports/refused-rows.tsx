import { formatCount, joinFirst } from '../../../shared/counts.ts';
import { formatWithIds, type Remark, toPlainText } from '../../../shared/remarks.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { Disclosure } from '../../../shared/ui/Disclosure.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { TableImportResult } from '../../formats/tables/table.ts';
import type { ImportQuery } from './query.ts';

const MAX_REASONS = 50;

export const countRefusedRows = ({ refused }: Pick<TableImportResult, 'refused'>): number =>
  new Set(refused.map(({ row }) => row)).size;

interface RefusedProps {
  id: string;
  query: ImportQuery;
  outcome: TableImportResult;
}

export function RefusedRows({ id, query, outcome }: RefusedProps) {
  const { refused } = outcome;
  const reasons = groupByReason(refused);
  const shown = reasons.slice(0, MAX_REASONS);
  return (
    <section aria-labelledby="refused">
      <div className="section-head">
        <h2 id="refused">{`Filas rechazadas: ${formatCount(countRefusedRows(outcome))}`}</h2>
        <LinkButton href={withQuery(pages.importRejects(id), query.answers)} icon="export" download>
          Descargar las rechazadas
        </LinkButton>
      </div>
      <p className="note">
        El archivo las trae como venían, cada una con su motivo: corrígelas ahí y vuelve a importarlo.
        {shown.length < reasons.length &&
          ` Aquí están los primeros ${shown.length} motivos de ${formatCount(reasons.length)}.`}
      </p>
      <DataTable
        caption="Filas rechazadas"
        columns={[
          ROWS_COLUMN,
          { key: 'column', label: 'Columna', card: 'title', render: ({ column }) => column },
          {
            key: 'value',
            label: 'Valor',
            className: 'wraps',
            render: ({ value }) => (value ? shorten(value, 120) : <i>vacío</i>),
          },
          reasonColumn('Motivo', 'line'),
        ]}
        rows={shown}
        rowKey={({ rows, column }) => `${rows[0]} ${column}`}
      />
    </section>
  );
}

function groupByReason<One extends { row: number }>(problems: readonly One[]): (One & { rows: number[] })[] {
  const groups = Map.groupBy(problems, (one) => JSON.stringify({ ...one, row: 0 }));
  return [...groups.values()].map((sameReason) => ({
    ...sameReason[0]!,
    rows: sameReason.map(({ row }) => row),
  }));
}

const renderRowNumbers = ({ rows }: { rows: readonly number[] }) => (
  <>
    <span className="on-card">{rows.length === 1 ? 'Fila ' : 'Filas '}</span>
    {joinFirst(rows, MAX_ROW_NUMBERS)}
  </>
);

const MAX_ROW_NUMBERS = 5;

const ROWS_COLUMN: Column<{ rows: readonly number[] }> = {
  key: 'rows',
  label: 'Filas',
  className: 'wraps rows',
  card: 'corner',
  render: renderRowNumbers,
};

const reasonColumn = (label: string, card: 'line' | 'title'): Column<{ reason: Remark }> => ({
  key: 'reason',
  label,
  card,
  className: 'wraps',
  render: ({ reason }) => toPlainText(reason),
});

export function WarnedRows({ outcome: { warnings } }: Pick<RefusedProps, 'outcome'>) {
  const reasons = groupByReason(warnings);
  const shown = reasons.slice(0, MAX_REASONS);
  return (
    <div className="import-title">
      <Disclosure
        summary={`Avisos: ${formatCount(warnings.length)}. No impiden importar; vale la pena revisarlos.`}
        isOpen={reasons.length <= 10}
      >
        <DataTable
          caption="Avisos"
          columns={[ROWS_COLUMN, reasonColumn('Aviso', 'title')]}
          rows={shown}
          rowKey={({ rows, reason }) => `${rows[0]} ${formatWithIds(reason)}`}
        />
        {shown.length < reasons.length && (
          <p className="note">{`Los primeros ${shown.length} de ${formatCount(reasons.length)}.`}</p>
        )}
      </Disclosure>
    </div>
  );
}

export const shorten = (text: string, maxLength: number): string =>
  text.length > maxLength ? `${[...text].slice(0, maxLength).join('')}…` : text;
