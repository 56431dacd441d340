import { describe, expect, it } from 'vitest';
import { computeTypedAmounts, type StoredAmounts } from '../../shared/invoice-form-amounts.ts';
import { describeDue } from '../../shared/invoices-due.ts';

const typed = (subtotal: string, tasa = '16', otrosimpuestos = '', retenciones = '') =>
  computeTypedAmounts({ subtotal, tasa, otrosimpuestos, retenciones });

describe('while an invoice is typed', () => {
  it('IVA and total follow the subtotal, the rate, other taxes and withholdings', () => {
    expect(typed('1000')).toEqual({ ivaCents: 16_000, totalCents: 116_000 });
    expect(typed('$1,160.50', '8')).toEqual({ ivaCents: 9_284, totalCents: 125_334 });
    expect(typed('1000', '0', '50', '40.00')).toEqual({ ivaCents: 0, totalCents: 101_000 });
    expect(typed('')).toEqual({ ivaCents: 0, totalCents: 0 });
  });

  it('unreadable values give nothing instead of a wrong figure', () => {
    for (const subtotal of ['1,16', 'abc', '1.005', '99999999999']) expect(typed(subtotal)).toBeUndefined();
    for (const tasa of ['', '101', '-1', 'Mixta', '16.00001']) expect(typed('1000', tasa)).toBeUndefined();
  });

  it('stored amounts stay the same to the cent until one of them gets another meaning', () => {
    const stored: StoredAmounts = {
      subtotal: '333.33',
      tasa: '16',
      otrosimpuestos: '0.00',
      retenciones: '0.00',
      ivaCents: 5_334,
      totalCents: 38_667,
    };
    const texts = { ...stored, subtotal: '$333.33', tasa: '16.0', otrosimpuestos: '', retenciones: '0' };
    expect(computeTypedAmounts(texts, stored)).toEqual({ ivaCents: 5_334, totalCents: 38_667 });
    expect(computeTypedAmounts({ ...texts, subtotal: '333.34' }, stored)).toEqual({
      ivaCents: 5_333,
      totalCents: 38_667,
    });
    const mixed = { ...stored, tasa: 'Mixta' };
    expect(computeTypedAmounts(mixed, mixed)).toEqual({ ivaCents: 5_334, totalCents: 38_667 });
    expect(computeTypedAmounts({ ...mixed, subtotal: '1' }, mixed)).toBeUndefined();
  });
});

describe('next to an empty due date', () => {
  const none = { fechavencimiento: '', fecharecepcion: '', fechaemision: '' };
  const dates = { ...none, fecharecepcion: '2026-12-20', fechaemision: '2026-12-02' };
  const known = { creditDays: 30, fechacaptura: '2026-11-20' };

  it('the form shows when the invoice is due: by reception, else issue, and the credit days, else by its capture', () => {
    expect(describeDue(dates, known)).toBe('Vence el mar 19 ene 2027: 30 días de crédito.');
    expect(describeDue({ ...dates, fecharecepcion: '' }, known)).toBe(
      'Vence el vie 01 ene 2027: 30 días de crédito.',
    );
    expect(describeDue(dates, { ...known, creditDays: 1 })).toBe(
      'Vence el lun 21 dic 2026: 1 día de crédito.',
    );
    expect(describeDue(dates, { ...known, creditDays: 0 })).toBe(
      'Vence el dom 20 dic 2026: sin días de crédito.',
    );
    expect(describeDue(none, known)).toBe('Vence el vie 20 nov 2026: el día de su captura.');
  });

  it('the form shows nothing if the due date is given, or the other dates are still being typed', () => {
    expect(describeDue({ ...dates, fechavencimiento: '2026-12-24' }, known)).toBe('');
    expect(describeDue({ ...dates, fecharecepcion: '0002-01-01' }, known)).toBe('');
    expect(describeDue({ ...dates, fecharecepcion: 'mañana' }, known)).toBe('');
  });
});
