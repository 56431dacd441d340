import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { runInLanguage } from '../../../server/services/settings/language.ts';
import { Shell } from '../../../server/shell/layout.tsx';
import { type MenuEntry, menu } from '../../../server/shell/menu.ts';
import type { BellContent, PageView } from '../../../server/shell/page-view.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { StatusChip } from '../../../shared/ui/Chip.tsx';
import { Figure } from '../../../shared/ui/Figure.tsx';
import { isIconName } from '../../../shared/ui/Icon.tsx';
import { Money } from '../../../shared/ui/Money.tsx';

const viewOf = (roles: number[], rest: Partial<PageView> = {}): PageView => ({
  user: { id: 9, username: 'ana.ruiz', roles },
  today: '2026-11-20',
  path: '/suppliers',
  listAddresses: {},
  isDense: false,
  empresa: 'Constructora Peña',
  ...rest,
});

const NOTICES: BellContent['notices'] = [
  { key: 'vencidas', label: '3 vencidas', href: '/invoices?status=vencida', tone: 'danger', count: 3 },
  {
    key: 'esta-semana',
    label: '9 vencen esta semana',
    href: '/invoices?status=por-pagar',
    tone: 'warn',
    count: 9,
  },
];

const task = (id: number): BellContent['tasks'][number] => ({
  kind: 'programacion',
  id,
  title: `Programación ${id}`,
  label: `Autorizar la programación ${id}`,
  href: `/programaciones/${id}`,
  cents: 116_000,
  heldCents: 0,
  day: '2026-11-27',
  since: '2026-11-25T15:00:00.000Z',
  waitingDays: 2,
});

const shell = (view: PageView, isSaved?: boolean) =>
  renderToStaticMarkup(
    <Shell view={view} title="Proveedores" isSaved={isSaved}>
      <p>Contenido</p>
    </Shell>,
  );

test.each([
  [[1], ['DASHBOARD', 'AYUDA'], ['ADMIN', 'Correos', 'Administrar usuarios', 'Configuración']],
  [[3], ['ADMIN', 'Administrar usuarios', 'AYUDA'], ['DASHBOARD']],
  [[4], ['FACTURAS', 'CAJA CHICA', 'LISTAS', 'REPORTES'], ['DASHBOARD', 'ADMIN', 'AYUDA', 'Configuración']],
  [[], [], ['FACTURAS', 'LISTAS', 'DASHBOARD', 'ADMIN', 'AYUDA']],
])('roles %j see in the menu what they may open', (roles, seen, hidden) => {
  const html = shell(viewOf(roles));
  for (const label of seen) expect(html).toContain(`>${label}<`);
  for (const label of hidden) expect(html).not.toContain(`>${label}<`);
});

test('users who may send mails see the outbox in the menu if the server sends them', () => {
  const html = shell(viewOf([1], { sendsMail: true }));
  for (const label of ['ADMIN', 'Correos']) expect(html).toContain(`>${label}<`);
  expect(html).not.toContain('>Configuración<');
  expect(shell(viewOf([3]))).toContain('>Correos<');
});

test('the current page is marked and its group open, the others closed', () => {
  const html = shell(viewOf([3]));
  expect(html).toMatch(/<details open=""><summary[^>]*>.{0,400}LISTAS/);
  expect(html).toMatch(/<a href="\/suppliers" aria-current="page">/);
  expect(html.match(/aria-current/g)).toHaveLength(1);
  expect(html.match(/<details open/g)).toHaveLength(1);
});

test('a form marks the list to which it belongs', () => {
  const html = shell(viewOf([3], { path: '/editjobpage/12' }));
  expect(html).toMatch(/<a href="\/jobs" aria-current="true">/);
  const ofFund = shell(viewOf([4], { path: '/caja-chica/3/nuevo-movimiento' }));
  expect(ofFund).toMatch(/<a class="top" href="\/caja-chica" aria-current="true">/);
});

