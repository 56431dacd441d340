import type { ReactNode } from 'react';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { DataTable } from '../../../shared/ui/DataTable.tsx';
import { fieldsOf } from '../../formats/tables/fields.ts';
import type { TableImport } from '../../formats/tables/table.ts';
import type { RowFate } from '../../services/imports/run.ts';
import { isFigure, shorten, valueWords } from './cells.ts';
import { counted, ROWS } from './kinds.ts';
import type { NamedRow } from './named.ts';
import type { ImportQuery } from './query.ts';

interface FirstRowsProps {
  query: ImportQuery;
  outcome: TableImport;
  first: readonly NamedRow[];
}

/** The first rows as they will be stored, and what becomes of each. */
export function FirstRows({ query, outcome, first }: FirstRowsProps) {
  const fields = fieldsOf(query.kind).filter(({ name }) =>
    first.some(({ values, named }) => named[name] || (values[name] !== null && values[name] !== undefined)),
  );
  const warned = new Set([...outcome.warnings].map(({ row }) => row));
  return (
    <section aria-labelledby="first">
      <h2 id="first" className="import-title">
        {first.length < outcome.rows
          ? `Las primeras ${counted(first.length, ROWS)}, como quedarán`
          : 'Las filas, como quedarán'}
      </h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard */}
      <section className="import-rows goes-on" tabIndex={0} aria-label="Las primeras filas, como quedarán">
        <DataTable
          caption="Las primeras filas, como quedarán"
          className="report"
          columns={[
            { key: 'line', label: 'Fila', align: 'end', card: 'corner', render: ({ line }) => line },
            {
              key: 'state',
              label: 'Resultado',
              render: ({ line, fate }) => <Fate fate={fate} isWarned={warned.has(line)} />,
            },
            ...fields.map((field, index) => ({
              key: field.name,
              label: field.label,
              align: isFigure(field) ? ('end' as const) : undefined,
              card: index === 0 ? ('title' as const) : undefined,
              render: ({ values, named }: NamedRow): ReactNode => {
                const found = named[field.name];
                const words = shorten(found?.name ?? valueWords(field, values), 80);
                return found?.isNew ? (
                  <>
                    <Chip tone="accent">Alta</Chip> {words}
                  </>
                ) : (
                  words
                );
              },
            })),
          ]}
          rows={first}
          rowKey={({ line }) => line}
        />
      </section>
    </section>
  );
}

function Fate({ fate, isWarned }: { fate: RowFate; isWarned: boolean }) {
  if (fate === 'refused') return <Chip tone="danger">Rechazada</Chip>;
  if (fate === 'unchanged') return <Chip>Sin cambio</Chip>;
  return isWarned ? <Chip tone="warn">Con aviso</Chip> : <Chip tone="done">Bien</Chip>;
}
