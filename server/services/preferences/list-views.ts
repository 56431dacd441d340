import { z } from 'zod';
import type { Preference } from './preferences.ts';

/** How many filters a user may name in one list: each is added up whenever the list is shown. */
export const MOST_OWN_VIEWS = 8;
export const LONGEST_VIEW_NAME = 40;

const name = z.string().min(1).max(LONGEST_VIEW_NAME);

const ownViewsShape = z.array(z.strictObject({ name, query: z.string().max(1000) })).max(MOST_OWN_VIEWS);

const leftShape = z.strictObject({
  view: z.string().max(LONGEST_VIEW_NAME + 1),
  sortfield: z.string().max(40).optional(),
  sorttype: z.literal('DESC').optional(),
});

/** The filters that a user gave names, of the list at an address. */
export const ownViews = (page: string): Preference<z.output<typeof ownViewsShape>> => ({
  name: `views ${page}`,
  shape: ownViewsShape,
});

/** The view and the order that a user left a list with. */
export const leftWith = (page: string): Preference<z.output<typeof leftShape>> => ({
  name: `left ${page}`,
  shape: leftShape,
});
