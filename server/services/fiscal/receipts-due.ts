import { type RawBuilder, sql } from 'kysely';
import { isOneOf } from '../../../db/expressions.ts';
import { mayLackReceiptCondition } from '../../../db/payments-without-receipt.ts';
import type { Db } from '../../../db/schema.ts';
import { addDays, daysBetween, type PlainDate } from '../../../shared/dates.ts';
import { formatForeign, toForeignCents } from '../../../shared/foreign-amounts.ts';
import { type Cents, divideHalfUp } from '../../../shared/money.ts';
import { REP_DUE_DAY } from '../../../shared/payments.ts';
import { monthPeriodOf } from '../../../shared/periods.ts';
import { uuidCancelledInSatCondition } from '../payments/reading.ts';
import { findBalanceDifferences } from '../payments/receipt-balances.ts';
import { countDaysApart, isNearInDays } from '../payments/receipt-matching.ts';
import {
  computeRoundingTolerance,
  computeSettlement,
  recordsBankAmountOnly,
} from '../payments/settlement.ts';

interface PaymentOrInvoiceRow {
  /** the id of the payment; in the list of PUE invoices, that of the invoice */
  id: number;
  supplierId: number;
  suppliername: string;
  suppliercontactemail: string;
  rfc: string | null;
  facturaproveedorId: number;
  numfactura: string;
  uuid: string | null;
  /** the day of the payment; in the list of PUE invoices, the day of issue */
  fecha: PlainDate;
  importeCents: Cents;
}

/** A payment of a PPD invoice that valid receipts do not cover, or a PUE invoice still owed when its month ended. */
export interface ReceiptDue extends PaymentOrInvoiceRow {
  /** what no receipt states; for a PUE invoice, what was owed when its month ended */
  faltaCents: Cents;
  /** the same amount in the invoice's currency; null for invoices in pesos */
  enSuMoneda: string | null;
  /** the IVA in `faltaCents`, in proportion */
  ivaCents: Cents;
  vence: PlainDate;
  /** how many days overdue; 0: not due yet, or a PUE invoice that has been paid since */
  atraso: number;
}

/** A payment whose receipt (REP) states another remaining balance of the invoice than Saldo computes. */
export interface BalanceMismatch extends PaymentOrInvoiceRow {
  numero: string;
  saldoRepCents: Cents | null;
  saldoCents: Cents | null;
}

export interface ReceiptsDueSums {
  cuenta: number;
  faltaCents: Cents;
  vencidoCents: Cents;
  ivaCents: Cents;
}

export type ReceiptsDue = ReceiptsDueSums & { corte: PlainDate; rows: ReceiptDue[] };

/** As of the end of `corte`: neither payments nor receipts of later days count. */
export async function readReceiptsDue(
  db: Db,
  corte: PlainDate,
  supplierId?: number | null,
): Promise<ReceiptsDue> {
  const { rows: paid } = await buildPaymentsQuery<PaidRow>(
    sql`${mayLackReceiptCondition('p', corte)} and i.metodopago = 'PPD' and p.kind = 'pago' and p.paymentdate <= ${corte} and ${supplierCondition(supplierId)}
      and not exists (select 1 from ${validReceiptLinesClause(corte)} and lines."paymentId" = p.id
        and lines."amountCents" >= coalesce(p."importebancoCents", p."amountCents"))`,
  ).execute(db);
  const rows = await findReceiptsDue(db, paid, corte);
  return { corte, rows, ...sumReceiptsDue(rows) };
}

type DueAmounts = Pick<ReceiptDue, 'faltaCents' | 'ivaCents' | 'atraso'>;

const sumReceiptsDue = (rows: readonly DueAmounts[]): ReceiptsDueSums => {
  const sum = (centsOf: (row: DueAmounts) => Cents) => rows.reduce((cents, row) => cents + centsOf(row), 0);
  return {
    cuenta: rows.length,
    faltaCents: sum(({ faltaCents }) => faltaCents),
    vencidoCents: sum(({ faltaCents, atraso }) => (atraso > 0 ? faltaCents : 0)),
    ivaCents: sum(({ ivaCents }) => ivaCents),
  };
};

/** One supplier's receipts due: their sums and `rows`; the other members are those of the oldest row. */
export type SupplierReceiptsDue = ReceiptDue & ReceiptsDueSums & Pick<ReceiptsDue, 'rows'>;

export const sumBySupplier = (rows: readonly ReceiptDue[]): SupplierReceiptsDue[] =>
  [...Map.groupBy(rows, ({ supplierId }) => supplierId).values()].map((own) => ({
    ...own[0]!,
    ...sumReceiptsDue(own),
    rows: own,
  }));

interface PaidRow extends PaymentOrInvoiceRow {
  importebancoCents: Cents | null;
  importemonedaCents: Cents | null;
  moneda: string | null;
  tipocambio: string | null;
  totalCents: Cents;
  ivaCents: Cents;
}

