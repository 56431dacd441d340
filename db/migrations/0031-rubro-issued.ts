import type { Migration } from './migration.ts';

/**
 * What a rubro cost each obra in a period: of that index alone. Beside the one of rubros alone, which has the lists in
 * the order of their ids. Frozen, and imports nothing of the application.
 */
export const rubroIssued: Migration = {
  name: '0031-rubro-issued',
  async up(run) {
    await run(`CREATE INDEX invoices_rubro_issued ON invoices ("rubroId", fechaemision, "jobId", "totalCents",
      "paidCents", "subtotalCents", "otrosimpuestosCents")`);
  },
};
