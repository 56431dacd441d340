import { catalogs } from '../../shared/catalogs/all.ts';
import type { Catalog } from '../../shared/catalogs/catalog.ts';
import type { Filter } from './filter.ts';
import type { List } from './list.ts';

export function catalogList(catalog: Catalog): List {
  const { nameField, texts, paths, sortLabels, help, command } = catalog;
  return {
    title: texts.list,
    noun: [texts.one.replace(/^(el|la) /, ''), texts.many],
    page: paths.list,
    area: 'work',
    help,
    filters: [nameFilter(catalog)],
    sorts: sortLabels,
    otherSorts: { [nameField]: sortByName(catalog) },
    command: { name: command, says: `la lista de ${texts.many}` },
    async read({ sort, direction, limit, cursor, ...asked }, { db }) {
      const { catalogExport } = await import('../services/exports/catalogs.ts');
      const text = asked[nameField] as string | undefined;
      return catalogExport(db, catalog, { text, sort, direction, limit, cursor });
    },
  };
}

const nameFilter = ({ nameField, texts }: Catalog): Filter => ({
  kind: 'text',
  name: nameField,
  label: texts.filter,
  max: 200,
  flag: ['--name <texto>', 'parte del nombre'],
});

/** A list may be asked for by its name field too, whatever the name's sort field is called. */
const sortByName = ({ sortFields, foldField }: Catalog): string =>
  Object.keys(sortFields).find((key) => sortFields[key] === foldField) ?? 'id';

export const catalogLists: readonly List[] = catalogs.map(catalogList);
