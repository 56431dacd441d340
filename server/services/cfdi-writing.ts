import { createHash, type Hash } from 'node:crypto';
import type { Trx } from '../../db/schema.ts';
import { suppliers } from '../../shared/catalogs/suppliers.ts';
import { addDays, type PlainDate } from '../../shared/dates.ts';
import { normalizeRfc } from '../../shared/rfc.ts';
import { fold, numberKey } from '../../shared/text.ts';
import { type Actor, audit } from './audit.ts';
import { insertRow } from './catalogs.ts';
import type { CfdiCandidate } from './cfdi-candidates.ts';
import type { KnownSupplier } from './cfdi-known.ts';

/** Where an import puts what it decided to store. */
export interface CfdiStore {
  addSupplier(candidate: CfdiCandidate): Promise<KnownSupplier>;
  /** the new invoice's id; none in a dry run */
  addInvoice(candidate: CfdiCandidate, supplier: KnownSupplier): Promise<number | undefined>;
}

/** A dry run's: nothing is stored, new suppliers are told apart by numbers that no row has. */
export class DryStore implements CfdiStore {
  #last = 0;

  async addSupplier({ suppliername, detail }: CfdiCandidate): Promise<KnownSupplier> {
    this.#last -= 1;
    return { id: this.#last, suppliername, rfc: normalizeRfc(detail.emisor.rfc), diascredito: 0 };
  }

  get suppliersCreated(): number {
    return -this.#last;
  }

  async addInvoice(): Promise<undefined> {
    return undefined;
  }
}

export interface CfdiWriterOptions {
  jobId: number;
  rubroId?: number | null;
  received?: PlainDate | null;
  source?: string;
}

/** What an import has stored so far; a part of it starts where the one before ended. */
export interface CfdiProgress {
  /** of the row in `imports`; it exists once something was stored */
  importId: number | undefined;
  /** over the SHA-256 of every document stored, in their order */
  hash: Hash;
}

export const newProgress = (): CfdiProgress => ({ importId: undefined, hash: createHash('sha256') });

/** Documents that are inserted with one statement. */
const DOCUMENTS_AT_ONCE = 500;

/** Writes one part of an import inside its transaction; a transaction that is run again gets a new one. */
export class CfdiWriter implements CfdiStore {
  readonly #trx: Trx;
  readonly #actor: Actor;
  readonly #options: CfdiWriterOptions;
  readonly #progress: CfdiProgress;
  readonly #supplierIds: number[] = [];
  readonly #documents: { invoiceId: number; candidate: CfdiCandidate }[] = [];

  constructor(trx: Trx, actor: Actor, options: CfdiWriterOptions, before: CfdiProgress) {
    this.#trx = trx;
    this.#actor = actor;
    this.#options = options;
    this.#progress = { importId: before.importId, hash: before.hash.copy() };
  }

  get suppliersCreated(): number {
    return this.#supplierIds.length;
  }

  /** A CFDI names no contact, and its RFC is taken as it stands. */
  async addSupplier({ suppliername, detail }: CfdiCandidate): Promise<KnownSupplier> {
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

  async addInvoice(candidate: CfdiCandidate, supplier: KnownSupplier): Promise<number> {
    const { draft } = candidate;
    const { jobId, rubroId = null, received = null } = this.#options;
    const { at, userId } = this.#actor;
    const { id } = await this.#trx
      .insertInto('invoices')
      .values({
        supplierId: supplier.id,
        jobId,
        rubroId,
        numfactura: draft.numfactura,
        numfacturaFold: fold(draft.numfactura),
        numfacturaKey: numberKey(draft.numfactura),
        fechaemision: draft.fechaemision,
        fecharecepcion: received,
        fechavencimiento:
          supplier.diascredito > 0 ? addDays(received ?? draft.fechaemision, supplier.diascredito) : null,
        subtotalCents: draft.subtotalCents,
        tasa: draft.rate,
        ivaCents: draft.ivaCents,
        otrosimpuestosCents: draft.otrosimpuestosCents,
        retencionesCents: draft.retencionesCents,
        totalCents: draft.totalCents,
        comments: draft.comments,
        uuid: draft.uuid,
        metodopago: draft.metodoPago || null,
        userId,
        importId: await this.#importId(),
        createdAt: at,
        updatedAt: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    this.#documents.push({ invoiceId: id, candidate });
    this.#progress.hash.update(`${candidate.detail.sha256}\n`);
    return id;
  }

  /** The documents, the import's checksum, and one audit entry for each list. */
  async finish(): Promise<CfdiProgress> {
    const { importId, hash } = this.#progress;
    if (importId === undefined) return this.#progress;
    for (let from = 0; from < this.#documents.length; from += DOCUMENTS_AT_ONCE) {
      const rows = this.#documents.slice(from, from + DOCUMENTS_AT_ONCE).map(toDocumentRow);
      await this.#trx.insertInto('cfdi_documents').values(rows).execute();
    }
    const sha256 = hash.copy().digest('hex');
    await this.#trx.updateTable('imports').set({ sha256 }).where('id', '=', importId).execute();
    const invoiceIds = this.#documents.map(({ invoiceId }) => invoiceId);
    for (const [entity, ids] of [
      ['suppliers', this.#supplierIds],
      ['invoices', invoiceIds],
    ] as const) {
      if (ids.length === 0) continue;
      const after = { importId, kind: KIND, sha256, created: ids.length, ids };
      audit(this.#trx, this.#actor, { action: 'import', entity, after });
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

const toDocumentRow = ({ invoiceId, candidate }: { invoiceId: number; candidate: CfdiCandidate }) => ({
  invoiceId,
  version: candidate.version,
  moneda: candidate.moneda,
  tipocambio: candidate.tipoCambio || null,
  detail: JSON.stringify(candidate.detail),
});