const INVOICE_SELECT_COLUMNS = sql`i."supplierId", s.suppliername, s.suppliercontactemail, s.rfc, i.id as "facturaproveedorId", i.numfactura, i.uuid,
  i.moneda, i.tipocambio, i."totalCents", i."ivaCents"`;

const buildPaymentsQuery = <Read extends PaymentOrInvoiceRow>(chosen: RawBuilder<unknown>) => sql<Read>`
  select p.id, p.paymentdate as fecha, p."amountCents" as "importeCents", p."importebancoCents", p."importemonedaCents", ${INVOICE_SELECT_COLUMNS}
  from invoices i join payments p on p."facturaproveedorId" = i.id join suppliers s on s.id = i."supplierId"
  where ${chosen} order by s."suppliernameFold", s.id, p.paymentdate, p.id`;

const supplierCondition = (supplierId: number | null | undefined) =>
  supplierId ? sql`i."supplierId" = ${supplierId}` : sql`true`;

const validReceiptLinesClause = (corte: PlainDate): RawBuilder<unknown> =>
  sql`payment_receipt_lines lines join payment_receipts receipts on receipts.id = lines."receiptId"
    where receipts.fecha <= ${corte} and not ${uuidCancelledInSatCondition('receipts')}`;

interface ReceiptLine {
  invoiceId: number;
  paymentId: number | null;
  paidOn: PlainDate;
  amountCents: Cents;
  moneda: string;
  pagado: string | null;
  isSecond: number;
}

/**
 * Several receipts may state parts of one payment, in any order. The amount of a line counts for the payment that it is
 * linked to, else for payments of its invoice near its day. Unlinked lines do not count if both a receipt and its
 * replacement are stored.
 */
async function findReceiptsDue(
  db: Db,
  paidRows: readonly PaidRow[],
  corte: PlainDate,
): Promise<ReceiptDue[]> {
  const invoices = [...new Set(paidRows.map(({ facturaproveedorId }) => facturaproveedorId))];
  const { rows: lines } = await sql<ReceiptLine>`
    select lines."invoiceId", lines."paymentId", lines."paidOn", lines."amountCents", lines.moneda, lines.pagado,
      (select count(*) from document_relations r join payment_receipts other on other.uuid in (r.uuid, r."replacedUuid")
        where receipts.uuid in (r.uuid, r."replacedUuid") and other.id <> receipts.id) as "isSecond"
    from ${validReceiptLinesClause(corte)} and ${isOneOf(db, 'lines.invoiceId', invoices)} order by lines.id`.execute(
    db,
  );
  const unused = new Map(lines.map((line) => [line, -1]));
  const linesOf = Map.groupBy(lines, ({ invoiceId }) => invoiceId);
  return paidRows.flatMap((payment): ReceiptDue[] => {
    const amounts = { ...payment, amountCents: payment.importeCents };
    const stated = linesOf.get(payment.facturaproveedorId) ?? [];
    let faltaCents = payment.importeCents;
    for (const line of stated.filter(({ paymentId }) => paymentId === payment.id)) {
      const part = computeSettlement(line, payment);
      faltaCents -= recordsBankAmountOnly(part, amounts) ? payment.importeCents : part.amountCents;
    }
    const day = { paymentdate: payment.fecha };
    const free = stated.filter(({ paymentId, isSecond }) => paymentId === null && Number(isSecond) === 0);
    for (const line of free
      .filter((one) => isNearInDays(one, day))
      .sort((a, b) => countDaysApart(a, day) - countDaysApart(b, day))) {
      const left = unused.get(line)! < 0 ? computeSettlement(line, payment).amountCents : unused.get(line)!;
      const used = Math.min(left, Math.max(0, faltaCents));
      unused.set(line, left - used);
      faltaCents -= used;
    }
    if (faltaCents <= computeRoundingTolerance(payment, stated.length)) return [];
    return [toReceiptDue(payment, faltaCents, receiptDueDay(payment.fecha), corte)];
  });
}

/** RMF 2.7.1.32 sets this deadline. */
export const receiptDueDay = (paidOn: PlainDate): PlainDate => addDays(monthPeriodOf(paidOn).to, REP_DUE_DAY);

function toReceiptDue(row: PaidRow, faltaCents: Cents, vence: PlainDate, corte: PlainDate): ReceiptDue {
  const {
    moneda,
    tipocambio,
    totalCents: _total,
    ivaCents: _iva,
    importebancoCents: _bank,
    importemonedaCents,
    ...own
  } = row;
  const paid = faltaCents === row.importeCents ? importemonedaCents : null;
  return {
    ...{ ...own, faltaCents, vence },
    enSuMoneda: tipocambio && formatForeign(paid ?? toForeignCents(faltaCents, tipocambio), moneda!),
    ivaCents: computeShareOfIva(row, faltaCents),
    atraso: countDaysLate(vence, corte),
  };
}

