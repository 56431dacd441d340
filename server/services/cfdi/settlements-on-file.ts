import { forUpdateOf, isOneOf, isOneOfTexts } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import type { Payment } from '../../../shared/payments.ts';
import { numberKey } from '../../../shared/text.ts';
import type { CfdiCandidate, CfdiDetail } from '../../formats/cfdi/candidates.ts';
import type { ReceiptLine } from '../../formats/cfdi/payment-receipts.ts';
import type { DocumentedInvoice } from '../invoices/known.ts';
import { readInOpenBatches } from '../payments/committed.ts';
import { readBatches } from '../payments/facts.ts';
import { paymentsOf } from '../payments/reading.ts';
import type { PaymentRun } from '../payments/run.ts';

export interface KnownNote {
  id: number;
  supplierId: number;
  numero: string;
  uuid: string | null;
  fecha: PlainDate;
  totalCents: Cents;
  appliedCents: Cents;
  moneda: string;
  /** null: it came with a table, and its document has not */
  detail: CfdiDetail | null;
}

export interface KnownReceipt {
  id: number;
  supplierId: number;
  uuid: string;
  numero: string;
  lines: KnownLine[];
}

export interface KnownLine extends Omit<ReceiptLine, 'parcialidad'> {
  id: number;
  supplierId: number;
  /** of its receipt */
  numero: string;
  /** whether it has found its invoice, and its payment */
  isPlaced: boolean;
  isPaid: boolean;
}

/** The credit notes and receipts that an import has read or added, and the payments that they may be linked to. */
export class SettlementsOnFile {
  readonly #notes = new Map<string, KnownNote>();
  readonly #receipts = new Map<string, KnownReceipt>();
  readonly #waiting = new Map<string, Set<KnownLine>>();
  readonly #payments = new Map<number, Set<Payment>>();
  readonly #parts = new Map<number, number>();

