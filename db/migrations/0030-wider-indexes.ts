import type { Migration } from './migration.ts';

/**
 * Three indexes that answer by themselves what the invoices were read for: which look alike, a supplier's statement,
 * and what was captured since a day. Each begins as it did, so whoever it served it serves. And two of few: of a
 * supplier's open invoices, for which SQLite would now go through all of them by number, and of those whose payments have
 * to be receipted. Frozen, and imports nothing of the application.
 */
export const widerIndexes: Migration = {
  name: '0030-wider-indexes',
  async up(run, dialect) {
    const nulls = dialect === 'sqlite' ? '' : ' NULLS FIRST';
    for (const [name, columns] of [
      ['invoices_total', '"totalCents", id, "supplierId", fechaemision'],
      [
        'invoices_supplier',
        `"supplierId", fechavencimiento${nulls}, id, "totalCents", "paidCents", "subtotalCents", "otrosimpuestosCents",
      fechaemision, fechacaptura`,
      ],
      ['invoices_created', '"createdAt", "totalCents"'],
    ]) {
      await run(`DROP INDEX ${name}`);
      await run(`CREATE INDEX ${name} ON invoices (${columns})`);
    }
    await run('CREATE INDEX invoices_owed ON invoices ("supplierId") WHERE "paidCents" < "totalCents"');
    await run(`CREATE INDEX invoices_receipted ON invoices (id) WHERE metodopago = 'PPD'`);
  },
};
