import type { Migration } from './migration.ts';

/**
 * While an import that is stored in several transactions writes, nobody notes what it changes row by row for the
 * rolled sums: it adds the differences itself, once for all rows of a transaction, before that ends. SQLite's alone,
 * where such imports are. Frozen, and imports nothing of the application.
 */
export const importRolls: Migration = {
  name: '0014-import-rolls',
  async up(run, dialect) {
    const lite = dialect === 'sqlite';
    const int = lite ? 'INTEGER' : 'bigint';
    await run(
      `ALTER TABLE open_imports ADD COLUMN "rollsItself" ${int} NOT NULL DEFAULT 0 CHECK ("rollsItself" IN (0, 1))`,
    );
    if (!lite) return;
    for (const log of LOGS)
      for (const { suffix, event, rows } of [
        { suffix: 'insert', event: 'INSERT', rows: [log.row('new', '')] },
        { suffix: 'delete', event: 'DELETE', rows: [log.row('old', '-')] },
        {
          suffix: 'update',
          event: `UPDATE OF ${log.watched}`,
          rows: [log.row('old', '-'), log.row('new', '')],
        },
      ]) {
        await run(`DROP TRIGGER ${log.name}_${suffix}`);
        await run(`CREATE TRIGGER ${log.name}_${suffix} AFTER ${event} ON ${log.of}
          WHEN NOT EXISTS (SELECT 1 FROM open_imports WHERE "rollsItself" = 1) BEGIN
          INSERT INTO ${log.name} (${log.columns}) VALUES ${rows.map((row) => `(${row})`).join(', ')}; END`);
      }
  },
};

/** As 0009-rolled-sums has them. */
const LOGS = [
  {
    name: 'invoice_changes',
    of: 'invoices',
    columns: `"supplierId", "jobId", "rubroId", "fechaemision", "pago", "vence", "estimado",
      "count", "totalCents", "paidCents", "sinIvaCents"`,
    watched: `"supplierId", "jobId", "rubroId", "fechaemision", "fechavencimiento", "vence", "subtotalCents",
      "otrosimpuestosCents", "totalCents", "paidCents"`,
    row: (r: string, sign: '' | '-') => `${r}."supplierId", ${r}."jobId", coalesce(${r}."rubroId", 0),
      coalesce(${r}."fechaemision", ''),
      CASE WHEN ${r}."paidCents" >= ${r}."totalCents" THEN 'todo' WHEN ${r}."paidCents" > 0 THEN 'parte'
        ELSE 'nada' END,
      coalesce(${r}."vence", ''), CASE WHEN ${r}.fechavencimiento IS NULL THEN 1 ELSE 0 END, ${sign}1,
      ${sign}${r}."totalCents", ${sign}${r}."paidCents",
      ${sign}(${r}."subtotalCents" + ${r}."otrosimpuestosCents")`,
  },
  {
    name: 'payment_changes',
    of: 'payments',
    columns: '"origenderecursoId", "paymentdate", "kind", "count", "amountCents", "takenCents"',
    watched: '"origenderecursoId", "paymentdate", "kind", "amountCents", "importebancoCents"',
    row: (
      r: string,
      sign: '' | '-',
    ) => `coalesce(${r}."origenderecursoId", 0), coalesce(${r}."paymentdate", ''),
      ${r}.kind, ${sign}1, ${sign}${r}."amountCents",
      ${sign}coalesce(${r}."importebancoCents", ${r}."amountCents")`,
  },
];
