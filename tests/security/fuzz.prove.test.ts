import { describe, expect, it, onTestFinished } from 'vitest';
import { createApp } from '../../server/app.ts';
import type { Deps } from '../../server/http/session.ts';
import { runSaldo } from '../support/cli.ts';
import { DIALECTS, useFreshDatabase } from '../support/databases.ts';
import { FUZZ_SECRET, fuzzServer } from '../support/fuzz.ts';
import { chooseRunCount, IS_FULL_PROOF } from '../support/proofs.ts';
import { startServer } from '../support/server.ts';

const REQUESTS = chooseRunCount(1_500, 10_000, 50_000);

describe.each(IS_FULL_PROOF ? DIALECTS : (['sqlite'] as const))('a server (%s)', (dialect) => {
  const fresh = useFreshDatabase(dialect);

  it(`answers ${REQUESTS} requests bent in every way without an error of its own, and keeps every rule`, async () => {
    const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 1e9);
    console.info(`fuzz: FUZZ_SEED=${seed}`);
    await fresh.fillDemo();
    const server = await startServer({
      DATABASE_URL: fresh.database.url,
      SALDO_SECRET: FUZZ_SECRET,
      LOG_LEVEL: 'warn',
    });
    onTestFinished(async () => void (await server.stop()));
    const { routes } = createApp({ config: {} } as Deps);
    const result = await fuzzServer({ url: server.url, db: fresh.db, routes, requests: REQUESTS, seed });
    console.info(`fuzz: ${JSON.stringify(result.statuses)}`);
    expect(result.faults, `seed ${seed}`).toEqual([]);
    // Most routes have to succeed at least once, so that the requests are no mere noise.
    expect(result.servedRouteCount / result.routes).toBeGreaterThan(0.6);
    expect(server.process.exitCode).toBeNull();
    await server.stop();
    expect(server.output(), `seed ${seed}`).not.toMatch(/"level":(50|60)|[Uu]nhandled|Warning:/);
    const check = await runSaldo(fresh, ['db', 'check']);
    expect(check.code, `seed ${seed}: ${check.out}`).toBe(0);
  }, 7_200_000);
});
