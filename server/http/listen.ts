import { createServer, type Server, type ServerOptions, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Config } from '../config.ts';
import { networkOf } from '../services/session/network.ts';
import { explainAddress } from './address.ts';
import { securityHeaders } from './headers.ts';

export interface ServerLimits
  extends Required<
    Pick<ServerOptions, 'headersTimeout' | 'requestTimeout' | 'connectionsCheckingInterval' | 'maxHeaderSize'>
  > {
  /** further connections are closed at once */
  maxConnections: number;
  /** the same for one address, unless it is the proxy's */
  maxPerAddress: number;
  /** closes a connection without traffic, such as one whose reader has stopped reading */
  idleTimeout: number;
}

export const LIMITS: ServerLimits = {
  headersTimeout: 15_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16 * 1024,
  maxConnections: 2_000,
  maxPerAddress: 1_000,
  idleTimeout: 120_000,
};

/** @throws DomainError conflict where the port is taken */
export function listen(
  fetch: Parameters<typeof getRequestListener>[0],
  { host, port, url, trustedProxies }: Pick<Config, 'host' | 'port' | 'url' | 'trustedProxies'>,
  { maxConnections, maxPerAddress, idleTimeout, ...options }: ServerLimits = LIMITS,
): Promise<Server> {
  const headers = securityHeaders({ url });
  const answer = getRequestListener(fetch, { hostname: host });
  const server = createServer(options, (request, response) => {
    // Also for what never reaches the application, such as an invalid host.
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    // No address contains a backslash, but it would be answered as a malformed request.
    request.url = request.url?.replaceAll('\\', '%5C');
    void answer(request, response);
  });
  server.maxConnections = maxConnections;
  if (trustedProxies === 0) limitConnectionsPerAddress(server, maxPerAddress);
  server.setTimeout(idleTimeout);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
    refuseRequest(error, socket, headers),
  );
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(explainAddress(error, { host, port })));
    server.listen(port, host, () => resolve(server));
  });
}

/** One address, or one subscriber's network, must not take all connections. */
function limitConnectionsPerAddress(server: Server, most: number): void {
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    const address = networkOf(socket.remoteAddress ?? '');
    const count = (open.get(address) ?? 0) + 1;
    open.set(address, count);
    socket.once('close', () => {
      const remaining = (open.get(address) ?? 1) - 1;
      if (remaining > 0) open.set(address, remaining);
      else open.delete(address);
    });
    if (count > most) socket.destroy();
  });
}

/** A request that is no HTTP, too long or too late gets a status and our headers, and its connection ends. */
function refuseRequest(
  { code = '' }: NodeJS.ErrnoException,
  socket: Socket,
  headers: Record<string, string>,
): void {
  // If an answer has begun, more would be read as a part of it.
  if (!socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const status = STATUS_OF[code] ?? 400;
  const lines = Object.entries({ ...headers, 'Cache-Control': 'no-store', Connection: 'close' });
  socket.write(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
  );
  socket.destroySoon();
}

const STATUS_OF: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};
