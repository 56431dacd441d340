import { expect, it } from 'vitest';
import { LISTS } from '../../../server/lists/all.ts';
import { listParameters } from '../../../server/lists/filter.ts';
import { orderFilters } from '../../../server/lists/list.ts';
import { isIconName } from '../../../shared/ui/Icon.tsx';

const repeated = (all: readonly string[]) => all.filter((one, index) => all.indexOf(one) !== index);

it('no two lists share an address or a command', () => {
  expect(repeated(LISTS.map(({ page }) => page))).toEqual([]);
  expect(repeated(LISTS.map(({ command }) => command.name))).toEqual([]);
  expect(repeated(LISTS.flatMap(({ menu }) => (menu ? [String(menu.place)] : [])))).toEqual([]);
  for (const { menu } of LISTS) if (menu) expect(isIconName(menu.icon), menu.label).toBe(true);
});

it.each(LISTS.map((list) => [list.title, list] as const))(
  '%s: page, command and descriptions use every filter once, those named first before the others',
  (_, list) => {
    const names = list.filters.map(({ name }) => name);
    const parameters = list.filters.flatMap(listParameters);
    expect(repeated(parameters.map(({ name }) => name))).toEqual([]);
    expect(repeated(parameters.flatMap(({ flag }) => (flag ? [flag[0]] : [])))).toEqual([]);
    for (const reader of ['page', 'command', 'words'] as const) {
      const first = list.leadingFilters?.[reader] ?? [];
      const inOrder = orderFilters(list, reader).map(({ name }) => name);
      expect(inOrder.toSorted()).toEqual(names.toSorted());
      expect(inOrder.slice(0, first.length)).toEqual(first);
    }
    for (const sort of Object.values(list.sortAliases ?? {})) expect(list.sorts).toHaveProperty([sort]);
  },
);
