import { findMarkedDamage } from '../../../db/damage.ts';
import type { Db } from '../../../db/schema.ts';

export const isDamaged = (db: Db): boolean => findMarkedDamage(db) !== undefined;
