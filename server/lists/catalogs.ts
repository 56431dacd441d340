import { catalogs } from '../../shared/catalogs/all.ts';
import {
  type Catalog,
  describeCatalogListSorts,
  describeCatalogPickerSorts,
} from '../../shared/catalogs/catalog.ts';
import type { Filter } from './filter.ts';
import type { List } from './list.ts';

export function createCatalogList(catalog: Catalog): List {
  const { nameField, foldField, texts, paths, help, command } = catalog;
  const byName = describeCatalogPickerSorts(catalog).find(({ column }) => column === foldField)!.name;
  return {
    title: texts.list,
    noun: [texts.one.replace(/^(el|la) /, ''), texts.many],
    page: paths.list,
    area: 'work',
    help,
    filters: [createNameFilter(catalog)],
    sorts: describeCatalogListSorts(catalog),
    // The name field's own name is accepted for the sort by name as well.
    sortAliases: { [nameField]: byName },
    openingView: { sort: byName },
    command: { name: command, description: `la lista de ${texts.many}` },
    async readExport({ sort, direction, limit, cursor, ...query }, { db, today }) {
      const { catalogExport } = await import('../services/exports/catalogs.ts');
      const text = query[nameField] as string | undefined;
      return catalogExport(db, catalog, { text, sort, direction, limit, cursor, today });
    },
  };
}

const createNameFilter = ({ nameField, texts }: Catalog): Filter => ({
  kind: 'text',
  name: nameField,
  label: texts.filter,
  max: 200,
  flag: ['--name <texto>', 'parte del nombre'],
});

export const catalogLists: readonly List[] = catalogs.map(createCatalogList);
