import type { Report } from '../../../db/copies/progress.ts';
import { migrate, migrations } from '../../../db/migrate.ts';
import type { OpenDatabase } from '../../../db/open.ts';
import { plainDateIn } from '../../../shared/dates.ts';
import type { Actor } from '../audit/audit.ts';
import { ensureBaseline } from '../audit/baseline.ts';

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

/**
 * Creates a database's tables or brings them up to date; one of before the audit trail kept what its entries left gets
 * its starting point there.
 * @returns the names of the migrations that ran
 */
export async function bringUpToDate(
  database: OpenDatabase,
  config: { dataFolder: string; timeZone: string },
  report?: Report,
): Promise<string[]> {
  const ran = await migrate(database, migrations, { ...config, report });
  await ensureBaseline(database.db, systemActor(config), (fraction) =>
    report?.(fraction, 'punto de partida'),
  );
  return ran;
}
