import { expect, it } from 'vitest';
import { describeEntry } from '../../../../server/services/audit/entry-descriptions.ts';
import { CHECKS, isMandatory } from '../../../../server/services/payment-batches/checks.ts';
import { CHECK_NAMES } from '../../../../shared/payment-batches.ts';

const entry = { entity: 'invoices', entityId: '7', action: 'update', before: null, after: null };
const invoice = {
  id: 7,
  numfactura: 'A-1045',
  suppliername: 'Aceros',
  subtotalCents: 1000_00,
  tasa: 160_000,
};

it('one change is one sentence, in the words and figures of the form', () => {
  const after = { ...invoice, subtotalCents: 1200_00 };
  expect(describeEntry({ ...entry, before: invoice, after })).toEqual({
    text: 'cambió Subtotal de la factura A-1045 de Aceros: $1,000.00 → $1,200.00',
    changes: [],
    href: '/editinvoicepage/7',
  });
});

it('several changes are listed below it, with a dash for what was empty', () => {
  const before = { ...invoice, nombrerubro: null };
  const after = { ...invoice, tasa: 80_000, nombrerubro: 'Acero', version: 2 };
  const { text, changes } = describeEntry({ ...entry, before, after });
  expect(text).toBe('cambió la factura A-1045 de Aceros');
  expect(changes).toEqual([
    { label: 'Rubro', before: '—', after: 'Acero' },
    { label: 'Tasa de IVA', before: '16 %', after: '8 %' },
  ]);
});

it('a list that was empty is a dash, too', () => {
  const [before, after] = [
    { id: 3, signatures: [] },
    { id: 3, signatures: ['ana', 'luis'] },
  ];
  expect(describeEntry({ ...entry, entity: 'payment-batches', before, after }).text).toMatch(
    /: — → ana, luis$/,
  );
});

it('a supplier account is described as confirmed, and as no longer confirmed', () => {
  const account = { ...entry, entity: 'supplier-accounts', entityId: '4' };
  const [plain, trusted] = [null, 'ana.ruiz'].map((truster) => ({
    clabe: '012',
    suppliername: 'Aceros',
    truster,
  }));
  const description = (before: object, after: object) =>
    describeEntry({ ...account, before: { ...before }, after: { ...after } }).text;
  expect(description(plain!, trusted!)).toBe('confirmó la cuenta bancaria 012 de Aceros');
  expect(description(trusted!, plain!)).toBe('quitó la confirmación de la cuenta bancaria 012 de Aceros');
});

it('a deleted row is described as it was, without a link to it', () => {
  const before = { id: 3, numfactura: 'A-1', amountCents: 50_00, paymentdate: '2026-11-20' };
  const deleted = { ...entry, entity: 'payments', entityId: '3', action: 'delete', before };
  expect(describeEntry(deleted)).toEqual({
    text: 'eliminó el pago 3 de la factura A-1',
    changes: [
      { label: 'Factura', before: 'A-1', after: '—' },
      { label: 'Fecha de pago', before: 'Fri, 20 Nov 2026', after: '—' },
      { label: 'Cantidad pagada', before: '$50.00', after: '—' },
    ],
    href: undefined,
  });
});

it('the reason for a change in a closed period is at the end', () => {
  const before = { id: 3, numfactura: 'A-1' };
  const after = { motivo: 'Era de otro' };
  const deleted = { ...entry, entity: 'payments', entityId: '3', action: 'delete', before, after };
  expect(describeEntry(deleted).text).toBe('eliminó el pago 3 de la factura A-1. Motivo: Era de otro');
});

it.each([
  ['', '2026-10-31', 'cerró el periodo hasta el sábado 31 de octubre de 2026'],
  [
    '2026-10-31',
    '2026-09-30',
    'reabrió el periodo: queda cerrado hasta el miércoles 30 de septiembre de 2026',
  ],
  ['2026-10-31', '', 'reabrió el periodo: queda sin nada cerrado'],
])('the closing date from «%s» to «%s»', (was, is, text) => {
  const moved = {
    ...entry,
    entity: 'settings',
    entityId: 'cierre',
    before: { value: was },
    after: { value: is },
  };
  expect(describeEntry(moved)).toEqual({ text, changes: [], href: '/cierre' });
});

