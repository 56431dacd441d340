import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { onTestFinished } from 'vitest';
import { createMailAccount } from './mail-account.ts';

export interface ReceivedMail {
  from: string;
  to: string[];
  source: string;
}

/** Starts a real mail server on this machine. If `refuse` returns a code for a mail, the server answers with it. */
export async function startMailServer({
  refuse: refusalCodeOf,
  ...options
}: SMTPServerOptions & { refuse?: (mail: ReceivedMail) => number | undefined } = {}) {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        const mail = {
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          source: Buffer.concat(chunks).toString(),
        };
        const responseCode = refusalCodeOf?.(mail);
        if (responseCode) return callback(Object.assign(new Error('no hoy'), { responseCode }));
        received.push(mail);
        callback();
      });
    },
    ...options,
  });
  server.on('error', () => {}); // a client may close the connection early
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.server.address() as AddressInfo;
  return { account: createMailAccount(port), received, port };
}

/** A server that may break the protocol: `answerLine` gets each line of the client, and writes any answer. */
export async function startScriptedServer(answerLine: (socket: Socket, line: string | undefined) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    let rest = '';
    socket.on('data', (chunk) => {
      const lines = (rest + chunk.toString('latin1')).split('\r\n');
      rest = lines.pop()!;
      for (const line of lines) answerLine(socket, line);
    });
    answerLine(socket, undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return createMailAccount((server.address() as AddressInfo).port);
}

/** Accepts a mail as a server does, up to the dot after its text, and then calls `onFinalDot`. */
export const answerUntilFinalDot =
  (onFinalDot: (socket: Socket) => void) =>
  (socket: Socket, line: string | undefined): void => {
    if (line === undefined) socket.write('220 listo\r\n');
    else if (line.startsWith('EHLO')) socket.write('250 hola\r\n');
    else if (/^(MAIL|RCPT)/.test(line)) socket.write('250 bien\r\n');
    else if (line === 'DATA') socket.write('354 adelante\r\n');
    else if (line === '.') onFinalDot(socket);
  };
