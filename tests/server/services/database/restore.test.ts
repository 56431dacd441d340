import { createHash } from 'node:crypto';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import type { Manifest } from '../../../../db/copies/portable-reading.ts';
import { writePortable } from '../../../../db/copies/portable-writing.ts';
import { computeDigest } from '../../../../db/copies/table-statistics.ts';
import { isMigrated, migrations } from '../../../../db/migrate.ts';
import { type DialectName, openDatabase } from '../../../../db/open.ts';
import type { Db } from '../../../../db/schema.ts';
import { inTransaction } from '../../../../db/transaction.ts';
import { projectRoot } from '../../../../server/root.ts';
import { attachFile } from '../../../../server/services/attachments.ts';
import { type BackupOptions, backupDatabase } from '../../../../server/services/database/backup.ts';
import { checkDatabase } from '../../../../server/services/database/check.ts';
import { restoreDatabase } from '../../../../server/services/database/restore.ts';
import {
  backUpAndDeleteAllInvoices,
  backUpAndDeleteAllPayments,
} from '../../../../server/services/delete-all.ts';
import { storeFile } from '../../../../server/services/files.ts';
import { createPayment, deletePayment } from '../../../../server/services/payments/payments.ts';
import { setLogo } from '../../../../server/services/settings/logo.ts';
import { verifyAuditChain } from '../../../support/audit.ts';
import { damageDatabase } from '../../../support/damage.ts';
import { DIALECTS, newDatabaseUrl, openFreshDatabase } from '../../../support/databases.ts';
import { buildPdf } from '../../../support/files.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { buildPng } from '../../../support/pictures.ts';
import { readPortable, readZipFile } from '../../../support/portable.ts';
import {
  chooseRunCount,
  describeEachInLongLane,
  describeOneDatabase,
  fillSampleCompany,
  IS_LONG_LANE,
} from '../../../support/proofs.ts';
import {
  addActor,
  addInvoice,
  addPayment,
  addSession,
  addUser,
  createActor,
  NOW,
} from '../../../support/rows.ts';
import { addSmallCompany } from '../../../support/small-company.ts';
import { hasTableStatistics } from '../../../support/swept.ts';
import { buildZip } from '../../../support/zip.ts';

const STEPS = chooseRunCount(12, 40);

let place = temporaryFolder();
beforeEach(() => {
  place = temporaryFolder();
});
afterEach(() => place.remove());

const inPlace = (name: string) => join(place.folder, name);
/** The data folder is beside a SQLite file; for PostgreSQL it can be anywhere. */
const dataFolder = (url: string) => (url.startsWith('file:') ? dirname(url.slice(5)) : inPlace('datos'));
const target = (databaseUrl: string) => ({ databaseUrl, dataFolder: dataFolder(databaseUrl), root: '/' });

/** Opens the database at this address for `look`. */
async function at<T>(
  url: string,
  look: (database: ReturnType<typeof openDatabase>) => Promise<T>,
): Promise<T> {
  const database = openDatabase(url, { root: '/', createIfMissing: false });
  try {
    return await look(database);
  } finally {
    await database.close();
  }
}

/** Marks waiting mails as failed, as a restore does. */
const endLetters = (db: Db) =>
  db.updateTable('mails').set({ estado: 'fallo', proximo: null }).where('estado', '=', 'espera').execute();

