import { findMarkedDamage } from '../../../db/damage.ts';
import type { Db } from '../../../db/schema.ts';

export const isMarkedDamaged = (db: Db): boolean => findMarkedDamage(db) !== undefined;
