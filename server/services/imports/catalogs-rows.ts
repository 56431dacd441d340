import type { Db } from '../../../db/schema.ts';
import { catalogOf } from '../../../shared/catalogs/all.ts';
import type { Catalog, CatalogField } from '../../../shared/catalogs/catalog.ts';
import {
  type CatalogDraft,
  type CatalogValue,
  catalogWarnings,
  checkCatalogRow,
  cleanCatalogDraft,
} from '../../../shared/catalogs/rules.ts';
import { conflictText, remark, rowId, sameAsLine } from '../../../shared/remarks.ts';
import { isGenericRfc } from '../../../shared/rfc.ts';
import { fold } from '../../../shared/text.ts';
import type { ParsedRow } from '../../formats/tables/table.ts';
import { type AuditEntry, type Judge, type JudgeOptions, refused, type Verdict } from './judging.ts';
import { type KnownList, type ListEntry, nameKey, readList, severalNamed } from './known-catalogs.ts';
import type { MakingContext } from './new-rows.ts';
import { References } from './references.ts';
import { makeEntries } from './writing.ts';

/**
 * Judges the rows of one of the five lists. A row is known by its RFC (unless that is a generic one), else by
 * the letters and digits of its name.
 */
export class CatalogJudge implements Judge<ListEntry> {
  readonly #catalog: Catalog;
  readonly #options: JudgeOptions;
  readonly references: References;
  #list!: KnownList;
  readonly #accepted: ListEntry[] = [];

  constructor(catalog: Catalog, options: JudgeOptions) {
    this.#catalog = catalog;
    this.#options = options;
    this.references = new References(options.createMissing, options.set);
  }

  async begin(db: Db): Promise<void> {
    this.#list = await readList(db, this.#catalog, { lock: true });
    await this.references.read(
      db,
      this.#catalog.fields.flatMap(({ ref }) => (ref ? [catalogOf(ref)] : [])),
    );
  }

  async read(): Promise<void> {}

  judge(row: ParsedRow): Verdict<ListEntry> {
    const { draft, parent } = this.#read(row);
    const clean = cleanCatalogDraft(this.#catalog, draft);
    const problem = checkCatalogRow(this.#catalog, clean, 'create');
    if (problem) {
      const [[field, reason] = ['', problem.message]] = Object.entries(problem.fields ?? {});
      return refused(this.#columnOf(field), reason);
    }
    const name = String(clean[this.#catalog.nameField]);
    const rfc = typeof clean.rfc === 'string' ? clean.rfc : null;
    const known = this.#known(name, rfc);
    const conflict = known && this.#conflict(known, clean, parent);
    // A generic RFC is nobody's: who differs in more than punctuation is somebody else.
    const isOther = conflict && rfc && isGenericRfc(rfc) && fold(known.name) !== fold(name);
    if (conflict && !isOther) return conflict;
    if (known && !isOther) {
      const taken = rfc && !isGenericRfc(rfc);
      if (!this.#options.allowDuplicates || taken) {
        return { unchanged: true, warnings: known.line === undefined ? [] : [sameAsLine(known.line)] };
      }
    }
    const warnings = catalogWarnings(this.#catalog, clean);
    if (isOther)
      warnings.push(
        `Se llama casi como «${known.name}», y su RFC genérico no lo identifica: se da de alta aparte.`,
      );
    const accepted = this.#list.addNew({ name, rfc, fields: clean, parent, line: row.line });
    this.#accepted.push(accepted);
    return { accepted, warnings };
  }

  make = async (context: MakingContext) => [await makeEntries(context, this.#catalog, this.#accepted)];

  touches = ({ entity, action }: AuditEntry): boolean => entity === this.#catalog.noun && action !== 'delete';

  /** What the row says; a field without a value is not there, and gets its default where it is stored. */
  #read({ values }: ParsedRow): { draft: CatalogDraft; parent: ListEntry | undefined } {
    const draft: Record<string, CatalogValue> = {};
    let parent: ListEntry | undefined;
    for (const { name, ref } of this.#catalog.fields) {
      if (ref) {
        const catalog = catalogOf(ref);
        parent = this.references.named(catalog, values, catalog.nameField);
        // Any number does for "there is one": the id is known when it is stored.
        draft[name] = parent ? 1 : null;
      } else {
        const value = values[name];
        if (value !== null && value !== undefined) draft[name] = value;
      }
    }
    return { draft, parent };
  }

  #known(name: string, rfc: string | null): ListEntry | undefined {
    if (rfc && !isGenericRfc(rfc)) {
      const found = this.#list.withRfc(rfc);
      if (found) return found;
    }
    const isOwn = (one: ListEntry) => one.rfc !== null && !isGenericRfc(one.rfc);
    const namesakes = this.#list.namesakes(name);
    // Two suppliers with an RFC each are two, whatever they are called.
    const meant = rfc && !isGenericRfc(rfc) ? namesakes.filter((one) => !isOwn(one)) : namesakes;
    const exact = meant.filter((one) => one.name === name);
    const [only, ...others] = exact.length > 0 ? exact : meant;
    const isDoubtful = exact.length > 0 || !rfc || !isGenericRfc(rfc);
    if (others.length > 0 && isDoubtful && !this.#options.allowDuplicates)
      throw severalNamed(this.#catalog.nameField, name, meant);
    return only;
  }

  /** The first field in which the row says something else than what is known; an empty cell says nothing. */
  #conflict(known: ListEntry, clean: CatalogDraft, parent: ListEntry | undefined) {
    const where = known.line === undefined ? rowId(known.id) : ` (renglón ${known.line})`;
    const what = remark`«${known.name}»${where}`;
    for (const field of this.#catalog.fields) {
      if (field.ref) {
        const before = known.parent?.id ?? known.fields[field.name];
        if (!parent || parent.id === before) continue;
        const name = known.parent?.name ?? this.references.list(catalogOf(field.ref)).nameOf(Number(before));
        return refused(this.#columnOf(field.name), conflictText(what, field.label, name, parent.name));
      }
      const here = clean[field.name];
      if (here === undefined || here === null || here === '') continue;
      const before = known.fields[field.name] ?? '';
      if (sameValue(field, this.#catalog, before, here)) continue;
      return refused(field.name, conflictText(what, field.label, String(before), String(here)));
    }
    return undefined;
  }

  /** A reference is written by name. */
  #columnOf(name: string): string {
    const ref = this.#catalog.fields.find((field) => field.name === name)?.ref;
    return ref ? catalogOf(ref).nameField : name;
  }
}

function sameValue(field: CatalogField, catalog: Catalog, before: CatalogValue, here: CatalogValue): boolean {
  if (before === here) return true;
  if (field.name === catalog.nameField) return nameKey(String(before)) === nameKey(String(here));
  return typeof here === 'string' && fold(String(before)) === fold(here);
}
