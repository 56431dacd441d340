import { Argument, type Command } from 'commander';
import type { Runtime } from './runtime.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

export function addCompletionCommand(program: Command, runtime: Runtime): void {
  program
    .command('completion')
    .description('imprime lo que hace que el intérprete de comandos complete con Tab')
    .addArgument(new Argument('<intérprete>', 'bash, zsh o fish').choices(SHELLS))
    .allowExcessArguments() // The shell's scripts call this command with the words that were typed after `saldo`.
    .addHelpText('after', EXAMPLES_HELP)
    .action((shell: Shell, _options, { args: [, ...words] }: Command) => {
      if (words.length === 0) return runtime.print(SCRIPT_BY_SHELL[shell]);
      const found = findCompletions(program, words);
      const lines = found.map(
        ([proposal, description]) =>
          `${proposal}${shell === 'fish' && description ? `\t${description}` : ''}\n`,
      );
      runtime.print(lines.join(''));
    });
}

const EXAMPLES_HELP = `
Ejemplos:
  $ echo 'source <(saldo completion bash)' >> ~/.bashrc
  $ echo 'source <(saldo completion zsh)' >> ~/.zshrc
  $ saldo completion fish > ~/.config/fish/completions/saldo.fish`;

/** The shell's script offers file names in place of this proposal. */
const FILE_COMPLETION_MARK = '/';

/** An argument is a file if its name in the help says so; nothing is proposed for values that only the user knows. */
export function findCompletions(
  program: Command,
  words: readonly string[],
): [proposal: string, description?: string][] {
  const before = words.slice(0, -1);
  const typed = words.at(-1) ?? '';
  const command = before.reduce((at, word) => at.commands.find((one) => one.name() === word) ?? at, program);
  const options = command.createHelp().visibleOptions(command);
  const openOption = options.find(
    ({ long, required, optional }) => long === before.at(-1) && (required || optional),
  );
  const expected = openOption
    ? [{ name: openOption.flags, argChoices: openOption.argChoices }]
    : command.registeredArguments.map((one) => ({ name: one.name(), argChoices: one.argChoices }));
  const values = expected.flatMap(
    ({ name, argChoices }) => argChoices ?? (/archivo|ruta|carpeta/.test(name) ? [FILE_COMPLETION_MARK] : []),
  );
  if (values.includes(FILE_COMPLETION_MARK) && !typed.startsWith('-')) return [[FILE_COMPLETION_MARK]];
  const found: [string, string?][] = values.map((value) => [value]);
  if (!openOption) {
    found.unshift(...command.commands.map((one): [string, string] => [one.name(), one.description()]));
    for (const { long, description } of options) found.push([long!, description]);
  }
  return found.filter(([proposal]) => proposal.startsWith(typed));
}

/** The scripts call `saldo completion`, so that they offer the commands of the installed version. */
export const SCRIPT_BY_SHELL: Readonly<Record<Shell, string>> = {
  bash: `# bash: source <(saldo completion bash)
_saldo() {
  local IFS=$'\\n' word
  COMPREPLY=()
  for word in $(saldo completion bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}"); do
    if [[ $word == ${FILE_COMPLETION_MARK} ]]; then compopt -o default 2> /dev/null; else COMPREPLY+=("$word"); fi
  done
}
complete -F _saldo saldo
`,
  zsh: `#compdef saldo
_saldo() {
  local found=("\${(@f)$(saldo completion zsh -- "\${(@)words[2,CURRENT]}")}")
  if [[ $found == ${FILE_COMPLETION_MARK} ]]; then _files; elif [[ -n $found ]]; then compadd -- $found; fi
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
compdef _saldo saldo
`,
  fish: `# fish: saldo completion fish > ~/.config/fish/completions/saldo.fish
function __saldo
  set -l before (commandline -opc)
  set -l typed (commandline -ct)
  for line in (saldo completion fish -- $before[2..] "$typed")
    if test "$line" = ${FILE_COMPLETION_MARK}
      __fish_complete_path "$typed"
    else
      echo $line
    end
  end
end
complete -c saldo -f -a '(__saldo)'
`,
};
