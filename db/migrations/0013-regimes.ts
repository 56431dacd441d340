import type { Migration } from './migration.ts';

/**
 * Adds the tax regime of suppliers (SAT, c_RegimenFiscal) and the day of the CFDI that states it. For existing
 * suppliers both are read from the XML of their latest document, unless that is in UTF-16.
 */
export const regimes: Migration = {
  name: '0013-regimes',
  async up(run, dialect) {
    const lite = dialect === 'sqlite';
    await run(`ALTER TABLE suppliers ADD COLUMN "regimenFiscal" text CHECK (length("regimenFiscal") = 3)`);
    await run(`ALTER TABLE suppliers ADD COLUMN "regimenFecha" ${lite ? 'text' : 'date'}`);
    const ofDetail = (member: string) =>
      lite ? `d.detail ->> '$.${member}'` : `d.detail::jsonb ->> '${member}'`;
    const attribute = ` RegimenFiscal="`;
    const at = lite
      ? `instr(f.bytes, CAST('${attribute}' AS BLOB))`
      : `position(convert_to('${attribute}', 'UTF8') IN f.bytes)`;
    const code = lite
      ? `CAST(substr(f.bytes, ${at} + ${attribute.length}, 3) AS TEXT)`
      : `encode(substring(f.bytes FROM ${at} + ${attribute.length} FOR 3), 'escape')`;
    await run(`UPDATE suppliers SET "regimenFiscal" = ${code}, "regimenFecha" = latest.fecha
      FROM (SELECT stated.*, row_number() OVER (PARTITION BY "supplierId" ORDER BY fecha DESC, sha256) AS place FROM (
          SELECT i."supplierId", ${lite ? ofDetail('fecha') : `(${ofDetail('fecha')})::date`} AS fecha,
            ${ofDetail('sha256')} AS sha256 FROM invoices i JOIN cfdi_documents d ON d."invoiceId" = i.id
          UNION ALL SELECT "supplierId", fecha, sha256 FROM credit_notes
          UNION ALL SELECT "supplierId", fecha, sha256 FROM payment_receipts) AS stated
        WHERE fecha IS NOT NULL AND sha256 IN (SELECT sha256 FROM files)) AS latest
        JOIN files f ON f.sha256 = latest.sha256
      WHERE latest.place = 1 AND suppliers.id = latest."supplierId" AND ${at} > 0
        AND ${code} ${lite ? `GLOB '[0-9][0-9][0-9]'` : `~ '^[0-9]{3}$'`}`);
  },
};
