import type { CfdiReading } from '../../formats/cfdi/candidates.ts';
import { settleArrival, takeInvoices } from './decide-invoices.ts';
import { takeNote } from './decide-notes.ts';
import { takeReceipt } from './decide-receipts.ts';
import { giveWay } from './decide-replaced.ts';
import { type CfdiOutcome, type Outcome, refused, warnedOf } from './outcomes.ts';
import { type CfdiPart, readSettling } from './place.ts';

/**
 * Decides about documents whose issuers and invoices are resolved: first all invoices, then earlier credit notes and
 * receipts that name them, then the credit notes, then the receipts, each in the order of the files, so that the order
 * of files in a folder matters no further.
 * @returns the outcomes in the order of the files
 */
export async function decideDocuments(
  part: CfdiPart,
  readings: readonly CfdiReading[],
): Promise<CfdiOutcome[]> {
  const { options, invoices } = part;
  const candidates = readings.filter((reading) => reading.kind === 'I');
  const taken = await takeInvoices(
    part,
    candidates.map((reading) => ({ reading, place: options.places?.get(reading.file) ?? options })),
  );
  await readSettling(part, readings);
  const outcomes = new Map<CfdiReading, Outcome>();
  for (const [index, reading] of candidates.entries()) {
    const { uuid } = reading;
    const outcome = { ...taken[index]! };
    const invoice = uuid && outcome.outcome !== 'refused' ? invoices.named(uuid) : undefined;
    if (invoice && outcome.outcome !== 'unchanged')
      outcome.warnings = [...(outcome.warnings ?? []), ...(await settleArrival(part, invoice))];
    outcomes.set(reading, warnedOf(outcome));
  }
  for (const reading of readings) {
    if (reading.kind !== 'E') continue;
    outcomes.set(reading, await takeNote(part, reading));
  }
  for (const reading of readings)
    if (reading.kind === 'P') outcomes.set(reading, await takeReceipt(part, reading));
  await giveWay(part, readings, outcomes);
  return readings.map((reading) => {
    const { file, uuid, kind } = reading;
    const outcome = kind ? outcomes.get(reading)! : refused(reading.refused);
    return { file, ...outcome, ...(kind && { kind }), uuid };
  });
}
