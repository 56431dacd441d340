import { type Argument, Command, CommanderError, type Option } from 'commander';
import { explainDatabaseError, explainFileError } from '../db/explain-errors.ts';
import packageJson from '../package.json' with { type: 'json' };
import { runInLanguage } from '../server/services/settings/language.ts';
import { DomainError, type ErrorKind } from '../shared/errors.ts';
import { addCompletionCommand } from './completion.ts';
import type { HelpTexts } from './help.ts';
import { EXIT_INTERRUPTED, isAbortError } from './progress.ts';
import { describeError } from './remedies.ts';
import { createRuntime, type Runtime } from './runtime.ts';
import { addServeCommand } from './serve.ts';

/** Exit codes by kind of error: 1 failed (the default), 2 wrong usage. Imports use 3 where some rows were refused. */
const EXIT_CODES: Partial<Record<ErrorKind, number>> = { malformed: 2 };

type CommandGroup = [
  name: string,
  description: string,
  load: () => Promise<(group: Command, runtime: Runtime) => void>,
];

/** Each group's module is loaded only when the group is used, so that help and completion come without delay. */
const COMMAND_GROUPS: readonly CommandGroup[] = [
  ['users', 'los usuarios de la aplicación', async () => (await import('./users.ts')).addUserCommands],
  [
    'import',
    'importa facturas y listas desde archivos',
    async () => (await import('./imports.ts')).addImportCommands,
  ],
  ['report', 'los reportes', async () => (await import('./reports.ts')).addReportCommands],
  [
    'export',
    'las listas como archivo, con el filtro y el orden que se pidan',
    async () => (await import('./exports.ts')).addExportCommands,
  ],
  [
    'settings',
    'los ajustes de la aplicación',
    async () => (await import('./settings.ts')).addSettingsCommands,
  ],
  [
    'layouts',
    'las plantillas de los archivos para el banco',
    async () => (await import('./bank.ts')).addBankLayoutCommands,
  ],
  [
    'bank',
    'los estados de cuenta del banco',
    async () => (await import('./bank.ts')).addBankStatementCommands,
  ],
  ['fiscal', 'lo que dice el SAT', async () => (await import('./fiscal.ts')).addFiscalCommands],
  ['mail', 'los correos a proveedores', async () => (await import('./mail.ts')).addMailCommands],
  ['db', 'la base de datos', async () => (await import('./database.ts')).addDatabaseCommands],
];

/**
 * Each command imports its modules only when it runs.
 * @param words the words of the command line; where given, only the groups that they name get their commands
 */
export async function createProgram(runtime: Runtime, words?: readonly string[]): Promise<Command> {
  const program = new Command('saldo')
    .description('Facturas de proveedores, pagos y saldos de una constructora')
    .version(packageJson.version, '-V, --version', 'la versión')
    .helpOption('-h, --help', 'esta ayuda')
    .helpCommand('help [comando]', 'la ayuda de un comando')
    .showHelpAfterError('(usa --help para ver la ayuda)')
    .configureHelp({
      optionDescription: formatOptionDescription,
      argumentDescription: formatOptionDescription,
      styleTitle: (title) => HELP_TITLES[title] ?? title,
      commandUsage: formatCommandUsage,
      subcommandTerm: formatSubcommandTerm,
    })
    .configureOutput({
      writeOut: runtime.print,
      writeErr: (text) => runtime.log(text.trimEnd()),
      outputError: (text, write) => write(translateErrorMessage(text)),
    })
    .addHelpText('after', EXAMPLES_HELP)
    .exitOverride();
  addServeCommand(program, runtime);
  for (const [name, description, load] of COMMAND_GROUPS) {
    const group = program.command(name).description(description);
    if (words?.includes(name) ?? true) (await load())(group, runtime);
  }
  addCompletionCommand(program, runtime);
  return program;
}

const EXAMPLES_HELP = `
Ejemplos:
  $ saldo report balances
  $ saldo db backup /respaldos/saldo.db

Cada comando dice más de sí con --help. Termina con 0 (hecho), 1 (no se pudo), 2 (mal escrito),
3 (algunas filas se rechazaron), 130 (interrumpido).`;

