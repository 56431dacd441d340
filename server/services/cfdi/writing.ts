import { createHash, type Hash } from 'node:crypto';
import type { Trx } from '../../../db/schema.ts';
import { suppliers } from '../../../shared/catalogs/suppliers.ts';
import { dueDay } from '../../../shared/invoices-due.ts';
import { normalizeRfc } from '../../../shared/rfc.ts';
import type { CfdiCandidate, CfdiNote, CfdiReceipt } from '../../formats/cfdi/candidates.ts';
import { type Actor, audit } from '../audit/audit.ts';
import { insertRow } from '../catalogs/catalogs.ts';
import { holdCreditDays } from '../invoices/due-day.ts';
import { getInvoice } from '../invoices/reading.ts';
import { amountsOf, invoiceRow, numberColumns } from '../invoices/rows.ts';
import { updatePayment } from '../payments/payments.ts';
import type { Settlement } from '../payments/settlement.ts';
import { CfdiDocuments } from './documents.ts';
import type { Issued, KnownInvoice, KnownSupplier } from './known-invoices.ts';
import type { KnownLine, KnownNote, PlannedPayment } from './known-settlements.ts';
import type { CfdiImportOptions, CostPlace } from './outcomes.ts';
import { CfdiSettlements } from './settlements.ts';
import type { CfdiStore } from './store.ts';

/** What an import has stored so far; a part of it starts where the one before ended. */
export interface CfdiProgress {
  /** of the row in `imports`; it exists once something was stored */
  importId: number | undefined;
  /** over the SHA-256 of every document stored, in their order */
  hash: Hash;
}

export const newProgress = (): CfdiProgress => ({ importId: undefined, hash: createHash('sha256') });

/** Writes one part of an import inside its transaction; a transaction that is run again gets a new one. */
export class CfdiWriter implements CfdiStore {
  readonly #trx: Trx;
  readonly #actor: Actor;
  readonly #options: CfdiImportOptions;
  readonly #progress: CfdiProgress;
  readonly #supplierIds: number[] = [];
  readonly #invoiceIds: number[] = [];
  readonly #documents: CfdiDocuments;
  readonly #settlements: CfdiSettlements;

  constructor(trx: Trx, actor: Actor, options: CfdiImportOptions, before: CfdiProgress) {
    this.#trx = trx;
    this.#actor = actor;
    this.#options = options;
    this.#progress = { importId: before.importId, hash: before.hash.copy() };
    this.#documents = new CfdiDocuments(trx, actor, () => this.#importId());
    this.#settlements = new CfdiSettlements(trx, actor, () => this.#importId());
  }

  get suppliersCreated(): number {
    return this.#supplierIds.length;
  }

