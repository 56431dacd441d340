import { z } from 'zod';

/** The types of the members of answers: money as decimals, days as YYYY-MM-DD, moments in UTC. */
export const rowId = (description: string) =>
  z
    .int()
    .min(1)
    .meta({ description, examples: [1] });

export const amount = (description: string) =>
  z
    .number()
    .meta({ description: `${description}, con dos decimales`, format: 'decimal', examples: [1160.5] });

export const day = (description: string) => z.iso.date().meta({ description, examples: ['2026-11-20'] });

export const nullableDay = (description: string) => day(description).nullable().meta({ description });

export const moment = (description: string) =>
  z.iso.datetime().meta({ description: `${description}, en UTC`, examples: ['2026-11-20T18:00:00.000Z'] });

export const text = (description: string) => z.string().meta({ description });

export const nullableText = (description: string) => z.string().nullable().meta({ description });

export const boolean = (description: string) => z.boolean().meta({ description });

export const count = (description: string) => z.int().min(0).meta({ description });

export const choice = <const Value extends string>(values: readonly Value[], description: string) =>
  z.enum(values).meta({ description });

export const rowVersion = z
  .int()
  .min(1)
  .meta({ description: 'Crece con cada cambio; se manda al guardar para no pisar un cambio ajeno' });

export const warnings = z
  .array(z.string())
  .meta({ description: 'Lo que se guardó de todos modos, pero conviene revisar' });
