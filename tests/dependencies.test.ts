import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { projectRoot } from '../server/root.ts';

interface Locked {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  hasInstallScript?: boolean;
}

const lock = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Locked>;
};
const installed = Object.entries(lock.packages).filter(([path]) => path !== '');

/** Older versions have published vulnerabilities in code that is used here. */
const FLOORS: Record<string, string> = {
  hono: '4.12.25',
  '@hono/node-server': '2.0.0',
  'better-auth': '1.7.0',
  kysely: '0.28.12',
};

/** Packages that must not be installed, not even as dependencies of others. */
const REFUSED = /\/(xlsx|react-server-dom-[a-z]+)$/;

describe('dependencies', () => {
  it.each(Object.entries(FLOORS))('%s is not below %s', (name, floor) => {
    expect(compare(lock.packages[`node_modules/${name}`]?.version ?? '0', floor)).toBeGreaterThanOrEqual(0);
  });

  it('include SQLite with the fix for the reset of its write-ahead log (3.51.3)', () => {
    const version = new Database(':memory:').prepare('select sqlite_version()').pluck().get() as string;
    expect(compare(version, '3.51.3')).toBeGreaterThanOrEqual(0);
  });

  it('are pinned to one version each, with a checksum and no address in the lock file', () => {
    const all = {
      ...packageJson.dependencies,
      ...packageJson.devDependencies,
      ...packageJson.optionalDependencies,
    };
    for (const [name, version] of Object.entries(all))
      expect(version, name).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
    for (const [path, { integrity, resolved }] of installed) {
      expect(integrity, path).toMatch(/^sha512-/);
      expect(resolved, path).toBeUndefined();
    }
  });

  it('run no install script, and none of them needs one that is refused', () => {
    const allowed: Record<string, boolean> = packageJson.allowScripts;
    for (const [path, { hasInstallScript }] of installed) {
      expect(path).not.toMatch(REFUSED);
      if (hasInstallScript) expect(allowed[path.replace(/^.*node_modules\//, '')], path).toBe(false);
    }
  });
});

function compare(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split(/[.-]/).map(Number));
  for (let i = 0; i < 3; i++) {
    const difference = (left?.[i] ?? 0) - (right?.[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
