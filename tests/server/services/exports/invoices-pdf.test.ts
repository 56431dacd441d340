import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createPdf } from '../../../../server/formats/pdf/document.ts';
import { FONT_SIZE, SMALL_SIZE } from '../../../../server/formats/pdf/invoices.ts';
import { widthOf } from '../../../../server/formats/pdf/text.ts';
import { MAX_PDF_INVOICES } from '../../../../server/services/exports/invoices.ts';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { createTestApp, type TestClient } from '../../../support/app.ts';
import { useFreshDatabase } from '../../../support/databases.ts';
import { readPage } from '../../../support/page.ts';
import { type PdfContent, readPdf } from '../../../support/pdf.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import {
  addActor,
  addInvoice,
  addJob,
  addPayment,
  addRubro,
  addSupplier,
  createActor,
} from '../../../support/rows.ts';

const PDF = '/invoices/export.pdf';
const MM = 72 / 25.4;
const HEADER = ['Factura', 'Proveedor', 'Obra', 'Total', 'Pagado', 'Vencimiento'];

/** Joins the texts of each line, from left to right. */
function linesOf({ runs }: PdfContent['pages'][number]): string[][] {
  const lines = new Map<number, typeof runs>();
  for (const run of runs) lines.set(run.y, [...(lines.get(run.y) ?? []), run]);
  return [...lines]
    .sort(([a], [b]) => a - b)
    .map(([, line]) => line.sort((a, b) => a.x - b.x).map(({ text }) => text));
}

const download = async (client: TestClient, query = '') => readPdf(await client.get(PDF + query));

describeOneDatabase('the PDF of the invoices', (fresh) => {
  it('shows supplier, job, the other filters, the list’s totals and its rows in its order', async () => {
    const { db } = fresh;
    const { userId } = await addActor(db);
    const supplierId = await addSupplier(db, { suppliername: 'Ñandú & Cía' });
    const jobId = await addJob(db, { jobtitle: 'Torre Roble' });
    const rubroId = await addRubro(db, { nombrerubro: 'Acero' });
    for (let n = 1; n <= 5; n++) {
      const id = await addInvoice(db, {
        supplierId,
        jobId,
        rubroId,
        numfactura: `F-${n}`,
        subtotalCents: 100_000 * n,
        fechaemision: '2026-11-02',
        fechavencimiento: n === 3 ? null : `2026-12-0${n}`,
      });
      await addPayment(db, { facturaproveedorId: id, amountCents: 1_000, userId });
    }
    await addInvoice(db, { numfactura: 'F-9' });
    const client = await createTestApp({ db }).as(2);
    const filter =
      `supplierId=${supplierId}&jobId=${jobId}&rubroId=${rubroId}&numfactura=f-&fechaemisionDesde=2026-11-01` +
      '&fechaemisionHasta=2026-11-30&fechavencimientoDesde=2026-12-01&status=parcial';
    const { pages } = await download(client, `?${filter}&sortfield=total&sorttype=DESC`);
    expect(pages).toHaveLength(1);
    const list = await readPage(client.get(`/invoices?${filter}&sortfield=total&sorttype=DESC`));
    expect(linesOf(pages[0]!)).toEqual([
      ['Concentrado de facturas de proveedores'],
      ['Proveedor', 'Ñandú & Cía', 'Total facturas', list.facts['Total facturas']],
      ['Obra', 'Torre Roble'],
      ['Total pagado', list.facts['Total pagado']],
      ['Número con', 'f-', 'Rubro', 'Acero'],
      ['Total pendiente', list.facts['Total pendiente']],
      ['Estado', 'Parcial', 'Vencimiento', 'desde Tue, 01 Dec 2026'],
      ['Emisión', 'Sun, 01 Nov 2026 – Mon, 30 Nov 2026'],
      HEADER,
      ['F-5', 'Ñandú & Cía', 'Torre Roble', '$5,800.00', '$10.00', 'Sat, 05 Dec 2026'],
      ['F-4', 'Ñandú & Cía', 'Torre Roble', '$4,640.00', '$10.00', 'Fri, 04 Dec 2026'],
      ['F-2', 'Ñandú & Cía', 'Torre Roble', '$2,320.00', '$10.00', 'Wed, 02 Dec 2026'],
      ['F-1', 'Ñandú & Cía', 'Torre Roble', '$1,160.00', '$10.00', 'Tue, 01 Dec 2026'],
      ['4 facturas', '$13,920.00', '$40.00'],
      ['Pendiente', '$13,880.00'],
      ['Generado el 20 de noviembre de 2026 a las 12:00 (America/Mexico_City)'],
      ['Página 1 de 1'],
    ]);
    const all = await download(client, '?corte=2026-11-19&rubroId=0');
    expect(linesOf(all.pages[0]!).slice(1, 6)).toEqual([
      ['Proveedor', 'Todos', 'Total facturas', '$0.00'],
      ['Obra', 'Todas'],
      ['Total pagado', '$0.00'],
      ['Rubro', 'Sin rubro', 'Corte', 'Thu, 19 Nov 2026'],
      ['Total pendiente', '$0.00'],
    ]);
  });
});

