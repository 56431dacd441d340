import type { ReactNode } from 'react';
import { formatCount, pluralize } from '../../../shared/counts.ts';
import { formatDate } from '../../../shared/dates.ts';
import { formatMoney } from '../../../shared/money.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { Button } from '../../../shared/ui/Button.tsx';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import { CFDI_KIND_LABELS } from '../../formats/cfdi/kinds.ts';
import type { CrossCheckGroup, CrossCheckRow } from '../../services/fiscal/cross-check.ts';
import {
  CROSS_CHECK_GROUP_LABELS,
  type CrossCheckGroupName,
  fiscalPaths,
} from '../../services/fiscal/labels.ts';
import { dateColumn, moneyColumn } from '../ui/columns.tsx';
import { LongTable } from '../ui/long-table.tsx';

const GROUP_EXPLANATIONS: Readonly<Record<CrossCheckGroupName, ReactNode>> = {
  iguales: 'Con el mismo UUID, RFC y monto en Saldo.',
  difieren: 'Con el mismo UUID en Saldo, y otro RFC u otro monto.',
  faltan: (
    <>
      A nombre de la empresa, y no están en Saldo: <a href={pages.loadInvoice}>carga su XML</a>. Lo cancelado
      ya no se captura.
    </>
  ),
  ajenos: 'Para otro RFC, o nóminas y traslados, que en Saldo no se capturan.',
  cancelados: 'Están en Saldo, y el SAT los da por cancelados. Primero los que ya se pagaron.',
  sinUuid: 'Capturadas sin su CFDI: coinciden con uno en RFC y total, con hasta diez días de diferencia.',
};

interface GroupRowsProps {
  group: CrossCheckGroup;
  name: CrossCheckGroupName;
  firstRow: number;
  maxRows: number;
  mes?: string;
  href: (shown: number) => string;
}

export function GroupRows({ group: { rows, cuenta }, name, firstRow, maxRows, mes, href }: GroupRowsProps) {
  const part = rows.slice(firstRow, firstRow + maxRows);
  const shown = firstRow + part.length;
  return (
    <>
      <p className="note">{GROUP_EXPLANATIONS[name]}</p>
      {name === 'cancelados' && <CancelledPaidNotes rows={rows} />}
      <LongTable id={`grupo-${name}`} shown={shown} total={cuenta} noun={['CFDI', 'CFDI']} href={href(shown)}>
        <DataTable
          caption={CROSS_CHECK_GROUP_LABELS[name]}
          className="aligned"
          columns={crossCheckColumns(name, mes)}
          rows={part}
          rowKey={({ uuid }) => uuid}
        />
      </LongTable>
    </>
  );
}

/** Leaves out replaced documents, because their payments count for the replacement. */
function CancelledPaidNotes({ rows }: { rows: readonly CrossCheckRow[] }) {
  const replaced = rows.filter(({ sustituidoPor }) => sustituidoPor.length > 0).length;
  const paid = rows.filter(
    ({ pagadoCents, sustituidoPor }) => (pagadoCents ?? 0) > 0 && sustituidoPor.length === 0,
  );
  return (
    <>
      {paid.length === 0 ? (
        <p>De ninguno{replaced > 0 && ' sin sustituto'} se ha pagado nada.</p>
      ) : (
        <Alert tone="warning" heading="Ya pagados" isDismissible={false}>
          {paid.length === 1 ? 'Uno ya tiene pagos' : `${formatCount(paid.length)} ya tienen pagos`}:{' '}
          <Money cents={paid.reduce((sum, { pagadoCents }) => sum + (pagadoCents ?? 0), 0)} />.
        </Alert>
      )}
      {replaced > 0 && (
        <p className="note">
          {pluralize(replaced, 'sustituido', 'sustituidos')} por otro CFDI: no es pérdida.
        </p>
      )}
    </>
  );
}

