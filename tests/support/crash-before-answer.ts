import { ServerResponse } from 'node:http';

/**
 * This file is loaded into a server before its own code. It kills the server, as a power cut would, when something has
 * been created and the answer about it is about to be sent.
 */
const writeHead = ServerResponse.prototype.writeHead;
ServerResponse.prototype.writeHead = function (this: ServerResponse, ...args: unknown[]) {
  if (args[0] === 201) process.kill(process.pid, 'SIGKILL');
  return Reflect.apply(writeHead, this, args);
} as typeof writeHead;
