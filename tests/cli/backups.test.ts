import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase } from '../../db/open.ts';
import { verifyAuditChain } from '../support/audit.ts';
import { runSaldo } from '../support/cli.ts';
import { newDatabaseUrl } from '../support/databases.ts';
import { temporaryFolder } from '../support/folder.ts';
import { describeOneDatabase } from '../support/proofs.ts';
import { addInvoice, addUser } from '../support/rows.ts';

describeOneDatabase('saldo db backup, restore and stats', (fresh) => {
  let place = temporaryFolder();
  beforeEach(() => {
    place = temporaryFolder();
  });
  afterEach(() => place.remove());
  const file = (name: string) => join(place.folder, name);

  it('move a firm to a new machine', async () => {
    await fresh.fillDemo();
    await addUser(fresh.db, { roles: [3] });
    const before = await runSaldo(fresh, ['db', 'stats', '--digest', '--json']);
    const made = await runSaldo(fresh, ['db', 'backup', file('copia')]);
    expect(made).toMatchObject({ code: 0, log: '' });
    expect(made.out).toMatch(
      /copia\n {2}(base de datos SQLite|copia portable), .* filas, verificada\n {2}sha256 [0-9a-f]{64}\n$/,
    );

    const env = { DATABASE_URL: await newDatabaseUrl(fresh.dialect) };
    const restored = await runSaldo(fresh, ['db', 'restore', file('copia')], undefined, { env });
    expect(restored).toMatchObject({ code: 0, log: '' });
    expect(restored.out).toMatch(
      /^La copia está en su lugar; .*\nBitácora de la copia: \d+ asientos; el último, [0-9a-f]{64}\n$/,
    );

    const url = env.DATABASE_URL;
    const database = openDatabase(url, { root: '/', createIfMissing: false });
    try {
      const after = await runSaldo({ database }, ['db', 'stats', '--digest', '--json']);
      const [old, now] = [before, after].map(({ out }) => JSON.parse(out));
      expect(now.digest).toBe(old.digest);
      // one entry for the restore, and one for the waiting mail that is not sent
      expect(now.audit.entries).toBe(old.audit.entries + 2);
      expect(now).toMatchObject({
        pendingCents: old.pendingCents,
        invoices: old.invoices,
        payments: old.payments,
      });
    } finally {
      await database.close();
    }
  });

  it('show what the database contains and how large it is', async () => {
    await fresh.fillDemo();
    const { out, code } = await runSaldo(fresh, ['db', 'stats']);
    expect(code).toBe(0);
    expect(out).toMatch(/\nFacturas +2,507, del \d{4}-\d\d-\d\d al \d{4}-\d\d-\d\d\n/);
    expect(out).toMatch(/\nBitácora +\d+ asientos; el último, [0-9a-f]{64}\n/);
    const stats = JSON.parse((await runSaldo(fresh, ['db', 'stats', '--json'])).out);
    expect(stats).toMatchObject({ dialect: fresh.dialect, digest: null, invoices: { count: 2507 } });
    expect(stats.pendingCents).toBe(stats.totalCents - stats.paidCents);
    const { name, rows, bytes } = stats.tables.find((table: { name: string }) => table.name === 'invoices');
    expect([name, rows]).toEqual(['invoices', 2507]);
    expect(bytes).toBeGreaterThan(2500 * 100);
    expect(bytes).toBeLessThan(stats.bytes + stats.walBytes);
  });

  it('do not overwrite an existing file, name what went wrong, and exit with 1', async () => {
    await addInvoice(fresh.db);
    expect((await runSaldo(fresh, ['db', 'backup', file('copia')])).code).toBe(0);
    const again = await runSaldo(fresh, ['db', 'backup', file('copia')]);
    expect(again).toMatchObject({ code: 1, out: '' });
    expect(again.log).toMatch(/^saldo: .*copia ya existe: .*--force.*\n$/);
    expect((await runSaldo(fresh, ['db', 'backup', file('copia'), '--force'])).code).toBe(0);
    const env = { DATABASE_URL: fresh.database.url };
    const inUse = await runSaldo(fresh, ['db', 'restore', file('copia')], undefined, { env });
    expect(inUse).toMatchObject({
      code: 1,
      out: '',
      log: expect.stringContaining('Otro proceso tiene abierta'),
    });
    const missing = await runSaldo(fresh, ['db', 'restore', file('no-está')], undefined, { env });
    expect(missing).toMatchObject({ code: 1, log: expect.stringContaining('No se pudo leer') });
    expect(readdirSync(place.folder)).toEqual(['copia']);
  });

  it('print no secret from the data', async () => {
    await addUser(fresh.db, { roles: [3], password: 'hash-de-prueba' });
    const { out } = await runSaldo(fresh, ['db', 'stats', '--json', '--digest']);
    expect(out).not.toContain('hash-de-prueba');
    expect(existsSync(file('copia'))).toBe(false);
  });
});

describeOneDatabase('saldo db check', (fresh) => {
  it('reports that each rule holds, and exits with 0', async () => {
    await fresh.fillDemo();
    await addUser(fresh.db, { roles: [3] });
    const { out, code } = await runSaldo(fresh, ['db', 'check']);
    expect(code).toBe(0);
    expect(out).toContain('✓ Lo pagado de cada factura es la suma de sus pagos\n');
    const { entries } = await verifyAuditChain(fresh.db);
    expect(out).toMatch(
      new RegExp(`Bitácora: ${entries} asientos; el último, [0-9a-f]{64}\\nTodo está en orden\\.\\n$`),
    );
    expect(out).not.toContain('✗');
    const json = await runSaldo(fresh, ['db', 'check', '--json']);
    expect(json.code).toBe(0);
    expect(JSON.parse(json.out)).toMatchObject({ ok: true, audit: { entries } });
  });

  it('names the row that breaks a rule, and exits with 1', async () => {
    await fresh.fillDemo();
    await addUser(fresh.db, { roles: [3] });
    await sql`update payments set "amountCents" = "amountCents" + 1 where id = 7`.execute(fresh.db);
    const { id } = await fresh.db
      .selectFrom('payments')
      .select('facturaproveedorId as id')
      .where('id', '=', 7)
      .executeTakeFirstOrThrow();
    const { out, code } = await runSaldo(fresh, ['db', 'check']);
    expect(code).toBe(1);
    expect(out).toMatch(
      new RegExp(
        `✗ Lo pagado .*\\n {4}invoices ${id}: lo pagado \\(.*\\) no es la suma de sus pagos \\(.*\\)\\n✓`,
      ),
    );
    expect(out).toContain('Se encontró un problema.\n');
    const json = await runSaldo(fresh, ['db', 'check', '--json']);
    expect(json.code).toBe(1);
    const { ok, checks } = JSON.parse(json.out);
    expect(ok).toBe(false);
    expect(checks.find((check: { name: string }) => check.name === 'paid-sum').problems).toEqual([
      { entity: 'invoices', id, problem: expect.stringContaining('lo pagado') },
    ]);
  });
});
