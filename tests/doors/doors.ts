import { expect, it } from 'vitest';
import type { Db } from '../../db/schema.ts';
import type { TableKind } from '../../server/formats/tables/table.ts';
import type { Actor } from '../../server/services/audit/audit.ts';
import { importTable } from '../../server/services/imports/import.ts';
import type { TableImportOptions } from '../../server/services/imports/run.ts';
import { DomainError } from '../../shared/errors.ts';
import { createTestApp, type TestClient } from '../support/app.ts';
import { readPage } from '../support/page.ts';
import { describeEachInLong } from '../support/proofs.ts';
import { isInCatalogue } from '../support/refusals.ts';
import { tableInWords } from '../support/remarks.ts';
import { actor, addUser } from '../support/rows.ts';
import { importText } from '../support/tables.ts';

/** One user at every door: with a browser, with a script, and as the one who acts on services and tables. */
export interface Visitors {
  db: Db;
  browser: TestClient;
  script: TestClient;
  by: Actor;
}

export async function signIn(db: Db, role = 1): Promise<Visitors> {
  const test = createTestApp({ db });
  const user = await addUser(db, { roles: [role] });
  const by = actor({ userId: user.id, username: user.username, roles: [role], origin: 'api' });
  return { db, browser: await test.as(user), script: await test.withToken(user), by };
}

export const UNKNOWN = 999_999;

export const idOf = (chosen: 'own' | 'unknown' | undefined, own: number): number | undefined =>
  chosen && { own, unknown: UNKNOWN }[chosen];

/** The answer of a door: the reason of its refusal, or its warnings. */
export interface DoorResponse {
  refused?: string;
  /** as its API, or its table, tells programs */
  code?: string;
  warnings?: readonly string[];
  /** the fields that it has something against, where the door names them */
  fields?: readonly string[];
}

export interface Door<World, Draft> {
  /** what has to be there before the line's own circumstances: the row that is changed, the batch that pays */
  arrange?(world: World, draft: Draft): Promise<unknown>;
  send(world: World, draft: Draft): Promise<DoorResponse>;
  /** members of a draft that it has no place for */
  lacks?: readonly (keyof Draft)[];
  /** it only says what would come of it */
  isPreview?: boolean;
  /** of what is stored, what is this door's own */
  stores?: object;
  /** it tells no codes */
  isWordless?: boolean;
}

/** A draft, and what becomes of it by every door that can say it. */
export interface Line<World, Draft> {
  /** the rule, or the warning, that it is about; none: it is right */
  rule?: string;
  draft: Draft;
  /** what else is so, once the door has arranged its own */
  given?(world: World): Promise<unknown>;
  /** what is stored, beside what every row has */
  stored?: object;
  refused?: string | ((world: World) => string);
  /** where it is not `invalid` */
  code?: string;
  /** of the API, where the rule is about one */
  field?: string;
  warns?: (world: World) => readonly string[];
  /** the doors that it is about; otherwise all that have a place for it */
  by?: readonly string[];
  /** doors that it cannot come by, with the reason */
  notBy?: Readonly<Record<string, string>>;
  /** doors that say it in words of their own; a preview says what its table does */
  inOtherWords?: Readonly<Record<string, RegExp>>;
}

/** Lines, by their rules, of which each door only says why it refuses the draft. */
export const refusals = <World, Draft>(
  by: readonly string[] | 'all',
  rules: Record<string, Record<string, readonly [draft: Draft, refused: string, field?: string]>>,
): Record<string, Line<World, Draft>> =>
  Object.fromEntries(
    Object.entries(rules).flatMap(([rule, lines]) =>
      Object.entries(lines).map(([title, [draft, refused, field]]) => [
        title,
        { rule, draft, refused, field, by: by === 'all' ? undefined : by },
      ]),
    ),
  );

interface Noun<World extends Visitors, Draft> {
  /** the names of all its rules and warnings: one without a line fails */
  rules: readonly string[];
  /** whose world a draft meets: a new one for each door */
  open(db: Db): Promise<World>;
  doors: Readonly<Record<string, Door<World, Draft>>>;
  lines: Readonly<Record<string, Line<World, Draft>>>;
  /** the rows that drafts become, the newest last */
  read(world: World): Promise<readonly object[]>;
  /** a row of a draft that says nothing more than it must, as far as every door has to store it alike */
  usual(world: World): object;
}

/**
 * Drives every line of a noun through every door that can say it: what is stored is compared field by field, what is
 * refused word by word.
 */
