import { beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../../../../db/schema.ts';
import { createTestApp, type TestClient } from '../../../support/app.ts';
import { type PageContent, readPage } from '../../../support/page.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { addJob, addSupplier } from '../../../support/rows.ts';
import { buildWorkbook, formatSheetRow } from '../../../support/tables.ts';
import { createUploadForm } from '../../../support/upload.ts';

const GONE = 'error: El archivo ya no está: ya se importó, o pasaron 48 horas. Vuelve a elegirlo.';
const HEADINGS = 'Proveedor,Obra,No. factura,Fecha emisión,Subtotal,Tasa,Total';
const csv = (...rows: string[]) => `${[HEADINGS, ...rows].join('\n')}\n`;
const GOOD = [
  'Aceros del Bajío,Torre Roble,A-1,25/11/2026,"$1,000.00",16,"$1,160.00"',
  'ACEROS DEL BAJIO,Torre Roble,A-2,26/11/2026,500.00,16,580.00',
];

/** Uploads a file. @returns the address of its page, and the page */
async function upload(
  client: TestClient,
  text: string | Uint8Array<ArrayBuffer>,
  kind = 'invoices',
  name = 'facturas.csv',
) {
  const response = await client.send('/importar', createUploadForm({ name, text }, { kind }));
  const address = response.headers.get('location') ?? '';
  return { response, address, page: await readPage(client.get(address)) };
}

const path = (address: string) => address.split('?')[0]!;
const with_ = (address: string, more: Record<string, string>) =>
  `${address}&${new URLSearchParams(more).toString()}`;

/** Presses the button of a page that offers to import. */
const importIt = (client: TestClient, address: string, page: PageContent) =>
  client.form(address, { idempotencyKey: page.value('idempotencyKey') });

const countInvoices = async (db: Db) =>
  Number(
    (
      await db
        .selectFrom('invoices')
        .select(({ fn }) => fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  );

const addNames = async (db: Db) => {
  await addSupplier(db, { suppliername: 'Aceros del Bajío' });
  await addJob(db, { jobtitle: 'Torre Roble' });
};

describeOneDatabase('importing', (fresh) => {
  let client: TestClient;
  beforeEach(async () => {
    client = await createTestApp({ db: fresh.db }).as(4);
  });

  describe('a table of invoices', () => {
    it('with rows that its sheet hides says how many, and leaves them out if a box is ticked', async () => {
      await addNames(fresh.db);
      const row = (line: number, number: string) =>
        formatSheetRow(line, ['Aceros del Bajío', 'Torre Roble', number, `0${line}/11/2026`, 1000, 16, 1160]);
      const rows =
        formatSheetRow(1, HEADINGS.split(',')) +
        row(2, 'A-1') +
        row(3, 'A-2').replace('<row', '<row hidden="1"');
      const book = new Uint8Array(buildWorkbook([{ rows }]));
      const { address, page } = await upload(client, book, 'invoices', 'ocultas.xlsx');
      expect(page.decodedHtml).toContain('1 renglón oculto, que también se importa');
      expect(page.decodedHtml).toContain('Dejar fuera las filas ocultas en la hoja');
      expect(page.facts).toMatchObject({ 'Se darán de alta': '2' });
      const ticked = with_(address, { hidden: 'skip' });
      const without = await readPage(client.get(ticked));
      expect(without.decodedHtml).toContain('1 renglón oculto, que se deja fuera');
      expect(without.facts).toMatchObject({ 'Filas leídas': '1', 'Se darán de alta': '1' });
      await importIt(client, ticked, without);
      expect(await countInvoices(fresh.db)).toBe(1);
    });

    it('is reviewed before anything is stored, then imported as a whole, and deleted', async () => {
      await addNames(fresh.db);
      const { response, address, page } = await upload(client, csv(...GOOD));
      expect([response.status, address]).toEqual([
        303,
        expect.stringMatching(/^\/importar\/[\w-]{32}\?kind=invoices$/),
      ]);
      expect([page.status, page.alerts]).toEqual([200, []]);
      expect(page.facts).toMatchObject({ 'Filas leídas': '2', 'Se darán de alta': '2', Rechazadas: '0' });
      // as they will be stored: the supplier by the name that it has, money and dates as they are shown
      expect(page.decodedHtml).toContain('$1,000.00');
      expect(page.decodedHtml).toContain('Wed, 25 Nov 2026');
      expect(page.decodedHtml.match(/>Aceros del Bajío</g)?.length).toBeGreaterThanOrEqual(2);
      expect(await countInvoices(fresh.db)).toBe(0);

      const done = await importIt(client, address, page);
      expect([done.status, done.headers.get('location')]).toEqual([303, '/invoices']);
      const list = await readPage(client.follow(done));
      expect(list.alerts).toEqual(['success: Se importaron 2 facturas.']);
      expect(list.decodedHtml).toContain('A-2');
      expect(await countInvoices(fresh.db)).toBe(2);
      expect(await fresh.db.selectFrom('uploads').selectAll().execute()).toEqual([]);
      expect(await fresh.db.selectFrom('files').select('sha256').execute()).toEqual([]);
      const audited = await fresh.db.selectFrom('audit').selectAll().where('action', '=', 'import').execute();
      expect(audited.map(({ entity, username }) => [entity, username])).toEqual([
        ['invoices', client.user.username],
      ]);
    });

    it('is imported once, however often the button is pressed', async () => {
      await addNames(fresh.db);
      const { address, page } = await upload(client, csv(...GOOD));
      const clicks = await Promise.all([1, 2, 3].map(() => importIt(client, address, page)));
      clicks.push(await importIt(client, address, page));
      expect(clicks.map((one) => [one.status, one.headers.get('location')])).toEqual(
        Array(4).fill([303, '/invoices']),
      );
      expect(await countInvoices(fresh.db)).toBe(2);
      expect((await readPage(client.get('/invoices'))).alerts).toEqual([
        'success: Se importaron 2 facturas.',
      ]);
      const more = await upload(
        client,
        csv(...GOOD, 'Aceros del Bajío,Torre Roble,A-3,27/11/2026,100,16,116'),
      );
      const third = await readPage(client.follow(await importIt(client, more.address, more.page)));
      expect(third.alerts).toEqual(['success: Se importó 1 factura; 2 sin cambio.']);
      // a new key for a file that is gone
      const late = await readPage(client.form(address, { idempotencyKey: 'otra' }));
      expect([late.status, late.alerts]).toEqual([404, [GONE]]);
    });

    it('with one refused row is not imported at all, unless the user wants the other rows', async () => {
      await addNames(fresh.db);
      const { address, page } = await upload(
        client,
        csv(...GOOD, 'Nadie,Torre Roble,A-3,27/11/2026,mucho,16,1'),
      );
      expect(page.facts).toMatchObject({ Rechazadas: '1' });
      expect(page.alerts[0]).toMatch(/^warning: No se puede importar: 1 fila tiene errores\./);
      expect(page.decodedHtml).not.toContain('name="idempotencyKey"');
      expect(page.decodedHtml).toContain('mucho');

      const refused = await readPage(client.form(address, { idempotencyKey: 'una' }));
      expect([refused.status, refused.alerts[0]]).toEqual([
        422,
        'error: No se importó nada: 1 fila se rechazó.',
      ]);
      expect(await countInvoices(fresh.db)).toBe(0);

      const [skipping] = page.links('Omitir las filas rechazadas');
      const second = await readPage(client.get(skipping!));
      expect(second.facts).toMatchObject({ 'Se darán de alta': '2', Rechazadas: '1' });
      const done = await importIt(client, skipping!, second);
      const after = await readPage(client.follow(done));
      expect(after.alerts[0]).toBe('success: Se importaron 2 facturas; 1 rechazada.');
      expect(after.links('Ver facturas')).toContain('/invoices');
      expect(after.decodedHtml).toContain('2 filas ya están, iguales; 1 se rechaza.');
      expect(after.facts).toMatchObject({
        'Se darán de alta': '0',
        'Sin cambio, ya están': '2',
        Rechazadas: '1',
      });
      expect(after.decodedHtml).not.toContain('name="idempotencyKey"');
      expect(await countInvoices(fresh.db)).toBe(2);

      const [rejects] = after.links('Descargar las rechazadas');
      const file = await client.get(rejects!);
      expect(file.headers.get('content-disposition')).toContain('facturas rechazadas.csv');
      const lines = (await file.text()).split('\r\n');
      expect(lines[0]).toBe(`${HEADINGS},Motivo`);
      expect(lines).toHaveLength(3);
      expect(lines[1]).toMatch(/^Nadie,Torre Roble,A-3,27\/11\/2026,mucho,16,1,/);
    });

    it('lists suppliers and jobs that do not exist yet, and adds them if the user wants', async () => {
      const { address, page } = await upload(client, csv(GOOD[0]!));
      expect(page.facts).toMatchObject({ 'Se darán de alta': '0', Rechazadas: '1' });
      const creating = with_(address, { createMissing: '1' });
      const second = await readPage(client.get(creating));
      expect(second.facts).toMatchObject({ 'Se darán de alta': '1', Rechazadas: '0' });
      expect(second.decodedHtml.match(/>Alta</g)).toHaveLength(2);
      expect(second.decodedHtml).toMatch(/También se darán de alta 1 proveedor, .*1 obra/);
      await importIt(client, creating, second);
      expect(await countInvoices(fresh.db)).toBe(1);
      expect((await readPage(client.get('/suppliers'))).decodedHtml).toContain('Aceros del Bajío');
    });
  });

  describe('a missing piece of information', () => {
    it('is asked for, and nothing is imported before it is answered', async () => {
      await addNames(fresh.db);
      const row = (date: string) => `Aceros del Bajío,Torre Roble,${date},${date},"1,234",16,`;
      const { address, page } = await upload(client, csv(row('03/05/2026'), row('12/25/2026')));
      expect(page.alerts[0]).toMatch(/^warning: .*Fecha emisión.*¿qué orden llevan todas\?/);
      expect(page.alerts[0]).toMatch(/Subtotal.*¿los decimales van con punto o con coma\?/);
      expect(page.alerts[0]).not.toContain('--');
      expect(page.errors).toHaveLength(2); // at the two controls that resolve the question
      expect(page.decodedHtml).not.toContain('Qué va a pasar');
      const early = await readPage(client.form(address, { idempotencyKey: 'una' }));
      expect([early.status, early.alerts[0]]).toEqual([
        422,
        'error: No se importó nada: falta contestar lo que está marcado.',
      ]);
      expect(await countInvoices(fresh.db)).toBe(0);
      const american = await readPage(client.get(with_(address, { dateFormat: 'mm/dd/yyyy', decimal: '.' })));
      expect(american.alerts).toEqual([]);
      expect(american.facts).toMatchObject({ 'Se darán de alta': '2' });
      expect(american.decodedHtml).toContain('Thu, 05 Mar 2026');
      expect(american.decodedHtml).toContain('$1,234.00');
      const ours = await readPage(client.get(with_(address, { dateFormat: 'dd/mm/yyyy', decimal: ',' })));
      expect(ours.facts).toMatchObject({ Rechazadas: '2' }); // 12/25 is no day, and 1,234 has three decimals
    });

    it('is asked for if rows are equal and have neither number nor date: whether they are different', async () => {
      await addNames(fresh.db);
      const row = 'Aceros del Bajío,Torre Roble,,,100,16,116';
      const { address, page } = await upload(client, csv(row, row, row));
      expect(page.alerts[0]).toContain('2 filas son iguales a otra del archivo, sin número ni fecha.');
      expect(page.facts).toMatchObject({ 'Se darán de alta': '1', Rechazadas: '2' });
      const [different] = page.links('Son distintas: importarlas todas');
      expect(page.links('Omitir las filas rechazadas')).toHaveLength(1);
      const skipping = await readPage(client.get(with_(address, { onError: 'skip' })));
      expect(skipping.links('Son distintas: importarlas todas')).toHaveLength(1);
      const answered = await readPage(client.get(different!));
      expect([answered.alerts, answered.facts]).toMatchObject([[], { 'Se darán de alta': '3' }]);
      expect(answered.links('Son distintas: importarlas todas')).toEqual([]);
      expect((await importIt(client, different!, answered)).status).toBe(303);
      expect(await countInvoices(fresh.db)).toBe(3);
      const again = await upload(client, csv(row, row, row));
      expect([again.address === address, again.page.facts]).toMatchObject([
        false,
        { 'Sin cambio, ya están': '3', Rechazadas: '0' },
      ]);
    });

    it('is asked for once in a list with only names, with a reason', async () => {
      const { address, page } = await upload(
        client,
        'Proveedor\nAceros\nConcretos\n',
        'suppliers',
        'nombres.csv',
      );
      expect(page.alerts).toEqual(['warning: Ninguna columna trae «Contacto», y cada fila lo necesita.']);
      expect(page.decodedHtml).toContain(
        'Cada proveedor lleva una persona de contacto. Si no se sabe, escribe «(sin contacto)».',
      );
      const choices = with_(address, { 'set.suppliercontactperson': '(sin contacto)' });
      const answered = await readPage(client.get(choices));
      expect([answered.alerts, answered.facts]).toMatchObject([[], { 'Se darán de alta': '2' }]);
      expect((await importIt(client, choices, answered)).status).toBe(303);
    });

    it('can be given for every row, and a column can be chosen or ignored', async () => {
      await addNames(fresh.db);
      const text = 'Quién,Importe,Nota\nAceros del Bajío,100,uno\nAceros del Bajío,200,dos\n';
      const { address, page } = await upload(client, text);
      expect(page.alerts[0]).toContain('Ninguna columna trae «Obra»');
      expect(page.alerts[0]).toContain('Ninguna columna trae «Proveedor»');
      // a select with the stored jobs
      expect(page.decodedHtml).toMatch(/<select[^>]* name="set\.jobtitle".*?<option value="Torre Roble">/s);
      const choices = with_(address, {
        c0: 'suppliername',
        c2: '-',
        amount: 'subtotal',
        'set.tasa': '16',
        'set.jobtitle': 'Torre Roble',
        'set.rfc': '',
      });
      const tidy = await client.get(choices);
      expect(tidy.status).toBe(303);
      expect(tidy.headers.get('location')).not.toContain('set.rfc');
      const answered = await readPage(client.follow(tidy));
      expect(answered.alerts).toEqual([]);
      expect(answered.facts).toMatchObject({ 'Se darán de alta': '2' });
      expect([answered.value('c0'), answered.value('c2'), answered.value('set.jobtitle')]).toEqual([
        'suppliername',
        '-',
        'Torre Roble',
      ]);
      expect(answered.decodedHtml).not.toMatch(/<td[^>]*data-label="Observaciones"/);
      const twice = await readPage(client.get(with_(address, { c0: 'comments', c2: 'comments' })));
      expect(twice.alerts[0]).toContain('Dos columnas se toman como «Observaciones»: deja una.');
    });
  });

  describe('a workbook of several sheets', () => {
    const sheet = (prefix: string, ...subtotals: number[]) =>
      formatSheetRow(1, ['Proveedor', 'Obra', 'No. factura', 'Subtotal']) +
      subtotals
        .map((one, index) =>
          formatSheetRow(index + 2, ['Aceros del Bajío', 'Torre Roble', `${prefix}-${index + 1}`, one]),
        )
        .join('');
    const book = Uint8Array.from(
      buildWorkbook([
        { name: 'Enero &amp; más', rows: sheet('E', 100, 200, 300) },
        { name: 'Febrero', rows: sheet('F', 400) },
        { name: 'Listas', state: 'hidden', rows: sheet('L', 500) },
      ]),
    );
    const answers = (page: PageContent) =>
      [
        ...page.decodedHtml.matchAll(
          /<button(?=[^>]* name="sheet")[^>]* value="([^"]*)"[^>]*>(.*?)<\/button>/g,
        ),
      ].map(([, value, content]) => [
        value,
        content!
          .replace(/<[^>]+>/g, ' ')
          .replace(/\s+/g, ' ')
          .trim(),
      ]);

    it('asks which sheet is meant if that is unclear, and each answer leads on', async () => {
      await addNames(fresh.db);
      const { address, page } = await upload(client, book, 'invoices', 'meses.xlsx');
      expect([page.status, page.alerts, page.value('kind')]).toEqual([200, [], 'invoices']);
      expect(page.decodedHtml).toContain('meses.xlsx');
      expect(page.decodedHtml).toContain('¿Cuál hoja se importa?</legend>');
      expect(page.decodedHtml).toContain(
        'El libro tiene 2 hojas con datos. Cada una se importa por separado.',
      );
      expect(answers(page)).toEqual([
        ['Enero & más', 'Enero & más 4 renglones'],
        ['Febrero', 'Febrero 2 renglones'],
      ]);
      expect(page.decodedHtml).toContain(`action="${path(address)}" method="get"`);
      await client.form(address, { idempotencyKey: 'antes' });
      expect(await countInvoices(fresh.db)).toBe(0);

      const chosen = with_(address, { sheet: 'Enero & más', 'set.tasa': '16' });
      const january = await readPage(client.get(chosen));
      expect(january.facts).toMatchObject({ 'Se darán de alta': '3', Rechazadas: '0' });
      const done = await importIt(client, chosen, january);
      expect([done.status, await countInvoices(fresh.db)]).toEqual([303, 3]);
    });

    it('forgets what was chosen for the columns of another sheet', async () => {
      const { address } = await upload(client, book, 'invoices', 'meses.xlsx');
      const choices = { c0: '-', c3: 'total', decimal: '.', of: 'Febrero' };
      const same = await client.get(with_(address, { ...choices, sheet: 'Febrero' }));
      expect([same.status, same.headers.get('location')]).toEqual([
        303,
        `${path(address)}?kind=invoices&c0=-&c3=total&decimal=.&sheet=Febrero`,
      ]);
      expect((await readPage(client.follow(same))).value('of')).toBe('Febrero');
      const other = await client.get(with_(address, { ...choices, sheet: 'Enero & más' }));
      expect(other.headers.get('location')).toBe(
        `${path(address)}?kind=invoices&decimal=.&sheet=Enero+%26+m%C3%A1s`,
      );
    });
  });

  describe('the preview of the first rows', () => {
    it('shows what will become of each', async () => {
      await addNames(fresh.db);
      const [one] = GOOD;
      const { address, page } = await upload(client, csv(one!));
      await importIt(client, address, page);
      const text = csv(
        one!,
        'Aceros del Bajío,Torre Roble,B-1,25/11/2026,100,16,116',
        'Aceros del Bajío,Torre Roble,,26/11/2026,200,16,232',
        'Aceros del Bajío,Torre Roble,B-2,26/11/2026,200,16,232',
        'Nadie,Torre Roble,B-3,25/11/2026,100,16,116',
      );
      const { page: second } = await upload(client, text);
      const fates = [...second.decodedHtml.matchAll(/<span class="chip \w+">(.*?)<\/span>/g)].map(
        ([, words]) => words,
      );
      expect(fates).toEqual(['Sin cambio', 'Bien', 'Bien', 'Con aviso', 'Rechazada']);
      expect(second.facts).toMatchObject({ 'Sin cambio, ya están': '1', 'Con aviso': '1', Rechazadas: '1' });
    });
  });

  describe('a file that cannot be imported', () => {
    const post = async (init: RequestInit) => {
      return readPage(client.send('/importar', init));
    };

    it('is refused on the page if it is missing, empty or too large, and the choices are kept', async () => {
      const none = await post(createUploadForm(undefined, { kind: 'jobs' }));
      expect([none.status, none.alerts]).toEqual([422, ['error: Elige el archivo que quieres importar.']]);
      expect(none.decodedHtml).toMatch(/<input type="radio"[^>]* checked=""[^>]* value="jobs"/);
      const empty = await post(createUploadForm({ name: 'nada.csv', text: '' }, { kind: 'jobs' }));
      expect([empty.status, empty.alerts]).toEqual([
        422,
        ['error: El archivo «nada.csv» está vacío. Elige otro.'],
      ]);
      const large = new Uint8Array(20 * 1024 * 1024 + 1);
      const big = await post(createUploadForm({ name: 'grande.csv', text: large }));
      expect([big.status, big.alerts]).toEqual([413, ['error: El archivo pasa de 20 MB.']]);
      expect(big.decodedHtml).toContain('Menú principal');
      expect(await fresh.db.selectFrom('uploads').select('id').execute()).toEqual([]);
    });

    it('is reported if it is no table, or the request is no form', async () => {
      const { page } = await upload(client, '%PDF-1.7\n%âãÏÓ\n', 'jobs', 'factura.pdf');
      expect([page.status, page.alerts]).toEqual([
        422,
        ['error: Es un PDF, no una tabla. Se leen archivos CSV y libros .xlsx.'],
      ]);
      expect(page.decodedHtml).toContain('No se pudo leer «factura.pdf»');
      expect(page.decodedHtml).toContain('type="file"');
      expect(page.decodedHtml).toMatch(/<input type="radio"[^>]* checked=""[^>]* value="jobs"/);
      expect(page.links('Intentar de nuevo')).toEqual([]);
      const form = await readPage(client.form('/importar', { kind: 'invoices' }));
      expect([form.status, form.alerts]).toEqual([422, ['error: Elige el archivo que quieres importar.']]);
    });

    it('as the chosen list can be read again as another one', async () => {
      const { address, page } = await upload(client, 'Acero\nConcreto\n');
      expect([page.status, page.value('kind'), page.decodedHtml.includes('facturas.csv')]).toEqual([
        422,
        'invoices',
        true,
      ]);
      expect(page.alerts[0]).toMatch(/^error: No se encontró el renglón de los encabezados/);
      expect(page.decodedHtml).toContain('Revisar de nuevo');
      const again = await readPage(client.get(`${path(address)}?kind=rubros`));
      expect([again.status, again.decodedHtml.includes('Se toma como: Acero')]).toEqual([200, true]);
    });

    it('because too many others are working is still there a moment later', async () => {
      await addNames(fresh.db);
      const { address } = await upload(client, csv(GOOD[0]!));
      const rush = await Promise.all(Array.from({ length: 60 }, () => readPage(client.get(address))));
      const late = rush.find(({ status }) => status === 503);
      expect(late?.links('Intentar de nuevo')).toEqual([address]);
      expect((await client.get(address)).status).toBe(200);
    });

    it('because it has too many parts is refused before they are parsed', async () => {
      const fields = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`f${index}`, 'x']));
      const many = await post(createUploadForm({ name: 'a.csv', text: csv(GOOD[0]!) }, fields));
      expect([many.status, many.alerts]).toEqual([400, ['error: El formulario trae más de 20 partes.']]);
    });

    it('because it belongs to somebody else is not found, whether to view, import or download', async () => {
      const test = createTestApp({ db: fresh.db });
      const owner = await test.as(4);
      const { address } = await upload(owner, csv(GOOD[0]!));
      const other = await test.as([1, 3]);
      const rejects = address.replace('?', '/rechazadas.csv?');
      for (const answer of [
        other.get(address),
        other.get(rejects),
        other.form(address, { idempotencyKey: 'x' }),
      ]) {
        const page = await readPage(answer);
        expect([page.status, page.alerts]).toEqual([404, [GONE]]);
        expect(page.decodedHtml).not.toContain('facturas.csv');
      }
      expect((await owner.get(address)).status).toBe(200);
    });

    it('because it is older than 48 hours is gone', async () => {
      const test = createTestApp({ db: fresh.db });
      const client = await test.as(4);
      const { address } = await upload(client, csv(GOOD[0]!));
      test.clock.advance({ hours: 49 });
      await upload(await test.as(4), csv(GOOD[1]!));
      const page = await readPage((await test.as(client.user)).get(address));
      expect([page.status, page.alerts]).toEqual([404, [GONE]]);
    });

    it('because its address was tampered with is a 400', async () => {
      const { address } = await upload(client, csv(GOOD[0]!));
      for (const query of [
        'kind=nada',
        'kind=invoices&decimal=x',
        'kind=invoices&dateFormat=ayer',
        `kind=invoices&set.comments=${'x'.repeat(401)}`,
      ]) {
        expect([query, (await client.get(`${path(address)}?${query}`)).status]).toEqual([query, 400]);
      }
      // unknown columns and fields are ignored
      expect((await client.get(`${address}&c99=total&c0=nada&set.nada=1&__proto__=1`)).status).toBe(200);
    });
  });

  describe('the content of a file', () => {
    it('remains text on the page, wherever it is shown', async () => {
      const mark = '<img src=x onerror=alert(1)>';
      const text = `Proveedor,Obra,Subtotal,${mark}\n${mark},${mark},${mark},${mark}\n`;
      const { address } = await upload(client, text, 'invoices', `${mark}.csv`);
      const html = await (
        await client.get(with_(address, { createMissing: '1', c3: 'comments', 'set.tasa': '16' }))
      ).text();
      expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;');
      expect(html).not.toContain('<img');
    });

    it('is shown with the reason once for many refused rows, fifty reasons at most, and the file has all rows', async () => {
      await addNames(fresh.db);
      const rows = Array.from(
        { length: 1000 },
        (_, index) => `Nadie ${index % 100},Torre Roble,B-${index},25/11/2026,100,16,116`,
      );
      const { page } = await upload(client, csv(...rows));
      expect(page.facts).toMatchObject({ 'Filas leídas': '1,000', Rechazadas: '1,000' });
      expect(page.decodedHtml).toContain('Aquí están los primeros 50 motivos de 100.');
      expect(page.decodedHtml.match(/data-label="Motivo"/g)).toHaveLength(50);
      expect(page.decodedHtml).toContain('</span>2, 102, 202, 302, 402 y 5 más</td>');
      const [rejects] = page.links('Descargar las rechazadas');
      expect((await (await client.get(rejects!)).text()).trim().split('\r\n')).toHaveLength(1001);
    });
  });

  describe('the warnings', () => {
    it('with equal words are shown once, with their rows', async () => {
      const text = 'Proveedor,RFC,Contacto\nAceros,N/A,Ana\nConcretos,N/A,Luis\nFletes,,Eva\n';
      const { page } = await upload(client, text, 'suppliers', 'proveedores.csv');
      expect(page.facts).toMatchObject({ 'Se darán de alta': '3', 'Con aviso': '2' });
      expect(page.decodedHtml).toContain('Avisos: 2. No impiden importar; vale la pena revisarlos.');
      expect(page.decodedHtml).toContain('</span>2, 3</td>');
      expect(page.decodedHtml.match(/Sin RFC: el archivo dice/g)).toHaveLength(1);
    });
  });

  describe('the template of each list', () => {
    it.each(['suppliers', 'clients', 'jobs', 'rubros', 'origenes', 'invoices', 'payments'])(
      'is a table that explains itself: %s',
      async (kind) => {
        const template = await client.get(`/importar/plantilla.csv?kind=${kind}`);
        expect(template.headers.get('content-type')).toBe('text/csv; charset=utf-8');
        const { page } = await upload(client, await template.text(), kind);
        expect(page.alerts.filter((alert) => alert.includes('Falta'))).toEqual([]);
        expect(page.decodedHtml).toContain('Qué va a pasar');
        const [, used, all] = /Columnas: (\d+) de (\d+) se usan/.exec(page.decodedHtml) ?? [];
        expect(used).toBe(all);
      },
    );
  });
});
