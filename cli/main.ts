import { Command, CommanderError } from 'commander';
import packageJson from '../package.json' with { type: 'json' };
import { DomainError, type ErrorKind } from '../shared/errors.ts';
import { addDatabaseCommands } from './database.ts';
import { addImportCommands } from './imports.ts';
import { addReportCommands } from './reports.ts';
import { createRuntime, type Runtime } from './runtime.ts';
import { addServeCommand } from './serve.ts';
import { addSettingsCommands } from './settings.ts';
import { addUserCommands } from './users.ts';

/** Kind → exit code: here and nowhere else. 1 failed, 2 wrong usage; 3 (some rows refused) is set by imports. */
const EXIT: Partial<Record<ErrorKind, number>> = { malformed: 2 };

/** Declares the commands; each imports its work only when it runs. */
export function createProgram(runtime: Runtime): Command {
  const program = new Command('saldo')
    .description('Facturas de proveedores, pagos y saldos de una constructora')
    .version(packageJson.version)
    .showHelpAfterError('(usa --help para ver la ayuda)')
    .configureOutput({ writeOut: runtime.print, writeErr: (text) => runtime.log(text.trimEnd()) })
    .exitOverride();
  addServeCommand(program, runtime);
  addUserCommands(program, runtime);
  addImportCommands(program, runtime);
  addReportCommands(program, runtime);
  addSettingsCommands(program, runtime);
  addDatabaseCommands(program, runtime);
  return program;
}

/** Runs one command line and sets the exit code; a DomainError is one line, anything else its stack. */
export async function run(args: readonly string[], runtime: Runtime): Promise<void> {
  try {
    await createProgram(runtime).parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) {
      runtime.setExitCode(error.exitCode === 0 ? 0 : 2);
    } else if (error instanceof DomainError) {
      runtime.log(`saldo: ${error.message}`);
      runtime.setExitCode(EXIT[error.kind] ?? 1);
    } else {
      runtime.log(error instanceof Error ? (error.stack ?? error.message) : String(error));
      runtime.setExitCode(1);
    }
  }
}

/** cli/saldo.mjs calls this. */
export const main = (): Promise<void> => run(process.argv.slice(2), createRuntime());
