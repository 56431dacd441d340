import type { SortDirection } from '../../../db/paging.ts';
import type { Db } from '../../../db/schema.ts';
import { formatDate, type PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import { describePeriod, type Period } from '../../../shared/periods.ts';
import {
  DIRECTION_LABELS,
  EXPENSE_STATE_LABELS,
  FUND_FIELDS,
  type FundRow,
  type FundSort,
  type FundState,
  type FundStatementEntry,
  type MovementDirection,
  movementKindLabel,
  type PettyCashFund,
} from '../../../shared/petty-cash.ts';
import {
  createSheetColumns,
  dayCell,
  type ListExport,
  type PartialListExport,
  type RowRole,
  type Sheet,
  type SheetColumn,
} from '../../formats/sheets/sheet.ts';
import { type FundStatement, readFundStatement } from '../petty-cash/fund-statement.ts';
import { listFunds, sortFunds } from '../petty-cash/reading.ts';
import { toAppliedFilters } from './export-texts.ts';

export async function fundsExport(
  db: Db,
  today: PlainDate,
  { estado, ...order }: { estado?: FundState; sort?: FundSort; direction?: SortDirection },
): Promise<PartialListExport<FundRow>> {
  const isClosed = estado === 'cerradas';
  return {
    file: `Caja chica ${isClosed ? 'cerradas ' : ''}${today}`,
    filters: toAppliedFilters({ 'Saldos al': formatDate(today), ...(isClosed && { Cajas: 'Cerradas' }) }),
    sheet: {
      columns: FUND_COLUMNS.filter(({ name }) => isClosed || name !== 'closedOn'),
      pages: [sortFunds(await listFunds(db, today, estado), order)],
    },
  };
}

const FUND_COLUMNS: readonly SheetColumn<FundRow>[] = createSheetColumns(
  [
    { name: 'id', heading: 'ID' },
    { name: 'nombre', heading: 'Caja' },
    { name: 'responsable', heading: 'Responsable' },
    { name: 'jobtitle', heading: 'Obra' },
    { name: 'origenderecursonombre', heading: 'Origen' },
    'openedOn',
    { name: 'montofijo', heading: 'Monto fijo', kind: 'money', sum: false },
    { name: 'tope', heading: 'Tope por gasto', kind: 'money', sum: false, paperCell: false },
    { name: 'pagosOrigen', heading: 'Pagos desde la caja', paperCell: false },
    { name: 'lastOn', heading: 'Último movimiento', kind: 'date' },
    { name: 'closedOn', heading: 'Cierre', kind: 'date' },
    { name: 'porComprobar', heading: 'Por comprobar', kind: 'money' },
    { name: 'porReponer', heading: 'Por reponer', kind: 'money' },
    { name: 'saldo', heading: 'Saldo', kind: 'money' },
    'comments',
  ],
  FUND_FIELDS,
);

export async function fundStatementExport(
  db: Db,
  fund: PettyCashFund,
  period: Period,
  sentido?: MovementDirection,
): Promise<ListExport<FundStatementLine>> {
  const { nombre: name, responsable } = fund;
  return {
    file: `Caja chica ${name} ${period.from} a ${period.to}`,
    title: /^caja/i.test(name) ? name : `Caja chica: ${name}`,
    filters: toAppliedFilters({
      Periodo: describePeriod(period.from, period.to),
      Responsable: responsable,
      ...(sentido && { Movimientos: DIRECTION_LABELS[sentido] }),
    }),
    noun: ['movimiento', 'movimientos'],
    sheet: fundStatementSheet(await readFundStatement(db, fund, period, { sentido }), fund, period, sentido),
  };
}

/** An entry of the fund, or a balance, which has only a day and a text. */
type FundStatementLine = Partial<FundStatementEntry> &
  Pick<FundStatementEntry, 'fecha' | 'concepto' | 'balanceCents'> & {
    ingresoCents?: Cents;
    gastoCents?: Cents;
    role?: RowRole;
  };

function fundStatementSheet(
  { entries, beforeCents, ingresosCents, gastosCents, endCents, count }: FundStatement,
  fund: PettyCashFund,
  period: Period,
  sentido: MovementDirection | undefined,
): Sheet<FundStatementLine> {
  const openingText = openingLabel(fund, period, count > entries.length);
  const totals = {
    ingresoCents: sentido === 'salidas' ? undefined : ingresosCents,
    gastoCents: sentido === 'ingresos' ? undefined : gastosCents,
    balanceCents: endCents,
  };
  return {
    columns: createSheetColumns([
      { name: 'date', heading: 'Fecha', cell: ({ fecha }) => dayCell(fecha) },
      { name: 'concept', heading: 'Concepto', cell: ({ concepto }) => concepto },
      {
        name: 'tipo',
        heading: 'Tipo',
        cell: ({ tipo }) => (tipo === 'pago' ? 'Pago' : tipo ? movementKindLabel(tipo) : null),
      },
      { name: 'beneficiario', heading: 'Beneficiario' },
      { name: 'folio', heading: 'Comprobante' },
      {
        name: 'estado',
        heading: 'Estado',
        cell: ({ state }) => (state ? EXPENSE_STATE_LABELS[state] : null),
      },
      { name: 'jobtitle', heading: 'Obra' },
      { name: 'nombrerubro', heading: 'Rubro' },
      { name: 'ingreso', heading: 'Ingreso', kind: 'money' },
      { name: 'gasto', heading: 'Gasto', kind: 'money' },
      { name: 'balance', heading: 'Saldo', kind: 'money', sum: false },
    ]),
    pages: [
      [{ fecha: period.from, concepto: openingText, balanceCents: beforeCents, role: 'apart' }],
      entries.map(toStatementLine),
      [{ fecha: period.to, concepto: 'Saldo final', ...totals, role: 'total' }],
    ],
    roleOf: ({ role }) => role,
  };
}

export function openingLabel({ openedOn }: PettyCashFund, { from, to }: Period, isTruncated = false): string {
  return !isTruncated && from <= openedOn && openedOn <= to ? 'Antes de abrir la caja' : 'Saldo anterior';
}

const toStatementLine = (entry: FundStatementEntry): FundStatementLine => ({
  ...entry,
  [entry.effectCents > 0 ? 'ingresoCents' : 'gastoCents']: Math.abs(entry.effectCents),
});
