import type { Client, ClientBase } from 'pg';
import { placeOf } from './postgres-servers.ts';
import { askOnce } from './postgres-watch.ts';

/** What a server says of itself; each promotion begins a timeline. */
interface Role {
  standby: boolean;
  /** eight hexadecimal digits; of a primary alone */
  timeline: string | null;
}

interface Found {
  server: string;
  /** undefined where it is no primary */
  timeline: string | undefined;
}

const ROLE = `select pg_is_in_recovery() as standby,
  case when not pg_is_in_recovery() then substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) end as timeline`;

/**
 * Which of several servers takes changes. It is never one whose timeline has been overtaken: a primary that comes
 * back after another was promoted knows nothing of it, and what it would be told were lost.
 */
export class Primary {
  readonly #servers: readonly string[];
  readonly #open: (server: string) => Client;
  readonly #onMove: () => void;
  #server: string;
  #timeline = '';
  #looking: Promise<boolean> | undefined;

  /**
   * @param open a connection for looking, soon given up
   * @param onMove another one is it from now on
   */
  constructor(servers: readonly string[], open: (server: string) => Client, onMove: () => void) {
    this.#servers = servers;
    this.#open = open;
    this.#onMove = onMove;
    this.#server = servers[0]!;
  }

  /** As far as is known; its address. */
  get server(): string {
    return this.#server;
  }

  get hasOthers(): boolean {
    return this.#servers.length > 1;
  }

  /** @throws an outage (explain.ts) where what was connected to takes no changes, or must not be told any */
  async verify(client: ClientBase, server: string, atMostMs: number): Promise<void> {
    const { standby, timeline } = await askRole(client, atMostMs);
    const isOld = !standby && timeline! < this.#timeline;
    if (standby || isOld)
      throw Object.assign(new Error(`${placeOf(server)} is no primary`), {
        code: isOld ? 'SALDO_OVERTAKEN' : 'SALDO_STANDBY',
        place: placeOf(server),
      });
    this.#timeline = timeline!;
  }

  /** Asks all of them, for everybody who wants to know meanwhile. @returns whether one of them is it */
  look(): Promise<boolean> {
    this.#looking ??= this.#ask().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #ask(): Promise<boolean> {
    const promoted = Promise.withResolvers<boolean>();
    const all = this.#servers.map(async (server) => {
      const found = { server, timeline: await this.#timelineOf(server) };
      // Whoever was promoted is it, whatever the others would say: one that hangs says nothing for seconds.
      if (this.#timeline && (found.timeline ?? '') > this.#timeline) promoted.resolve(this.#take(found));
      return found;
    });
    return Promise.race([promoted.promise, Promise.all(all).then((found) => this.#choose(found))]);
  }

  /** Of two with the same timeline, the one that is spoken to already. */
  #choose(found: readonly Found[]): boolean {
    const [best] = found
      .filter(({ timeline }) => timeline && timeline >= this.#timeline)
      .sort(
        (a, b) =>
          Number(b.timeline! > a.timeline!) - Number(b.timeline! < a.timeline!) ||
          Number(b.server === this.#server) - Number(a.server === this.#server),
      );
    return best !== undefined && this.#take(best);
  }

  #take({ server, timeline }: Found): true {
    this.#timeline = timeline!;
    if (server !== this.#server) {
      this.#server = server;
      this.#onMove();
    }
    return true;
  }

  /** Undefined where it is no primary, or says nothing. */
  async #timelineOf(server: string): Promise<string | undefined> {
    const role = await askOnce(this.#open(server), askRole);
    return role?.timeline ?? undefined;
  }
}

async function askRole(client: ClientBase, atMostMs?: number): Promise<Role> {
  // pg takes the limit; its types leave it out.
  const asked = { text: ROLE, query_timeout: atMostMs };
  return (await client.query<Role>(asked)).rows[0]!;
}