  /** A CFDI names no contact, and its RFC is taken as it stands. */
  async addSupplier({ suppliername, detail }: Issued): Promise<KnownSupplier> {
    const rfc = normalizeRfc(detail.emisor.rfc);
    const id = await insertRow(
      this.#trx,
      suppliers,
      { suppliername, suppliercontactperson: '(sin contacto)', rfc },
      { at: this.#actor.at, importId: await this.#importId() },
    );
    this.#supplierIds.push(id);
    const { diascredito } = await this.#trx
      .selectFrom('suppliers')
      .select('diascredito')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return { id, suppliername, rfc, diascredito };
  }

  async addInvoice(candidate: CfdiCandidate, supplier: KnownSupplier, place: CostPlace): Promise<number> {
    const { draft } = candidate;
    const { fecharecepcion = null, fechavencimiento = null, comments } = this.#options;
    const creditDays = await holdCreditDays(this.#trx, supplier.id);
    const dates = { fechaemision: draft.fechaemision, fecharecepcion };
    const invoice = {
      ...this.#options,
      ...documentValues(candidate),
      ...dates,
      supplierId: supplier.id,
      jobId: place.jobId,
      rubroId: place.rubroId ?? null,
      fechavencimiento,
      comments: comments ?? draft.comments,
      // So that what it replaced does not come in later, beside it.
      formerUuid: draft.uuid ? (candidate.replaces[0] ?? null) : null,
    };
    const stamp = { ...this.#actor, importId: await this.#importId() };
    const { id } = await this.#trx
      .insertInto('invoices')
      .values(invoiceRow(invoice, creditDays, stamp))
      .returning('id')
      .executeTakeFirstOrThrow();
    this.#documents.add(id, candidate);
    this.#invoiceIds.push(id);
    this.#progress.hash.update(`${candidate.detail.sha256}\n`);
    return id;
  }

  /** What people chose stays: job, rubro, reception and due date, comments, and the payments. */
  async changeInvoice(candidate: CfdiCandidate, { id, uuid }: KnownInvoice): Promise<void> {
    const invoiceId = id!;
    const before = await getInvoice(this.#trx, invoiceId);
    const document = await this.#trx
      .selectFrom('cfdi_documents')
      .selectAll()
      .where('invoiceId', '=', invoiceId)
      .executeTakeFirst();
    await this.#trx.deleteFrom('cfdi_documents').where('invoiceId', '=', invoiceId).execute();
    this.#documents.add(invoiceId, candidate);
    const { numfactura, ...said } = documentValues(candidate);
    // A document that takes another's place has a date of its own; one that was captured may be corrected.
    const fechaemision = (!uuid && before.fechaemision) || candidate.draft.fechaemision;
    const creditDays = await holdCreditDays(this.#trx, before.supplierId);
    await this.#trx
      .updateTable('invoices')
      .set({
        ...numberColumns(numfactura),
        ...said,
        fechaemision,
        vence: dueDay({ ...before, fechaemision }, creditDays),
        ...(uuid ? { formerUuid: uuid } : {}),
        updatedAt: this.#actor.at,
        version: before.version + 1,
      })
      .where('id', '=', invoiceId)
      .execute();
    const importId = await this.#importId();
    this.#progress.hash.update(`${candidate.detail.sha256}\n`);
    audit(this.#trx, this.#actor, {
      action: 'update',
      entity: 'invoices',
      entityId: invoiceId,
      before: document ? { ...before, document } : before,
      after: { ...(await getInvoice(this.#trx, invoiceId)), importId },
      also: { imports: [importId] },
    });
  }

  async addNote(note: CfdiNote, supplier: KnownSupplier): Promise<number> {
    this.#progress.hash.update(`${note.detail.sha256}\n`);
    return this.#settlements.addNote(note, supplier);
  }

  async applyNote(note: KnownNote, invoice: KnownInvoice, settles: Settlement): Promise<void> {
    await this.#settlements.applyNote(note, invoice, settles);
  }

  async addReceipt(receipt: CfdiReceipt, supplierId: number): Promise<{ id: number; lineIds: number[] }> {
    this.#progress.hash.update(`${receipt.detail.sha256}\n`);
    return this.#settlements.addReceipt(receipt, supplierId);
  }

  placeLine = (line: KnownLine, invoice: KnownInvoice, paymentId: number | null): Promise<void> =>
    this.#settlements.placeLine(line, invoice, paymentId);

  async changePayment(paymentId: number, settles: Settlement): Promise<void> {
    await updatePayment(this.#trx, this.#actor, paymentId, settles);
  }

  addPayment = (planned: PlannedPayment, fundingSourceId: number): Promise<number> =>
    this.#settlements.addPayment(planned, fundingSourceId);

  /** The documents, the import's checksum, and one audit entry for each list. */
  async finish(): Promise<CfdiProgress> {
    const { importId, hash } = this.#progress;
    if (importId === undefined) return this.#progress;
    const attachments = await this.#documents.store(new Set(this.#invoiceIds));
    const sha256 = hash.copy().digest('hex');
    await this.#trx.updateTable('imports').set({ sha256 }).where('id', '=', importId).execute();
    // What was kept with new invoices belongs to them, and is no list of its own.
    const { ofNew: attachmentIds } = attachments;
    const beside = { more: { attachmentIds }, also: { attachments: attachmentIds } };
    for (const [entity, ids, { more, also }] of [
      ['suppliers', this.#supplierIds, {}],
      ['invoices', this.#invoiceIds, beside],
      ['attachments', attachments.ofOthers, {}],
      ...this.#settlements.ids().map(([list, settled]) => [list, settled, {}] as const),
    ] as [string, number[], Partial<typeof beside>][]) {
      if (ids.length === 0) continue;
      const after = { importId, kind: KIND, sha256, created: ids.length, ids, ...more };
      audit(this.#trx, this.#actor, { action: 'import', entity, after, also });
    }
    return this.#progress;
  }

  async #importId(): Promise<number> {
    if (this.#progress.importId === undefined) {
      const { id } = await this.#trx
        .insertInto('imports')
        .values({
          kind: KIND,
          source: this.#options.source ?? '',
          // Known at the end of the part, in the same transaction.
          sha256: '',
          at: this.#actor.at,
          userId: this.#actor.userId,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      this.#progress.importId = id;
    }
    return this.#progress.importId;
  }
}

const KIND = 'cfdi';

/** What of an invoice its document says. */
const documentValues = ({ draft }: CfdiCandidate) => ({
  ...amountsOf({ ...draft, tasa: draft.rate }),
  numfactura: draft.numfactura,
  uuid: draft.uuid,
  metodopago: draft.metodoPago || null,
  moneda: draft.moneda,
  tipocambio: draft.tipocambio,
});
