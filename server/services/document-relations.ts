import type { Selectable } from 'kysely';
import { insertRows } from '../../db/bulk.ts';
import { isOneOfTexts, lockAdvisoryKey } from '../../db/expressions.ts';
import type { Db, Schema, Trx } from '../../db/schema.ts';
import { type BrokenRule, createRefusal } from '../../shared/refusal.ts';
import { normalizeRfc } from '../../shared/rfc.ts';
import {
  type CfdiReading,
  listReferencedInvoiceUuids,
  type SuccessfulReading,
} from '../formats/cfdi/candidates.ts';
import { type Actor, queueAuditEntry } from './audit/audit.ts';
import { appendToMapEntry } from './stored-rows.ts';

type DocumentRelation = Selectable<Schema['document_relations']>;

/**
 * A document by UUID and issuer; only its issuer may replace it. The issuer is the RFC stated in the document, since a
 * supplier's RFC may have been corrected later. Where it is unknown, relations of any issuer count.
 */
export interface DocumentUuidAndIssuer {
  uuid: string | null;
  rfc: string | null | undefined;
}

/** Only one import of documents runs at a time, and nobody reads replacements during an import. */
export const lockCfdiImport = (trx: Trx): Promise<void> => lockAdvisoryKey(trx, 'import:cfdi');

/**
 * Which documents replace which (SAT, TipoRelacion 04), as stated by the documents of this part of an import and by all
 * earlier ones, stored or not. Only the last document of a chain is valid. A cycle has no last document, and none of
 * its documents is valid; it is never genuine, since nobody can stamp a document that names a later one.
 */
export class Replacements {
  readonly #byReplaced = new Map<string, DocumentRelation[]>();
  readonly #byReplacing = new Map<string, DocumentRelation[]>();
  readonly #new: DocumentRelation[] = [];

