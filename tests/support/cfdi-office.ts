import { expect } from 'vitest';
import type { Db } from '../../db/schema.ts';
import { importCfdi } from '../../server/services/documents/import.ts';
import type { CfdiImportOptions } from '../../server/services/documents/outcomes.ts';
import { searchPayments } from '../../server/services/payments/reading.ts';
import {
  buildCfdi,
  buildCreditNote,
  buildReceipt,
  bytesOf,
  type CfdiParts,
  type ReceiptParts,
  uuidOfNumber,
} from './cfdi.ts';
import { findDatabaseProblems } from './problems.ts';
import { cfdiInWords } from './remarks.ts';
import { addActor, addFundingSource, addJob, addSupplier } from './rows.ts';

const numberDocument = (n: number, parts: CfdiParts): CfdiParts => ({
  uuid: uuidOfNumber(n),
  ...parts,
  root: { Folio: String(n), ...parts.root },
});

export const buildInvoiceFile = (n: number, parts: CfdiParts = {}) => ({
  name: `factura-${n}.xml`,
  bytes: bytesOf(buildCfdi(numberDocument(n, parts))),
});

export const buildCreditNoteFile = (
  n: number,
  creditedNumbers: readonly number[],
  parts: CfdiParts = {},
) => ({
  name: `nota-${n}.xml`,
  bytes: bytesOf(buildCreditNote(creditedNumbers.map(uuidOfNumber), numberDocument(n, parts))),
});

export const buildReceiptFile = (n: number, parts: ReceiptParts) => ({
  name: `pago-${n}.xml`,
  bytes: bytesOf(buildReceipt({ uuid: uuidOfNumber(n), ...parts })),
});

export async function createCfdiImporter(db: Db) {
  const actor = await addActor(db, { origin: 'cli' });
  const jobId = await addJob(db);
  const readInvoices = () => db.selectFrom('invoices').selectAll().orderBy('id').execute();
  return {
    ...{ db, actor, jobId, invoices: readInvoices },
    supplierId: await addSupplier(db, { rfc: 'EKU9003173C9' }),
    fundingSourceId: await addFundingSource(db),
    run: async (
      files: { name: string; bytes: Buffer }[],
      options: Partial<CfdiImportOptions> = {},
      handle = db,
    ) => cfdiInWords(await importCfdi(handle, actor, files, { jobId, ...options })),
    payments: async () => (await searchPayments(db, { limit: 100 })).rows,
    lines: () => db.selectFrom('payment_receipt_lines').selectAll().orderBy('id').execute(),
    pending: async () => (await readInvoices()).map(({ totalCents, paidCents }) => totalCents - paidCents),
    sound: async () => expect(await findDatabaseProblems(db)).toEqual([]),
  };
}
