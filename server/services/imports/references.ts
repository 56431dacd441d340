import type { Db } from '../../../db/schema.ts';
import type { Catalog } from '../../../shared/catalogs/catalog.ts';
import { clients } from '../../../shared/catalogs/clients.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { rubros } from '../../../shared/catalogs/rubros.ts';
import { checkCatalogRow, cleanCatalogValues } from '../../../shared/catalogs/rules.ts';
import { suppliers } from '../../../shared/catalogs/suppliers.ts';
import { NO_RUBRO_NAME } from '../../../shared/invoices.ts';
import { type Remark, withRemedyCode } from '../../../shared/remarks.ts';
import { isGenericRfc, isRfc, normalizeRfc } from '../../../shared/rfc.ts';
import { fold, nameKey } from '../../../shared/text.ts';
import type { RowValues } from '../../formats/tables/table.ts';
import { type CatalogEntry, type EntryIndex, readEntryIndex } from '../catalogs/entry-index.ts';
import { ambiguousNameText } from '../catalogs/reading.ts';
import { RowRefusalError, textOf } from './row-values.ts';

export class References {
  readonly #lists = new Map<string, EntryIndex>();
  readonly #createMissing: boolean;
  readonly #withoutAdding = new Set<string>();
  readonly #givenWarnings = new Set<string>();
  readonly #valuesForAllRows: Readonly<Record<string, string>>;

  /** @param set values for every row, by field; digits may be the id of an entry */
  constructor(createMissing = false, set: Readonly<Record<string, string>> = {}) {
    this.#createMissing = createMissing;
    this.#valuesForAllRows = set;
  }

  async readCatalogs(db: Db, catalogs: readonly Catalog[]): Promise<void> {
    const all = catalogs.includes(jobs) && this.#createMissing ? [...catalogs, clients] : catalogs;
    for (const catalog of new Set(all)) this.#lists.set(catalog.noun, await readEntryIndex(db, catalog));
  }

  async readCatalogsWithoutAdding(db: Db, catalogs: readonly Catalog[]): Promise<void> {
    for (const catalog of catalogs) {
      this.#withoutAdding.add(catalog.noun);
      this.#lists.set(catalog.noun, await readEntryIndex(db, catalog));
    }
  }

  entryIndexOf(catalog: Catalog): EntryIndex {
    const list = this.#lists.get(catalog.noun);
    if (!list) throw new Error(`the list of ${catalog.noun} was not read`);
    return list;
  }

  nameOf = (catalog: Catalog, id: number): string => this.entryIndexOf(catalog).nameOf(id);

  /** @throws RowRefusalError where several entries have the name, or none has it and none may be created */
  findOrAddEntry(catalog: Catalog, values: RowValues, field = catalog.nameField): CatalogEntry | undefined {
    const name = textOf(values, field);
    const list = this.entryIndexOf(catalog);
    const withSameRfc = this.#findByStatedId(list, values, name);
    if (withSameRfc || !name) return withSameRfc;
    const matches = list.findByName(name);
    if (matches.length > 1) throw ambiguousNameError(field, name, matches);
    const found = matches[0] ?? this.#findByIdSetForAllRows(list, field, name);
    if (found) return found;
    if (!this.#mayAdd(list)) throw unknownNameError(list, field, name);
    return this.#addMissing(list, field, { [catalog.nameField]: name });
  }

  /** @returns undefined for "Sin rubro" too. @throws RowRefusalError */
  findOrAddRubro(values: RowValues): CatalogEntry | undefined {
    const isNone = fold(textOf(values, rubros.nameField)) === fold(NO_RUBRO_NAME);
    return isNone ? undefined : this.findOrAddEntry(rubros, values);
  }

  #findByStatedId(list: EntryIndex, values: RowValues, name: string): CatalogEntry | undefined {
    const field = list.catalog.idField;
    const id = values[field];
    if (typeof id !== 'number') return undefined;
    const found = list.findById(id);
    if (!found) throw new RowRefusalError(field, `No existe ${list.catalog.texts.one} con el id ${id}.`);
    if (name && nameKey(name) !== nameKey(found.name))
      throw new RowRefusalError(field, `El id ${id} es de «${found.name}», no de «${name}».`);
    return found;
  }

