import type { Db } from '../../../db/schema.ts';
import type { Catalog } from '../../../shared/catalogs/catalog.ts';
import { clients } from '../../../shared/catalogs/clients.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { rubros } from '../../../shared/catalogs/rubros.ts';
import { checkCatalogRow, cleanCatalogDraft } from '../../../shared/catalogs/rules.ts';
import { suppliers } from '../../../shared/catalogs/suppliers.ts';
import { NO_RUBRO_NAME } from '../../../shared/invoices.ts';
import { type Remark, withRemedy } from '../../../shared/remarks.ts';
import { isGenericRfc, isRfc, normalizeRfc } from '../../../shared/rfc.ts';
import { fold, nameKey } from '../../../shared/text.ts';
import type { RowValues } from '../../formats/tables/table.ts';
import { type EntryIndex, type ListEntry, readEntryIndex } from '../catalogs/entry-index.ts';
import { ambiguousText } from '../catalogs/reading.ts';
import { Refused, textOf } from './row-values.ts';

export class References {
  readonly #lists = new Map<string, EntryIndex>();
  readonly #createMissing: boolean;
  readonly #closed = new Set<string>();
  readonly #saidOf = new Set<string>();
  readonly #set: Readonly<Record<string, string>>;

  /** @param set fields with one value for every row, in which digits may be an id */
  constructor(createMissing = false, set: Readonly<Record<string, string>> = {}) {
    this.#createMissing = createMissing;
    this.#set = set;
  }

  async read(db: Db, catalogs: readonly Catalog[]): Promise<void> {
    const all = catalogs.includes(jobs) && this.#createMissing ? [...catalogs, clients] : catalogs;
    for (const catalog of new Set(all)) this.#lists.set(catalog.noun, await readEntryIndex(db, catalog));
  }

  async readOnly(db: Db, catalogs: readonly Catalog[]): Promise<void> {
    for (const catalog of catalogs) {
      this.#closed.add(catalog.noun);
      this.#lists.set(catalog.noun, await readEntryIndex(db, catalog));
    }
  }

  list(catalog: Catalog): EntryIndex {
    const list = this.#lists.get(catalog.noun);
    if (!list) throw new Error(`the list of ${catalog.noun} was not read`);
    return list;
  }

  nameOf = (catalog: Catalog, id: number): string => this.list(catalog).nameOf(id);

  /** Returns undefined for an empty cell. @throws RowRefusalError where the entry is missing and may not be created */
  named(catalog: Catalog, values: RowValues, field = catalog.nameField): ListEntry | undefined {
    const who = textOf(values, field);
    const list = this.list(catalog);
    const known = this.#withId(list, values, who);
    if (known || !who) return known;
    const called = list.findByName(who);
    if (called.length > 1) throw severalNamed(field, who, called);
    const found = called[0] ?? this.#setById(list, field, who);
    if (found) return found;
    if (!this.#mayAdd(list)) throw missingNamed(list, field, who);
    return this.#addMissing(list, field, { [catalog.nameField]: who });
  }

  /** "Sin rubro" means none. @throws RowRefusalError */
  rubro(values: RowValues): ListEntry | undefined {
    const isNone = fold(textOf(values, rubros.nameField)) === fold(NO_RUBRO_NAME);
    return isNone ? undefined : this.named(rubros, values);
  }

  /** Finds an entry by a column of ids. */
  #withId(list: EntryIndex, values: RowValues, name: string): ListEntry | undefined {
    const field = list.catalog.idField;
    const id = values[field];
    if (typeof id !== 'number') return undefined;
    const found = list.findById(id);
    if (!found) throw new Refused(field, `No existe ${list.catalog.texts.one} con el id ${id}.`);
    if (name && nameKey(name) !== nameKey(found.name))
      throw new Refused(field, `El id ${id} es de «${found.name}», no de «${name}».`);
    return found;
  }

