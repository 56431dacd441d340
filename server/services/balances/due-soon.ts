import type { Db } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import { isDueEstimated } from '../../../shared/invoices-due.ts';
import type { Cents } from '../../../shared/money.ts';
import type { Period } from '../../../shared/periods.ts';
import { invoicesOf } from '../invoices/reading.ts';
import { readOwedNow } from './balances.ts';

export interface DueInvoice {
  id: number;
  numfactura: string;
  suppliername: string;
  jobtitle: string;
  vence: PlainDate;
  isEstimated: boolean;
  pendingCents: Cents;
}

/** Of what is owed now and due within some days, the largest amounts, the largest first. */
export async function largestDue(db: Db, due: Period, most: number): Promise<DueInvoice[]> {
  const open = await readOwedNow(db, { due });
  const largest = open.sort((a, b) => b.pendingCents - a.pendingCents || a.id - b.id).slice(0, most);
  const found = await invoicesOf(
    db,
    largest.map(({ id }) => id),
  );
  const names = new Map(found.map((invoice) => [invoice.id, invoice]));
  return largest.flatMap((row) => {
    const invoice = names.get(row.id);
    if (!invoice) return [];
    const { id, numfactura, vence, pendingCents } = row;
    const { suppliername, jobtitle } = invoice;
    return [
      { id, numfactura, suppliername, jobtitle, vence, isEstimated: isDueEstimated(row), pendingCents },
    ];
  });
}
