import { describe, expect, it } from 'vitest';
import { sayDue } from '../../shared/invoices-due.ts';

describe('beside an empty due date', () => {
  const none = { fechavencimiento: '', fecharecepcion: '', fechaemision: '' };
  const dates = { ...none, fecharecepcion: '2026-12-20', fechaemision: '2026-12-02' };
  const known = { creditDays: 30, fechacaptura: '2026-11-20' };

  it('stands when the invoice is due: by reception, else issue, and the credit days, else by its capture', () => {
    expect(sayDue(dates, known)).toBe('Vence el mar 19 ene 2027: 30 días de crédito.');
    expect(sayDue({ ...dates, fecharecepcion: '' }, known)).toBe(
      'Vence el vie 01 ene 2027: 30 días de crédito.',
    );
    expect(sayDue(dates, { ...known, creditDays: 1 })).toBe('Vence el lun 21 dic 2026: 1 día de crédito.');
    expect(sayDue(dates, { ...known, creditDays: 0 })).toBe('Vence el dom 20 dic 2026: sin días de crédito.');
    expect(sayDue(none, known)).toBe('Vence el vie 20 nov 2026: el día de su captura.');
  });

  it('stands nothing where it is given, or the other dates are still being typed', () => {
    expect(sayDue({ ...dates, fechavencimiento: '2026-12-24' }, known)).toBe('');
    expect(sayDue({ ...dates, fecharecepcion: '0002-01-01' }, known)).toBe('');
    expect(sayDue({ ...dates, fecharecepcion: 'mañana' }, known)).toBe('');
  });
});
