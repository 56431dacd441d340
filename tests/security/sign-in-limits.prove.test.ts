import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DIALECTS, type FreshDatabase, openFreshDatabase } from '../support/databases.ts';
import { type Answer, ask, runInParallel } from '../support/http.ts';
import { IS_FULL_PROOF, IS_LONG_LANE } from '../support/proofs.ts';
import { addUser, type StoredUser } from '../support/rows.ts';
import type { RunningServer } from '../support/server.ts';
import { readRows } from '../support/stored.ts';
import { HASH, PASSWORD, serve } from './servers.ts';

/** As many concurrent attempts as the hashing queue takes. */
const AT_ONCE = 20;

describe.each(IS_LONG_LANE ? DIALECTS : (['sqlite'] as const))(
  'two server processes on one database (%s)',
  (dialect) => {
    let database: FreshDatabase;
    let servers: RunningServer[];

    beforeAll(async () => {
      database = await openFreshDatabase(dialect);
      await addUser(database.db, { roles: [1, 3] });
      servers = await Promise.all([serve(database), serve(database)]);
    });
    afterAll(async () => {
      await Promise.all(servers.map((server) => server.stop()));
      await database.close();
    });

    // All attempts on one database; fewer on the other, except in the long lane.
    const ALL = IS_LONG_LANE && (dialect === 'sqlite' || IS_FULL_PROOF) ? 500 : 120;

    it('T01 · check ten wrong passwords from one address, whatever address it claims, also after a restart', async () => {
      const { id } = await addUser(database.db, {
        username: 'ana',
        email: 'ana@obras.mx',
        password: HASH,
      });
      const from = '127.0.0.2';
      const tries = async (
        count: number,
        headersOf: (index: number) => Record<string, string> = () => ({}),
      ) =>
        runInParallel(count, AT_ONCE, (index) =>
          signIn(index, {
            email: SPELLINGS[index % SPELLINGS.length]!,
            password: `mala ${index}`,
            from,
            headers: headersOf(index),
          }),
        );
      const plain = await tries(ALL / 4);
      expect(evaluated(plain)).toBe(10);
      const spoofed = await tries(ALL / 2, (index) => ({
        'x-forwarded-for': `198.51.${index % 250}.7`,
        'x-real-ip': `198.51.100.${index % 250}`,
        forwarded: `for=198.51.100.${index % 250}`,
        'cf-connecting-ip': `198.51.100.${index % 250}`,
      }));
      expect(evaluated(spoofed)).toBe(0);
      await servers[0]!.stop();
      servers[0] = await serve(database);
      const restarted = await tries(ALL / 4);
      expect(evaluated(restarted)).toBe(0);

      for (const answer of [...plain, ...spoofed, ...restarted].filter(({ status }) => status !== 401)) {
        expect(answer.status).toBe(429);
        const wait = Number(answer.headers['retry-after']);
        expect(wait).toBeGreaterThan(0);
        expect(wait).toBeLessThanOrEqual(900);
        expect(answer.json()).toMatchObject({ code: 'too_many' });
      }
      // From this address even the right password is not checked; from elsewhere it is.
      expect((await signIn(0, { email: 'ana', password: PASSWORD, from })).status).toBe(429);
      expect((await signIn(1, { email: 'ana', password: PASSWORD, from: '127.0.0.10' })).status).toBe(200);
      expect(await failures(`#${id}`)).toBe(10);
    });

    it('T01 · check a hundred passwords an hour for one account from all addresses, except those it signs in from', async () => {
      const { id } = await addUser(database.db, { username: 'eva', password: HASH });
      expect((await signIn(0, { email: 'eva', password: PASSWORD, from: '127.0.0.11' })).status).toBe(200);
      // Most of the hundred attempts are inserted beforehand, as if by another process, which saves hashing.
      const before = IS_FULL_PROOF ? 0 : 92;
      const at = new Date(Date.now() - 20 * 60_000).toISOString();
      const earlier = Array.from({ length: before }, (_, index) => ({
        account: `#${id}`,
        name: 'eva',
        address: `192.0.2.${index}`,
        at,
        succeeded: 0,
      }));
      if (before > 0) await database.db.insertInto('signin_attempts').values(earlier).execute();
      const answers = await runInParallel(IS_FULL_PROOF ? 150 : 40, AT_ONCE, (index) =>
        signIn(index, { email: 'eva', password: `mala ${index}`, from: `127.0.1.${index + 1}` }),
      );
      expect(before + evaluated(answers)).toBe(100);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 429]));
      const stranger = await signIn(0, { email: 'eva', password: PASSWORD, from: '127.0.2.1' });
      expect(stranger.status).toBe(429);
      expect(Number(stranger.headers['retry-after'])).toBeLessThanOrEqual(3600);
      expect((await signIn(1, { email: 'eva', password: PASSWORD, from: '127.0.0.11' })).status).toBe(200);
    });

    it('T02 · check thirty passwords a minute from one address, one for each of many accounts', async () => {
      const known: StoredUser[] = [];
      for (let n = 0; n < 20; n++) known.push(await addUser(database.db, { password: HASH }));
      const from = '127.0.0.20';
      await runInParallel(ALL, AT_ONCE, async (index) => {
        const email = index % 5 === 0 ? known[(index / 5) % 20]!.username : `persona${index}`;
        const answer = await signIn(index, { email, password: 'Verano2026!', from });
        expect([401, 429]).toContain(answer.status);
        if (answer.status === 429) expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      });
      const looked = await database.db
        .selectFrom('signin_attempts')
        .select('at')
        .where('address', '=', from)
        .orderBy('at')
        .execute();
      const moments = looked.map(({ at }) => Date.parse(at));
      expect(moments.length).toBeGreaterThanOrEqual(30);
      const inOneMinute = moments.map(
        (start) => moments.filter((moment) => moment >= start && moment < start + 60_000).length,
      );
      expect(Math.max(...inOneMinute)).toBe(30);
    });

    it('T03 · lock nobody else out while somebody uses up attempts, not even on the accounts concerned', async () => {
      const eva = await addUser(database.db, { password: HASH });
      const luis = await addUser(database.db, { password: HASH });
      const burnt = await runInParallel(60, AT_ONCE, (index) =>
        signIn(index, {
          email: index % 2 ? eva.username : `nadie${index % 7}`,
          password: 'mala',
          from: '127.0.0.9',
          headers: { 'x-forwarded-for': '127.0.0.10' },
        }),
      );
      expect(burnt.some(({ status }) => status === 429)).toBe(true);
      expect((await signIn(0, { email: eva.username, password: PASSWORD, from: '127.0.0.9' })).status).toBe(
        429,
      );
      for (const [server, email] of [
        [0, eva.username],
        [1, luis.email],
      ] as const) {
        const headers = { 'x-forwarded-for': '127.0.0.9' };
        const answer = await signIn(server, { email, password: PASSWORD, from: '127.0.0.10', headers });
        expect(answer.status).toBe(200);
      }
    });

    const signIn = (
      index: number,
      {
        email,
        password,
        ...from
      }: { email: string; password: string; from: string; headers?: Record<string, string> },
    ): Promise<Answer> =>
      ask(`${servers[index % servers.length]!.url}/api/auth/signin`, { json: { email, password }, ...from });

    const failures = async (account: string) => {
      const rows = await readRows(database.db, 'signin_attempts', { account, succeeded: 0 }, ['id']);
      return rows.length;
    };
  },
);

/** Spellings of one account. */
const SPELLINGS = ['ana', 'ANA', 'ana@obras.mx', ' Ana@Obras.mx ', 'ana＠obras.mx', 'a\u200bna'];

const evaluated = (answers: Answer[]) => answers.filter(({ status }) => status === 401).length;
