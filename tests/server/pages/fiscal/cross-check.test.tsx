import { beforeEach, describe, expect, it } from 'vitest';
import { countCancelledInvoices } from '../../../../server/services/fiscal/cross-check.ts';
import { readNotices } from '../../../../server/services/notices/notices.ts';
import { changeSetting, readSettings } from '../../../../server/services/settings/settings.ts';
import { createTestApp, type TestClient } from '../../../support/app.ts';
import { useFreshDatabase } from '../../../support/databases.ts';
import {
  buildMetadataFile,
  createMetadataUuid,
  type MetadataLine,
  OWN_RFC,
} from '../../../support/metadata.ts';
import { readPage } from '../../../support/page.ts';
import {
  addInvoice,
  addPayment,
  addSupplier,
  addUser,
  DAY,
  createActor as system,
} from '../../../support/rows.ts';
import { readRow } from '../../../support/stored.ts';

const PAGE = '/fiscal/cruce?mes=2026-10';
const uuid = createMetadataUuid(1);

const wordsOf = (html: string) => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

describe('the page of the SAT’s documents', () => {
  const fresh = useFreshDatabase('sqlite');
  let client: TestClient;
  let supplierId: number;
  let userId: number;

  beforeEach(async () => {
    await changeSetting(fresh.db, system(), 'rfc', OWN_RFC);
    const user = await addUser(fresh.db, { roles: [2] });
    userId = user.id;
    client = await createTestApp({ db: fresh.db }).as(user);
    supplierId = await addSupplier(fresh.db, { suppliername: 'Aceros Tepeyac', rfc: 'ACE010203AB4' });
  });

  const send = (...lines: (MetadataLine | string)[]) =>
    client.files(
      '/fiscal/metadatos',
      { file: ['octubre.txt', buildMetadataFile(lines).bytes] },
      { mes: '2026-10' },
    );
  const sendToApi = (...lines: MetadataLine[]) =>
    client.files('/api/fiscal/metadatos', { file: ['octubre.txt', buildMetadataFile(lines).bytes] });
  const subjects = async (mes: string) => (await client.get(`/api/fiscal/?mes=${mes}`)).json();
  const textOf = async (address: string) => wordsOf((await readPage(await client.get(address))).decodedHtml);

  it('says how the groups add up, and what there is to do', async () => {
    const id = await addInvoice(fresh.db, { supplierId, uuid, numfactura: 'A-1' });
    await addPayment(fresh.db, { facturaproveedorId: id, amountCents: 50_000, userId });
    const sent = await send(
      { uuid, cancelado: '2026-10-30' },
      { uuid: createMetadataUuid(2), monto: '5' },
      { uuid: 'x' },
    );
    expect(sent.headers.get('location')).toBe(PAGE);
    const text = await textOf(PAGE);
    expect(text).toContain('2 CFDI leídos: 2 nuevos, 0 con novedades. Uno que está en Saldo está cancelado.');
    expect(text).toContain('Un renglón no se entiende y se dejó fuera: línea 4: «x» no es un UUID.');
    expect(text).toMatch(
      /Iguales \(1\).*\$1,160\.00.*Faltan en Saldo \(1\).*\$5\.00.*SAT \(2\).*\$1,165\.00/s,
    );
    expect(text).toContain('Uno ya tiene pagos: $500.00');
    expect(text).toContain('octubre.txt: 2 CFDI');
    expect(await textOf('/fiscal?mes=2026-10')).toMatch(
      /Cruce con el SAT\s+Con pendientes\s+2 CFDI en el SAT\s+\$1,165\.00/,
    );
    expect(await textOf('/fiscal/cancelados')).toContain('Factura A-1');
    const equal = await readPage(await client.get(`${PAGE}&que=iguales`));
    expect(equal.links('Cancelado, pagado')).toEqual([`${PAGE}&que=cancelados`]);
  });

  it('lists what fits an invoice without UUID once, among those to be linked', async () => {
    await addInvoice(fresh.db, { supplierId, numfactura: 'A-1', fechaemision: '2026-10-05' });
    await send({ uuid, monto: '1160' }, { uuid: createMetadataUuid(2), monto: '5' });
    const text = await textOf(PAGE);
    expect(text).toMatch(
      /Faltan en Saldo \(2\).*Sin UUID en Saldo: 1 por \$1,160\.00.*Faltan en Saldo: 1 por \$5\.00/s,
    );
    expect(text).toContain('Otro más coincide con una factura sin UUID: Sin UUID en Saldo .');
    const { temas } = await subjects('2026-10');
    expect(temas[0].pendientes.map(({ cuenta }: { cuenta: number }) => cuenta)).toEqual([1, 1]);
  });

  it('tells a cancelled one with what replaces it, and counts what was paid of it as no loss', async () => {
    const id = await addInvoice(fresh.db, { supplierId, uuid, numfactura: 'A-1' });
    await addPayment(fresh.db, { facturaproveedorId: id, amountCents: 50_000, userId });
    await send({ uuid, cancelado: '2026-10-30' });
    expect(await textOf('/fiscal/cancelados')).toContain('Uno ya tiene pagos: $500.00');
    await fresh.db
      .insertInto('document_relations')
      .values({
        uuid: createMetadataUuid(2),
        replacedUuid: uuid,
        kind: 'I',
        numero: 'F-2',
        rfc: 'ACE010203AB4',
      })
      .execute();
    const text = await textOf('/fiscal/cancelados');
    expect(text).toContain('De ninguno sin sustituto se ha pagado nada.');
    expect(text).toContain('1 sustituido por otro CFDI: no es pérdida.');
    expect(text).toContain(`Lo sustituye ${createMetadataUuid(2)}`);
  });

  it('stands beside the other subjects of the month, each with its state', async () => {
    const id = await addInvoice(fresh.db, {
      supplierId,
      metodopago: 'PPD',
      uuid,
      fechaemision: '2026-10-05',
    });
    await addPayment(fresh.db, {
      facturaproveedorId: id,
      amountCents: 50_000,
      userId,
      paymentdate: '2026-10-06',
    });
    const { links, decodedHtml } = await readPage(await client.get('/fiscal/diot?mes=2026-10'));
    expect(links('‹ Fiscal')).toEqual(['/fiscal?mes=2026-10']);
    expect(decodedHtml).toMatch(/<a href="\/fiscal" aria-current="true">/);
    const { temas } = await subjects('2026-10');
    expect(temas.map(({ tema, cuenta, estado }: Record<string, unknown>) => [tema, cuenta, estado])).toEqual([
      ['cruce', 0, 'abierto'],
      ['rep', 1, 'abierto'],
      ['lista69b', 0, 'abierto'],
      ['diot', 1, 'pendientes'],
      ['retenciones', 0, 'abierto'],
      ['polizas', 2, 'cuadrado'],
    ]);
    expect((await subjects('2026-08')).temas[5]).toMatchObject({ cuenta: 0, estado: 'abierto' });
    expect((await subjects('2026-12')).temas[1]).toMatchObject({
      ...{ tema: 'rep', cuenta: 1, total: 500, estado: 'pendientes' },
      pendientes: [{ nombre: 'Vencidos', cuenta: 1 }],
    });
    expect(await textOf('/fiscal?mes=2026-10')).toMatch(
      /Cruce con el SAT\s+Abierto\s+Sin metadatos del mes\s+–\s+Cargar los metadatos.*Retenciones\s+Abierto\s+0 retenciones esperadas\s+\$0\.00\s+1 pago sin revisar/s,
    );
    expect(await textOf('/fiscal?mes=2026-10')).toMatch(
      /REP pendientes\s+Los de este mes, hasta el Thu, 05 Nov 2026\s+En plazo\s+1 pago sin REP\s+\$500\.00\s+Pedir los REP.*DIOT\s+Hasta el Mon, 30 Nov 2026/,
    );
    expect(await textOf('/fiscal?mes=2026-12')).toMatch(/REP pendientes .* Urgente 1 pago sin REP/);
  });

  it('is square once all is on file, and open before anything is known', async () => {
    await addInvoice(fresh.db, { supplierId, uuid });
    expect(await textOf('/fiscal?mes=2026-10')).toContain('Abierto');
    expect(await textOf(PAGE)).toMatch(
      /Faltan los metadatos de octubre de 2026\s+El cruce compara .* Elegir archivo/s,
    );
    await send({ uuid }, { uuid: createMetadataUuid(2), cancelado: '2026-10-30' });
    expect(await textOf('/fiscal?mes=2026-10')).toContain('Cuadrado');
    expect(await textOf('/fiscal/cancelados')).toContain('Ningún CFDI cancelado');
  });

  it('asks for the RFC of the firm where there is none', async () => {
    await changeSetting(fresh.db, system(), 'rfc', '');
    for (const address of ['/fiscal', PAGE])
      expect(await textOf(address)).toContain('Falta el RFC de la empresa');
    expect((await client.get('/api/fiscal/cruce?mes=2026-10')).status).toBe(409);
  });

  it('explains a file that is something else, and keeps the month', async () => {
    const { status, decodedHtml } = await readPage(
      await client.files('/fiscal/metadatos', { file: ['a.txt', Buffer.from('hola')] }, { mes: '2026-10' }),
    );
    expect(status).toBe(422);
    const text = wordsOf(decodedHtml);
    expect(text).toContain('No son metadatos del SAT');
    expect(text).toContain('octubre de 2026');
    const ofNoMonth = await client.files('/fiscal/metadatos', {}, { mes: 'ayer' });
    expect([ofNoMonth.status, (await readPage(ofNoMonth)).decodedHtml]).toEqual([
      422,
      expect.stringContaining('noviembre de 2026'),
    ]);
    const nothing = await client.files('/fiscal/metadatos', {}, { mes: '2026-10' });
    expect(wordsOf((await readPage(nothing)).decodedHtml)).toContain('Elige el archivo de metadatos.');
  });

  it('refuses what is no month', async () => {
    expect((await client.get('/api/fiscal/cruce?mes=2026-13')).status).toBe(400);
    expect((await client.get('/fiscal/cruce/export.csv?mes=ayer')).status).toBe(400);
  });

  it('shows one group, and exports it', async () => {
    await send(...[1, 2, 3].map((n) => ({ uuid: createMetadataUuid(n), monto: `${n}` })));
    expect(await textOf(`${PAGE}&que=faltan`)).toMatch(/Faltan en Saldo: 3 por \$6\.00/);
    const csv = await (await client.get('/fiscal/cruce/export.csv?mes=2026-10&que=faltan')).text();
    expect(csv.split('\r\n').filter((line) => line.includes('Aceros Tepeyac'))).toHaveLength(3);
  });

  it('tells of cancelled invoices on the bell, with those that were paid', async () => {
    const notices = async () =>
      (await readNotices(fresh.db, [2], await readSettings(fresh.db), DAY)).filter(
        ({ key }) => key === 'cancelados',
      );
    const ids = [await addInvoice(fresh.db, { supplierId, uuid })];
    ids.push(await addInvoice(fresh.db, { supplierId, uuid: createMetadataUuid(2) }));
    await addPayment(fresh.db, { facturaproveedorId: ids[0]!, amountCents: 100, userId });
    await send({ uuid }, { uuid: createMetadataUuid(2) });
    expect(await notices()).toEqual([]);
    await send({ uuid, cancelado: '2026-10-30' }, { uuid: createMetadataUuid(2), cancelado: '2026-10-31' });
    expect(await notices()).toEqual([
      expect.objectContaining({
        ...{ label: '2 facturas canceladas en el SAT, 1 ya con pagos', href: '/fiscal/cancelados', count: 2 },
        newest: { day: '2026-10-31', id: ids[1] },
      }),
    ]);
    expect(await readNotices(fresh.db, [4], await readSettings(fresh.db), DAY)).toEqual(
      expect.not.arrayContaining([expect.objectContaining({ key: 'cancelados' })]),
    );
    expect((await countCancelledInvoices(fresh.db)).paid).toBe(1);
  });

  it('gives the state of an invoice by API', async () => {
    const id = await addInvoice(fresh.db, { supplierId, uuid });
    const read = async () => (await (await client.get(`/api/facturaproveedores/${id}`)).json()).sat;
    expect(await read()).toBeNull();
    await sendToApi({ uuid });
    expect(await read()).toEqual({ estatus: 'vigente', visto: '2026-10-05', fechaCancelacion: null });
    await sendToApi({ uuid, cancelado: '2026-10-30' });
    expect(await read()).toEqual({
      ...{ estatus: 'cancelado', visto: '2026-10-30', fechaCancelacion: '2026-10-30' },
    });
  });
});

