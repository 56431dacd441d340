import { z } from 'zod';
import type { PreferenceDefinition } from './preferences.ts';

/** A user may store only a few views, because the rows of each are summed whenever the list is shown. */
export const MAX_USER_VIEWS = 8;
export const MAX_VIEW_NAME_LENGTH = 40;

export const denseRowsPreference: PreferenceDefinition<boolean> = { name: 'dense rows', schema: z.boolean() };

const viewNameSchema = z.string().min(1).max(MAX_VIEW_NAME_LENGTH);

const userViewsSchema = z
  .array(z.strictObject({ name: viewNameSchema, query: z.string().max(1000) }))
  .max(MAX_USER_VIEWS);

const listStateSchema = z.strictObject({
  view: z.string().max(MAX_VIEW_NAME_LENGTH + 1),
  sortfield: z.string().max(40).optional(),
  sorttype: z.literal('DESC').optional(),
});

export const userViewsPreference = (
  page: string,
): PreferenceDefinition<z.output<typeof userViewsSchema>> => ({
  name: `views ${page}`,
  schema: userViewsSchema,
});

export const lastListStatePreference = (
  page: string,
): PreferenceDefinition<z.output<typeof listStateSchema>> => ({
  name: `left ${page}`,
  schema: listStateSchema,
});
