import type { Db } from '../../../db/schema.ts';

const MIN_AGREEING_INVOICES = 3;

/** Null where the supplier's last invoices differ. */
export interface UsualJobAndRubro {
  job: { id: number; jobtitle: string } | null;
  rubro: { id: number; nombrerubro: string } | null;
}

/** The supplier's last three invoices, by capture, have to agree. */
export async function readUsualJobAndRubro(db: Db, supplierId: number): Promise<UsualJobAndRubro> {
  const last = await db
    .selectFrom('invoices')
    .innerJoin('jobs', 'jobs.id', 'invoices.jobId')
    .leftJoin('rubros', 'rubros.id', 'invoices.rubroId')
    .select(['invoices.jobId', 'jobs.jobtitle', 'invoices.rubroId', 'rubros.nombrerubro'])
    .where('invoices.supplierId', '=', supplierId)
    .orderBy('invoices.id', 'desc')
    .limit(MIN_AGREEING_INVOICES)
    .execute();
  const [newest] = last;
  const isHabit = (name: 'jobId' | 'rubroId') =>
    last.length === MIN_AGREEING_INVOICES && last.every((invoice) => invoice[name] === newest?.[name]);
  const { jobId, jobtitle, rubroId, nombrerubro } = newest ?? {};
  return {
    job: jobId && isHabit('jobId') ? { id: jobId, jobtitle: jobtitle! } : null,
    rubro: rubroId && isHabit('rubroId') ? { id: rubroId, nombrerubro: nombrerubro! } : null,
  };
}