  addNote(note: KnownNote): void {
    const key = note.uuid ?? numberedKey(note.supplierId, note.numero);
    if (!this.#notes.has(key)) this.#notes.set(key, note);
  }

  addReceipt(receipt: KnownReceipt): void {
    if (this.#receipts.has(receipt.uuid)) return;
    this.#receipts.set(receipt.uuid, receipt);
    for (const line of receipt.lines) {
      if (line.isPlaced) continue;
      const lines = this.#waiting.get(line.invoiceUuid) ?? new Set();
      this.#waiting.set(line.invoiceUuid, lines.add(line));
    }
  }

  noteOf = (uuid: string): KnownNote | undefined => this.#notes.get(uuid);

  noteNumbered = (supplierId: number, numero: string): KnownNote | undefined =>
    this.#notes.get(numberedKey(supplierId, numero));

  /** Notes with something left that name this invoice, oldest first. */
  notesFor = (supplierId: number, invoiceUuid: string): KnownNote[] =>
    [...this.#notes.values()]
      .filter(
        (note) =>
          note.supplierId === supplierId &&
          note.appliedCents < note.totalCents &&
          note.detail?.credits?.includes(invoiceUuid),
      )
      .sort((a, b) => (a.fecha < b.fecha ? -1 : a.fecha > b.fecha ? 1 : 0));

  receiptOf = (uuid: string): KnownReceipt | undefined => this.#receipts.get(uuid);

  waitingFor = (invoiceUuid: string): KnownLine[] =>
    [...(this.#waiting.get(invoiceUuid) ?? [])].filter(({ isPlaced }) => !isPlaced);

  /** The payments of invoices, and the batches that are to pay them: of each once, for the run of payments too. */
  async readPayments(db: Db, invoices: Iterable<DocumentedInvoice>, run: PaymentRun): Promise<void> {
    const ids: number[] = [];
    for (const invoice of invoices) {
      run.know(invoice);
      if (this.#payments.has(invoice.id)) continue;
      this.#payments.set(invoice.id, new Set());
      if (invoice.id > 0) ids.push(invoice.id);
    }
    if (ids.length === 0) return;
    const payments = (await paymentsOf(db, ids)).sort((a, b) => a.id - b.id);
    for (const payment of payments) {
      this.countPart(payment.facturaproveedorId);
      if (payment.kind === 'pago' && payment.rep !== 'con')
        this.#payments.get(payment.facturaproveedorId)!.add(payment);
    }
    const free = ids.flatMap(this.freePayments);
    const made = await readBatches(
      db as Trx,
      free.map(({ id }) => id),
    );
    run.knowPayments(free, made, await readInOpenBatches(db, ids));
  }

  /** Counts payments and credits: each may be off by half a cent of rounding. */
  partsOf = (invoiceId: number): number => this.#parts.get(invoiceId) ?? 0;

  countPart(invoiceId: number): void {
    this.#parts.set(invoiceId, this.partsOf(invoiceId) + 1);
  }

  freePayments = (invoiceId: number): Payment[] => [...(this.#payments.get(invoiceId) ?? [])];

  takePayment(payment: Payment): void {
    this.#payments.get(payment.facturaproveedorId)?.delete(payment);
  }
}

const numberedKey = (supplierId: number, numero: string) => `${supplierId}:${numberKey(numero)}`;

interface AskedSettlements {
  notes: readonly CfdiCandidate[];
  /** UUIDs of receipts */
  receipts: readonly string[];
  /** of invoices that are about to come: notes and lines may wait for them */
  arriving: readonly string[];
  supplierIds: readonly number[];
}

/** Reads what is on file about the notes and receipts of a part, and what waits for its invoices. */
export async function readSettlements(
  db: Db,
  settlements: SettlementsOnFile,
  asked: AskedSettlements,
): Promise<void> {
  const { notes, supplierIds } = asked;
  const noteUuids = notes.flatMap(({ draft: { uuid }, replaces }) => (uuid ? [uuid, ...replaces] : replaces));
  const numbers = notes.filter(({ draft }) => !draft.uuid).map(({ draft }) => numberKey(draft.numfactura));
  for (const note of await readNotes(db, noteUuids, numbers, asked.arriving.length > 0 ? supplierIds : []))
    settlements.addNote(note);
  for (const receipt of await readReceipts(db, asked.receipts, asked.arriving))
    settlements.addReceipt(receipt);
}

async function readNotes(
  db: Db,
  uuids: readonly string[],
  numbers: readonly string[],
  supplierIds: readonly number[],
): Promise<KnownNote[]> {
  if (uuids.length + numbers.length + supplierIds.length === 0) return [];
  const select = db
    .selectFrom('credit_notes')
    .select(['id', 'supplierId', 'numero', 'uuid', 'fecha', 'totalCents', 'appliedCents', 'moneda', 'detail'])
    .orderBy('id')
    .modifyEnd(forUpdateOf(db, 'credit_notes'));
  const rows =
    uuids.length > 0 ? await select.where(isOneOfTexts(db, 'uuid', [...new Set(uuids)])).execute() : [];
  if (numbers.length > 0)
    rows.push(
      ...(await select
        .where('uuid', 'is', null)
        .where(isOneOfTexts(db, 'numeroKey', [...new Set(numbers)]))
        .execute()),
    );
  if (supplierIds.length > 0)
    rows.push(
      ...(await select
        .where(isOneOf(db, 'supplierId', supplierIds))
        .whereRef('appliedCents', '<', 'totalCents')
        .execute()),
    );
  return rows.map((row) => ({
    ...row,
    detail: row.detail === '{}' ? null : (JSON.parse(row.detail) as CfdiDetail),
  }));
}

/** With their lines: those of these UUIDs, and those with a line that waits for one of these invoices. */
async function readReceipts(
  db: Db,
  uuids: readonly string[],
  arriving: readonly string[],
): Promise<KnownReceipt[]> {
  if (uuids.length + arriving.length === 0) return [];
  const waiting = db
    .selectFrom('payment_receipt_lines')
    .select('receiptId')
    .where(isOneOfTexts(db, 'invoiceUuid', arriving))
    .where('invoiceId', 'is', null);
  const receipts = await db
    .selectFrom('payment_receipts')
    .select(['id', 'supplierId', 'uuid', 'numero'])
    .where((eb) => eb.or([isOneOfTexts(db, 'uuid', uuids), eb('id', 'in', waiting)]))
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
  return receipts.map((receipt) => ({
    ...receipt,
    lines: (linesOf.get(receipt.id) ?? []).map(({ receiptId: _receipt, invoiceId, paymentId, ...line }) => ({
      ...line,
      supplierId: receipt.supplierId,
      numero: receipt.numero,
      isPlaced: invoiceId !== null,
      isPaid: paymentId !== null,
    })),
  }));
}
