import { expect, it } from 'vitest';
import { readZip } from '../../../../server/formats/cfdi/zip.ts';
import { createZip } from '../../../../server/formats/zip/writing.ts';
import { importCfdi } from '../../../../server/services/documents/import.ts';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { createTestApp, type TestClient } from '../../../support/app.ts';
import {
  buildCfdi,
  buildCreditNote,
  buildReceipt,
  buildReplacements,
  bytesOf,
} from '../../../support/cfdi.ts';
import { buildPdf } from '../../../support/files.ts';
import { readPage } from '../../../support/page.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import {
  addInvoice,
  addJob,
  addRubro,
  addSupplier,
  addUser,
  createActor,
  TODAY,
} from '../../../support/rows.ts';

const LOAD = '/new-invoice/xml';
const uuidOf = (n: number) => `AAAAAAAA-1111-4222-8333-${String(n).padStart(12, '0')}`;
const xmlOf = (n: number) => bytesOf(buildCfdi({ uuid: uuidOf(n), root: { Folio: String(n) } }));
const fileOf = (n: number) => [`Factura ${n}.xml`, xmlOf(n)] as const;

describeOneDatabase('Cargar XML with many files', (fresh) => {
  const arrange = async () => {
    const app = createTestApp({ db: fresh.db });
    const jobId = await addJob(fresh.db, { jobtitle: 'Torre Norte' });
    const other = await addJob(fresh.db, { jobtitle: 'Plaza Sur' });
    return {
      app,
      client: await app.as(4),
      jobId,
      other,
      rubroId: await addRubro(fresh.db, { nombrerubro: 'Acero' }),
    };
  };
  const invoices = () => fresh.db.selectFrom('invoices').selectAll().orderBy('numfactura').execute();
  const attachments = () => fresh.db.selectFrom('attachments').selectAll().orderBy('filename').execute();
  const uploads = () =>
    fresh.db.selectFrom('uploads').select(['id', 'filename']).orderBy('filename').execute();
  const uploadOf = async (name: string) => (await uploads()).find(({ filename }) => filename === name)!.id;
  /** Uploads the files, and follows to the page of the load. */
  const send = async (client: TestClient, files: (readonly [string, Uint8Array])[]) => {
    const sent = await client.files(LOAD, { xml: files });
    const address = sent.headers.get('location') ?? '';
    return { sent, address, page: await readPage(sent.status === 303 ? client.get(address) : sent) };
  };
  /** The documents that the form has ticked: all that can be stored. */
  const posted = (html: string) =>
    [...html.matchAll(/name="guardar" checked="" value="([\w-]+)"|name="guardar" value="([\w-]+)"/g)].map(
      ([, one, other]) => (one ?? other)!,
    );
  const save = async (
    client: TestClient,
    { address, page }: Awaited<ReturnType<typeof send>>,
    fields: Record<string, string | number>,
    ids = posted(page.decodedHtml),
  ) => {
    const body = new URLSearchParams();
    for (const [name, value] of Object.entries({ idempotencyKey: page.value('idempotencyKey')!, ...fields }))
      body.append(name, String(value));
    for (const id of ids) body.append('guardar', id);
    return client.send(address, { method: 'POST', body });
  };

  it('shows one review for all: what each is and what will become of it', async () => {
    const { client, jobId } = await arrange();
    const supplierId = await addSupplier(fresh.db, { suppliername: 'Escuela', rfc: 'EKU9003173C9' });
    const { id: userId } = await addUser(fresh.db);
    const known = [{ name: 'x.xml', bytes: xmlOf(3) }];
    await importCfdi(fresh.db, createActor({ userId }), known, { jobId });
    await addInvoice(fresh.db, { jobId, supplierId, numfactura: 'A-2', subtotalCents: 100_000 });
    const { sent, address, page } = await send(client, [
      fileOf(1),
      fileOf(2),
      fileOf(3),
      ['nota.xml', bytesOf(buildCreditNote([uuidOf(1)], { uuid: uuidOf(50) }))],
      ['rep.xml', bytesOf(buildReceipt({ uuid: uuidOf(51), doctos: [{ amount: '50.00', of: uuidOf(1) }] }))],
      ['nada.xml', Buffer.from('<html></html>')],
      ['sustituye.xml', bytesOf(buildCfdi({ uuid: uuidOf(52), relacionados: buildReplacements(uuidOf(3)) }))],
      ['descuadrado.xml', bytesOf(buildCfdi({ uuid: uuidOf(53), root: { Total: '2160.00', Folio: '53' } }))],
    ]);
    expect(sent.status).toBe(303);
    expect(address).toMatch(/^\/new-invoice\/xml\/[\w-]{32}$/);
    expect(page.decodedHtml).toContain(
      '8 documentos: 1 factura nueva por $1,160.00; 2 se ligan a facturas que ya están; 1 nota de crédito; 1 recibo de pago; 1 ya estaba; 2 no se guardan.',
    );
    expect(posted(page.decodedHtml)).toHaveLength(5);
    for (const remarks of [
      'Es una página web (HTML), no un XML.',
      'Se ligó a la factura A-2 sin fecha, que no tenía UUID; el CFDI es la A-2 del martes 5 de marzo de 2024.',
      `Sustituye al CFDI ${uuidOf(3)} de la factura A-3: $1,160.00 → $1,160.00.`,
      'no cuadra con sus partes',
    ])
      expect(page.decodedHtml).toContain(remarks);
    // A document's own page can allow what it was refused for.
    const [alone] = page.links('A-53');
    expect((await readPage(client.get(alone!))).decodedHtml).toContain('Acepto el total del documento');
  });

  it('says briefly in each row why it is not stored, and summarises this above', async () => {
    const { client } = await arrange();
    await changeSetting(fresh.db, createActor(), 'cierre', '2024-12-31');
    await addSupplier(fresh.db, { rfc: 'EKU9003173C9' });
    const { page } = await send(
      client,
      Array.from({ length: 8 }, (_, n) => fileOf(n)),
    );
    const short =
      'El martes 5 de marzo de 2024 es de un periodo cerrado (hasta el martes 31 de diciembre de 2024).';
    const [above = '', ...rows] = page.decodedHtml.split('<tr').map((row) => row.split(short).length - 1);
    expect(above).toBe(1);
    expect(rows.filter((count) => count === 1)).toHaveLength(8);
    expect(page.decodedHtml.split('No se importa:')).toHaveLength(2);
  });

  it('stores all with one confirmation, with one job and rubro or those of each document, and shows the outcomes', async () => {
    const { client, jobId, other, rubroId } = await arrange();
    const shown = await send(client, [fileOf(1), fileOf(2), fileOf(3)]);
    expect(shown.page.decodedHtml).toContain('se dará de alta Escuela Kemper');
    const second = await uploadOf('Factura 2.xml');
    const saved = await save(client, shown, {
      jobId,
      rubroId,
      fecharecepcion: TODAY,
      createSupplier: 'on',
      [`jobtitle-${second}`]: 'plaza sur',
    });
    expect([saved.status, saved.headers.get('location')]).toEqual([303, shown.address]);
    const page = await readPage(client.follow(saved));
    expect(page.alerts).toEqual(['success: Se guardaron 3 documentos.']);
    const stored = await invoices();
    expect(stored.map((one) => [one.numfactura, one.jobId, one.rubroId, one.fecharecepcion])).toEqual([
      ['A-1', jobId, rubroId, TODAY],
      ['A-2', other, rubroId, TODAY],
      ['A-3', jobId, rubroId, TODAY],
    ]);
    expect(page.links('A-2')).toEqual([`/editinvoicepage/${stored[1]!.id}`]);
    expect(await uploads()).toEqual([]);
    expect((await attachments()).map(({ filename }) => filename)).toEqual([
      'Factura 1.xml',
      'Factura 2.xml',
      'Factura 3.xml',
    ]);
    // After a reload the page is the same; a second click stores nothing more.
    expect((await readPage(client.get(shown.address))).decodedHtml).toContain('3 documentos guardados');
    const again = await save(client, shown, {
      jobId,
      rubroId,
      fecharecepcion: TODAY,
      createSupplier: 'on',
      [`jobtitle-${second}`]: 'plaza sur',
    });
    expect([again.status, again.headers.get('location')]).toEqual([303, shown.address]);
    expect(await invoices()).toHaveLength(3);
    // A window with the old list is told the outcome.
    const late = await readPage(save(client, shown, { jobId, idempotencyKey: 'otra' }));
    expect(late.status).toBe(409);
    expect(late.alerts).toContain('error: Estos documentos ya no están por guardar.');
  });

  it('keeps what was refused or not ticked, with its reason, to be downloaded as a zip and tried again', async () => {
    const { client, jobId } = await arrange();
    const shown = await send(client, [fileOf(1), fileOf(2), ['nada.xml', Buffer.from('<html></html>')]]);
    const first = await uploadOf('Factura 1.xml');
    const refused = await save(client, shown, { jobId }, [first!]);
    const page = await readPage(client.follow(refused));
    expect(page.alerts).toEqual(['success: Se guardaron 0 documentos; 1 no se guardó.']);
    expect(page.decodedHtml).toContain(
      'La vez pasada no se guardó: No hay un proveedor con el RFC EKU9003173C9',
    );
    const zip = await client.get(page.links(/Descargar/)[0]!);
    expect(zip.headers.get('content-disposition')).toContain('CFDI sin guardar.zip');
    const names: string[] = [];
    for await (const { name } of readZip(Buffer.from(await zip.arrayBuffer()), 'z')) names.push(name);
    expect(names).toEqual(['z/Factura 1.xml', 'z/Factura 2.xml', 'z/nada.xml']);
    const second = await uploadOf('Factura 2.xml');
    const ofrecidos = [first, second].join();
    const other = await save(client, { ...shown, page }, { jobId, createSupplier: 'on', ofrecidos }, [
      second,
    ]);
    const left = await readPage(client.follow(other));
    expect(left.decodedHtml).toContain(
      'La vez pasada no se guardó: No hay un proveedor con el RFC EKU9003173C9',
    );
    expect(left.decodedHtml).not.toContain(`checked="" value="${first}"`);
    const stored = await save(client, { ...shown, page: left }, { jobId }, [first!]);
    expect(stored.status).toBe(303);
    expect((await invoices()).map(({ numfactura }) => numfactura)).toEqual(['A-1', 'A-2']);
    expect((await uploads()).map(({ filename }) => filename)).toEqual(['nada.xml']);
  });

  it('needs a job if an invoice is new, and says at the field which name is unknown', async () => {
    const { client, jobId } = await arrange();
    await addSupplier(fresh.db, { rfc: 'EKU9003173C9' });
    const shown = await send(client, [fileOf(1), fileOf(2)]);
    const [first, second] = [await uploadOf('Factura 1.xml'), await uploadOf('Factura 2.xml')];
    const fields = { [`jobtitle-${first}`]: '', [`jobtitle-${second}`]: '' };
    const none = await readPage(save(client, shown, { fecharecepcion: TODAY, ...fields }));
    expect([none.status, none.alerts]).toEqual([422, ['error: Elige la obra de las facturas.']]);
    const wrong = await readPage(
      save(client, shown, { jobId, [`jobtitle-${first}`]: 'Torre Nada', [`nombrerubro-${second}`]: '' }, [
        first!,
      ]),
    );
    expect([wrong.status, wrong.errors]).toEqual([422, ['No existe la obra «Torre Nada».']]);
    expect(wrong.value(`jobtitle-${first}`)).toBe('Torre Nada');
    expect(posted(wrong.decodedHtml)).toHaveLength(2);
    const unticked = await readPage(save(client, shown, { jobId }, []));
    expect([unticked.status, unticked.alerts]).toEqual([
      422,
      ['error: Marca los documentos que quieres guardar.'],
    ]);
    expect(await invoices()).toEqual([]);
    // A job for each document suffices.
    const own = { [`jobtitle-${first}`]: 'Torre Norte', [`jobtitle-${second}`]: 'Plaza Sur' };
    expect((await save(client, shown, own)).status).toBe(303);
    expect(await invoices()).toHaveLength(2);
  });

  it('proposes, with a mark, what is usual with a supplier, and lets one obra replace all proposals', async () => {
    const { client, jobId, other, rubroId } = await arrange();
    const supplierId = await addSupplier(fresh.db, { rfc: 'EKU9003173C9' });
    for (let n = 0; n < 3; n++)
      await addInvoice(fresh.db, { jobId: other, rubroId, supplierId, fechaemision: '2020-01-01' });
    const shown = await send(client, [fileOf(1), fileOf(2)]);
    const [first, second] = [await uploadOf('Factura 1.xml'), await uploadOf('Factura 2.xml')];
    expect(shown.page.value(`jobtitle-${first}`)).toBe('Plaza Sur');
    expect(shown.page.decodedHtml).toContain('Propuesta, por sus tres últimas facturas.');
    const rows = (id: string) => ({
      [`jobtitle-${id}`]: 'Plaza Sur',
      [`propuesta-jobtitle-${id}`]: 'Plaza Sur',
      [`nombrerubro-${id}`]: 'Acero',
      [`propuesta-nombrerubro-${id}`]: 'Acero',
    });
    // The choice in a row overrides the common one.
    expect((await save(client, shown, { jobId, ...rows(first) }, [first])).status).toBe(303);
    const stored = async (numfactura: string) =>
      (await invoices()).find((one) => one.numfactura === numfactura);
    expect(await stored('A-1')).toMatchObject({ jobId: other, rubroId });
    const page = await readPage(client.get(shown.address));
    const over = { jobId, sobrePropuestas: 'on', ...rows(second) };
    expect((await save(client, { ...shown, page }, over, [second])).status).toBe(303);
    expect(await stored('A-2')).toMatchObject({ jobId, rubroId: null });
  });

  it('accepts zips, and the PDF of the same name, and reports what is no document', async () => {
    const { client, jobId } = await arrange();
    await addSupplier(fresh.db, { rfc: 'EKU9003173C9' });
    const zip = await createZip([
      { name: 'norte/A.xml', bytes: xmlOf(1) },
      { name: 'norte/A.pdf', bytes: buildPdf('uno') },
      { name: 'sur/A.xml', bytes: xmlOf(2) },
      { name: 'sola.pdf', bytes: buildPdf('sola') },
      { name: 'leeme.txt', bytes: Buffer.from('hola') },
      { name: 'dentro.zip', bytes: Buffer.from('PK') },
    ]);
    const shown = await send(client, [
      ['facturas.zip', zip],
      ['roto.zip', zip.subarray(0, 60)],
      ['B.pdf', buildPdf('b')],
      ['b.xml', xmlOf(3)],
    ]);
    expect(shown.page.alerts.join(' ')).toMatch(/roto\.zip: El zip está dañado o incompleto\./);
    expect(shown.page.alerts.join(' ')).toMatch(/sola\.pdf: Es un PDF sin el XML del mismo nombre/);
    expect(shown.page.alerts.join(' ')).toMatch(/dentro\.zip: /);
    await save(client, shown, { jobId });
    const numbers = new Map((await invoices()).map(({ id, numfactura }) => [id, numfactura]));
    expect((await attachments()).map((one) => [one.filename, numbers.get(one.invoiceId!)])).toEqual([
      ['A (2).xml', 'A-2'],
      ['A.pdf', 'A-1'],
      ['A.xml', 'A-1'],
      ['B.pdf', 'A-3'],
      ['b.xml', 'A-3'],
    ]);
  });

  it('says once what is true of many, with how many and which, before and after they are stored', async () => {
    const { client, jobId } = await arrange();
    await addSupplier(fresh.db, { rfc: 'EKU9003173C9' });
    // All are of the old version; two are not stamped.
    const files = Array.from({ length: 8 }, (_, n) => {
      const root = { Folio: String(n), Fecha: `2010-0${n + 1}-11T09:00:00` };
      const xml = buildCfdi({ version: '3.2', uuid: n < 2 ? null : uuidOf(n), root });
      return [`${n}.xml`, bytesOf(xml)] as const;
    });
    const shown = await send(client, files);
    const shownRemarks = ({ alerts, decodedHtml }: typeof shown.page) => {
      const count = (text: string) => decodedHtml.split(`>${text}`).length - 1;
      expect(alerts.join()).toMatch(
        /En 8 documentos: Es un CFDI 3\.2, versión que dejó de usarse en 2017\.Ver cuálesA-0, A-1, .*A-7/,
      );
      expect([count('No está timbrado'), count('Es un CFDI 3.2')]).toEqual([2, 0]);
    };
    shownRemarks(shown.page);
    expect((await save(client, shown, { jobId })).status).toBe(303);
    shownRemarks(await readPage(client.get(shown.address)));
  });

  it('decides only about what it shows, and does not tick again what was left unticked', async () => {
    const { client, jobId, rubroId } = await arrange();
    await addSupplier(fresh.db, { rfc: 'EKU9003173C9' });
    const receipt = buildReceipt({ uuid: uuidOf(900), doctos: [{ amount: '50.00', of: uuidOf(1) }] });
    const files = [
      ['a recibo.xml', bytesOf(receipt)] as const,
      ...Array.from({ length: 60 }, (_, n) => fileOf(n + 1)),
    ];
    const shown = await send(client, files);
    expect(shown.page.decodedHtml).toContain('61 documentos: 60 facturas nuevas');
    expect(shown.page.decodedHtml).toContain('Aquí están del 1 al 50 de 61.');
    expect(shown.page.links('Anteriores')).toEqual([]);
    const next = await readPage(client.get(shown.page.links('Siguientes')[0]!));
    expect(next.decodedHtml).toContain('Aquí están del 51 al 61 de 61.');
    // No document is listed twice; the receipt follows the invoices, whatever its name.
    expect(new Set([...posted(shown.page.decodedHtml), ...posted(next.decodedHtml)]).size).toBe(61);
    expect(next.rows.at(-1)?.[1]).toContain('Recibo de pago');
    const [first, second, ...others] = posted(shown.page.decodedHtml);
    const action = `${shown.address}?desde=0`;
    const wrong = await readPage(
      save(client, { ...shown, address: action }, { [`jobtitle-${others[0]}`]: 'Torre Nada' }, others),
    );
    expect([wrong.status, posted(wrong.decodedHtml).length]).toEqual([422, 50]);
    expect(wrong.decodedHtml).not.toContain(`checked="" value="${first}"`);
    const saved = await save(
      client,
      { ...shown, address: action },
      {
        jobId,
        rubroId,
        fecharecepcion: TODAY,
        ofrecidos: [first, second, ...others].join(),
      },
      others,
    );
    expect(saved.status).toBe(303);
    expect(await invoices()).toHaveLength(48);
    // One page remains: choices are kept, and the unticked documents come last.
    const rest = await readPage(client.get(saved.headers.get('location')!));
    expect(rest.value('jobId')).toBe(String(jobId));
    expect(rest.value('rubroId')).toBe(String(rubroId));
    expect(rest.decodedHtml).not.toContain('Aquí están');
    const ids = posted(rest.decodedHtml);
    expect([ids.length, ...ids.slice(-2)]).toEqual([13, first, second]);
    const ticked = [...rest.decodedHtml.matchAll(/name="guardar" checked="" value="([\w-]+)"/g)].map(
      ([, id]) => id!,
    );
    expect(ticked).toEqual(ids.slice(0, -2));
    expect((await save(client, { ...shown, page: rest }, { jobId }, ticked)).status).toBe(303);
    expect((await uploads()).map(({ id }) => id).sort()).toEqual([first!, second!].sort());
  });

  it('treats the next part like the one before: emptied fields, unticked rows, and questions that were not asked', async () => {
    const { client, jobId } = await arrange();
    await addSupplier(fresh.db, { rfc: 'EKU9003173C9' });
    const emisor = { Rfc: 'CACX7605101P8', Nombre: 'Xochilt' };
    const fresher = (n: number) =>
      [
        `Nueva ${n}.xml`,
        bytesOf(buildCfdi({ uuid: uuidOf(n), emisor, root: { Folio: String(n) } })),
      ] as const;
    const shown = await send(client, [
      // All invoices but the first have a lookalike, and are listed before it.
      ...Array.from({ length: 51 }, (_, n) => fileOf(n + 1)),
      ...Array.from({ length: 51 }, (_, n) => fresher(n + 100)),
    ]);
    const part = async (page: typeof shown.page, fields: Record<string, string | number>, ids: string[]) => {
      const [, action] = /action="([^"]*desde=[^"]*)"/.exec(page.decodedHtml)!;
      const hidden = {
        ofrecidos: page.value('ofrecidos')!,
        ...(/type="hidden" name="createSupplier"/.test(page.decodedHtml) && { createSupplier: 'on' }),
      };
      const address = action!.replaceAll('&amp;', '&');
      const saved = await save(client, { ...shown, page, address }, { ...hidden, ...fields }, ids);
      return readPage(client.follow(saved));
    };
    const createsSuppliers = ({ decodedHtml }: typeof shown.page) =>
      /name="createSupplier"( checked="")?/.exec(decodedHtml)?.[1];
    expect(/type="checkbox" name="createSupplier"/.test(shown.page.decodedHtml)).toBe(false);
    const second = await part(shown.page, { jobId, fecharecepcion: '' }, posted(shown.page.decodedHtml));
    expect([second.value('jobId'), second.value('fecharecepcion')]).toEqual([String(jobId), '']);
    expect(createsSuppliers(second)).toBeDefined();
    const third = await part(second, { jobId, fecharecepcion: '' }, posted(second.decodedHtml).slice(0, 1));
    expect([third.value('jobId'), third.value('fecharecepcion')]).toEqual([String(jobId), '']);
    expect(createsSuppliers(third)).toBeUndefined();
    // Beyond the end the last part is shown.
    const beyond = await readPage(client.get(`${shown.address}?desde=400`));
    expect(/Aquí están[^<]*/.exec(beyond.decodedHtml)?.[0]).toMatch(/^Aquí están del 51 al 51 de 51\./);
  });

  it('leads one XML with its PDF to the form, whichever control they came by', async () => {
    const { client } = await arrange();
    const { address, page } = await send(client, [
      ['A.pdf', buildPdf()],
      ['A.xml', xmlOf(1)],
    ]);
    expect(address).toMatch(/^\/new-invoice\?cfdi=[\w-]{32}&pdf=[\w-]{32}$/);
    expect(page.value('numfactura')).toBe('A-1');
  });

  it('shows nobody the load of another user', async () => {
    const { app, client } = await arrange();
    const { address } = await send(client, [fileOf(1), fileOf(2)]);
    const other = await app.as(4);
    const page = await readPage(other.get(address));
    expect([page.status, page.alerts]).toEqual([
      404,
      ['error: Estos archivos ya no están: vuelve a elegirlos.'],
    ]);
  });
});
