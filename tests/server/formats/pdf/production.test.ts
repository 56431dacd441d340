import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { migrate } from '../../../../db/migrate.ts';
import { openDatabase } from '../../../../db/open.ts';
import { projectRoot } from '../../../../server/root.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { readPdf } from '../../../support/pdf.ts';
import { addSupplier } from '../../../support/rows.ts';

const { folder, remove } = temporaryFolder();
afterAll(remove);

/** What `npm ci --omit=dev` leaves of the packages, beside what the build made. */
function installForProduction(): void {
  for (const name of ['dist', 'cli', 'package.json'])
    cpSync(join(projectRoot, name), join(folder, name), { recursive: true });
  const lock = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; optional?: boolean }>;
  };
  for (const [path, { dev, optional }] of Object.entries(lock.packages)) {
    const isNested = path.lastIndexOf('node_modules/') > 0;
    if (!path || dev || isNested || (optional && !existsSync(join(projectRoot, path)))) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(join(projectRoot, path), join(folder, path), 'dir');
  }
}

it('a PDF finds its fonts where no package of development is', async () => {
  installForProduction();
  const database = openDatabase(`file:${folder}/saldo.db`, { root: folder, create: true });
  await migrate(database);
  await addSupplier(database.db, { suppliername: 'Łódź Żelbet' });
  await database.close();
  const out = join(folder, 'proveedores.pdf');
  expect(existsSync(join(folder, 'node_modules/source-sans'))).toBe(false);
  execFileSync(
    process.execPath,
    ['--preserve-symlinks', join(folder, 'cli/saldo.mjs'), 'export', 'suppliers', '--out', out],
    {
      env: { ...process.env, NODE_ENV: 'production', DATABASE_URL: `file:${folder}/saldo.db` },
      stdio: 'pipe',
    },
  );
  const { pages } = await readPdf(readFileSync(out));
  expect(pages[0]!.texts).toContain('Łódź Żelbet');
});
