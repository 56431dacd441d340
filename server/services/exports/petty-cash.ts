import type { Db } from '../../../db/schema.ts';
import { formatDate, type PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import { describePeriod } from '../../../shared/periods.ts';
import {
  type FundRow,
  type FundState,
  kindName,
  type PettyCashEntry,
  type PettyCashFund,
  STATE_NAMES,
} from '../../../shared/petty-cash.ts';
import {
  type Cell,
  day,
  type ListExport,
  money,
  type RowRole,
  type Sheet,
} from '../../formats/sheets/sheet.ts';
import { listFunds } from '../petty-cash/reading.ts';
import { readStatement, type Statement } from '../petty-cash/statement.ts';
import { factsOf } from './filter-words.ts';

/** The funds that are open, or closed, with what is in each at the end of a day. */
export async function fundsExport(
  db: Db,
  today: PlainDate,
  state: FundState = 'abiertas',
): Promise<ListExport<FundRow>> {
  return {
    file: `Caja chica ${today}`,
    title: 'Caja chica',
    filters: factsOf({ 'Saldos al': formatDate(today) }),
    noun: ['caja', 'cajas'],
    sheet: fundsSheet(await listFunds(db, today, state)),
  };
}

/** A fund's movements over a period, with the balance after each. */
export async function statementExport(
  db: Db,
  fund: PettyCashFund,
  period: { from: PlainDate; to: PlainDate },
): Promise<ListExport<Line>> {
  const { nombre: name, responsable } = fund;
  return {
    file: `Caja chica ${name} ${period.from} a ${period.to}`,
    title: /^caja/i.test(name) ? name : `Caja chica: ${name}`,
    filters: factsOf({
      Periodo: describePeriod(period.from, period.to),
      Responsable: responsable,
    }),
    noun: ['movimiento', 'movimientos'],
    sheet: statementSheet(await readStatement(db, fund, period), fund, period),
  };
}

interface Line {
  date: PlainDate;
  concept: string;
  entry?: PettyCashEntry;
  ingresoCents?: Cents;
  gastoCents?: Cents;
  balanceCents: Cents;
  role?: RowRole;
}

/** A fund's page as a file: the balance before, each movement, and what is left. */
function statementSheet(
  { entries, beforeCents, ingresosCents, gastosCents, endCents, count }: Statement,
  fund: PettyCashFund,
  period: { from: PlainDate; to: PlainDate },
): Sheet<Line> {
  const before = beforeLabel(fund, period, count > entries.length);
  const totals = { ingresoCents: ingresosCents, gastoCents: gastosCents, balanceCents: endCents };
  return {
    columns: [
      { name: 'date', heading: 'Fecha', cell: (line) => day(line.date) },
      { name: 'concept', heading: 'Concepto', cell: (line) => line.concept },
      { name: 'tipo', heading: 'Tipo', cell: ({ entry }) => (entry ? entryName(entry) : null) },
      { name: 'beneficiario', heading: 'Beneficiario', cell: ({ entry }) => entry?.beneficiario ?? null },
      { name: 'folio', heading: 'Comprobante', cell: ({ entry }) => entry?.folio ?? null },
      { name: 'estado', heading: 'Estado', cell: ({ entry }) => stateName(entry?.state) },
      { name: 'jobtitle', heading: 'Obra', cell: ({ entry }) => entry?.jobtitle ?? null },
      { name: 'nombrerubro', heading: 'Rubro', cell: ({ entry }) => entry?.nombrerubro ?? null },
      { name: 'ingreso', heading: 'Ingreso', cell: (line) => amount(line.ingresoCents) },
      { name: 'gasto', heading: 'Gasto', cell: (line) => amount(line.gastoCents) },
      { name: 'balance', heading: 'Saldo', cell: (line) => money(line.balanceCents), sum: false },
    ],
    pages: [
      [{ date: period.from, concept: before, balanceCents: beforeCents, role: 'apart' }],
      entries.map(lineOf),
      [{ date: period.to, concept: 'Saldo final', ...totals, role: 'total' }],
    ],
    roleOf: ({ role }) => role,
  };
}

/** The list of funds as a file. */
function fundsSheet(funds: readonly FundRow[]): Sheet<FundRow> {
  return {
    columns: [
      { name: 'id', heading: 'ID', cell: ({ id }) => id },
      { name: 'nombre', heading: 'Caja', cell: ({ nombre }) => nombre },
      { name: 'responsable', heading: 'Responsable', cell: ({ responsable }) => responsable },
      { name: 'jobtitle', heading: 'Obra', cell: ({ jobtitle }) => jobtitle },
      { name: 'origenderecursonombre', heading: 'Origen', cell: (fund) => fund.origenderecursonombre },
      { name: 'openedOn', heading: 'Fecha de apertura', cell: ({ openedOn }) => day(openedOn) },
      { name: 'montofijo', heading: 'Monto fijo', cell: (fund) => amount(fund.montofijoCents), sum: false },
      {
        name: 'tope',
        heading: 'Tope por gasto',
        cell: (fund) => amount(fund.topeCents),
        sum: false,
        paper: false,
      },
      {
        name: 'pagosOrigen',
        heading: 'Pagos desde la caja',
        cell: ({ pagosOrigen }) => pagosOrigen,
        paper: false,
      },
      { name: 'lastOn', heading: 'Último movimiento', cell: ({ lastOn }) => day(lastOn) },
      { name: 'porComprobar', heading: 'Por comprobar', cell: (fund) => money(fund.porComprobarCents) },
      {
        name: 'porReponer',
        heading: 'Por reponer',
        cell: (fund) => money(fund.porReponerCents),
      },
      { name: 'saldo', heading: 'Saldo', cell: ({ saldoCents }) => money(saldoCents) },
      { name: 'comments', heading: 'Observaciones', cell: ({ comments }) => comments },
    ],
    pages: [funds],
  };
}

/** What the first line's balance is. */
export function beforeLabel(
  { openedOn }: PettyCashFund,
  { from, to }: { from: PlainDate; to: PlainDate },
  isCut = false,
): string {
  return !isCut && from <= openedOn && openedOn <= to ? 'Antes de abrir la caja' : 'Saldo anterior';
}

const lineOf = (entry: PettyCashEntry): Line => ({
  date: entry.date,
  concept: entry.concept,
  entry,
  [entry.effectCents > 0 ? 'ingresoCents' : 'gastoCents']: Math.abs(entry.effectCents),
  balanceCents: entry.balanceCents,
});

const amount = (cents: Cents | null | undefined): Cell => (typeof cents === 'number' ? money(cents) : null);

const entryName = ({ kind }: PettyCashEntry): string => (kind === 'pago' ? 'Pago' : kindName(kind));

const stateName = (state: PettyCashEntry['state'] | undefined): string | null =>
  state ? STATE_NAMES[state] : null;
