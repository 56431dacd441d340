import { type AddressInfo, connect } from 'node:net';
import { onTestFinished } from 'vitest';
import { DEFAULT_SERVER_LIMITS, listen, type ServerLimits } from '../../server/http/listen.ts';

export async function listening(
  fetch: Parameters<typeof listen>[0],
  limits: Partial<ServerLimits> = {},
): Promise<{ port: number; url: string }> {
  const server = await listen(
    fetch,
    { host: '127.0.0.1', port: 0, trustedProxies: 0 },
    { ...DEFAULT_SERVER_LIMITS, ...limits },
  );
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}` };
}

/** Sends these bytes unchanged over one connection, since HTTP clients would correct them, and reads until it ends. */
export function exchange(port: number, ...sent: readonly (string | Buffer)[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      for (const part of sent) socket.write(part);
    });
    let answer = '';
    socket.setEncoding('utf8').on('data', (chunk) => {
      answer += chunk;
    });
    socket.once('error', reject).once('close', () => resolve(answer));
  });
}
