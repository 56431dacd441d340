import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { tasks } from './child.ts';

export type Tasks = typeof tasks;

export interface Child {
  run<N extends keyof Tasks>(name: N, ...args: Parameters<Tasks[N]>): Promise<Awaited<ReturnType<Tasks[N]>>>;
  kill(): Promise<void>;
}

/** Starts another process that is loaded and waits, so that several can start the same task at the same moment. */
export async function startChild(env: Record<string, string> = {}): Promise<Child> {
  const child = fork(join(import.meta.dirname, 'child.ts'), {
    env: { ...process.env, ...env },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let complaints = '';
  child.stderr?.on('data', (chunk) => {
    complaints += chunk;
  });
  const killChild = () => endAndWaitForExit(child, () => child.kill('SIGKILL'));
  onTestFinished(killChild);
  await waitForNextMessage(child, () => complaints);
  return {
    async run(name, ...args) {
      child.send({ name, args });
      const { result, error } = await waitForNextMessage(child, () => complaints);
      if (error !== undefined) throw new Error(error);
      return result as never;
    },
    kill: killChild,
  };
}

function waitForNextMessage(
  child: ChildProcess,
  complaints: () => string,
): Promise<{ result?: unknown; error?: string }> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error(`the child process ended: ${complaints()}`));
    child.once('exit', onExit);
    child.once('message', (message) => {
      child.off('exit', onExit);
      resolve(message as { result?: unknown; error?: string });
    });
  });
}

function endAndWaitForExit(child: ChildProcess, end: () => void): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', () => resolve());
    end();
  });
}