export function drive<World extends Visitors, Draft extends object>(
  name: string,
  noun: Noun<World, Draft>,
): void {
  const { doors, lines } = noun;

  it(`each rule of ${name} has a case, and each case a way in`, () => {
    const mentioned = new Set(Object.values(lines).map(({ rule }) => rule));
    expect(noun.rules.filter((rule) => !mentioned.has(rule))).toEqual([]);
    expect([...mentioned].filter((rule) => rule && !noun.rules.includes(rule))).toEqual([]);
    for (const [title, line] of Object.entries(lines))
      expect([title, doorsOf(line).length > 0]).toEqual([title, true]);
  });

  const doorsOf = ({ draft, by, notBy = {} }: Line<World, Draft>) =>
    Object.entries(doors).filter(
      ([door, { lacks = [] }]) =>
        (by ?? Object.keys(doors)).includes(door) &&
        !(door in notBy) &&
        lacks.every((member) => draft[member] === undefined),
    );

  describeEachInLong(`${name}, by every way in,`, (fresh) => {
    it.each(Object.entries(lines))('%s', async (_title, line) => {
      for (const [door, way] of doorsOf(line)) {
        const world = await noun.open(fresh.db);
        await way.arrange?.(world, line.draft);
        await line.given?.(world);
        const before = await noun.read(world);
        const response = await way.send(world, line.draft);
        const after = await noun.read(world);
        if (line.refused === undefined) expectStored(door, { line, world, before, after, response });
        else expectRefused(door, { line, world, before, after, response });
      }
    });
  });

  interface Outcome {
    line: Line<World, Draft>;
    world: World;
    before: readonly object[];
    after: readonly object[];
    response: DoorResponse;
  }

  function expectStored(door: string, { line, world, before, after, response }: Outcome): void {
    const { isPreview, stores = {} } = doors[door]!;
    expect([door, response.refused]).toEqual([door, undefined]);
    expect([door, response.warnings ?? []]).toEqual([door, line.warns?.(world) ?? []]);
    if (isPreview) expect([door, after]).toEqual([door, before]);
    else
      expect([door, after.at(-1)]).toMatchObject([door, { ...noun.usual(world), ...line.stored, ...stores }]);
  }

  function expectRefused(door: string, { line, world, before, after, response }: Outcome): void {
    const { refused, inOtherWords = {} } = line;
    const otherWords = inOtherWords[door === 'preview' ? 'table' : door];
    const sentence = typeof refused === 'function' ? refused(world) : refused;
    expect([door, response.refused]).toEqual([
      door,
      otherWords ? expect.stringMatching(otherWords) : sentence,
    ]);
    if (!otherWords) expect([sentence, isInCatalogue(sentence!)]).toEqual([sentence, true]);
    const isCoded = !doors[door]!.isWordless && !otherWords;
    if (isCoded) expect([door, response.code]).toEqual([door, line.code ?? 'invalid']);
    if (line.field && response.fields && !otherWords)
      expect([door, response.fields]).toEqual([door, [line.field]]);
    expect([door, after]).toEqual([door, before]);
  }
}

export async function answered(answer: Response | Promise<Response>): Promise<DoorResponse> {
  const body = (await (await answer).json()) as {
    message?: string;
    code?: string;
    warnings?: string[];
    fields?: object;
  };
  if ((await answer).ok) return { warnings: body.warnings };
  return { refused: body.message, code: body.code, fields: Object.keys(body.fields ?? {}) };
}

export async function done(work: Promise<{ warnings?: readonly string[] } | unknown>): Promise<DoorResponse> {
  try {
    const { warnings = [] } = (await work) as { warnings?: readonly string[] };
    return { warnings };
  } catch (error) {
    if (error instanceof DomainError) return { refused: error.message, code: error.code };
    throw error;
  }
}

export async function responseOfForm(
  browser: TestClient,
  posted: Response | Promise<Response>,
): Promise<DoorResponse> {
  const answer = await posted;
  const isSaved = answer.status === 303;
  const { alerts } = await readPage(isSaved ? browser.follow(answer) : answer);
  const mentioned = (tone: string) =>
    alerts.flatMap((one) => (one.startsWith(`${tone}: `) ? one.slice(tone.length + 2) : []));
  if (!isSaved) return { refused: mentioned('error')[0]?.replace(LINK, '') };
  return { warnings: mentioned('warning').map((one) => one.replace(LINK, '')) };
}

const LINK = / Ver (la programación|ese pago|esa factura|movimiento)$/;

/** @param cells of one row; a column of which every cell is empty is asked about before any row is */
export const tableLines = (headings: string, ...rows: readonly (readonly unknown[])[]): string[] => [
  headings,
  ...rows.map((cells) => cells.map((cell) => `"${cell ?? ''}"`).join()),
];

/** The import of a table of one row, and its preview. @param linesOf its headings and its row */
export function tableDoors<World extends Visitors, Draft>(
  kindOf: TableKind | ((world: World) => TableKind),
  linesOf: (world: World, draft: Draft) => readonly string[],
  {
    allows,
    ...more
  }: Partial<Door<World, Draft>> & { allows?: (draft: Draft) => Partial<TableImportOptions> } = {},
): { table: Door<World, Draft>; preview: Door<World, Draft> } {
  const through = (dryRun: boolean): Door<World, Draft> => ({
    ...more,
    isPreview: dryRun,
    async send(world, draft) {
      const kind = typeof kindOf === 'function' ? kindOf(world) : kindOf;
      const rows = await importText(kind, `${linesOf(world, draft).join('\r\n')}\r\n`);
      const options = { dryRun, source: 'x.csv', sha256: 'a'.repeat(64), ...allows?.(draft) };
      const { refused, warnings } = tableInWords(await importTable(world.db, world.by, kind, rows, options));
      const response = warnings.map(({ reason }) => reason);
      return { refused: refused[0]?.reason, code: refused[0]?.code, warnings: response };
    },
  });
  return { table: through(false), preview: through(true) };
}

export const TABLES = ['table', 'preview'] as const;
