import { type ExpressionBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { isOneOf, matchesTexts } from '../../../db/expressions.ts';
import {
  orderByIds,
  type Page,
  type PageQuery,
  readPage,
  type SortColumn,
  selectPage,
} from '../../../db/paging.ts';
import type { Db, Schema } from '../../../db/schema.ts';
import type { Searched } from '../../../db/tables/search-indexes.ts';
import { addDays, endOfDay, type PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import {
  INVOICE_DATES,
  INVOICE_NOTES,
  type Invoice,
  type InvoiceSort,
  type StatusFilter,
} from '../../../shared/invoices.ts';
import type { Cents } from '../../../shared/money.ts';
import { lookalikeCondition } from './lookalikes.ts';
import { AMOUNT_COLUMNS } from './rows.ts';

export interface InvoiceFilter extends Searched<'invoices'> {
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
  /** First and last day of capture, in the business's time zone. */
  capturaDesde?: PlainDate | null;
  capturaHasta?: PlainDate | null;
  fechavencimientoDesde?: PlainDate | null;
  fechavencimientoHasta?: PlainDate | null;
  venceDesde?: PlainDate | null;
  venceHasta?: PlainDate | null;
  /** Only lookalikes: another invoice of the same supplier and total was issued within some days. */
  parecidas?: 'si';
  /** Everything as of that day: invoices issued and payments made until then. */
  corte?: PlainDate | null;
}

/** The day that statuses refer to, and the business's time zone. */
export interface BusinessDay {
  today: PlainDate;
  timeZone: string;
}

export interface InvoiceQuery extends InvoiceFilter, PageQuery {
  sort?: InvoiceSort;
}

type Invoices = SelectQueryBuilder<Schema, 'invoices', object>;

export function searchInvoices(db: Db, query: InvoiceQuery, day: BusinessDay): Promise<Page<Invoice>> {
  const { sort = 'id', limit, corte } = query;
  const [column, member] =
    selectsOpenNow(query) && sort === 'fechavencimiento' ? DUE_DAY_SORT : SORT_COLUMNS[sort];
  const sortColumn: SortColumn = { column: `invoices.${member}`, id: 'invoices.id', ...column };
  const isFew = sort === 'id' && isRangeFilter(query);
  const page = selectPage(filterInvoices(db, query, day).select('invoices.id'), sortColumn, {
    ...query,
    isSelective: isFew,
  });
  return readPage(
    page,
    limit,
    (ids) => readInvoices(db, ids, corte),
    (row) => row[member],
  );
}

export async function readInvoices(
  db: Db,
  ids: readonly number[],
  corte?: PlainDate | null,
): Promise<Invoice[]> {
  const among = db.selectFrom('invoices').where(isOneOf(db, 'invoices.id', ids));
  return orderByIds(ids, await selectInvoices(among, corte).execute());
}

const isRangeFilter = (filter: InvoiceFilter): boolean =>
  selectsOpenNow(filter) || RANGE_MEMBERS.some((name) => filter[name]);

export const selectsOpenNow = ({ status, corte }: InvoiceFilter): boolean =>
  status !== undefined && status !== 'pagada' && !corte;

const RANGE_MEMBERS = [
  'fechaemisionDesde',
  'fechaemisionHasta',
  'fechavencimientoDesde',
  'fechavencimientoHasta',
  'venceDesde',
  'venceHasta',
] as const satisfies ReadonlyArray<keyof InvoiceFilter>;

export async function getInvoice(db: Db, id: number): Promise<Invoice> {
  const invoice = await selectInvoices(
    db.selectFrom('invoices').where('invoices.id', '=', id),
  ).executeTakeFirst();
  if (!invoice) throw new DomainError('not-found', `No existe la factura ${id}.`);
  return invoice;
}

export function filterInvoices(db: Db, filter: InvoiceFilter, day: BusinessDay): Invoices {
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
    ['invoices.createdAt', '>=', capturaDesde && endOfDay(addDays(capturaDesde, -1), day.timeZone)],
    ['invoices.createdAt', '<', capturaHasta && endOfDay(capturaHasta, day.timeZone)],
    ['fechavencimiento', '>=', filter.fechavencimientoDesde],
    ['fechavencimiento', '<=', filter.fechavencimientoHasta],
    ['vence', '>=', filter.venceDesde],
    ['vence', '<=', filter.venceHasta],
  ] as const;
  return db
    .selectFrom('invoices')
    .$call((query) => matchesTexts(db, 'invoices', filter).reduce((found, one) => found.where(one), query))
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
    .$if(Boolean(filter.corte), (query) => query.where(issuedUpTo(filter.corte!, day.timeZone)))
    .$if(filter.status !== undefined, (query) => query.where(statusCondition(filter.status!, paidSum, today)))
    .$if(Boolean(filter.corte && filter.status && filter.status !== 'pagada'), (query) =>
      query.where(openOrPaidAfter(filter.corte!)),
    ) as Invoices;
}

/** An invoice without an issue date counts from its day of capture. */
export function issuedUpTo(corte: PlainDate, timeZone: string) {
  const before = endOfDay(corte, timeZone);
  return sql<boolean>`(invoices.fechaemision <= ${corte} or (invoices.fechaemision is null and invoices."createdAt" < ${before}))`;
}

/** The few invoices that may have been open that day. */
const openOrPaidAfter = (corte: PlainDate) =>
  sql<boolean>`invoices.id in (select id from invoices where "paidCents" < "totalCents"
    union all select "facturaproveedorId" from payments where paymentdate > ${corte})`;

export function paidExpression(corte: PlainDate | null | undefined) {
  if (!corte) return sql<Cents>`invoices."paidCents"`;
  return sql<Cents>`coalesce((select sum(p."amountCents") from payments p where p."facturaproveedorId" = invoices.id and p.paymentdate <= ${corte}), 0)`;
}

/** Supplier and obra are left joins, or SQLite would go through the few obras first and sort all their invoices. */
export function selectInvoices(query: Invoices, corte?: PlainDate | null) {
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

type Sort = readonly [
  column: Pick<SortColumn, 'kind' | 'nullable'>,
  member: 'id' | 'vence' | 'fechavencimiento' | 'totalCents',
];

const SORT_COLUMNS: Record<InvoiceSort, Sort> = {
  id: [{ kind: 'number' }, 'id'],
  fechavencimiento: [{ kind: 'date', nullable: true }, 'fechavencimiento'],
  total: [{ kind: 'number' }, 'totalCents'],
};

/** Open invoices sort by `vence`, which their index has; others by their stated due day. */
const DUE_DAY_SORT: Sort = [{ kind: 'date' }, 'vence'];

type Paid = ReturnType<typeof paidExpression>;

function statusCondition(status: StatusFilter, paidSum: Paid, today: PlainDate) {
  return (eb: ExpressionBuilder<Schema, 'invoices'>) => {
    const isOpen = sql<boolean>`${paidSum} < invoices."totalCents"`;
    const isLate = eb('vence', '<', today);
    const isDue = eb('vence', '>=', today);
    switch (status) {
      case 'por-pagar':
        return isOpen;
      case 'pagada':
        return eb.not(isOpen);
      case 'vencida':
        return eb.and([isOpen, isLate]);
      case 'sin-vencimiento':
        // Written so that no index of due dates serves it, since far more invoices state no due day than are open.
        return eb.and([isOpen, sql<boolean>`(invoices.fechavencimiento is null) is true`]);
      case 'parcial':
        return eb.and([isOpen, isDue, sql<boolean>`${paidSum} > 0`]);
      case 'pendiente':
        return eb.and([isOpen, isDue, sql<boolean>`${paidSum} = 0`]);
    }
  };
}
