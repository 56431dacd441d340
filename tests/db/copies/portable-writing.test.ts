import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { writePortable } from '../../../db/copies/portable-writing.ts';
import type { DialectName } from '../../../db/open.ts';
import type { Db } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { storeFile } from '../../../server/services/files.ts';
import { createPayment } from '../../../server/services/payments/payments.ts';
import { describeEachDatabase, openFreshDatabase, type TestDatabase } from '../../support/databases.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { type PortableContent, readPortable } from '../../support/portable.ts';
import { fillSampleCompany } from '../../support/proofs.ts';
import { addActor, addInvoice, addPayment, addSession, addUser, NOW } from '../../support/rows.ts';

describeEachDatabase('a portable copy', (fresh) => {
  let place = temporaryFolder();
  let file = '';
  beforeEach(() => {
    place = temporaryFolder();
    file = join(place.folder, 'backups', 'copia.zip');
  });
  afterEach(() => place.remove());

  const other: DialectName = fresh.dialect === 'sqlite' ? 'postgres' : 'sqlite';

  it('fills the other kind of database, whose own copy is identical to the last byte', async () => {
    await fillSampleCompany(fresh);
    const userId = await addTrickyRows(fresh);
    const written = await writePortable(fresh.db, file, NOW);
    const copy = await readPortable(file);
    expect(copy.manifest).toEqual(written);
    expect(copy.rows.invoices!.length).toBeGreaterThan(8);
    expect(copy.rows.users!.find(({ id }) => id === userId)).toMatchObject({ emailVerified: 1, active: 0 });

    const target = await openFreshDatabase(other);
    try {
      await fill(target.db, other, copy);
      const back = join(place.folder, 'vuelta.zip');
      await writePortable(target.db, back, NOW);
      const again = await readPortable(back);
      expect(again.rows).toEqual(copy.rows);
      const parts = ({ manifest }: PortableContent) =>
        manifest.tables.map(({ name, rows, sha256 }) => ({ name, rows, sha256 }));
      expect(parts(again)).toEqual(parts(copy));
    } finally {
      await target.close();
    }
  });

  it('states what it is, and lists each table after those that it refers to', async () => {
    await writePortable(fresh.db, file, NOW);
    const { manifest } = await readPortable(file);
    expect(manifest).toMatchObject({ format: 'saldo-portable', version: 1, createdAt: NOW });
    const applied = await fresh.db.selectFrom('schema_migrations').select('name').orderBy('name').execute();
    expect(manifest.migrations).toEqual(applied.map(({ name }) => name));
    const names = manifest.tables.map(({ name }) => name);
    for (const [first, later] of [
      ['users', 'accounts'],
      ['clients', 'jobs'],
      ['invoices', 'payments'],
      ['petty_cash_funds', 'petty_cash_movements'],
      ['imports', 'suppliers'],
    ] as const) {
      expect(names.indexOf(first), first).toBeGreaterThanOrEqual(0);
      expect(names.indexOf(first), first).toBeLessThan(names.indexOf(later));
    }
    expect(names.filter((name) => /fts|sqlite_/.test(name))).toEqual([]);
  });

  it('contains no session, sign-in attempt or stored answer', async () => {
    const { id } = await addUser(fresh.db);
    const token = await addSession(fresh.db, id);
    await writePortable(fresh.db, file, NOW);
    const copy = await readPortable(file);
    const names = copy.manifest.tables.map(({ name }) => name);
    for (const name of ['sessions', 'signin_attempts', 'idempotency_keys']) expect(names).not.toContain(name);
    expect(JSON.stringify(copy.rows)).not.toContain(token);
  });

  it('is from a single moment: each payment in it is included in a paid sum', async () => {
    const author = await addActor(fresh.db);
    const facturaproveedorId = await addInvoice(fresh.db);
    const paying = Array.from({ length: 40 }, () =>
      createPayment(fresh.db, author, { facturaproveedorId, amountCents: 10 }),
    );
    await Promise.all([...paying, writePortable(fresh.db, file, NOW)]);
    const { rows } = await readPortable(file);
    const sum = rows.payments!.reduce((total, { amountCents }) => total + Number(amountCents), 0);
    expect(rows.invoices![0]!.paidCents).toBe(sum);
    expect(rows.audit_tail![0]!.lastId).toBe(rows.audit!.length);
  });

  it('preserves the last id given out, even if that row is gone', async () => {
    const author = await addActor(fresh.db);
    const facturaproveedorId = await addInvoice(fresh.db);
    const first = await addPayment(fresh.db, { facturaproveedorId, amountCents: 10, userId: author.userId });
    const last = await addPayment(fresh.db, { facturaproveedorId, amountCents: 10, userId: author.userId });
    await fresh.db.deleteFrom('payments').where('id', '=', last).execute();
    await writePortable(fresh.db, file, NOW);
    const { manifest, rows } = await readPortable(file);
    expect(rows.payments!.map(({ id }) => id)).toEqual([first]);
    const lastId = (name: string) => manifest.tables.find((table) => table.name === name)!.lastId;
    expect([lastId('payments'), lastId('petty_cash_funds'), lastId('settings')]).toEqual([last, 0, null]);
  });

  it('contains files as base64', async () => {
    for (let byte = 1; byte <= 20; byte++) {
      await inTransaction(fresh.db, (trx) => storeFile(trx, Buffer.from([0, 255, byte]), NOW));
    }
    await writePortable(fresh.db, file, NOW);
    const { files } = (await readPortable(file)).rows;
    expect(files).toHaveLength(20);
    expect(files!.map(({ bytes }) => bytes)).toContainEqual({ base64: 'AP8U' });
  });

  it('is readable by its owner alone, and leaves nothing behind if writing it fails', async () => {
    await writePortable(fresh.db, file, NOW);
    expect(readdirSync(join(place.folder, 'backups'))).toEqual(['copia.zip']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(place.folder, 'backups')).mode & 0o777).toBe(0o700);
    const { size } = statSync(file);

    await sql.raw('CREATE TABLE without_key (id integer)').execute(fresh.db);
    await expect(writePortable(fresh.db, file, NOW)).rejects.toThrow('a table without a key: without_key');
    expect(readdirSync(join(place.folder, 'backups'))).toEqual(['copia.zip']);
    expect(statSync(file).size).toBe(size);
  });
});

