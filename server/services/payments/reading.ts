import { sql } from 'kysely';
import { isOneOf, searchesTexts } from '../../../db/expressions.ts';
import { encodeCursor, inOrderOf, onePage, type PageQuery, type SortColumn } from '../../../db/paging.ts';
import type { Db } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { Payment, PaymentKind, PaymentSort, ReceiptState } from '../../../shared/payments.ts';

export interface PaymentFilter {
  /** part of the check number, case and accents aside */
  checknum?: string;
  facturaproveedorId?: number | null;
  userId?: number | null;
  /** of the invoice paid */
  supplierId?: number | null;
  jobId?: number | null;
  /** of whose obras */
  clientId?: number | null;
  /** 0: payments without one */
  origenderecursoId?: number | null;
  /** 0: of invoices without one */
  rubroId?: number | null;
  /** first and last day of payment */
  paymentdateDesde?: PlainDate | null;
  paymentdateHasta?: PlainDate | null;
  /** first and last day of issue of the invoice paid */
  fechaemisionDesde?: PlainDate | null;
  fechaemisionHasta?: PlainDate | null;
  kind?: PaymentKind;
  /** 'sin': of invoices to be paid in parts (PPD) whose receipt has not come; 'con': those it has come for */
  rep?: ReceiptState;
}

export interface PaymentQuery extends PaymentFilter, PageQuery {
  sort?: PaymentSort;
}

interface PaymentPage {
  payments: Payment[];
  cursor?: string;
}

const SORT_COLUMNS: Record<PaymentSort, SortColumn> = {
  id: { column: 'payments.id', id: 'payments.id', kind: 'number' },
  paymentdate: { column: 'payments.paymentdate', id: 'payments.id', kind: 'date' },
};

export async function searchPayments(db: Db, query: PaymentQuery): Promise<PaymentPage> {
  const { sort = 'id', limit } = query;
  const column = SORT_COLUMNS[sort];
  const { supplierId, jobId, paymentdateDesde, paymentdateHasta } = query;
  const isFew = Boolean(supplierId || jobId || (sort === 'id' && (paymentdateDesde ?? paymentdateHasta)));
  const asked = onePage(filterPayments(db, query).select('payments.id'), column, { ...query, isFew });
  const ids = (await asked.execute()).map(({ id }) => id);
  const payments = await paymentsWith(db, ids.slice(0, limit));
  const last = payments.at(-1);
  if (ids.length <= limit || !last) return { payments };
  return {
    payments,
    cursor: encodeCursor({ value: sort === 'id' ? last.id : last.paymentdate, id: last.id }),
  };
}

/** Whether any payment left the bank with another amount than it took off its invoice. */
export async function hasExchange(db: Db): Promise<boolean> {
  // In the order of the one index that has few of them: without it SQLite goes through all payments.
  const { rows } = await sql`select 1 from payments where "importebancoCents" is not null
    order by id limit 1`.execute(db);
  return rows.length > 0;
}

/** Those with these ids that there are, in their order. */
export async function paymentsWith(db: Db, ids: readonly number[]): Promise<Payment[]> {
  const among = db.selectFrom('payments').where(isOneOf(db, 'payments.id', ids));
  return inOrderOf(ids, await selectPayments(among).execute());
}

/** The payments of some invoices, oldest first. */
export async function paymentsOf(db: Db, invoiceIds: readonly number[]): Promise<Payment[]> {
  if (invoiceIds.length === 0) return [];
  const among = db.selectFrom('payments').where(isOneOf(db, 'payments.facturaproveedorId', invoiceIds));
  return selectPayments(among).orderBy('paymentdate').orderBy('payments.id').execute();
}

/** @throws DomainError not-found */
export async function getPayment(db: Db, id: number): Promise<Payment> {
  const [payment] = await paymentsWith(db, [id]);
  if (!payment) throw new DomainError('not-found', `No existe el pago ${id}.`);
  return payment;
}

