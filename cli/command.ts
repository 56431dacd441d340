import { type Command, Option } from 'commander';

type Flag = readonly [flags: string, says: string] | Option;

export const JSON_FLAG: Flag = ['--json', 'como un documento JSON'];
export const AS_FLAG: Flag = ['--as <quién>', 'en nombre de qué usuario'];

export const needed = (flags: string, says: string): Option => new Option(flags, says).makeOptionMandatory();

/**
 * Declares a command of `group`, or a group: its name with its arguments, its options, and examples to be
 * typed.
 */
export function declare(
  group: Command,
  name: string,
  says: string,
  flags: readonly Flag[],
  ...examples: readonly string[]
): Command {
  const command = group.command(name).description(says);
  for (const flag of flags) command.addOption(flag instanceof Option ? flag : new Option(...flag));
  const lines = examples.map((example) => `\n  $ ${example}`).join('');
  return command.addHelpText('after', `\n${examples.length > 1 ? 'Ejemplos' : 'Ejemplo'}:${lines}`);
}

export const asJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Cuts a text for one line of a table; the JSON has all of it. */
export const cut = (text: string, most: number): string => {
  const letters = [...text];
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : text;
};
