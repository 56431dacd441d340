import { execFile, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  findIsolationCommand,
  listPermissionFlags,
  type ReaderFault,
  readIsolated,
  setReaderFaultListener,
} from '../../../../server/formats/reading/isolated-reader.ts';
import { projectRoot } from '../../../../server/root.ts';
import { DomainError } from '../../../../shared/errors.ts';
import { temporaryFolder } from '../../../support/folder.ts';

/**
 * Attempts of a compromised reader process to reach the outside, through Node's public modules and its internal
 * bindings.
 */
const PROBE = `
import { createRequire } from 'node:module';
const { closed, folder, tcp, udp, pipe, victim } = JSON.parse(process.argv[2]);
if (closed) await import(closed);
const require = createRequire(import.meta.url);
const fs = require('node:fs'), net = require('node:net'), dgram = require('node:dgram'), dns = require('node:dns');
const http = require('node:http'), tls = require('node:tls'), os = require('node:os'), v8 = require('node:v8');
const ended = {};
process.on('uncaughtException', () => undefined);
const attempt = async (name, work) => {
  let timer;
  const late = new Promise((done) => { timer = setTimeout(done, 3000, 'nothing came of it'); });
  ended[name] = await Promise.race([
    Promise.resolve().then(work).then((value) => value === undefined ? 'nothing came of it' : 'done', (error) => 'refused: ' + (error.cause?.message ?? error.code ?? error.message)),
    late,
  ]);
  clearTimeout(timer);
};
const once = (emitter, ...events) => new Promise((done, fail) => {
  emitter.on('error', fail);
  for (const event of events) emitter.on(event, () => done(true));
});
const file = (name) => folder + '/' + name;
await attempt('control: its own code', () => fs.readFileSync('${join(projectRoot, 'dist/server/reader.js')}'));

// the database
await attempt('node:sqlite, required', () => new (require('node:sqlite').DatabaseSync)(file('saldo.db')).prepare('SELECT * FROM user').all());
await attempt('node:sqlite, imported', async () => new (await import('node:sqlite')).DatabaseSync(file('saldo.db')).exec('DELETE FROM user'));
await attempt('node:sqlite, built in', () => process.getBuiltinModule('node:sqlite').DatabaseSync);
await attempt('better-sqlite3', () => new (require('${join(projectRoot, 'node_modules/better-sqlite3')}'))(file('saldo.db')).prepare('SELECT * FROM user').all());

// files
await attempt('the secret', () => fs.readFileSync(file('secret')));
await attempt('the secret, opened', () => fs.openSync(file('secret')));
await attempt('the secret, as a blob', async () => (await fs.openAsBlob(file('secret'))).text());
await attempt('the secret, streamed', () => once(fs.createReadStream(file('secret')), 'data'));
await attempt('the secret, as a module', () => import(file('secret')));
await attempt('the secret, as variables', () => { process.loadEnvFile(file('secret')); return true; });
await attempt('the folder', () => fs.readdirSync(folder));
await attempt('another environment', () => fs.readFileSync('/proc/' + victim + '/environ'));
await attempt('its own environment', () => fs.readFileSync('/proc/self/environ'));
await attempt('the host', () => fs.readFileSync('/etc/hostname'));
await attempt('writing', () => fs.writeFileSync(file('left'), '') ?? true);
await attempt('writing beside its code', () => fs.writeFileSync('${join(projectRoot, 'server/left')}', '') ?? true);
await attempt('linking', () => fs.symlinkSync(file('secret'), file('left')) ?? true);
await attempt('dating', () => fs.utimesSync('${join(projectRoot, 'package.json')}', 0, 0) ?? true);
await attempt('a report', () => process.report.writeReport(file('left')));
await attempt('a snapshot', () => v8.writeHeapSnapshot(file('left')));
await attempt('a trace', () => require('node:trace_events').createTracing({ categories: ['v8'] }).enable() ?? true);
await attempt('open files', () => {
  const open = Array.from({ length: 256 }, (_, one) => one).filter((one) => { try { return fs.fstatSync(one).isFile(); } catch {} });
  if (open.length === 0) throw new Error('none');
  return true;
});

// programs and code
await attempt('a program', () => require('node:child_process').execSync('true'));
await attempt('becoming a program', () => process.execve('/bin/true', [], {}));
await attempt('a thread', () => new (require('node:worker_threads').Worker)('1', { eval: true }));
await attempt('a cluster', () => require('node:cluster').fork());
await attempt('WASI', () => new (require('node:wasi').WASI)({ version: 'preview1' }));
await attempt('the inspector', () => require('node:inspector').open(0) ?? true);
await attempt('an addon', () => process.dlopen({ exports: {} }, '${join(projectRoot, 'node_modules/better-sqlite3')}/build/Release/better_sqlite3.node') ?? true);
await attempt('an engine', () => require('node:crypto').setEngine('/tmp/engine.so') ?? true);
await attempt('flags of V8', () => v8.setFlagsFromString('--allow-natives-syntax') ?? true);
for (const name of ['tcp_wrap', 'udp_wrap', 'pipe_wrap', 'cares_wrap', 'fs', 'sqlite', 'spawn_sync']) {
  await attempt('binding ' + name, () => process.binding(name));
  await attempt('linked binding ' + name, () => process._linkedBinding(name));
}

// connections
await attempt('connecting', () => once(net.connect(tcp, '127.0.0.1'), 'connect'));
await attempt('connecting by name', () => once(net.connect(tcp, 'localhost'), 'connect'));
await attempt('connecting a socket', () => once(new net.Socket().connect({ port: tcp, host: '127.0.0.1' }), 'connect'));
await attempt('connecting to a path', () => once(net.connect(pipe), 'connect'));
await attempt('TLS', () => once(tls.connect(tcp, '127.0.0.1'), 'connect', 'end'));
await attempt('fetching', () => fetch('http://127.0.0.1:' + tcp + '/'));
await attempt('asking', () => once(http.get('http://127.0.0.1:' + tcp + '/'), 'socket', 'response'));
await attempt('a WebSocket', () => new Promise((done, fail) => { const one = new WebSocket('ws://127.0.0.1:' + tcp); one.onopen = done; one.onerror = () => fail(new Error('the reading process is closed')); }));
await attempt('HTTP/2', () => once(require('node:http2').connect('http://127.0.0.1:' + tcp), 'connect'));
await attempt('listening', () => once(net.createServer().listen(0), 'listening'));
await attempt('listening below it', () => { const one = net.createServer(); one._listen2(null, 0, 4); return once(one, 'listening'); });
await attempt('a raw server', () => net._createServerHandle('127.0.0.1', 0, 4).listen(1) === 0);
await attempt('a raw pipe', () => typeof net._createServerHandle(file('left'), -1, -1) === 'object');
await attempt('a bound socket', () => new net.BoundSocket({ host: '127.0.0.1', port: 0 }));
await attempt('sending', () => new Promise((done, fail) => dgram.createSocket('udp4').on('error', fail).send('x', udp, '127.0.0.1', (error) => error ? fail(error) : done(true))));
await attempt('binding a port', () => once(dgram.createSocket('udp4').bind(0), 'listening'));
await attempt('a raw datagram', () => dgram._createSocketHandle('127.0.0.1', 0, 'udp4').fd);
const inner = (one) => Object.getPrototypeOf(one._handle);
await attempt('a handle of its own', () => new (inner(dgram.createSocket('udp4')).constructor)().bind('127.0.0.1', 0, 0) === 0);
await attempt('opening what was closed', () => {
  for (const name of ['bind', 'send', 'open']) delete inner(dgram.createSocket('udp4'))[name];
  return true;
});
await attempt('handles in use', () => process._getActiveHandles());

// names
await attempt('names', () => new Promise((done, fail) => dns.lookup('localhost', (error, found) => error ? fail(error) : done(found))));
await attempt('names, promised', () => dns.promises.lookup('localhost'));
await attempt('names of services', () => dns.promises.lookupService('127.0.0.1', 22));
for (const way of ['resolve', 'resolve4', 'resolveTxt', 'reverse']) {
  await attempt(way, () => dns.promises[way]('127.0.0.1'));
  await attempt(way + ' of a resolver', () => new Promise((done, fail) => new dns.Resolver()[way]('127.0.0.1', (error, found) => error ? fail(error) : done(found))));
  await attempt(way + ' of a resolver, promised', () => new dns.promises.Resolver()[way]('127.0.0.1'));
}

// other processes
for (const signal of [0, 'SIGUSR2']) await attempt('signal ' + signal, () => process.kill(victim, signal));
await attempt('a raw signal', () => process._kill(victim, 0) === 0);
await attempt('a debugger', () => process._debugProcess(victim) ?? true);
await attempt('a priority', () => os.setPriority(victim, 5) ?? true);
await attempt('another user', () => process.setuid(process.getuid()) ?? true);
fs.writeSync(1, JSON.stringify({ ended, environment: Object.keys(process.env) })); // console.log would open a pipe
process.exit();
`;

