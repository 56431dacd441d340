import { forUpdateInTransaction, isOneOf, isOneOfTexts } from '../../../db/expressions.ts';
import type { Db } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import type { Payment } from '../../../shared/payments.ts';
import { normalizeRfc } from '../../../shared/rfc.ts';
import { documentNumberKey } from '../../../shared/text.ts';
import type { CfdiCandidate, CfdiDetail } from '../../formats/cfdi/candidates.ts';
import type { PaymentReceiptDetail, PaymentReceiptLine } from '../../formats/cfdi/payment-receipts.ts';
import { readPaymentLinks } from '../bank-matches.ts';
import type { DocumentedInvoice } from '../invoices/known-invoices.ts';
import { readCommittedLines } from '../payments/committed-amounts.ts';
import { readPaymentsOfInvoices } from '../payments/reading.ts';
import type { StagedPayments } from '../payments/staged-payments.ts';
import { idsOf } from '../stored-rows.ts';

export interface KnownCreditNote {
  id: number;
  supplierId: number;
  numero: string;
  uuid: string | null;
  fecha: PlainDate;
  totalCents: Cents;
  appliedCents: Cents;
  moneda: string;
  /** It is null where the note came with a table, without its document. */
  detail: CfdiDetail | null;
}

export interface KnownReceipt {
  id: number;
  supplierId: number;
  uuid: string;
  /** RFC of the issuer, in capitals; empty where the receipt does not state it. */
  rfc: string;
  numero: string;
  lines: KnownReceiptLine[];
}

export interface KnownReceiptLine extends Omit<PaymentReceiptLine, 'parcialidad'> {
  id: number;
  supplierId: number;
  uuid: string;
  rfc: string;
  numero: string;
  hasInvoice: boolean;
  hasPayment: boolean;
  paymentId?: number;
  invoiceId?: number;
}

export class StoredSettlements {
  readonly #notes = new Map<string, KnownCreditNote>();
  readonly #receipts = new Map<string, KnownReceipt>();
  readonly #waiting = new Map<string, Set<KnownReceiptLine>>();
  readonly #payments = new Map<number, Set<Payment>>();
  /** Every payment on file is here by its id, also one with a receipt. */
  readonly #onFile = new Map<number, Payment>();
  readonly #paymentCounts = new Map<number, number>();

