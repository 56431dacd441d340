import { describe, expect, it } from 'vitest';
import { createTestApp } from '../../support/app.ts';
import { useFreshDatabase } from '../../support/databases.ts';
import { readPage } from '../../support/page.ts';

describe('the message that a change leaves', () => {
  const fresh = useFreshDatabase('sqlite');

  it('is sent in a __Host- cookie over https, and deleted there', async () => {
    const admin = await createTestApp({ db: fresh.db, config: { url: 'https://saldo.obras.mx' } }).as(1);
    const saved = await admin.form('/new-rubro', { nombrerubro: 'Roble', descripcionrubro: 'Madera' });
    expect(saved.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-saldo-message=[^;]+; Max-Age=60; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ]);
    const shown = await admin.get('/rubros');
    expect(shown.headers.getSetCookie()[0]).toMatch(/^__Host-saldo-message=; Max-Age=0; Path=\/; Secure/);
    expect(await shown.text()).toContain('Roble');
  });

  it.each([
    ['/pagos-proveedores/7/deshacer', true],
    ['/caja-chica/movimientos/7/deshacer', true],
    ['/logout', false],
    ['/admin-users', false],
    ['/pagos-proveedores/7/eliminar', false],
    ['/pagos-proveedores/x/deshacer', false],
    ['/pagos-proveedores//deshacer', false],
    ['/pagos-proveedores/7/deshacer/x', false],
  ])('offers to undo by %s: %s, whoever wrote it', async (undo, isOffered) => {
    const admin = await createTestApp({ db: fresh.db }).as(1);
    admin.cookies.set('saldo-message', encodeURIComponent(JSON.stringify({ text: 'Hecho', undo })));
    const page = await readPage(admin.get('/invoices'));
    expect(page.decodedHtml).toContain('Hecho');
    expect(page.decodedHtml.includes(`action="${undo}"`) && page.decodedHtml.includes('Deshacer')).toBe(
      isOffered,
    );
  });
});

describe('an error outside the frame of pages', () => {
  const fresh = useFreshDatabase('sqlite');

  it('names the product and what happened, and leads to the sign-in', async () => {
    const page = await readPage(createTestApp({ db: fresh.db }).visitor().get('/nada-de-esto'));
    expect(page.status).toBe(404);
    expect(page.decodedHtml).toMatch(/login-cover.*<strong>Saldo<\/strong>.*<h1[^>]*>No se encontró/);
    expect(page.links('Ingresar')).toEqual(['/login']);
  });
});

describe('the return address after a change', () => {
  const fresh = useFreshDatabase('sqlite');

  it.each([
    ['/rubros?nombrerubro=ro&sortfield=id', '/rubros?nombrerubro=ro&sortfield=id'],
    ['/rubros?nombrerubro=\u0001', '/rubros'],
    ['/rubros?nombrerubro=\u007f', '/rubros'],
    ['/rubros?nombrerubro=ñandú€', '/rubros?nombrerubro=%C3%B1and%C3%BA%E2%82%AC'],
    ['/rubros?nombrerubro=\ud800', '/rubros?nombrerubro=%EF%BF%BD'],
    ['/rubros?x=\u0085', '/rubros'],
  ])('in the form of returnTo %j never causes an error after the change was stored', async (returnTo, to) => {
    const admin = await createTestApp({ db: fresh.db }).as(1);
    const saved = await admin.form('/new-rubro', {
      nombrerubro: 'Roble',
      descripcionrubro: 'Madera',
      returnTo,
    });
    expect(saved.status).toBe(303);
    expect(saved.headers.get('location')).toBe(to);
    expect(await fresh.db.selectFrom('rubros').select('id').execute()).toHaveLength(1);
  });
});
