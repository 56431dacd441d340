import { run } from '../../cli/main.ts';
import type { Runtime } from '../../cli/runtime.ts';
import type { OpenDatabase } from '../../db/open.ts';
import type { Actor } from '../../server/services/audit/audit.ts';
import { createActor, NOW } from './rows.ts';

export interface CommandResult {
  out: string;
  /** the bytes of standard output, where it is not text */
  bytes: Uint8Array;
  log: string;
  code: number;
}

export async function runSaldo(
  fresh: { database: OpenDatabase },
  args: readonly string[],
  as: Actor = createActor({ origin: 'cli', username: 'cli', osUser: 'root' }),
  {
    isOutputTerminal = false,
    outputWidth,
    env = {},
  }: { isOutputTerminal?: boolean; outputWidth?: number; env?: Record<string, string> } = {},
): Promise<CommandResult> {
  const result: CommandResult = { out: '', bytes: new Uint8Array(), log: '', code: 0 };
  const written: Uint8Array[] = [];
  const runtime: Runtime = {
    env,
    print: (text) => {
      result.out += text;
    },
    write: (chunk) => {
      written.push(Buffer.from(chunk));
      result.bytes = Buffer.concat(written);
      result.out = new TextDecoder('utf-8', { ignoreBOM: true }).decode(result.bytes);
      return true;
    },
    log: (text) => {
      result.log += `${text}\n`;
    },
    isTerminal: false,
    isOutputTerminal,
    outputWidth,
    styleOutput: (_format, text) => text,
    now: () => new Date(NOW),
    openContext: async () => ({
      ...fresh.database,
      actor: as,
      timeZone: 'America/Mexico_City',
      close: async () => {},
    }),
    setExitCode: (code) => {
      result.code = code;
    },
  };
  await run(args, runtime);
  return result;
}
