import { agingOf } from '../../../shared/statements.ts';
import { Totals } from '../../../shared/ui/Totals.tsx';
import type { AppContext } from '../../http/session.ts';
import { readOwedNow } from '../../services/balances/balances.ts';
import { sumInvoices } from '../../services/invoices/sums.ts';
import { inDueOrder } from '../../services/statements/reading.ts';
import { OwedAging, OwedTable, owedAddress } from './owed.tsx';

/** What a supplier is owed now, its age and what falls due; nothing of one that has never billed. */
export async function renderSupplierDebt(c: AppContext, supplierId: number) {
  const { db, config } = c.get('deps');
  const today = c.get('today');
  const { count } = await sumInvoices(db, { supplierId }, { today, timeZone: config.timeZone });
  if (count === 0) return null;
  const owed = inDueOrder(await readOwedNow(db, { supplierId }));
  const debt = { supplierId };
  const cents = owed.reduce((sum, { pendingCents }) => sum + pendingCents, 0);
  return (
    <section className="form" aria-label="Lo que se le debe">
      <Totals label="Saldo del proveedor" items={[{ label: 'Saldo', cents, href: owedAddress(debt) }]} />
      {cents > 0 && <OwedAging debt={debt} aging={agingOf(owed, today)} asOf={today} />}
      <OwedTable debt={debt} owed={owed} />
    </section>
  );
}