  #setById(list: EntryIndex, field: string, who: string): ListEntry | undefined {
    const isId = this.#set[field] !== undefined && /^\d{1,15}$/.test(who);
    return isId ? list.findById(Number(who)) : undefined;
  }

  /**
   * A supplier is identified by its RFC, or by its name where the RFC is generic. A supplier of that name without an
   * RFC is accepted too, with a warning. An RFC may stand in place of the name.
   * @throws RowRefusalError (missing, several of that name)
   */
  supplier(values: RowValues, warnings: Remark[]): ListEntry | undefined {
    const list = this.list(suppliers);
    const { name, rfc } = whoIs(values, list);
    const said = this.#withId(list, values, name);
    if (said) {
      if (rfc && said.rfc && rfc !== said.rfc)
        throw new Refused('rfc', `«${said.name}» está con el RFC ${said.rfc}; aquí dice ${rfc}.`);
      return said;
    }
    const known = list.findByRfc(rfc);
    if (known) {
      if (name && nameKey(known.name) !== nameKey(name))
        this.#sayOnce(warnings, `El RFC ${rfc} es de «${known.name}», no de «${name}»: se toma el del RFC.`);
      return known;
    }
    const field = name ? 'suppliername' : 'rfc';
    const found = name ? this.#supplierNamed(list, name, rfc) : undefined;
    if (found) {
      if (rfc && rfc !== found.rfc)
        this.#sayOnce(warnings, `«${found.name}» está registrado sin el RFC ${rfc}: se toma por su nombre.`);
      return found;
    }
    if (!name && !rfc) return undefined;
    if (!this.#mayAdd(list)) throw missingSupplier(list, name, rfc, field);
    return this.#addMissing(list, field, { suppliername: name || rfc, rfc: rfc || null });
  }

  readonly #mayAdd = ({ catalog }: EntryIndex): boolean =>
    this.#createMissing && !this.#closed.has(catalog.noun);

  #supplierNamed(list: EntryIndex, name: string, rfc: string): ListEntry | undefined {
    const isOwn = rfc !== '' && !isGenericRfc(rfc);
    const all = list.findByName(name);
    // A different RFC is a different supplier, even with the same name.
    const fitting = isOwn ? all.filter((one) => !one.rfc || isGenericRfc(one.rfc)) : all;
    const same = rfc ? fitting.filter((one) => one.rfc === rfc) : [];
    const meant = same.length > 0 ? same : fitting;
    if (meant.length > 1) throw severalNamed('suppliername', name, meant);
    return meant[0] ?? (isOwn ? undefined : this.#setById(list, 'suppliername', name));
  }

  #addMissing(list: EntryIndex, field: string, draft: Record<string, string | null>): ListEntry {
    const { catalog } = list;
    const unknown = catalog.fields.flatMap(({ name, ref, needed }) =>
      needed && !ref ? [[name, needed.unknown]] : [],
    );
    const clean = cleanCatalogDraft(catalog, { ...Object.fromEntries(unknown), ...draft });
    const parent = catalog === jobs ? this.noClient() : undefined;
    const problem = checkCatalogRow(catalog, { ...clean, ...(parent && { clientId: 1 }) }, 'create');
    if (problem) {
      const [at = field] = Object.keys(problem.fields ?? {});
      throw new Refused(at in draft ? at : field, Object.values(problem.fields ?? {})[0] ?? problem.message);
    }
    return list.addNew({
      name: String(clean[catalog.nameField]),
      rfc: typeof clean.rfc === 'string' ? clean.rfc : null,
      fields: clean,
      parent,
    });
  }

  noClient(): ListEntry {
    const list = this.list(clients);
    const clientname = jobs.fields.find(({ ref }) => ref === clients.noun)!.needed!.unknown;
    const [found] = list.findByName(clientname);
    return found ?? this.#addMissing(list, 'clientname', { clientname });
  }

  /** A warning that applies to many rows is given only with the first. */
  #sayOnce(warnings: Remark[], text: string): void {
    if (this.#saidOf.has(text)) return;
    this.#saidOf.add(text);
    warnings.push(text);
  }
}

/** An RFC in the column of names counts as the RFC, unless a supplier has that name. */
function whoIs(values: RowValues, list: EntryIndex): { name: string; rfc: string } {
  const name = textOf(values, 'suppliername');
  const rfc = normalizeRfc(textOf(values, 'rfc'));
  const called = normalizeRfc(name);
  const isOne = !rfc && isRfc(called) && !isGenericRfc(called) && list.findByName(name).length === 0;
  return isOne ? { name: '', rfc: called } : { name, rfc };
}

const severalNamed = (field: string, who: string, found: readonly ListEntry[]): Refused =>
  new Refused(field, ambiguousText(who, found), who);

function missingNamed({ catalog: { texts, idField } }: EntryIndex, field: string, who: string): Refused {
  const code = /^\d+$/.test(who)
    ? ` Un número es aquí un nombre, o el código de otro sistema; si es nuestro id, toma la columna como ${idField}.`
    : '';
  return new Refused(field, withRemedy(`No existe ${texts.one} «${who}».${code}`, 'create-missing'), who);
}

function missingSupplier(list: EntryIndex, name: string, rfc: string, field: string): Refused {
  if (!rfc) return missingNamed(list, field, name);
  const [namesake] = name ? list.findByName(name) : [];
  const other = namesake?.rfc ? ` «${namesake.name}» está con el RFC ${namesake.rfc}.` : '';
  const called = name ? `«${name}» con el RFC ${rfc}` : `con el RFC ${rfc}`;
  return new Refused(field, withRemedy(`No existe el proveedor ${called}.${other}`, 'create-missing'));
}
