import { ServerResponse } from 'node:http';

/**
 * Loaded into a server before its own code: ends it as a power cut would at the moment when something has been
 * created and the answer that says so is about to be sent.
 */
const writeHead = ServerResponse.prototype.writeHead;
ServerResponse.prototype.writeHead = function (this: ServerResponse, ...args: unknown[]) {
  if (args[0] === 201) process.kill(process.pid, 'SIGKILL');
  return Reflect.apply(writeHead, this, args);
} as typeof writeHead;
