import { ServerResponse } from 'node:http';

/** Loaded into a server, this kills it, as a power cut would, between a creation and its answer. */
const writeHead = ServerResponse.prototype.writeHead;
ServerResponse.prototype.writeHead = function (this: ServerResponse, ...args: unknown[]) {
  if (args[0] === 201) process.kill(process.pid, 'SIGKILL');
  return Reflect.apply(writeHead, this, args);
} as typeof writeHead;
