import { run } from '../../cli/main.ts';
import type { Runtime } from '../../cli/runtime.ts';
import type { OpenDatabase } from '../../db/open.ts';
import type { Actor } from '../../server/services/audit.ts';
import { actor, NOW } from './rows.ts';

export interface Said {
  /** standard output and standard error */
  out: string;
  log: string;
  code: number;
}

/** One command line on a test's database; what it printed, logged and how it ended. */
export async function runSaldo(
  fresh: { database: OpenDatabase },
  args: readonly string[],
  as: Actor = actor({ origin: 'cli', osUser: 'root' }),
): Promise<Said> {
  const said: Said = { out: '', log: '', code: 0 };
  const runtime: Runtime = {
    env: {},
    print: (text) => {
      said.out += text;
    },
    log: (text) => {
      said.log += `${text}\n`;
    },
    isTerminal: false,
    now: () => new Date(NOW),
    open: async () => ({
      ...fresh.database,
      actor: as,
      timeZone: 'America/Mexico_City',
      close: async () => {},
    }),
    setExitCode: (code) => {
      said.code = code;
    },
  };
  await run(args, runtime);
  return said;
}
