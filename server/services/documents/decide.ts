import type { CfdiReading } from '../../formats/cfdi/candidates.ts';
import { applyEarlierDocuments, writeDocumentInvoices } from './decide-invoices.ts';
import { writeCreditNote } from './decide-notes.ts';
import { writeReceipt } from './decide-receipts.ts';
import { type CfdiImportContext, readSettlingDocuments } from './import-context.ts';
import {
  type CfdiOutcome,
  type CfdiOutcomeWithoutFile,
  createRefusedOutcome,
  toWarnedOutcome,
} from './outcomes.ts';
import { removeReplacedDocuments } from './remove-replaced.ts';

/**
 * Writes all invoices, then earlier credit notes and receipts that name them, then the credit notes, then the receipts,
 * each in the order of the files. Apart from that, the order of the files does not matter.
 * @returns the outcomes in the order of the files
 */
export async function writeDocuments(
  context: CfdiImportContext,
  readings: readonly CfdiReading[],
): Promise<CfdiOutcome[]> {
  const { options, invoices } = context;
  const candidates = readings.filter((reading) => reading.kind === 'I');
  const invoiceOutcomes = await writeDocumentInvoices(
    context,
    candidates.map((reading) => ({
      reading,
      jobAndRubro: options.jobAndRubroByFile?.get(reading.file) ?? options,
    })),
  );
  await readSettlingDocuments(context, readings);
  const outcomes = new Map<CfdiReading, CfdiOutcomeWithoutFile>();
  for (const [index, reading] of candidates.entries()) {
    const { uuid } = reading;
    const outcome = { ...invoiceOutcomes[index]! };
    const invoice = uuid && outcome.outcome !== 'refused' ? invoices.withAnyUuid(uuid) : undefined;
    if (invoice && outcome.outcome !== 'unchanged')
      outcome.warnings = [...(outcome.warnings ?? []), ...(await applyEarlierDocuments(context, invoice))];
    outcomes.set(reading, toWarnedOutcome(outcome));
  }
  for (const reading of readings) {
    if (reading.kind !== 'E') continue;
    outcomes.set(reading, await writeCreditNote(context, reading));
  }
  for (const reading of readings)
    if (reading.kind === 'P') outcomes.set(reading, await writeReceipt(context, reading));
  await removeReplacedDocuments(context, readings, outcomes);
  return readings.map((reading) => {
    const { file, uuid, kind } = reading;
    const outcome = kind ? outcomes.get(reading)! : createRefusedOutcome(reading.refused);
    return { file, ...outcome, ...(kind && { kind }), uuid };
  });
}
