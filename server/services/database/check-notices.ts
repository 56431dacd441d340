import type { Db } from '../../../db/schema.ts';
import { lastAnchoring } from '../audit/anchoring.ts';

/** What whoever looks at the whole database should know of it, and is no fault of its rows. */
export async function readNotices(db: Db): Promise<string[]> {
  const problem = await anchorNotice(db);
  return problem === undefined ? [] : [problem];
}

/** That the trail's end could not be noted down the last time, and why. */
export async function anchorNotice(db: Db): Promise<string | undefined> {
  const last = await lastAnchoring(db);
  if (!last || last.problem === null) return undefined;
  return `El ancla de la bitácora no se pudo anotar (${last.at}): ${last.problem}. Revisa SALDO_ANCHOR.`;
}
