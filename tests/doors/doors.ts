import { expect, it } from 'vitest';
import type { Db } from '../../db/schema.ts';
import type { TableKind } from '../../server/formats/tables/table.ts';
import type { Actor } from '../../server/services/audit/audit.ts';
import { importTable } from '../../server/services/imports/import.ts';
import type { TableImportOptions } from '../../server/services/imports/import-run.ts';
import { DomainError } from '../../shared/errors.ts';
import { createTestApp, type TestClient } from '../support/app.ts';
import { readPage } from '../support/page.ts';
import { describeEachInLongLane } from '../support/proofs.ts';
import { isInCatalogue } from '../support/refusals.ts';
import { tableInWords } from '../support/remarks.ts';
import { addUser, createActor } from '../support/rows.ts';
import { importText } from '../support/tables.ts';

/**
 * A door is a way in for data: a form, the API, a table, a document … Every rule is checked at every door.
 *
 * These are the clients of one user: a browser, a program, and the actor of direct calls of services and imports.
 */
export interface Clients {
  db: Db;
  browser: TestClient;
  script: TestClient;
  by: Actor;
}

export async function signIn(db: Db, role = 1): Promise<Clients> {
  const test = createTestApp({ db });
  const user = await addUser(db, { roles: [role] });
  const by = createActor({ userId: user.id, username: user.username, roles: [role], origin: 'api' });
  return { db, browser: await test.as(user), script: await test.withToken(user), by };
}

export const UNKNOWN = 999_999;

export const idOf = (chosen: 'own' | 'unknown' | undefined, own: number): number | undefined =>
  chosen && { own, unknown: UNKNOWN }[chosen];

/** The answer of a door: the reason for its refusal, or its warnings. */
export interface DoorResponse {
  refused?: string;
  /** the error code, where the door answers one */
  code?: string;
  warnings?: readonly string[];
  /** the fields that are refused, where the door names them */
  fields?: readonly string[];
}

export interface Door<Fixture, Draft> {
  /** prepares what this door needs before the case's own preparation: the row to change, the batch that pays */
  arrange?(fixture: Fixture, draft: Draft): Promise<unknown>;
  send(fixture: Fixture, draft: Draft): Promise<DoorResponse>;
  /** members of a draft that this door cannot express */
  unsupported?: readonly (keyof Draft)[];
  /** it reports the outcome without storing anything */
  isPreview?: boolean;
  /** values that only this door stores */
  stores?: object;
  /** its answers have no error codes */
  hasNoCodes?: boolean;
}

/** A draft, and its outcome at every door that can express it. */
export interface DoorCase<Fixture, Draft> {
  /** the rule or warning that it checks; absent for a valid draft */
  rule?: string;
  draft: Draft;
  /** prepares the circumstances, after the door has prepared its own */
  given?(fixture: Fixture): Promise<unknown>;
  /** the stored values, in addition to the defaults */
  stored?: object;
  refused?: string | ((fixture: Fixture) => string);
  /** the error code, if it is not `invalid` */
  code?: string;
  /** the refused field, if the rule is about one */
  field?: string;
  warns?: (fixture: Fixture) => readonly string[];
  /** the doors to check; by default all that can express the draft */
  by?: readonly string[];
  /** doors at which it cannot arise, with the reason */
  notBy?: Readonly<Record<string, string>>;
  /** doors with a message of their own; a preview has the message of its table */
  inOtherWords?: Readonly<Record<string, RegExp>>;
}

/** Cases by rule, in which every door refuses the draft with the same message. */
export const refusals = <Fixture, Draft>(
  by: readonly string[] | 'all',
  rules: Record<string, Record<string, readonly [draft: Draft, refused: string, field?: string]>>,
): Record<string, DoorCase<Fixture, Draft>> =>
  Object.fromEntries(
    Object.entries(rules).flatMap(([rule, cases]) =>
      Object.entries(cases).map(([title, [draft, refused, field]]) => [
        title,
        { rule, draft, refused, field, by: by === 'all' ? undefined : by },
      ]),
    ),
  );

interface Noun<Fixture extends Clients, Draft> {
  /** the names of all rules and warnings; one without a case fails the test */
  rules: readonly string[];
  /** creates the rows that a draft refers to, anew for each door */
  open(db: Db): Promise<Fixture>;
  doors: Readonly<Record<string, Door<Fixture, Draft>>>;
  cases: Readonly<Record<string, DoorCase<Fixture, Draft>>>;
  /** reads the rows that drafts become, the newest last */
  read(fixture: Fixture): Promise<readonly object[]>;
  /** the stored row of a minimal draft, as far as it is the same at every door */
  defaults(fixture: Fixture): object;
}

/**
 * Sends the draft of every case through every door that can express it. What is stored is compared field by field, and
 * a refusal word by word.
 */
