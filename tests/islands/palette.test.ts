import { describe, expect, test } from 'vitest';
import {
  filterDestinations,
  guessDestinations,
  listDestinations,
} from '../../islands/palette/destinations.ts';
import {
  buildFinderUrl,
  invoiceFinder,
  jobFinder,
  supplierFinder,
} from '../../islands/palette/PaletteSearch.tsx';
import { findAccess, isAllowed } from '../../server/http/access.ts';
import { menu } from '../../server/shell/menu.ts';
import { mayEnter } from '../../shared/roles.ts';

/** The sidebar's markup for a user with these roles. */
const menuOf = (...roles: number[]) =>
  menu
    .filter(({ area }) => mayEnter(area, roles))
    .flatMap(({ label, href, entries }) =>
      href
        ? [{ label, href }]
        : (entries ?? [])
            .filter(({ area }) => mayEnter(area, roles))
            .map((entry) => ({ ...entry, href: entry.href ?? '', group: label })),
    );

const labels = (role: number, typed = '') =>
  filterDestinations(listDestinations(menuOf(role)), typed).map(({ label }) => label);

describe('the palette', () => {
  test('contains the pages and creation screens that its user may open, each once', () => {
    const clerk = labels(4);
    expect(clerk).toEqual(
      expect.arrayContaining(['Facturas', 'Nueva factura', 'Caja chica', 'Mi perfil', 'Ayuda']),
    );
    expect(clerk).not.toEqual(expect.arrayContaining(['Nuevo usuario']));
    expect(clerk).not.toEqual(expect.arrayContaining(['Configuración']));
    expect(labels(3)).toEqual(
      expect.arrayContaining(['Nuevo usuario', 'Configuración', 'Administrar usuarios']),
    );
    const hrefs = listDestinations([...menuOf(3), { href: '/caja-chica', label: 'Caja chica' }]).map(
      ({ href }) => href,
    );
    expect(new Set(hrefs).size).toBe(hrefs.length);
  });

  test('contains the same for a user whose menu leads to lists with a filter', () => {
    const filtered = menuOf(3).map((entry) => ({ ...entry, href: `${entry.href}?status=vencida` }));
    const withoutFilter = ({ label, words }: { label: string; words?: string }) => ({ label, words });
    expect(listDestinations(filtered).map(withoutFilter)).toEqual(
      listDestinations(menuOf(3)).map(withoutFilter),
    );
  });

  test('finds them without case, accents or order, also under the names that other programs use', () => {
    expect(labels(3, 'CONFIGURACION')).toEqual(['Configuración']);
    expect(labels(3, 'proveedor nuevo')).toEqual(['Nuevo proveedor']);
    expect(labels(3, 'cheques')).toEqual(['Pagos a prov.']);
    expect(labels(3, 'nada de eso')).toEqual([]);
  });

  test('finds what is done there by any form of its words', () => {
    for (const [typed, found] of [
      ['nota de crédito', 'Nota de crédito'],
      ['anticipo', 'Nota de crédito'],
      ['nueva programación', 'Programar pagos'],
      ['registrar un pago', 'Nuevo pago'],
      ['cfdi', 'Cargar XML'],
      ['historial', 'Bitácora'],
      ['firma', 'Programación'],
      ['firmar', 'Programación'],
      ['autorizaciones', 'Programación'],
      ['autenticador', 'Doble factor'],
    ] as const)
      expect([typed, labels(3, typed)]).toEqual([typed, expect.arrayContaining([found])]);
    expect(labels(3, '…')).toEqual([]);
  });

  test('puts first what begins with what is typed', () => {
    expect(labels(3, 'prov')[0]).toBe('Proveedores');
    expect(labels(3, 'fact').slice(0, 2)).toEqual(['Facturas', 'Nueva factura']);
  });

  test.each([
    ['nueva factura', '/new-invoice'],
    ['factura nueva', '/new-invoice'],
    ['facturas', '/invoices'],
    ['corregir factura', '/invoices'],
    ['cancelar factura', '/fiscal/cancelados'],
    ['xml', '/new-invoice/xml'],
    ['subir cfdi', '/new-invoice/xml'],
    ['por pagar', '/invoices?status=por-pagar'],
    ['cuentas por pagar', '/invoices?status=por-pagar'],
    ['lo que se debe', '/invoices?status=por-pagar'],
    ['cuánto debo', '/reporte-saldos'],
    ['vencidas', '/invoices?status=vencida'],
    ['nuevo pago', '/new-payment'],
    ['registrar pago', '/new-payment'],
    ['pagos', '/pagos-proveedores'],
    ['pagos dobles', '/pagos-dobles'],
    ['duplicado', '/pagos-dobles'],
    ['programar', '/programaciones/nueva'],
    ['firmar', '/programaciones'],
    ['autorizacion', '/programaciones'],
    ['nota de credito', '/new-credit-note'],
    ['anticipo', '/new-credit-note'],
    ['saldos', '/reporte-saldos'],
    ['proveedor nuevo', '/new-supplier'],
    ['alta de proveedor', '/new-supplier'],
    ['editar proveedor', '/suppliers'],
    ['obra nueva', '/new-job'],
    ['clabe', '/cuentas-bancarias'],
    ['banco', '/programaciones/estados-de-cuenta'],
    ['conciliar', '/programaciones/estados-de-cuenta'],
    ['caja', '/caja-chica'],
    ['arqueo', '/caja-chica'],
    ['gastos', '/caja-chica/gastos'],
    ['presupuesto', '/presupuestos'],
    ['flujo de efectivo', '/flujo'],
    ['rep', '/fiscal/rep'],
    ['69b', '/fiscal/69b'],
    ['diot', '/fiscal/diot'],
    ['polizas', '/fiscal/polizas'],
    ['retencion', '/fiscal/retenciones'],
    ['iva', '/fiscal'],
    ['cierre de mes', '/cierre'],
    ['cerrar mes', '/cierre'],
    ['usuario nuevo', '/new-user'],
    ['permisos', '/admin-users'],
    ['cambiar contraseña', '/userprofile'],
    ['mi contraseña', '/userprofile'],
    ['modo oscuro', '/userprofile'],
    ['cerrar sesión', '/userprofile'],
    ['excel', '/importar'],
    ['dashboard', '/dashboard'],
    ['tablero', '/dashboard'],
    ['bitacora', '/bitacora'],
    ['historial', '/bitacora'],
    ['correos', '/correos'],
    ['atajos', '/help'],
  ])('leads from «%s» first to %s', (typed, href) => {
    expect(filterDestinations(listDestinations(menuOf(1, 2, 3)), typed)[0]?.href).toBe(href);
  });

  test.each([
    ['factuas', 'Facturas'],
    ['provedores', 'Proveedores'],
    ['prosupuesto', 'Presupuesto'],
    ['nuevo provedor', 'Nuevo proveedor'],
    ['bitacroa', 'Bitácora'],
    ['porgramar pagos', 'Programar pagos'],
  ])('guesses for «%s», which nothing contains, %s', (typed, label) => {
    const entries = listDestinations(menuOf(3));
    expect(filterDestinations(entries, typed)).toEqual([]);
    expect(guessDestinations(entries, typed)[0]?.label).toBe(label);
  });

  test('guesses nothing for a few letters, or for what is like nothing', () => {
    for (const typed of ['', '…', 'rpe', 'zzyzx'])
      expect(guessDestinations(listDestinations(menuOf(3)), typed)).toEqual([]);
  });

  test('lists only pages that exist and that their user may open', () => {
    for (const role of [1, 2, 3, 4, 5, 6])
      for (const { href } of listDestinations(menuOf(role))) {
        const access = findAccess(href.split('?')[0]!);
        expect([role, href, access && isAllowed(access, [role])]).toEqual([role, href, true]);
      }
  });

  test('asks the API for suggestions, taking the text literally, and leads to their invoices', () => {
    expect(buildFinderUrl(supplierFinder.path, '50% & más')).toBe(
      '/api/suppliers/suggest/?text=50%25+%26+m%C3%A1s',
    );
    expect(supplierFinder.toGroups([{ id: 7, suppliername: 'Aceros' }])[0]?.entries).toEqual([
      { href: '/invoices?supplierId=7', label: 'Aceros', meta: 'Facturas' },
      { href: '/editsupplierpage/7', label: 'Editar Aceros' },
    ]);
    expect(jobFinder.toGroups([{ id: 3, jobtitle: 'Torre Roble' }])[0]?.entries[0]?.href).toBe(
      '/invoices?jobId=3',
    );
    const invoice = {
      id: 9,
      numfactura: '',
      supplier: { suppliername: 'Aceros' },
      vencimientoTexto: 'Vence hoy',
    };
    expect(invoiceFinder.toGroups([invoice])[0]?.entries).toEqual([
      { href: '/editinvoicepage/9', label: '#9 · Aceros', meta: 'Vence hoy' },
    ]);
  });
});
