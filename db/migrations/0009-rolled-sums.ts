import type { Migration } from './migration.ts';
import { createRolls, day, int, type Log, orNone, plain, text } from './rolls.ts';

/** Sums of invoices and payments that are there before anybody asks. Frozen, and imports nothing of the application. */
export const rolledSums: Migration = {
  name: '0009-rolled-sums',
  async up(run, dialect) {
    for (const log of LOGS) await createRolls(run, log, dialect === 'sqlite');
    // What was issued on no day counts from its capture on.
    await run('CREATE INDEX invoices_undated ON invoices ("createdAt") WHERE fechaemision IS NULL');
  },
};

const LOGS: readonly Log[] = [
  {
    name: 'invoice_changes',
    of: 'invoices',
    keys: [
      plain('supplierId'),
      plain('jobId'),
      orNone('rubroId'),
      day('fechaemision'),
      text('pago', (row) => {
        const [paid, total] = [`${row}."paidCents"`, `${row}."totalCents"`];
        return `CASE WHEN ${paid} >= ${total} THEN 'todo' WHEN ${paid} > 0 THEN 'parte' ELSE 'nada' END`;
      }),
      day('vence'),
      int('estimado', (row) => `CASE WHEN ${row}.fechavencimiento IS NULL THEN 1 ELSE 0 END`),
    ],
    measures: [
      plain('totalCents'),
      plain('paidCents'),
      int('sinIvaCents', (row) => `(${row}."subtotalCents" + ${row}."otrosimpuestosCents")`),
    ],
    watched: [
      'supplierId',
      'jobId',
      'rubroId',
      'fechaemision',
      'fechavencimiento',
      'vence',
      'subtotalCents',
      'otrosimpuestosCents',
      'totalCents',
      'paidCents',
    ],
    rolls: [
      {
        name: 'invoice_sums',
        keys: [
          { name: 'supplierId', type: 'int', from: '"supplierId"' },
          { name: 'jobId', type: 'int', from: '"jobId"' },
        ],
        levels: [[], ['supplierId'], ['jobId'], ['supplierId', 'jobId']],
      },
      {
        name: 'invoice_day_sums',
        keys: [{ name: 'fechaemision', type: 'text', from: 'fechaemision' }],
      },
      {
        name: 'invoice_month_sums',
        keys: [
          { name: 'month', type: 'text', from: 'substr(fechaemision, 1, 7)' },
          { name: 'jobId', type: 'int', from: '"jobId"' },
          { name: 'rubroId', type: 'int', from: '"rubroId"' },
        ],
        levels: [
          ['month', 'jobId'],
          ['month', 'rubroId'],
        ],
      },
      {
        name: 'invoice_due_sums',
        keys: [
          { name: 'pago', type: 'text', from: 'pago' },
          { name: 'vence', type: 'text', from: 'vence' },
          { name: 'estimado', type: 'int', from: 'estimado' },
        ],
        passes: true,
      },
    ],
  },
  {
    name: 'payment_changes',
    of: 'payments',
    keys: [orNone('origenderecursoId'), day('paymentdate'), text('kind', (row) => `${row}.kind`)],
    measures: [
      plain('amountCents'),
      int('takenCents', (row) => `coalesce(${row}."importebancoCents", ${row}."amountCents")`),
    ],
    watched: ['origenderecursoId', 'paymentdate', 'kind', 'amountCents', 'importebancoCents'],
    rolls: [
      {
        name: 'payment_day_sums',
        keys: [
          { name: 'paymentdate', type: 'text', from: 'paymentdate' },
          { name: 'kind', type: 'text', from: 'kind' },
        ],
      },
      {
        name: 'payment_source_sums',
        keys: [
          { name: 'origenderecursoId', type: 'int', from: '"origenderecursoId"' },
          { name: 'paymentdate', type: 'text', from: 'paymentdate' },
        ],
      },
    ],
  },
];
