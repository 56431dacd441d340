import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { confinement } from '../../../../server/formats/reading/reading.ts';
import { projectRoot } from '../../../../server/root.ts';
import { temporaryFolder } from '../../../support/folder.ts';

/** What a file might make its reader do, and how each of it ends. */
const PROBE = `
import '${join(projectRoot, 'server/formats/reading/no-network.ts')}';
import { readFileSync, writeFileSync } from 'node:fs';
import { execSync } from 'node:child_process';
import net, { connect } from 'node:net';
import http from 'node:http';
import dgram from 'node:dgram';
import dns, { lookup } from 'node:dns';
const ended = {};
const attempt = async (name, work) => {
  ended[name] = await Promise.resolve().then(work).then(() => 'done', (error) => error.cause?.message ?? error.message);
};
await attempt('its own code', () => readFileSync('${join(projectRoot, 'server/root.ts')}'));
await attempt('the secret', () => readFileSync(new URL('secret', import.meta.url)));
await attempt('another environment', () => readFileSync('/proc/' + process.ppid + '/environ'));
await attempt('its own environment', () => readFileSync('/proc/self/environ'));
await attempt('the host', () => readFileSync('/etc/hostname'));
await attempt('writing', () => writeFileSync(new URL('left', import.meta.url), ''));
await attempt('a process', () => execSync('true'));
await attempt('connecting', () => connect(9, '127.0.0.1'));
await attempt('fetching', () => fetch('http://127.0.0.1:8765/'));
await attempt('asking', () => http.get('http://127.0.0.1:8765/'));
await attempt('listening', () => net.createServer().listen(0));
await attempt('sending', () => dgram.createSocket('udp4').send('x', 9, '127.0.0.1'));
await attempt('names', () => lookup('localhost', () => {}));
await attempt('names, promised', () => dns.promises.lookup('localhost'));
console.log(JSON.stringify({ ended, environment: Object.keys(process.env) }));
`;

it('the reading process sees its own code and its file: no secret, no network, nobody’s environment', () => {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  const probe = join(folder, 'probe.mjs');
  writeFileSync(probe, PROBE);
  writeFileSync(join(folder, 'secret'), 'secreto');
  const said = execFileSync(process.execPath, [...confinement([probe]), probe], {
    env: { NODE_ENV: 'production' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const { ended, environment } = JSON.parse(said);
  const { 'its own code': own, ...rest } = ended;
  expect(own).toBe('done');
  expect(
    Object.entries(rest).filter(([, how]) => !/Access to this API|no network/.test(String(how))),
  ).toEqual([]);
  expect(environment).toEqual(['NODE_ENV']);
});
