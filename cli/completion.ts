import { Argument, type Command } from 'commander';
import type { Runtime } from './runtime.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

export function addCompletionCommand(program: Command, runtime: Runtime): void {
  program
    .command('completion')
    .description('imprime lo que hace que el intérprete de comandos complete con Tab')
    .addArgument(new Argument('<intérprete>', 'bash, zsh o fish').choices(SHELLS))
    .addHelpText('after', HELP)
    .action((shell: Shell) => runtime.print(completionScript(program, shell)));
}

const HELP = `
Ejemplos:
  $ echo 'source <(saldo completion bash)' >> ~/.bashrc
  $ echo 'source <(saldo completion zsh)' >> ~/.zshrc
  $ saldo completion fish > ~/.config/fish/completions/saldo.fish`;

/** `files` completes names of files; `any` is something that only the user knows. */
type Values = readonly string[] | 'files' | 'any';

interface Place {
  /** "db backup"; empty for saldo itself */
  path: string;
  commands: { name: string; description: string }[];
  options: { long: string; short?: string; description: string; values?: Values }[];
  values: Values;
}

export function completionScript(program: Command, shell: Shell): string {
  const places = placesOf(program, '');
  return { bash, zsh, fish }[shell](places);
}

function placesOf(command: Command, path: string): Place[] {
  const commands = command.commands.filter((one) => one.name() !== 'help');
  const options = command.createHelp().visibleOptions(command);
  const own: Place = {
    path,
    commands: commands.map((one) => ({ name: one.name(), description: one.description() })),
    options: options.map(({ long, short, description, flags, argChoices, required, optional }) => ({
      long: long!,
      short,
      description,
      values: required || optional ? valuesOf(flags, argChoices) : undefined,
    })),
    values: command.registeredArguments
      .map((argument) => valuesOf(argument.name(), argument.argChoices))
      .reduce<Values>((known, one) => (known === 'any' ? one : known), 'any'),
  };
  return [own, ...commands.flatMap((one) => placesOf(one, `${path} ${one.name()}`.trim()))];
}

/** The names of arguments say what is expected, as the help shows them. */
const valuesOf = (name: string, choices: readonly string[] | undefined): Values =>
  choices ?? (/archivo|ruta|carpeta/.test(name) ? 'files' : 'any');

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Makes the lines of a `case` that lead from a place, by a word, to the next place. */
const steps = (
  places: readonly Place[],
  line = (word: string, path: string) => `      ${word}) at=${path} ;;`,
): string =>
  places
    .flatMap(({ path, commands }) =>
      commands.map(({ name }) => line(quote(`${path}/${name}`), quote(`${path} ${name}`.trim()))),
    )
    .join('\n');

const wordsOf = ({ commands, options, values }: Place): string =>
  [
    ...commands.map(({ name }) => name),
    ...(Array.isArray(values) ? values : []),
    ...options.map(({ long }) => long),
  ].join(' ');

/** Makes the lines of a `case` on "place:word before", for options that take a value. */
const optionValues = (places: readonly Place[], offer: (values: Values) => string): string =>
  places
    .flatMap(({ path, options }) =>
      options.flatMap(({ long, values }) =>
        values ? [`    ${quote(`${path}:${long}`)}) ${offer(values)}; return ;;`] : [],
      ),
    )
    .join('\n');

function bash(places: readonly Place[]): string {
  const offer = (values: Values) =>
    values === 'files'
      ? '_saldo_files'
      : values === 'any'
        ? ':'
        : `words=${quote(values.join(' '))}; _saldo_offer`;
  const lines = places.map((place) => {
    const files = place.values === 'files' ? ` [[ $cur == -* ]] || _saldo_files;` : '';
    return `    ${quote(place.path)}) words=${quote(wordsOf(place))};${files} _saldo_offer ;;`;
  });
  return `# bash: source <(saldo completion bash)
_saldo() {
  local cur=\${COMP_WORDS[COMP_CWORD]} at= i words
  COMPREPLY=()
  _saldo_offer() { COMPREPLY=($(compgen -W "$words" -- "$cur")); }
  _saldo_files() { compopt -o default 2> /dev/null; words=; }
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at/\${COMP_WORDS[i]}" in
${steps(places)}
    esac
  done
  case "$at:\${COMP_WORDS[COMP_CWORD - 1]}" in
${optionValues(places, offer)}
  esac
  case "$at" in
${lines.join('\n')}
  esac
}
complete -F _saldo saldo
`;
}

function zsh(places: readonly Place[]): string {
  const offer = (values: Values) =>
    values === 'files' ? '_files' : values === 'any' ? ':' : `compadd -- ${values.map(quote).join(' ')}`;
  const lines = places.map((place) => {
    const words = `compadd -- ${wordsOf(place)}`;
    const either =
      place.values === 'files' ? `if [[ $PREFIX == -* ]]; then ${words}; else _files; fi` : words;
    return `    ${quote(place.path)}) ${either} ;;`;
  });
  return `#compdef saldo
_saldo() {
  local at= i
  for ((i = 2; i < CURRENT; i++)); do
    case "$at/$words[i]" in
${steps(places)}
    esac
  done
  case "$at:$words[CURRENT-1]" in
${optionValues(places, offer)}
  esac
  case "$at" in
${lines.join('\n')}
  esac
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
compdef _saldo saldo
`;
}

function fish(places: readonly Place[]): string {
  const lines = places.flatMap(({ path, commands, options, values }) => {
    const here = `complete -c saldo -n ${quote(`__saldo_at ${quote(path).replaceAll("'", '"')}`)}`;
    return [
      ...commands.map(({ name, description }) => `${here} -a ${name} -d ${quote(description)}`),
      ...options.map(({ long, description, values: after }) => {
        const takes =
          after === 'files'
            ? ' -r -F'
            : after === 'any'
              ? ' -x'
              : after
                ? ` -x -a ${quote(after.join(' '))}`
                : '';
        return `${here} -l ${long.slice(2)}${takes} -d ${quote(description)}`;
      }),
      ...(values === 'files' ? [`${here} -F`] : []),
      ...(Array.isArray(values) ? [`${here} -a ${quote(values.join(' '))}`] : []),
    ];
  });
  return `# fish: saldo completion fish > ~/.config/fish/completions/saldo.fish
function __saldo_at
  set -l at ''
  for word in (commandline -opc)[2..]
    switch "$at/$word"
${steps(places, (word, path) => `      case ${word}\n        set at ${path}`)}
    end
  end
  test "$at" = "$argv[1]"
end
complete -c saldo -f
${lines.join('\n')}
`;
}
