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

/** A real mail server on this machine; `refuse` answers a mail with this code after its text. */
export async function startMailServer({
  refuse,
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
        const responseCode = refuse?.(mail);
        if (responseCode) return callback(Object.assign(new Error('no hoy'), { responseCode }));
        received.push(mail);
        callback();
      });
    },
    ...options,
  });
  server.on('error', () => {}); // a client that goes away
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.server.address() as AddressInfo;
  return { account: createMailAccount(port), received, port };
}

/** A server that breaks the rules: it gets what the client says, line by line, and says what it likes. */
export async function startOddServer(converse: (socket: Socket, line: string | undefined) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    let rest = '';
    socket.on('data', (chunk) => {
      const lines = (rest + chunk.toString('latin1')).split('\r\n');
      rest = lines.pop()!;
      for (const line of lines) converse(socket, line);
    });
    converse(socket, undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return createMailAccount((server.address() as AddressInfo).port);
}

/** Takes everything as a mail server does, up to the dot after the text, and there does what the test says. */
export const answerUntilFinalDot =
  (atTheDot: (socket: Socket) => void) =>
  (socket: Socket, line: string | undefined): void => {
    if (line === undefined) socket.write('220 listo\r\n');
    else if (line.startsWith('EHLO')) socket.write('250 hola\r\n');
    else if (/^(MAIL|RCPT)/.test(line)) socket.write('250 bien\r\n');
    else if (line === 'DATA') socket.write('354 adelante\r\n');
    else if (line === '.') atTheDot(socket);
  };
