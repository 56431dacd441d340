import type { ReactNode } from 'react';
import { formatCount, pluralize } from '../../../shared/counts.ts';
import { formatDate } from '../../../shared/dates.ts';
import { formatMoney, formatRate } from '../../../shared/money.ts';
import { toStructuredRemark } from '../../../shared/remarks.ts';
import type { RemedyCode } from '../../../shared/remedies.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { Button, LinkButton } from '../../../shared/ui/Button.tsx';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { DataTable } from '../../../shared/ui/DataTable.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import { fieldsOf, type TableField } from '../../formats/tables/fields.ts';
import { longImportWarning } from '../../formats/tables/limits.ts';
import type { RowValues, TableImportResult, TableKind } from '../../formats/tables/table.ts';
import type { RowResult } from '../../services/imports/import-run.ts';
import { REMEDY_CONTROL_LABELS } from '../ui/remedies.ts';
import { IMPORT_KINDS } from './kinds.ts';
import type { ImportQuery } from './query.ts';
import { countRefusedRows, RefusedRows, shorten, WarnedRows } from './refused-rows.tsx';

export const MAX_PREVIEW_ROWS = 12;

interface PreviewProps {
  id: string;
  query: ImportQuery;
  outcome: TableImportResult;
  first: readonly RowResult[];
  idempotencyKey: string;
}

export const ImportPreview = ({ first, ...shared }: PreviewProps) => (
  <>
    <ImportCounts {...shared} />
    <ImportNextStep {...shared} />
    {first.length > 0 && <FirstRows {...shared} first={first} />}
    {shared.outcome.refused.length > 0 && <RefusedRows {...shared} />}
    {shared.outcome.warnings.length > 0 && <WarnedRows {...shared} />}
  </>
);

function ImportCounts({ query, outcome }: Pick<PreviewProps, 'query' | 'outcome'>) {
  const { rows, created, unchanged, missingCreated } = outcome;
  const long = longImportWarning(created);
  const refused = countRefusedRows(outcome);
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
            <dd className={tone}>{formatCount(count)}</dd>
          </div>
        ))}
      </dl>
      {long && <p className="note">{long}</p>}
      {others.length > 0 && (
        <p className="note">
          También se {others.length === 1 && others[0]![1] === 1 ? 'dará' : 'darán'} de alta{' '}
          {LIST_FORMAT.format(
            others.map(([other, count]) =>
              pluralize(count, IMPORT_KINDS[other].one, IMPORT_KINDS[other].many),
            ),
          )}
          {query.kind === 'invoices' && missingCreated.jobs ? '; después elige el cliente de cada obra' : ''}.
        </p>
      )}
    </section>
  );
}

const LIST_FORMAT = new Intl.ListFormat('es');

function ImportNextStep({ id, query, outcome, idempotencyKey }: Omit<PreviewProps, 'first'>) {
  const { list, one, many } = IMPORT_KINDS[query.kind];
  const refused = countRefusedRows(outcome);
  const addressWithAnswers = (more: Readonly<Record<string, string>>) =>
    withQuery(pages.importUpload(id), { ...query.answers, ...more });
  const countRemediable = (remedy: RemedyCode) =>
    outcome.refused.filter(({ reason }) => toStructuredRemark(reason).remedy === remedy).length;
  const missingNames = query.createMissing ? 0 : countRemediable('create-missing');
  const similar = countRemediable('allow-duplicates');
  const createLink = missingNames > 0 && (
    <LinkButton href={addressWithAnswers({ createMissing: '1' })} look="primary">
      {REMEDY_CONTROL_LABELS['create-missing']}
    </LinkButton>
  );
  const namesNote =
    missingNames > 0 && `${pluralize(missingNames, 'nombra', 'nombran')} algo que todavía no existe.`;
  const distinctLink = similar > 0 && (
    <LinkButton href={addressWithAnswers({ allowDuplicates: '1' })}>
      Son distintas: importarlas todas
    </LinkButton>
  );
  if (refused > 0 && query.onError === 'stop') {
    const skip = outcome.created > 0 && (
      <LinkButton href={addressWithAnswers({ onError: 'skip' })}>Omitir las filas rechazadas</LinkButton>
    );
    const solutions = (createLink || distinctLink || skip) && (
      <div className="actions">
        {createLink}
        {distinctLink}
        {skip}
      </div>
    );
    return (
      <Alert tone="warning" isDismissible={false} footer={solutions}>
        {`No se puede importar: ${pluralize(refused, 'fila tiene', 'filas tienen')} errores. `}
        {namesNote}{' '}
        {similar > 0 &&
          `${pluralize(similar, ...SIMILAR_ROW_PHRASES)} a otra del archivo, sin número ni fecha.`}{' '}
        Corrige el archivo y vuelve a elegirlo{solutions ? ', o sigue con:' : '.'}
      </Alert>
    );
  }
  if (outcome.created === 0) {
    return (
      <EmptyState
        title="No hay nada nuevo que importar"
        action={createLink || <LinkButton href={list}>Ver {many}</LinkButton>}
      >
        {describeNothingToImport(outcome)} {namesNote}
      </EmptyState>
    );
  }
  return (
    <form method="post" action={addressWithAnswers({})} className="actions import-go" data-busy="">
      <input type="hidden" name="idempotencyKey" value={idempotencyKey} />
      <Button look="primary" icon="load">
        {`Importar ${pluralize(outcome.created, one, many)}`}
      </Button>
      {distinctLink}
      {refused > 0 && (
        <span className="hint">
          {`${pluralize(refused, 'fila rechazada se omite', 'filas rechazadas se omiten')}.`}
        </span>
      )}
    </form>
  );
}

