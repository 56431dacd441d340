import { z } from 'zod';
import { toDecimal } from '../../shared/money.ts';

/**
 * Field types of answers: one strict shape types what a handler sends and describes it in the document of
 * the API. Money goes out as decimals, days as YYYY-MM-DD, moments in UTC.
 */
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

export const dayOrNone = (description: string) => day(description).nullable().meta({ description });

export const moment = (description: string) =>
  z.iso.datetime().meta({ description: `${description}, en UTC`, examples: ['2026-11-20T18:00:00.000Z'] });

export const text = (description: string) => z.string().meta({ description });

export const textOrNone = (description: string) => z.string().nullable().meta({ description });

export const flag = (description: string) => z.boolean().meta({ description });

export const count = (description: string) => z.int().min(0).meta({ description });

export const oneOf = <const Value extends string>(values: readonly Value[], description: string) =>
  z.enum(values).meta({ description });

/** Somebody, by number and name, who is described alike in both. */
export const person = (description: string) =>
  z.strictObject({ id: rowId(description), username: text(description) });

export const rowVersion = z
  .int()
  .min(1)
  .meta({ description: 'Crece con cada cambio; se manda al guardar para no pisar un cambio ajeno' });

export const warnings = z
  .array(z.string())
  .meta({ description: 'Lo que se guardó de todos modos, pero conviene revisar' });

/**
 * Answers rows in a shape: each member is the row's own of that name, an amount is the row's `…Cents` as a decimal;
 * the caller says the members that are called otherwise, or are not the row's.
 */
export function answering<Shape extends z.ZodObject>(shape: Shape) {
  type Answer = z.output<Shape>;
  const names = Object.keys(shape.shape);
  return <Row extends object>(row: Row, said: SaidOf<Answer, Row>): Answer => {
    const values = row as Readonly<Record<string, unknown>>;
    const answer: Record<string, unknown> = {};
    for (const name of names)
      if (Object.hasOwn(said, name)) answer[name] = said[name as keyof typeof said];
      else if (Object.hasOwn(row, name)) answer[name] = values[name];
      else answer[name] = toDecimalOrNone(values[`${name}Cents`] as number | null);
    return answer as Answer;
  };
}

const toDecimalOrNone = (cents: number | null): number | null => (cents === null ? null : toDecimal(cents));

type SaidOf<Answer, Row> = Omit<Answer, GivenBy<Answer, Row>> & Partial<Answer>;

type GivenBy<Answer, Row> = {
  [Name in keyof Answer & string]: Name extends keyof Row
    ? Row[Name] extends Answer[Name]
      ? Name
      : never
    : Row extends Record<`${Name}Cents`, infer Amount>
      ? Amount extends Answer[Name]
        ? Name
        : never
      : never;
}[keyof Answer & string];
