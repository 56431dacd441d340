import type { Migration } from './migration.ts';
import { createRolls, day, int, type Log, orNone, plain, text } from './rolls.ts';

/**
 * What was paid by month and obra, and by month and rubro, and the share of it that is cost: of the payments, with what
 * their invoices say of them. Frozen, and imports nothing of the application.
 */
export const paidCosts: Migration = {
  name: '0023-paid-costs',
  async up(run, dialect) {
    const lite = dialect === 'sqlite';
    const triggers = ['insert', 'delete', 'update', ...(lite ? [] : ['truncate'])];
    for (const name of triggers)
      await run(`DROP TRIGGER payment_changes_${name}${lite ? '' : ' ON payments'}`);
    if (!lite)
      for (const name of ['note', 'fold', 'forget']) await run(`DROP FUNCTION ${name}_payment_changes()`);
    // Made anew from the payments: what was noted last says nothing of obras.
    for (const name of ['payment_changes', 'payment_day_sums', 'payment_source_sums'])
      await run(`DROP TABLE ${name}`);
    await createRolls(run, PAYMENTS, lite);
  },
};

const taken = (row: string) => `coalesce(${row}."importebancoCents", ${row}."amountCents")`;

const ofInvoice = (name: string) => int(name, (_row, _lite, invoice) => `coalesce(${invoice}."${name}", 0)`);

const PAYMENTS: Log = {
  name: 'payment_changes',
  of: 'payments',
  keys: [
    orNone('origenderecursoId'),
    day('paymentdate'),
    text('kind', (row) => `${row}.kind`),
    ofInvoice('jobId'),
    ofInvoice('rubroId'),
  ],
  measures: [
    plain('amountCents'),
    int('takenCents', taken),
    // Of what left the bank the part that the invoice has without IVA, to the cent.
    int(
      'costCents',
      (row, lite, invoice) => `coalesce(cast(floor(cast(${taken(row)} AS double precision)
        * (${invoice}."subtotalCents" + ${invoice}."otrosimpuestosCents") / nullif(${invoice}."totalCents", 0) + 0.5)
        AS ${lite ? 'integer' : 'bigint'}), 0)`,
    ),
  ],
  watched: [
    'facturaproveedorId',
    'origenderecursoId',
    'paymentdate',
    'kind',
    'amountCents',
    'importebancoCents',
  ],
  beside: {
    table: 'invoices',
    by: 'facturaproveedorId',
    watched: ['jobId', 'rubroId', 'subtotalCents', 'otrosimpuestosCents', 'totalCents'],
  },
  unless: 'SELECT 1 FROM open_imports WHERE "rollsItself" = 1',
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
    {
      name: 'payment_month_sums',
      keys: [
        { name: 'month', type: 'text', from: 'substr(paymentdate, 1, 7)' },
        { name: 'kind', type: 'text', from: 'kind' },
        { name: 'jobId', type: 'int', from: '"jobId"' },
        { name: 'rubroId', type: 'int', from: '"rubroId"' },
      ],
      levels: [
        ['month', 'kind', 'jobId'],
        ['month', 'kind', 'rubroId'],
      ],
    },
  ],
};