const SIMILAR_ROW_PHRASES = ['fila es igual', 'filas son iguales'] as const;

function describeNothingToImport(outcome: TableImportResult): string {
  const refused = countRefusedRows(outcome);
  if (outcome.rows === 0) return 'La tabla no tiene filas con datos.';
  if (outcome.unchanged === 0) return 'Ninguna fila se puede dar de alta como está.';
  if (refused === 0) return 'Todas las filas ya están, iguales.';
  const unchangedText = pluralize(outcome.unchanged, 'fila ya está, igual', 'filas ya están, iguales');
  return `${unchangedText}; ${pluralize(refused, 'se rechaza', 'se rechazan')}.`;
}

/** The first rows, as they will be stored. They are few, since a phone shows each as a card. */
function FirstRows({ query, outcome, first }: Omit<PreviewProps, 'id' | 'idempotencyKey'>) {
  const rows = first.map((row) => ({ ...row, named: row.namedReferences() }));
  const fields = fieldsOf(query.kind).filter(({ name }) =>
    rows.some(({ values, named }) => named[name] || (values[name] !== null && values[name] !== undefined)),
  );
  const warned = new Set(outcome.warnings.map(({ row }) => row));
  return (
    <section aria-labelledby="first" className="import-rows">
      <h2 id="first">Las primeras filas, como quedarán</h2>
      <DataTable
        caption="Las primeras filas, como quedarán"
        columns={[
          {
            key: 'line',
            label: 'Fila',
            card: 'corner',
            render: ({ line, outcome }) => (
              <>
                {line} <RowOutcomeChip outcome={outcome} isWarned={warned.has(line)} />
              </>
            ),
          },
          ...fields.map((field, index) => ({
            key: field.name,
            label: field.label,
            align: ['money', 'rate', 'whole'].includes(field.type) ? ('end' as const) : undefined,
            card: index === 0 ? ('title' as const) : undefined,
            className: TYPE_CLASSES[field.type],
            render: ({ values, named }: (typeof rows)[number]): ReactNode => {
              const found = named[field.name];
              const words = shorten(found?.name ?? formatFieldValue(field, values), 80);
              return found?.isNew ? (
                <span>
                  <Chip tone="accent">Alta</Chip> {words}
                </span>
              ) : (
                words
              );
            },
          })),
        ]}
        rows={rows}
        rowKey={({ line }) => line}
      />
    </section>
  );
}

function RowOutcomeChip({ outcome, isWarned }: { outcome: RowResult['outcome']; isWarned: boolean }) {
  if (outcome === 'refused') return <Chip tone="danger">Rechazada</Chip>;
  if (outcome === 'unchanged') return <Chip>Sin cambio</Chip>;
  return isWarned ? <Chip tone="warn">Con aviso</Chip> : <Chip tone="done">Bien</Chip>;
}

function formatFieldValue({ name, type }: TableField, values: RowValues): string {
  const value = values[name];
  if (value === null || value === undefined) return '';
  if (type === 'money' && typeof value === 'number') return formatMoney(value);
  if (type === 'rate' && typeof value === 'number') return `${formatRate(value)} %`;
  return type === 'date' ? formatDate(String(value)) : String(value);
}

const TYPE_CLASSES: Partial<Record<TableField['type'], string>> = {
  text: 'wide',
  uuid: 'wide',
  'long-text': 'long',
  date: 'day',
};
