import { sql } from 'kysely';
import { orderWithNulls, searchesText } from '../../db/expressions.ts';
import { afterCursor, type Direction, decodeCursor, encodeCursor } from '../../db/paging.ts';
import type { Db } from '../../db/schema.ts';
import type { PlainDate } from '../../shared/dates.ts';
import { DomainError } from '../../shared/errors.ts';
import type { Cents } from '../../shared/money.ts';
import type { Payment, PaymentSort } from '../../shared/payments.ts';

export interface PaymentFilter {
  /** part of the check number, case and accents aside */
  checknum?: string;
  facturaproveedorId?: number | null;
  userId?: number | null;
  /** first and last day of payment */
  paymentdateDesde?: PlainDate | null;
  paymentdateHasta?: PlainDate | null;
}

export interface PaymentQuery extends PaymentFilter {
  sort?: PaymentSort;
  direction?: Direction;
  limit: number;
  cursor?: string;
}

export interface PaymentPage {
  payments: Payment[];
  cursor?: string;
}

const SORT_COLUMNS = { id: 'payments.id', paymentdate: 'payments.paymentdate' } as const;

export async function searchPayments(db: Db, query: PaymentQuery): Promise<PaymentPage> {
  const { sort = 'id', direction = 'asc', limit } = query;
  const column = SORT_COLUMNS[sort];
  const payments = await selectPayments(filterPayments(db, query))
    .$if(query.cursor !== undefined, (rows) =>
      rows.where(
        afterCursor(
          column,
          'payments.id',
          direction,
          decodeCursor(query.cursor!, sort === 'id' ? 'number' : 'date'),
        ),
      ),
    )
    .orderBy(column, orderWithNulls(direction))
    .$if(sort !== 'id', (rows) => rows.orderBy('payments.id', direction))
    .limit(limit + 1)
    .execute();
  if (payments.length <= limit) return { payments };
  payments.pop();
  const last = payments.at(-1)!;
  return {
    payments,
    cursor: encodeCursor({ value: sort === 'id' ? last.id : last.paymentdate, id: last.id }),
  };
}

/** How many payments a filter finds, and their sum. */
export async function sumPayments(
  db: Db,
  filter: PaymentFilter,
): Promise<{ count: number; amountCents: Cents }> {
  return filterPayments(db, filter)
    .select(sql<number>`count(*)`.as('count'))
    .select(sql<Cents>`coalesce(sum("amountCents"), 0)`.as('amountCents'))
    .executeTakeFirstOrThrow();
}

/** The payments of some invoices, oldest first. */
export async function paymentsOf(db: Db, invoiceIds: readonly number[]): Promise<Payment[]> {
  if (invoiceIds.length === 0) return [];
  const payments: Payment[] = [];
  for (let from = 0; from < invoiceIds.length; from += 500) {
    const ids = invoiceIds.slice(from, from + 500);
    const query = db.selectFrom('payments').where('payments.facturaproveedorId', 'in', ids);
    payments.push(...(await selectPayments(query).orderBy('paymentdate').orderBy('payments.id').execute()));
  }
  return payments;
}

/** @throws DomainError not-found */
export async function getPayment(db: Db, id: number): Promise<Payment> {
  const query = db.selectFrom('payments').where('payments.id', '=', id);
  const payment = await selectPayments(query).executeTakeFirst();
  if (!payment) throw new DomainError('not-found', `No existe el pago ${id}.`);
  return payment;
}

function filterPayments(db: Db, filter: PaymentFilter) {
  const { checknum, facturaproveedorId, userId, paymentdateDesde, paymentdateHasta } = filter;
  return db
    .selectFrom('payments')
    .$if(Boolean(checknum), (query) =>
      query.where(searchesText(db, { table: 'payments', column: 'checknumFold' }, checknum!)),
    )
    .$if(Boolean(facturaproveedorId), (query) =>
      query.where('payments.facturaproveedorId', '=', facturaproveedorId!),
    )
    .$if(Boolean(userId), (query) => query.where('payments.userId', '=', userId!))
    .$if(Boolean(paymentdateDesde), (query) => query.where('payments.paymentdate', '>=', paymentdateDesde!))
    .$if(Boolean(paymentdateHasta), (query) => query.where('payments.paymentdate', '<=', paymentdateHasta!));
}

/** The columns of a Payment, its names joined in. */
export function selectPayments(query: ReturnType<typeof filterPayments>) {
  return query
    .innerJoin('invoices', 'invoices.id', 'payments.facturaproveedorId')
    .innerJoin('suppliers', 'suppliers.id', 'invoices.supplierId')
    .leftJoin('funding_sources', 'funding_sources.id', 'payments.origenderecursoId')
    .select([
      'payments.id',
      'payments.facturaproveedorId',
      'invoices.numfactura',
      'suppliers.suppliername',
      'payments.origenderecursoId',
      'funding_sources.origenderecursonombre',
      'payments.checknum',
      'payments.paymentdate',
      'payments.amountCents',
      'payments.comments',
      'payments.userId',
      'payments.importId',
      'payments.createdAt',
      'payments.version',
    ])
    .$castTo<Payment>();
}
