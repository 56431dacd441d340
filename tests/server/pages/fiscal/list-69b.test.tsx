import { beforeEach, describe, expect, it } from 'vitest';
import { summarizeDefinitivos } from '../../../../server/services/fiscal/list-69b.ts';
import { createTestApp, type TestClient } from '../../../support/app.ts';
import { useFreshDatabase } from '../../../support/databases.ts';
import { buildList69bFile } from '../../../support/list-69b.ts';
import { readPage } from '../../../support/page.ts';
import { addInvoice, addPayment, addSupplier, addUser, TODAY } from '../../../support/rows.ts';

const PAGE = '/fiscal/69b';

describe('the page of the list of 69-B', () => {
  const fresh = useFreshDatabase('sqlite');
  let client: TestClient;
  let supplierId: number;

  beforeEach(async () => {
    const user = await addUser(fresh.db, { roles: [2] });
    client = await createTestApp({ db: fresh.db }).as(user);
    supplierId = await addSupplier(fresh.db, { suppliername: 'Aceros Tepeyac', rfc: 'ACE010203AB4' });
    const facturaproveedorId = await addInvoice(fresh.db, { supplierId, numfactura: 'A-1' });
    const paid = { amountCents: 50_000, paymentdate: '2026-03-10', userId: user.id };
    await addPayment(fresh.db, { facturaproveedorId, ...paid });
  });

  const LINE = {
    rfc: 'ACE010203AB4',
    situacion: 'Definitivo',
    presunto: '01/02/2026',
    definitivo: '15/06/2026',
  };
  const send = (address: string, options?: Parameters<typeof buildList69bFile>[1]) => {
    const { filename, bytes } = buildList69bFile([LINE], options);
    return client.files(address, { file: [filename, bytes] });
  };
  const textOf = async (address: string, by = client) =>
    (await readPage(await by.get(address))).decodedHtml.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

  it('says who is on it, and what the definitive ones were paid', async () => {
    expect(await textOf(PAGE)).toContain('No se ha cargado ninguna');
    expect(await textOf('/fiscal?mes=2026-11')).toContain(
      'Lista 69-B Abierto Sin lista cargada – Cargar la lista',
    );
    expect((await send(PAGE)).headers.get('location')).toBe(PAGE);
    const text = await textOf(PAGE);
    expect(text).toContain('Se cargó la lista con corte del sábado 31 de octubre de 2026.');
    expect(text).toContain('De tus proveedores: 1 definitivo.');
    expect(text).toContain('1 pago por $500.00');
    expect(text).toMatch(/Mon, 15 Jun 2026 Mon, 27 Jul 2026 hace 116 días/);
    expect(text).toMatch(/Aceros Tepeyac A-1 Tue, 10 Mar 2026 Presunto \$500\.00 Total \$500\.00/);
    expect(await textOf('/fiscal?mes=2026-11')).toMatch(
      /Lista 69-B Terminó el Mon, 27 Jul 2026, hace 116 días Urgente 1 pago a Definitivos \$500\.00 Todos de otros meses/,
    );
    expect((await readPage(await client.get('/suppliers'))).rows[0]![1]).toBe('Aceros Tepeyac Definitivo');
    expect(await textOf('/fiscal?mes=2026-03')).toMatch(
      /Lista 69-B Terminó .* Urgente 1 pago a Definitivos \$500\.00 Todos de este mes/,
    );
    const listed = buildList69bFile([{ ...LINE, situacion: 'Presunto', definitivo: '' }], {
      corte: '1 de noviembre de 2026',
    });
    const csv = await (await client.get(`${PAGE}/export.csv?que=pagos`)).text();
    expect(csv).toMatch(/Aceros Tepeyac,ACE010203AB4,Definitivo,.*A-1.*Presunto/);
    expect(await textOf(`/editsupplierpage/${supplierId}`)).toContain(
      'Definitivo en la lista 69-B del SAT, con corte del',
    );
    expect((await client.files(PAGE, { file: [listed.filename, listed.bytes] })).status).toBe(303);
    expect(await textOf('/fiscal?mes=2026-11')).toMatch(
      /Lista 69-B Con pendientes 0 pagos a Definitivos \$0\.00 1 proveedor presunto \$500\.00 /,
    );
    expect(await textOf(PAGE)).toContain('Pagado a presuntos $500.00 a 1 proveedor.');
  });

  it('waits on the dashboard while a definitive supplier was paid or is owed', async () => {
    const owner = await createTestApp({ db: fresh.db }).as([1, 2]);
    const shown = () => textOf('/dashboard', owner);
    expect(await shown()).not.toContain('69-B');
    await send(PAGE);
    expect(await shown()).toMatch(
      /\$500\.00 1 pago a Definitivos de la lista 69-B el plazo terminó el Mon, 27 Jul 2026, hace 116 días · 1 proveedor Definitivo: se le debe \$\d/,
    );
    await fresh.db.deleteFrom('payments').execute();
    expect(await shown()).toMatch(/ 1 proveedor Definitivo en la lista 69-B: se le debe \$\d/);
    await fresh.db.deleteFrom('invoices').execute();
    expect(await shown()).not.toContain('69-B');
  });

  it('warns anew of a supplier that becomes definitive, and of an older payment captured later', async () => {
    const newest = async () => (await summarizeDefinitivos(fresh.db, TODAY))!.newest;
    const other = await addSupplier(fresh.db, { rfc: 'BCO010203AB5' });
    const paid = { amountCents: 100, paymentdate: '2026-01-05', userId: 1 };
    const facturaproveedorId = await addInvoice(fresh.db, { supplierId: other });
    await addPayment(fresh.db, { facturaproveedorId, ...paid });
    await send(PAGE);
    const seen = await newest();
    const both = [LINE, { ...LINE, rfc: 'BCO010203AB5' }];
    const later = buildList69bFile(both, { corte: '15 de noviembre de 2026' });
    await client.files(PAGE, { file: [later.filename, later.bytes] });
    const woken = await newest();
    expect([seen.day, woken.day]).toEqual(['2026-10-31', '2026-11-15']);
    await addPayment(fresh.db, { facturaproveedorId, ...paid });
    expect((await newest()).id).toBe(woken.id + 1);
  });

  it('explains what it refuses, and keeps what it has', async () => {
    await send(PAGE);
    const again = await readPage(await send(PAGE));
    expect([again.status, again.decodedHtml]).toEqual([
      409,
      expect.stringContaining('Ya está cargada la lista'),
    ]);
    const short = await readPage(await send(PAGE, { corte: '1 de noviembre de 2026', rows: 10 }));
    expect([short.status, short.decodedHtml]).toEqual([422, expect.stringContaining('Trae 10 renglones')]);
    const nothing = await readPage(await client.files(PAGE, {}));
    expect(nothing.decodedHtml).toContain('Elige el archivo de la lista.');
  });

  it('is answered by the API, and so is the situation of one supplier', async () => {
    const supplier = async () => (await client.get(`/api/suppliers/${supplierId}`)).json();
    expect(await supplier()).toMatchObject({ sat69b: null });
    const sent = await (await send('/api/fiscal/69b')).json();
    expect(sent).toMatchObject({ corte: '2026-10-31', filas: 5_000, pagado: 500, warnings: [] });
    expect(await (await client.get('/api/fiscal/69b')).json()).toEqual(sent);
    expect(await supplier()).toMatchObject({ sat69b: { situacion: 'definitivo', corte: '2026-10-31' } });
  });
});
