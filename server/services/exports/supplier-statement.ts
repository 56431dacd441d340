import type { Db } from '../../../db/schema.ts';
import { AGING_BANDS } from '../../../shared/aging.ts';
import { formatDate, formatLongDate, type PlainDate } from '../../../shared/dates.ts';
import { invoiceNumberText } from '../../../shared/invoices.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import { REP_STATE_LABELS } from '../../../shared/payments.ts';
import { describePeriod } from '../../../shared/periods.ts';
import {
  createSheetColumns,
  type ListExport,
  moneyCell,
  numberCell,
  type RowRole,
  type Sheet,
} from '../../formats/sheets/sheet.ts';
import { supplierStatementLineAnswer } from '../../shapes/statements.ts';
import { sumDatedLater } from '../balances/after-corte.ts';
import type { TodayAndTimeZone } from '../invoices/reading.ts';
import {
  describeForeignLine,
  readSupplierStatement,
  STATEMENT_LINE_KIND_LABELS,
  type StatementLine,
  type SupplierStatement,
  type SupplierStatementQuery,
} from '../statements/supplier-statement.ts';
import { describeDatedLater } from './balances.ts';
import { toAppliedFilters } from './export-texts.ts';

export async function statementExport(
  db: Db,
  query: SupplierStatementQuery,
  day: TodayAndTimeZone,
): Promise<{ statement: SupplierStatement; list: ListExport<SupplierStatementLine> }> {
  const statement = await readSupplierStatement(db, query, day);
  const { supplier, from, to, lines } = statement;
  const later = await sumDatedLater(db, { supplierId: supplier.id }, to, day);
  const list: ListExport<SupplierStatementLine> = {
    file: `Estado de cuenta ${supplier.suppliername} ${to}`,
    title: `Estado de cuenta: ${supplier.suppliername}`,
    filters: toAppliedFilters({ RFC: supplier.rfc, Periodo: describePeriod(from, to) }),
    noun: ['movimiento', 'movimientos'],
    sheet: supplierStatementSheet(statement),
    count: async () => lines.length,
    toRecords: (rows) => rows.flatMap(({ line }) => (line ? [supplierStatementLineAnswer.toJson(line)] : [])),
    notes: [
      describeAging(statement),
      ...describeOwedInvoices(statement),
      ...describeDatedLater(later),
      ...describeUnappliedCreditNotes(statement),
    ],
  };
  return { statement, list };
}

function describeAging({ aging, to }: SupplierStatement): string {
  const parts = AGING_BANDS.filter(({ cents }) => aging[cents] !== 0).map(
    ({ label, cents }) => `${label} ${formatMoney(aging[cents])}`,
  );
  if (parts.length === 0) return `No se debe nada al ${formatLongDate(to)}.`;
  return `Saldo por antigüedad al ${formatLongDate(to)}: ${parts.join(' · ')}.`;
}

/** Lists only the next due days, because the page has all of them. */
function describeOwedInvoices({ owed }: SupplierStatement): string[] {
  if (owed.length === 0) return [];
  const items = owed.slice(0, MAX_OWED_LISTED).map(({ numfactura, vence, isEstimated, pendingCents }) => {
    const number = invoiceNumberText(numfactura);
    return `${number} ${formatMoney(pendingCents)} (${formatDate(vence)}${isEstimated ? ' *' : ''})`;
  });
  const rest = owed.length - items.length;
  const restText = rest > 0 ? ` y ${rest} más` : '';
  const estimated = owed.some(({ isEstimated }) => isEstimated) ? ' * vencimiento estimado.' : '';
  return [`Vencimientos: ${items.join('; ')}${restText}.${estimated}`];
}

const MAX_OWED_LISTED = 40;

const describeUnappliedCreditNotes = ({ unappliedCents }: SupplierStatement): string[] =>
  unappliedCents > 0
    ? [`Notas de crédito sin aplicar, fuera del saldo: ${formatMoney(unappliedCents)}.`]
    : [];

interface SupplierStatementLine {
  date: PlainDate | null;
  concept: string;
  line?: StatementLine;
  chargeCents?: Cents;
  creditCents?: Cents;
  exchangeCents?: Cents | null;
  balanceCents: Cents;
  role?: RowRole;
}

function supplierStatementSheet(statement: SupplierStatement): Sheet<SupplierStatementLine> {
  const { from, to, openingCents, lines, chargeCents, creditCents, closingCents } = statement;
  const opening = {
    date: from,
    concept: 'Saldo anterior',
    balanceCents: openingCents,
    role: 'apart',
  } as const;
  const closing = { date: to, concept: 'Saldo', chargeCents, creditCents, balanceCents: closingCents };
  // The PDF has this column only if an invoice is in another currency, because the page is narrow.
  const paper = lines.some(({ moneda }) => moneda !== null) ? undefined : false;
  return {
    columns: createSheetColumns([
      { name: 'date', heading: 'Fecha', kind: 'date' },
      { name: 'kind', heading: 'Movimiento', cell: ({ concept }) => concept },
      { name: 'numfactura', heading: 'Factura', cell: ({ line }) => line?.numfactura ?? null },
      { name: 'referencia', heading: 'Referencia', cell: ({ line }) => line?.reference || null },
      { name: 'jobtitle', heading: 'Obra', cell: ({ line }) => line?.jobtitle ?? null },
      { name: 'uuid', heading: 'UUID', cell: ({ line }) => line?.uuid ?? null },
      {
        name: 'rep',
        heading: 'REP',
        cell: ({ line }) => (line?.rep ? REP_STATE_LABELS[line.rep] : null),
      },
      { name: 'moneda', heading: 'Moneda', cell: ({ line }) => line?.moneda ?? null, paperCell: false },
      {
        name: 'tipocambio',
        heading: 'Tipo de cambio',
        cell: ({ line }) => numberCell(line?.tipocambio ?? null),
        paperCell: false,
      },
      {
        name: 'importemoneda',
        heading: 'En su moneda',
        cell: ({ line }) => (line?.foreignCents ? moneyCell(line.foreignCents) : null),
        sum: false,
        paperCell: paper ?? (({ line }) => (line ? describeForeignLine(line) : null)),
      },
      {
        name: 'diferencia',
        heading: 'Diferencia cambiaria',
        kind: 'money',
        cents: 'exchangeCents',
        sum: false,
        paperCell: paper,
      },
      { name: 'cargo', heading: 'Cargo', kind: 'money', cents: 'chargeCents' },
      { name: 'abono', heading: 'Abono', kind: 'money', cents: 'creditCents' },
      { name: 'balance', heading: 'Saldo', kind: 'money', sum: false },
    ]),
    pages: [[opening], lines.map(toSheetLine), [{ ...closing, role: 'total' }]],
    roleOf: ({ role }) => role,
  };
}

const toSheetLine = (line: StatementLine): SupplierStatementLine => ({
  date: line.date,
  concept: STATEMENT_LINE_KIND_LABELS[line.kind],
  line,
  chargeCents: line.kind === 'factura' ? line.chargeCents : undefined,
  creditCents: line.kind === 'pago' || line.kind === 'credito' ? line.creditCents : undefined,
  exchangeCents: line.exchangeCents,
  balanceCents: line.balanceCents,
});
