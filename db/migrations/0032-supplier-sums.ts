import type { Migration } from './migration.ts';

/**
 * What is owed to each supplier, side by side. What it comes to in all: in the table of sums they lie among those by obra,
 * one to a page. And when each is due, from the index by itself. Frozen, and imports nothing of the application.
 */
export const supplierSums: Migration = {
  name: '0032-supplier-sums',
  async up(run) {
    await run(`CREATE INDEX invoice_sums_supplier ON invoice_sums
      ("supplierId", count, "totalCents", "paidCents", "sinIvaCents") WHERE "jobId" = -1`);
    await run('DROP INDEX invoices_owed');
    await run(`CREATE INDEX invoices_owed ON invoices ("supplierId", vence, "jobId", fechavencimiento, "totalCents",
      "paidCents") WHERE "paidCents" < "totalCents"`);
  },
};
