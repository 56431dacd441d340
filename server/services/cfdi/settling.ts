import { formatMoney } from '../../../shared/money.ts';
import { type Remark, remark } from '../../../shared/remarks.ts';
import { isClosed, sayClosed } from '../closing/closing.ts';
import type { ImportContext } from './import-context.ts';
import type { KnownInvoice } from './known-invoices.ts';
import { applyNote, noteLabel } from './settling-credit-notes.ts';
import { placeLines, planLines } from './settling-payment-receipts.ts';

/** An invoice that has come: what waited for it finds it. @returns what its reader should know */
export async function settleArrival(context: ImportContext, invoice: KnownInvoice): Promise<Remark[]> {
  if (!invoice.uuid) return [];
  const said: Remark[] = [];
  for (const note of context.settlements.notesFor(invoice.supplierId, invoice.uuid)) {
    if (isClosed(note.fecha, context.closing)) {
      said.push(remark`No se le aplicó ${noteLabel(note)}. ${sayClosed(note.fecha, context.closing)}`);
      continue;
    }
    const applied = await applyNote(context, note, invoice);
    if (applied > 0) said.push(remark`Se le aplicaron ${formatMoney(applied)} de ${noteLabel(note)}.`);
  }
  const waiting = context.settlements.waitingFor(invoice.uuid);
  if (waiting.length === 0) return said;
  const plan = await planLines(context, waiting);
  return [...said, ...(await placeLines(context, plan))];
}
