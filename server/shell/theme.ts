import { z } from 'zod';
import type { Preference } from '../services/preferences/preferences.ts';

export const THEMES = { claro: 'light', oscuro: 'dark' } as const;
export type Theme = keyof typeof THEMES;

export const THEME_PREFERENCE: Preference<Theme> = { name: 'theme', shape: z.enum(['claro', 'oscuro']) };
