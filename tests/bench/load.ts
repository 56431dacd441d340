import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';

interface Load {
  url: string;
  headers: Readonly<Record<string, string>>;
  connections: number;
  ms: number;
  /** the server's process */
  pid: number;
}

export interface Measured {
  /** answers a second, over all connections */
  rate: number;
  /** milliseconds of the server's processor an answer took */
  cpuMs: number;
}

/**
 * Asks the same of a server over and over on each of several connections, as fast as it answers. Over bare sockets:
 * a client of Node's own takes as much of the machine as the server that it is to measure.
 */
export async function load({ url, headers, connections, ms, pid }: Load): Promise<Measured> {
  const { hostname, port, pathname, search } = new URL(url);
  const lines = Object.entries({ host: hostname, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const request = Buffer.from(`GET ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n`);
  const state = { isOver: false, answers: 0 };
  const began = performance.now();
  const cpu = cpuOf(pid);
  setTimeout(() => {
    state.isOver = true;
  }, ms);
  await Promise.all(Array.from({ length: connections }, () => askOn(Number(port), hostname, request, state)));
  const took = performance.now() - began;
  return { rate: (state.answers / took) * 1000, cpuMs: (cpuOf(pid) - cpu) / state.answers };
}

/** One connection; every answer has to be a 200 that says its length. */
function askOn(port: number, host: string, request: Buffer, state: { isOver: boolean; answers: number }) {
  return new Promise<void>((resolve, reject) => {
    const socket = connect(port, host, () => socket.write(request));
    let head = Buffer.alloc(0);
    let missing: number | undefined;
    socket.setNoDelay(true);
    socket.on('error', reject);
    socket.on('data', (chunk: Buffer) => {
      if (missing === undefined) {
        head = Buffer.concat([head, chunk]);
        const end = head.indexOf('\r\n\r\n');
        if (end < 0) return;
        const said = head.toString('latin1', 0, end);
        const length = /^HTTP\/1\.1 200.*\r\ncontent-length: (\d+)/is.exec(said)?.[1];
        if (length === undefined) return void socket.destroy(new Error(said));
        missing = Number(length) - (head.length - end - 4);
      } else missing -= chunk.length;
      if (missing > 0) return;
      state.answers++;
      head = Buffer.alloc(0);
      missing = undefined;
      if (!state.isOver) return void socket.write(request);
      socket.destroy();
      resolve();
    });
  });
}

/** Milliseconds that the threads of a process have worked so far, of those that there are; NaN where the system does not say. */
export function cpuOf(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN;
  const threads = readdirSync(`/proc/${pid}/task`);
  const worked = threads.map((id) => readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0]);
  return worked.reduce((sum, nanoseconds) => sum + Number(nanoseconds) / 1e6, 0);
}
