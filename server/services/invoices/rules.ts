import { lockKey } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import { addDays, formatDate, type PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import { type Invoice, type InvoiceDraft, invoiceAmounts, invoiceTexts } from '../../../shared/invoices.ts';
import { type Cents, divideHalfUp, moneyText, type Rate, taxOf } from '../../../shared/money.ts';
import { numberKey } from '../../../shared/text.ts';

export const AMOUNTS = [
  'subtotalCents',
  'tasa',
  'ivaCents',
  'otrosimpuestosCents',
  'retencionesCents',
  'totalCents',
] as const satisfies ReadonlyArray<keyof Invoice>;

/** Issue dates this close, with the same supplier and total, make two invoices look alike. */
export const LOOKALIKE_DAYS = 10;

/** The due date that the supplier's credit days give, where the form leaves it empty and the supplier has any. */
export async function dueDateByCredit(db: Db, draft: InvoiceDraft): Promise<PlainDate | null> {
  const from = draft.fecharecepcion ?? draft.fechaemision;
  if (draft.fechavencimiento || !from || !draft.supplierId) return draft.fechavencimiento ?? null;
  const supplier = await db
    .selectFrom('suppliers')
    .select('diascredito')
    .where('id', '=', draft.supplierId)
    .executeTakeFirst();
  return supplier && supplier.diascredito > 0 ? addDays(from, supplier.diascredito) : null;
}

/** The amounts after a change; the stored ones where it sends none that differ. */
export function newAmounts(before: Invoice, draft: InvoiceDraft): Pick<Invoice, (typeof AMOUNTS)[number]> {
  const sent = AMOUNTS.filter((name) => draft[name] !== undefined && draft[name] !== before[name]);
  if (sent.length === 0) {
    const { subtotalCents, tasa, ivaCents, otrosimpuestosCents, retencionesCents, totalCents } = before;
    return { subtotalCents, tasa, ivaCents, otrosimpuestosCents, retencionesCents, totalCents };
  }
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
      ? 'Indica la tasa de IVA.'
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

/** What captures of one number wait for each other by. Few, so that an import can hold those of all its numbers. */
export function numberLock(supplierId: number, key: string): string {
  let slot = supplierId % NUMBER_LOCKS;
  for (const character of key) slot = (slot * 31 + character.codePointAt(0)!) % NUMBER_LOCKS;
  return `invoice-number:${slot}`;
}

const NUMBER_LOCKS = 64;

/** @throws DomainError conflict duplicate_invoice, with the id of the invoice that has the number */
export async function requireFreeNumber(
  trx: Trx,
  { supplierId, numfactura }: { supplierId: number; numfactura: string },
  allowDuplicate: boolean,
  self = 0,
): Promise<void> {
  const key = numberKey(numfactura);
  if (!key || allowDuplicate) return;
  await lockKey(trx, numberLock(supplierId, key));
  const existing = await trx
    .selectFrom('invoices')
    .innerJoin('suppliers', 'suppliers.id', 'invoices.supplierId')
    .select(['invoices.id', 'suppliername'])
    .where('supplierId', '=', supplierId)
    .where('numfacturaKey', '=', key)
    .where('invoices.id', '<>', self)
    .orderBy('invoices.id')
    .limit(1)
    .executeTakeFirst();
  if (!existing) return;
  const message = invoiceTexts.duplicate(numfactura, existing.suppliername);
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
  if (!invoice.fechaemision) return { warnings: [], about: [] };
  const alike = await trx
    .selectFrom('invoices')
    .select(['id', 'numfactura', 'fechaemision'])
    .where('supplierId', '=', invoice.supplierId)
    .where('totalCents', '=', invoice.totalCents)
    .where('fechaemision', '>=', addDays(invoice.fechaemision, -LOOKALIKE_DAYS))
    .where('fechaemision', '<=', addDays(invoice.fechaemision, LOOKALIKE_DAYS))
    .where('id', '<>', invoice.id)
    .orderBy('id')
    .limit(3)
    .execute();
  return { warnings: alike.map(lookalikeWarning), about: alike.map(({ id }) => id) };
}

type Lookalike = { id?: number; numfactura: string; fechaemision: PlainDate | null };

export const lookalikeWarning = ({ id, numfactura, fechaemision }: Lookalike): string =>
  `Se parece a la factura ${numfactura || (id ?? 'sin número')} del ${formatDate(fechaemision)}: mismo proveedor y total.`;
