import type { CfdiReading } from '../../formats/cfdi/candidates.ts';
import { applyEarlierDocuments, decideInvoices } from './decide-invoices.ts';
import { decideNote } from './decide-notes.ts';
import { decideReceipt } from './decide-receipts.ts';
import { removeReplaced } from './decide-replaced.ts';
import { type CfdiOutcome, markWarned, type Outcome, refusedOutcome } from './outcomes.ts';
import { type CfdiPart, readSettlingDocuments } from './place.ts';

/**
 * First come all invoices, then earlier credit notes and receipts that name them, then the credit notes, then the
 * receipts, each in the order of the files, so that the order of files in a folder matters no further.
 * @returns the outcomes in the order of the files
 */
export async function decideDocuments(
  part: CfdiPart,
  readings: readonly CfdiReading[],
): Promise<CfdiOutcome[]> {
  const { options, invoices } = part;
  const candidates = readings.filter((reading) => reading.kind === 'I');
  const invoiceOutcomes = await decideInvoices(
    part,
    candidates.map((reading) => ({ reading, place: options.places?.get(reading.file) ?? options })),
  );
  await readSettlingDocuments(part, readings);
  const outcomes = new Map<CfdiReading, Outcome>();
  for (const [index, reading] of candidates.entries()) {
    const { uuid } = reading;
    const outcome = { ...invoiceOutcomes[index]! };
    const invoice = uuid && outcome.outcome !== 'refused' ? invoices.withAnyUuid(uuid) : undefined;
    if (invoice && outcome.outcome !== 'unchanged')
      outcome.warnings = [...(outcome.warnings ?? []), ...(await applyEarlierDocuments(part, invoice))];
    outcomes.set(reading, markWarned(outcome));
  }
  for (const reading of readings) {
    if (reading.kind !== 'E') continue;
    outcomes.set(reading, await decideNote(part, reading));
  }
  for (const reading of readings)
    if (reading.kind === 'P') outcomes.set(reading, await decideReceipt(part, reading));
  await removeReplaced(part, readings, outcomes);
  return readings.map((reading) => {
    const { file, uuid, kind } = reading;
    const outcome = kind ? outcomes.get(reading)! : refusedOutcome(reading.refused);
    return { file, ...outcome, ...(kind && { kind }), uuid };
  });
}
