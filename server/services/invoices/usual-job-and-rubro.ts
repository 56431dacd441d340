import type { Db } from '../../../db/schema.ts';
import { findRowWithCommonValue, MIN_AGREEING_ROWS } from '../stored-rows.ts';

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
    .limit(MIN_AGREEING_ROWS)
    .execute();
  const { jobId, jobtitle } = findRowWithCommonValue(last, 'jobId') ?? {};
  const { rubroId, nombrerubro } = findRowWithCommonValue(last, 'rubroId') ?? {};
  return {
    job: jobId ? { id: jobId, jobtitle: jobtitle! } : null,
    rubro: rubroId ? { id: rubroId, nombrerubro: nombrerubro! } : null,
  };
}