/** Runs at build time, so that showing help loads no command. */
export async function collectHelp(): Promise<HelpTexts> {
  const texts: Record<string, readonly [string, string]> = {};
  const collectHelpOfCommand = (command: Command, path: readonly string[]) => {
    let printed = '';
    const writeOut = (text: string) => {
      printed += text;
    };
    command.configureOutput({ writeOut, getOutHelpWidth: () => Number.POSITIVE_INFINITY }).outputHelp();
    const wrapped = command.helpInformation();
    texts[path.join(' ')] = [wrapped, printed.slice(wrapped.length)];
    for (const one of command.commands) collectHelpOfCommand(one, [...path, one.name()]);
  };
  collectHelpOfCommand(await createProgram(createRuntime({})), []);
  return texts;
}

/** The language is a setting of the database, so it is `mixto` until a database is open. */
export const run = (args: readonly string[], runtime: Runtime): Promise<void> =>
  runInLanguage('mixto', () => runCommand(args, runtime));

async function runCommand(args: readonly string[], runtime: Runtime): Promise<void> {
  try {
    const program = await createProgram(runtime, args);
    await program.parseAsync(rewriteHelpArgs(program, args), { from: 'user' });
  } catch (thrown) {
    const error = explainDatabaseError(thrown) ?? explainFileError(thrown) ?? thrown;
    if (error instanceof CommanderError) {
      runtime.setExitCode(error.exitCode === 0 ? 0 : 2);
    } else if (error instanceof DomainError) {
      runtime.log(`saldo: ${describeError(error)}`);
      runtime.setExitCode(EXIT_CODES[error.kind] ?? 1);
    } else if (isAbortError(error)) {
      runtime.log('saldo: interrumpido; no se cambió nada.');
      runtime.setExitCode(EXIT_INTERRUPTED);
    } else {
      runtime.log(error instanceof Error ? (error.stack ?? error.message) : String(error));
      runtime.setExitCode(1);
    }
  }
}

/** Rewrites `help db backup` to `db backup --help`. If a command is unknown, drops --help, so commander refuses it. */
function rewriteHelpArgs(program: Command, args: readonly string[]): string[] {
  const words = args[0] === 'help' ? [...args.slice(1), '--help'] : [...args];
  let at = program;
  for (const word of words) {
    if (word.startsWith('-') || at.commands.length === 0) return words;
    const next = at.commands.find((one) => one.name() === word);
    if (!next) return word === 'help' ? words : words.filter((one) => one !== '--help' && one !== '-h');
    at = next;
  }
  return words;
}

export const main = (): Promise<void> => run(process.argv.slice(2), createRuntime());

const HELP_TITLES: Record<string, string> = {
  'Usage:': 'Uso:',
  'Arguments:': 'Argumentos:',
  'Options:': 'Opciones:',
  'Commands:': 'Comandos:',
};

function formatCommandUsage(command: Command): string {
  let path = command.name();
  for (let group = command.parent; group; group = group.parent) path = `${group.name()} ${path}`;
  return [
    path,
    '[opciones]',
    ...(command.commands.length > 0 ? ['[comando]'] : []),
    ...formatArgumentTerms(command),
  ].join(' ');
}

const formatSubcommandTerm = (command: Command): string =>
  [
    command.name(),
    ...(command.options.length > 0 ? ['[opciones]'] : []),
    ...formatArgumentTerms(command),
  ].join(' ');

const formatArgumentTerms = ({ registeredArguments }: Command): string[] =>
  registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? `<${name}>` : `[${name}]`;
  });

function formatOptionDescription({ description, argChoices, defaultValue }: Option | Argument): string {
  const choices = argChoices && !argChoices.every((one) => description.includes(one)) ? argChoices : [];
  const choicesText = choices.length > 0 ? `: ${choices.join(', ')}` : '';
  return `${description}${choicesText}${typeof defaultValue === 'string' ? `; si falta, ${defaultValue}` : ''}`;
}

function translateErrorMessage(text: string): string {
  return ERROR_TRANSLATIONS.reduce((message, [pattern, spanish]) => message.replace(pattern, spanish), text);
}

const ERROR_TRANSLATIONS: [pattern: RegExp, spanish: string][] = [
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
