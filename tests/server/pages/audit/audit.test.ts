import { expect, it } from 'vitest';
import { permitLine } from '../../../../server/services/payment-batches/stages.ts';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { createTestApp } from '../../../support/app.ts';
import { addBatch } from '../../../support/batches.ts';
import { readPage } from '../../../support/page.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { addActor, addInvoice, addSupplier, addUser, createActor } from '../../../support/rows.ts';

describeOneDatabase('la bitácora', (fresh) => {
  const start = async () => {
    const app = createTestApp({ db: fresh.db });
    const ana = await addUser(fresh.db, { username: 'ana', roles: [3] });
    const beto = await addUser(fresh.db, { username: 'beto', roles: [1, 3] });
    const [first, second] = [await app.as(ana), await app.as(beto)];
    await first.form('/new-rubro', { nombrerubro: 'Acero' });
    await second.form('/editrubropage/1', { nombrerubro: 'Aceros', version: '1' });
    return { client: second, ana };
  };
  const sentences = (rows: string[][]) => rows.map((row) => [row[2], row[3]]);

  it('shows who did what, newest first, and leads to the row', async () => {
    const { client } = await start();
    const page = await readPage(client.get('/bitacora'));
    expect(sentences(page.rows)).toEqual([
      ['beto', 'cambió Nombre del rubro Acero → Aceros'.replace('rubro Acero', 'rubro Aceros: Acero')],
      ['ana', expect.stringContaining('capturó el rubro Acero')],
    ]);
    expect(page.links(/capturó/)).toEqual(['/editrubropage/1']);
  });

  it('is filtered by who, what and when', async () => {
    const { client, ana } = await start();
    const rows = async (query: string) => (await readPage(client.get(`/bitacora?${query}`))).rows.length;
    expect(await rows(`userId=${ana.id}`)).toBe(1);
    expect(await rows('entity=rubros&entityId=1')).toBe(2);
    expect(await rows('entity=jobs')).toBe(0);
    expect(await rows('to=2026-11-19')).toBe(0);
  });

  it('continues page by page to its first entry', async () => {
    const { client } = await start();
    const first = await readPage(client.get('/bitacora?limit=1'));
    expect(sentences(first.rows).map(([who]) => who)).toEqual(['beto']);
    const [more = ''] = first.links('Cargar más');
    const last = await readPage(client.get(more));
    expect(sentences(last.rows).map(([who]) => who)).toEqual(['ana']);
    expect(last.decodedHtml).toContain('>2 anotaciones<');
    expect(last.links('Cargar más')).toEqual([]);
  });

  it('says whether the chain is intact, and how it ends', async () => {
    const { client } = await start();
    const page = await readPage(client.get('/bitacora?comprobar=1'));
    expect(page.alerts).toContain(
      'success: La cadena está completa: ninguna anotación falta ni ha cambiado.',
    );
    expect(page.decodedHtml).toMatch(/<dt>Huella<\/dt><dd><code>[0-9a-f]{64}<\/code>/);
  });

  it('says if nobody has changed a row, and shows no id in Spanish', async () => {
    const { client } = await start();
    const untouched = await readPage(client.get('/bitacora?entity=invoices&entityId=5'));
    expect(untouched.decodedHtml).toContain('Nadie lo ha cambiado desde que se lleva la bitácora.');
    expect((await readPage(client.get('/bitacora?entity=jobs'))).decodedHtml).toContain('Sin registros');
    expect((await readPage(client.get('/bitacora'))).decodedHtml).toContain('>ID<');
    await changeSetting(fresh.db, createActor(), 'idioma', 'es');
    const spanish = await readPage(client.get('/bitacora?entity=rubros'));
    expect(spanish.decodedHtml).not.toContain('>ID<');
    expect(spanish.rows[0]).toEqual([expect.any(String), 'beto', expect.stringContaining('Acero → Aceros')]);
  });

  it('shows the beginning of a hash, and all of it in the file', async () => {
    const { client } = await start();
    const hash = '0123456789abcdef'.repeat(4);
    await client.form('/editrubropage/1', { nombrerubro: 'Aceros', descripcionrubro: hash, version: '2' });
    const { decodedHtml } = await readPage(client.get('/bitacora?entity=rubros'));
    expect(decodedHtml).toContain('→ 0123456789ab…');
    expect(decodedHtml).not.toContain(hash);
    expect(await (await client.get('/bitacora/export.csv?entity=rubros')).text()).toContain(hash);
  });

  it('can be exported, in words', async () => {
    const { client } = await start();
    const csv = await (await client.get('/bitacora/export.csv?entity=rubros')).text();
    expect(csv).toContain('cambió Nombre del rubro Aceros: Acero → Aceros');
  });

  it('says whom a batch pays and whom somebody let through, and of a long one the first of them', async () => {
    const { db } = fresh;
    const supplierId = await addSupplier(db, { suppliername: 'Aceros', rfc: 'MALO' });
    const invoiceIds: number[] = [];
    for (let n = 0; n < 22; n++)
      invoiceIds.push(await addInvoice(db, { supplierId, numfactura: `B-${String(n).padStart(2, '0')}` }));
    await changeSetting(db, await addActor(db), 'semaforo.rfc', 'impedir');
    const { id } = await addBatch(db, { invoiceIds });
    const approver = await addActor(db, { roles: [1] });
    await permitLine(db, approver, id, { invoiceId: invoiceIds[0]!, reason: 'Ya lo corrige' });
    const admin = await createTestApp({ db }).as(3);
    const { decodedHtml } = await readPage(admin.get(`/bitacora?entity=payment-batches&entityId=${id}`));
    expect(decodedHtml).toContain(
      'Aceros, factura B-00, se autorizó de todos modos: — → RFC mal formado: Ya lo corrige',
    );
    expect(decodedHtml).toContain('<li>Aceros, factura B-00: $1,160.00</li>');
    expect(decodedHtml).not.toContain('factura B-21');
    const [, whole = ''] = /<a href="([^"]+)">y \d+ más/.exec(decodedHtml) ?? [];
    const csv = await (await admin.get(whole.replaceAll('&amp;', '&'))).text();
    expect(csv).toContain('Aceros, factura B-21: — → $1,160.00');
  });
});
