import { describe, expect, it } from 'vitest';
import { StagedPayments } from '../../../../server/services/payments/staged-payments.ts';
import type { Payment } from '../../../../shared/payments.ts';
import { createActor, TODAY } from '../../../support/rows.ts';

const invoice = {
  id: 1,
  numfactura: 'A-1',
  supplierId: 1,
  fechaemision: null,
  totalCents: 100_000,
  paidCents: 20_000,
  moneda: null,
  tipocambio: null,
};

const captured = (id: number): Payment => ({
  id,
  facturaproveedorId: invoice.id,
  numfactura: invoice.numfactura,
  suppliername: 'Aceros',
  jobtitle: 'Torre',
  origenderecursoId: 5,
  origenderecursonombre: 'Banco',
  checknum: '',
  paymentdate: TODAY,
  amountCents: 10_000,
  importebancoCents: null,
  importemonedaCents: null,
  moneda: null,
  tipocambio: null,
  comments: '',
  userId: 1,
  importId: null,
  kind: 'pago',
  creditNoteId: null,
  creditNumero: null,
  rep: null,
  createdAt: `${TODAY}T12:00:00Z`,
  version: 1,
});

describe('a payment that is tried', () => {
  const opened = () => {
    const run = StagedPayments.create(createActor(), { closing: '', sourceId: null });
    run.addInvoice({ ...invoice });
    run.addPaymentFacts([captured(7), captured(8)], new Map(), []);
    return run;
  };

  it('does not count a trial’s payments until they are accepted', () => {
    const run = opened();
    const tried = run.copyForTrial([{ ...invoice }]).stage({ id: 7, amountCents: 12_000 }, captured(7));
    expect(tried).toMatchObject({ outcome: 'stored', warnings: [] });
    expect(run.pendingOf(invoice.id)).toBe(80_000);
    expect(run.stage({ id: 8, amountCents: 12_000 }, captured(8))).toMatchObject({ warnings: [] });
  });

  it('is visible to the next ones once it is accepted', () => {
    const run = opened();
    run.acceptOutcome(run.copyForTrial([{ ...invoice }]).stage({ id: 7, amountCents: 12_000 }, captured(7)));
    expect(run.pendingOf(invoice.id)).toBe(78_000);
    expect(run.stage({ id: 8, amountCents: 12_000 }, captured(8))).toMatchObject({
      warnings: [{ about: 7 }],
    });
  });
});
