import { isOneOfTexts } from '../../../db/expressions.ts';
import type { Db } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';

export interface SatState {
  estatus: 'vigente' | 'cancelado';
  /** the day of the latest metadata file that lists the document as valid, or of the first with it as cancelled */
  visto: PlainDate;
  fechaCancelacion: PlainDate | null;
}

/** @returns null if no imported metadata file lists the document */
export async function readSatState(db: Db, uuid: string | null): Promise<SatState | null> {
  return uuid === null ? null : ((await readSatStates(db, [uuid])).get(uuid) ?? null);
}

/** @returns by UUID; documents that no imported metadata file lists are absent */
export async function readSatStates(db: Db, uuids: readonly string[]): Promise<Map<string, SatState>> {
  if (uuids.length === 0) return new Map();
  const rows = await db
    .selectFrom('sat_documents')
    .select(['uuid', 'vigenteVisto', 'canceladoVisto', 'fechaCancelacion'])
    .where(isOneOfTexts(db, 'uuid', uuids))
    .execute();
  return new Map(
    rows.map(({ uuid, vigenteVisto, canceladoVisto, fechaCancelacion }) => [
      uuid,
      canceladoVisto === null
        ? { estatus: 'vigente', visto: vigenteVisto!, fechaCancelacion }
        : { estatus: 'cancelado', visto: canceladoVisto, fechaCancelacion },
    ]),
  );
}
