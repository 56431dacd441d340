import { sql } from 'kysely';
import type { Db } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { InvoiceDraft } from '../../../shared/invoices.ts';
import { dueByCredit } from '../../../shared/invoices-due.ts';

/** `countedDue` as SQL, of a statement over `invoices`. */
export const countedDueColumn = sql.ref<PlainDate | null>('invoices.fechavencimiento');

/** The DueTerms of a statement over `invoices`; what the ones before it make needless is left in the database. */
export const dueTermsColumns = sql`invoices.fechavencimiento,
  case when invoices.fechavencimiento is null
    then coalesce(invoices.fecharecepcion, invoices.fechaemision) end as "creditFrom",
  case when coalesce(invoices.fechavencimiento, invoices.fecharecepcion, invoices.fechaemision) is null
    then invoices."createdAt" end as "createdAt"`;

/** The due date that the supplier's credit days give, where the form leaves it empty and the supplier has any. */
export async function dueDateByCredit(db: Db, draft: InvoiceDraft): Promise<PlainDate | null> {
  const { supplierId, fechavencimiento = null, fecharecepcion = null, fechaemision = null } = draft;
  if (fechavencimiento || !supplierId) return fechavencimiento;
  const supplier = await db
    .selectFrom('suppliers')
    .select('diascredito')
    .where('id', '=', supplierId)
    .executeTakeFirst();
  return dueByCredit({ fecharecepcion, fechaemision }, supplier?.diascredito ?? 0);
}