describeEachInLongLane('a backup', (fresh) => {
  const other: DialectName = fresh.dialect === 'sqlite' ? 'postgres' : 'sqlite';
  const backUp = (name: string, options?: BackupOptions) =>
    backupDatabase(fresh.database, createActor({ origin: 'cli' }), inPlace(name), options);

  it('T47 · restores the firm on an empty machine, with equal data and its audit trail, and nobody signed in', async () => {
    await fillSampleCompany(fresh);
    await endLetters(fresh.db);
    const author = await addActor(fresh.db);
    await addSession(fresh.db, author.userId);
    await inTransaction(fresh.db, (trx) => storeFile(trx, Buffer.from([0, 255, 10, 13]), NOW));
    const facturaproveedorId = await addInvoice(fresh.db);
    const { payment } = await createPayment(fresh.db, author, { facturaproveedorId, amountCents: 10 });
    await deletePayment(fresh.db, author, payment.id);
    const digest = await computeDigest(fresh.db);
    const { problems, format } = await backUp('copia');
    expect([problems, format]).toEqual([[], fresh.dialect === 'sqlite' ? 'sqlite' : 'portable']);
    expect(statSync(inPlace('copia')).mode & 0o777).toBe(0o600);

    for (const dialect of DIALECTS) {
      const url = await newDatabaseUrl(dialect);
      const { kept, audit } = await restoreDatabase(
        target(url),
        createActor({ origin: 'cli' }),
        inPlace('copia'),
      );
      expect(kept).toBeNull();
      await at(url, async ({ db }) => {
        expect(await computeDigest(db), dialect).toBe(digest);
        expect(await db.selectFrom('sessions').select('id').execute()).toEqual([]);
        expect(await verifyAuditChain(db)).toEqual({ entries: audit.entries + 1 });
        const last = await db.selectFrom('audit').selectAll().orderBy('id', 'desc').limit(1).execute();
        expect(last[0]).toMatchObject({ action: 'restore', entity: 'database', prevHash: audit.lastHash });
        // the deleted payment's number is not given again
        const invoice = await addInvoice(db);
        const again = await addPayment(db, {
          facturaproveedorId: invoice,
          amountCents: 1,
          userId: author.userId,
        });
        expect(again).toBe(payment.id + 1);
      });
    }
  });

  it.runIf(IS_LONG_LANE)('moves to the other kind of database and back without a changed byte', async () => {
    await fillSampleCompany(fresh);
    await endLetters(fresh.db);
    await inTransaction(fresh.db, (trx) => storeFile(trx, Buffer.from('%PDF-ñ'), NOW));
    await backUp('ida.zip', { portable: true });
    const there = await newDatabaseUrl(other);
    await restoreDatabase(target(there), createActor(), inPlace('ida.zip'));
    await at(there, async ({ db, dialect }) => {
      await writePortable(db, inPlace('media.zip'), NOW);
      if (dialect === 'postgres') expect(await hasTableStatistics(db, 'payments')).toBe(true);
    });
    const back = await newDatabaseUrl(fresh.dialect);
    await restoreDatabase(target(back), createActor(), inPlace('media.zip'));
    await at(back, ({ db }) => writePortable(db, inPlace('vuelta.zip'), NOW));
    const [first, last] = [await readZipFile(inPlace('ida.zip')), await readZipFile(inPlace('vuelta.zip'))];
    expect([...last.keys()]).toEqual([...first.keys()]);
    for (const [name, bytes] of first) {
      if (['manifest.json', 'audit_tail.jsonl'].includes(name)) continue;
      const now = last.get(name)!;
      // The restore adds an audit entry; nothing else may differ.
      if (name === 'audit.jsonl') expect(now.subarray(0, bytes.length).equals(bytes), name).toBe(true);
      else expect(now.equals(bytes), name).toBe(true);
    }
    const { rows } = await readPortable(inPlace('vuelta.zip'));
    expect(rows.audit!.slice(-2).map(({ action }) => action)).toEqual(['restore', 'restore']);
  });

  it.each(['payments', 'invoices'] as const)('T39 · undoes the deletion of all %s', async (list) => {
    await fillSampleCompany(fresh);
    const author = await addActor(fresh.db, { motivo: 'Se captura de nuevo' });
    const { url, db } = fresh.database;
    const folder = dataFolder(url);
    const ledger = { db, config: { dataFolder: folder } };
    // Payments that the bank confirmed cannot be deleted, so their movements are removed first.
    await db.updateTable('payment_batch_lines').set({ movementId: null }).execute();
    for (const table of ['bank_movement_payments', 'bank_statement_movements', 'bank_movements'] as const)
      await db.deleteFrom(table).execute();
    if (list === 'invoices') {
      await backUpAndDeleteAllPayments(ledger, author);
      await db.deleteFrom('payment_batches').execute();
      const { id } = await db.selectFrom('invoices').select('id').limit(1).executeTakeFirstOrThrow();
      await inTransaction(db, (trx) => attachFile(trx, author, id, { filename: 'a.pdf', bytes: buildPdf() }));
    }
    const digest = await computeDigest(fresh.db);
    if (list === 'payments') await backUpAndDeleteAllPayments(ledger, author);
    else await backUpAndDeleteAllInvoices(ledger, author);
    expect(await computeDigest(fresh.db)).not.toBe(digest);
    const copy = readdirSync(join(folder, 'backups')).find(
      (name) => name.includes(list) && /\.(db|zip)$/.test(name),
    )!;
    await db.destroy();
    const { kept } = await restoreDatabase(target(url), author, join(folder, 'backups', copy));
    expect(await at(url, (restored) => computeDigest(restored.db))).toBe(digest);
    expect(existsSync(kept!)).toBe(true);
  });

  it('replaces the existing data, keeps them, and can restore them', async () => {
    await addInvoice(fresh.db);
    await backUp('antes');
    await addInvoice(fresh.db);
    const digest = await computeDigest(fresh.db);
    const { url, db } = fresh.database;
    await db.destroy();
    const first = await restoreDatabase(target(url), createActor(), inPlace('antes'));
    expect(await at(url, (one) => one.db.selectFrom('invoices').select('id').execute())).toHaveLength(1);
    const later = createActor({ at: '2026-11-21T18:00:00.000Z' });
    const second = await restoreDatabase(target(url), later, first.kept!);
    expect(await at(url, (one) => computeDigest(one.db))).toBe(digest);
    expect(second.kept).not.toBe(first.kept);
    expect(readdirSync(join(dataFolder(url), 'backups'))).toHaveLength(2);
    if (fresh.database.file) expect(readdirSync(dataFolder(url)).sort()).toEqual(['backups', 'saldo.db']);
  });

  it('is not restored while another process has the database open', async () => {
    await addInvoice(fresh.db);
    await backUp('copia');
    const digest = await computeDigest(fresh.db);
    await expect(
      restoreDatabase(target(fresh.database.url), createActor(), inPlace('copia')),
    ).rejects.toMatchObject({
      kind: 'conflict',
      code: 'database_in_use',
    });
    expect(await computeDigest(fresh.db)).toBe(digest);
  });

  it('of a database that breaks a rule is made and says so, and is restored only if asked to', async () => {
    const author = await addActor(fresh.db);
    const facturaproveedorId = await addInvoice(fresh.db);
    await addPayment(fresh.db, { facturaproveedorId, amountCents: 10, userId: author.userId });
    await fresh.db.updateTable('invoices').set({ paidCents: 11 }).execute();
    const { problems } = await backUp('copia');
    expect(problems).toMatchObject([{ entity: 'invoices', id: facturaproveedorId }]);
    const url = await newDatabaseUrl(fresh.dialect);
    await expect(restoreDatabase(target(url), createActor(), inPlace('copia'))).rejects.toMatchObject({
      code: 'broken_rules',
      message: expect.stringContaining('lo pagado ($0.11)'),
    });
    const forced = await restoreDatabase(target(url), createActor(), inPlace('copia'), { force: true });
    expect(forced.problems).toEqual(problems);
  });

  it('is not restored if its audit trail was changed by hand', async () => {
    await fillSampleCompany(fresh);
    await addUser(fresh.db, { roles: [3] });
    if (fresh.dialect === 'postgres') {
      await damageDatabase(fresh, `update audit set username = 'otro' where id = 3`);
      await backUp('copia');
    } else {
      await backUp('copia');
      const copy = new Database(inPlace('copia'));
      const trigger = copy
        .prepare(`select sql from sqlite_master where name = 'audit_no_update'`)
        .pluck()
        .get();
      copy.exec(`drop trigger audit_no_update; update audit set username = 'otro' where id = 3; ${trigger}`);
      copy.close();
    }
    const url = await newDatabaseUrl(fresh.dialect);
    await expect(restoreDatabase(target(url), createActor(), inPlace('copia'))).rejects.toMatchObject({
      code: 'broken_rules',
      message: expect.stringContaining('audit 3: su contenido cambió'),
    });
  });

  it('in portable form, from the program before 1.0, is restored completely, with a trail that proves it', async () => {
    const url = await newDatabaseUrl(fresh.dialect);
    const before = join(projectRoot, 'tests/db/copies/made-before-1.0.zip');
    const { audit, migrations: ran } = await restoreDatabase(target(url), createActor(), before);
    const later = migrations.slice(1).map(({ name }) => name);
    expect({ entries: audit.entries, ran }).toEqual({ entries: 16, ran: later });
    await at(url, async ({ db }) => {
      const invoices = await db.selectFrom('invoices').select(['paidCents', 'comments']).execute();
      expect(invoices).toEqual([{ paidCents: 40_00, comments: 'Ñandú 🧱\n«dos líneas»' }]);
      expect(await db.selectFrom('petty_cash_replenishments').select('holderId').execute()).toEqual([
        { holderId: null },
      ]);
      expect(await isMigrated(db)).toBe(true);
      expect((await checkDatabase(db, { deep: true })).checks.filter((check) => check.problems[0])).toEqual(
        [],
      );
      expect(await verifyAuditChain(db)).toEqual({ entries: 17 });
    });
  });

  it('does not overwrite an existing file, and is not written into a missing folder', async () => {
    writeFileSync(inPlace('algo'), 'mío');
    await expect(backUp('algo')).rejects.toMatchObject({ kind: 'conflict' });
    await expect(backUp('no/está')).rejects.toMatchObject({ kind: 'not-found' });
    if (fresh.database.file) {
      const itself = backupDatabase(fresh.database, createActor(), fresh.database.file, { force: true });
      await expect(itself).rejects.toThrow('es la base de datos misma');
    }
    await backUp('algo', { force: true });
    expect(statSync(inPlace('algo')).size).toBeGreaterThan(1000);
    expect(readdirSync(place.folder).filter((name) => name.startsWith('algo'))).toEqual(['algo']);
  });

  it('is recorded in the audit trail', async () => {
    const { sha256 } = await backUp('copia');
    const entry = await fresh.db.selectFrom('audit').selectAll().executeTakeFirstOrThrow();
    expect(entry).toMatchObject({ action: 'backup', entity: 'database', origin: 'cli' });
    expect(JSON.parse(entry.after!)).toMatchObject({ file: 'copia', sha256 });
  });
});

