import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { LIMITS, listen, type ServerLimits } from '../../server/http/listen.ts';

export async function listening(
  fetch: Parameters<typeof listen>[0],
  limits: Partial<ServerLimits> = {},
): Promise<{ port: number; url: string }> {
  const server = await listen(
    fetch,
    { host: '127.0.0.1', port: 0, trustedProxies: 0 },
    { ...LIMITS, ...limits },
  );
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}` };
}