const computeShareOfIva = (
  { ivaCents, totalCents }: Pick<PaidRow, 'ivaCents' | 'totalCents'>,
  cents: Cents,
) => (cents === totalCents ? ivaCents : divideHalfUp(BigInt(ivaCents) * BigInt(cents), BigInt(totalCents)));

const countDaysLate = (vence: PlainDate, corte: PlainDate) => Math.max(0, daysBetween(vence, corte));

/**
 * PUE invoices that were not paid in their month (RMF 2.7.1.39): those of the year of `corte`, and older ones that are
 * still owed on that day. The sums count all of these invoices; `rows` skips `first` and has the next `count`.
 */
export async function readLatePue(
  db: Db,
  corte: PlainDate,
  supplierId?: number | null,
  { first = 0, count = Infinity } = {},
): Promise<ReceiptsDueSums & { rows: ReceiptDue[] }> {
  const owedWhileExpression = (condition: RawBuilder<unknown>) =>
    sql`cast(i."totalCents" - coalesce(sum(p."amountCents") filter (where ${condition}), 0) as bigint)`;
  const newYear = `${corte.slice(0, 4)}-01-01`;
  const { from: nextMonth } = monthPeriodOf(addDays(corte, 1));
  const monthExpression = (day: string) => sql`substr(cast(${sql.ref(day)} as text), 1, 7)`;
  const candidates = supplierId
    ? sql`select id from invoices where "supplierId" = ${supplierId}`
    : sql`select id from invoices where fechaemision >= ${newYear} and fechaemision < ${nextMonth}
        union all select id from invoices where "paidCents" < "totalCents"
        union all select "facturaproveedorId" from payments where paymentdate > ${corte}`;
  const { rows: late } = await sql<LatePueRow>`
    select * from (select i.id, i.fechaemision as fecha, i."totalCents", i."ivaCents",
      ${owedWhileExpression(sql`${monthExpression('p.paymentdate')} <= ${monthExpression('i.fechaemision')}`)} as "faltaCents",
      ${owedWhileExpression(sql`p.paymentdate <= ${corte}`)} as "debeCents"
    from invoices i left join payments p on p."facturaproveedorId" = i.id
    where i.metodopago = 'PUE' and i.fechaemision < ${nextMonth} and i.id in (${candidates})
    group by i.id) late
    where "faltaCents" > 0 and ("debeCents" > 0 or fecha >= ${newYear}) order by fecha, id`.execute(db);
  const lateOfMonth = new Map<string, number>();
  const amounts = late.map((row): DueAmounts => {
    const rowMonth = row.fecha.slice(0, 7);
    const days = lateOfMonth.get(rowMonth) ?? countDaysLate(monthPeriodOf(row.fecha).to, corte);
    lateOfMonth.set(rowMonth, days);
    const { faltaCents, debeCents } = row;
    return { faltaCents, ivaCents: computeShareOfIva(row, faltaCents), atraso: debeCents > 0 ? days : 0 };
  });
  const shown = new Map(late.slice(first, first + count).map((row) => [row.id, row]));
  const { rows } = await sql<PaidRow>`
    select i.id, i.fechaemision as fecha, i."totalCents" as "importeCents", ${INVOICE_SELECT_COLUMNS}
    from invoices i join suppliers s on s.id = i."supplierId" where ${isOneOf(db, 'i.id', [...shown.keys()])}
    order by fecha, i.id`.execute(db);
  return {
    ...sumReceiptsDue(amounts),
    rows: rows.map((row) => {
      const { faltaCents, debeCents } = shown.get(row.id)!;
      const due = toReceiptDue(
        { ...row, importemonedaCents: null },
        faltaCents,
        monthPeriodOf(row.fecha).to,
        corte,
      );
      return debeCents > 0 ? due : { ...due, atraso: 0 };
    }),
  };
}

interface LatePueRow extends Pick<PaidRow, 'id' | 'fecha' | 'totalCents' | 'ivaCents'> {
  /** what was owed when its month ended */
  faltaCents: Cents;
  /** what was owed at the corte */
  debeCents: Cents;
}

/** Checks the receipts of this month and the one before; for a single supplier, those of the year. */
export async function readBalanceMismatches(
  db: Db,
  corte: PlainDate,
  supplierId?: number | null,
): Promise<BalanceMismatch[]> {
  const from = supplierId
    ? `${corte.slice(0, 4)}-01-01`
    : monthPeriodOf(addDays(monthPeriodOf(corte).from, -1)).from;
  const differences = await findBalanceDifferences(db, { from, to: corte, supplierId });
  const { rows } = await buildPaymentsQuery<PaymentOrInvoiceRow>(
    isOneOf(db, 'p.id', [...differences.keys()]),
  ).execute(db);
  return rows.map((row) => {
    const { numero, receiptBalances, storedBalances } = differences.get(row.id)!;
    return {
      ...row,
      numero,
      saldoRepCents: receiptBalances.afterCents,
      saldoCents: storedBalances.afterCents,
    };
  });
}
