import { CompiledQuery, sql } from 'kysely';
import pg from 'pg';
import { expect, it, onTestFinished, vi } from 'vitest';
import { mayBePrepared } from '../../db/postgres.ts';
import type { Db } from '../../db/schema.ts';
import { SqliteConnection } from '../../db/sqlite-connection.ts';
import { LISTS } from '../../server/lists/all.ts';
import { routesOf } from '../security/routes.ts';
import { createTestApp } from '../support/app.ts';
import { describeOneDatabase } from '../support/proofs.ts';
import { MORE_SCREENS, SCREENS } from '../support/screens.ts';

/** Tables that keep growing. */
const LARGE = 'invoices|payments|audit';

/** Partial indexes of few rows, which may be read to their end. */
const SMALL_INDEX = /\b(invoices_open|payments_bank|payments_credit)$/;

/** The accepted reasons for a full read or a sort, as patterns of the statement's plan and text. */
const REASONS: Record<string, RegExp> = {
  'a page stops after its last row': /^(?!.*TEMP).* order by [^()]* limit \S+$/,
  'only so many rows are skipped': /^SCAN (invoices|payments|audit) .* limit \S+ offset \S+$/,
  'an order that no index has is refused for more rows than are sorted quickly':
    /: select \S+ as "id", .* as "sortedBy" from .* nulls last, /,
  'an example is the first row of each table': / limit 1\) as obra,/,
  'a page has few rows, found by their ids': /json_each/,
  'open invoices are few': /"paidCents" < (invoices\.)?"totalCents"/,
  'credit notes are few': /from credit_notes cross join payments/,
  'payments with a later day are few': /from payments where paymentdate > /,
  'SQLite groups by rubro only what it has sorted':
    /^USE TEMP B-TREE FOR GROUP BY: select ("jobId" as "jobId", )?coalesce\("rubroId", 0\)/,
  'a statement of one supplier is in the order of its days': /cross join payments where "supplierId" = /,
  'a notice of one supplier has the payments of a day': / and payments\.paymentdate = /,
  'a batch has few lines': /from payment_batch_lines lines join/,
  'payments are compared with one another by a worker, for the bell those of two months':
    /with amounts as materialized|over cheque as/,
  'the newest payments are so many at most':
    /from "payments" where "kind" = \S+ order by "id" desc limit \S+\) as "recent"/,
  'a fund is replenished from its movements': /from petty_cash_movements m where/,
  'the trail shows how long it is': /select count\(\*\) as "count" from "audit"/,
  'a month has few invoices': /union all select "facturaproveedorId" from payments where paymentdate between/,
  'no index has the payments that await a receipt': /metodopago"? = 'PPD'/,
};

/** Answers that are files, whose statements read all rows of a list in pages. */
const FILES = /\/(export\.\w+|[\w-]*\.pdf|respaldos|adjuntos|archivos|logo)(\/|$)/;

describeOneDatabase('the statements of every page and answer', (fresh) => {
  it('may be prepared unless they select all columns of a table, read no large table to its end, and sort none of its rows, without a reason', async () => {
    await fresh.fillDemo();
    await sql`analyze`.execute(fresh.db);
    const { db } = fresh.database.openAgain(); // only connections that begin after ANALYZE know the statistics
    const statements = recordStatements();
    const server = createTestApp({ db });
    const client = await server.as([1, 2, 3]);
    const routes = routesOf(server).filter(({ method, path }) => method === 'GET' && !FILES.test(path));
    expect(routes.length).toBeGreaterThan(100);
    const sorted = LISTS.flatMap(({ page, sorts }) =>
      Object.keys(sorts).map((sort) => `${page}?sortfield=${sort}`),
    );
    for (const path of new Set([...routes.map(({ path }) => path), ...SCREENS, ...MORE_SCREENS, ...sorted]))
      await client.get(path);
    const reads = new Map([...statements()].filter(([text]) => /^\s*(select|with)\b/i.test(text)));
    const selectsAllOfTable = (text: string) => /"\w+"\.\*|select \* from "/.test(text);
    expect([...reads.keys()].filter((text) => !mayBePrepared(text) && !selectsAllOfTable(text))).toEqual([]);
    const findSteps = fresh.dialect === 'sqlite' ? findCostlySteps : findCostlyNodes;
    const unused = new Set(Object.keys(REASONS));
    const unexplained: string[] = [];
    for (const [text, values] of reads) {
      const steps = await findSteps(db, text, values);
      if (steps.length === 0) continue;
      const costly = `${steps.join('; ')}: ${text.replace(/\s+/g, ' ').trim()}`;
      const [reason] = Object.entries(REASONS).find(([, pattern]) => pattern.test(costly)) ?? [];
      if (reason) unused.delete(reason);
      else unexplained.push(costly);
    }
    expect(unexplained).toEqual([]);
    if (fresh.dialect === 'sqlite') expect([...unused], 'reasons of no statement').toEqual([]);
  });
});

