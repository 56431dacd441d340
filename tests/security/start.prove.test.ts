import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';
import { startServer } from '../support/server.ts';

const { folder, remove } = temporaryFolder();
afterAll(remove);

let made = 0;
const newDatabase = () => `file:${join(folder, String(made++), 'saldo.db')}`;

const GOOD_SECRET = 'k3v9x0qaTz7mmPqLr5Ws8Yd2Bn6Gc1Hj4';

describe('T55 · an unsafe start', () => {
  it.each([
    ['a short secret', { SALDO_SECRET: 'corto' }, 'SALDO_SECRET'],
    ['a password that everybody tries', { SALDO_ADMIN_PASSWORD: 'Admin123' }, 'SALDO_ADMIN_PASSWORD'],
  ])(
    '(%s) ends at once, with one line that names the variable and no secret',
    async (_, env: Record<string, string>, name) => {
      const { code, output } = await run(['serve'], { DATABASE_URL: newDatabase(), ...env });
      expect(code).toBe(1);
      expect(output.trim().split('\n')).toHaveLength(1);
      expect(output).toMatch(new RegExp(`${name}: se espera [^\\n]+\\.\\n$`));
      expect(output).not.toContain(env.SALDO_SECRET ?? env.SALDO_ADMIN_PASSWORD ?? 'node_modules');
    },
  );

  it('(a secret file that was emptied) ends at once, with one line', async () => {
    const url = newDatabase();
    const path = join(url.slice('file:'.length), '..');
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, 'secret'), 'x');
    const { code, output } = await run(['serve'], { DATABASE_URL: url });
    expect(code).toBe(1);
    expect(output).toMatch(/^[^\n]*SALDO_SECRET: se espera [^\n]+\n$/);
  });

  it('(the demonstration with its known password, beyond this machine) ends at once', async () => {
    const { code, output } = await run(['serve', '--demo'], { HOST: '0.0.0.0' });
    expect(code).toBe(1);
    expect(output).toMatch(/^[^\n]*SALDO_ADMIN_PASSWORD: se espera [^\n]+\n$/);
  });
});

describe('an impossible start', () => {
  it.each([
    ['HOST', { HOST: 'no.hay.invalid' }, 'HOST: «no.hay.invalid» no es una dirección de esta máquina.'],
    [
      'DATABASE_URL',
      { DATABASE_URL: 'file:/proc/no/saldo.db' },
      'No se pudo crear la base de datos /proc/no/saldo.db: no existe.',
    ],
    ['DATABASE_URL', { DATABASE_URL: 'file:/dev/null' }, 'DATABASE_URL: /dev/null no es un archivo.'],
  ])('with its %s (%o) ends with a sentence, and leaves nothing behind', async (_, env, message) => {
    const url = newDatabase();
    const { code, output } = await run(['serve'], { DATABASE_URL: url, ...env });
    expect(output.trim()).toBe(`saldo: ${message}`);
    expect(code).toBe(1);
    expect(existsSync(url.slice('file:'.length))).toBe(false);
  });

  it('on an occupied port says so before it opens the database', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const url = newDatabase();
    const { output } = await run(['serve'], { DATABASE_URL: url, PORT: String(port) });
    server.close();
    expect(output.trim()).toBe(`saldo: PORT: El puerto ${port} ya está ocupado.`);
    expect(existsSync(url.slice('file:'.length))).toBe(false);
  });
});

describe('T55 · a start without any setting', () => {
  it('beyond this machine warns, and has no default password or secret: both are generated, the password must be changed', async () => {
    const passwords: string[] = [];
    const secrets: string[] = [];
    for (let n = 0; n < 2; n++) {
      const url = newDatabase();
      const none = { SALDO_SECRET: '', SALDO_ADMIN_PASSWORD: '' };
      const server = await startServer({ DATABASE_URL: url, HOST: '0.0.0.0', ...none });
      try {
        expect(server.output()).toContain('over plain http');
        const password = /Contraseña: ([0-9a-z]{8}) /.exec(server.output())?.[1] ?? '';
        const file = join(url.slice('file:'.length), '../secret');
        expect(statSync(file).mode & 0o777).toBe(0o600);
        passwords.push(password);
        secrets.push(readFileSync(file, 'utf8'));
        const entered = await fetch(`${server.url}/api/auth/signin`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ email: 'admin@saldo.test', password }),
        });
        expect(entered.status).toBe(200);
        const { accessToken } = (await entered.json()) as { accessToken: string };
        const list = await fetch(`${server.url}/api/suppliers`, {
          headers: { 'x-access-token': accessToken },
        });
        expect(list.status).toBe(403);
        expect(await list.json()).toMatchObject({ code: 'password_change_required' });
      } finally {
        await server.stop();
      }
    }
    expect(new Set(passwords).size).toBe(2);
    expect(new Set(secrets).size).toBe(2);
  });

  it('serves nothing of the development server, whatever NODE_ENV says, and warns of no proxy that it trusts', async () => {
    const server = await startServer({
      DATABASE_URL: newDatabase(),
      SALDO_SECRET: GOOD_SECRET,
      NODE_ENV: 'development',
      SALDO_URL: 'https://saldo.obras.mx',
      SALDO_TRUST_PROXY: '1',
    });
    try {
      for (const path of ['/_ui', '/@vite/client', '/islands/client.ts', '/server/main.ts'])
        expect((await fetch(server.url + path)).status, path).toBe(404);
      const policy = (await fetch(`${server.url}/login`)).headers.get('content-security-policy');
      expect(policy).toContain("style-src 'self';");
      expect(policy).not.toContain('ws:');
      expect(server.output()).not.toContain('SALDO_TRUST_PROXY');
    } finally {
      await server.stop();
    }
  });
});

function run(args: string[], env: Record<string, string>): Promise<{ code: number | null; output: string }> {
  const script = join(import.meta.dirname, '../../cli/saldo.mjs');
  const { SALDO_SECRET: _, SALDO_ADMIN_PASSWORD: __, ...outer } = process.env;
  const child = spawn(process.execPath, [script, ...args], {
    env: { ...outer, NODE_ENV: 'production', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
}
