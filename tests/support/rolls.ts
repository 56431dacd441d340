import { sql } from 'kysely';
import type { Fault } from '../../db/integrity.ts';
import { dialectOf } from '../../db/open.ts';
import { findMisrolled, ROLL_NAMES } from '../../db/rolled-sums.ts';
import type { Db } from '../../db/schema.ts';

/** What of the rolled sums is not what the rows add up to. */
export async function misrolled(db: Db): Promise<Fault[]> {
  const found: Fault[] = [];
  for (const name of ROLL_NAMES) found.push(...(await findMisrolled(db, name)));
  return found;
}

/** Folds what is noted, as otherwise happens once there is much of it. */
export async function foldNow(db: Db): Promise<void> {
  if (dialectOf(db) === 'postgres') {
    await sql`select fold_invoice_changes(), fold_payment_changes()`.execute(db);
    return;
  }
  // A row of nothing, as if it were one of many.
  await sql`insert into invoice_changes select 9999999, 0, 0, 0, '', '', '', 0, 0, 0, 0, 0`.execute(db);
  await sql`insert into payment_changes select 9999999, 0, '', '', 0, 0, 0, 0, 0, 0`.execute(db);
}
