import { copyFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { copySqliteDatabase } from '../../db/copies/copy.ts';
import { migrate } from '../../db/migrate.ts';
import { type OpenDatabase, openDatabase } from '../../db/open.ts';
import { findTrailLoss } from '../../server/services/audit/trail-mark.ts';
import { createPayment } from '../../server/services/payments/payments.ts';
import { newDatabaseUrl } from '../support/databases.ts';
import { temporaryFolder } from '../support/folder.ts';
import { addActor, addInvoice } from '../support/rows.ts';
import { startServer } from '../support/server.ts';
import { readRow } from '../support/stored.ts';

const open = (url: string) => openDatabase(url, { root: '/', createIfMissing: true });

/** Makes payments. @returns the trail's length as noted beside the file */
async function pay({ db, file }: OpenDatabase, count: number): Promise<number> {
  const ana = await addActor(db);
  const facturaproveedorId = await addInvoice(db);
  for (let n = 0; n < count; n++) await createPayment(db, ana, { facturaproveedorId, amountCents: 1 });
  const { lastId } = await db.selectFrom('audit_tail').select('lastId').executeTakeFirstOrThrow();
  expect(JSON.parse(readFileSync(`${file}-trail`, 'utf8')).entries).toBe(lastId);
  return lastId;
}

async function startAndStop(url: string): Promise<string> {
  const server = await startServer({ DATABASE_URL: url, SALDO_ADMIN_PASSWORD: 'cimbra y andamio 8' });
  await server.stop();
  return server.output();
}

it('an older copy in place of the database is reported at the next start, once, and the trail records it', async () => {
  const url = await newDatabaseUrl('sqlite');
  let database = open(url);
  await migrate(database);
  const { file } = database;
  await pay(database, 2);
  expect(await findTrailLoss(database.db)).toBeUndefined();
  const copy = `${file}.copia`;
  await copySqliteDatabase(database.db, copy);
  const last = await pay(database, 3);
  await database.close();

  for (const ending of ['-wal', '-shm']) rmSync(`${file}${ending}`, { force: true });
  copyFileSync(copy, file!);
  const output = await startAndStop(url);
  expect(output).toContain(`termina en el asiento 2`);
  expect(output).toContain(`había llegado al ${last} (`);
  expect(output).not.toMatch(/\n\s+at /);

  database = open(url);
  const entry = await readRow(database.db, 'audit', { action: 'missing' }, ['entity', 'after']);
  expect(entry.entity).toBe('database');
  expect(JSON.parse(entry.after!)).toMatchObject({ entries: last, found: 2 });
  await database.close();
  expect(await startAndStop(url)).not.toContain('le falta lo último');
});

it('what was in a log that is lost after a kill is reported, to the last payment', async () => {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  const database = open(await newDatabaseUrl('sqlite'));
  await migrate(database);
  const found = await pay(database, 39);
  await sql`PRAGMA wal_checkpoint(TRUNCATE)`.execute(database.db);
  const entries = await pay(database, 1);
  // Copies the files as a killed process leaves them now, but without the write-ahead log.
  for (const ending of ['', '-trail'])
    copyFileSync(`${database.file}${ending}`, join(folder, `saldo.db${ending}`));
  await database.close();
  const left = open(`file:${folder}/saldo.db`);
  expect(await findTrailLoss(left.db)).toMatchObject({ entries, found });
  await left.close();
});

it('a log that is deleted while the database is open prevents further changes', async () => {
  const database = open(await newDatabaseUrl('sqlite'));
  await migrate(database);
  await pay(database, 1);
  const ana = await addActor(database.db);
  const facturaproveedorId = await addInvoice(database.db);
  rmSync(`${database.file}-wal`);
  const payment = createPayment(database.db, ana, { facturaproveedorId, amountCents: 1 });
  await expect(payment).rejects.toMatchObject({ code: 'database_gone' });
  await database.close();
});