describe('an invoice without UUID', () => {
  const fresh = useFreshDatabase('sqlite');
  let client: TestClient;
  let id: number;

  beforeEach(async () => {
    await changeSetting(fresh.db, system(), 'rfc', OWN_RFC);
    client = await createTestApp({ db: fresh.db }).as([1]);
    const supplierId = await addSupplier(fresh.db, { rfc: 'ACE010203AB4' });
    id = await addInvoice(fresh.db, { supplierId, fechaemision: '2026-10-07', numfactura: 'A-7' });
    const file: [string, Buffer] = ['a.txt', buildMetadataFile([{ uuid }]).bytes];
    await client.files('/fiscal/metadatos', { file }, {});
  });

  const link = (more: object = {}) =>
    client.post('/api/fiscal/cruce/ligar', { uuid, facturaproveedorId: id, version: 1, ...more });
  const stored = async () => (await readRow(fresh.db, 'invoices', { id }, ['uuid'])).uuid;

  it('is linked by one press', async () => {
    const page = await (await client.get(PAGE)).text();
    expect(page).toContain('Ligar la factura A-7 con su CFDI');
    const sent = await client.form('/fiscal/cruce/ligar', {
      uuid,
      factura: String(id),
      version: '1',
      mes: '2026-10',
    });
    expect([sent.status, sent.headers.get('location')]).toEqual([303, PAGE]);
    expect(await stored()).toBe(uuid);
    expect(await (await client.get(PAGE)).text()).toContain(`action="/editinvoicepage/${id}/desligar"`);
    const { iguales, sinUuid } = await (await client.get('/api/fiscal/cruce?mes=2026-10')).json();
    expect([iguales.cuenta, sinUuid.cuenta]).toEqual([1, 0]);
  });

  it('keeps the amounts of its CFDI from then on, until it is unlinked', async () => {
    expect(await (await link()).json()).toEqual({ facturaproveedorId: id, uuid, version: 2 });
    const changed = await client.put(`/api/facturaproveedores/${id}`, { subtotal: 2, version: 2 });
    expect((await changed.json()).code).toBe('cfdi_locked');
    await client.form(`/editinvoicepage/${id}/desligar`, { version: '2' });
    expect(await stored()).toBeNull();
    expect((await link({ version: 3 })).status).toBe(200);
  });

  it.each<[string, object, number, string]>([
    ['another version', { version: 7 }, 409, 'stale'],
    ['a UUID that no file has', { uuid: createMetadataUuid(9) }, 404, 'not_found'],
    ['no UUID', { uuid: '' }, 422, 'invalid'],
    ['another invoice', { facturaproveedorId: 99 }, 404, 'not_found'],
  ])('is not linked with %s', async (_title, more, status, code) => {
    const answer = await link(more);
    expect([answer.status, (await answer.json()).code]).toEqual([status, code]);
    expect(await stored()).toBeNull();
  });

  it.each<[string, string, object]>([
    ['total', 'invoices', { otrosimpuestosCents: 1, totalCents: 116_001 }],
    ['day', 'invoices', { fechaemision: '2026-11-01' }],
    ['RFC', 'suppliers', { rfc: 'OTR010203AB4' }],
    ['state at the SAT', 'sat_documents', { canceladoVisto: '2026-10-30' }],
  ])('is not linked once its %s is another', async (_name, table, values) => {
    await fresh.db
      .updateTable(table as 'invoices')
      .set(values)
      .execute();
    const answer = await link();
    expect([answer.status, (await answer.json()).code]).toEqual([422, 'bad_value']);
    expect(await stored()).toBeNull();
  });

  it('is not linked with the CFDI of another invoice or expense', async () => {
    await addInvoice(fresh.db, { uuid });
    expect((await (await link()).json()).code).toBe('uuid_taken');
    expect(await stored()).toBeNull();
  });
});