describeOneDatabase('a damaged portable copy', (fresh) => {
  let parts: Map<string, Buffer>;
  beforeEach(async () => {
    await addInvoice(fresh.db);
    await writePortable(fresh.db, inPlace('copia.zip'), NOW);
    parts = await readZipFile(inPlace('copia.zip'));
  });

  /** A copy with some of its files replaced or removed. */
  const zipWith = (changed: Record<string, Buffer | undefined>) => {
    const files = Object.entries({ ...Object.fromEntries(parts), ...changed });
    return buildZip(files.flatMap(([name, data]) => (data ? [{ name, data }] : [])));
  };
  const invoices = (change: (rows: Buffer) => Buffer) =>
    zipWith({ 'invoices.jsonl': change(parts.get('invoices.jsonl')!) });
  const otherAmount = (rows: Buffer) =>
    Buffer.from(rows.toString().replace('"subtotalCents":1', '"subtotalCents":2'));
  const manifest = (change: (manifestText: Manifest) => object, more: Record<string, undefined> = {}) => {
    const manifestText = JSON.parse(parts.get('manifest.json')!.toString());
    return zipWith({
      'manifest.json': Buffer.from(JSON.stringify({ ...manifestText, ...change(manifestText) })),
      ...more,
    });
  };
  const elsewhere = { name: '../x', file: '../x.jsonl' };

  it.each<[string, () => Uint8Array | string, string]>([
    ['a changed figure', () => invoices(otherAmount), 'invoices.jsonl no tiene el SHA-256 del manifiesto'],
    ['a missing part', () => zipWith({ 'invoices.jsonl': undefined }), 'falta invoices.jsonl'],
    ['an extra part', () => zipWith({ 'otra.jsonl': Buffer.from('{}\n') }), 'otra.jsonl está de más'],
    ['a missing row', () => invoices(() => Buffer.alloc(0)), 'invoices.jsonl tiene 0 filas y no 1'],
    ['half a row', () => invoices((rows) => rows.subarray(0, -9)), 'invoices.jsonl termina a media fila'],
    ['endless rows', () => invoices((rows) => Buffer.concat([rows, rows])), 'tiene más de lo que dice'],
    ['an endless part', () => invoices(() => Buffer.alloc(80 * 1024 * 1024)), 'se expande demasiado'],
    ['no manifest', () => zipWith({ 'manifest.json': undefined }), 'falta manifest.json'],
    ['a manifest of another program', () => manifest(() => ({ format: 'otro' })), 'no es de Saldo'],
    [
      'a manifest without a table',
      () =>
        manifest(({ tables }) => ({ tables: tables.filter(({ name }) => name !== 'clients') }), {
          'clients.jsonl': undefined,
        }),
      'falta la tabla clients',
    ],
    ['a later format', () => manifest(() => ({ version: 2 })), 'una versión más nueva de Saldo (formato 2).'],
    [
      'a migration of a later version',
      () => manifest(({ migrations }) => ({ migrations: [...migrations, '9999-futuro'] })),
      'La base de datos es de una versión más nueva de Saldo (9999-futuro).',
    ],
    [
      'a row that is a number',
      () => {
        const row = Buffer.from('0\n');
        const about = { bytes: row.length, sha256: createHash('sha256').update(row).digest('hex') };
        parts.set('invoices.jsonl', row);
        return manifest(({ tables }) => ({
          tables: tables.map((table) => (table.name === 'invoices' ? { ...table, ...about } : table)),
        }));
      },
      'una fila de invoices no tiene sus columnas',
    ],
    [
      'a name that leads out of the zip',
      () => manifest(({ tables: [first, ...rest] }) => ({ tables: [{ ...first, ...elsewhere }, ...rest] })),
      'manifest.json no dice lo que debe',
    ],
    [
      'its end cut off',
      () => buildZip([{ name: 'manifest.json' }]).subarray(0, 60),
      'el zip no se puede leer',
    ],
    ['content that is no zip', () => 'hola', 'no es una copia de Saldo'],
  ])('with %s is refused, and nothing changes', async (_what, spoilt, message) => {
    writeFileSync(inPlace('mala.zip'), spoilt());
    const digest = await computeDigest(fresh.db);
    const { url, db } = fresh.database;
    await db.destroy();
    await expect(restoreDatabase(target(url), createActor(), inPlace('mala.zip'))).rejects.toThrow(message);
    expect(await at(url, (one) => computeDigest(one.db))).toBe(digest);
    const kept = join(dataFolder(url), 'backups');
    expect(existsSync(kept) ? readdirSync(kept) : []).toEqual([]);
  });

  it('with any one byte flipped, or cut anywhere, is refused or restores the same', async () => {
    // A large picture, so that most bytes of the zip are content.
    await setLogo(fresh.db, createActor(), buildPng(120, 60, { noise: true }));
    await writePortable(fresh.db, inPlace('copia.zip'), NOW);
    const whole = readFileSync(inPlace('copia.zip'));
    const url = await newDatabaseUrl('sqlite');
    const digest = await computeDigest(fresh.db);
    let refused = 0;
    for (let step = 0; step < STEPS; step++) {
      const place = Math.floor((whole.length * step) / STEPS);
      const bytes = step % 2 ? Buffer.from(whole.subarray(0, place)) : Buffer.from(whole);
      if (step % 2 === 0) bytes[place] = bytes[place]! ^ 0x55;
      writeFileSync(inPlace('mala.zip'), bytes);
      const done = await restoreDatabase(target(url), createActor(), inPlace('mala.zip')).then(
        () => true,
        (error: Error) => {
          expect(error.name, error.stack).toBe('DomainError');
          return false;
        },
      );
      if (done) expect(await at(url, (one) => computeDigest(one.db))).toBe(digest);
      else refused++;
    }
    expect(refused).toBeGreaterThan(STEPS * 0.75);
  });
});

