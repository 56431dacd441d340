import { catalogOf } from '../../../shared/catalogs/all.ts';
import { type CatalogField, columnNameOf, toApiRow } from '../../../shared/catalogs/catalog.ts';
import { type CatalogValue, catalogWarnings, checkCatalogRow } from '../../../shared/catalogs/rules.ts';
import { formatMoney } from '../../../shared/money.ts';
import { createRefusal } from '../../../shared/refusal.ts';
import { conflictRemark, createRemark, rowIdRemark } from '../../../shared/remarks.ts';
import { fold, nameKey } from '../../../shared/text.ts';
import { type RuleResult, refuseInvalidTexts, unchangedResult, type Warning } from '../write-drafts.ts';
import type { CatalogEntry } from './entry-index.ts';
import { type EntryDraft, type EntryFacts, fieldValuesOf, findIdentifyingRfc } from './facts.ts';
import { ambiguousNameText, rowNotFoundText } from './reading.ts';

/** Only the first broken rule is reported, so the order counts. */
export const rules: readonly ((draft: EntryDraft, facts: EntryFacts) => RuleResult)[] = [
  refuseMissingRow,
  refuseNotDeleted,
  refuseInvalidTexts,
  refuseStaleVersion,
  refuseInvalidFields,
  refuseUnknownReferences,
  refuseFutureBalance,
  skipOrRefuseStored,
  skipUnchanged,
  refuseDuplicateRfc,
];

export const warningRules: readonly ((draft: EntryDraft, facts: EntryFacts) => readonly Warning[])[] = [
  warnOfUnusualRfc,
  warnOfSimilarName,
];

function refuseMissingRow({ id, previous, deleted }: EntryDraft, { catalog }: EntryFacts): RuleResult {
  if (id === undefined || previous || deleted) return undefined;
  return { kind: 'not-found', message: rowNotFoundText(catalog, id) };
}

function refuseNotDeleted(
  { id, deleted, previous }: EntryDraft,
  { catalog: { texts } }: EntryFacts,
): RuleResult {
  if (!deleted || !previous) return undefined;
  const message = `No está eliminad${texts.one.startsWith('la ') ? 'a' : 'o'} ${texts.one} ${id}.`;
  return { kind: 'conflict', message, code: 'not_deleted' };
}

function refuseStaleVersion(draft: EntryDraft, facts: EntryFacts): RuleResult {
  const { previous, version } = draft;
  const isSeen = version === undefined || version === previous?.version;
  if (!previous || isSeen || !changesValues(draft, facts)) return undefined;
  return {
    kind: 'stale',
    message: STALE_MESSAGE,
    extra: { current: previous, sent: toApiRow(facts.catalog, draft.draft) },
  };
}

export const STALE_MESSAGE = 'Otra persona guardó este registro mientras lo editabas.';

function refuseInvalidFields(
  { cleaned, previous, deleted }: EntryDraft,
  { catalog, isFromCfdi }: EntryFacts,
): RuleResult {
  const before = previous ?? deleted;
  if (before) return checkCatalogRow(catalog, cleaned, 'edit', fieldValuesOf(catalog, before));
  return checkCatalogRow(catalog, cleaned, 'create', isFromCfdi ? { rfc: cleaned.rfc } : {});
}

function refuseUnknownReferences(
  { values }: EntryDraft,
  { catalog, existingIdsByField }: EntryFacts,
): RuleResult {
  // Ids below zero belong to new rows of the same file.
  const isReferenceMissing = ({ name }: CatalogField) =>
    Number(values[name]) > 0 && !existingIdsByField.get(name)!.has(Number(values[name]));
  const missing = catalog.fields.find((field) => field.ref && isReferenceMissing(field));
  return (
    missing && createRefusal(rowNotFoundText(catalogOf(missing.ref!), values[missing.name]!), missing.name)
  );
}

/** A bank balance cannot be dated after today; other dates of catalogs, such as the end of a job, can. */
function refuseFutureBalance({ cleaned }: EntryDraft, { catalog, today }: EntryFacts): RuleResult {
  if (!catalog.fields.some(({ type }) => type === 'money')) return undefined;
  const future = catalog.fields.find(
    ({ name, type }) => type === 'date' && String(cleaned[name] ?? '') > today,
  );
  return future && createRefusal(`${future.label}: no puede ser posterior a hoy.`, future.name);
}

function skipOrRefuseStored(draft: EntryDraft, facts: EntryFacts): RuleResult {
  const { catalog, skipsExisting, allowDuplicates } = facts;
  if (!skipsExisting) return undefined;
  const { same, namesakes, isAmbiguous } = findSameEntryOrNamesakes(draft, facts);
  if (isAmbiguous && !allowDuplicates)
    return createRefusal(
      ambiguousNameText(String(draft.values[catalog.nameField]), namesakes),
      catalog.nameField,
    );
  const conflict = same && refuseDifferingField(draft, same, facts);
  if (!same || (conflict && isDifferentSupplier(draft, same))) return undefined;
  if (conflict) return conflict;
  if (allowDuplicates && !findIdentifyingRfc(draft.values)) return undefined;
  return unchangedResult(same.line);
}

