import type { Db } from '../../../db/schema.ts';
import { catalogOf, catalogOfCommand } from '../../../shared/catalogs/all.ts';
import type { CatalogValue } from '../../../shared/catalogs/rules.ts';
import type { TableImport } from '../../formats/tables/table.ts';
import type { Asked, EntryToWrite } from '../catalogs/facts.ts';
import { tableNameOf } from '../catalogs/reading.ts';
import { writeEntries } from '../catalogs/write.ts';
import { draftEach, importDrafts } from './drafts.ts';
import { References } from './references.ts';
import type { Run, StoreOnce } from './run.ts';

/** Rows of one of the five lists; a row of another list that they name is named by its name. */
export function importEntries(db: Db, run: Run, storeOnce: StoreOnce): Promise<TableImport> {
  const { createMissing, set, allowDuplicates } = run.options;
  const catalog = catalogOfCommand(run.kind)!;
  const references = new References(createMissing, set);
  const named = catalog.fields.flatMap(({ name, ref }) => (ref ? [[name, catalogOf(ref)] as const] : []));
  return importDrafts<EntryToWrite, Asked>(db, run, storeOnce, {
    table: tableNameOf(catalog),
    entity: catalog.noun,
    columns: Object.fromEntries(named.map(([name, other]) => [name, other.nameField])),
    references,
    namesOf: (one) => ('values' in one ? one.values : one.draft),
    draftRows: async () => {
      await references.read(
        db,
        named.map(([, other]) => other),
      );
      return draftEach(run, ({ values, line }) => {
        const said = catalog.fields.map(({ name }) => [name, values[name] ?? undefined] as const);
        const draft: Record<string, CatalogValue | undefined> = Object.fromEntries(said);
        for (const [name, other] of named) draft[name] = references.named(other, values, other.nameField)?.id;
        return { draft, line };
      });
    },
    write: (trx, actor, drafts, options) =>
      writeEntries(trx, actor, catalog, drafts, {
        ...options,
        isKnownOnce: true,
        allowDuplicates,
        nameOf: (other, id) => references.list(other).nameOf(id),
      }),
  });
}
