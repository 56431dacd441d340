import type { Migration } from './migration.ts';

/** Adds whether the seal of an invoice's CFDI is the one that its stamp repeats; null where that is not known. */
export const seals: Migration = {
  name: '0012-seals',
  async up(run) {
    await run(`ALTER TABLE cfdi_documents ADD COLUMN sello text CHECK (sello IN ('coincide', 'difiere'))`);
  },
};