function skipUnchanged(draft: EntryDraft, facts: EntryFacts): RuleResult {
  if (!draft.previous || changesValues(draft, facts)) return undefined;
  return { unchanged: true, warnings: listWarnings(draft, facts) };
}

function refuseDuplicateRfc({ id, values }: EntryDraft, { index }: EntryFacts): RuleResult {
  const rfc = findIdentifyingRfc(values) ?? '';
  const holder = index.findByRfc(rfc);
  if (!holder || holder.id === id) return undefined;
  const message = `El RFC ${rfc} ya es de «${holder.name}».`;
  const extra = { existingId: holder.id };
  return { ...createRefusal(message, 'rfc'), kind: 'conflict', code: 'rfc_taken', extra };
}

function warnOfUnusualRfc({ values }: EntryDraft, { catalog }: EntryFacts): readonly Warning[] {
  return catalogWarnings(catalog, values).map((message) => ({ message }));
}

function warnOfSimilarName(draft: EntryDraft, facts: EntryFacts): readonly Warning[] {
  const { same } = facts.skipsExisting ? findSameEntryOrNamesakes(draft, facts) : {};
  if (!same || !isDifferentSupplier(draft, same) || !refuseDifferingField(draft, same, facts)) return [];
  const warning = `Se llama casi como «${same.name}», y su RFC genérico no lo identifica: se da de alta aparte.`;
  return [{ message: warning }];
}

export const listWarnings = (draft: EntryDraft, facts: EntryFacts): Warning[] =>
  warningRules.flatMap((warn) => warn(draft, facts));

export function addAcceptedDraftToFacts(
  { line, values: fields }: EntryDraft,
  { catalog, index }: EntryFacts,
): void {
  index.addWithProvisionalId({
    name: String(fields[catalog.nameField]),
    rfc: findIdentifyingRfc(fields) ?? null,
    fields,
    line,
  });
}

const changesValues = ({ cleaned, previous }: EntryDraft, { catalog }: EntryFacts): boolean =>
  catalog.fields
    .map(columnNameOf)
    .some((one) => cleaned[one] !== undefined && cleaned[one] !== previous![one]);

/** A row is found by its RFC, or if that is missing or generic, by the letters and digits of its name. */
function findSameEntryOrNamesakes({ values }: EntryDraft, { catalog, index }: EntryFacts) {
  const name = String(values[catalog.nameField]);
  const rfc = findIdentifyingRfc(values);
  const found = index.findByRfc(rfc ?? '');
  // Two suppliers with different RFCs are never the same, whatever their names.
  const namesakes = found
    ? [found]
    : index.findNamesakes(name).filter(({ fields }) => !rfc || !findIdentifyingRfc(fields));
  const exact = namesakes.filter((one) => one.name === name);
  const [same, ...others] = exact.length > 0 ? exact : namesakes;
  const isAmbiguous = others.length > 0 && (exact.length > 0 || Boolean(rfc) || !values.rfc);
  return { same, namesakes, isAmbiguous };
}

/** A generic RFC identifies nobody, so a name that differs, if only in punctuation, may be another supplier's. */
const isDifferentSupplier = ({ values }: EntryDraft, { name }: CatalogEntry): boolean =>
  Boolean(values.rfc) && !findIdentifyingRfc(values) && fold(name) !== fold(String(values.suppliername));

/** Empty cells are not compared. */
function refuseDifferingField(
  { cleaned }: EntryDraft,
  candidate: CatalogEntry,
  facts: EntryFacts,
): RuleResult {
  const { catalog, nameOf = (_catalog, id) => String(id) } = facts;
  const isSameValue = (name: string, before: CatalogValue, stated: CatalogValue) => {
    if (before === stated) return true;
    if (name === catalog.nameField) return nameKey(String(before)) === nameKey(String(stated));
    return typeof stated === 'string' && fold(String(before)) === fold(stated);
  };
  for (const field of catalog.fields) {
    const { name, label, ref, type } = field;
    const [stated, before] = [cleaned[columnNameOf(field)], candidate.fields[columnNameOf(field)] ?? ''];
    if (stated === undefined || stated === null || stated === '' || isSameValue(name, before, stated))
      continue;
    const what = createRemark`«${candidate.name}»${candidate.line === undefined ? rowIdRemark(candidate.id) : ` (renglón ${candidate.line})`}`;
    const formatField = (value: CatalogValue) => {
      if (type === 'money' && value !== '') return formatMoney(Number(value));
      return ref ? nameOf(catalogOf(ref), Number(value)) : String(value);
    };
    return createRefusal(conflictRemark(what, label, formatField(before), formatField(stated)), name);
  }
  return undefined;
}
