import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Shell } from '../../../server/shell/layout.tsx';
import type { PageView } from '../../../server/shell/view.ts';

const viewOf = (roles: number[], rest: Partial<PageView> = {}): PageView => ({
  user: { id: 9, username: 'ana.ruiz', roles },
  today: '2026-11-20',
  path: '/suppliers',
  notices: [],
  left: {},
  isDense: false,
  empresa: 'Constructora Peña',
  ...rest,
});

const NEWEST = { day: '2026-11-20', id: 7 };

const NOTICES: PageView['notices'] = [
  { key: 'vencidas', label: '3 vencidas', href: '/invoices', tone: 'danger', count: 3, newest: NEWEST },
  {
    key: 'esta-semana',
    label: '9 vencen esta semana',
    href: '/invoices?status=por-pagar',
    tone: 'warn',
    count: 9,
    newest: NEWEST,
  },
];

const shell = (view: PageView, isSaved?: boolean) =>
  renderToStaticMarkup(
    <Shell view={view} title="Proveedores" isSaved={isSaved}>
      <p>Contenido</p>
    </Shell>,
  );

test.each([
  [[1], ['DASHBOARD', 'AYUDA'], ['ADMIN', 'Administrar usuarios']],
  [[3], ['ADMIN', 'Administrar usuarios', 'AYUDA'], ['DASHBOARD']],
  [[4], ['FACTURAS', 'CAJA CHICA', 'LISTAS', 'REPORTES'], ['DASHBOARD', 'ADMIN', 'AYUDA', 'Configuración']],
  [[], [], ['FACTURAS', 'LISTAS', 'DASHBOARD', 'ADMIN', 'AYUDA']],
])('roles %j see of the menu what they may enter', (roles, seen, hidden) => {
  const html = shell(viewOf(roles));
  for (const label of seen) expect(html).toContain(`>${label}<`);
  for (const label of hidden) expect(html).not.toContain(`>${label}<`);
});

test('the current page is marked and its group open, the others closed', () => {
  const html = shell(viewOf([3]));
  expect(html).toMatch(/<details open=""><summary[^>]*>.{0,400}LISTAS/);
  expect(html).toMatch(/<a href="\/suppliers" aria-current="page">/);
  expect(html.match(/aria-current/g)).toHaveLength(1);
  expect(html.match(/<details open/g)).toHaveLength(1);
});

test('a form marks the list it belongs to', () => {
  const html = shell(viewOf([3], { path: '/editjobpage/12' }));
  expect(html).toMatch(/<a href="\/jobs" aria-current="true">/);
  const ofFund = shell(viewOf([4], { path: '/caja-chica/3/nuevo-movimiento' }));
  expect(ofFund).toMatch(/<a class="top" href="\/caja-chica" aria-current="true">/);
});

test('the bell counts what is new, says so, and where to say that it was looked at', () => {
  const until = { day: '2026-11-20', invoiceId: 7 };
  const html = shell(viewOf([4], { notices: NOTICES, unseen: { count: 12, isLate: true, until } }));
  expect(html).toContain('aria-label="Ver tus notificaciones, 12 nuevas"');
  expect(html).toContain('<span class="count" aria-hidden="true">12</span>');
  const seen = '/notificaciones/vistas?day=2026-11-20&amp;invoiceId=7';
  expect(html).toContain(`data-seen="${seen}"`);
  expect(html).toMatch(/<noscript><form[^>]*action="\/notificaciones\/vistas.*?Marcar como vistas/);
  const one = shell(viewOf([4], { notices: NOTICES, unseen: { count: 1, isLate: false, until } }));
  expect(one).toContain('notificaciones, 1 nueva"');
  expect(one).toContain('<span class="count warn"');
  const many = shell(viewOf([4], { notices: NOTICES, unseen: { count: 2400, isLate: true, until } }));
  expect(many).toMatch(/2400 nuevas.*>99\+</);
  const quiet = shell(viewOf([4], { notices: NOTICES }));
  expect(quiet).toContain('aria-label="Ver tus notificaciones"');
  expect(quiet).not.toMatch(/class="count|data-seen|Marcar como vistas/);
  expect(quiet).toMatch(/3 vencidas/);
});