async function listening(server: Server, where: number | string) {
  await new Promise<void>((done) => server.listen(where as number, () => done()));
  onTestFinished(() => void server.close());
  return server.address();
}

/** Runs the probe beside servers that note every contact; returns the contacts and how each attempt ended. */
async function attempts({ wrapper = [], closed }: { wrapper?: readonly string[]; closed?: string }) {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  const probe = join(folder, 'probe.mjs');
  writeFileSync(probe, PROBE);
  writeFileSync(join(folder, 'secret'), 'secreto');
  const contacts: string[] = [];
  const hear = (what: string) =>
    createServer((socket) => {
      contacts.push(what);
      socket.destroy();
    });
  const { port: tcp } = (await listening(hear('a connection'), 0)) as AddressInfo;
  const pipe = join(folder, 'pipe');
  await listening(hear('a connection to a path'), pipe);
  const udp = createSocket('udp4', () => contacts.push('a datagram'));
  await new Promise<void>((done) => udp.bind(0, '127.0.0.1', done));
  onTestFinished(() => void udp.close());
  const victim = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 60000)'], { stdio: 'ignore' });
  const gone = new Promise<void>((done) =>
    victim.on('exit', (_, signal) => {
      if (signal === 'SIGUSR2') contacts.push('a signal');
      done();
    }),
  );
  const facts = { closed, folder, tcp, udp: udp.address().port, pipe, victim: victim.pid };
  const command = [
    ...wrapper,
    process.execPath,
    ...listPermissionFlags(closed ? [probe, closed] : [probe]),
    '--no-warnings',
    probe,
  ];
  const output = await new Promise<string>((done, fail) =>
    execFile(
      command[0] ?? '',
      [...command.slice(1), JSON.stringify(facts)],
      { env: { NODE_ENV: 'production' } },
      (error, stdout) => (error ? fail(error) : done(stdout)),
    ),
  );
  const answer: { ended: Record<string, string>; environment: string[] } = JSON.parse(output);
  victim.kill('SIGKILL');
  await gone;
  return { ...answer, contacts };
}

