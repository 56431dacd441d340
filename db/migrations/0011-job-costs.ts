import type { Migration } from './migration.ts';

/** What an obra cost by day of issue and rubro, from an index alone. Frozen, and imports nothing of the application. */
export const jobCosts: Migration = {
  name: '0011-job-costs',
  async up(run) {
    await run(`CREATE INDEX invoices_job_cost ON invoices ("jobId", fechaemision, "rubroId",
      "subtotalCents", "otrosimpuestosCents", "totalCents")`);
  },
};
