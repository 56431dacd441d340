import { sql } from 'kysely';
import { forUpdateOf } from '../../../db/expressions.ts';
import type { Db } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import { numberKey } from '../../../shared/text.ts';
import type { CfdiDetail, CfdiNote } from '../../formats/cfdi/candidates.ts';
import type { ReceiptLine } from '../../formats/cfdi/payment-receipts.ts';
import { type Committed, readInOpenBatches } from '../payment-batches/committed.ts';
import type { Settlement } from '../payments/settlement.ts';
import type { KnownInvoice } from './known-invoices.ts';

export interface KnownNote {
  /** undefined: a dry run would store it */
  id: number | undefined;
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
  id: number | undefined;
  supplierId: number;
  uuid: string;
  numero: string;
  lines: KnownLine[];
}

export interface KnownLine extends Omit<ReceiptLine, 'parcialidad'> {
  id: number | undefined;
  supplierId: number;
  /** of its receipt */
  numero: string;
  /** whether it has found its invoice, and its payment */
  isPlaced: boolean;
  isPaid: boolean;
}

/** What a line comes to on its invoice. */
export interface PlannedPayment {
  line: KnownLine;
  invoice: KnownInvoice;
  settles: Settlement;
}

/** A payment in money that no receipt has been matched with. */
export interface FreePayment {
  id: number;
  invoiceId: number;
  paymentdate: PlainDate;
  amountCents: Cents;
  importebancoCents: Cents | null;
}

/** What settles invoices, as far as an import has to know it: credit notes and receipts on file, and those it added. */
export class KnownSettlements {
  readonly #notes = new Map<string, KnownNote>();
  readonly #receipts = new Map<string, KnownReceipt>();
  readonly #waiting = new Map<string, Set<KnownLine>>();
  readonly #payments = new Map<number, Set<FreePayment>>();
  readonly #parts = new Map<number, number>();
  readonly #committed = new Map<number, Committed[]>();

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

  /** One that came without a stamp. */
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

  /** Lines of receipts that came before their invoice. */
  waitingFor = (invoiceUuid: string): KnownLine[] =>
    [...(this.#waiting.get(invoiceUuid) ?? [])].filter(({ isPlaced }) => !isPlaced);

  /** The payments of an invoice that are free to be a line's, how many it has in all, and its open batches; read once. */
  async readPayments(db: Db, invoiceIds: readonly number[]): Promise<void> {
    const missing = invoiceIds.filter((id) => !this.#payments.has(id));
    for (const id of missing) this.#payments.set(id, new Set());
    for (const { invoiceId, parts } of await countParts(db, missing)) this.#parts.set(invoiceId, parts);
    for (const one of missing.length > 0 ? await readInOpenBatches(db, missing) : [])
      this.#committed.set(one.invoiceId, [...this.committedOf(one.invoiceId), one]);
    for (const payment of await readFreePayments(db, missing))
      this.#payments.get(payment.invoiceId)!.add(payment);
  }

  /** How many payments and credits an invoice has, as far as they were read or came since. */
  partsOf = (invoiceId: number | undefined): number => this.#parts.get(invoiceId ?? 0) ?? 0;

  /** What open batches are to pay of it, as far as they were read. */
  committedOf = (invoiceId: number | undefined): Committed[] => this.#committed.get(invoiceId ?? 0) ?? [];

  countPart(invoiceId: number | undefined): void {
    if (invoiceId !== undefined) this.#parts.set(invoiceId, this.partsOf(invoiceId) + 1);
  }

  freePayments = (invoiceId: number): FreePayment[] => [...(this.#payments.get(invoiceId) ?? [])];

  takePayment(payment: FreePayment): void {
    this.#payments.get(payment.invoiceId)?.delete(payment);
  }
}

const numberedKey = (supplierId: number, numero: string) => `${supplierId}:${numberKey(numero)}`;

interface AskedSettlements {
  notes: readonly CfdiNote[];
  /** UUIDs of receipts */
  receipts: readonly string[];
  /** of invoices that are about to come: notes and lines may wait for them */
  arriving: readonly string[];
  supplierIds: readonly number[];
}

/** Reads what is on file about the notes and receipts of a part, and what waits for its invoices. */
export async function readSettlements(
  db: Db,
  settlements: KnownSettlements,
  asked: AskedSettlements,
): Promise<void> {
  const { notes, supplierIds } = asked;
  const noteUuids = notes.flatMap(({ draft, replaces }) => [draft.uuid ?? '', ...replaces]);
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
  if (uuids.length + supplierIds.length === 0) return [];
  const select = db
    .selectFrom('credit_notes')
    .select(['id', 'supplierId', 'numero', 'uuid', 'fecha', 'totalCents', 'appliedCents', 'moneda', 'detail'])
    .orderBy('id')
    .modifyEnd(forUpdateOf(db, 'credit_notes'));
  const rows = await select.where('uuid', 'in', [...new Set(uuids), '']).execute();
  if (numbers.length > 0)
    rows.push(
      ...(await select
        .where('uuid', 'is', null)
        .where('numeroKey', 'in', [...new Set(numbers)])
        .execute()),
    );
  if (supplierIds.length > 0)
    rows.push(
      ...(await select
        .where('supplierId', 'in', supplierIds)
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
    .where('invoiceUuid', 'in', [...arriving, ''])
    .where('invoiceId', 'is', null);
  const receipts = await db
    .selectFrom('payment_receipts')
    .select(['id', 'supplierId', 'uuid', 'numero'])
    .where((eb) => eb.or([eb('uuid', 'in', [...uuids, '']), eb('id', 'in', waiting)]))
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
    .where('receiptId', 'in', ids)
    .orderBy('id')
    .execute();
  return receipts.map((receipt) => ({
    ...receipt,
    lines: lines
      .filter(({ receiptId }) => receiptId === receipt.id)
      .map(({ receiptId: _receipt, invoiceId, paymentId, ...line }) => ({
        ...line,
        supplierId: receipt.supplierId,
        numero: receipt.numero,
        isPlaced: invoiceId !== null,
        isPaid: paymentId !== null,
      })),
  }));
}

async function readFreePayments(db: Db, invoiceIds: readonly number[]): Promise<FreePayment[]> {
  if (invoiceIds.length === 0) return [];
  return db
    .selectFrom('payments')
    .select(['id', 'facturaproveedorId as invoiceId', 'paymentdate', 'amountCents', 'importebancoCents'])
    .where('facturaproveedorId', 'in', invoiceIds)
    .where('kind', '=', 'pago')
    .where(sql<boolean>`not exists (select 1 from payment_receipt_lines where "paymentId" = payments.id)`)
    .orderBy('id')
    .execute();
}

async function countParts(db: Db, invoiceIds: readonly number[]) {
  if (invoiceIds.length === 0) return [];
  return db
    .selectFrom('payments')
    .select(['facturaproveedorId as invoiceId', sql<number>`count(*)`.as('parts')])
    .where('facturaproveedorId', 'in', invoiceIds)
    .groupBy('facturaproveedorId')
    .execute();
}
