import { readFileSync } from 'node:fs';

/** Milliseconds of work that this thread has done: what something takes, not what else the machine had to do. */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Milliseconds of work of another process so far, to a hundredth of a second; not a number where the system does not say. */
export function cpuOf(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN;
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