  #findByIdSetForAllRows(list: EntryIndex, field: string, name: string): CatalogEntry | undefined {
    const isId = this.#valuesForAllRows[field] !== undefined && /^\d{1,15}$/.test(name);
    return isId ? list.findById(Number(name)) : undefined;
  }

  /**
   * A supplier is identified by its RFC, which may stand in place of the name, or by its name where the RFC is generic.
   * A supplier of that name without an RFC is accepted too, with a warning.
   * @throws RowRefusalError (missing, several of that name)
   */
  findOrAddSupplier(values: RowValues, warnings: Remark[]): CatalogEntry | undefined {
    const list = this.entryIndexOf(suppliers);
    const { name, rfc } = readNameAndRfc(values, list);
    const withStatedId = this.#findByStatedId(list, values, name);
    if (withStatedId) {
      if (rfc && withStatedId.rfc && rfc !== withStatedId.rfc)
        throw new RowRefusalError(
          'rfc',
          `«${withStatedId.name}» está con el RFC ${withStatedId.rfc}; aquí dice ${rfc}.`,
        );
      return withStatedId;
    }
    const withSameRfc = list.findByRfc(rfc);
    if (withSameRfc) {
      if (name && nameKey(withSameRfc.name) !== nameKey(name))
        this.#warnOnce(
          warnings,
          `El RFC ${rfc} es de «${withSameRfc.name}», no de «${name}»: se toma el del RFC.`,
        );
      return withSameRfc;
    }
    const field = name ? 'suppliername' : 'rfc';
    const found = name ? this.#findSupplierNamed(list, name, rfc) : undefined;
    if (found) {
      if (rfc && rfc !== found.rfc)
        this.#warnOnce(warnings, `«${found.name}» está registrado sin el RFC ${rfc}: se toma por su nombre.`);
      return found;
    }
    if (!name && !rfc) return undefined;
    if (!this.#mayAdd(list)) throw unknownSupplierError(list, name, rfc, field);
    return this.#addMissing(list, field, { suppliername: name || rfc, rfc: rfc || null });
  }

  readonly #mayAdd = ({ catalog }: EntryIndex): boolean =>
    this.#createMissing && !this.#withoutAdding.has(catalog.noun);

  #findSupplierNamed(list: EntryIndex, name: string, rfc: string): CatalogEntry | undefined {
    const identifies = rfc !== '' && !isGenericRfc(rfc);
    const all = list.findByName(name);
    // A different RFC is a different supplier, even with the same name.
    const candidates = identifies ? all.filter((one) => !one.rfc || isGenericRfc(one.rfc)) : all;
    const withRfc = rfc ? candidates.filter((one) => one.rfc === rfc) : [];
    const chosen = withRfc.length > 0 ? withRfc : candidates;
    if (chosen.length > 1) throw ambiguousNameError('suppliername', name, chosen);
    return chosen[0] ?? (identifies ? undefined : this.#findByIdSetForAllRows(list, 'suppliername', name));
  }

  #addMissing(list: EntryIndex, field: string, draft: Record<string, string | null>): CatalogEntry {
    const { catalog } = list;
    const placeholders = catalog.fields.flatMap(({ name, ref, requirement }) =>
      requirement && !ref ? [[name, requirement.unknown]] : [],
    );
    const clean = cleanCatalogValues(catalog, { ...Object.fromEntries(placeholders), ...draft });
    const parent = catalog === jobs ? this.findOrAddPlaceholderClient() : undefined;
    const problem = checkCatalogRow(catalog, { ...clean, ...(parent && { clientId: 1 }) }, 'create');
    if (problem) {
      const [at = field] = Object.keys(problem.fields ?? {});
      throw new RowRefusalError(
        at in draft ? at : field,
        Object.values(problem.fields ?? {})[0] ?? problem.message,
      );
    }
    return list.addWithProvisionalId({
      name: String(clean[catalog.nameField]),
      rfc: typeof clean.rfc === 'string' ? clean.rfc : null,
      fields: clean,
      parent,
    });
  }

  findOrAddPlaceholderClient(): CatalogEntry {
    const list = this.entryIndexOf(clients);
    const clientname = jobs.fields.find(({ ref }) => ref === clients.noun)!.requirement!.unknown;
    const [found] = list.findByName(clientname);
    return found ?? this.#addMissing(list, 'clientname', { clientname });
  }

  #warnOnce(warnings: Remark[], text: string): void {
    if (this.#givenWarnings.has(text)) return;
    this.#givenWarnings.add(text);
    warnings.push(text);
  }
}

/** An RFC in the column of names counts as the RFC, unless a supplier has that name. */
function readNameAndRfc(values: RowValues, list: EntryIndex): { name: string; rfc: string } {
  const name = textOf(values, 'suppliername');
  const rfc = normalizeRfc(textOf(values, 'rfc'));
  const nameAsRfc = normalizeRfc(name);
  const isOne = !rfc && isRfc(nameAsRfc) && !isGenericRfc(nameAsRfc) && list.findByName(name).length === 0;
  return isOne ? { name: '', rfc: nameAsRfc } : { name, rfc };
}

const ambiguousNameError = (
  field: string,
  name: string,
  entriesOfThatName: readonly CatalogEntry[],
): RowRefusalError => new RowRefusalError(field, ambiguousNameText(name, entriesOfThatName), name);

function unknownNameError(
  { catalog: { texts, idField } }: EntryIndex,
  field: string,
  name: string,
): RowRefusalError {
  const code = /^\d+$/.test(name)
    ? ` Un número es aquí un nombre, o el código de otro sistema; si es nuestro id, toma la columna como ${idField}.`
    : '';
  return new RowRefusalError(
    field,
    withRemedyCode(`No existe ${texts.one} «${name}».${code}`, 'create-missing'),
    name,
  );
}

function unknownSupplierError(list: EntryIndex, name: string, rfc: string, field: string): RowRefusalError {
  if (!rfc) return unknownNameError(list, field, name);
  const [namesake] = name ? list.findByName(name) : [];
  const other = namesake?.rfc ? ` «${namesake.name}» está con el RFC ${namesake.rfc}.` : '';
  const described = name ? `«${name}» con el RFC ${rfc}` : `con el RFC ${rfc}`;
  return new RowRefusalError(
    field,
    withRemedyCode(`No existe el proveedor ${described}.${other}`, 'create-missing'),
  );
}