  /** Reads the stored relations of these documents, along whole chains, and adds those that the documents state. */
  static async readForReadings(db: Db, readings: readonly CfdiReading[]): Promise<Replacements> {
    const stated = readings.flatMap(({ replacing }) => replacing ?? []);
    const uuids = readings.flatMap((reading) =>
      [reading.uuid ?? [], listReferencedInvoiceUuids(reading)].flat(),
    );
    const all = await Replacements.read(db, [...uuids, ...stated.map(({ replacedUuid }) => replacedUuid)]);
    for (const { rfc, ...relation } of stated) {
      const one = { ...relation, rfc: normalizeRfc(rfc) };
      if (all.#add(one)) all.#new.push(one);
    }
    return all;
  }

  /** For callers that must refuse replaced documents. Without UUIDs nothing is locked. */
  static async lockAndRead(trx: Trx, uuids: readonly string[]): Promise<Replacements> {
    if (uuids.length > 0) await lockCfdiImport(trx);
    return Replacements.read(trx, uuids);
  }

  static async read(db: Db, uuids: readonly string[]): Promise<Replacements> {
    const all = new Replacements();
    const seen = new Set<string>();
    let next = [...uuids];
    while (next.length > 0) {
      for (const uuid of next) seen.add(uuid);
      const rows = await db
        .selectFrom('document_relations')
        .selectAll()
        .where(isOneOfTexts(db, 'uuid', next))
        .union(
          db
            .selectFrom('document_relations')
            .selectAll()
            .where(isOneOfTexts(db, 'replacedUuid', next)),
        )
        .execute();
      for (const row of rows) all.#add(row);
      next = [...new Set(rows.flatMap(({ uuid, replacedUuid }) => [uuid, replacedUuid]))];
      next = next.filter((uuid) => !seen.has(uuid));
    }
    return all;
  }

  /** Replacements are stored even if the documents that state them are refused. */
  async store(trx: Trx, actor: Actor): Promise<void> {
    if (this.#new.length === 0) return;
    await insertRows(trx, 'document_relations', this.#new);
    const relations = this.#new.map(({ uuid, replacedUuid }) => `${uuid} → ${replacedUuid}`);
    const after = { created: relations.length, relations };
    queueAuditEntry(trx, actor, { action: 'import', entity: 'document-relations', after });
  }

  #add(relation: DocumentRelation): boolean {
    const { uuid, replacedUuid, rfc } = relation;
    // The same relation stated by another issuer does not count as the issuer's own.
    const isKnown = this.#byReplacing
      .get(uuid)
      ?.some((one) => one.replacedUuid === replacedUuid && one.rfc === rfc);
    if (isKnown) return false;
    appendToMapEntry(this.#byReplaced, replacedUuid, relation);
    appendToMapEntry(this.#byReplacing, uuid, relation);
    return true;
  }

  get isEmpty(): boolean {
    return this.#byReplacing.size === 0;
  }

  directReplacements = ({ uuid, rfc }: DocumentUuidAndIssuer): DocumentRelation[] =>
    (this.#byReplaced.get(uuid ?? '') ?? []).filter((one) => !rfc || one.rfc === rfc);

  isReplaced = (key: DocumentUuidAndIssuer): boolean => this.directReplacements(key).length > 0;

  /** The valid documents that replace this one, along chains; empty where the chain ends in a cycle. */
  findSuccessors = (key: DocumentUuidAndIssuer): DocumentRelation[] =>
    this.#allReplacements(key).filter((one) => !this.isReplaced(one));

  #allReplacements(key: DocumentUuidAndIssuer): DocumentRelation[] {
    const found = new Map<string, DocumentRelation>();
    const open = [key];
    for (const one of open)
      for (const relation of this.directReplacements(one)) {
        if (found.has(relation.uuid)) continue;
        found.set(relation.uuid, relation);
        open.push(relation);
      }
    return [...found.values()].sort((a, b) => (a.uuid < b.uuid ? -1 : 1));
  }

  /** Follows whole chains of one issuer. The UUIDs that the document itself names come first. */
  predecessorsOf({ uuid, rfc }: DocumentUuidAndIssuer): string[] {
    const found = new Set([uuid ?? '']);
    for (const one of found)
      for (const relation of this.#byReplacing.get(one) ?? [])
        if (!rfc || relation.rfc === rfc) found.add(relation.replacedUuid);
    return [...found].slice(1);
  }

  /** Like `predecessorsOf`, for documents whose issuers are not known. */
  predecessorsOfAny = (uuids: readonly string[]): string[] =>
    uuids.flatMap((uuid) => this.predecessorsOf({ uuid, rfc: undefined }));

  get replacementChains(): string[][] {
    const seen = new Set<string>();
    return [...this.#byReplacing.keys()].flatMap((start) => {
      if (seen.has(start)) return [];
      const chain = new Set([start]);
      for (const uuid of chain) {
        seen.add(uuid);
        for (const one of this.#byReplaced.get(uuid) ?? []) chain.add(one.uuid);
        for (const one of this.#byReplacing.get(uuid) ?? []) chain.add(one.replacedUuid);
      }
      return [[...chain].sort()];
    });
  }

  replacedRefusal(key: DocumentUuidAndIssuer): BrokenRule | undefined {
    const replaced = this.describeReplaced(key);
    return replaced === undefined ? undefined : createRefusal(replaced, 'uuid');
  }

  describeReplaced(key: DocumentUuidAndIssuer): string | undefined {
    if (!this.isReplaced(key)) return undefined;
    const successors = this.findSuccessors(key);
    const all = (successors.length > 0 ? successors : this.#allReplacements(key)).map(
      ({ uuid, kind, numero }) => `el CFDI ${uuid}, que es ${KIND_NOUNS[kind]} ${numero}`,
    );
    if (successors.length === 0)
      return `Se sustituyen en círculo ${all.join('; y ')}: ninguno es el último, y no se guarda.`;
    return `${successors.length === 1 ? 'Lo sustituyó' : 'Lo sustituyeron'} ${all.join('; y ')}: no se guarda.`;
  }

  describeMultipleReplacements({ uuid: ownUuid, rfc }: DocumentUuidAndIssuer): string[] {
    const messages: string[] = [];
    const direct = (this.#byReplacing.get(ownUuid ?? '') ?? []).map(({ replacedUuid }) => replacedUuid);
    if (direct.length > 1) messages.push(`Sustituye (relación 04) a varios CFDI: ${direct.join(', ')}.`);
    for (const uuid of direct)
      for (const other of this.directReplacements({ uuid, rfc }))
        if (other.uuid !== ownUuid)
          messages.push(
            `Al CFDI ${uuid} lo sustituye también ${KIND_NOUNS[other.kind]} ${other.numero}, CFDI ${other.uuid}.`,
          );
    return messages;
  }
}

const KIND_NOUNS = { I: 'la factura', E: 'la nota de crédito', P: 'el recibo de pago' };

/** A document without a stamp has no UUID that another one could name. */
export const documentKeyOf = ({ uuid, issued }: SuccessfulReading) => ({
  uuid: uuid ?? null,
  rfc: normalizeRfc(issued.detail.emisor.rfc),
});

export const issuerRfcOfDetail = (detail: string | undefined): string | undefined => {
  const { emisor } = detail ? (JSON.parse(detail) as { emisor?: { rfc?: string } }) : {};
  return emisor?.rfc === undefined ? undefined : normalizeRfc(emisor.rfc);
};
