import { formatMoney } from '../../../shared/money.ts';
import type { CfdiGround } from './ground.ts';
import type { KnownInvoice } from './known.ts';
import { applyNote, noteLabel } from './settling-notes.ts';
import { placeLines, planLines } from './settling-receipts.ts';

/** An invoice that has come: what waited for it finds it. @returns what its reader should know */
export async function settleArrival(ground: CfdiGround, invoice: KnownInvoice): Promise<string[]> {
  if (!invoice.uuid) return [];
  const said: string[] = [];
  for (const note of ground.papers.notesFor(invoice.supplierId, invoice.uuid)) {
    const applied = await applyNote(ground, note, invoice);
    if (applied > 0) said.push(`Se le aplicaron ${formatMoney(applied)} de ${noteLabel(note)}.`);
  }
  const waiting = ground.papers.waitingFor(invoice.uuid);
  if (waiting.length === 0) return said;
  const plan = await planLines(ground, waiting);
  return [...said, ...(await placeLines(ground, plan))];
}
