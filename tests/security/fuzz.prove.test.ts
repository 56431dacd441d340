import { describe, expect, it } from 'vitest';
import { createApp } from '../../server/app.ts';
import type { Deps } from '../../server/http/session.ts';
import { fillDemo } from '../../server/services/demo/demo.ts';
import { runSaldo } from '../support/cli.ts';
import { useFresh } from '../support/databases.ts';
import { fuzz } from '../support/fuzz.ts';
import { FUZZ_SECRET } from '../support/fuzz-actors.ts';
import { howMany } from '../support/proofs.ts';
import { actor } from '../support/rows.ts';
import { startServer } from '../support/server.ts';

/** tests/bench/fuzz.ts sends 50,000. */
const REQUESTS = howMany(1_500, 10_000);

describe('a server', () => {
  const fresh = useFresh('sqlite');

  it(`answers ${REQUESTS} requests bent in every way without an error of its own, and keeps every rule`, async () => {
    const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 1e9);
    console.info(`fuzz: FUZZ_SEED=${seed}`);
    await fillDemo(fresh.database, actor());
    const server = await startServer({
      DATABASE_URL: fresh.database.url,
      SALDO_SECRET: FUZZ_SECRET,
      LOG_LEVEL: 'warn',
    });
    try {
      const { routes } = createApp({} as Deps);
      const result = await fuzz({ url: server.url, db: fresh.db, routes, requests: REQUESTS, seed });
      expect(result.offences, `seed ${seed}`).toEqual([]);
      // The requests are no mere noise: most routes do what they are for at least once.
      expect(result.served / result.routes).toBeGreaterThan(0.6);
      expect(server.process.exitCode).toBeNull();
    } finally {
      await server.stop();
    }
    expect(server.output(), `seed ${seed}`).not.toMatch(/"level":(50|60)|[Uu]nhandled|Warning:/);
    const check = await runSaldo(fresh, ['db', 'check']);
    expect(check.code, `seed ${seed}: ${check.out}`).toBe(0);
  }, 900_000);
});
