import type { Migration } from './migration.ts';

/**
 * Adds when each line of a batch was sent to the bank, in a downloaded file or by hand. Of older batches, all lines that
 * no check held count as sent, unless the batch has files that nobody has downloaded.
 */
export const sentLines: Migration = {
  name: '0015-sent-lines',
  async up(run, dialect) {
    const moment = dialect === 'sqlite' ? 'TEXT' : 'timestamp(3)';
    await run(`ALTER TABLE payment_batch_lines ADD COLUMN "sentAt" ${moment}`);
    await run(`UPDATE payment_batch_lines SET "sentAt" = b."updatedAt" FROM payment_batches b
      WHERE b.id = payment_batch_lines."batchId" AND (b.estado = 'enviada' OR b."sentOn" IS NOT NULL)
        AND (verdict NOT LIKE '%"impedir"%' OR "permittedFor" IS NOT NULL OR verdict LIKE '%"step":"pagar"%')
        AND (NOT EXISTS (SELECT 1 FROM payment_batch_files f WHERE f."batchId" = b.id)
          OR EXISTS (SELECT 1 FROM payment_batch_files f JOIN payment_batch_downloads d ON d."fileId" = f.id
            WHERE f."batchId" = b.id))`);
  },
};
