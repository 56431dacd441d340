import { damageFound } from '../../../db/damage.ts';
import type { Db } from '../../../db/schema.ts';

/** Whether it was found damaged since it was opened: it is shown, and nothing is stored in it. */
export const isDamaged = (db: Db): boolean => damageFound(db) !== undefined;
