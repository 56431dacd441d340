import { catalogs } from '../../../shared/catalogs/all.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { Button, LinkButton } from '../../../shared/ui/Button.tsx';
import { DataTable } from '../../../shared/ui/DataTable.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { pages } from '../../../shared/urls.ts';
import type { RefusedRow, TableImport, TableKind } from '../../services/tables/table.ts';
import { onPage } from '../on-page.ts';
import { shorten } from './cells.ts';
import { counted, grouped, IMPORT_KINDS } from './kinds.ts';
import type { NamedRow } from './named.ts';
import { type ImportQuery, importAddress } from './query.ts';
import { FirstRows } from './rows.tsx';

/** What stands on the page; all of the refused rows are in their file. */
export const FIRST_ROWS = 12;
const MOST_REASONS = 50;
const MOST_WARNINGS = 50;

export interface Preview {
  outcome: TableImport;
  first: readonly NamedRow[];
}

interface PreviewProps {
  id: string;
  query: ImportQuery;
  preview: Preview;
  idempotencyKey: string;
}

/** What would come of it, before anything is stored: how many, the button, what is refused and why, first rows. */
export function ImportPreview({ id, query, preview, idempotencyKey }: PreviewProps) {
  const { outcome } = preview;
  return (
    <>
      <Counts kind={query.kind} outcome={outcome} />
      <NextStep id={id} query={query} outcome={outcome} idempotencyKey={idempotencyKey} />
      {preview.first.length > 0 && <FirstRows query={query} outcome={outcome} first={preview.first} />}
      {outcome.refused.length > 0 && <RefusedRows id={id} query={query} outcome={outcome} />}
      {outcome.warnings.length > 0 && <WarnedRows outcome={outcome} />}
    </>
  );
}

function Counts({ kind, outcome }: { kind: TableKind; outcome: TableImport }) {
  const { rows, created, unchanged, missingCreated } = outcome;
  const refused = refusedRows(outcome);
  const warned = new Set(outcome.warnings.map(({ row }) => row)).size;
  const others = Object.entries(missingCreated).filter(([, count]) => count > 0) as [TableKind, number][];
  const figures: readonly [label: string, count: number, tone?: string][] = [
    ['Filas leídas', rows],
    ['Se darán de alta', created],
    ['Sin cambio, ya están', unchanged],
    ['Rechazadas', refused, refused > 0 ? 'tone-danger' : undefined],
    ['Con aviso', warned, warned > 0 ? 'tone-warn' : undefined],
  ];
  return (
    <section aria-labelledby="counts">
      <h2 id="counts">Qué va a pasar</h2>
      <dl className="totals import-counts">
        {figures.map(([label, count, tone]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className={tone}>{grouped(count)}</dd>
          </div>
        ))}
      </dl>
      {others.length > 0 && (
        <p className="note">
          También se {others.length === 1 && others[0]![1] === 1 ? 'dará' : 'darán'} de alta{' '}
          {others.map(([other, count]) => counted(count, IMPORT_KINDS[other])).join(', ')}
          {kind === 'invoices' && missingCreated.jobs ? '; a las obras les quedará por poner su cliente' : ''}
          .
        </p>
      )}
    </section>
  );
}

/** Rows, each counted once however many of its cells are refused. */
export const refusedRows = ({ refused }: Pick<TableImport, 'refused'>): number =>
  new Set(refused.map(({ row }) => row)).size;

function NextStep({
  id,
  query,
  outcome,
  idempotencyKey,
}: Omit<PreviewProps, 'preview'> & { outcome: TableImport }) {
  const { list } = IMPORT_KINDS[query.kind];
  const refused = refusedRows(outcome);
  const address = importAddress(pages.importUpload(id), query);
  const lacking = query.createMissing
    ? 0
    : outcome.refused.filter(({ reason }) => namesMissing(reason)).length;
  const creating = lacking > 0 && (
    <>
      {lacking === 1 ? 'Una fila nombra' : `${grouped(lacking)} filas nombran`} algo que todavía no existe:{' '}
      <a href={importAddress(pages.importUpload(id), { ...query, createMissing: true })}>
        dar de alta lo que falte
      </a>
      .
    </>
  );
  if (refused > 0 && query.onError === 'stop') {
    const skipping = importAddress(pages.importUpload(id), { ...query, onError: 'skip' });
    return (
      <Alert tone="warning" dismissible={false}>
        {`Así no se importa nada: ${counted(refused, { one: 'fila se rechaza', many: 'filas se rechazan' })}. `}
        Corrige el archivo y vuelve a elegirlo, o <a href={skipping}>omite las filas rechazadas</a>.{' '}
        {creating}
      </Alert>
    );
  }
  if (outcome.created === 0) {
    return (
      <EmptyState
        title="No hay nada nuevo que importar"
        action={<LinkButton href={list}>Ver {IMPORT_KINDS[query.kind].many}</LinkButton>}
      >
        {outcome.unchanged > 0 && refused === 0
          ? 'Todas las filas ya están, iguales.'
          : outcome.rows === 0
            ? 'La tabla no tiene filas con datos.'
            : 'Ninguna fila se puede dar de alta como está.'}{' '}
        {creating}
      </EmptyState>
    );
  }
  return (
    <form method="post" action={address} className="actions import-go" data-busy="">
      <input type="hidden" name="idempotencyKey" value={idempotencyKey} />
      <Button look="primary" icon="load">
        {`Importar ${counted(outcome.created, IMPORT_KINDS[query.kind])}`}
      </Button>
      {refused > 0 && (
        <span className="hint">
          {`${counted(refused, { one: 'fila rechazada se omite', many: 'filas rechazadas se omiten' })}.`}
        </span>
      )}
    </form>
  );
}