/** Stores values that two databases might write differently: accents, extremes, booleans. */
async function addTrickyRows({ db, dialect }: TestDatabase): Promise<number> {
  const { id } = await addUser(db, { username: 'ñandú', active: false });
  await sql`update users set "emailVerified" = ${dialect === 'postgres' ? true : 1} where id = ${id}`.execute(
    db,
  );
  const comments = 'Línea uno\nlínea dos\t"comillas" \\ 🧱 \u2028';
  await addInvoice(db, { subtotalCents: 999_999_999_999, tasa: 0, comments, fechaemision: '2024-02-29' });
  const settings = ['a', 'B', 'ñ', 'Z', '_'].map((key) => ({ key: `prueba.${key}`, value: key }));
  await db.insertInto('settings').values(settings).execute();
  return id;
}

/** Fills a new database with a copy's rows, as a restore does. */
async function fill(db: Db, dialect: DialectName, { manifest, rows }: PortableContent): Promise<void> {
  await db.transaction().execute(async (trx) => {
    for (const { name } of manifest.tables.toReversed()) {
      // A new database has no audit entries.
      if (rows[name]!.length > 0 && name !== 'audit' && name !== 'audit_rows')
        await sql`delete from ${sql.table(name)}`.execute(trx);
    }
    for (const { name } of manifest.tables) {
      for (const row of rows[name]!) {
        const values = Object.entries(row).map(([column, value]) => {
          if (column === 'emailVerified' && dialect === 'postgres') return Boolean(value);
          const { base64 } = (value ?? {}) as { base64?: string };
          return base64 === undefined ? value : Buffer.from(base64, 'base64');
        });
        const columns = Object.keys(row).map((column) => sql.ref(column));
        await sql`insert into ${sql.table(name)} (${sql.join(columns)}) values (${sql.join(values)})`.execute(
          trx,
        );
      }
    }
  });
}
