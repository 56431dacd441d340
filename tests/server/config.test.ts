import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { ensureSecret, readConfig, VARIABLE_DEFAULTS } from '../../server/config.ts';

let made = 0;
const newRoot = () => join(inject('folder'), 'databases', `config-${process.pid}-${made++}`);

describe('the environment', () => {
  it('may be empty: every variable has a default', () => {
    const root = newRoot();
    expect(readConfig({}, root)).toEqual({
      port: 3000,
      host: '127.0.0.1',
      databaseUrl: 'file:./data/saldo.db',
      dataFolder: join(root, 'data'),
      secret: '',
      adminEmail: undefined,
      adminPassword: undefined,
      url: undefined,
      trustedProxies: 0,
      cliUsername: undefined,
      metricsPort: undefined,
      timeZone: 'America/Mexico_City',
      logLevel: 'info',
    });
  });

  it('is read as given', () => {
    const env = {
      PORT: ' 8080 ',
      HOST: '0.0.0.0',
      DATABASE_URL: 'postgres://u@db/saldo',
      SALDO_SECRET: 'k3v9x0qaTz7mmPqLr5Ws8Yd2Bn6Gc1Hj4',
      SALDO_ADMIN_EMAIL: 'jefa@obras.mx',
      SALDO_ADMIN_PASSWORD: ' ladrillo rojo ',
      SALDO_URL: 'https://Saldo.Obras.mx/',
      SALDO_TRUST_PROXY: '2',
      SALDO_USER: 'ana',
      TZ_BUSINESS: 'America/Tijuana',
      LOG_LEVEL: 'debug',
      METRICS_PORT: '9464',
      SALDO_ANCHOR: 'https://testigo.obras.mx/saldo',
      SMTP_URL: 'smtps://ana%40obras.mx:s%C3%AD%2Fno@correo.obras.mx',
      MAIL_FROM: 'Pagos <pagos@obras.mx>',
    };
    expect(Object.keys(env).sort()).toEqual(Object.keys(VARIABLE_DEFAULTS).sort());
    expect(readConfig(env, '/srv/saldo')).toEqual({
      port: 8080,
      host: '0.0.0.0',
      databaseUrl: 'postgres://u@db/saldo',
      dataFolder: '/srv/saldo/data',
      secret: env.SALDO_SECRET,
      adminEmail: 'jefa@obras.mx',
      adminPassword: ' ladrillo rojo ',
      url: 'https://saldo.obras.mx',
      trustedProxies: 2,
      cliUsername: 'ana',
      metricsPort: 9464,
      auditAnchor: { url: 'https://testigo.obras.mx/saldo' },
      mail: {
        from: { name: 'Pagos', address: 'pagos@obras.mx' },
        server: {
          ...{ host: 'correo.obras.mx', port: 465, secure: true, requireTLS: false, ignoreTLS: false },
          login: { user: 'ana@obras.mx', pass: 'sí/no' },
        },
      },
      timeZone: 'America/Tijuana',
      logLevel: 'debug',
    });
  });

  it.each([
    ['PORT', 'x'],
    ['PORT', '-1'],
    ['PORT', '65536'],
    ['PORT', '1e3'],
    ['DATABASE_URL', 'mysql://x'],
    ['DATABASE_URL', 'saldo.db'],
    ['DATABASE_URL', 'file:'],
    ['SALDO_SECRET', 'corto'],
    ['SALDO_SECRET', 'x'.repeat(64)],
    ['SALDO_ADMIN_EMAIL', 'jefa'],
    ['SALDO_ADMIN_PASSWORD', 'corta'],
    ['SALDO_ADMIN_PASSWORD', 'password1'],
    ['SALDO_ADMIN_PASSWORD', 'butterfly'],
    ['SALDO_URL', 'saldo.obras.mx'],
    ['SALDO_URL', 'ftp://saldo.obras.mx'],
    ['SALDO_URL', 'http://saldo.obras.mx'],
    ['SALDO_URL', 'http://10.0.0.7:3000'],
    ['SALDO_URL', 'http://127.0.0.1.evil.example'],
    ['SALDO_URL', 'https://saldo.obras.mx/app'],
    ['SALDO_URL', 'https://a:b@saldo.obras.mx'],
    ['SALDO_URL', 'https://saldo.obras.mx/?x=1'],
    ['SALDO_TRUST_PROXY', 'true'],
    ['SALDO_TRUST_PROXY', '11'],
    ['TZ_BUSINESS', 'Mexico'],
    ['LOG_LEVEL', 'loud'],
    ['METRICS_PORT', 'x'],
    ['METRICS_PORT', '65536'],
    ['METRICS_PORT', '127.0.0.1:9464'],
    ['SALDO_ANCHOR', 'anclas.jsonl'],
    ['SALDO_ANCHOR', 'http://testigo.obras.mx/'],
    ['SALDO_ANCHOR', 'https://a:b@testigo.obras.mx/'],
    ['SALDO_ANCHOR', 'ftp://testigo.obras.mx/'],
  ])('with a wrong %s («%s») stops with one line that names it', (name, value) => {
    const read = () => readConfig({ [name]: value }, newRoot());
    expect(read).toThrow(new RegExp(`^${name}: se espera [^\\n]+\\.$`));
  });

  it.each([
    ['smtp://ana:x@localhost:2525', { host: 'localhost', port: 2525, secure: false, ignoreTLS: true }],
    ['smtp://[::1]', { host: '::1', port: 587, ignoreTLS: true }],
    ['smtp://correo.obras.mx:25', { host: 'correo.obras.mx', port: 25, requireTLS: false, ignoreTLS: false }],
    ['smtp://ana:x@correo.obras.mx?requireTLS=true', { port: 587, secure: false, requireTLS: true }],
  ])('may name a mail server as %s', (SMTP_URL, server) => {
    const { mail } = readConfig({ SMTP_URL, MAIL_FROM: 'pagos@obras.mx' }, newRoot());
    expect(mail).toMatchObject({ from: { name: '', address: 'pagos@obras.mx' }, server });
  });

  const withServer = (MAIL_FROM: string) =>
    ['MAIL_FROM', { SMTP_URL: 'smtp://localhost', MAIL_FROM }] as const;
  const withSender = (SMTP_URL: string) => ['SMTP_URL', { SMTP_URL, MAIL_FROM: 'pagos@obras.mx' }] as const;

  it.each([
    withServer(''),
    withServer('a@b.mx, c@d.mx'),
    withServer('pagos'),
    withServer('Pagos <pagos@obras.mx'),
    withServer('Pagos\r\nBcc: x <a@b.mx>'),
    withServer('<a@b.mx> c@d.mx'),
    withSender(''),
    withSender('correo.obras.mx'),
    withSender('http://correo.obras.mx'),
    withSender('smtp://'),
    withSender('smtp://ana:x@correo.obras.mx'),
    withSender('smtp://ana:x@127.0.0.1.evil.example'),
    withSender('smtp://ana@localhost'),
    withSender('smtp://:x@localhost'),
    withSender('smtp://a%2:x@localhost'),
    withSender('smtp://local host'),
    withSender('smtp://localhost/buzon'),
    withSender('smtp://localhost?secure=false'),
    withSender('smtp://localhost?requireTLS=true&ignoreTLS=true'),
  ])('T64 · stops at %s of %j', (name, env) => {
    expect(() => readConfig(env, newRoot())).toThrow(new RegExp(`^${name}: se espera [^\\n]+\\.$`));
  });

  it.each(['http://127.0.0.1:3000', 'http://localhost', 'http://[::1]:3000', 'http://saldo.localhost:8080'])(
    'may name %s over plain http, since that is this machine',
    (url) => {
      expect(readConfig({ SALDO_URL: url }, newRoot()).url).toBe(url);
    },
  );

  it('must hold a secret where the database is PostgreSQL', () => {
    expect(() => readConfig({ DATABASE_URL: 'postgres://u@db/saldo' }, '/')).toThrow(
      /^SALDO_SECRET: se espera/,
    );
  });
});

describe('the generated secret', () => {
  it('is made once the database exists, stays next to it, readable by its owner alone, and is used at every later start', () => {
    const root = newRoot();
    expect(readConfig({}, root).secret).toBe('');
    expect(existsSync(join(root, 'data'))).toBe(false);
    expect(ensureSecret(readConfig({}, root)).secret).toMatch(/^[\w-]{43}$/);
    const { secret } = readConfig({}, root);
    const file = join(root, 'data/secret');
    expect(readFileSync(file, 'utf8')).toBe(secret);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(root, 'data')).mode & 0o777).toBe(0o700);
    expect(ensureSecret(readConfig({}, root)).secret).toBe(secret);
    expect(ensureSecret(readConfig({}, newRoot())).secret).not.toBe(secret);
  });
});
