import { createHash, type Hash } from 'node:crypto';
import { type Insertable, sql } from 'kysely';
import { insertRows, reserveIds, valuesTable } from '../../../db/bulk.ts';
import { isOneOf } from '../../../db/expressions.ts';
import type { Db, Schema, Trx } from '../../../db/schema.ts';
import { suppliers } from '../../../shared/catalogs/suppliers.ts';
import type { CfdiCandidate, SuccessfulReading } from '../../formats/cfdi/candidates.ts';
import type { PaymentReceipt } from '../../formats/cfdi/payment-receipts.ts';
import { addMissingExtension, CFDI } from '../../formats/file-kinds.ts';
import { type Actor, type CreationStamp, queueAuditEntry } from '../audit/audit.ts';
import { writeEntries } from '../catalogs/write.ts';
import { deleteCreditNote, writeCreditNotes } from '../credit-notes/write.ts';
import { deleteUnusedFiles, storeFile, storeFiles, toSafeFilename } from '../files.ts';
import { deleteInvoice } from '../invoices/invoices.ts';
import type { DocumentedInvoice } from '../invoices/known-invoices.ts';
import type { StagedPayments } from '../payments/staged-payments.ts';
import { requireNoneRefused } from '../write-drafts.ts';
import { type IssuedDocument, type KnownSupplier, supplierFromIssuer } from './issuers.ts';
import type { CfdiImportOptions } from './outcomes.ts';
import type { KnownCreditNote, KnownReceipt, KnownReceiptLine } from './stored-settlements.ts';

export interface ImportIdAndHash {
  /** The id in `imports`; undefined until something is stored. */
  importId: number | undefined;
  /** The hash over the SHA-256 of every stored document, in their order. */
  hash: Hash;
}

const createIdAndHash = (): ImportIdAndHash => ({ importId: undefined, hash: createHash('sha256') });

type CreatedEntity = 'suppliers' | 'invoices' | 'credit-notes' | 'payment-receipts';

const FILES_PER_QUERY = 50;

const UNKNOWN_CONTACT = suppliers.fields.find(({ name }) => name === 'suppliercontactperson')!.requirement!
  .unknown;