export function drive<Fixture extends Clients, Draft extends object>(
  name: string,
  noun: Noun<Fixture, Draft>,
): void {
  const { doors, cases } = noun;

  it(`each rule of ${name} has a case, and each case a way in`, () => {
    const mentioned = new Set(Object.values(cases).map(({ rule }) => rule));
    expect(noun.rules.filter((rule) => !mentioned.has(rule))).toEqual([]);
    expect([...mentioned].filter((rule) => rule && !noun.rules.includes(rule))).toEqual([]);
    for (const [title, doorCase] of Object.entries(cases))
      expect([title, doorsOf(doorCase).length > 0]).toEqual([title, true]);
  });

  const doorsOf = ({ draft, by, notBy = {} }: DoorCase<Fixture, Draft>) =>
    Object.entries(doors).filter(
      ([door, { unsupported = [] }]) =>
        (by ?? Object.keys(doors)).includes(door) &&
        !(door in notBy) &&
        unsupported.every((member) => draft[member] === undefined),
    );

  describeEachInLongLane(`${name}, by every way in,`, (fresh) => {
    it.each(Object.entries(cases))('%s', async (_title, doorCase) => {
      for (const [door, way] of doorsOf(doorCase)) {
        const fixture = await noun.open(fresh.db);
        await way.arrange?.(fixture, doorCase.draft);
        await doorCase.given?.(fixture);
        const before = await noun.read(fixture);
        const response = await way.send(fixture, doorCase.draft);
        const after = await noun.read(fixture);
        if (doorCase.refused === undefined)
          expectStored(door, { doorCase, fixture, before, after, response });
        else expectRefused(door, { doorCase, fixture, before, after, response });
      }
    });
  });

  interface Outcome {
    doorCase: DoorCase<Fixture, Draft>;
    fixture: Fixture;
    before: readonly object[];
    after: readonly object[];
    response: DoorResponse;
  }

  function expectStored(door: string, { doorCase, fixture, before, after, response }: Outcome): void {
    const { isPreview, stores = {} } = doors[door]!;
    expect([door, response.refused]).toEqual([door, undefined]);
    expect([door, response.warnings ?? []]).toEqual([door, doorCase.warns?.(fixture) ?? []]);
    if (isPreview) expect([door, after]).toEqual([door, before]);
    else
      expect([door, after.at(-1)]).toMatchObject([
        door,
        { ...noun.defaults(fixture), ...doorCase.stored, ...stores },
      ]);
  }

  function expectRefused(door: string, { doorCase, fixture, before, after, response }: Outcome): void {
    const { refused, inOtherWords = {} } = doorCase;
    const otherWords = inOtherWords[door === 'preview' ? 'table' : door];
    const sentence = typeof refused === 'function' ? refused(fixture) : refused;
    expect([door, response.refused]).toEqual([
      door,
      otherWords ? expect.stringMatching(otherWords) : sentence,
    ]);
    if (!otherWords) expect([sentence, isInCatalogue(sentence!)]).toEqual([sentence, true]);
    const isCoded = !doors[door]!.hasNoCodes && !otherWords;
    if (isCoded) expect([door, response.code]).toEqual([door, doorCase.code ?? 'invalid']);
    if (doorCase.field && response.fields && !otherWords)
      expect([door, response.fields]).toEqual([door, [doorCase.field]]);
    expect([door, after]).toEqual([door, before]);
  }
}

export async function responseOfApi(answer: Response | Promise<Response>): Promise<DoorResponse> {
  const body = (await (await answer).json()) as {
    message?: string;
    code?: string;
    warnings?: string[];
    fields?: object;
  };
  if ((await answer).ok) return { warnings: body.warnings };
  return { refused: body.message, code: body.code, fields: Object.keys(body.fields ?? {}) };
}

export async function responseOfService(
  work: Promise<{ warnings?: readonly string[] } | unknown>,
): Promise<DoorResponse> {
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
  const alertsOf = (tone: string) =>
    alerts.flatMap((one) => (one.startsWith(`${tone}: `) ? one.slice(tone.length + 2) : []));
  if (!isSaved) return { refused: alertsOf('error')[0]?.replace(LINK, '') };
  return { warnings: alertsOf('warning').map((one) => one.replace(LINK, '')) };
}

const LINK = / Ver (la programación|ese pago|esa factura|movimiento)$/;

/** @param rows cells of each row; if all cells of a column are empty, the import asks about that column first */
export const tableLines = (headings: string, ...rows: readonly (readonly unknown[])[]): string[] => [
  headings,
  ...rows.map((cells) => cells.map((cell) => `"${cell ?? ''}"`).join()),
];

/** The import of a table with one row, and its preview. @param linesOf the headings and the row */
export function tableDoors<Fixture extends Clients, Draft>(
  kindOf: TableKind | ((fixture: Fixture) => TableKind),
  linesOf: (fixture: Fixture, draft: Draft) => readonly string[],
  {
    allows,
    ...more
  }: Partial<Door<Fixture, Draft>> & { allows?: (draft: Draft) => Partial<TableImportOptions> } = {},
): { table: Door<Fixture, Draft>; preview: Door<Fixture, Draft> } {
  const importDoor = (dryRun: boolean): Door<Fixture, Draft> => ({
    ...more,
    isPreview: dryRun,
    async send(fixture, draft) {
      const kind = typeof kindOf === 'function' ? kindOf(fixture) : kindOf;
      const rows = await importText(kind, `${linesOf(fixture, draft).join('\r\n')}\r\n`);
      const options = { dryRun, source: 'x.csv', sha256: 'a'.repeat(64), ...allows?.(draft) };
      const { refused, warnings } = tableInWords(
        await importTable(fixture.db, fixture.by, kind, rows, options),
      );
      const response = warnings.map(({ reason }) => reason);
      return { refused: refused[0]?.reason, code: refused[0]?.code, warnings: response };
    },
  });
  return { table: importDoor(false), preview: importDoor(true) };
}

export const TABLES = ['table', 'preview'] as const;