/** As the lists say it of a name that they do not have. */
const namesMissing = (reason: string) =>
  catalogs.some(({ texts }) => reason.startsWith(`No existe ${texts.one} `));

function RefusedRows({ id, query, outcome }: { id: string; query: ImportQuery; outcome: TableImport }) {
  const { refused } = outcome;
  const reasons = groupByReason(refused);
  const shown = reasons.slice(0, MOST_REASONS);
  return (
    <section aria-labelledby="refused">
      <div className="section-head">
        <h2 id="refused">{`Filas rechazadas: ${grouped(refusedRows(outcome))}`}</h2>
        <LinkButton href={importAddress(pages.importRejects(id), query)} icon="export" download>
          Descargar las rechazadas
        </LinkButton>
      </div>
      <p className="note">
        El archivo las trae como venían, cada una con su motivo: corrígelas ahí y vuelve a importarlo.
        {shown.length < reasons.length &&
          ` Aquí están los primeros ${shown.length} motivos de ${grouped(reasons.length)}.`}
      </p>
      <div className="table-wrap">
        <DataTable
          caption="Filas rechazadas"
          columns={[
            { key: 'rows', label: 'Filas', className: 'wraps rows', card: 'corner', render: rowsWords },
            { key: 'column', label: 'Columna', card: 'title', render: ({ column }) => column },
            {
              key: 'value',
              label: 'Valor',
              className: 'wraps',
              render: ({ value }) => (value ? shorten(value, 120) : <i>vacío</i>),
            },
            {
              key: 'reason',
              label: 'Motivo',
              card: 'line',
              className: 'wraps',
              render: ({ reason }) => onPage(reason),
            },
          ]}
          rows={shown}
          rowKey={({ rows, column }) => `${rows[0]} ${column}`}
        />
      </div>
    </section>
  );
}

interface Reason extends Omit<RefusedRow, 'row'> {
  rows: number[];
}

/** A supplier that is not there refuses all of its rows: said once, with their numbers. */
function groupByReason(refused: readonly RefusedRow[]): readonly Reason[] {
  const groups = new Map<string, Reason>();
  for (const { row, ...cell } of refused) {
    const key = JSON.stringify([cell.column, cell.value, cell.reason]);
    const group = groups.get(key);
    if (group) group.rows.push(row);
    else groups.set(key, { ...cell, rows: [row] });
  }
  return [...groups.values()];
}

/** "5, 7, 9 y 12 más" */
function rowsWords({ rows }: Reason) {
  const more = rows.length - MOST_ROWS;
  return (
    <>
      <span className="on-card">{rows.length === 1 ? 'Fila ' : 'Filas '}</span>
      {rows.slice(0, MOST_ROWS).join(', ')}
      {more > 0 && ` y ${grouped(more)} más`}
    </>
  );
}

const MOST_ROWS = 5;

function WarnedRows({ outcome: { warnings } }: { outcome: TableImport }) {
  const shown = warnings.slice(0, MOST_WARNINGS);
  return (
    <details className="disclosure import-title" open={warnings.length <= 10}>
      <summary>
        <Icon name="chevron" />
        {`Avisos: ${grouped(warnings.length)}. Estas filas se importan; vale la pena revisarlas.`}
      </summary>
      <div className="table-wrap">
        <DataTable
          caption="Avisos"
          columns={[
            {
              key: 'row',
              label: 'Fila',
              align: 'end',
              card: 'corner',
              render: ({ one }) => (
                <>
                  <span className="on-card">Fila </span>
                  {one.row}
                </>
              ),
            },
            {
              key: 'reason',
              label: 'Aviso',
              card: 'title',
              className: 'wraps',
              render: ({ one }) => onPage(one.reason),
            },
          ]}
          rows={shown.map((one, index) => ({ one, index }))}
          rowKey={({ index }) => index}
        />
      </div>
      {shown.length < warnings.length && (
        <p className="note">{`Los primeros ${shown.length} de ${grouped(warnings.length)}.`}</p>
      )}
    </details>
  );
}