/** A dry run writes nothing, and assigns ids below zero. */
export class CfdiWriter {
  readonly #trx: Trx;
  readonly #actor: Actor;
  readonly #options: CfdiImportOptions;
  readonly #progress: ImportIdAndHash;
  readonly #isDry: boolean;
  #lastId = 0;
  readonly #ids: Record<CreatedEntity, number[]> = {
    suppliers: [],
    invoices: [],
    'credit-notes': [],
    'payment-receipts': [],
  };
  readonly #xmls = new Map<number, { filename: string; bytes: Uint8Array; sha256: string }>();
  readonly #removed = {
    receipts: [] as number[],
    notes: [] as number[],
    invoices: [] as { id: number; successorId: number | null }[],
  };
  readonly #linkedLines = new Map<
    KnownReceiptLine,
    { invoice: DocumentedInvoice | undefined; payment: { id: number } | undefined }
  >();

  constructor(db: Db, actor: Actor, options: CfdiImportOptions, before: ImportIdAndHash = createIdAndHash()) {
    this.#trx = db as Trx;
    this.#actor = actor;
    this.#options = options;
    this.#isDry = options.dryRun ?? false;
    this.#progress = { importId: before.importId, hash: before.hash.copy() };
  }

  /** A new supplier gets the name that its first stored document states. */
  async addSuppliers(pendingSuppliers: ReadonlyMap<KnownSupplier, IssuedDocument>): Promise<void> {
    const added = [...pendingSuppliers].filter(([{ id }]) => id < 0);
    const drafts = added.map(([supplier, issued]) => {
      const { suppliername, rfc } = Object.assign(supplier, supplierFromIssuer(issued));
      return { draft: { suppliername, rfc, suppliercontactperson: UNKNOWN_CONTACT } };
    });
    if (this.#isDry || drafts.length === 0) return;
    const options = { createMissing: () => this.ensureImportId(), isFromCfdi: true };
    const written = requireNoneRefused(
      await writeEntries(this.#trx, this.#actor, suppliers, drafts, options),
    );
    for (const [index, [supplier]] of added.entries()) supplier.id = written[index]!.id;
    this.#ids.suppliers.push(...written.map(({ id }) => id));
  }

  /** If several documents are linked to one invoice, the last one is attached. */
  recordInvoiceDocument(invoiceId: number, { issued, xml }: SuccessfulReading, isNew: boolean): void {
    const { sha256 } = issued.detail;
    this.#progress.hash.update(`${sha256}\n`);
    if (isNew) this.#ids.invoices.push(invoiceId);
    this.#xmls.delete(invoiceId);
    if (xml) this.#xmls.set(invoiceId, { ...xml, sha256 });
  }

  addNote = (note: CfdiCandidate, supplier: KnownSupplier, xml: SuccessfulReading['xml']): Promise<number> =>
    this.#insertUnlessDry('credit-notes', async () => {
      const { detail, moneda, tipoCambio, draft } = note;
      const { importId } = await this.#hashAndGetCreationStamp(detail);
      const { rate: _rate, numfactura: numero, fechaemision: fecha, uuid, ...amounts } = draft;
      const document = {
        ...{ uuid, moneda, tipocambio: tipoCambio || null, detail: JSON.stringify(detail) },
        sha256: await this.#storeXml(xml),
      };
      const drafts = [{ ...amounts, supplierId: supplier.id, numero, fecha, document }];
      const outcomes = await writeCreditNotes(this.#trx, this.#actor, drafts, {
        createMissing: async () => importId,
      });
      return requireNoneRefused(outcomes)[0]!.id;
    });

  /** @returns the id of the receipt, and those of its lines in their order */
  async addReceipt(
    { numero, uuid, fecha, detail, lines }: PaymentReceipt,
    supplierId: number,
    xml: SuccessfulReading['xml'],
  ): Promise<{ id: number; lineIds: number[] }> {
    const id = await this.#insertUnlessDry('payment-receipts', async () => {
      const { at: createdAt, userId, importId } = await this.#hashAndGetCreationStamp(detail);
      const sha256 = await this.#storeXml(xml);
      const columns = { supplierId, numero, uuid, fecha, detail: JSON.stringify(detail), sha256 };
      return this.#insert('payment_receipts', { ...columns, importId, userId, createdAt });
    });
    if (this.#isDry) return { id, lineIds: lines.map(() => this.#nextId()) };
    const lineIds = await reserveIds(this.#trx, 'payment_receipt_lines', lines.length);
    const unlinked = { receiptId: id, invoiceId: null, paymentId: null };
    const rows = lines.map((line, index) => ({ ...line, ...unlinked, id: lineIds[index]! }));
    await insertRows(this.#trx, 'payment_receipt_lines', rows);
    return { id, lineIds };
  }

  /**
   * @param invoice undefined: the line waits for its invoice
   * @param payment if it is not stored yet, its id is set once the payments are stored
   */
  stageLineLink(
    line: KnownReceiptLine,
    invoice: DocumentedInvoice | undefined,
    payment: { id: number } | undefined,
  ): void {
    this.#linkedLines.set(line, { invoice, payment });
  }

  /** Replaced documents are removed at the end, once nothing refers to them. */
  removeReceipt = (receipt: KnownReceipt): void => void this.#removed.receipts.push(receipt.id);
  removeNote = (note: KnownCreditNote): void => void this.#removed.notes.push(note.id);

  /** @param successorId the invoice that its receipt lines are linked to instead; null: none */
  removeInvoice = (id: number, successorId: number | null): void =>
    void this.#removed.invoices.push({ id, successorId });

  async finish(payments: StagedPayments): Promise<ImportIdAndHash> {
    if (this.#isDry) return this.#progress;
    const paymentIds = await payments.store(this.#trx, () => this.ensureImportId());
    await this.#storeLinkedLines();
    await this.#removeReplacedDocuments();
    const { importId, hash } = this.#progress;
    if (importId === undefined) return this.#progress;
    const sha256 = hash.copy().digest('hex');
    await this.#trx.updateTable('imports').set({ sha256 }).where('id', '=', importId).execute();
    // The audit entry of new invoices names their attachments.
    const { ofNew: attachmentIds, ofOthers: attachments } = await this.#attachXmls(importId);
    const { suppliers, invoices, ...settling } = this.#ids;
    const lists = { suppliers, invoices, attachments, ...settling, payments: paymentIds };
    for (const [entity, ids] of Object.entries(lists)) {
      if (ids.length === 0) continue;
      const attachmentFields = entity === 'invoices' ? { attachmentIds } : undefined;
      const after = { importId, kind: IMPORT_KIND, sha256, created: ids.length, ids, ...attachmentFields };
      const affected = attachmentFields && { attachments: attachmentIds };
      queueAuditEntry(this.#trx, this.#actor, { action: 'import', entity, after, affected });
    }
    return this.#progress;
  }

  async #removeReplacedDocuments(): Promise<void> {
    const { receipts, notes, invoices } = this.#removed;
    for (const id of receipts) {
      const row = this.#trx.selectFrom('payment_receipts').selectAll().where('id', '=', id);
      const before = await row.executeTakeFirstOrThrow();
      await this.#trx.deleteFrom('payment_receipts').where('id', '=', id).execute();
      if (before.sha256 !== null) await deleteUnusedFiles(this.#trx, [before.sha256]);
      queueAuditEntry(this.#trx, this.#actor, {
        action: 'delete',
        entity: 'payment-receipts',
        entityId: id,
        before,
      });
    }
    for (const id of notes) await deleteCreditNote(this.#trx, this.#actor, id);
    for (const { id, successorId } of invoices) {
      const receiptLines = this.#trx.updateTable('payment_receipt_lines').where('invoiceId', '=', id);
      await receiptLines.set({ invoiceId: successorId }).execute();
      await deleteInvoice(this.#trx, this.#actor, id);
    }
  }

  async #insertUnlessDry(list: CreatedEntity, insert: () => Promise<number>): Promise<number> {
    const id = this.#isDry ? this.#nextId() : await insert();
    this.#ids[list].push(id);
    return id;
  }

  #nextId(): number {
    this.#lastId -= 1;
    return this.#lastId;
  }

  async #storeLinkedLines(): Promise<void> {
    if (this.#linkedLines.size === 0) return;
    const rows = [...this.#linkedLines].map(([line, { invoice, payment }]) => ({
      l: line.id,
      i: invoice?.id ?? null,
      p: payment?.id ?? null,
    }));
    // A payment is on one line only. If an earlier line has it, the receipt of that line was cancelled.
    const paymentIds = rows.flatMap(({ p }) => p ?? []);
    const elsewhere = this.#trx.updateTable('payment_receipt_lines').set({ paymentId: null });
    await elsewhere.where(isOneOf(this.#trx, 'paymentId', paymentIds)).execute();
    await sql`update payment_receipt_lines set "invoiceId" = w.i, "paymentId" = w.p
      from ${valuesTable(this.#trx, { l: 'bigint', i: 'bigint', p: 'bigint' }, rows)} as w
      where payment_receipt_lines.id = w.l`.execute(this.#trx);
  }

  async #attachXmls(importId: number): Promise<{ ofNew: number[]; ofOthers: number[] }> {
    const { at, userId } = this.#actor;
    const newInvoices = new Set(this.#ids.invoices);
    const ids: { ofNew: number[]; ofOthers: number[] } = { ofNew: [], ofOthers: [] };
    const files = [...this.#xmls].map(([invoiceId, xml]) => ({ invoiceId, ...xml }));
    for (let from = 0; from < files.length; from += FILES_PER_QUERY) {
      const chunk = files.slice(from, from + FILES_PER_QUERY);
      await storeFiles(this.#trx, chunk, at);
      const rows = chunk.map(({ invoiceId, sha256, filename }) => ({
        invoiceId,
        sha256,
        kind: CFDI.kind,
        filename: addMissingExtension(toSafeFilename(filename), CFDI),
        importId,
        userId,
        createdAt: at,
      }));
      const stored = await this.#trx
        .insertInto('attachments')
        .values(rows)
        .onConflict((conflict) => conflict.columns(['invoiceId', 'sha256']).doNothing())
        .returning(['id', 'invoiceId'])
        .execute();
      for (const { id, invoiceId } of stored)
        ids[newInvoices.has(invoiceId!) ? 'ofNew' : 'ofOthers'].push(id);
    }
    return ids;
  }

  async #hashAndGetCreationStamp({
    sha256,
  }: {
    sha256: string;
  }): Promise<CreationStamp & Pick<Actor, 'today'> & { importId: number }> {
    this.#progress.hash.update(`${sha256}\n`);
    const { at, userId, today } = this.#actor;
    return { at, userId, today, importId: await this.ensureImportId() };
  }

  async #storeXml(xml: SuccessfulReading['xml']): Promise<string | null> {
    return xml ? storeFile(this.#trx, xml.bytes, this.#actor.at) : null;
  }

  async ensureImportId(): Promise<number> {
    const { source = '' } = this.#options;
    const { at, userId } = this.#actor;
    // The checksum is set at the end of the part, in the same transaction.
    this.#progress.importId ??= await this.#insert('imports', {
      kind: IMPORT_KIND,
      source,
      sha256: '',
      at,
      userId,
    });
    return this.#progress.importId;
  }

  async #insert<Table extends 'imports' | 'payment_receipts'>(
    table: Table,
    row: Insertable<Schema[Table]>,
  ): Promise<number> {
    const insert = this.#trx.insertInto(table as 'imports').values(row as Insertable<Schema['imports']>);
    return (await insert.returning('id').executeTakeFirstOrThrow()).id;
  }
}

const IMPORT_KIND = 'cfdi';
