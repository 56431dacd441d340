import { readFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { sql } from 'kysely';
import { forUpdate } from '../../db/expressions.ts';
import { migrate, migrations } from '../../db/migrate.ts';
import type { Migration } from '../../db/migrations/migration.ts';
import { openDatabase } from '../../db/open.ts';
import { inTransaction } from '../../db/transaction.ts';
import { queueAuditEntry } from '../../server/services/audit/audit.ts';
import { createFirstAdministrator } from '../../server/services/users/first-administrator.ts';
import { DomainError } from '../../shared/errors.ts';
import { addInvoice, createActor } from './rows.ts';

/** The other process in tests that need two processes (see children.ts). Each task loads what it alone uses. */
export const tasks = {
  async start(url: string) {
    return withDatabase(url, async (database) => {
      const ran = await migrate(database);
      const administrator = await createFirstAdministrator(database.db, createActor(), {
        password: 'ladrillo rojo',
      });
      return { ran, administrator: administrator?.email };
    });
  },

  async migrateFurther(url: string, dataFolder: string) {
    return withDatabase(url, (database) =>
      migrate(database, [...migrations, LATER_MIGRATION], { dataFolder }),
    );
  },

  async count(url: string, rounds: number) {
    await withDatabase(url, async ({ db }) => {
      for (let round = 0; round < rounds; round++) await increaseCounterOnce(db);
    });
  },

  async importTables(url: string, userId: number, files: { invoices: string; payments: string }) {
    const [{ parseRows }, { parseTable }, { planTable }, { importTable }] = await Promise.all([
      import('../../server/formats/tables/parse-rows.ts'),
      import('../../server/formats/tables/parse-table.ts'),
      import('../../server/formats/tables/plan.ts'),
      import('../../server/services/imports/import.ts'),
    ]);
    return withDatabase(url, async ({ db }) => {
      const as = createActor({ userId });
      for (const kind of ['invoices', 'payments'] as const) {
        const table = await parseTable({ path: files[kind], kind });
        const plan = planTable(table, kind);
        const options = { createMissing: true, source: files[kind], sha256: table.sha256 };
        await importTable(db, as, kind, parseRows(table, plan), options);
      }
    });
  },

  /** Sends what is due until this process is killed. */
  async deliver(url: string, port: number) {
    const { deliverDueMails } = await import('../../server/services/mails/delivering.ts');
    const { createMailAccount } = await import('./mail-account.ts');
    const [now, { signal }] = [() => new Date(), new AbortController()];
    const actorAt = (at: Date) => createActor({ at: at.toISOString() });
    await withDatabase(url, ({ db }) =>
      deliverDueMails(db, createMailAccount(port), { now, actorAt, signal }),
    );
    flushCompileCache();
  },

  async hold(url: string) {
    const database = openDatabase(url, { root: '/', createIfMissing: false });
    await new Promise<void>((begun, failed) => {
      database.db
        .transaction()
        .execute(async (trx) => {
          await trx.insertInto('settings').values({ key: 'held', value: '1' }).execute();
          begun();
          await new Promise<void>((resolve) => {
            releaseWriteLock = resolve;
          });
        })
        .then(() => database.close())
        .then(() => onLockReleased?.(), failed);
    });
  },

  /** Reads files as a page would: returns the result of each, and by how much this process grew meanwhile. */
  async readFiles(files: readonly { task: 'table' | 'cfdi'; path: string }[]) {
    const before = process.memoryUsage.rss();
    let most = before;
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss());
    }, 20);
    const outcomes: { seconds: number; refused?: string; kind?: string; rows?: number }[] = [];
    for (const { task, path } of files) {
      const started = performance.now();
      const outcome = await readFileIsolated(task, path);
      outcomes.push({ ...outcome, seconds: (performance.now() - started) / 1000 });
      most = Math.max(most, process.memoryUsage.rss());
    }
    clearInterval(watch);
    return { outcomes, grownMb: Math.round((most - before) / 1024 / 1024) };
  },

  async release() {
    await new Promise<void>((resolve) => {
      onLockReleased = resolve;
      releaseWriteLock?.();
    });
  },

  async invoice(url: string) {
    await withDatabase(url, ({ db }) => addInvoice(db));
  },

  async read(url: string) {
    return withDatabase(url, async ({ db }) => ({
      invoice: await db.selectFrom('invoices').selectAll().orderBy('id').executeTakeFirstOrThrow(),
      payment: await db.selectFrom('payments').selectAll().executeTakeFirstOrThrow(),
      sums: await db
        .selectFrom('invoices')
        .select((eb) => [
          eb.fn.sum<number>('totalCents').as('total'),
          eb.fn.countAll<number>().as('count'),
          eb.fn.max('fechavencimiento').as('due'),
        ])
        .executeTakeFirstOrThrow(),
      text: await sql<{ day: string }>`select fechavencimiento as day from invoices order by id`
        .execute(db)
        .then(({ rows }) => rows[0]?.day),
    }));
  },
};

/** This migration stands for any that a later version adds. */
export const LATER_MIGRATION: Migration = {
  name: '9000-prueba',
  async up(run) {
    await run('CREATE TABLE later (id integer PRIMARY KEY)');
    await run('DELETE FROM settings');
  },
};

async function increaseCounterOnce(db: Parameters<typeof inTransaction>[0]): Promise<void> {
  await inTransaction(db, async (trx) => {
    const row = await trx
      .selectFrom('settings')
      .select('value')
      .where('key', '=', 'counter')
      .modifyEnd(forUpdate(trx))
      .executeTakeFirstOrThrow();
    const value = String(Number(row.value) + 1);
    await trx.updateTable('settings').set({ value }).where('key', '=', 'counter').execute();
    queueAuditEntry(trx, createActor(), {
      action: 'update',
      entity: 'settings',
      entityId: 'counter',
      after: { value },
    });
  });
}

async function readFileIsolated(
  task: 'table' | 'cfdi',
  path: string,
): Promise<{ refused?: string; kind?: string; rows?: number }> {
  const { readIsolated } = await import('../../server/formats/reading/isolated-reader.ts');
  const bytes = readFileSync(path);
  try {
    if (task === 'table') return { rows: (await readIsolated(task, { bytes, filename: path })).rows.length };
    const reading = await readIsolated(task, { name: path, bytes });
    return 'refused' in reading ? { refused: reading.refused, kind: 'invalid' } : { rows: 1 };
  } catch (error) {
    if (error instanceof DomainError) return { refused: error.message, kind: error.kind };
    throw error;
  }
}

let releaseWriteLock: (() => void) | undefined;
let onLockReleased: (() => void) | undefined;

async function withDatabase<T>(
  url: string,
  work: (database: ReturnType<typeof openDatabase>) => Promise<T>,
): Promise<T> {
  const database = openDatabase(url, { root: '/', createIfMissing: true });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

if (import.meta.main && process.send) {
  process.on('message', async ({ name, args }: { name: keyof typeof tasks; args: unknown[] }) => {
    try {
      const task = tasks[name] as (...args: unknown[]) => Promise<unknown>;
      process.send?.({ result: await task(...args) });
    } catch (error) {
      process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  });
  process.send({ result: 'ready' });
}
