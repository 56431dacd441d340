import { connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  /** the same address through the proxy */
  url: string;
  /** stops all traffic without telling either side, as an unplugged cable does */
  stopTraffic(): void;
  /** drops the answers on existing connections, while their requests still arrive; new connections work */
  dropAnswers(): void;
  /** lets new connections through again; the earlier ones stay dead */
  acceptConnections(): void;
  close(): Promise<void>;
}

export async function startTcpProxy(url: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(url);
  let isHole = false;
  const sockets = new Set<Socket>();
  const targets = new Set<Socket>();
  const server = createServer((client) => {
    sockets.add(client);
    client.on('error', () => {}).on('close', () => sockets.delete(client));
    if (isHole) return client.resume();
    const target = connect(Number(port), hostname);
    for (const kept of [sockets, targets]) {
      kept.add(target);
      target.on('close', () => kept.delete(target));
    }
    target.on('error', () => client.destroy());
    client.on('close', () => target.destroy());
    client.pipe(target).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const own = new URL(url);
  own.hostname = '127.0.0.1';
  own.port = String((server.address() as { port: number }).port);
  return {
    url: own.href,
    stopTraffic() {
      isHole = true;
      for (const socket of sockets) socket.unpipe().removeAllListeners('data').resume();
    },
    dropAnswers() {
      for (const target of targets) target.unpipe().resume();
    },
    acceptConnections() {
      isHole = false;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