it.each([
  [
    { entity: 'settings', entityId: 'tasa', before: { value: '16' }, after: { value: '8' } },
    'cambió el ajuste Tasa de IVA de una factura nueva: 16 → 8',
  ],
  [
    { action: 'password', entity: 'users', entityId: '2', after: { reset: true } },
    'restableció la contraseña del usuario 2',
  ],
  [
    { action: 'import', entityId: null, after: { source: 'f.csv', created: 1200 } },
    'importó 1,200 en Facturas de «f.csv»',
  ],
  [
    { action: 'delete', entity: 'rubros', entityId: null, before: { count: 12 } },
    'eliminó toda la lista de Rubros (12)',
  ],
  [{ action: 'backup', entity: 'database', entityId: null }, 'respaldó la base de datos'],
  [{ entity: 'gone', action: 'create' }, 'create gone 7'],
])('%o is "%s"', (part, text) => {
  expect(describeEntry({ ...entry, ...part }).text).toBe(text);
});

it('a changed batch has its changed lines: whom it pays, the amount before and after, and who was let through', () => {
  const line = { invoiceId: 7, suppliername: 'Aceros', numfactura: 'A-1', amountCents: 100_00 };
  const other = { invoiceId: 8, suppliername: 'Bloques', numfactura: '', amountCents: 5_00 };
  const gone = { invoiceId: 9, amountCents: 7_00 };
  const batch = { entity: 'payment-batches', entityId: '3', before: null, after: null };
  const permit = { permittedBy: 'luis', codes: ['xml_faltante', 'nueva_revision'], reason: 'Llega el lunes' };
  const description = describeEntry({
    ...batch,
    action: 'update',
    before: { id: 3, totalCents: 107_00, lines: [line, gone] },
    after: { id: 3, totalCents: 95_00, lines: [{ ...line, amountCents: 90_00, ...permit }, other] },
  });
  expect(description).toMatchObject({
    text: 'cambió la programación de pagos 3',
    changes: [
      { label: 'Total', before: '$107.00', after: '$95.00' },
      { label: 'Aceros, factura A-1', before: '$100.00', after: '$90.00' },
      {
        label: 'Aceros, factura A-1, se autorizó de todos modos',
        before: '—',
        after: 'falta el XML, nueva_revision: Llega el lunes',
      },
      { label: 'factura con id 9', before: '$7.00', after: '—' },
      { label: 'Bloques, factura con id 8', before: '—', after: '$5.00' },
    ],
  });
  const permitted = { ...batch, action: 'update', before: { id: 3, lines: [line] } };
  expect(describeEntry({ ...permitted, after: { id: 3, lines: [{ ...line, ...permit }] } })).toMatchObject({
    text: 'cambió la programación de pagos 3',
    changes: [{ label: 'Aceros, factura A-1, se autorizó de todos modos' }],
  });
  const paid = { ...batch, action: 'update', before: { id: 3, lines: [{ ...line, paymentId: null }] } };
  expect(describeEntry({ ...paid, after: { id: 3, lines: [{ ...line, paymentId: 12 }] } }).changes).toEqual([
    { label: 'Aceros, factura A-1, pago', before: '—', after: '12' },
  ]);
  const created = describeEntry({ ...batch, action: 'create', after: { id: 3, lines: [line] } });
  expect(created.changes).toEqual([{ label: 'Aceros, factura A-1', before: '—', after: '$100.00' }]);
});

it('every check that a person may waive has a name', () => {
  expect(Object.keys(CHECKS).filter((code) => !isMandatory(code) && !CHECK_NAMES[code])).toEqual([]);
});
