import { catalogOf } from '../../../shared/catalogs/all.ts';
import type { CatalogField } from '../../../shared/catalogs/catalog.ts';
import { type CatalogValue, catalogWarnings, checkCatalogRow } from '../../../shared/catalogs/rules.ts';
import { refusal } from '../../../shared/refusal.ts';
import { conflictText, remark, rowId } from '../../../shared/remarks.ts';
import { fold, nameKey } from '../../../shared/text.ts';
import { hasValidTexts, type RuleResult, unchangedRow, type Warning } from '../writing.ts';
import { type Draft, type EntryFacts, ownRfc, valuesOf } from './facts.ts';
import type { ListEntry } from './known.ts';
import { missingText, severalText } from './reading.ts';

/** The rules of the five lists for every door, in their order: the first that a row breaks refuses it. */
export const rules: readonly ((draft: Draft, facts: EntryFacts) => RuleResult)[] = [
  isThere,
  wasDeleted,
  hasValidTexts,
  wasSeen,
  hasWhatItNeeds,
  namesWhatThereIs,
  isNotStoredYet,
  isChanged,
  hasFreeRfc,
];

/** A row with warnings is stored all the same. */
export const warnings: readonly ((draft: Draft, facts: EntryFacts) => readonly Warning[])[] = [
  hasAnOddRfc,
  isCalledAlmostAs,
];

function isThere({ id, previous, deleted }: Draft, { catalog }: EntryFacts): RuleResult {
  if (id === undefined || previous || deleted) return undefined;
  return { kind: 'not-found', message: missingText(catalog, id) };
}

function wasDeleted({ id, deleted, previous }: Draft, { catalog: { texts } }: EntryFacts): RuleResult {
  if (!deleted || !previous) return undefined;
  const message = `No está eliminad${texts.one.startsWith('la ') ? 'a' : 'o'} ${texts.one} ${id}.`;
  return { kind: 'conflict', message, code: 'not_deleted' };
}

function wasSeen(draft: Draft, facts: EntryFacts): RuleResult {
  const { previous, version, draft: sent } = draft;
  const isSeen = version === undefined || version === previous?.version;
  if (!previous || isSeen || !isChange(draft, facts)) return undefined;
  return { kind: 'stale', message: STALE, extra: { current: previous, sent } };
}

export const STALE = 'Otra persona guardó este registro mientras lo editabas.';

function hasWhatItNeeds(
  { said, previous, deleted }: Draft,
  { catalog, isOfDocument }: EntryFacts,
): RuleResult {
  const before = previous ?? deleted;
  if (before) return checkCatalogRow(catalog, said, 'edit', valuesOf(catalog, before));
  return checkCatalogRow(catalog, said, 'create', isOfDocument ? { rfc: said.rfc } : {});
}

function namesWhatThereIs({ values }: Draft, { catalog, referenced }: EntryFacts): RuleResult {
  // Ids below zero belong to rows of the same file.
  const isLost = ({ name }: CatalogField) =>
    Number(values[name]) > 0 && !referenced.get(name)!.has(Number(values[name]));
  const lost = catalog.fields.find((field) => field.ref && isLost(field));
  return lost && refusal(missingText(catalogOf(lost.ref!), values[lost.name]!), lost.name);
}

function isNotStoredYet(draft: Draft, facts: EntryFacts): RuleResult {
  const { catalog, skipsExisting, allowDuplicates } = facts;
  if (!skipsExisting) return undefined;
  const { same, called, isDoubtful } = findAlike(draft, facts);
  if (isDoubtful && !allowDuplicates)
    return refusal(severalText(String(draft.values[catalog.nameField]), called), catalog.nameField);
  const conflict = same && compare(draft, same, facts);
  if (!same || (conflict && isAnother(draft, same))) return undefined;
  if (conflict) return conflict;
  if (allowDuplicates && !ownRfc(draft.values)) return undefined;
  return unchangedRow(same.line);
}

