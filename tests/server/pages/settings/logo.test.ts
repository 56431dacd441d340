import { PDFDict, PDFName, type PDFRawStream } from 'pdf-lib';
import { expect, it } from 'vitest';
import { readLogo } from '../../../../server/services/settings/logo.ts';
import { createTestApp } from '../../../support/app.ts';
import { aPdf, aWebp } from '../../../support/files.ts';
import { readPdf } from '../../../support/pdf.ts';
import { JPEG, pngOf } from '../../../support/pictures.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { addInvoice } from '../../../support/rows.ts';

const LOGO = '/admin-settings/logo';

/** Width and height of the pictures on each page of a PDF. */
async function picturesOf(pdf: Response): Promise<number[][][]> {
  const { document } = await readPdf(pdf);
  return document.getPages().map((page) => {
    const drawn = page.node.Resources()?.lookupMaybe(PDFName.of('XObject'), PDFDict);
    const streams = (drawn?.keys() ?? []).map((name) => drawn!.lookup(name) as unknown as PDFRawStream);
    return streams.map(({ dict }) =>
      ['Width', 'Height'].map((name) => Number(String(dict.get(PDFName.of(name))))),
    );
  });
}

describeOneDatabase('the logo of the firm', (fresh) => {
  const admin = () => createTestApp({ db: fresh.db }).as(3);
  const alertIn = async (response: Response) =>
    /id="logo-note" class="field-error">.*?<\/svg>(.*?)<\/div>/s.exec(await response.text())?.[1];

  it('is a PNG or a JPEG by its content, whatever its name, and goes on the heads of all PDFs', async () => {
    const supplierId = (await fresh.db.selectFrom('suppliers').select('id').executeTakeFirst())?.id;
    await addInvoice(fresh.db, { supplierId });
    const ana = await admin();
    expect(await picturesOf(await ana.get('/rubros/export.pdf'))).toEqual([[]]);
    for (const [name, bytes, size] of [
      ['logo.jpg', pngOf(300, 90), [300, 90]],
      ['logo.png', JPEG, [12, 8]],
    ] as const) {
      const saved = await ana.files(LOGO, { logo: [name, bytes] });
      expect([saved.status, saved.headers.get('location')]).toEqual([303, '/admin-settings']);
      const page = await (await ana.follow(saved)).text();
      expect(page).toContain('Se guardó el logotipo');
      const shown = await ana.get(/<img src="([^"]+)"/.exec(page)![1]!);
      expect(Buffer.from(await shown.arrayBuffer())).toEqual(Buffer.from(bytes));
      const lists = ['/rubros', '/invoices', '/suppliers', '/reporte-saldos'];
      for (const list of lists)
        expect([list, (await picturesOf(await ana.get(`${list}/export.pdf`)))[0]]).toEqual([list, [size]]);
    }
    expect(await fresh.db.selectFrom('files').select('size').execute()).toEqual([{ size: JPEG.length }]);
  });

  it('is taken off again, and the audit trail says who changed it', async () => {
    const ana = await admin();
    await ana.files(LOGO, { logo: ['a.png', pngOf(40, 20)] });
    const removed = await ana.form(LOGO, { quitar: '1' });
    const page = await (await ana.follow(removed)).text();
    expect(page).toContain('Se quitó el logotipo.');
    expect(page).not.toContain('<img');
    expect(await readLogo(fresh.db)).toBeUndefined();
    expect((await ana.get(LOGO)).status).toBe(404);
    expect(await fresh.db.selectFrom('files').select('size').execute()).toEqual([]);
    const trail = await (await ana.get('/bitacora?entity=settings')).text();
    expect(trail).toContain('cambió el ajuste Logotipo: PNG de 40 × 20 → —');
  });

  it.each([
    ['a PDF', 'logo.png', aPdf(), 422, 'por su contenido, este archivo no lo es'],
    ['a WebP', 'logo.png', aWebp(), 422, 'por su contenido, este archivo no lo es'],
    ['a PNG that was cut off', 'logo.png', pngOf(90, 30).subarray(0, 80), 422, 'dañada o incompleta'],
    ['too many bytes', 'logo.png', pngOf(600, 400, { noise: true }), 413, 'pasa de 200 KB'],
    ['too many pixels', 'logo.png', pngOf(5000, 900, { colour: 0 }), 422, 'mide 5000 × 900 pixeles'],
  ])('is not %s', async (_, name, bytes, status, said) => {
    const ana = await admin();
    const refused = await ana.files(LOGO, { logo: [name, bytes] });
    expect(refused.status).toBe(status);
    expect(await alertIn(refused)).toContain(said);
    expect(await readLogo(fresh.db)).toBeUndefined();
  });

  it('is asked for where none was chosen, and is for administrators alone', async () => {
    const ana = await admin();
    expect(await alertIn(await ana.files(LOGO, {}))).toContain('Elige la imagen');
    const other = await createTestApp({ db: fresh.db }).as([1, 2]);
    expect((await other.files(LOGO, { logo: ['a.png', pngOf(4, 4)] })).status).toBe(403);
    expect((await other.get(LOGO)).status).toBe(403);
  });
});
