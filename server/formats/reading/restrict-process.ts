import dgram from 'node:dgram';
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import os from 'node:os';
import v8 from 'node:v8';

/**
 * The reading process imports this module first, so that no file can make its parser open a connection, resolve a name
 * or signal another process. Node's permissions cover neither network nor signals.
 */
const refuseCall = (): never => {
  throw new Error('the reading process is closed');
};

function disableMembers(owner: object, names: readonly PropertyKey[]): void {
  for (const name of names)
    Object.defineProperty(owner, name, { value: refuseCall, writable: false, configurable: false });
}

const methodNamesOf = (owner: object): PropertyKey[] =>
  Reflect.ownKeys(owner).filter(
    (name) =>
      name !== 'constructor' &&
      typeof Object.getOwnPropertyDescriptor(owner, name)?.value === 'function' &&
      Object.getOwnPropertyDescriptor(owner, name)?.configurable,
  );

function createSampleHandles(): object[] {
  const sockets = [new net.Socket(), new net.Socket()].map((one) => one.on('error', () => undefined));
  // These sockets reach nobody: the path is below a file, where no socket can be, and the other one is closed at once.
  sockets[0]?.connect({ path: `${import.meta.filename}/nobody` });
  sockets[1]?.connect({ port: 1, host: '127.0.0.1' });
  const udp = dgram.createSocket('udp4');
  const found = [...sockets, udp, new dns.Resolver()].map(handleOf);
  for (const one of sockets) one.destroy();
  udp.close();
  return found;
}

function handleOf(owner: object): object {
  const { _handle: handle } = owner as { _handle?: object };
  if (!handle) throw new Error('this Node keeps its handles elsewhere');
  return handle;
}

for (const handle of createSampleHandles()) {
  const prototype = Object.getPrototypeOf(handle);
  disableMembers(prototype, methodNamesOf(prototype));
}
disableMembers(net.Socket.prototype, ['connect']);
disableMembers(net.Server.prototype, ['listen', '_listen2']);
disableMembers(net, ['_createServerHandle']);
disableMembers(dgram.Socket.prototype, ['bind', 'connect', 'send']);
disableMembers(dgram, ['_createSocketHandle']);
for (const one of [dns, dns.promises])
  disableMembers(
    one,
    methodNamesOf(one).filter((name) => /^(lookup|resolve|reverse)/.test(String(name))),
  );
disableMembers(os, ['setPriority']);
disableMembers(v8, ['setFlagsFromString']);
disableMembers(
  process,
  methodNamesOf(process).filter((name) =>
    /^_?(kill|debug|execve|binding|linkedBinding|dlopen|set[eug]|initgroups|getActive)/.test(String(name)),
  ),
);
disableMembers(process.report, methodNamesOf(process.report));
syncBuiltinESMExports();