export function filterPayments(db: Db, filter: PaymentFilter) {
  const { facturaproveedorId, origenderecursoId, userId } = filter;
  const { paymentdateDesde, paymentdateHasta, kind, rep } = filter;
  const invoicesBy = (column: 'supplierId' | 'jobId' | 'rubroId') =>
    db
      .selectFrom('invoices')
      .select('invoices.id')
      .$if(filter[column] !== 0, (query) => query.where(column, '=', filter[column]!))
      .$if(filter[column] === 0, (query) => query.where(column, 'is', null));
  return db
    .selectFrom('payments')
    .$call((query) => searchesTexts(db, 'payments', filter).reduce((found, one) => found.where(one), query))
    .$if(Boolean(facturaproveedorId), (query) =>
      query.where('payments.facturaproveedorId', '=', facturaproveedorId!),
    )
    .$if(Boolean(userId), (query) => query.where('payments.userId', '=', userId!))
    .$if(Boolean(filter.supplierId), (query) =>
      query.where('payments.facturaproveedorId', 'in', invoicesBy('supplierId')),
    )
    .$if(Boolean(filter.jobId), (query) =>
      query.where('payments.facturaproveedorId', 'in', invoicesBy('jobId')),
    )
    .$if(Boolean(filter.clientId), (query) =>
      query.where(
        'payments.facturaproveedorId',
        'in',
        db
          .selectFrom('invoices')
          .innerJoin('jobs', 'jobs.id', 'invoices.jobId')
          .select('invoices.id')
          .where('jobs.clientId', '=', filter.clientId!),
      ),
    )
    .$if(Boolean(filter.fechaemisionDesde || filter.fechaemisionHasta), (query) =>
      query.where(
        'payments.facturaproveedorId',
        'in',
        db
          .selectFrom('invoices')
          .select('invoices.id')
          .$if(Boolean(filter.fechaemisionDesde), (of) =>
            of.where('fechaemision', '>=', filter.fechaemisionDesde!),
          )
          .$if(Boolean(filter.fechaemisionHasta), (of) =>
            of.where('fechaemision', '<=', filter.fechaemisionHasta!),
          ),
      ),
    )
    .$if(Boolean(origenderecursoId), (query) =>
      query.where('payments.origenderecursoId', '=', origenderecursoId!),
    )
    .$if(origenderecursoId === 0, (query) => query.where('payments.origenderecursoId', 'is', null))
    .$if(typeof filter.rubroId === 'number', (query) =>
      query.where('payments.facturaproveedorId', 'in', invoicesBy('rubroId')),
    )
    .$if(Boolean(paymentdateDesde), (query) => query.where('payments.paymentdate', '>=', paymentdateDesde!))
    .$if(Boolean(paymentdateHasta), (query) => query.where('payments.paymentdate', '<=', paymentdateHasta!))
    .$if(kind !== undefined, (query) => query.where('payments.kind', '=', kind!))
    .$if(rep === 'con', (query) => query.where(hasReceipt))
    .$if(rep === 'sin', (query) => query.where(awaitsReceipt));
}

export const hasReceipt = sql<boolean>`exists (select 1 from payment_receipt_lines where "paymentId" = payments.id)`;

/** A receipt is due for each payment in money of an invoice that is paid in parts or later (SAT, MetodoPago PPD). */
export const awaitsReceipt = sql<boolean>`(payments.kind = 'pago' and exists (select 1 from invoices owing
  where owing.id = payments."facturaproveedorId" and owing.metodopago = 'PPD') and not ${hasReceipt})`;

/** The columns of a Payment, its names joined in, as those of an invoice are (see selectInvoices). */
function selectPayments(query: ReturnType<typeof filterPayments>) {
  return query
    .leftJoin('invoices', 'invoices.id', 'payments.facturaproveedorId')
    .leftJoin('suppliers', 'suppliers.id', 'invoices.supplierId')
    .leftJoin('jobs', 'jobs.id', 'invoices.jobId')
    .leftJoin('funding_sources', 'funding_sources.id', 'payments.origenderecursoId')
    .leftJoin('credit_notes', 'credit_notes.id', 'payments.creditNoteId')
    .select([
      'payments.id',
      'payments.facturaproveedorId',
      'invoices.numfactura',
      'suppliers.suppliername',
      'jobs.jobtitle',
      'payments.origenderecursoId',
      'funding_sources.origenderecursonombre',
      'payments.checknum',
      'payments.paymentdate',
      'payments.amountCents',
      'payments.importebancoCents',
      'invoices.moneda',
      'invoices.tipocambio',
      'payments.comments',
      'payments.userId',
      'payments.importId',
      'payments.kind',
      'payments.creditNoteId',
      'credit_notes.numero as creditNumero',
      sql<ReceiptState | null>`case when ${hasReceipt} then 'con' when ${awaitsReceipt} then 'sin' end`.as(
        'rep',
      ),
      'payments.createdAt',
      'payments.version',
    ])
    .$castTo<Payment>();
}
