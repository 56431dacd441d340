import { expect, it } from 'vitest';
import { createTestApp } from '../../../support/app.ts';
import { addBankMovements } from '../../../support/bank-movements.ts';
import { addBatch } from '../../../support/batches.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { addActor, addInvoice, addPayment, addSupplier, addUser } from '../../../support/rows.ts';

const html = async (response: Response) => (await response.text()).replaceAll('&amp;', '&');

/** Label → [address, figure, note]. */
const figuresOf = (page: string) =>
  Object.fromEntries(
    [
      ...page.matchAll(
        /<li><a href="([^"]*)"><span class="label">(.*?)<\/span>.*?<span class="money[^"]*">(.*?)<\/span>.*?<span class="note">(.*?)<\/span><\/a>/g,
      ),
    ].map(([, href, label, figure, note]) => [label, [href, figure, note]]),
  );

/** The chart's links: name, address, figure. */
const barsOf = (page: string) =>
  [...page.matchAll(/<a href="([^"]*)" aria-label="([^":]*): (\$[^"]*)">/g)].map(
    ([, href = '', name = '', figure = '']) => ({ href, name, figure }),
  );

describeOneDatabase('the dashboard page', (fresh) => {
  const dashboard = async () => html(await (await createTestApp({ db: fresh.db }).as(1)).get('/dashboard'));

  it('shows what is owed, late, due week by week, and paid', async () => {
    const { db } = fresh;
    const { id: userId } = await addUser(db);
    const late = await addInvoice(db, { fechaemision: '2026-10-01', fechavencimiento: '2026-11-02' });
    await addInvoice(db, { fechaemision: '2026-11-01', fechavencimiento: '2026-11-25' });
    await addInvoice(db, { fechaemision: '2026-10-01' });
    await addPayment(db, { facturaproveedorId: late, amountCents: 16_000, userId });
    const page = await dashboard();
    const by = 'sortfield=fechavencimiento';
    const week = (from: string, to: string) =>
      `/invoices?status=por-pagar&venceDesde=${from}&venceHasta=${to}&${by}`;
    expect(figuresOf(page)).toEqual({
      'Por pagar': [`/invoices?status=por-pagar&${by}`, '$3,320.00', '3 facturas con saldo'],
      Vencido: [`/invoices?status=vencida&${by}`, '$2,160.00', '2 facturas'],
      'Sin fecha': [
        `/invoices?status=sin-vencimiento&${by}`,
        '$1,160.00',
        '1 factura, incluida en Por pagar',
      ],
      'Pagado en noviembre': [
        '/pagos-proveedores?paymentdateDesde=2026-11-01&paymentdateHasta=2026-11-20&kind=pago&sortfield=paymentdate&sorttype=DESC',
        '$160.00',
        '1 pago hasta hoy',
      ],
    });
    expect(barsOf(page)).toEqual([
      { href: week('2026-11-23', '2026-11-29'), name: 'SEM 48 (23 – 29 nov)', figure: '$1,160.00' },
      ...['Facturado, oct (2026)', 'Facturado, nov (2026)', 'Pagado, nov (2026)'].map((name) =>
        expect.objectContaining({ name }),
      ),
    ]);
  });

  it('begins with what waits for the signature of its user, with its amount and since when', async () => {
    const { db } = fresh;
    expect(await dashboard()).not.toContain('Espera tu firma');
    const batch = await addBatch(db, { author: await addActor(db, { roles: [1] }) });
    const app = createTestApp({ db });
    const page = await html(await (await app.as([1, 2])).get('/dashboard'));
    const main = page.slice(page.indexOf('<main'));
    expect(main).toMatch(
      new RegExp(
        `^.*?<h2 id="awaited">Espera tu firma</h2>.*?<a href="/programaciones/${batch.id}"><b>\\$[\\d,.]+ </b>Autorizar la programación ${batch.id}<small>.*?espera desde.*?<h2 id="today">`,
        's',
      ),
    );
  });

  it('lists every open matter that the bell knows, most urgent first, with count and sum', async () => {
    const { db } = fresh;
    await addBatch(db, { estado: 'autorizada' });
    const late = { fechaemision: '2026-10-01', fechavencimiento: '2026-11-02' };
    const supplierId = await addSupplier(db);
    for (const fechaemision of ['2026-10-01', '2026-10-08'])
      await addInvoice(db, { ...late, supplierId, fechaemision });
    await addBankMovements(db, [{ amountCents: -70_000 }, { amountCents: 50_000, referencia: '2' }]);
    const page = await html(await (await createTestApp({ db }).as([1, 2])).get('/dashboard'));
    const [, list = ''] = /<h2 id="open">Por resolver<\/h2><ul[^>]*>(.*?)<\/ul>/s.exec(page)!;
    const links = [...list.matchAll(/<a href="([^"?]*)[^>]*>(.*?)<\/a>/g)];
    expect(
      links.map(([, href, words]) => [href, words!.replace(/<small>/g, ' | ').replace(/<[^>]+>/g, '')]),
    ).toEqual([
      ['/programaciones/1', expect.stringMatching(/^\$1,160\.00 Pagar la programación 1 \| /)],
      ['/invoices', '2 facturas vencidas por $2,320.00'],
      ['/invoices', ' | 1 factura vence esta semana por $1,160.00*'],
      ['/invoices', '$2,320.00 2 facturas por pagar se parecen a otra'],
      [
        expect.stringContaining('/movimientos/'),
        '2 movimientos del banco sin resolver | salidas por $700.00 · entradas por $500.00',
      ],
    ]);
  });

  it('draws the chart on the server, with a table for screen readers', async () => {
    await addInvoice(fresh.db, { fechaemision: '2026-10-01', fechavencimiento: '2026-11-02' });
    const page = await dashboard();
    // four weeks, and twice twelve months
    expect([...page.matchAll(/<rect class="bar-[01]" x/g)]).toHaveLength(4 + 24);
    expect(page).toMatch(/<td[^>]*>oct \(2026\)<\/td><td[^>]*><a [^>]*class="money"[^>]*>\$1,160\.00</);
    expect(page).toMatch(/<link rel="stylesheet" href="[^"]*pages[^"]*\.css"/);
    expect(page).not.toContain('<is-land');
  });

  it('shows what is late by its age, each part with its list', async () => {
    for (const due of ['2026-11-02', '2026-10-02', '2026-09-02', '2026-01-02'])
      await addInvoice(fresh.db, { fechaemision: '2026-01-01', fechavencimiento: due });
    const page = await dashboard();
    const [, strip = ''] = /<section class="aging"(.*?)<\/section>/s.exec(page)!;
    expect([...strip.matchAll(/<dt>([^<]*)<\/dt>/g)].map(([, band]) => band)).toEqual([
      '1–30 días',
      '31–60 días',
      '61–90 días',
      'Más de 90 días',
    ]);
    expect(strip).toContain(
      'href="/invoices?status=por-pagar&venceDesde=2026-10-21&venceHasta=2026-11-19&sortfield=fechavencimiento"',
    );
    expect(strip).toContain('venceHasta=2026-08-21&sortfield');
  });

  it('marks with an asterisk what is late by an estimated due day', async () => {
    await addInvoice(fresh.db, { fechaemision: '2026-10-01' });
    const page = await dashboard();
    const [, late = ''] = /<span class="label">Vencido<\/span><strong[^>]*>(.*?)<\/strong>/s.exec(page)!;
    expect(late).toMatch(/\$1,160\.00.*\*/s);
  });

  it('says so if the office owes nothing', async () => {
    const page = await dashboard();
    expect(page).toContain('Nada por pagar');
    expect(page).not.toContain('<rect');
  });
});