  addKnownCreditNote(note: KnownCreditNote): void {
    const key = note.uuid ?? creditNoteNumberKey(note.supplierId, note.numero);
    if (!this.#notes.has(key)) this.#notes.set(key, note);
  }

  addReceipt(receipt: KnownReceipt): void {
    if (this.#receipts.has(receipt.uuid)) return;
    this.#receipts.set(receipt.uuid, receipt);
    for (const line of receipt.lines) if (!line.hasInvoice) this.#addWaitingLine(line);
  }

  #addWaitingLine(line: KnownReceiptLine): void {
    const lines = this.#waiting.get(line.invoiceUuid) ?? new Set();
    this.#waiting.set(line.invoiceUuid, lines.add(line));
  }

  unlinkLine(line: KnownReceiptLine): void {
    Object.assign(line, { hasInvoice: false, hasPayment: false, invoiceId: undefined, paymentId: undefined });
    this.#addWaitingLine(line);
  }

  removeKnownCreditNote(note: KnownCreditNote): void {
    this.#notes.delete(note.uuid!);
  }

  removeReceipt({ uuid, lines }: KnownReceipt): void {
    this.#receipts.delete(uuid);
    for (const line of lines) this.#waiting.get(line.invoiceUuid)?.delete(line);
  }

  get notes(): KnownCreditNote[] {
    return [...this.#notes.values()];
  }

  get receipts(): KnownReceipt[] {
    return [...this.#receipts.values()];
  }

  noteWithUuid = (uuid: string): KnownCreditNote | undefined => this.#notes.get(uuid);

  noteWithNumber = (supplierId: number, numero: string): KnownCreditNote | undefined =>
    this.#notes.get(creditNoteNumberKey(supplierId, numero));

  notesFor = (supplierId: number, invoiceUuids: readonly string[]): KnownCreditNote[] =>
    [...this.#notes.values()]
      .filter(
        (note) =>
          note.supplierId === supplierId &&
          note.appliedCents < note.totalCents &&
          note.detail?.credits?.some((uuid) => invoiceUuids.includes(uuid)),
      )
      .sort((a, b) => (a.fecha < b.fecha ? -1 : a.fecha > b.fecha ? 1 : 0));

  receiptWithUuid = (uuid: string): KnownReceipt | undefined => this.#receipts.get(uuid);

  linesWaitingFor = (invoiceUuids: readonly string[]): KnownReceiptLine[] =>
    invoiceUuids.flatMap((uuid) =>
      [...(this.#waiting.get(uuid) ?? [])].filter(({ hasInvoice }) => !hasInvoice),
    );

  /** Reads the payments and open batches of invoices that were not read yet, and adds them to `run`. */
  async readPayments(db: Db, invoices: Iterable<DocumentedInvoice>, run: StagedPayments): Promise<void> {
    const ids: number[] = [];
    for (const invoice of invoices) {
      run.addInvoice(invoice);
      if (this.#payments.has(invoice.id)) continue;
      this.#payments.set(invoice.id, new Set());
      if (invoice.id > 0) ids.push(invoice.id);
    }
    if (ids.length === 0) return;
    const payments = (await readPaymentsOfInvoices(db, ids)).sort((a, b) => a.id - b.id);
    for (const payment of payments) {
      this.incrementPaymentCount(payment.facturaproveedorId);
      this.#onFile.set(payment.id, payment);
      if (payment.kind === 'pago' && payment.rep !== 'con')
        this.#payments.get(payment.facturaproveedorId)!.add(payment);
    }
    const ties = await readPaymentLinks(db, idsOf(payments));
    run.addPaymentFacts(payments, ties, await readCommittedLines(db, ids));
  }

  paymentsOfLines = (lines: readonly KnownReceiptLine[]): Payment[] =>
    lines.flatMap(({ paymentId }) => this.#onFile.get(paymentId ?? 0) ?? []);

  paymentsOn = (target: { invoiceId: number } | { creditNoteId: number }): Payment[] =>
    [...this.#onFile.values()].filter((one) =>
      'invoiceId' in target
        ? one.facturaproveedorId === target.invoiceId
        : one.creditNoteId === target.creditNoteId,
    );

  /** The number of an invoice's payments and credits, each of which may be off by half a cent of rounding. */
  paymentCountOf = (invoiceId: number): number => this.#paymentCounts.get(invoiceId) ?? 0;

  incrementPaymentCount(invoiceId: number): void {
    this.#paymentCounts.set(invoiceId, this.paymentCountOf(invoiceId) + 1);
  }

  matchablePayments = (invoiceId: number): Payment[] => [...(this.#payments.get(invoiceId) ?? [])];

  excludeFromMatching(payment: Payment): void {
    this.#payments.get(payment.facturaproveedorId)?.delete(payment);
  }

  removePayment(payment: Payment): void {
    this.excludeFromMatching(payment);
    this.#onFile.delete(payment.id);
  }

  includeInMatching(payment: Payment): void {
    this.#payments.get(payment.facturaproveedorId)?.add(payment);
  }
}

const creditNoteNumberKey = (supplierId: number, numero: string) =>
  `${supplierId}:${documentNumberKey(numero)}`;

interface SettlementQuery {
  notes: readonly CfdiCandidate[];
  /** UUIDs of credit notes and receipts, and of all documents that replace them or that they replace. */
  uuids: readonly string[];
  newInvoiceUuids: readonly string[];
  /** UUIDs of documents in chains of replacements. Receipt lines that name them may belong to another invoice now. */
  chainedUuids: readonly string[];
  supplierIds: readonly number[];
  /** Invoices that may be removed; the notes applied to them are released then. */
  replacedInvoiceIds: readonly number[];
}

export async function readSettlements(
  db: Db,
  settlements: StoredSettlements,
  query: SettlementQuery,
): Promise<void> {
  for (const note of await readSettlingCreditNotes(db, query)) settlements.addKnownCreditNote(note);
  for (const receipt of await readReceipts(db, query)) settlements.addReceipt(receipt);
}

async function readSettlingCreditNotes(
  db: Db,
  { notes, uuids, supplierIds, replacedInvoiceIds }: SettlementQuery,
): Promise<KnownCreditNote[]> {
  const numbers = notes
    .flatMap(({ draft: query, detail }) => [query.numfactura, detail.folio].map(documentNumberKey))
    .filter((key) => key !== '');
  const applied = db
    .selectFrom('payments')
    .select('creditNoteId')
    .where(isOneOf(db, 'facturaproveedorId', replacedInvoiceIds))
    .where('creditNoteId', 'is not', null);
  // One query for each index, and only those needed: a single query with "or" would scan all notes.
  const ids = db.selectFrom('credit_notes').select('id');
  const queries = [
    uuids.length > 0 && ids.where(isOneOfTexts(db, 'uuid', uuids)),
    numbers.length > 0 && ids.where(isOneOfTexts(db, 'numeroKey', numbers)).where('uuid', 'is', null),
    supplierIds.length > 0 &&
      ids.where(isOneOf(db, 'supplierId', supplierIds)).whereRef('appliedCents', '<', 'totalCents'),
    replacedInvoiceIds.length > 0 && ids.where('id', 'in', applied),
  ].filter((way) => way !== false);
  if (queries.length === 0) return [];
  const rows = await db
    .selectFrom('credit_notes')
    .select(['id', 'supplierId', 'numero', 'uuid', 'fecha', 'totalCents', 'appliedCents', 'moneda', 'detail'])
    .where(
      'id',
      'in',
      queries.reduce((all, way) => all.union(way)),
    )
    .orderBy('id')
    .modifyEnd(forUpdateInTransaction(db, 'credit_notes'))
    .execute();
  return rows.map((row) => ({
    ...row,
    detail: row.detail === '{}' ? null : (JSON.parse(row.detail) as CfdiDetail),
  }));
}

/** Reads receipts with these UUIDs, and those with a line that may belong to one of these invoices. */
async function readReceipts(
  db: Db,
  { uuids, newInvoiceUuids, chainedUuids }: SettlementQuery,
): Promise<KnownReceipt[]> {
  const naming = db
    .selectFrom('payment_receipt_lines')
    .select('receiptId')
    .where((eb) =>
      eb.or([
        eb.and([isOneOfTexts(db, 'invoiceUuid', newInvoiceUuids), eb('invoiceId', 'is', null)]),
        isOneOfTexts(db, 'invoiceUuid', chainedUuids),
      ]),
    );
  const receipts = await db
    .selectFrom('payment_receipts')
    .select(['id', 'supplierId', 'uuid', 'numero', 'detail'])
    .where((eb) => eb.or([isOneOfTexts(db, 'uuid', uuids), eb('id', 'in', naming)]))
    .execute();
  if (receipts.length === 0) return [];
  const ids = receipts.map(({ id }) => id);
  const lines = await db
    .selectFrom('payment_receipt_lines')
    .select([
      'id',
      'receiptId',
      'invoiceUuid',
      'invoiceId',
      'paymentId',
      'paidOn',
      'amountCents',
      'moneda',
      'pagado',
    ])
    .where(isOneOf(db, 'receiptId', ids))
    .orderBy('id')
    .execute();
  const linesOf = Map.groupBy(lines, ({ receiptId }) => receiptId);
  return receipts.map(({ id, detail, ...columns }) => {
    const receipt = {
      ...columns,
      rfc: normalizeRfc((JSON.parse(detail) as PaymentReceiptDetail).emisor.rfc),
    };
    const lines = (linesOf.get(id) ?? []).map(({ receiptId: _receipt, invoiceId, paymentId, ...line }) => ({
      ...line,
      ...receipt,
      hasInvoice: invoiceId !== null,
      hasPayment: paymentId !== null,
      paymentId: paymentId ?? undefined,
      invoiceId: invoiceId ?? undefined,
    }));
    return { id, ...receipt, lines };
  });
}
