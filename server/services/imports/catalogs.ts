import { catalogOf, catalogOfCommand } from '../../../shared/catalogs/all.ts';
import { columnNameOf } from '../../../shared/catalogs/catalog.ts';
import type { CatalogValue } from '../../../shared/catalogs/rules.ts';
import type { TableImportResult } from '../../formats/tables/table.ts';
import type { EntryDraft, EntryInput } from '../catalogs/facts.ts';
import { writeEntries } from '../catalogs/write.ts';
import { importDrafts, readEachRow } from './import-drafts.ts';
import type { TableImportRun } from './import-run.ts';

export function importEntries(run: TableImportRun): Promise<TableImportResult> {
  const { references, options } = run;
  const catalog = catalogOfCommand(run.kind)!;
  const named = catalog.fields.flatMap(({ name, ref }) => (ref ? [[name, catalogOf(ref)] as const] : []));
  return importDrafts<EntryInput, EntryDraft>(run, {
    entity: catalog.noun,
    names: Object.fromEntries(named),
    referencesOf: (one) => ('values' in one ? one.values : one.draft),
    readInputs: () =>
      readEachRow(run, ({ values, line }) => {
        const stated = catalog.fields.map(
          (field) => [columnNameOf(field), values[field.name] ?? undefined] as const,
        );
        const draft: Record<string, CatalogValue | undefined> = Object.fromEntries(stated);
        for (const [name, other] of named) draft[name] = references.findOrAddEntry(other, values)?.id;
        return { draft, line };
      }),
    write: (trx, actor, drafts, bulk) =>
      writeEntries(trx, actor, catalog, drafts, {
        ...bulk,
        skipsExisting: true,
        allowDuplicates: options.allowDuplicates,
        nameOf: references.nameOf,
      }),
  });
}
