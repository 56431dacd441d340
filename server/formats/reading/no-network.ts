import dgram from 'node:dgram';
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

/**
 * Imported first by the reading process, which has nobody to talk to: no connection out or in, and no name looked
 * up, by whatever a file makes its reader do. Node's permissions know files and processes, and no network.
 */
const refuse = (): never => {
  throw new Error('the reading process has no network');
};

net.Socket.prototype.connect = refuse;
net.Server.prototype.listen = refuse;
dgram.Socket.prototype.bind = refuse;
dgram.Socket.prototype.send = refuse;
dgram.Socket.prototype.connect = refuse;
for (const name of Object.keys(dns) as (keyof typeof dns)[]) {
  if (/^(lookup|resolve|reverse)/.test(name)) Object.assign(dns, { [name]: refuse });
}
Object.assign(dns.promises, { lookup: refuse, resolve: refuse, reverse: refuse });
syncBuiltinESMExports();
