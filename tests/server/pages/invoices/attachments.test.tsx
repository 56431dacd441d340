import { expect, it } from 'vitest';
import { createTestApp } from '../../../support/app.ts';
import { buildPdf, buildPng, REFUSED_FILES } from '../../../support/files.ts';
import { readPage } from '../../../support/page.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { addInvoice } from '../../../support/rows.ts';
import { readRow } from '../../../support/stored.ts';

/** Returns the name under which a browser saves the file. */
const savedAs = (answer: Response) =>
  decodeURIComponent(
    /filename\*=UTF-8''(\S+)/.exec(answer.headers.get('content-disposition') ?? '')?.[1] ?? '',
  );

describeOneDatabase('the attachments of an invoice', (fresh) => {
  const arrange = async () => {
    const app = createTestApp({ db: fresh.db });
    const id = await addInvoice(fresh.db, { numfactura: 'A-1' });
    return { app, client: await app.as(4), id, address: `/editinvoicepage/${id}` };
  };

  it('are added next to the form, listed, downloaded and removed', async () => {
    const { client, address } = await arrange();
    expect((await readPage(client.get(address))).decodedHtml).toContain('Todavía no hay archivos');
    const added = await client.files(`${address}/adjuntos`, { file: ['Factura núm. 1.pdf', buildPdf()] });
    expect([added.status, added.headers.get('location')]).toEqual([303, address]);
    const page = await readPage(client.follow(added));
    expect(page.alerts).toContain('success: Se adjuntó Factura núm. 1.pdf.');
    const [link] = page.links('Factura núm. 1.pdf');
    expect(page.decodedHtml).toContain(
      `PDF · ${buildPdf().length} bytes · Fri, 20 Nov 2026 · ${client.user.username}`,
    );
    const file = await client.get(link!);
    expect(Buffer.from(await file.arrayBuffer())).toEqual(buildPdf());
    const removed = await client.form(`${link}/quitar`);
    expect((await readPage(client.follow(removed))).alerts).toContain(
      'success: Se quitó Factura núm. 1.pdf.',
    );
    expect((await client.get(link!)).status).toBe(404);
  });

  it('are accessible to whoever may see the invoice, only under their own invoice', async () => {
    const { app, client, id, address } = await arrange();
    await client.files(`${address}/adjuntos`, { file: ['a.pdf', buildPdf()] });
    const [link] = (await readPage(client.get(address))).links('a.pdf');
    const other = await addInvoice(fresh.db);
    for (const path of [
      link!.replace(`/${id}/`, `/${other}/`),
      `${address}/adjuntos/999`,
      `${address}/adjuntos/0`,
    ])
      expect([path, (await client.get(path)).status]).toEqual([path, 404]);
    expect((await app.visitor().get(link!)).headers.get('location')).toContain('/login');
    expect((await (await app.as([])).get(link!)).status).toBe(403);
    expect(
      (await client.files('/editinvoicepage/999/adjuntos', { file: ['a.pdf', buildPdf()] })).status,
    ).toBe(404);
  });

  it('leave the form unchanged if they are refused, and the page says what is accepted', async () => {
    const { client, address } = await arrange();
    const none = await readPage(client.files(`${address}/adjuntos`, { file: ['', Buffer.alloc(0)] }));
    expect([none.status, none.alerts]).toEqual([422, ['error: Elige el archivo que quieres adjuntar.']]);
    const large = Buffer.concat([buildPng()], 5 * 1024 * 1024 + 1);
    const tooLarge = await readPage(client.files(`${address}/adjuntos`, { file: ['a.png', large] }));
    expect([tooLarge.status, tooLarge.alerts]).toEqual([413, ['error: El archivo pasa de 5 MB.']]);
    expect(tooLarge.value('numfactura')).toBe('A-1');
  });

  it('may be larger than other requests: other paths and guests keep their limits', async () => {
    const { app, client, address } = await arrange();
    const file = (size: number) => ({ file: ['a.png', Buffer.concat([buildPng()], size)] as const });
    const MB = 1024 * 1024;
    expect((await client.files(`${address}/adjuntos`, file(7 * MB))).status).toBe(413);
    expect((await client.files(address, file(300 * 1024))).status).toBe(413);
    expect((await client.files(`${address}/desligar`, file(300 * 1024))).status).toBe(413);
    const guest = await app.visitor().files(`${address}/adjuntos`, file(MB));
    const back = new URLSearchParams({ next: `${address}/adjuntos` });
    expect([guest.status, guest.headers.get('location')]).toEqual([303, `/login?${back}`]);
    const parts = Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [`f${n}`, ['a.png', buildPng()] as const]),
    );
    expect((await client.files(`${address}/adjuntos`, parts)).status).toBe(400);
  });

  it.each([
    ['../../x', 'x.pdf'],
    ['..\\..\\x.pdf', 'x.pdf'],
    ['C:\\x', 'x.pdf'],
    ['a\0b.pdf', 'ab.pdf'],
    ['a\r\nSet-Cookie: b=c.pdf', 'aSet-Cookie_ b=c.pdf'],
    [`${'ñ'.repeat(300)}.pdf`, `${'ñ'.repeat(116)}.pdf`],
    ['factura\u202efdp.exe', 'facturafdp.exe.pdf'],
    ['.htaccess', 'htaccess.pdf'],
    ['..', 'archivo.pdf'],
    ["it's (1) «50%» 发票.pdf", "it's (1) «50%» 发票.pdf"],
  ])('T25 · named %j is saved as %j', async (name, saved) => {
    const { client, address } = await arrange();
    await client.files(`${address}/adjuntos`, { file: [name, buildPdf()] });
    const { filename } = await readRow(fresh.db, 'attachments', {}, ['filename']);
    const answer = await client.get(`${address}/adjuntos/1`);
    expect([filename, savedAs(answer)]).toEqual([saved, saved]);
    // The header is one ASCII line, and its old form contains no quote.
    const header = answer.headers.get('content-disposition')!;
    expect(header).toMatch(/^attachment; filename="[\x20-\x7e]*"; filename\*=UTF-8''[\w%.!~-]+$/);
    expect(/filename="(.*)"; filename\*/.exec(header)?.[1]).not.toMatch(/["\\/]/);
  });

  it.each(['HTML', 'HTML as XML', 'SVG', 'SVG after a comment', 'SVG in UTF-16'])(
    'T25 · %s renamed .pdf is refused and stored nowhere',
    async (kind) => {
      const { client, address } = await arrange();
      const page = await readPage(
        client.files(`${address}/adjuntos`, { file: ['factura.pdf', REFUSED_FILES[kind]!] }),
      );
      expect(page.status).toBe(422);
      expect(page.alerts[0]).toMatch(/^error: No se guarda este tipo de archivo/);
      expect(await fresh.db.selectFrom('files').select('sha256').execute()).toEqual([]);
    },
  );

  it('T25 · are never rendered: saved, of the type that they are, in a sandbox', async () => {
    const { client, address } = await arrange();
    // A file that begins like a picture or PDF may contain HTML.
    const page = Buffer.from('<html><script>alert(1)</script></html>');
    await client.files(`${address}/adjuntos`, { file: ['a.html', Buffer.concat([buildPng(), page])] });
    await client.files(`${address}/adjuntos`, { file: ['b.svg', Buffer.concat([buildPdf(), page])] });
    for (const [id, type, name] of [
      [1, 'image/png', 'a.html.png'],
      [2, 'application/pdf', 'b.svg.pdf'],
    ] as const) {
      const { headers } = await client.get(`${address}/adjuntos/${id}`);
      expect(headers.get('content-type')).toBe(type);
      expect(headers.get('content-disposition')).toContain(`filename="${name}"`);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toMatch(/^sandbox;/);
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });
});