/** @returns the text of each statement that either database was given, with its last values */
function recordStatements(): () => Map<string, readonly unknown[]> {
  const onSqlite = vi.spyOn(SqliteConnection.prototype, 'executeQuery');
  const onPostgres = vi.spyOn(pg.Client.prototype, 'query');
  const restore = () => [onSqlite, onPostgres].map((spy) => spy.mockRestore());
  onTestFinished(() => void restore());
  return () => {
    const calls = onPostgres.mock.calls as unknown as [{ text?: string; values?: unknown[] }][];
    const statements = [
      ...onSqlite.mock.calls.map(([{ sql: text, parameters }]) => [text, parameters] as const),
      ...calls.flatMap(([{ text, values }]) => (text ? [[text, values ?? []] as const] : [])),
    ];
    restore();
    return new Map(statements);
  };
}

const isLarge = (name: string) => new RegExp(`^(${LARGE})$`).test(name);

/** The steps of SQLite's plan that read a table to its end or sort (sqlite.org/eqp.html). */
async function findCostlySteps(db: Db, text: string, values: readonly unknown[]): Promise<string[]> {
  const explained = CompiledQuery.raw(`explain query plan ${text}`, [...values]);
  const { rows } = await db.executeQuery<{ detail: string }>(explained);
  const readsLarge = new RegExp(`\\b(${LARGE})\\b`).test(text);
  const isLargeAlias = (name: string) => new RegExp(`\\b(${LARGE})"? (as )?"?${name}\\b`).test(text);
  return rows
    .map(({ detail }) => detail)
    .filter((detail) => {
      const scanned = /^SCAN (\w+)/.exec(detail)?.[1];
      if (scanned) return (isLarge(scanned) || isLargeAlias(scanned)) && !SMALL_INDEX.test(detail);
      return readsLarge && /TEMP B-TREE FOR (GROUP|ORDER) BY/.test(detail);
    });
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Plans?: PlanNode[];
}

/** The nodes of PostgreSQL's plan that read a table to its end although it was to avoid that (EXPLAIN). */
function findCostlyNodes(db: Db, text: string, values: readonly unknown[]): Promise<string[]> {
  return db.connection().execute(async (one) => {
    // Some thousand rows are read faster without an index.
    await sql`set enable_seqscan = off`.execute(one);
    const explained = CompiledQuery.raw(`explain (format json) ${text}`, [...values]);
    const { rows } = await one.executeQuery<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(explained);
    await sql`reset enable_seqscan`.execute(one);
    return costlyNodesIn(rows[0]!['QUERY PLAN'][0].Plan);
  });
}

function costlyNodesIn(node: PlanNode, isLimited = false): string[] {
  const { 'Node Type': kind, 'Relation Name': table = '', 'Index Name': index = '' } = node;
  const isPartial = node['Index Cond'] !== undefined || kind.startsWith('Bitmap') || SMALL_INDEX.test(index);
  const own = isLarge(table) && !isPartial && !isLimited ? [`${kind} ${table} ${index}`] : [];
  return [...own, ...(node.Plans ?? []).flatMap((part) => costlyNodesIn(part, kind === 'Limit'))];
}