/** The errors of a refused attempt; any other error may be a mistake in the probe. */
const CLOSED =
  /ERR_ACCESS_DENIED|ERR_UNKNOWN_BUILTIN|NOT_SUPPORTED|process is closed|'DatabaseSync'|none|Cannot delete/;
const CLOSING = join(projectRoot, 'server/formats/reading/restrict-process.ts');
const wrapper = await findIsolationCommand();

describe('the process that reads files', () => {
  it.each([[[]], [wrapper]])(
    'sees its own code and its file, and reaches nothing and nobody: %s',
    async (wrapper) => {
      const { ended, environment, contacts } = await attempts({ wrapper, closed: CLOSING });
      const { 'control: its own code': own, ...rest } = ended;
      expect(own).toBe('done');
      expect(Object.keys(rest).length).toBeGreaterThan(80);
      expect(Object.entries(rest).filter(([, how]) => !CLOSED.test(how))).toEqual([]);
      expect(contacts).toEqual([]);
      expect(environment).toEqual(['NODE_ENV']);
    },
  );

  it.runIf(wrapper.length > 0)(
    'has its own network and process namespaces if the system permits, whatever its code closes',
    async () => {
      const { ended, contacts } = await attempts({ wrapper });
      // On this path only the reader's own restrictions stop it.
      expect(contacts).toEqual(['a connection to a path']);
      expect(ended).toMatchObject({
        'signal 0': 'refused: ESRCH',
        'a priority': 'refused: ERR_SYSTEM_ERROR',
      });
      expect((await attempts({})).contacts).toEqual(
        expect.arrayContaining(['a connection', 'a connection to a path', 'a datagram', 'a signal']),
      );
    },
  );

  it('reports which file crashed it and where in the code, and nothing of the file’s contents', async () => {
    const faults: ReaderFault[] = [];
    setReaderFaultListener((fault) => faults.push(fault));
    onTestFinished(() => setReaderFaultListener(() => undefined));
    const bytes = { buffer: 20261126 } as unknown as Uint8Array;
    await expect(readIsolated('cfdi', { name: 'factura.xml', bytes })).rejects.toThrow(DomainError);
    expect(faults).toEqual([
      { file: 'factura.xml', stack: expect.stringMatching(/^TypeError\n {4}at [\s\S]*reader\.(ts|js)/) },
    ]);
    expect(JSON.stringify(faults)).not.toContain('20261126');
  });
});