describe('the PDF of the invoices', () => {
  const fresh = useFreshDatabase('sqlite');

  async function addMany(count: number) {
    const first = await addInvoice(fresh.db, {
      numfactura: 'N-1',
      supplierId: await addSupplier(fresh.db, {
        suppliername: 'Constructora e Inmobiliaria del Norte, S.A. de C.V.',
      }),
      fechavencimiento: '2026-12-02',
    });
    await sql`
      with recursive n(i) as (select 2 union all select i + 1 from n where i < ${count})
      insert into invoices ("supplierId", "jobId", numfactura, "numfacturaFold", "numfacturaKey", "subtotalCents",
        tasa, "ivaCents", "totalCents", comments, fechavencimiento, vence, fechacaptura, "createdAt", "updatedAt")
      select "supplierId", "jobId", 'N-' || i, 'n-' || i, 'n' || i, "subtotalCents", tasa, "ivaCents",
        "totalCents", comments, fechavencimiento, vence, fechacaptura, "createdAt", "updatedAt" from invoices, n
      where invoices.id = ${first}`.execute(fresh.db);
    return createTestApp({ db: fresh.db }).as(1);
  }

  it('is portrait letter paper called Lista de facturas.pdf, with title, language and maker', async () => {
    await fresh.db
      .insertInto('settings')
      .values({ key: 'empresa', value: 'Valle del Roble, S.A.' })
      .execute();
    const client = await addMany(3);
    const response = await client.get(PDF);
    expect(response.headers.get('content-type')).toBe('application/pdf');
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="Lista de facturas.pdf"; filename*=UTF-8''Lista%20de%20facturas.pdf`,
    );
    const { document, pages } = await readPdf(response);
    expect(document.getPage(0).getSize()).toEqual({ width: 612, height: 792 });
    expect(document.getTitle()).toBe('Concentrado de facturas de proveedores');
    expect(document.getCreator()).toBe('Saldo');
    expect(document.getCreationDate()).toEqual(new Date('2026-11-20T18:00:00.000Z'));
    expect(String(document.catalog)).toContain('/Lang (es-MX)');
    expect(pages[0]?.texts[0]).toBe('Valle del Roble, S.A.');
  });

  it('has the whole letterhead, and every filter complete and clear of the table, however long', async () => {
    const address = 'Av. Lázaro Cárdenas 2400, Monterrey';
    const settings = { empresa: 'Valle del Roble, S.A.', rfc: 'VRO010203AB1', direccion: address };
    for (const [key, value] of Object.entries(settings))
      await fresh.db.insertInto('settings').values({ key, value }).execute();
    const nombrerubro = 'Instalaciones hidráulicas y sanitarias, con mano de obra';
    const rubroId = await addRubro(fresh.db, { nombrerubro });
    const client = await createTestApp({ db: fresh.db }).as(1);
    const number = 'la serie que el proveedor abrió este año';
    const { pages } = await download(
      client,
      `?rubroId=${rubroId}&numfactura=${encodeURIComponent(number)}&status=por-pagar&corte=2026-11-19` +
        '&fechaemisionDesde=2026-11-01&fechaemisionHasta=2026-11-30' +
        '&fechavencimientoDesde=2026-12-01&fechavencimientoHasta=2026-12-31',
    );
    const lines = linesOf(pages[0]!);
    expect(lines.slice(0, 2)).toEqual([
      ['Valle del Roble, S.A.'],
      [`RFC VRO010203AB1  ·  ${address}`.replace(/ +/g, ' ')],
    ]);
    expect(pages[0]!.texts).toEqual(
      expect.arrayContaining([number, nombrerubro, 'Por pagar', 'Thu, 19 Nov 2026']),
    );
    const facts = pages[0]!.runs.filter(({ text }) =>
      ['Proveedor', 'Obra', 'Rubro', 'Estado', 'Corte', 'Vencimiento'].includes(text),
    );
    const above = facts.filter(({ y }) => y < 60 * MM).map(({ y }) => y);
    expect(above.length).toBeGreaterThanOrEqual(6);
    expect(Math.max(...above)).toBeLessThan(60 * MM - 4);
  });

  it('begins its table 60 mm from the top, repeats its heading and numbers its pages', async () => {
    const client = await addMany(200);
    const { pages } = await download(client);
    expect(pages.length).toBeGreaterThan(4);
    const shown = pages.flatMap((page) => linesOf(page).filter(([number]) => /^N-\d/.test(number ?? '')));
    expect(shown.map(([number]) => number)).toEqual(Array.from({ length: 200 }, (_, n) => `N-${n + 1}`));
    for (const [index, page] of pages.entries()) {
      const labels = page.runs
        .filter(({ text, size }) => size === SMALL_SIZE && HEADER.includes(text))
        .slice(-6);
      expect(labels.map(({ text }) => text)).toEqual(HEADER);
      const top = page.rules.filter(({ y }) => y < labels[0]!.y && y > labels[0]!.y - 20)[0]!;
      if (index === 0) expect(top.y).toBeCloseTo(60 * MM, 1);
      else expect(top.y).toBeLessThan(30 * MM);
      expect(page.texts.at(-1)).toBe(`Página ${index + 1} de ${pages.length}`);
      for (const { x, y } of page.runs) {
        expect(x).toBeGreaterThan(40);
        expect(x).toBeLessThan(570);
        expect(y).toBeLessThan(770);
      }
    }
    expect(pages.at(-1)?.texts).toContain('200 facturas');
    for (const page of pages.slice(0, -1)) expect(page.texts.join()).not.toContain('Generado');
  });

  it('aligns amounts to the right, and breaks names into two lines at most', async () => {
    const long = 'Palabra muylargasinningúnespacio '.repeat(6).trim();
    const supplierId = await addSupplier(fresh.db, { suppliername: long });
    const jobId = await addJob(fresh.db, { jobtitle: 'x'.repeat(200) });
    for (const subtotalCents of [1, 100, 123_456, 99_999_999_999])
      await addInvoice(fresh.db, { supplierId, jobId, numfactura: 'Y'.repeat(100), subtotalCents, tasa: 0 });
    const { pages } = await download(await createTestApp({ db: fresh.db }).as(1));
    const { regular } = (await createPdf('', new Date(0))).fonts;
    const figures = [...'0123456789'].map(regular.widthOf);
    expect(new Set(figures).size).toBe(1);
    const right = ({ text, x, size }: PdfContent['pages'][number]['runs'][number]) =>
      x + widthOf(text, regular, size);
    const amounts = ['$0.01', '$1.00', '$1,234.56', '$999,999,999.99'].map(
      (text) => pages[0]!.runs.find((run) => run.text === text && run.size === FONT_SIZE)!,
    );
    for (const amount of amounts) expect(right(amount)).toBeCloseTo(right(amounts[0]!), 1);
    const names = pages[0]!.runs.filter(({ text }) => /^Palabra|muylargasin|^x+…?$/.test(text));
    expect(names).toHaveLength(4 * 4);
    expect(names.filter(({ text }) => text.endsWith('…'))).toHaveLength(4 * 2);
  });

  it('is complete with names in any script, control characters and line breaks', async () => {
    const names = [
      '株式会社',
      'ООО «Ромашка»',
      'شركة',
      '👩‍👩‍👧‍👦 & Co',
      'dos\nlíneas',
      '\u202eRTL',
      '(\\) Tj ET',
      'Łódź',
      '\u0000x',
    ];
    for (const name of names)
      await addInvoice(fresh.db, {
        supplierId: await addSupplier(fresh.db, { suppliername: name }),
        jobId: await addJob(fresh.db, { jobtitle: name }),
        numfactura: name,
      });
    const { pages } = await download(await createTestApp({ db: fresh.db }).as(1));
    const rows = linesOf(pages[0]!).filter((line) => line.includes('$1,160.00'));
    expect(rows.map((line) => line[1])).toEqual([
      '????',
      'ООО «Ромашка»',
      '????',
      '? & Co',
      'dos líneas',
      'RTL',
      '(\\) Tj ET',
      'Łódź',
      'x',
    ]);
  });

  it('is landscape in Spanish, with what is pending of each invoice', async () => {
    const { db } = fresh;
    const { userId } = await addActor(db);
    await changeSetting(db, createActor(), 'idioma', 'es');
    const id = await addInvoice(db, { numfactura: 'F-1', subtotalCents: 100_000 });
    await addPayment(db, { facturaproveedorId: id, amountCents: 16_000, userId });
    const { document, pages } = await download(await createTestApp({ db }).as(2));
    expect(document.getPage(0).getSize()).toEqual({ width: 792, height: 612 });
    const lines = linesOf(pages[0]!);
    expect(lines).toContainEqual([...HEADER.slice(0, 5), 'Pendiente', 'Vencimiento']);
    const amounts = ['$1,160.00', '$160.00', '$1,000.00'];
    expect(lines.find(([number]) => number === 'F-1')?.slice(3, 6)).toEqual(amounts);
    expect(lines).toContainEqual(['1 factura', ...amounts]);
  });

  it('says so if it is empty, with totals of zero', async () => {
    const { pages } = await download(await createTestApp({ db: fresh.db }).as(1), '?supplierId=77');
    expect(pages).toHaveLength(1);
    expect(pages[0]?.texts).toEqual(
      expect.arrayContaining([
        '#77',
        'Ninguna factura con este filtro.',
        '0 facturas',
        '$0.00',
        'Página 1 de 1',
      ]),
    );
  });

  it('never leaves its totals alone on a page, whatever the number of rows', async () => {
    const client = await addMany(40);
    const counts = new Set<number>();
    for (let rows = 40; rows > 26; rows--) {
      await sql`delete from invoices where id > (select min(id) + ${rows} - 1 from invoices)`.execute(
        fresh.db,
      );
      const { pages } = await download(client);
      counts.add(pages.length);
      const last = linesOf(pages.at(-1)!).filter(([number]) => /^N-\d/.test(number ?? ''));
      expect(last.length, `${rows} rows`).toBeGreaterThan(0);
      expect(pages.at(-1)?.texts).toContain(`${rows} facturas`);
      expect(Math.max(...pages.flatMap(({ runs }) => runs.map(({ y }) => y)))).toBeLessThan(792 - 10 * MM);
    }
    expect([...counts]).toEqual([2, 1]);
  });

  it(`of more than ${MAX_PDF_INVOICES} invoices is refused with the alternative, XLSX or CSV`, async () => {
    const client = await addMany(MAX_PDF_INVOICES + 1);
    const page = await readPage(client.get(`${PDF}?sortfield=total`));
    expect(page.status).toBe(413);
    expect(page.alerts).toEqual([
      'error: Son 10,001 facturas y en un PDF caben 10,000. Acota el filtro, o expórtalas en XLSX o CSV, que las llevan todas.',
    ]);
    expect(page.links('Exportar en XLSX')).toEqual(['/invoices/export.xlsx?sortfield=total']);
    expect(page.links('Exportar en CSV')).toEqual(['/invoices/export.csv?sortfield=total']);
    expect(page.links('Regresar')).toEqual(['/invoices?sortfield=total']);
    expect((await client.get(`${PDF}?numfactura=N-1000`)).status).toBe(200);
  });
});
