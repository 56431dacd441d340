import { createHash } from 'node:crypto';
import { addDays, type Instant, type PlainDate } from '../../shared/dates.ts';
import { numberKey } from '../../shared/text.ts';
import type { Trx } from '../schema.ts';
import type { DemoCompany } from './company.ts';
import { type DemoRun, hashOf, SOURCE } from './writer.ts';

/** A credit note of a supplier, and what of it is applied to one of the supplier's invoices. */
export interface DemoCredit {
  /** their places in the company */
  supplier: number;
  invoice: number;
  numero: string;
  fecha: PlainDate;
  subtotalCents: number;
  ivaCents: number;
  appliedCents: number;
}

/** What the company's places stand for. */
interface To {
  suppliers: number[];
  users: number[];
  at: Instant;
}

/** How much of each note is applied: all, all, a half, nothing. */
const APPLIED = [1, 1, 0.5, 0];

/** A few bonifications on invoices that are still owed, each of another supplier. */
export function makeCredits({ invoices }: DemoCompany, today: PlainDate): DemoCredit[] {
  const credits: DemoCredit[] = [];
  for (const [index, invoice] of invoices.entries()) {
    const part = APPLIED[credits.length];
    if (part === undefined) break;
    const isOpen = invoice.payments.length === 0 && invoice.totalCents > 1_000_000;
    if (!isOpen || credits.some(({ supplier }) => supplier === invoice.supplier)) continue;
    const subtotalCents = Math.floor(invoice.subtotalCents / 20);
    const ivaCents = Math.round(subtotalCents * 0.16);
    const issued = addDays(invoice.fechaemision ?? today, 3);
    credits.push({
      supplier: invoice.supplier,
      invoice: index,
      numero: `NC-${101 + credits.length}`,
      fecha: issued < today ? issued : today,
      subtotalCents,
      ivaCents,
      appliedCents: Math.floor((subtotalCents + ivaCents) * part),
    });
  }
  return credits;
}

export const creditedOf = (credits: readonly DemoCredit[], invoice: number): number =>
  credits.reduce((sum, credit) => sum + (credit.invoice === invoice ? credit.appliedCents : 0), 0);

export const creditNoteRows = (credits: readonly DemoCredit[], { suppliers, users, at }: To) =>
  credits.map(({ supplier, numero, fecha, subtotalCents, ivaCents, appliedCents }) => ({
    supplierId: suppliers[supplier],
    numero,
    numeroKey: numberKey(numero),
    uuid: demoUuid(numero),
    fecha,
    subtotalCents,
    ivaCents,
    otrosimpuestosCents: 0,
    retencionesCents: 0,
    totalCents: subtotalCents + ivaCents,
    appliedCents,
    moneda: 'MXN',
    tipocambio: null,
    detail: '{}',
    comments: 'Bonificación por volumen',
    userId: users[1],
    createdAt: at,
    updatedAt: at,
  }));

export const creditRows = (
  credits: readonly DemoCredit[],
  invoices: number[],
  notes: number[],
  { users, at }: To,
) =>
  credits.flatMap(({ invoice, fecha, appliedCents }, index) =>
    appliedCents === 0
      ? []
      : [
          {
            facturaproveedorId: invoices[invoice],
            origenderecursoId: null,
            checknum: '',
            checknumFold: '',
            paymentdate: fecha,
            amountCents: appliedCents,
            comments: '',
            userId: users[1],
            kind: 'credito' as const,
            creditNoteId: notes[index],
            createdAt: at,
            updatedAt: at,
          },
        ],
  );

interface Paid {
  company: DemoCompany;
  invoices: number[];
  payments: readonly {
    facturaproveedorId?: number;
    paymentdate: PlainDate;
    amountCents: number;
    kind?: string;
  }[];
  paymentIds: number[];
  to: To;
  today: PlainDate;
}

/** Suppliers send their receipts some weeks after a payment: those of the last twenty days have not come. */
const DAYS_UNTIL_RECEIPT = 20;

/** The receipt of each payment of an invoice that was paid in parts, but of the latest. */
export async function insertReceipts(
  trx: Trx,
  { company, invoices, payments, paymentIds, to, today }: Paid,
): Promise<DemoRun> {
  const inParts = new Map(
    company.invoices.flatMap((invoice, index) =>
      invoice.payments.length > 1 ? [[invoices[index], { ...invoice, id: invoices[index]! }] as const] : [],
    ),
  );
  const ids: number[] = [];
  const last = addDays(today, -DAYS_UNTIL_RECEIPT);
  const told = payments.flatMap((payment, index) => {
    const invoice = inParts.get(payment.facturaproveedorId);
    return invoice && payment.kind !== 'credito' && payment.paymentdate <= last
      ? [{ payment, invoice, paymentId: paymentIds[index]! }]
      : [];
  });
  const sha256 = hashOf(told.map(({ payment }) => payment));
  const { id: importId } = await trx
    .insertInto('imports')
    .values({ kind: 'payment-receipts', source: SOURCE, sha256, at: to.at, userId: to.users[0]! })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const [index, { payment, invoice, paymentId }] of told.entries()) {
    const numero = `P-${501 + index}`;
    const { id } = await trx
      .insertInto('payment_receipts')
      .values({
        supplierId: to.suppliers[invoice.supplier]!,
        numero,
        uuid: demoUuid(numero),
        fecha: addDays(payment.paymentdate, 5),
        detail: '{}',
        importId,
        userId: to.users[1]!,
        createdAt: to.at,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    ids.push(id);
    await trx
      .insertInto('payment_receipt_lines')
      .values({
        receiptId: id,
        invoiceUuid: demoUuid(`factura ${invoice.id}`),
        invoiceId: invoice.id,
        paymentId,
        paidOn: payment.paymentdate,
        amountCents: payment.amountCents,
        moneda: 'MXN',
      })
      .execute();
  }
  return { entity: 'payment-receipts', importId, source: SOURCE, sha256, ids };
}

/** Always the same one for the same name. */
export function demoUuid(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex').toUpperCase();
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
