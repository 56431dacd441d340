import { describe, expect, it } from 'vitest';
import { createTestApp } from '../../support/app.ts';
import { useFresh } from '../../support/databases.ts';
import { addInvoice } from '../../support/rows.ts';

describe('the bell that was opened', () => {
  const fresh = useFresh('sqlite');
  const NEWS = /Ver tus notificaciones, (\d+ nuevas?)"/;
  const SEEN = /data-seen="([^"]*)"/;

  it('counts no more what it counted, for who looked alone, and leads back', async () => {
    await addInvoice(fresh.db, { fechavencimiento: '2026-11-01' });
    const app = createTestApp({ db: fresh.db });
    const [ana, luis] = [await app.as(4), await app.as(4)];
    const page = await (await ana.get('/rubros')).text();
    expect(NEWS.exec(page)?.[1]).toBe('1 nueva');
    const seen = SEEN.exec(page)![1]!.replace('&amp;', '&');
    const headers = { referer: 'http://saldo.test/rubros?nombrerubro=a' };
    const answer = await ana.send(seen, { method: 'POST', headers });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/rubros?nombrerubro=a']);
    expect(await (await ana.get('/rubros')).text()).not.toMatch(NEWS);
    expect(await (await luis.get('/rubros')).text()).toMatch(NEWS);
  });

  it.each([
    '',
    '?day=2026-11-20',
    '?day=hoy&invoiceId=1',
    '?day=2026-11-20&invoiceId=-1',
    '?day=2026-11-20&invoiceId=1e99',
  ])('refuses what no bell says: %s', async (query) => {
    const ana = await createTestApp({ db: fresh.db }).as(4);
    expect((await ana.send(`/notificaciones/vistas${query}`, { method: 'POST' })).status).toBe(400);
  });
});
