import { z } from 'zod';
import type { Preference } from './preferences.ts';

/** Few, since each view is added up whenever the list is shown. */
export const MOST_OWN_VIEWS = 8;
export const LONGEST_VIEW_NAME = 40;

export const denseRows: Preference<boolean> = { name: 'dense rows', shape: z.boolean() };

const name = z.string().min(1).max(LONGEST_VIEW_NAME);

const ownViewsShape = z.array(z.strictObject({ name, query: z.string().max(1000) })).max(MOST_OWN_VIEWS);

const leftShape = z.strictObject({
  view: z.string().max(LONGEST_VIEW_NAME + 1),
  sortfield: z.string().max(40).optional(),
  sorttype: z.literal('DESC').optional(),
});

export const ownViews = (page: string): Preference<z.output<typeof ownViewsShape>> => ({
  name: `views ${page}`,
  shape: ownViewsShape,
});

export const leftWith = (page: string): Preference<z.output<typeof leftShape>> => ({
  name: `left ${page}`,
  shape: leftShape,
});
