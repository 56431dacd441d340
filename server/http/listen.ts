import { createServer, type Server, type ServerOptions, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Config } from '../config.ts';
import { toRateLimitAddress } from '../services/session/rate-limit-address.ts';
import { buildSecurityHeaders } from './headers.ts';
import { listenError } from './listen-address.ts';

export interface ServerLimits
  extends Required<
    Pick<ServerOptions, 'headersTimeout' | 'requestTimeout' | 'connectionsCheckingInterval' | 'maxHeaderSize'>
  > {
  maxConnections: number;
  /** The limit for each client address; behind a proxy it does not apply. */
  maxPerAddress: number;
  /** milliseconds until a connection without traffic is closed, such as one whose client stopped reading */
  idleTimeout: number;
}

export const DEFAULT_SERVER_LIMITS: ServerLimits = {
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
  { maxConnections, maxPerAddress, idleTimeout, ...options }: ServerLimits = DEFAULT_SERVER_LIMITS,
): Promise<Server> {
  const headers = buildSecurityHeaders({ url });
  const answer = getRequestListener(fetch, { hostname: host });
  const server = createServer(options, (request, response) => {
    // Set here, because answers to requests that never reach the application need these headers, too.
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    // No route contains a backslash; encoded, it leads to 404 instead of 400.
    request.url = request.url?.replaceAll('\\', '%5C');
    void answer(request, response);
  });
  server.maxConnections = maxConnections;
  if (trustedProxies === 0) limitConnectionsPerAddress(server, maxPerAddress);
  server.setTimeout(idleTimeout);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
    answerBadRequest(error, socket, headers),
  );
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(listenError(error, { host, port })));
    server.listen(port, host, () => resolve(server));
  });
}

function limitConnectionsPerAddress(server: Server, max: number): void {
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    const address = toRateLimitAddress(socket.remoteAddress ?? '');
    const count = (open.get(address) ?? 0) + 1;
    open.set(address, count);
    socket.once('close', () => {
      const remaining = (open.get(address) ?? 1) - 1;
      if (remaining > 0) open.set(address, remaining);
      else open.delete(address);
    });
    if (count > max) socket.destroy();
  });
}

function answerBadRequest(
  { code = '' }: NodeJS.ErrnoException,
  socket: Socket,
  headers: Record<string, string>,
): void {
  // Once an answer has begun, a second one would be read as part of it.
  if (!socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const status = STATUS_BY_ERROR_CODE[code] ?? 400;
  const lines = Object.entries({ ...headers, 'Cache-Control': 'no-store', Connection: 'close' });
  socket.write(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
  );
  socket.destroySoon();
}

const STATUS_BY_ERROR_CODE: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};
