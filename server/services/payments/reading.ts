import { type Expression, sql } from 'kysely';
import { compileQueryOnce } from '../../../db/compile-once.ts';
import {
  buildTextSearchConditions,
  encodeIdList,
  foldedNameSubquery,
  isInIdList,
  isOneOf,
} from '../../../db/expressions.ts';
import {
  createUnindexedSort,
  orderByIds,
  type Page,
  type PagingOptions,
  type SortColumn,
  searchPage,
} from '../../../db/paging.ts';
import { mayLackReceiptCondition } from '../../../db/payments-without-receipt.ts';
import type { Db } from '../../../db/schema.ts';
import type { Catalog } from '../../../shared/catalogs/catalog.ts';
import { fundingSources } from '../../../shared/catalogs/funding-sources.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { suppliers } from '../../../shared/catalogs/suppliers.ts';
import type { Instant, PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { Payment, PaymentKind, PaymentSort, RepState } from '../../../shared/payments.ts';

export interface PaymentFilter {
  /** part of the check number, without case and accents */
  checknum?: string;
  facturaproveedorId?: number | null;
  userId?: number | null;
  supplierId?: number | null;
  jobId?: number | null;
  clientId?: number | null;
  /** 0: payments without funding source */
  origenderecursoId?: number | null;
  /** 0: payments of invoices without rubro */
  rubroId?: number | null;
  paymentdateDesde?: PlainDate | null;
  paymentdateHasta?: PlainDate | null;
  fechaemisionDesde?: PlainDate | null;
  fechaemisionHasta?: PlainDate | null;
  kind?: PaymentKind;
  /** 'con': the REP has come; 'sin': it is due (PPD invoice) and has not come */
  rep?: RepState;
}

export interface PaymentQuery extends PaymentFilter, PagingOptions {
  sort?: PaymentSort;
}

export function searchPayments(db: Db, query: PaymentQuery): Promise<Page<Payment>> {
  const { sort = 'id', supplierId, jobId, paymentdateDesde, paymentdateHasta } = query;
  const by = { id: 'payments.id', ...SORT_COLUMNS[sort] };
  const isSelective = Boolean(
    supplierId || jobId || (sort === 'id' && (paymentdateDesde ?? paymentdateHasta)),
  );
  return searchPage(buildPaymentQuery(db, query), by, { ...query, isSelective }, (ids) =>
    readPayments(db, ids),
  );
}

export async function anyPaymentHasBankAmount(db: Db): Promise<boolean> {
  // Ordered like the index of these few payments, so that SQLite uses it and does not go through all payments.
  const { rows } = await sql`select 1 from payments where "importebancoCents" is not null
    order by id limit 1`.execute(db);
  return rows.length > 0;
}

export const readPayments = async (db: Db, ids: readonly number[]): Promise<Payment[]> =>
  orderByIds(ids, await readPaymentsInList(db, encodeIdList(db, ids)));

const readPaymentsInList = compileQueryOnce((db, ids: string) =>
  selectPaymentColumns(db.selectFrom('payments').where(isInIdList(db, 'payments.id', ids))),
);

export async function readPaymentsOfInvoices(db: Db, invoiceIds: readonly number[]): Promise<Payment[]> {
  if (invoiceIds.length === 0) return [];
  const selection = db.selectFrom('payments').where(isOneOf(db, 'payments.facturaproveedorId', invoiceIds));
  return selectPaymentColumns(selection).orderBy('paymentdate').orderBy('payments.id').execute();
}

/** @throws DomainError not-found */
export async function getPayment(db: Db, id: number): Promise<Payment> {
  const [payment] = await readPayments(db, [id]);
  if (!payment) throw new DomainError('not-found', `No existe el pago ${id}.`);
  return payment;
}

/** Leaves out payments deleted with their batch, receipt or statement, and those restored since. Last deleted first. */
export async function readPaymentsDeletedByUser(db: Db, userId: number, since: Instant): Promise<Payment[]> {
  const { rows } = await sql<{ before: string }>`select before from audit a
    where at >= ${since} and "userId" = ${userId} and entity = 'payments' and action = 'delete'
      and "entityId" is not null
      and not exists (select 1 from payments p where p.id = cast(a."entityId" as bigint))
      and not exists (select 1 from audit o where o.at = a.at and o."userId" = a."userId"
        and o.entity in ('payment-batches', 'payment-receipts', 'bank-statements'))
      and not exists (select 1 from audit o where o.entity = 'payments' and o."entityId" = a."entityId"
        and o.action = 'delete' and o.id > a.id)
    order by a.id desc limit 20`.execute(db);
  return rows.map(({ before }) => JSON.parse(before) as Payment);
}

export function buildPaymentQuery(db: Db, filter: PaymentFilter) {
  const { supplierId, jobId, clientId, rubroId, fechaemisionDesde, fechaemisionHasta } = filter;
  const comparisons = [
    ['payments.facturaproveedorId', '=', filter.facturaproveedorId],
    ['payments.userId', '=', filter.userId],
    ['payments.origenderecursoId', '=', filter.origenderecursoId],
    ['payments.paymentdate', '>=', filter.paymentdateDesde],
    ['payments.paymentdate', '<=', filter.paymentdateHasta],
    ['payments.kind', '=', filter.kind],
  ] as const;
  const invoices = db.selectFrom('invoices').select('invoices.id');
  // Each of these selections uses an index of its own.
  const invoiceFilters = [
    supplierId && invoices.where('supplierId', '=', supplierId),
    jobId && invoices.where('jobId', '=', jobId),
    rubroId && invoices.where('rubroId', '=', rubroId),
    rubroId === 0 && invoices.where('rubroId', 'is', null),
    clientId && invoices.innerJoin('jobs', 'jobs.id', 'invoices.jobId').where('jobs.clientId', '=', clientId),
    (fechaemisionDesde || fechaemisionHasta) &&
      invoices
        .$if(Boolean(fechaemisionDesde), (of) => of.where('fechaemision', '>=', fechaemisionDesde!))
        .$if(Boolean(fechaemisionHasta), (of) => of.where('fechaemision', '<=', fechaemisionHasta!)),
  ];
  return db
    .selectFrom('payments')
    .$call((query) =>
      buildTextSearchConditions(db, 'payments', filter).reduce((found, one) => found.where(one), query),
    )
    .$call((query) =>
      comparisons.reduce(
        (found, [column, operator, value]) => (value ? found.where(column, operator, value) : found),
        query,
      ),
    )
    .$call((query) =>
      invoiceFilters.reduce(
        (found, selection) =>
          selection ? found.where('payments.facturaproveedorId', 'in', selection) : found,
        query,
      ),
    )
    .$if(filter.origenderecursoId === 0, (query) => query.where('payments.origenderecursoId', 'is', null))
    .$if(filter.rep === 'con', (query) => query.where(paymentHasReceiptCondition))
    .$if(filter.rep === 'sin', (query) =>
      query.where(mayLackReceiptCondition('payments')).where(paymentAwaitsReceiptCondition),
    );
}

export const uuidCancelledInSatCondition = (table: string) =>
  sql<boolean>`exists (select 1 from sat_documents where sat_documents.uuid = ${sql.ref(`${table}.uuid`)}
    and sat_documents."canceladoVisto" is not null)`;

export const paymentHasReceiptCondition = sql<boolean>`exists (select 1 from payment_receipt_lines lines
  join payment_receipts receipts on receipts.id = lines."receiptId"
  where lines."paymentId" = payments.id and not ${uuidCancelledInSatCondition('receipts')})`;

/** A receipt is due for each payment in money of an invoice that is paid in parts or later (SAT, MetodoPago PPD). */
export const paymentAwaitsReceiptCondition = sql<boolean>`(payments.kind = 'pago' and exists (select 1 from invoices owing
  where owing.id = payments."facturaproveedorId" and owing.metodopago = 'PPD') and not ${paymentHasReceiptCondition})`;

const invoiceValueExpression = (column: Expression<unknown>) =>
  sql`(select ${column} from invoices where invoices.id = payments."facturaproveedorId")`;

const invoiceNameSort = (catalog: Catalog) =>
  createUnindexedSort(
    'text',
    invoiceValueExpression(foldedNameSubquery(catalog, `invoices.${catalog.idField}`)),
  );

const receiptStateExpression = sql<RepState | null>`case when ${paymentHasReceiptCondition} then 'con' when ${paymentAwaitsReceiptCondition} then 'sin' end`;

const SORT_COLUMNS: Record<PaymentSort, Omit<SortColumn, 'id'>> = {
  id: { column: 'payments.id', kind: 'number' },
  paymentdate: { column: 'payments.paymentdate', kind: 'date' },
  checknum: createUnindexedSort('text', sql`nullif(payments."checknumFold", '')`),
  facturaproveedorId: createUnindexedSort('number', 'payments.facturaproveedorId'),
  numfactura: createUnindexedSort('text', invoiceValueExpression(sql`nullif(invoices."numfacturaFold", '')`)),
  suppliername: invoiceNameSort(suppliers),
  jobtitle: invoiceNameSort(jobs),
  paymentamount: createUnindexedSort('number', 'payments.amountCents'),
  importebanco: createUnindexedSort(
    'number',
    sql`case when payments.kind = 'pago' then payments."importebancoCents" end`,
  ),
  origenderecursonombre: createUnindexedSort(
    'text',
    foldedNameSubquery(fundingSources, 'payments.origenderecursoId'),
  ),
  rep: createUnindexedSort('text', receiptStateExpression),
};

/** Uses left joins. Otherwise SQLite would start from a small table and sort all payments (see `selectInvoiceColumns`). */
function selectPaymentColumns(query: ReturnType<typeof buildPaymentQuery>) {
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
      'payments.importemonedaCents',
      'invoices.moneda',
      'invoices.tipocambio',
      'payments.comments',
      'payments.userId',
      'payments.importId',
      'payments.kind',
      'payments.creditNoteId',
      'credit_notes.numero as creditNumero',
      receiptStateExpression.as('rep'),
      'payments.createdAt',
      'payments.version',
    ])
    .$castTo<Payment>();
}
