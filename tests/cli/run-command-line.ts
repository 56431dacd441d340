import { run } from '../../cli/main.ts';
import { createRuntime } from '../../cli/runtime.ts';

/** Runs a command line in this process, with these variables and no others; returns its output. */
export async function runCommandLine(
  args: string[],
  env: NodeJS.ProcessEnv = {},
): Promise<{ out: string; log: string; code: number }> {
  const result = { out: '', log: '', code: 0 };
  await run(args, {
    ...createRuntime(env),
    print: (text) => {
      result.out += text;
    },
    log: (text) => {
      result.log += `${text}\n`;
    },
    setExitCode: (code) => {
      result.code = code;
    },
  });
  return result;
}
