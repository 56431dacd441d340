import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { projectRoot } from '../../server/root.ts';
import { temporaryFolder } from '../support/folder.ts';
import { DATABASES_VARIABLE } from '../support/zone-setup.ts';

/** The suites about days, weeks and due dates. */
const SUITES = [
  'tests/shared/dates.test.ts',
  'tests/shared/balances.test.ts',
  'tests/security/business-day.test.ts',
  'tests/server/services/balances/balances.test.ts',
];

const ZONES = ['UTC', 'America/Mexico_City', 'Europe/Madrid', 'Pacific/Kiritimati'];

describe('the rules about dates', () => {
  it.each(ZONES)('T41 · hold on a server whose clock is in %s', async (zone) => {
    for (const suite of SUITES) expect(existsSync(join(projectRoot, suite)), suite).toBe(true);
    const { total, failed } = await runSuites(zone);
    expect(failed).toEqual([]);
    expect(total).toBeGreaterThan(100);
  });
});

interface Report {
  numTotalTests: number;
  testResults: Array<{
    name: string;
    message: string;
    status: string;
    assertionResults: Array<{ status: string; fullName: string; failureMessages: string[] }>;
  }>;
}

/** Runs the suites in a process in this zone, on this run's PostgreSQL. */
async function runSuites(zone: string): Promise<{ total: number; failed: string[] }> {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'));
  const databases = {
    folder: inject('folder'),
    sqliteTemplate: inject('sqliteTemplate'),
    postgresServer: inject('postgresServer'),
    postgresTemplate: inject('postgresTemplate'),
  };
  const env = { ...Object.fromEntries(own), TZ: zone, [DATABASES_VARIABLE]: JSON.stringify(databases) };
  const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
  const config = join(projectRoot, 'tests/support/zone-config.ts');
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  const file = join(folder, 'report.json');
  const args = [vitest, 'run', '--config', config, '--reporter=json', `--outputFile=${file}`, ...SUITES];
  const output = await new Promise<string>((resolve) => {
    const options = { cwd: projectRoot, env, maxBuffer: 64 * 1024 * 1024 };
    execFile(process.execPath, args, options, (_failed, stdout, stderr) => resolve(stdout + stderr));
  });
  if (!existsSync(file)) throw new Error(output);
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
  const failed = report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const broken = assertionResults.filter((one) => one.status === 'failed');
    if (status === 'failed' && broken.length === 0) return [`${name}: ${message}`];
    return broken.map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages[0]}`);
  });
  return { total: report.numTotalTests, failed };
}
