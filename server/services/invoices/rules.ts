import type { Trx } from '../../../db/schema.ts';
import { type PlainDate, sayDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import { type Invoice, type InvoiceDraft, invoiceAmounts, invoiceTexts } from '../../../shared/invoices.ts';
import { type Cents, divideHalfUp, moneyText, type Rate, taxOf } from '../../../shared/money.ts';
import { numberKey } from '../../../shared/text.ts';
import { daysAbout, InvoiceBook, type InvoiceOnFile } from './book.ts';
import { identityRows, readBook } from './book-reading.ts';
import { holdNumbers } from './number-locks.ts';
import { AMOUNTS, type Amounts, amountsOf } from './rows.ts';

/** The amounts after a change; the stored ones where it sends none that differ. */
export function newAmounts(before: Invoice, draft: InvoiceDraft): Amounts {
  const sent = AMOUNTS.filter((name) => draft[name] !== undefined && draft[name] !== before[name]);
  if (sent.length === 0) return amountsOf(before);
  const subtotalCents = draft.subtotalCents ?? before.subtotalCents;
  const amounts = {
    subtotalCents,
    tasa: draft.tasa ?? rateFor(before, subtotalCents, draft.ivaCents),
    otrosimpuestosCents: draft.otrosimpuestosCents ?? before.otrosimpuestosCents,
    retencionesCents: draft.retencionesCents ?? before.retencionesCents,
  };
  const computed = invoiceAmounts(amounts);
  requireAgreement(draft, computed);
  return { ...amounts, ...computed };
}

/** The rate of a change that names none: the stored one, else the one that the sent iva comes from. */
function rateFor(before: Invoice, subtotalCents: Cents, ivaCents: Cents | undefined): Rate {
  if (before.tasa !== null && (ivaCents === undefined || taxOf(subtotalCents, before.tasa) === ivaCents))
    return before.tasa;
  if (ivaCents !== undefined && ivaCents >= 0 && subtotalCents > 0) {
    const rate = divideHalfUp(BigInt(ivaCents) * 1_000_000n, BigInt(subtotalCents));
    if (rate <= 1_000_000 && taxOf(subtotalCents, rate) === ivaCents) return rate;
  }
  const message =
    ivaCents === undefined
      ? invoiceTexts.missingRate
      : 'El IVA no corresponde a ninguna tasa de este subtotal.';
  throw new DomainError('invalid', message, { fields: { tasa: message } });
}

/** What the server computes may be sent along, and must then be the same to the cent. */
export function requireAgreement(
  draft: InvoiceDraft,
  computed: { ivaCents: Cents; totalCents: Cents },
): void {
  const fields: Record<string, string> = {};
  if (draft.ivaCents !== undefined && draft.ivaCents !== computed.ivaCents) {
    fields.iva = `El IVA debe ser ${moneyText(computed.ivaCents)}.`;
  }
  if (draft.totalCents !== undefined && draft.totalCents !== computed.totalCents) {
    fields.total = `El total debe ser ${moneyText(computed.totalCents)}.`;
  }
  const [first] = Object.values(fields);
  if (first) throw new DomainError('invalid', first, { code: 'amounts_disagree', fields });
}

/** @throws DomainError conflict duplicate_invoice, with the id of the invoice that has the number */
export async function requireFreeNumber(
  trx: Trx,
  { supplierId, numfactura }: { supplierId: number; numfactura: string },
  allowDuplicate: boolean,
  self = 0,
): Promise<void> {
  const number = { supplierId, numfacturaKey: numberKey(numfactura) };
  if (!number.numfacturaKey || allowDuplicate) return;
  await holdNumbers(trx, [number]);
  const book = new InvoiceBook<InvoiceOnFile>();
  await readBook(trx, book, identityRows, [{ ...number, uuid: null }]);
  const existing = book.numbered(supplierId, number.numfacturaKey).find(({ id }) => id !== self);
  if (!existing) return;
  const { suppliername } = await trx
    .selectFrom('suppliers')
    .select('suppliername')
    .where('id', '=', supplierId)
    .executeTakeFirstOrThrow();
  const message = invoiceTexts.duplicate(numfactura, suppliername);
  throw new DomainError('conflict', message, {
    code: 'duplicate_invoice',
    fields: { numfactura: message },
    extra: { existingId: existing.id },
  });
}

/** Texts, and the ids of the invoices that they are about. */
export async function warnOfLookalikes(
  trx: Trx,
  invoice: Invoice,
): Promise<{ warnings: string[]; about: number[] }> {
  const { supplierId, totalCents, fechaemision } = invoice;
  if (!fechaemision) return { warnings: [], about: [] };
  const book = new InvoiceBook<InvoiceOnFile>();
  const total = { uuid: null, supplierId, numfacturaKey: '', totalCents };
  await readBook(trx, book, identityRows, [total], { issued: daysAbout([fechaemision]) });
  const alike = book.lookalikes(invoice);
  return { warnings: alike.map(lookalikeWarning), about: alike.map(({ id }) => id) };
}

type Lookalike = { id?: number; numfactura: string; fechaemision: PlainDate | null };

export const lookalikeWarning = ({ id, numfactura, fechaemision }: Lookalike): string =>
  `Se parece a la factura ${numberOrId(numfactura, id)}${fechaemision ? ` del ${sayDate(fechaemision)}` : ''}: mismo proveedor y total.`;

/** "A-12"; of one without a number its id, which must not look like one. */
export const numberOrId = (numfactura: string, id?: number): string =>
  numfactura || `sin número${id === undefined ? '' : ` (id ${id})`}`;
