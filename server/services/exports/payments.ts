import type { Db } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { FilterFact, ListExport, RowOf } from '../../formats/sheets/list-export.ts';
import type { SheetPart } from '../../formats/sheets/sheet.ts';
import { toPaymentJson } from '../../shapes/to-json.ts';
import { hasExchange, type PaymentQuery } from '../payments/reading.ts';
import { sumPayments } from '../payments/sums.ts';
import { paymentsSheet } from './payments-sheet.ts';

/** The payments of a filter. */
export async function paymentsExport(
  db: Db,
  query: Omit<PaymentQuery, 'limit'> & SheetPart,
  { today, facts }: { today: PlainDate; facts: readonly FilterFact[] },
): Promise<ListExport<RowOf<typeof paymentsSheet>>> {
  const { limit = Number.POSITIVE_INFINITY, cursor: _, ...filter } = query;
  return {
    file: `Pagos realizados ${today}`,
    title: 'Pagos realizados',
    filters: facts,
    noun: ['pago', 'pagos'],
    sheet: paymentsSheet(db, query, await hasExchange(db)),
    count: async () => Math.min((await sumPayments(db, filter)).count, limit),
    toRecords: (payments) => payments.map(toPaymentJson),
  };
}
