import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGunzip } from 'node:zlib';
import { serve } from '@hono/node-server';
import type { KyselyPlugin } from 'kysely';
import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import type { Db } from '../../../db/schema.ts';
import { sumInvoices } from '../../../server/services/invoices/sums.ts';
import { parseMoney } from '../../../shared/money.ts';
import { createTestApp } from '../../support/app.ts';
import { parseCsv } from '../../support/csv.ts';
import { useFreshDatabase } from '../../support/databases.ts';
import { addInvoice, addUser, TODAY } from '../../support/rows.ts';

const ROWS = 20_000;

/** Counts the pages of invoices that were read. */
class PageCounter implements KyselyPlugin {
  pages = 0;
  transformQuery: KyselyPlugin['transformQuery'] = ({ node }) => node;
  // It counts results, because a cached query is not compiled again.
  transformResult: KyselyPlugin['transformResult'] = async ({ result }) => {
    if ('numfactura' in (result.rows[0] ?? {})) this.pages++;
    return result;
  };
}

describe('a long export over a connection', () => {
  const fresh = useFreshDatabase('sqlite');
  const closing: (() => void)[] = [];
  afterEach(() => {
    for (const close of closing.splice(0)) close();
  });

  async function serveMany() {
    const first = await addInvoice(fresh.db, { numfactura: 'N-0' });
    await sql`
      with recursive n(i) as (select 1 union all select i + 1 from n where i < ${ROWS - 1})
      insert into invoices ("supplierId", "jobId", numfactura, "numfacturaFold", "numfacturaKey", "subtotalCents",
        tasa, "ivaCents", "totalCents", comments, vence, fechacaptura, "createdAt", "updatedAt")
      select "supplierId", "jobId", 'N-' || i, 'n-' || i, 'n' || i, "subtotalCents" + i, tasa, "ivaCents",
        "totalCents" + i, hex(randomblob(300)), vence, fechacaptura, "createdAt", "updatedAt" from invoices, n where invoices.id = ${first}`.execute(
      fresh.db,
    );
    const counter = new PageCounter();
    const db: Db = fresh.db.withPlugin(counter);
    const test = createTestApp({ db });
    const client = await test.withToken(await addUser(db, { roles: [1] }));
    const server = serve({ fetch: test.app.fetch, port: 0, hostname: '127.0.0.1' });
    await new Promise((resolve) => server.once('listening', resolve));
    closing.push(() => server.close());
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const ask = (path: string, encoding = 'identity') =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const headers = { ...Object.fromEntries(client.headers), 'accept-encoding': encoding };
        get(address + path, { headers, agent: false }, resolve).once('error', reject);
      });
    return { counter, ask };
  }

  it.each(['identity', 'gzip'])('arrives complete, to the cent (%s)', async (encoding) => {
    const { ask, counter } = await serveMany();
    const response = await ask('/invoices/export.csv?sortfield=total&sorttype=DESC', encoding);
    const body = encoding === 'gzip' ? response.pipe(createGunzip()) : response;
    let text = '';
    for await (const chunk of body.setEncoding('utf8')) text += chunk;
    const { rows } = parseCsv(text);
    expect(rows.map((row) => row.Factura)).toEqual(
      Array.from({ length: ROWS }, (_, i) => `N-${ROWS - 1 - i}`),
    );
    const totals = await sumInvoices(fresh.db, {}, { today: TODAY, timeZone: 'America/Mexico_City' });
    expect(rows.reduce((cents, row) => cents + parseMoney(row.Total, 'Total'), 0)).toBe(totals.totalCents);
    expect(counter.pages).toBe(ROWS / 1000);
  });

  it.each(['identity', 'gzip'])(
    'is made no faster than its reader accepts it, and stops when the reader has gone (%s)',
    async (encoding) => {
      const { ask, counter } = await serveMany();
      const response = await ask('/invoices/export.csv', encoding);
      await new Promise((resolve) => response.once('readable', resolve));
      response.read(1);
      // A reader that stops reading holds back no more than its connection's buffers.
      for (let n = 0; n < 20; n++) {
        const other = await ask('/healthz');
        expect(other.statusCode).toBe(200);
        other.resume();
      }
      const held = counter.pages;
      expect(held).toBeLessThan(ROWS / 1000);
      response.destroy();
      for (let n = 0; n < 20; n++) (await ask('/healthz')).resume();
      expect(counter.pages - held).toBeLessThanOrEqual(2);
      expect(counter.pages).toBeLessThan(ROWS / 1000);
    },
  );
});
