import { isOneOfTexts } from '../../db/expressions.ts';
import type { Db } from '../../db/schema.ts';
import { refusal } from '../../shared/refusal.ts';
import type { RuleResult } from './writing.ts';

/** Documents that say that they replace others (SAT, TipoRelacion 04), and who issued them. */
export type Replacing = Awaited<ReturnType<typeof readReplacing>>;

export const readReplacing = async (db: Db, uuids: readonly string[]) =>
  uuids.length === 0
    ? []
    : db
        .selectFrom('document_relations')
        .select(['replacedUuid', 'uuid', 'rfc'])
        .where(isOneOfTexts(db, 'replacedUuid', uuids))
        .execute();

/** Of a chain of documents, all of one issuer, only the last one counts. @param rfc null: the issuer is not known */
export function refuseReplaced(
  uuid: string | null,
  rfc: string | null | undefined,
  replacing: Replacing,
): RuleResult {
  const by = replacing.find((one) => one.replacedUuid === uuid && (!rfc || one.rfc === rfc));
  return by && refusal(`Lo sustituyó el CFDI ${by.uuid}: no se guarda.`, 'uuid');
}