const crossCheckColumns = (name: CrossCheckGroupName, mes: string | undefined): Column<CrossCheckRow>[] => [
  ...SAT_COLUMNS,
  statusColumn(name, mes),
  ...(name === 'faltan' || name === 'ajenos' ? [] : STORED_COLUMNS),
  ...(name === 'sinUuid' ? [linkCfdiColumn(mes)] : []),
];

const SAT_COLUMNS: Column<CrossCheckRow>[] = [
  {
    key: 'nombre',
    label: 'Proveedor',
    card: 'title',
    className: 'wraps',
    textBelow: ({ rfc, efecto, sustituidoPor }) =>
      [
        rfc,
        efecto !== 'I' && CFDI_KIND_LABELS[efecto],
        sustituidoPor.length > 0 && `Lo sustituye ${sustituidoPor.join(', ')}`,
      ]
        .filter(Boolean)
        .join(' · '),
  },
  dateColumn('fecha', 'Fecha', { card: 'half', cardLabel: () => '' }),
  moneyColumn('montoSat', 'Monto SAT', ({ montoSatCents }) => montoSatCents, { card: 'half' }),
];

const STORED_COLUMNS: Column<CrossCheckRow>[] = [
  moneyColumn('montoSaldo', 'En Saldo', ({ montoSaldoCents }) => montoSaldoCents ?? 0, {
    ...{ isBlank: true, card: 'half' },
    textBelow({ montoSatCents, montoSaldoCents }) {
      const differenceCents = montoSatCents - (montoSaldoCents ?? montoSatCents);
      return differenceCents === 0 ? null : `Difieren ${formatMoney(Math.abs(differenceCents))}`;
    },
  }),
  moneyColumn('pagado', 'Pagado', ({ pagadoCents }) => pagadoCents ?? 0, { isBlank: true, card: 'half' }),
  {
    ...{ key: 'documento', label: 'Documento', card: 'foot', className: 'wraps' },
    render: (row) => <StoredDocumentLink row={row} />,
  },
];

/**
 * A cancelled document that is stored is listed twice: in the group of cancelled documents, and in one of the groups
 * that add up, where its status links to the group of cancelled documents.
 */
const statusColumn = (name: CrossCheckGroupName, mes: string | undefined): Column<CrossCheckRow> => ({
  key: 'estatus',
  label: 'Estatus',
  card: 'corner',
  render({ estatus, own, pagadoCents }) {
    if (estatus === 'vigente') return <Chip tone="done">Vigente</Chip>;
    const isElsewhere = own && name !== 'cancelados';
    const chip = <Chip tone="danger">{isElsewhere && pagadoCents ? 'Cancelado, pagado' : 'Cancelado'}</Chip>;
    const href = withQuery(fiscalPaths.cross, { mes, que: 'cancelados' });
    return isElsewhere ? <a href={href}>{chip}</a> : chip;
  },
  textBelow: ({ fechaCancelacion }) => fechaCancelacion && formatDate(fechaCancelacion),
});

const linkCfdiColumn = (mes: string | undefined): Column<CrossCheckRow> => ({
  key: 'ligar',
  label: 'Acciones',
  card: 'actions',
  render: ({ uuid, own }) =>
    own && (
      <form method="post" action={fiscalPaths.link} data-busy="">
        <input type="hidden" name="uuid" value={uuid} />
        <input type="hidden" name="factura" value={own.id} />
        <input type="hidden" name="version" value={own.version} />
        <input type="hidden" name="mes" value={mes} />
        <Button look="quiet" aria-label={`Ligar la factura ${own.name || `#${own.id}`} con su CFDI`}>
          Ligar
        </Button>
      </form>
    ),
});

function StoredDocumentLink({ row: { own } }: { row: CrossCheckRow }) {
  if (!own) return null;
  const name = own.name || `#${own.id}`;
  if (own.noun === 'invoices') return <a href={pages.editInvoice(own.id)}>Factura {name}</a>;
  if (own.noun === 'petty-cash') return <a href={pages.pettyCashMovement(own.id)}>Gasto: {name}</a>;
  if (own.noun === 'credit-notes') return <a href={pages.creditNotes}>Nota de crédito {name}</a>;
  return `REP ${name}`;
}
