import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { findCompletions, SCRIPT_BY_SHELL } from '../../cli/completion.ts';
import { findHelp } from '../../cli/help.ts';
import { collectHelp, createProgram } from '../../cli/main.ts';
import { createRuntime } from '../../cli/runtime.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { newDatabaseUrl } from '../support/databases.ts';
import { runCommandLine } from './run-command-line.ts';

const commandsOf = (command: Command, path: string[] = []): string[][] =>
  command.commands.flatMap((one) => [[...path, one.name()], ...commandsOf(one, [...path, one.name()])]);

describe('help', async () => {
  const program = await createProgram(createRuntime({}));
  const paths = commandsOf(program);

  it.each(paths.map((path) => [path.join(' '), path] as const))('exists for saldo %s', async (name, path) => {
    const { out, code } = await runCommandLine([...path, '--help']);
    expect(code).toBe(0);
    expect(out).toMatch(new RegExp(`^Uso: saldo ${name}`));
    expect(out).toMatch(/^Ejemplos?:\n {2}/m);
    expect(out).not.toMatch(/^(Usage|Options|Commands|Arguments):|display help|\((choices|default):/m);
    const isGroup = paths.some(
      (other) => other.length > path.length && path.every((part, n) => other[n] === part),
    );
    if (isGroup) expect(out).toMatch(new RegExp(`^ {2}\\$ saldo ${name} \\w`, 'm'));
    else expect(out).toMatch(new RegExp(`^ {2}\\$ ([A-Z_]+=\\S+ |echo .*)?.*saldo ${name}`, 'm'));
  });

  it('is kept for the built command as commander prints it, at every width', async () => {
    const texts = await collectHelp();
    for (const path of [[], ...paths]) {
      const command = path.reduce((at, word) => at.commands.find((one) => one.name() === word)!, program);
      for (const width of [undefined, 40, 66, 79, 80, 81, 100, 132, 250]) {
        let printed = '';
        const writeOut = (text: string) => {
          printed += text;
        };
        command.configureOutput({ writeOut, getOutHelpWidth: () => width as number }).outputHelp();
        const found = findHelp(texts, [...path, '--help'], width);
        expect(found, `${path.join(' ')} ${width}`).toBe(printed);
        expect(findHelp(texts, ['help', ...path], width)).toBe(found);
      }
    }
    for (const args of [
      ['reprot', '--help'],
      ['db', 'help', 'backup', '-h'],
      ['help', 'toString'],
      ['help', 'db backup'],
      ['', '--help'],
    ])
      expect(findHelp(texts, args), args.join(' ')).toBeUndefined();
  });

  it('says what is wrong with a command line, suggests the nearest command, and exits with 2', async () => {
    expect(await runCommandLine(['reprot'])).toMatchObject({
      code: 2,
      out: '',
      log: expect.stringContaining("no hay comando 'reprot'\n(¿Quiso decir report?)"),
    });
    for (const args of [
      ['help', 'reprot'],
      ['reprot', '--help'],
      ['reprot', 'balances', '-h'],
    ])
      expect(await runCommandLine(args), args.join(' ')).toMatchObject({
        code: 2,
        out: '',
        log: expect.stringContaining('(¿Quiso decir report?)'),
      });
    expect((await runCommandLine(['help', 'db', 'backup'])).out).toBe(
      (await runCommandLine(['db', 'backup', '--help'])).out,
    );
    expect((await runCommandLine(['db', 'help', 'backup'])).out).toMatch(/^Uso: saldo db backup/);
    expect((await runCommandLine(['db', 'bakcup'])).log).toContain('(¿Quiso decir backup?)');
    expect((await runCommandLine(['db', 'backup'])).log).toContain("saldo: falta 'archivo'");
    expect((await runCommandLine(['db', 'backup', 'x', '--forze'])).log).toContain(
      "saldo: no hay opción '--forze'",
    );
    expect((await runCommandLine(['completion', 'tcsh'])).log).toContain('Se espera bash, zsh, fish.');
  });
});

describe('completion', async () => {
  const program = await createProgram(createRuntime({}));
  const complete = (...words: string[]) => findCompletions(program, words).map(([word]) => word);

  it('offers commands, options and choices, and files where a file is expected', () => {
    expect(findCompletions(program, ['d'])).toEqual([['db', 'la base de datos']]);
    expect(complete('db', 'b')).toEqual(['backup']);
    expect(complete('db', 'backup', '--p')).toEqual(['--portable']);
    expect(complete('db', '--help', 're')).toEqual(['restore']);
    expect(complete('db', '')).toEqual([
      'migrate',
      'check',
      'anchor',
      'backup',
      'restore',
      'stats',
      '--help',
    ]);
    expect(complete('completion', '')).toEqual(['bash', 'zsh', 'fish', '--help']);
    expect(complete('db', 'restore', '')).toEqual(['/']);
    expect(complete('db', 'restore', '--f')).toEqual(['--force']);
    expect(complete('report', 'balances', '--out', '')).toEqual(['/']);
    expect(complete('users', 'create', '--email', '')).toEqual([]);
    expect(complete('export', 'invoices', '--status', 'v')).toEqual(['vencida']);
    expect(complete('export', 'invoices', '--due')).toEqual(['--due-from', '--due-to']);
    expect(complete('report', 'balances', '--format', 'x')).toEqual(['xlsx']);
    expect(complete('import', 'jobs', 'a.csv', '--on-error', '')).toEqual(['stop', 'skip']);
    expect(complete('nada', 'x')).toEqual([]);
  });

  it('prints the script for a shell, and gives that script its proposals', async () => {
    expect((await runCommandLine(['completion', 'zsh'])).out).toBe(SCRIPT_BY_SHELL.zsh);
    expect((await runCommandLine(['completion', 'zsh', '--', 'db', 'backup', '--p'])).out).toBe(
      '--portable\n',
    );
    const { out } = await runCommandLine(['completion', 'fish', '--', 'db', 'm']);
    expect(out).toBe('migrate\tcrea la base de datos o la pone al día\n');
  });

  const cli = join(import.meta.dirname, '../../cli/saldo.mjs');
  const saldo = `saldo() { '${process.execPath}' '${cli}' "$@"; }`;

  /** Each shell runs its completion script, which prints the completions of the last word. */
  const SHELLS: Record<string, { options: string[]; script: string }> = {
    bash: {
      options: ['-c'],
      script: `${saldo}
${SCRIPT_BY_SHELL.bash}
compopt() { echo /; }
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _saldo; printf '%s\\n' "\${COMPREPLY[@]}"`,
    },
    zsh: {
      options: ['-f', '-c'],
      script: `compdef() { :; }
${saldo}
${SCRIPT_BY_SHELL.zsh}
compadd() { shift; print -rl -- "$@"; }; _files() { print /; }
words=("$@"); CURRENT=$#; _saldo`,
    },
    fish: {
      options: ['--no-config', '-c'],
      script: `function saldo; '${process.execPath}' '${cli}' $argv; end
${SCRIPT_BY_SHELL.fish}
complete -C (string join ' ' $argv)`,
    },
  };

  it.each(Object.keys(SHELLS).filter(has))('works in %s', (shell) => {
    const { options, script } = SHELLS[shell]!;
    const proposals = (...words: string[]) => {
      const name = shell === 'fish' ? [] : [shell];
      const args = [...options, script, ...name, 'saldo', ...words];
      const { stdout, stderr } = spawnSync(shell, args, { encoding: 'utf8' });
      expect(stderr).toBe('');
      return stdout.split('\n').flatMap((line) => line.split('\t')[0] || []);
    };
    expect(proposals('db', 'b')).toEqual(['backup']);
    expect(proposals('completion', '')).toEqual(expect.arrayContaining(['bash', 'fish', 'zsh']));
    if (shell !== 'fish') expect(proposals('db', 'restore', '')).toEqual(['/']);
    expect(proposals('nada', 'x')).toEqual([]);
  });
});

describe('the built command', () => {
  const saldo = join(import.meta.dirname, '../../cli/saldo.mjs');
  let folder = '';
  let env: NodeJS.ProcessEnv = {};
  beforeAll(async () => {
    folder = mkdtempSync(join(inject('folder'), 'modales-'));
    env = {
      ...process.env,
      DATABASE_URL: await newDatabaseUrl('sqlite'),
      NO_COLOR: undefined,
      FORCE_COLOR: undefined,
    };
    for (const args of [
      ['db', 'migrate'],
      ['users', 'create', '--firstname', 'Ana', '--lastname', 'Ruiz', '--roles', '3'],
    ])
      expect(spawnSync(process.execPath, [saldo, ...args], { env, encoding: 'utf8' }).stderr).not.toContain(
        'saldo:',
      );
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const call = (args: string[], more: NodeJS.ProcessEnv = {}) =>
    spawnSync(process.execPath, [saldo, ...args], {
      env: { ...env, ...more },
      cwd: folder,
      encoding: 'utf8',
    });

  it('prints its version, even before anything is built', () => {
    expect(call(['--version'])).toMatchObject({ status: 0, stdout: `${packageJson.version}\n`, stderr: '' });
  });

  it('loads neither a database nor a workbook writer for help and completion', () => {
    const hook = `import { registerHooks } from 'node:module';
      import { statSync } from 'node:fs';
      registerHooks({ load(url, context, next) {
        if (url.startsWith('file:')) process.stderr.write(url + ' ' + statSync(new URL(url)).size + '\\n');
        return next(url, context);
      } });`;
    const loading = (...args: string[]) => {
      const preload = `data:text/javascript,${encodeURIComponent(hook)}`;
      const { stderr } = spawnSync(process.execPath, ['--import', preload, saldo, ...args], {
        env,
        encoding: 'utf8',
      });
      const loaded = [...stderr.matchAll(/^(file:\S+) (\d+)$/gm)];
      return {
        modules: loaded.length,
        packages: loaded.filter(([, url]) => url!.includes('/node_modules/')).length,
        bytes: loaded.reduce((sum, [, , bytes]) => sum + Number(bytes), 0),
      };
    };
    for (const args of [['--help'], ['export', '--help'], ['help', 'export', 'invoices']])
      expect(loading(...args), args.join(' ')).toMatchObject({ packages: 0, modules: 2 });
    for (const [most, ...args] of [
      [200_000, 'completion', 'bash', '--', 'd'],
      [400_000, 'completion', 'bash', '--', 'export', 'invoices', '--'],
    ] as const) {
      const { packages, bytes } = loading(...args);
      expect(packages, args.join(' ')).toBe(0);
      expect(bytes, args.join(' ')).toBeGreaterThan(50_000);
      expect(bytes, args.join(' ')).toBeLessThan(most);
    }
  });

  it('prints the help that the command itself would', async () => {
    for (const args of [['-h'], ['export', 'invoices', '--help'], ['help', 'db'], ['db', 'help', 'backup']])
      expect(call(args)).toMatchObject({ status: 0, stdout: (await runCommandLine(args)).out, stderr: '' });
    expect(call(['reprot', '--help'])).toMatchObject({ status: 2, stdout: '' });
  });

  it('resolves paths from the directory where it is run', () => {
    expect(call(['db', 'backup', 'aquí.db'])).toMatchObject({ status: 0 });
    expect(existsSync(join(folder, 'aquí.db'))).toBe(true);
  });

  it('uses colours only if asked to', () => {
    expect(call(['db', 'check']).stdout).toContain('✓ Lo pagado');
    expect(call(['db', 'check'], { FORCE_COLOR: '1' }).stdout).toContain('\u001b[32m✓\u001b[39m Lo pagado');
    expect(call(['db', 'check'], { NO_COLOR: '1' }).stdout).toContain('✓ Lo pagado');
  });

  it('ends quietly when its reader closes the pipe', async () => {
    const child = spawn(process.execPath, [saldo, 'db', 'check'], { env, cwd: folder });
    let output = '';
    child.stderr.on('data', (chunk) => {
      output += chunk;
    });
    const first = await new Promise((resolve) => child.stdout.once('data', resolve));
    child.stdout.destroy();
    const how = await new Promise((resolve) =>
      child.once('close', (code, signal) => resolve(signal ?? code)),
    );
    expect(String(first)).toMatch(/^✓ /);
    expect(output).toBe('');
    expect([0, 141, 'SIGPIPE']).toContain(how);
  });

  it('leaves nothing behind when it is interrupted', async () => {
    const before = readdirSync(folder).sort();
    const child = spawn(process.execPath, [saldo, 'db', 'backup', 'interrumpida.zip', '--portable'], {
      env,
      cwd: folder,
    });
    await begun(child, join(folder, 'interrumpida.zip.partial'));
    child.kill('SIGINT');
    const [code, signal] = await new Promise<[number | null, string | null]>((resolve) =>
      child.once('close', (...how) => resolve(how)),
    );
    if (code === 0) return; // the command ended before the signal
    expect([code, signal]).toEqual([130, null]);
    expect(readdirSync(folder).sort()).toEqual(before);
  });
});

/** Waits until the file exists or the process has ended. */
async function begun(child: ChildProcess, file: string): Promise<void> {
  while (child.exitCode === null && !existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 1));
}

function has(program: string): boolean {
  return spawnSync(program, ['-c', 'true']).status === 0;
}
