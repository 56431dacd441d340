import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { type MenuEntry, menu } from '../../../server/shell/menu.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { StatusChip } from '../../../shared/ui/Chip.tsx';
import { Figure } from '../../../shared/ui/Figure.tsx';
import { hasIcon } from '../../../shared/ui/Icon.tsx';
import { Money } from '../../../shared/ui/Money.tsx';

test('an error interrupts, a success is only announced', () => {
  const error = renderToStaticMarkup(<Alert tone="error">No se pudo guardar.</Alert>);
  const success = renderToStaticMarkup(<Alert tone="success">Se registró el pago.</Alert>);
  expect(error).toMatch(/role="alert".*<strong>Error<\/strong>.*No se pudo guardar\./);
  expect(success).toMatch(/role="status".*<strong>Hecho<\/strong>/);
  expect(error).toMatch(/<button[^>]*aria-label="Cerrar"[^>]*data-dismiss=""/);
});

test('a button of one icon is named by its tooltip', () => {
  const html = renderToStaticMarkup(<LinkButton href="/editinvoicepage/7" icon="edit" tip="Editar A-7" />);
  expect(html).toMatch(/<a aria-label="Editar A-7" data-tip="Editar A-7" href="\/editinvoicepage\/7"/);
});

test('amber is for what is open and due soon, never for what is paid or overdue', () => {
  expect(renderToStaticMarkup(<StatusChip status="pendiente" text="Vence hoy" soon />)).toContain(
    'chip warn',
  );
  expect(renderToStaticMarkup(<StatusChip status="pagada" soon />)).toContain('chip done');
  expect(renderToStaticMarkup(<StatusChip status="vencida" soon />)).toContain('chip danger');
});

test('every entry of the menu has a drawing', () => {
  const icons = (entries: readonly MenuEntry[]): string[] =>
    entries.flatMap((entry) => [entry.icon, ...icons(entry.entries ?? [])]);
  expect(icons(menu).filter((icon) => !hasIcon(icon))).toEqual([]);
});

test('a figure that leads to its rows is one link, and of nothing there are no rows', () => {
  const shown = (cents: number) => renderToStaticMarkup(<Money cents={cents} href="/invoices" mark="*" />);
  expect(shown(116_050)).toBe('<a href="/invoices" class="money">$1,160.50*</a>');
  expect(shown(0)).toBe('<span class="money zero">$0.00</span>');
});

test('a large sum is told once, to the cent', () => {
  const html = renderToStaticMarkup(<Figure label="Por pagar" cents={962_621_477} href="/invoices" />);
  expect(html.match(/\$[^<]*/g)).toEqual(['$9,626,214.77']);
});
