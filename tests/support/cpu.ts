import { readdirSync, readFileSync } from 'node:fs';

/** Returns the milliseconds that this thread has worked: what a task costs, whatever else the machine had to do. */
export function readThreadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** @returns NaN where the system does not tell */
export function readProcessCpuMs(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN;
  const threads = readdirSync(`/proc/${pid}/task`);
  const worked = threads.map((id) => readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0]);
  return worked.reduce((sum, nanoseconds) => sum + Number(nanoseconds) / 1e6, 0);
}
