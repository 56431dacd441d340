import { findMarkedDamage } from '../../../db/damage.ts';
import type { Db } from '../../../db/schema.ts';

/** Whether damage was found since it was opened: then it is shown, and nothing is stored in it. */
export const isDamaged = (db: Db): boolean => findMarkedDamage(db) !== undefined;
