import { isOneOfTexts, lockKey } from '../../db/expressions.ts';
import type { Db, Trx } from '../../db/schema.ts';
import { refusal } from '../../shared/refusal.ts';
import type { RuleResult } from './writing.ts';

/** Documents that say that they replace others (SAT, TipoRelacion 04), and who issued them. */
export type Replacing = Awaited<ReturnType<typeof readReplacing>>;

/** One load of documents at a time, and nobody beside it who asks what replaces a document. */
export const holdRelations = (trx: Trx): Promise<void> => lockKey(trx, 'import:cfdi');

export const readReplacing = async (db: Db, uuids: readonly string[]) =>
  uuids.length === 0
    ? []
    : db
        .selectFrom('document_relations')
        .select(['replacedUuid', 'uuid', 'rfc'])
        .where(isOneOfTexts(db, 'replacedUuid', uuids))
        .execute();

/**
 * Of a chain of documents, all of one issuer, only the last one counts.
 * @param rfc of the issuer, as the document says it, else as its supplier has it; without one any issuer is believed
 */
export function refuseReplaced(
  uuid: string | null,
  rfc: string | null | undefined,
  replacing: Replacing,
): RuleResult {
  const by = replacing.find((one) => one.replacedUuid === uuid && (!rfc || one.rfc === rfc));
  return by && refusal(`Lo sustituyó el CFDI ${by.uuid}: no se guarda.`, 'uuid');
}

/** The issuer in the kept JSON of a document; a supplier's RFC may have been corrected since. */
export const issuerIn = (detail: string | undefined): string | undefined =>
  detail ? ((JSON.parse(detail) as { emisor?: { rfc?: string } }).emisor?.rfc ?? undefined) : undefined;