describe('a database file used as a backup', () => {
  let good = '';
  beforeAll(async () => {
    const folder = mkdtempSync(join(inject('folder'), 'copias-'));
    good = join(folder, 'buena.db');
    const database = await openFreshDatabase('sqlite');
    await addSmallCompany(database.db);
    await backupDatabase(database, createActor(), good);
    await database.close();
    return () => rmSync(folder, { recursive: true, force: true });
  });

  const execute = (file: string, text: string) => new Database(file).exec(text).close();
  const replace = (file: string) => {
    writeFileSync(file, '');
    execute(file, 'create table t (a)');
  };
  const overwrite = (file: string) => {
    const opened = openSync(file, 'r+');
    for (let page = 20; page < 60; page++) writeSync(opened, Buffer.alloc(2000, 0x5a), 0, 2000, page * 4096);
    closeSync(opened);
  };

  it.each<[string, ((file: string) => void) | string, string]>([
    ['pages overwritten', overwrite, 'La copia está dañada o incompleta'],
    ['its end missing', (file) => truncateSync(file, 100_000), 'La copia está dañada'],
    ['an unprotected audit trail', 'drop trigger audit_no_delete', 'falta el disparador audit_no_delete'],
    [
      'a foreign trigger',
      'create trigger x after insert on audit begin delete from users; end',
      'el disparador x está de más',
    ],
    ['the tables of another program', replace, 'no es una base de datos de Saldo'],
    [
      'a schema from before 1.0',
      (file) =>
        new Database(file)
          .exec(`update schema_migrations set name = '0001-initial' where name = '0001-baseline'`)
          .close(),
      'anterior a la versión 1.0',
    ],
    [
      'a migration of a later version',
      `insert into schema_migrations values ('9999-futuro', '')`,
      'más nueva de Saldo (9999-futuro)',
    ],
  ])('with %s is refused, and nothing changes', async (_what, spoil, message) => {
    const source = await newDatabaseUrl('sqlite');
    const file = inPlace('mala.db');
    copyFileSync(good, source.slice('file:'.length));
    copyFileSync(good, file);
    const digest = await at(source, (one) => computeDigest(one.db));
    if (typeof spoil === 'string') execute(file, spoil);
    else spoil(file);
    await expect(restoreDatabase(target(source), createActor(), file)).rejects.toThrow(message);
    expect(await at(source, (one) => computeDigest(one.db))).toBe(digest);
  });
});
