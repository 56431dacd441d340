import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { migrate } from '../../db/migrate.ts';
import { openDatabase } from '../../db/open.ts';
import type { Db } from '../../db/schema.ts';
import { checkDatabase } from '../../server/services/database/check.ts';
import { addInvoice, addSession, addUser } from '../support/rows.ts';

/** A database with a signed-in user, and invoices for any number of small payments. */
export interface Prepared {
  token: string;
  invoices: readonly number[];
}

const INVOICES = 8;

export async function prepare(url: string): Promise<Prepared> {
  const database = openDatabase(url, { root: '/', createIfMissing: true });
  await migrate(database);
  const { db } = database;
  const { id } = await addUser(db, { roles: [1, 3] });
  const token = await addSession(db, id, new Date().toISOString());
  const invoices: number[] = [];
  for (let n = 0; n < INVOICES; n++) invoices.push(await addInvoice(db, { subtotalCents: 100_000_000 }));
  await database.close();
  return { token, invoices };
}

/** The wait before a refused write is tried again, in ms. */
const PAUSE_MS = 50;

const TOO_LONG_MS = 30_000;

/**
 * Users who pay without pause. A payment is repeated with its idempotency key until it is acknowledged, so each has to
 * be stored exactly once.
 */
export class Writers {
  /** acknowledged payments by key, which is also the check number */
  readonly acknowledged = new Map<string, number>();
  /** answers that are neither a payment nor a 503 */
  readonly unclear: string[] = [];
  refused = 0;
  broken = 0;
  /** the moment of each server's last acknowledgement */
  readonly last = new Map<string, number>();
  slowestMs = 0;

  readonly #servers: () => readonly string[];
  readonly #prepared: Prepared;
  readonly #mayBreak: boolean;
  readonly #running: Promise<unknown>[] = [];
  #isStopping = false;
  #sent = 0;

  /** @param mayBreak whether connections may break, because servers are killed */
  constructor(servers: () => readonly string[], prepared: Prepared, { mayBreak = false } = {}) {
    this.#servers = servers;
    this.#prepared = prepared;
    this.#mayBreak = mayBreak;
  }

  start(count: number): void {
    for (let writer = 0; writer < count; writer++) this.#running.push(this.#write(writer));
  }

  /** Waits for the running writes to be acknowledged. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#running);
  }

  /** Waits until each server has acknowledged a write that began after `from`. @returns ms of the slowest */
  async untilServing(from: number, atMostMs: number): Promise<number> {
    const servers = this.#servers();
    for (;;) {
      const times = servers.map((server) => this.last.get(server) ?? 0);
      if (times.every((time) => time > from)) return Math.max(...this.#firstAfter(from, servers));
      if (performance.now() - from > atMostMs) return Number.POSITIVE_INFINITY;
      await delay(20);
    }
  }

  readonly #times = new Map<string, number[]>();

  #firstAfter(from: number, servers: readonly string[]): number[] {
    return servers.map((server) => this.#times.get(server)!.find((time) => time > from)! - from);
  }

  async #write(writer: number): Promise<void> {
    while (!this.#isStopping) {
      const key = `D-${++this.#sent}`;
      for (let attempt = writer; !(await this.#sendTo(attempt, key)); attempt++) await delay(PAUSE_MS);
    }
  }

  /** @returns whether the payment needs no further attempt */
  async #sendTo(attempt: number, key: string): Promise<boolean> {
    const servers = this.#servers();
    const server = servers[attempt % servers.length]!;
    const { token, invoices } = this.#prepared;
    const facturaproveedorId = invoices[Number(key.slice(2)) % invoices.length];
    const began = performance.now();
    try {
      const response = await fetch(`${server}/api/payments/newpayment`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-access-token': token, 'idempotency-key': key },
        body: JSON.stringify({ facturaproveedorId, paymentamount: 0.01, checknum: key }),
        signal: AbortSignal.timeout(TOO_LONG_MS),
      });
      const answer = (await response.json()) as { id?: number; message?: string; code?: string };
      if (response.status === 201) {
        this.#note(server);
        this.acknowledged.set(key, answer.id!);
        return true;
      }
      if (response.status === 503 && answer.message && answer.code && response.headers.has('retry-after'))
        this.refused++;
      else this.unclear.push(`${response.status} ${JSON.stringify(answer).slice(0, 200)}`);
    } catch (error) {
      this.broken++;
      if (!this.#mayBreak) this.unclear.push(String((error as Error).cause ?? error));
    } finally {
      this.slowestMs = Math.max(this.slowestMs, performance.now() - began);
    }
    return false;
  }

  #note(server: string): void {
    const now = performance.now();
    this.last.set(server, now);
    const times = this.#times.get(server) ?? [];
    times.push(now);
    this.#times.set(server, times);
  }
}

interface Kept {
  /** acknowledged, but not stored */
  lost: number;
  /** stored more than once */
  doubled: number;
  payments: number;
  /** what `saldo db check` finds */
  problems: string[];
}

/** Compares the acknowledged writes with the stored ones. */
export async function compare(db: Db, acknowledged: ReadonlyMap<string, number>): Promise<Kept> {
  const { rows } = await sql<{ id: number; checknum: string }>`select id, checknum from payments`.execute(db);
  const stored = new Map(rows.map(({ id, checknum }) => [checknum, id]));
  const { checks } = await checkDatabase(db);
  return {
    lost: [...acknowledged].filter(([key, id]) => stored.get(key) !== id).length,
    doubled: rows.length - stored.size,
    payments: rows.length,
    problems: checks.flatMap(({ problems }) => problems.map((one) => JSON.stringify(one))),
  };
}