test('the bell counts its user’s tasks, not due invoices', () => {
  const due = shell(viewOf([4], { bell: { tasks: [], notices: NOTICES } }));
  expect(due).toContain('aria-label="Ver tus notificaciones"');
  expect(due).not.toContain('class="count');
  const one = shell(viewOf([1], { bell: { notices: NOTICES, tasks: [task(7)] } }));
  expect(one).toContain('aria-label="Ver tus notificaciones, 1 pendiente"');
  expect(one).toContain('<span class="count" aria-hidden="true">1</span>');
  const two = { tasks: [task(7), task(8)], notices: [] };
  expect(shell(viewOf([1], { bell: two }))).toContain('notificaciones, 2 pendientes"');
});

test('the bell of a page that shows no notices says nothing about them, and leads to them', () => {
  const html = shell(viewOf([1]));
  expect(html).toContain('<div class="bell" data-bell="/notificaciones/campana">');
  expect(html).toContain('<p class="hint">Notificaciones</p><a href="/notificaciones">Ver todas</a>');
  expect(shell(viewOf([1], { bell: { tasks: [], notices: [] } }))).toMatch(/class="bell">.*Nada que atender/);
});

test('the bell shows its user’s tasks first, then due invoices in one row', () => {
  const html = shell(viewOf([1], { bell: { notices: NOTICES, tasks: [task(7)] } }));
  const rows = [.../<ul class="notice-rows">(.*?)<\/ul>/s.exec(html)![1]!.matchAll(/<li>(.*?)<\/li>/gs)];
  expect(rows.map(([, row]) => [...row!.matchAll(/href="([^"]*)"/g)].map(([, href]) => href))).toEqual([
    ['/programaciones/7'],
    ['/invoices?status=vencida', '/invoices?status=por-pagar'],
  ]);
});

test('the bell contains signing out as specified, but in Spanish the bar does', () => {
  const bell = () => /id="notices".*?<\/header>/s.exec(shell(viewOf([4])))![0];
  const SIGNS_OUT = '</svg>Cerrar sesión';
  expect(bell()).toContain(SIGNS_OUT);
  runInLanguage('es', () => expect(bell()).not.toContain(SIGNS_OUT));
});

test('an error interrupts a screen reader, a success is only announced', () => {
  const error = renderToStaticMarkup(<Alert tone="error">No se pudo guardar.</Alert>);
  const success = renderToStaticMarkup(<Alert tone="success">Se registró el pago.</Alert>);
  expect(error).toMatch(/role="alert".*<strong>Error<\/strong>.*No se pudo guardar\./);
  expect(success).toMatch(/role="status".*<strong>Hecho<\/strong>/);
  expect(error).toMatch(/<button[^>]*aria-label="Cerrar"[^>]*data-dismiss=""/);
});

test('a button with only an icon is named by its tooltip', () => {
  const html = renderToStaticMarkup(<LinkButton href="/editinvoicepage/7" icon="edit" tip="Editar A-7" />);
  expect(html).toMatch(/<a aria-label="Editar A-7" data-tip="Editar A-7" href="\/editinvoicepage\/7"/);
});

test('only open invoices that are due soon are amber, not paid or overdue ones', () => {
  expect(renderToStaticMarkup(<StatusChip status="pendiente" text="Vence hoy" isDueSoon />)).toContain(
    'chip warn',
  );
  expect(renderToStaticMarkup(<StatusChip status="pagada" isDueSoon />)).toContain('chip done');
  expect(renderToStaticMarkup(<StatusChip status="vencida" isDueSoon />)).toContain('chip danger');
});

test('every entry of the menu has an icon of its own', () => {
  const icons = (entries: readonly MenuEntry[]): string[] =>
    entries.flatMap((entry) => [entry.icon, ...icons(entry.entries ?? [])]);
  const used = icons(menu);
  expect(used.filter((icon, place) => !isIconName(icon) || used.indexOf(icon) !== place)).toEqual([]);
});

test('a figure that leads to its rows is one link, and a zero has no rows', () => {
  const shown = (cents: number) => renderToStaticMarkup(<Money cents={cents} href="/invoices" mark="*" />);
  expect(shown(116_050)).toBe('<a href="/invoices" class="money">$1,160.50*</a>');
  expect(shown(0)).toBe('<span class="money zero">$0.00</span>');
});

test('a large sum is stated once, to the cent', () => {
  const html = renderToStaticMarkup(<Figure label="Por pagar" cents={962_621_477} href="/invoices" />);
  expect(html.match(/\$[^<]*/g)).toEqual(['$9,626,214.77']);
});