function isChanged(draft: Draft, facts: EntryFacts): RuleResult {
  if (!draft.previous || isChange(draft, facts)) return undefined;
  return { unchanged: true, warnings: allWarnings(draft, facts) };
}

function hasFreeRfc({ id, values }: Draft, { known }: EntryFacts): RuleResult {
  const rfc = ownRfc(values) ?? '';
  const taken = known.withRfc(rfc);
  if (!taken || taken.id === id) return undefined;
  const message = `El RFC ${rfc} ya es de «${taken.name}».`;
  const extra = { existingId: taken.id };
  return { ...refusal(message, 'rfc'), kind: 'conflict', code: 'rfc_taken', extra };
}

function hasAnOddRfc({ values }: Draft, { catalog }: EntryFacts): readonly Warning[] {
  return catalogWarnings(catalog, values).map((message) => ({ message }));
}

function isCalledAlmostAs(draft: Draft, facts: EntryFacts): readonly Warning[] {
  const { same } = facts.skipsExisting ? findAlike(draft, facts) : {};
  if (!same || !isAnother(draft, same) || !compare(draft, same, facts)) return [];
  return [
    {
      message: `Se llama casi como «${same.name}», y su RFC genérico no lo identifica: se da de alta aparte.`,
    },
  ];
}

export const allWarnings = (draft: Draft, facts: EntryFacts): Warning[] =>
  warnings.flatMap((warn) => warn(draft, facts));

/** Later drafts see the accepted ones. */
export function take({ line, values: fields }: Draft, { catalog, known }: EntryFacts): void {
  known.addNew({ name: String(fields[catalog.nameField]), rfc: ownRfc(fields) ?? null, fields, line });
}

const isChange = ({ said, previous }: Draft, { catalog }: EntryFacts): boolean =>
  catalog.fields.some(({ name }) => said[name] !== undefined && said[name] !== previous![name]);

/**
 * The known row that a row of a table is: by its RFC, unless that is generic, else by the letters and digits of its
 * name; with all rows of that name, and whether it may be any of them.
 */
function findAlike({ values }: Draft, { catalog, known }: EntryFacts) {
  const name = String(values[catalog.nameField]);
  const rfc = ownRfc(values);
  const found = known.withRfc(rfc ?? '');
  // Two suppliers that each have an RFC are two, whatever their names.
  const called = found ? [found] : known.namesakes(name).filter(({ fields }) => !rfc || !ownRfc(fields));
  const exact = called.filter((one) => one.name === name);
  const [same, ...others] = exact.length > 0 ? exact : called;
  const isDoubtful = others.length > 0 && (exact.length > 0 || Boolean(rfc) || !values.rfc);
  return { same, called, isDoubtful };
}

/** A generic RFC identifies nobody: a name that differs in more than punctuation is somebody else's. */
const isAnother = ({ values }: Draft, { name }: ListEntry): boolean =>
  Boolean(values.rfc) && !ownRfc(values) && fold(name) !== fold(String(values.suppliername));

/** The first field in which a row of a table differs from the known one; an empty cell says nothing. */
function compare({ said }: Draft, known: ListEntry, facts: EntryFacts): RuleResult {
  const { catalog, nameOf = (_catalog, id) => String(id) } = facts;
  const isSame = (name: string, before: CatalogValue, here: CatalogValue) => {
    if (before === here) return true;
    if (name === catalog.nameField) return nameKey(String(before)) === nameKey(String(here));
    return typeof here === 'string' && fold(String(before)) === fold(here);
  };
  for (const { name, label, ref } of catalog.fields) {
    const [here, before] = [said[name], known.fields[name] ?? ''];
    if (here === undefined || here === null || here === '' || isSame(name, before, here)) continue;
    const what = remark`«${known.name}»${known.line === undefined ? rowId(known.id) : ` (renglón ${known.line})`}`;
    const inWords = (value: CatalogValue) => (ref ? nameOf(catalogOf(ref), Number(value)) : String(value));
    return refusal(conflictText(what, label, inWords(before), inWords(here)), name);
  }
  return undefined;
}
