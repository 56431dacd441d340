import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { markDamaged } from '../../db/damage.ts';
import { inTransaction } from '../../db/transaction.ts';
import { queueAuditEntry } from '../../server/services/audit/audit.ts';
import { checkDatabase, findStartupDamage } from '../../server/services/database/check.ts';
import { createTestApp } from '../support/app.ts';
import { damageDatabase } from '../support/damage.ts';
import { describeEachDatabase, useFreshDatabase } from '../support/databases.ts';
import { fillLedger } from '../support/ledger.ts';
import { IS_LONG_LANE } from '../support/proofs.ts';
import { addActor, addInvoice, addSession, createActor } from '../support/rows.ts';
import { startServer } from '../support/server.ts';
import { addSmallCompany } from '../support/small-company.ts';

const SAID = 'La base de datos está dañada: se puede consultar, y no se guarda nada. Avisa al administrador.';

describeEachDatabase('a database that was found damaged', (fresh) => {
  it('is shown under a banner, and accepts no change, whichever way it comes', async () => {
    const { db } = fresh;
    const invoiceId = await addInvoice(db);
    const test = createTestApp({ db });
    const client = await test.as([1, 3]);
    markDamaged(db, 'prueba');
    const page = await client.get('/invoices');
    expect(page.status).toBe(200);
    expect(await page.text()).toContain(SAID);
    const before = await db.selectFrom('audit_tail').selectAll().execute();
    for (const answer of [
      await client.put(`/api/facturaproveedores/${invoiceId}`, { subtotal: 9 }),
      await client.delete(`/api/facturaproveedores/${invoiceId}`),
      await client.post('/api/payments/newpayment', { facturaproveedorId: invoiceId, paymentamount: 1 }),
      await test.visitor().post('/api/auth/signin', { email: 'ana', password: 'cimbra y andamio' }),
    ]) {
      expect(answer.status).toBe(503);
      expect(await answer.json()).toEqual({ message: SAID, code: 'database_damaged' });
      expect(answer.headers.get('retry-after')).toBe('600');
    }
    const form = await client.form(`/editinvoicepage/${invoiceId}`, { comments: 'otra', version: 1 });
    expect(form.status).toBe(503);
    expect(await form.text()).toContain(SAID);
    expect(await db.selectFrom('audit_tail').selectAll().execute()).toEqual(before);
    expect((await test.request('/readyz')).status).toBe(200);
  });

  it('is recognised by its sums before it is served', async () => {
    await addSmallCompany(fresh.db);
    expect(await findStartupDamage(fresh.db)).toBeUndefined();
    await damageDatabase(fresh, 'update invoices set "paidCents" = "paidCents" + 1 where id = 2');
    expect(await findStartupDamage(fresh.db)).toMatch(/^invoices 2: lo pagado .* no es la suma de sus pagos/);
  });
});

describeEachDatabase('an audit trail that was changed by hand', (fresh) => {
  it('is noticed before the server answers, and causes no error if it cannot be read', async () => {
    await addSmallCompany(fresh.db);
    await inTransaction(fresh.db, async (trx) =>
      queueAuditEntry(trx, createActor(), {
        action: 'update',
        entity: 'settings',
        entityId: 'tasa',
        after: { value: '8' },
      }),
    );
    expect(await findStartupDamage(fresh.db)).toBeUndefined();
    await damageDatabase(fresh, `update audit set after = 'ZZZ', stored = '{"parts":ZZZ' where id = 1`);
    expect(await findStartupDamage(fresh.db)).toBe('audit 1: su contenido cambió');
    const { checks } = await checkDatabase(fresh.db, { deep: true });
    expect(checks.find(({ name }) => name === 'replay')?.problems).toEqual([
      {
        entity: 'database',
        id: null,
        problem: 'el archivo está dañado: el asiento 1 de la bitácora no se puede leer',
      },
    ]);
    const test = createTestApp({ db: fresh.db });
    const read = await (await test.as([3])).get('/api/audit/');
    expect([read.status, await read.json()]).toEqual([
      503,
      expect.objectContaining({ code: 'database_damaged' }),
    ]);
    expect(test.loggedLines.join('')).not.toContain('stack');
  });
});

