import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { migrate } from '../../db/migrate.ts';
import { openDatabase } from '../../db/open.ts';
import { parseAnchors } from '../../server/services/audit/anchors.ts';
import { TEST_CONFIG } from '../support/app.ts';
import { newDatabaseUrl } from '../support/databases.ts';
import { temporaryFolder } from '../support/folder.ts';
import { startServer } from '../support/server.ts';

const { folder, remove } = temporaryFolder();
afterAll(remove);

it('the regular work of servers is done by one of two that start at once over one PostgreSQL database', async () => {
  const url = await newDatabaseUrl('postgres');
  const { db, close } = openDatabase(url, { root: '/', createIfMissing: true });
  await migrate({ db, dialect: 'postgres', close });
  const file = join(folder, 'anclas.jsonl');
  const env = { DATABASE_URL: url, SALDO_SECRET: TEST_CONFIG.secret, SALDO_ANCHOR: file };
  const servers = await Promise.all([startServer(env), startServer(env)]);
  try {
    const outputs = () => servers.map((server) => server.output()).join('');
    const times = (text: string) => outputs().split(text).length - 1;
    await vi.waitFor(
      async () => {
        expect(existsSync(file) && times('the end of the audit trail was noted down')).toBe(1);
      },
      { timeout: 60_000, interval: 50 },
    );
    for (const server of servers) expect((await server.stop()).code).toBe(0);
    expect(parseAnchors(readFileSync(file, 'utf8'))).toHaveLength(1);
    expect(times('"level":"error"')).toBe(0);
    const days = await db.selectFrom('audit_anchors').select(['sent', 'problem']).execute();
    expect(days).toEqual([{ sent: 1, problem: null }]);
  } finally {
    for (const server of servers) await server.stop();
    await close();
  }
});
