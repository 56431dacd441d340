import { findOpenImports } from '../../../db/open-imports.ts';
import type { Db } from '../../../db/schema.ts';
import { lastAnchoring } from '../audit/anchoring.ts';

/** What whoever looks at the whole database should know of it, and is no fault of its rows. */
export async function readNotices(db: Db): Promise<string[]> {
  const open = await findOpenImports(db);
  const problem = await anchorNotice(db);
  return [
    ...open.map(
      ({ id, beatAt }) =>
        `La importación ${id} está a medias (última señal: ${beatAt}). Nadie ve aún sus renglones; si ya nadie la sigue, el servidor la deshace.`,
    ),
    ...(problem === undefined ? [] : [problem]),
  ];
}

/** That the trail's end could not be noted down the last time, and why. */
export async function anchorNotice(db: Db): Promise<string | undefined> {
  const last = await lastAnchoring(db);
  if (!last || last.problem === null) return undefined;
  return `El ancla de la bitácora no se pudo anotar (${last.at}): ${last.problem}. Revisa SALDO_ANCHOR.`;
}
