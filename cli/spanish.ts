import type { Argument, Command, Option } from 'commander';

/** What commander says by itself, in the language of everything else. */
export const spanishTitle = (title: string): string => TITLES[title] ?? title;

const TITLES: Record<string, string> = {
  'Usage:': 'Uso:',
  'Arguments:': 'Argumentos:',
  'Options:': 'Opciones:',
  'Commands:': 'Comandos:',
};

/** "saldo db backup [opciones] <archivo>"; every command takes --help. */
export function spanishUsage(command: Command): string {
  let path = command.name();
  for (let group = command.parent; group; group = group.parent) path = `${group.name()} ${path}`;
  return [
    path,
    '[opciones]',
    ...(command.commands.length > 0 ? ['[comando]'] : []),
    ...termsOf(command),
  ].join(' ');
}

/** "backup [opciones] <archivo>", in the list of its group. */
export const spanishTerm = (command: Command): string =>
  [command.name(), ...(command.options.length > 0 ? ['[opciones]'] : []), ...termsOf(command)].join(' ');

const termsOf = ({ registeredArguments }: Command): string[] =>
  registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? `<${name}>` : `[${name}]`;
  });

/** What an option or argument is, which values it takes, and which one where it is not said. */
export function spanishDescription({ description, argChoices, defaultValue }: Option | Argument): string {
  const choices = argChoices && !argChoices.every((one) => description.includes(one)) ? argChoices : [];
  const among = choices.length > 0 ? `: ${choices.join(', ')}` : '';
  return `${description}${among}${typeof defaultValue === 'string' ? `; si falta, ${defaultValue}` : ''}`;
}

/**
 * Its complaints about a command line; one that is not known here stays as it is. commander hands them over as
 * whole sentences and nothing else, so what they name has to be read out of them.
 */
export function spanishComplaint(text: string): string {
  return COMPLAINTS.reduce((said, [pattern, spanish]) => said.replace(pattern, spanish), text);
}

const COMPLAINTS: [pattern: RegExp, spanish: string][] = [
  [/^error: unknown command '(.*)'/, "saldo: no hay comando '$1'"],
  [/^error: unknown option '(.*)'/, "saldo: no hay opción '$1'"],
  [/^error: missing required argument '(.*)'/, "saldo: falta '$1'"],
  [/^error: required option '(.*)' not specified/, "saldo: falta la opción '$1'"],
  [/^error: option '(.*)' argument missing/, "saldo: a la opción '$1' le falta su valor"],
  [/^error: option '(.*)' argument '(.*)' is invalid\./, "saldo: '$2' no sirve para la opción '$1'."],
  [
    /^error: command-argument value '(.*)' is invalid for argument '(.*)'\./,
    "saldo: '$1' no sirve para '$2'.",
  ],
  [/^error: too many arguments(?: for '(.*)')?\. Expected .*\./, 'saldo: sobran argumentos.'],
  [/Allowed choices are (.*)\./, 'Se espera $1.'],
  [/\(Did you mean one of (.*)\?\)/, '(¿Quiso decir uno de $1?)'],
  [/\(Did you mean (.*)\?\)/, '(¿Quiso decir $1?)'],
];
