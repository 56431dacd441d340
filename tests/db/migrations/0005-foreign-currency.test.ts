import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { writePortable } from '../../../db/copies/portable.ts';
import { migrate, migrations } from '../../../db/migrate.ts';
import { openDatabase } from '../../../db/open.ts';
import type { Db } from '../../../db/schema.ts';
import { restoreDatabase } from '../../../server/services/database/restore.ts';
import { DIALECTS, newDatabaseUrl, openBare } from '../../support/databases.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { addFormerInvoice, addFormerRow } from '../../support/former-rows.ts';
import { actor, addActor, addPayment, NOW } from '../../support/rows.ts';

const BEFORE = migrations.filter(({ name }) => name < '0005');
const uuid = (n: number) => `AAAAAAAA-1111-4222-8333-${String(n).padStart(12, '0')}`;

/** What an invoice's document said; one whose amounts were converted has its withholdings in pesos beside them. */
async function addDocument(db: Db, invoiceId: number, moneda: string, tipocambio: string | null, more = {}) {
  const detail = { emisor: { nombre: 'Ñ "x","retencionesBase":{' }, totalCents: 100, ...more, sha256: '' };
  const said = { invoiceId, version: '4.0', moneda, tipocambio, detail: JSON.stringify(detail) };
  await addFormerRow(db, 'cfdi_documents', said);
}

/** In dollars; in pesos; in the dollars that were the base currency; captured by hand. One is paid. */
async function fill(db: Db): Promise<void> {
  const { userId } = await addActor(db);
  const ids = [];
  for (const n of [1, 2, 3]) ids.push(await addFormerInvoice(db, { uuid: uuid(n) }));
  await addFormerInvoice(db, { tasa: 160_000 });
  await addDocument(db, ids[0]!, 'USD', '17.1234', { retencionesBase: { ivaCents: 0 } });
  await addDocument(db, ids[1]!, 'MXN', '1');
  await addDocument(db, ids[2]!, 'USD', '17.5');
  await addPayment(db, { facturaproveedorId: ids[0]!, amountCents: 500, userId });
}

async function expectCurrencies(db: Db): Promise<void> {
  const invoices = await db.selectFrom('invoices').selectAll().orderBy('id').execute();
  expect(invoices.map(({ moneda, tipocambio, paidCents }) => [moneda, tipocambio, paidCents])).toEqual([
    ['USD', '17.1234', 500],
    [null, null, 0],
    [null, null, 0],
    [null, null, 0],
  ]);
  const payments = await db.selectFrom('payments').selectAll().execute();
  expect(payments).toMatchObject([{ amountCents: 500, importebancoCents: null }]);
}

it.each(DIALECTS)(
  'a database of before, and a portable copy of it, keep the rate that each document was converted at (%s)',
  async (dialect) => {
    const { folder, remove } = temporaryFolder();
    onTestFinished(remove);
    const old = await openBare(dialect);
    await migrate(old, BEFORE);
    await fill(old.db);
    const copy = join(folder, 'antes.zip');
    await writePortable(old.db, copy, NOW);
    await migrate(old, migrations, { dataFolder: folder });
    await expectCurrencies(old.db);
    await old.close();
    for (const to of DIALECTS) {
      const databaseUrl = await newDatabaseUrl(to);
      const target = { databaseUrl, dataFolder: join(folder, to), root: '/' };
      const { migrations: ran } = await restoreDatabase(target, actor(), copy);
      expect(ran).toContain('0005-foreign-currency');
      const restored = openDatabase(databaseUrl, { root: '/', create: false });
      await expectCurrencies(restored.db);
      await restored.close();
    }
  },
);
