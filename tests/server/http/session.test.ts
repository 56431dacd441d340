import { describe, expect, test } from 'vitest';
import { createTestApp } from '../../support/app.ts';
import { useFreshDatabase } from '../../support/databases.ts';

describe('without a session', () => {
  const fresh = useFreshDatabase('sqlite');

  const nextAfterPosting = async (path: string, referer?: string) => {
    const browser = createTestApp({ db: fresh.db }).visitor();
    const headers: HeadersInit = referer ? { referer } : {};
    const answer = await browser.form(path, { comments: 'a medias' }, { headers });
    expect(answer.status).toBe(303);
    const location = new URL(answer.headers.get('location') ?? '', 'http://saldo.test');
    expect(location.pathname).toBe('/login');
    return location.searchParams.get('next');
  };

  test.each([
    [
      '/new-payment',
      'http://saldo.test/new-payment?facturaproveedorId=7',
      '/new-payment?facturaproveedorId=7',
    ],
    [
      '/pagos-proveedores/3/eliminar',
      'http://saldo.test/pagos-proveedores?checknum=7',
      '/pagos-proveedores?checknum=7',
    ],
    ['/new-invoice', undefined, '/new-invoice'],
    ['/new-invoice', 'no es una dirección', '/new-invoice'],
    ['/editpaymentpage/3', 'http://saldo.test/', '/editpaymentpage/3'],
  ])('a form posted to %s from %s comes back to %s after signing in', async (path, referer, next) => {
    expect(await nextAfterPosting(path, referer)).toBe(next);
  });
});
