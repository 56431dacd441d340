import type { Trx } from '../../../db/schema.ts';
import type { CfdiCandidate } from '../../formats/cfdi/candidates.ts';
import { CFDI, nameAsKind } from '../../formats/file-kinds.ts';
import type { Actor } from '../audit/audit.ts';
import { keepFiles, safeFilename } from '../files.ts';

/** Documents, and files, that are inserted with one statement. */
const DOCUMENTS_AT_ONCE = 500;
const FILES_AT_ONCE = 50;

/** What the invoices of a part are made of: what their documents say, and the documents themselves. */
export class CfdiDocuments {
  readonly #trx: Trx;
  readonly #actor: Actor;
  readonly #importId: () => Promise<number>;
  /** by invoice: one may be of a document and then of the one that replaces it */
  readonly #candidates = new Map<number, CfdiCandidate>();

  constructor(trx: Trx, actor: Actor, importId: () => Promise<number>) {
    this.#trx = trx;
    this.#actor = actor;
    this.#importId = importId;
  }

  add(invoiceId: number, candidate: CfdiCandidate): void {
    this.#candidates.delete(invoiceId);
    this.#candidates.set(invoiceId, candidate);
  }

  /** @returns the ids of what was attached to `newInvoices`, and to others */
  async store(newInvoices: ReadonlySet<number>): Promise<{ ofNew: number[]; ofOthers: number[] }> {
    const rows = [...this.#candidates].map(toDocumentRow);
    for (let from = 0; from < rows.length; from += DOCUMENTS_AT_ONCE)
      await this.#trx
        .insertInto('cfdi_documents')
        .values(rows.slice(from, from + DOCUMENTS_AT_ONCE))
        .execute();
    return this.#keepXmls(newInvoices);
  }

  /** Each document beside its invoice, as the file that it came in; one that was attached by hand is there. */
  async #keepXmls(newInvoices: ReadonlySet<number>): Promise<{ ofNew: number[]; ofOthers: number[] }> {
    const { at, userId } = this.#actor;
    const importId = await this.#importId();
    const ids: { ofNew: number[]; ofOthers: number[] } = { ofNew: [], ofOthers: [] };
    const kept = [...this.#candidates].flatMap(([invoiceId, { xml, detail }]) =>
      xml ? [{ invoiceId, sha256: detail.sha256, ...xml }] : [],
    );
    for (let from = 0; from < kept.length; from += FILES_AT_ONCE) {
      const some = kept.slice(from, from + FILES_AT_ONCE);
      await keepFiles(this.#trx, some, at);
      const rows = some.map(({ invoiceId, sha256, filename }) => ({
        invoiceId,
        sha256,
        kind: CFDI.kind,
        filename: nameAsKind(safeFilename(filename), CFDI),
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
}

const toDocumentRow = ([invoiceId, candidate]: [number, CfdiCandidate]) => ({
  invoiceId,
  version: candidate.version,
  moneda: candidate.moneda,
  tipocambio: candidate.tipoCambio || null,
  detail: JSON.stringify(candidate.detail),
});
