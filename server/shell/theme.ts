import { z } from 'zod';
import type { Preference } from '../services/preferences/preferences.ts';

/** What a user chose to read on; without a choice the system's own counts. */
export const THEMES = { claro: 'light', oscuro: 'dark' } as const;
export type Theme = keyof typeof THEMES;

export const THEME: Preference<Theme> = { name: 'theme', shape: z.enum(['claro', 'oscuro']) };
