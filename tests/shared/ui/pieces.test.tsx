import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { type MenuEntry, menu } from '../../../server/shell/menu.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { Button, LinkButton } from '../../../shared/ui/Button.tsx';
import { StatusChip } from '../../../shared/ui/Chip.tsx';
import { hasIcon } from '../../../shared/ui/Icon.tsx';
import { Pager } from '../../../shared/ui/Pager.tsx';
import { Totals } from '../../../shared/ui/Totals.tsx';

test('an error interrupts, a success is only announced', () => {
  const error = renderToStaticMarkup(<Alert tone="error">No se pudo guardar.</Alert>);
  const success = renderToStaticMarkup(<Alert tone="success">Se registró el pago.</Alert>);
  expect(error).toMatch(/role="alert".*<strong>Error<\/strong>.*No se pudo guardar\./);
  expect(success).toMatch(/role="status".*<strong>Hecho<\/strong>/);
  expect(error).toMatch(/<button[^>]*aria-label="Cerrar"[^>]*data-dismiss=""/);
});

test('an alert that must be read has no button to close it', () => {
  const html = renderToStaticMarkup(
    <Alert tone="info" dismissible={false}>
      k3v9x0qa
    </Alert>,
  );
  expect(html).not.toContain('<button');
});

test('a button of one icon is named by its tooltip', () => {
  const html = renderToStaticMarkup(<LinkButton href="/editinvoicepage/7" icon="edit" tip="Editar A-7" />);
  expect(html).toMatch(/<a aria-label="Editar A-7" data-tip="Editar A-7" href="\/editinvoicepage\/7"/);
});

test('a button with words is named by them', () => {
  const html = renderToStaticMarkup(<Button tip="Guarda y regresa a la lista">Guardar</Button>);
  expect(html).not.toContain('aria-label');
});

test('a busy button takes no second click', () => {
  expect(renderToStaticMarkup(<Button busy>Ingresar</Button>)).toMatch(/aria-busy="true" disabled=""/);
});

test('amber is for what is open and due soon, never for what is paid or overdue', () => {
  expect(renderToStaticMarkup(<StatusChip status="pendiente" text="Vence hoy" soon />)).toContain(
    'chip warn',
  );
  expect(renderToStaticMarkup(<StatusChip status="pagada" soon />)).toContain('chip done');
  expect(renderToStaticMarkup(<StatusChip status="vencida" soon />)).toContain('chip danger');
});

test('totals read as the sum they are', () => {
  const html = renderToStaticMarkup(
    <Totals
      label="Totales"
      items={[
        { label: 'Total', cents: 300 },
        { label: 'Pagado', cents: 100, op: '−' },
        { label: 'Pendiente', cents: 200, op: '=' },
      ]}
    />,
  );
  expect(html).toContain(
    '<div class="result" data-op="="><dt>Pendiente</dt><dd><span class="money">$2.00</span></dd></div>',
  );
});

test('the last page offers no more', () => {
  expect(renderToStaticMarkup(<Pager shown={50} total={12_408} noun="facturas" href="?cursor=9" />)).toMatch(
    /50 de 12,408 facturas.*href="\?cursor=9".*Cargar más/,
  );
  expect(renderToStaticMarkup(<Pager shown={3} total={3} noun="facturas" />)).not.toContain('href');
});

test('every entry of the menu has a drawing', () => {
  const icons = (entries: readonly MenuEntry[]): string[] =>
    entries.flatMap((entry) => [entry.icon, ...icons(entry.entries ?? [])]);
  expect(icons(menu).filter((icon) => !hasIcon(icon))).toEqual([]);
});
