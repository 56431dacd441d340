import { type ExpressionBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { compileQueryOnce } from '../../../db/compile-once.ts';
import {
  buildTextSearchConditions,
  encodeIdList,
  foldedNameSubquery,
  isInIdList,
} from '../../../db/expressions.ts';
import {
  createUnindexedSort,
  orderByIds,
  type Page,
  type PagingOptions,
  type SortColumn,
  searchPage,
} from '../../../db/paging.ts';
import type { Db, Schema } from '../../../db/schema.ts';
import type { SearchTexts } from '../../../db/tables/search-indexes.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { suppliers } from '../../../shared/catalogs/suppliers.ts';
import { addDays, type PlainDate, startOfNextDay } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import {
  INVOICE_DATES,
  INVOICE_NOTES,
  type Invoice,
  type InvoiceSort,
  invoiceTexts,
  type StatusFilter,
} from '../../../shared/invoices.ts';
import type { Cents } from '../../../shared/money.ts';
import { createRefusal, throwIfRefused } from '../../../shared/refusal.ts';
import { committedInvoiceIds } from '../payments/committed-amounts.ts';
import { lookalikeCondition } from './lookalikes.ts';
import { AMOUNT_COLUMNS } from './rows.ts';

export interface InvoiceFilter extends SearchTexts<'invoices'> {
  supplierId?: number | null;
  jobId?: number | null;
  clientId?: number | null;
  /** 0: without rubro. */
  rubroId?: number | null;
  invoiceId?: number | null;
  status?: StatusFilter;
  fechaemisionDesde?: PlainDate | null;
  fechaemisionHasta?: PlainDate | null;
  emision?: 'sin';
  /** These are the first and the last day of capture, in the business's time zone. */
  capturaDesde?: PlainDate | null;
  capturaHasta?: PlainDate | null;
  fechavencimientoDesde?: PlainDate | null;
  fechavencimientoHasta?: PlainDate | null;
  venceDesde?: PlainDate | null;
  venceHasta?: PlainDate | null;
  /** Keeps only invoices with a lookalike: another one of the same supplier and total, issued within some days. */
  parecidas?: 'si';
  /** Everything is as of that day: invoices issued and payments made until then. */
  corte?: PlainDate | null;
}

export interface TodayAndTimeZone {
  today: PlainDate;
  timeZone: string;
}

export interface InvoiceQuery extends InvoiceFilter, PagingOptions {
  sort?: InvoiceSort;
}

type InvoiceQueryBuilder = SelectQueryBuilder<Schema, 'invoices', object>;

export function searchInvoices(db: Db, query: InvoiceQuery, day: TodayAndTimeZone): Promise<Page<Invoice>> {
  const { sort = 'id', corte } = query;
  const isSelective = sort === 'id' && (selectsOpenNow(query) || RANGE_FILTERS.some((name) => query[name]));
  return searchPage(
    buildInvoiceQuery(db, query, day),
    sortColumn(sort, query),
    { ...query, isSelective },
    (ids) => readInvoices(db, ids, corte),
  );
}

export async function readInvoices(
  db: Db,
  ids: readonly number[],
  corte?: PlainDate | null,
): Promise<Invoice[]> {
  const list = encodeIdList(db, ids);
  return orderByIds(
    ids,
    await (corte ? buildListedInvoicesQuery(db, list, corte).execute() : readInvoicesInList(db, list)),
  );
}

const buildListedInvoicesQuery = (db: Db, ids: string, corte?: PlainDate) =>
  selectInvoiceColumns(db.selectFrom('invoices').where(isInIdList(db, 'invoices.id', ids)), corte);

const readInvoicesInList = compileQueryOnce((db, ids: string) => buildListedInvoicesQuery(db, ids));

export const selectsOpenNow = ({ status, corte }: InvoiceFilter): boolean =>
  status !== undefined && status !== 'pagada' && !corte;

const RANGE_FILTERS = [
  'fechaemisionDesde',
  'fechaemisionHasta',
  'fechavencimientoDesde',
  'fechavencimientoHasta',
  'venceDesde',
  'venceHasta',
] as const satisfies ReadonlyArray<keyof InvoiceFilter>;

export async function getInvoice(db: Db, id: number): Promise<Invoice> {
  const invoice = await selectInvoiceColumns(
    db.selectFrom('invoices').where('invoices.id', '=', id),
  ).executeTakeFirst();
  if (!invoice) throw new DomainError('not-found', `No existe la factura ${id}.`);
  return invoice;
}

/** Refuses what an earlier day does not tell: which batches were open on it is not stored. */
export function throwIfUnanswerable({ corte, status }: InvoiceFilter): void {
  if (corte && status === 'sin-programar')
    throwIfRefused(createRefusal(invoiceTexts.unplannedOnlyNow, 'status'));
}

export function buildInvoiceQuery(db: Db, filter: InvoiceFilter, day: TodayAndTimeZone): InvoiceQueryBuilder {
  throwIfUnanswerable(filter);
  const paidSum = paidExpression(filter.corte);
  const today = filter.corte ?? day.today;
  const { capturaDesde, capturaHasta } = filter;
  const comparisons = [
    ['invoices.supplierId', '=', filter.supplierId],
    ['invoices.jobId', '=', filter.jobId],
    ['invoices.rubroId', '=', filter.rubroId],
    ['invoices.id', '=', filter.invoiceId],
    ['fechaemision', '>=', filter.fechaemisionDesde],
    ['fechaemision', '<=', filter.fechaemisionHasta],
    ['invoices.createdAt', '>=', capturaDesde && startOfNextDay(addDays(capturaDesde, -1), day.timeZone)],
    ['invoices.createdAt', '<', capturaHasta && startOfNextDay(capturaHasta, day.timeZone)],
    ['fechavencimiento', '>=', filter.fechavencimientoDesde],
    ['fechavencimiento', '<=', filter.fechavencimientoHasta],
    ['vence', '>=', filter.venceDesde],
    ['vence', '<=', filter.venceHasta],
  ] as const;
  return db
    .selectFrom('invoices')
    .$call((query) =>
      buildTextSearchConditions(db, 'invoices', filter).reduce((found, one) => found.where(one), query),
    )
    .$call((query) =>
      comparisons.reduce(
        (found, [column, operator, value]) => (value ? found.where(column, operator, value) : found),
        query,
      ),
    )
    .$if(Boolean(filter.clientId), (query) =>
      query.where(
        'invoices.jobId',
        'in',
        db.selectFrom('jobs').select('jobs.id').where('clientId', '=', filter.clientId!),
      ),
    )
    .$if(filter.rubroId === 0, (query) => query.where('invoices.rubroId', 'is', null))
    .$if(filter.parecidas === 'si', (query) => query.where(lookalikeCondition(db, selectsOpenNow(filter))))
    .$if(filter.emision === 'sin', (query) => query.where('fechaemision', 'is', null))
    .$if(Boolean(filter.corte), (query) => query.where(issuedUpToCondition(filter.corte!, day.timeZone)))
    .$if(filter.status !== undefined, (query) => query.where(statusCondition(filter.status!, paidSum, today)))
    .$if(Boolean(filter.corte && filter.status && filter.status !== 'pagada'), (query) =>
      query.where(openOrPaidAfterCondition(filter.corte!)),
    ) as InvoiceQueryBuilder;
}

/** An invoice without an issue date counts from its day of capture. */
export function issuedUpToCondition(corte: PlainDate, timeZone: string) {
  const before = startOfNextDay(corte, timeZone);
  return sql<boolean>`(invoices.fechaemision <= ${corte} or (invoices.fechaemision is null and invoices."createdAt" < ${before}))`;
}

/** Selects the few invoices that may have been open that day. */
const openOrPaidAfterCondition = (corte: PlainDate) =>
  sql<boolean>`invoices.id in (select id from invoices where "paidCents" < "totalCents"
    union all select "facturaproveedorId" from payments where paymentdate > ${corte})`;

export function paidExpression(corte: PlainDate | null | undefined) {
  if (!corte) return sql<Cents>`invoices."paidCents"`;
  return sql<Cents>`coalesce((select sum(p."amountCents") from payments p where p."facturaproveedorId" = invoices.id and p.paymentdate <= ${corte}), 0)`;
}

/** Uses left joins, because SQLite would otherwise start from the few obras and sort all their invoices. */
export function selectInvoiceColumns(query: InvoiceQueryBuilder, corte?: PlainDate | null) {
  return query
    .leftJoin('suppliers', 'suppliers.id', 'invoices.supplierId')
    .leftJoin('jobs', 'jobs.id', 'invoices.jobId')
    .leftJoin('rubros', 'rubros.id', 'invoices.rubroId')
    .select([
      'invoices.id',
      'invoices.supplierId',
      'suppliers.suppliername',
      'suppliers.rfc',
      'invoices.jobId',
      'jobs.jobtitle',
      'invoices.rubroId',
      'rubros.nombrerubro',
      'numfactura',
      ...INVOICE_DATES,
      ...AMOUNT_COLUMNS,
      ...INVOICE_NOTES.map((name) => `invoices.${name}` as const),
      'uuid',
      'metodopago',
      'invoices.moneda',
      'invoices.tipocambio',
      'vence',
      'fechacaptura',
      'invoices.createdAt',
      'invoices.version',
    ])
    .select(paidExpression(corte).as('paidCents'))
    .$castTo<Invoice>();
}

function sortColumn(sort: InvoiceSort, query: InvoiceQuery): SortColumn {
  // Open invoices are sorted by `vence`, which their index contains; other invoices by their stated due day.
  const column = sort === 'fechavencimiento' && selectsOpenNow(query) ? 'vence' : sort;
  return { id: 'invoices.id', ...SORT_COLUMNS[column](paidExpression(query.corte)) };
}

const TOTAL_COLUMN = sql.ref('invoices.totalCents');

const SORT_COLUMNS: Record<InvoiceSort | 'vence', (paid: PaidExpression) => Omit<SortColumn, 'id'>> = {
  id: () => ({ column: 'invoices.id', kind: 'number' }),
  numfactura: () => createUnindexedSort('text', sql`nullif(invoices."numfacturaFold", '')`),
  suppliername: () => createUnindexedSort('text', foldedNameSubquery(suppliers, 'invoices.supplierId')),
  jobtitle: () => createUnindexedSort('text', foldedNameSubquery(jobs, 'invoices.jobId')),
  total: () => ({ column: 'invoices.totalCents', kind: 'number' }),
  totalamountpaid: (paid) => createUnindexedSort('number', paid),
  pending: (paid) => createUnindexedSort('number', sql`${TOTAL_COLUMN} - ${paid}`),
  vence: () => ({ column: 'invoices.vence', kind: 'date' }),
  fechavencimiento: () => ({ column: 'invoices.fechavencimiento', kind: 'date', nulls: 'first' }),
  // Sorts the unpaid invoices by due day; the paid ones follow.
  status: (paid) =>
    createUnindexedSort('date', sql`case when ${paid} < ${TOTAL_COLUMN} then invoices.vence end`),
};

type PaidExpression = ReturnType<typeof paidExpression>;

function statusCondition(status: StatusFilter, paidSum: PaidExpression, today: PlainDate) {
  return (eb: ExpressionBuilder<Schema, 'invoices'>) => {
    const isOpen = sql<boolean>`${paidSum} < invoices."totalCents"`;
    const isLate = eb('vence', '<', today);
    const isDue = eb('vence', '>=', today);
    switch (status) {
      case 'por-pagar':
        return isOpen;
      case 'sin-programar':
        return eb.and([isOpen, sql<boolean>`invoices.id not in (${committedInvoiceIds})`]);
      case 'pagada':
        return eb.not(isOpen);
      case 'vencida':
        return eb.and([isOpen, isLate]);
      case 'sin-vencimiento':
        // Written so that the index of due days is not used, because far more invoices state no due day than are open.
        return eb.and([isOpen, sql<boolean>`(invoices.fechavencimiento is null) is true`]);
      case 'parcial':
        return eb.and([isOpen, isDue, sql<boolean>`${paidSum} > 0`]);
      case 'pendiente':
        return eb.and([isOpen, isDue, sql<boolean>`${paidSum} = 0`]);
    }
  };
}
