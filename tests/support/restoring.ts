import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/**
 * This process restores a backup and is killed at its nth step: before each change of a file, and at each report of
 * progress. Its arguments: address, data folder, backup, n (0: at none). It prints the number of steps.
 */
const [databaseUrl = '', dataFolder = '', source = '', stopAt = '0'] = process.argv.slice(2);
const PATCHED_FS_FUNCTIONS = [
  'mkdirSync',
  'mkdtempSync',
  'linkSync',
  'renameSync',
  'copyFileSync',
  'rmSync',
  'fsyncSync',
] as const;

let stepCount = 0;
function countStepAndMaybeKill(): void {
  if (++stepCount === Number(stopAt)) process.kill(process.pid, 'SIGKILL');
}

for (const name of PATCHED_FS_FUNCTIONS) {
  const original = fs[name] as (...args: unknown[]) => unknown;
  (fs as unknown as Record<string, unknown>)[name] = (...args: unknown[]) => {
    countStepAndMaybeKill();
    return original(...args);
  };
}
syncBuiltinESMExports();

const { restoreDatabase } = await import('../../server/services/database/restore.ts');
const { createActor } = await import('./rows.ts');
const target = { databaseUrl, dataFolder, root: '/' };
await restoreDatabase(
  target,
  createActor({ at: new Date().toISOString() }),
  source,
  {},
  countStepAndMaybeKill,
);
process.send?.(stepCount, () => process.disconnect?.());
