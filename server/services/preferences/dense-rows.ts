import { z } from 'zod';
import type { Preference } from './preferences.ts';

export const denseRows: Preference<boolean> = { name: 'dense rows', shape: z.boolean() };
