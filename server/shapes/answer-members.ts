import { z } from 'zod';

/** The types of the members of answers: money as decimals, days as YYYY-MM-DD, moments in UTC. */
export const rowIdMember = (description: string) =>
  z
    .int()
    .min(1)
    .meta({ description, examples: [1] });

export const amountMember = (description: string) =>
  z
    .number()
    .meta({ description: `${description}, con dos decimales`, format: 'decimal', examples: [1160.5] });

export const dayMember = (description: string) =>
  z.iso.date().meta({ description, examples: ['2026-11-20'] });

export const nullableDayMember = (description: string) =>
  dayMember(description).nullable().meta({ description });

export const momentMember = (description: string) =>
  z.iso.datetime().meta({ description: `${description}, en UTC`, examples: ['2026-11-20T18:00:00.000Z'] });

export const textMember = (description: string) => z.string().meta({ description });

export const nullableTextMember = (description: string) => z.string().nullable().meta({ description });

export const booleanMember = (description: string) => z.boolean().meta({ description });

export const countMember = (description: string) => z.int().min(0).meta({ description });

export const choiceMember = <const Value extends string>(values: readonly Value[], description: string) =>
  z.enum(values).meta({ description });

export const rowVersionMember = z
  .int()
  .min(1)
  .meta({ description: 'Crece con cada cambio; se manda al guardar para no pisar un cambio ajeno' });

export const warningsMember = z
  .array(z.string())
  .meta({ description: 'Lo que se guardó de todos modos, pero conviene revisar' });
