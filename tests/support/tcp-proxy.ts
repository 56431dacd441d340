import { connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  /** the same address by way of the proxy */
  url: string;
  /** from now on nothing passes and nobody is told, as a cable that was pulled */
  swallow(): void;
  /** what those of now say still arrives, and no answer to it; new ones pass */
  deafen(): void;
  /** new connections pass again; those of before lead nowhere for good */
  heal(): void;
  close(): Promise<void>;
}

/** Stands between a client and the server of `url`. */
export async function tcpProxy(url: string): Promise<TcpProxy> {
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
    swallow() {
      isHole = true;
      for (const socket of sockets) socket.unpipe().removeAllListeners('data').resume();
    },
    deafen() {
      for (const target of targets) target.unpipe().resume();
    },
    heal() {
      isHole = false;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
