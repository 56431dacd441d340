import type { Db } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';

export interface SatState {
  estatus: 'vigente' | 'cancelado';
  /** the day of the file that says so: the latest that has it as valid, or the first that has it as cancelled */
  visto: PlainDate;
  fechaCancelacion: PlainDate | null;
}

/** @returns null where no file that was loaded has it */
export async function readSatState(db: Db, uuid: string | null): Promise<SatState | null> {
  if (uuid === null) return null;
  const found = await db
    .selectFrom('sat_documents')
    .select(['vigenteVisto', 'canceladoVisto', 'fechaCancelacion'])
    .where('uuid', '=', uuid)
    .executeTakeFirst();
  if (!found) return null;
  const { vigenteVisto, canceladoVisto, fechaCancelacion } = found;
  return canceladoVisto === null
    ? { estatus: 'vigente', visto: vigenteVisto!, fechaCancelacion }
    : { estatus: 'cancelado', visto: canceladoVisto, fechaCancelacion };
}
