/** Milliseconds of work that this thread has done: what something takes, not what else the machine had to do. */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
