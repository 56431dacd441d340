import { serializeSigned } from 'hono/utils/cookie';
import type { Db } from '../../db/schema.ts';
import { storedToken } from '../../server/services/session/tokens.ts';
import type { Random } from './fuzz-values.ts';
import { addSession, addUser, type StoredUser } from './rows.ts';

export const FUZZ_SECRET = 'un-secreto-solo-para-las-pruebas-0123456789';

/** The share of each kind of caller, and its roles; without roles nobody is signed in. */
const CALLERS: ReadonlyArray<{ share: number; roles?: number[]; mustChangePassword?: boolean }> = [
  { share: 78, roles: [1, 3] },
  { share: 4, roles: [2] },
  { share: 4, roles: [4, 5] },
  { share: 4, roles: [6] },
  { share: 2, roles: [] },
  { share: 2, roles: [1, 3], mustChangePassword: true },
  { share: 6 },
];

interface Actor {
  user?: StoredUser;
  mustChangePassword: boolean;
  token: string;
}

/**
 * The callers of a fuzz run, signed in past the sign-in (which has a limit): what they do to their own sessions,
 * roles and passwords is undone now and then, straight in the database.
 */
export class FuzzActors {
  readonly #db: Db;
  readonly #actors: Actor[] = [];

  constructor(db: Db) {
    this.#db = db;
  }

  async start(): Promise<void> {
    for (const { roles, mustChangePassword = false } of CALLERS) {
      const user = roles && (await addUser(this.#db, { roles, mustChangePassword }));
      this.#actors.push({ user, mustChangePassword, token: '' });
    }
    await this.renew();
  }

  /** Everybody is who they were, and signed in. */
  async renew(): Promise<void> {
    for (const actor of this.#actors) {
      const { user, mustChangePassword } = actor;
      if (!user) continue;
      const { id, roles } = user;
      await this.#db.transaction().execute(async (trx) => {
        const flags = { active: 1, mustChangePassword: mustChangePassword ? 1 : 0 };
        await trx.updateTable('users').set(flags).where('id', '=', id).execute();
        await trx.deleteFrom('user_roles').where('userId', '=', id).execute();
        if (roles.length > 0) {
          const rows = roles.map((roleId) => ({ userId: id, roleId }));
          await trx.insertInto('user_roles').values(rows).execute();
        }
      });
      const session = await this.#db
        .selectFrom('sessions')
        .select('id')
        .where('token', '=', storedToken(actor.token))
        .executeTakeFirst();
      if (!session) actor.token = await addSession(this.#db, id, new Date());
    }
  }

  /**
   * The headers of some caller: a browser's cookie and origin, a program's token, or something forged.
   * `ownSession`: with a session made for this request alone.
   */
  async headersOf(
    random: Random,
    origin: string,
    ownSession = false,
  ): Promise<{ caller: number; headers: Record<string, string> }> {
    const caller = this.#choose(random);
    const { user, token: shared } = this.#actors[caller]!;
    const token = user && ownSession ? await addSession(this.#db, user.id, new Date()) : shared;
    if (!token || random.chance(0.02)) return { caller, headers: random.pick(FORGED) };
    if (random.chance(0.4)) return { caller, headers: { 'x-access-token': token } };
    const cookie = await serializeSigned('saldo', token, FUZZ_SECRET);
    const from = random.chance(0.97) ? origin : random.pick(['null', 'http://evil.test', 'x']);
    return { caller, headers: { cookie: cookie.split(';')[0]!, origin: from } };
  }

  #choose(random: Random): number {
    let left = random.int(1, 100);
    return CALLERS.findIndex(({ share }) => {
      left -= share;
      return left <= 0;
    });
  }
}

const FORGED: ReadonlyArray<Record<string, string>> = [
  {},
  { 'x-access-token': 'nada' },
  { authorization: 'Bearer x' },
  { authorization: 'Basic YTpi' },
  { cookie: 'saldo=x.y' },
  { cookie: 'saldo=%ff; saldo=; =' },
  { cookie: `saldo=${'x'.repeat(4000)}` },
  { cookie: 'saldo=a.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=' },
];
