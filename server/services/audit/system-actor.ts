import { plainDateIn } from '../../../shared/dates.ts';
import type { Actor } from './audit.ts';

/** Nobody: what Saldo does by itself. */
export function systemActor({ timeZone }: { timeZone: string }): Actor {
  const now = new Date();
  return {
    userId: 0,
    username: 'sistema',
    roles: [],
    origin: 'system',
    at: now.toISOString(),
    today: plainDateIn(now, timeZone),
  };
}
