import { z } from 'zod';
import { toDecimal } from '../../shared/money.ts';
import * as member from './answer-members.ts';

/** `shape` is the type of a row in the API and its OpenAPI document; `toJson` converts a row to that type. */
export class Answer<in Row> {
  readonly shape: z.ZodType;
  readonly toJson: (row: Row) => object;

  constructor(shape: z.ZodType, toJson: (row: Row) => object) {
    this.shape = shape;
    this.toJson = toJson;
  }
}

type ShapeMeta = Pick<z.core.GlobalMeta, 'id' | 'description'>;

class RowAnswer<in Row, M extends Members<Row>> extends Answer<Row> {
  readonly members: M;

  constructor(members: M, meta: ShapeMeta) {
    super(
      buildShape(members as UntypedMembers).meta(meta),
      compileRowConverter(members as UntypedMembers) as (row: Row) => object,
    );
    this.members = members;
  }
}

/**
 * By default a member takes the row's value of the same name, or its `…Cents` as a decimal. The second element of a
 * pair names another member of the row, or computes the value. Nested members are read from the same row.
 */
export interface Members<Row> {
  [name: string]:
    | MemberType
    | readonly [MemberType, (keyof Row & string) | ((row: Row) => unknown)]
    | Members<Row>;
}

type MemberType = z.ZodType | Answer<never>;
type UntypedMembers = Members<Record<string, unknown>>;

/** Where a value does not fit its type, the compiler demands one more argument, whose type names the member. */
export const answerFor = <Row extends object>(id?: string, description?: string) => ({
  with: <const M extends Members<Row>>(
    members: M,
    ..._wrong: [MismatchedMember<M, Row>] extends [never] ? [] : [wrong: MismatchedMember<M, Row>]
  ) => new RowAnswer<Row, M>(members, { id, description }),
});

export const signatureNoteMember = member.nullableText(
  'Quién había hecho, activado o restablecido, hasta treinta días antes, la cuenta de quien firmó; null: nadie que importe',
);

export const plainAnswer = <Shape extends z.ZodType>(shape: Shape) =>
  new Answer<z.output<Shape>>(shape, (row) => row as object);

export const listAnswer = <Row>({ shape, toJson }: Answer<Row>, description?: string) =>
  new Answer<readonly Row[]>(z.array(shape).meta({ description }), (rows) => rows.map(toJson));

export const nullableAnswer = <Row>({ shape, toJson }: Answer<Row>, description?: string) =>
  new Answer<Row | null>(shape.nullable().meta({ description }), (row) => (row && toJson(row)) as object);

/** @param name the row's name in the service's result */
export const savedAnswer = <const Name extends string, Row>(
  name: Name,
  { shape, toJson }: Answer<Row>,
  meta: ShapeMeta = {},
) =>
  new Answer<Record<Name, Row> & { warnings: readonly string[] }>(
    (shape as z.ZodObject).extend({ warnings: member.warnings }).meta(meta),
    (saved) => ({ ...toJson(saved[name]), warnings: saved.warnings }),
  );

function buildShape(members: UntypedMembers): z.ZodObject {
  const typeOf = (member: UntypedMembers[string]): z.ZodType => {
    if (Array.isArray(member)) return typeOf(member[0]);
    if (member instanceof Answer) return member.shape;
    return member instanceof z.ZodType ? member : buildShape(member as UntypedMembers);
  };
  return z.strictObject(
    Object.fromEntries(Object.entries(members).map(([name, member]) => [name, typeOf(member)])),
  );
}

type MemberReader = (row: Record<string, unknown>) => unknown;

function compileRowConverter(members: UntypedMembers) {
  const readers = Object.entries(members).map(
    ([name, member]) => [name, createMemberReader(name, member)] as const,
  );
  return (row: object) => {
    const answer: Record<string, unknown> = {};
    for (const [name, read] of readers) answer[name] = read(row as Record<string, unknown>);
    return answer;
  };
}

function createMemberReader(name: string, member: UntypedMembers[string]): MemberReader {
  const [type, from = name] = Array.isArray(member) ? member : [member];
  const isNested = !(type instanceof Answer || type instanceof z.ZodType);
  if (isNested) return compileRowConverter(type);
  const read: MemberReader = typeof from === 'function' ? from : (row) => readMemberValue(row, from);
  return type instanceof Answer ? (row) => (type as Answer<unknown>).toJson(read(row)) : read;
}

function readMemberValue(row: Record<string, unknown>, name: string): unknown {
  const key = Object.hasOwn(row, name) ? name : `${name}Cents`;
  const value = row[key];
  return key.endsWith('Cents') && typeof value === 'number' ? toDecimal(value) : value;
}

type MismatchedMember<M, Row> = {
  [Name in keyof M & string]: M[Name] extends readonly [infer Kind, infer From]
    ? ValueFromRow<Row, From> extends ValueForMemberType<Kind>
      ? never
      : Name
    : M[Name] extends MemberType
      ? ValueFromRow<Row, Name> extends ValueForMemberType<M[Name]>
        ? never
        : Name
      : MismatchedMember<M[Name], Row>;
}[keyof M & string];

type ValueForMemberType<Kind> =
  Kind extends Answer<infer Row> ? Row : Kind extends z.ZodType ? Readonly<z.output<Kind>> : never;

type ValueFromRow<Row, From> = From extends (row: never) => infer Value
  ? Value
  : From extends keyof Row
    ? Row[From]
    : From extends string
      ? `${From}Cents` extends keyof Row
        ? Row[`${From}Cents`]
        : unknown
      : unknown;
