import { z } from 'zod';
import type { PreferenceDefinition } from '../services/preferences/preferences.ts';

export const COLOR_SCHEME_BY_THEME = { claro: 'light', oscuro: 'dark' } as const;
export type Theme = keyof typeof COLOR_SCHEME_BY_THEME;

export const THEME_PREFERENCE: PreferenceDefinition<Theme> = {
  name: 'theme',
  schema: z.enum(['claro', 'oscuro']),
};
