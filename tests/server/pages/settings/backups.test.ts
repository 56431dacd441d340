import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase, openForReading } from '../../../../db/open.ts';
import { checkDatabase } from '../../../../server/services/database/check.ts';
import { readLastBackup } from '../../../../server/services/database/last-backup.ts';
import { restoreDatabase } from '../../../../server/services/database/restore.ts';
import { setLogo } from '../../../../server/services/settings/logo.ts';
import { createTestApp } from '../../../support/app.ts';
import { newDatabaseUrl } from '../../../support/databases.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { buildPng } from '../../../support/pictures.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { addInvoice, createActor } from '../../../support/rows.ts';

const BACKUPS = '/admin-settings/respaldos';

describeOneDatabase('Respaldos', (fresh) => {
  let place = temporaryFolder();
  beforeEach(() => {
    place = temporaryFolder();
  });
  afterEach(() => place.remove());
  const newApp = () => createTestApp({ db: fresh.db, config: { dataFolder: place.folder } });
  const kept = () => readdirSync(join(place.folder, 'backups')).sort();

  it('makes a backup, says that it was verified, and offers it for download, and it can be opened and restored', async () => {
    await addInvoice(fresh.db, { numfactura: 'A-1045' });
    await setLogo(fresh.db, createActor(), buildPng(20, 10));
    const app = newApp();
    const ana = await app.as(3);
    expect(await (await ana.get(BACKUPS)).text()).toContain('Todavía no se ha hecho ningún respaldo.');
    const page = await (await ana.follow(await ana.form(BACKUPS))).text();
    expect(page).toMatch(/Se hizo el respaldo \([\d.]+ [KM]B\) y se leyó de nuevo\./);
    expect(page).toContain('Se verificó: todas las reglas se cumplen.');
    const href = /<a[^>]* href="(\/admin-settings\/respaldos\/respaldo-20261120T180000\.(?:db|zip))"/.exec(
      page,
    )![1]!;
    const sent = await ana.get(href);
    expect(sent.headers.get('content-disposition')).toContain(`filename="${href.split('/').at(-1)}"`);
    expect(await (await ana.get('/bitacora')).text()).toContain(
      `descargó el respaldo ${href.split('/').at(-1)}`,
    );
    // A deleted backup still counts as the last one.
    expect(await readLastBackup(fresh.db)).toMatchObject({ file: href.split('/').at(-1), problems: 0 });
    const bytes = Buffer.from(await sent.arrayBuffer());
    expect(String(bytes.length)).toBe(sent.headers.get('content-length'));
    const file = join(place.folder, 'descargado');
    writeFileSync(file, bytes);
    if (href.endsWith('.db')) {
      const copy = openForReading(file);
      const { checks } = await checkDatabase(copy.db);
      await copy.close();
      expect(checks.flatMap(({ problems }) => problems)).toEqual([]);
    }
    const databaseUrl = await newDatabaseUrl('sqlite');
    const target = { databaseUrl, dataFolder: join(place.folder, 'otro'), root: '/' };
    await restoreDatabase(target, createActor(), file);
    const restored = openDatabase(databaseUrl, { root: '/', createIfMissing: false });
    expect(await restored.db.selectFrom('invoices').select('numfactura').execute()).toEqual([
      { numfactura: 'A-1045' },
    ]);
    expect(await restored.db.selectFrom('logo').select('id').execute()).toEqual([{ id: 1 }]);
    await restored.close();
  });

  it('keeps the last three on the server, readable by nobody else', async () => {
    const app = newApp();
    for (let count = 0; count < 4; count++) {
      app.clock.advance({ ms: 1000 });
      expect((await (await app.as(3)).form(BACKUPS)).status).toBe(303);
    }
    expect(kept().map((name) => name.slice(0, 24))).toEqual(
      [2, 3, 4].map((second) => `respaldo-20261120T18000${second}`),
    );
    expect(statSync(join(place.folder, 'backups', kept()[0]!)).mode & 0o777).toBe(0o600);
  });

  it('asks for the password again before a download, if it was given long ago', async () => {
    const app = newApp();
    const ana = await app.as(3);
    await ana.form(BACKUPS);
    const href = `${BACKUPS}/${kept()[0]}`;
    app.clock.advance({ minutes: 11 });
    expect((await ana.get(href)).status).toBe(403);
    const page = await (await ana.get(BACKUPS)).text();
    expect(page).not.toContain(`href="${href}"`);
    expect(page).toContain(`action="${href}"`);
    const refused = await ana.form(href, {});
    expect(refused.status).toBe(403);
    expect(await refused.text()).toMatch(/id="currentpassword-note" class="field-error">/);
  });

  it('is for administrators alone, and reveals nothing else of the folder', async () => {
    const app = newApp();
    const [ana, other] = [await app.as(3), await app.as([1, 2])];
    expect((await other.form(BACKUPS)).status).toBe(403);
    expect(existsSync(join(place.folder, 'backups'))).toBe(false);
    await ana.form(BACKUPS);
    expect((await other.get(`${BACKUPS}/${kept()[0]}`)).status).toBe(403);
    writeFileSync(join(place.folder, 'backups', 'antes-de-0017.db'), 'x');
    writeFileSync(join(place.folder, 'secret'), 'x');
    for (const name of ['antes-de-0017.db', 'secret', 'respaldo-20200101T000000.db', '.env'])
      expect([name, (await ana.get(`${BACKUPS}/${name}`)).status]).toEqual([name, 404]);
  });
});