describe('a damaged database file', () => {
  const fresh = useFreshDatabase('sqlite');

  /** Overwrites all pages of a table except its first ones. */
  async function breakPages(table: string, whole = 0): Promise<void> {
    const { rows } = await sql<{
      page: number;
    }>`select pageno as page from dbstat where name = ${table}`.execute(fresh.db);
    await sql`pragma wal_checkpoint(truncate)`.execute(fresh.db);
    const opened = openSync(fresh.database.file!, 'r+');
    for (const { page } of rows.slice(whole))
      writeSync(opened, Buffer.alloc(4096, 0x5a), 0, 4096, (page - 1) * 4096);
    closeSync(opened);
  }

  it('is reported as damaged when the damage is met, not as an error with a stack', async () => {
    await addSmallCompany(fresh.db);
    await breakPages('payments');
    const { db } = fresh.database.openAgain();
    const test = createTestApp({ db });
    const client = await test.as([1]);
    const answer = await client.get('/api/payments/search/');
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ code: 'database_damaged' });
    expect(test.loggedLines.join('')).toContain('the database is damaged');
    expect(test.loggedLines.join('')).not.toContain('stack');
    expect(await findStartupDamage(fresh.database.openAgain().db)).toMatch(/quick_check|dañado/);
  });

  it('is reported if an export meets the damage halfway, and nothing of the file is sent', async () => {
    await fillLedger(fresh.db, { invoiceCount: 4000 });
    const { userId } = await addActor(fresh.db, { roles: [1] });
    const token = await addSession(fresh.db, userId, new Date());
    await breakPages('invoices', 100);
    const server = await startServer({ DATABASE_URL: fresh.database.url });
    try {
      const search = `${server.url}/api/facturaproveedores/search/?format=csv&sortfield=id`;
      for (const order of ['ASC', 'DESC']) {
        const answer = await fetch(`${search}&sorttype=${order}`, { headers: { 'x-access-token': token } });
        expect([answer.status, await answer.json()]).toEqual([
          503,
          expect.objectContaining({ code: 'database_damaged' }),
        ]);
      }
    } finally {
      await server.stop();
    }
  });

  /** A worker checks databases of 32 MB or more. */
  it.each(IS_LONG_LANE ? [0, 40] : [40])(
    'is served for reading by a server that starts with it and says so (%i MB more)',
    async (more) => {
      await addSmallCompany(fresh.db);
      await sql`create table room as select zeroblob(${more * 1024 * 1024}) as bytes`.execute(fresh.db);
      await sql`drop table room`.execute(fresh.db); // its pages stay in the file
      await sql`pragma wal_checkpoint(truncate)`.execute(fresh.db);
      expect(statSync(fresh.database.file!).size).toBeGreaterThan(more * 1024 * 1024);
      const { userId } = await addActor(fresh.db, { roles: [1, 3] });
      const token = await addSession(fresh.db, userId, new Date());
      await damageDatabase(fresh, 'update invoices set "paidCents" = "paidCents" + 1 where id = 2');
      const size = statSync(fresh.database.file!).size;
      const server = await startServer({ DATABASE_URL: fresh.database.url });
      try {
        const message = 'La base de datos está dañada (invoices 2: lo pagado';
        await vi.waitFor(() => expect(server.output()).toContain(message), { timeout: 15_000 });
        expect(server.output()).not.toMatch(/\n\s+at /);
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
        const list = await fetch(`${server.url}/api/facturaproveedores/search/`, { headers });
        expect(list.status).toBe(200);
        // The dashboard is computed by a worker, which is told of the damage.
        const dashboard = await fetch(`${server.url}/dashboard`, { headers });
        expect(await dashboard.text()).toContain(SAID);
        const change = await fetch(`${server.url}/api/facturaproveedores/2`, {
          method: 'PUT',
          headers,
          body: '{"subtotal":9}',
        });
        expect(change.status).toBe(503);
        expect(statSync(fresh.database.file!).size).toBe(size);
      } finally {
        await server.stop();
      }
    },
  );
});
