import { type Command, Option } from 'commander';
import { AREA_ROLES, type Area } from '../shared/roles.ts';

type Flag = readonly [flags: string, description: string] | Option;

export interface CommandOptions {
  as?: string;
  json?: boolean;
}

export const JSON_FLAG: Flag = ['--json', 'como un documento JSON'];

/** The help names the roles that the user needs, if not all have them. */
export function createActingUserFlag(area: Area = 'work'): Flag {
  const roles = AREA_ROLES[area];
  const roleText = roles.join(', ').replace(/, (?=\d$)/, ' o ');
  const description = 'en nombre de qué usuario';
  return ['--as <quién>', roles === AREA_ROLES.work ? description : `${description}; con el rol ${roleText}`];
}

export const createRequiredOption = (flags: string, description: string): Option =>
  new Option(flags, description).makeOptionMandatory();

export function declareCommand(
  group: Command,
  name: string,
  description: string,
  flags: readonly Flag[],
  ...examples: readonly string[]
): Command {
  const command = group.command(name).description(description);
  for (const flag of flags) command.addOption(flag instanceof Option ? flag : new Option(...flag));
  return addExamples(command, ...examples);
}

export function addExamples(command: Command, ...examples: readonly string[]): Command {
  const lines = examples.map((example) => `\n  $ ${example}`).join('');
  return command.addHelpText('after', `\n${examples.length > 1 ? 'Ejemplos' : 'Ejemplo'}:${lines}`);
}

export const formatJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

export const joinLines = (...lines: readonly unknown[]): string =>
  `${lines.filter((formatRow) => typeof formatRow === 'string').join('\n')}\n`;

export const truncate = (text: string, max: number): string => {
  const letters = [...text];
  return letters.length > max ? `${letters.slice(0, max - 1).join('')}…` : text;
};

/** Replaces control characters: cells and file names may contain escape sequences that a terminal obeys. */
export const replaceControlCharacters = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '�');

/** @param notes a second line of headings, by column; it is left out where all notes are empty */
export function formatTable(
  headings: readonly string[],
  rows: ReadonlyArray<readonly string[]>,
  alignEnd: ReadonlySet<number> = new Set(),
  notes: readonly string[] = [],
): string {
  const heads = notes.some(Boolean) ? [headings, notes] : [headings];
  const body = rows.map((row) => row.map(collapseSpaces));
  const all = [...heads, ...body];
  const widths = headings.map((_, index) => Math.max(...all.map((row) => [...(row[index] ?? '')].length)));
  const formatRow = (row: readonly string[]) =>
    row
      .map((cell, index) => pad(cell, widths[index] ?? 0, alignEnd.has(index)))
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '─'.repeat(width)).join('  ');
  return `${[...heads.map(formatRow), rule, ...body.map(formatRow)].join('\n')}\n`;
}

/** Leading spaces are kept, since they indent a cell. */
const collapseSpaces = (cell: string): string =>
  cell.replace(/(?<=\S)\s+(?=\S)/g, ' ').replace(/[\r\n\t]/g, ' ');

function pad(cell: string, width: number, alignRight: boolean): string {
  const blank = ' '.repeat(Math.max(0, width - [...cell].length));
  return alignRight ? blank + cell : cell + blank;
}
