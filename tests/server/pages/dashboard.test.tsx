import { expect, it } from 'vitest';
import { createTestApp } from '../../support/app.ts';
import { describeEachDatabase } from '../../support/databases.ts';
import { addInvoice, addPayment, addUser } from '../../support/rows.ts';

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

describeEachDatabase('the dashboard page', (fresh) => {
  it('is for role 1 alone', async () => {
    const app = createTestApp({ db: fresh.db });
    expect((await (await app.as(1)).get('/dashboard')).status).toBe(200);
    const other = await app.as([2, 3]);
    const refused = await other.get('/dashboard');
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain(
      `${other.user.username} does not have privileges to see this page.`,
    );
  });

  it('every figure leads to the list or the report that it comes from', async () => {
    const { db } = fresh;
    const { id: userId } = await addUser(db);
    const late = await addInvoice(db, { fechaemision: '2026-10-01', fechavencimiento: '2026-11-02' });
    await addInvoice(db, { fechaemision: '2026-11-01', fechavencimiento: '2026-11-25' });
    await addInvoice(db, { fechaemision: '2026-10-01' });
    await addPayment(db, { facturaproveedorId: late, amountCents: 16_000, userId });
    const page = await html(await (await createTestApp({ db }).as(1)).get('/dashboard'));
    const week = (key: string) => figuresOf(page)[key];
    expect(figuresOf(page)).toEqual({
      'Por pagar': ['/reporte-saldos', '$3,320.00', '3 facturas con saldo'],
      Vencido: [
        '/invoices?status=vencida&corte=2026-11-20&sortfield=fechavencimiento',
        '$1,000.00',
        '1 factura; además $1,160.00 con vencimiento estimado',
      ],
      'Pagado en noviembre': [
        '/pagos-proveedores?sortfield=paymentdate&sorttype=DESC',
        '$160.00',
        '1 pago hasta hoy',
      ],
      'Esta semana, SEM 47': ['/reporte-saldos', '$0.00', '16 – 22 nov · 0 facturas'],
      'SEM 48': ['/reporte-saldos', '$1,160.00', '23 – 29 nov · 1 factura'],
      'SEM 49': week('SEM 49'),
      'SEM 50': week('SEM 50'),
      'SEM 51': ['/reporte-saldos', '$0.00', '14 – 20 dic · 0 facturas'],
    });
    const list = await html(await (await createTestApp({ db }).as(1)).get(figuresOf(page).Vencido![0]!));
    expect(list).toContain('$1,000.00');
  });

  it('the chart is drawn on the server, with a table behind it', async () => {
    await addInvoice(fresh.db, { fechaemision: '2026-10-01', fechavencimiento: '2026-11-02' });
    const page = await html(await (await createTestApp({ db: fresh.db }).as(1)).get('/dashboard'));
    expect([...page.matchAll(/<rect /g)]).toHaveLength(9);
    expect(page).toMatch(
      /<td[^>]*>ANTERIORES \(antes del 16 nov\)<\/td><td[^>]*><span class="money">\$1,160\.00</,
    );
    expect(page).not.toContain('<is-land');
  });

  it('an office that owes nothing reads so', async () => {
    const page = await html(await (await createTestApp({ db: fresh.db }).as(1)).get('/dashboard'));
    expect(page).toContain('Nada por pagar');
    expect(page).not.toContain('<rect');
  });
});
