import type { Migration } from './migration.ts';

/** Adds whether the seal of an invoice's CFDI equals the copy in its stamp (SelloCFD); null where that is unknown. */
export const seals: Migration = {
  name: '0012-seals',
  async up(run) {
    await run(`ALTER TABLE cfdi_documents ADD COLUMN sello text CHECK (sello IN ('coincide', 'difiere'))`);
  },
};
