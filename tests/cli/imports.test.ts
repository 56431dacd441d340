import { spawn } from 'node:child_process';
import { promises as fs } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildCfdi, SAMPLE_UUID } from '../support/cfdi.ts';
import { runSaldo } from '../support/cli.ts';
import { useFreshDatabase } from '../support/databases.ts';
import { addActor, addJob, addRubro, addSupplier } from '../support/rows.ts';
import { buildZip } from '../support/zip.ts';

let folder: string;
beforeEach(async () => {
  folder = await fs.mkdtemp(join(tmpdir(), 'cfdi-'));
});
afterEach(() => fs.rm(folder, { recursive: true }));

const put = async (name: string, content: string | Buffer): Promise<string> => {
  const path = join(folder, name);
  await fs.writeFile(path, content);
  return path;
};

describe('saldo import cfdi', () => {
  const fresh = useFreshDatabase('sqlite');

  const saldo = async (...args: string[]) =>
    runSaldo(fresh, args, await addActor(fresh.db, { origin: 'cli' }));

  it('imports files, folders and zips into a job and rubro named by name or id, and exits with 0', async () => {
    const jobId = await addJob(fresh.db, { jobtitle: 'Torre Norte' });
    const rubroId = await addRubro(fresh.db, { nombrerubro: 'Materiales' });
    await addSupplier(fresh.db, { rfc: 'EKU9003173C9' });
    const single = await put('a.txt', buildCfdi());
    const other = buildCfdi({
      uuid: SAMPLE_UUID.replace('A', 'C'),
      root: { Folio: '2', Fecha: '2023-01-01T00:00:00' },
    });
    await fs.mkdir(join(folder, 'sub'));
    await put('sub/b.zip', buildZip([{ name: 'in.xml', data: other }]));
    const { out, code } = await saldo(
      ...['import', 'cfdi', single, join(folder, 'sub'), '--job', 'Torre Norte'],
      ...['--rubro', String(rubroId), '--received', '2026-11-19'],
    );
    expect(code).toBe(0);
    expect(out).toMatch(/^Resultado .*\n.*\nImportados +2\n— facturas +2\n/);
    const invoices = await fresh.db.selectFrom('invoices').selectAll().execute();
    expect(invoices).toMatchObject([
      { jobId, rubroId, fecharecepcion: '2026-11-19' },
      { jobId, rubroId, fecharecepcion: '2026-11-19' },
    ]);
    const { source } = await fresh.db.selectFrom('imports').select('source').executeTakeFirstOrThrow();
    expect(source).toBe(`${single}, ${join(folder, 'sub')}`);
  });

  it('prints one JSON document and exits with 3 if a file was refused', async () => {
    await addJob(fresh.db, { jobtitle: 'Torre Norte' });
    const a = await put('a.xml', buildCfdi());
    const b = await put('b.xml', 'no es XML');
    const c = await put('c.xml', buildCfdi({ prefix: 'x' }));
    const d = await put(
      'd.xml',
      buildCfdi({ uuid: null, root: { Folio: '7', Fecha: '2025-01-01T00:00:00' } }),
    );
    const { out, code, log } = await saldo(
      ...['import', 'cfdi', folder, '--job', 'Torre Norte', '--create-suppliers', '--json'],
    );
    expect({ code, log }).toEqual({ code: 3, log: '' });
    expect(JSON.parse(out)).toEqual({
      files: [
        { file: a, outcome: 'created', invoiceId: 1, uuid: SAMPLE_UUID },
        { file: b, outcome: 'refused', reason: 'No es un XML.' },
        { file: c, outcome: 'unchanged', invoiceId: 1, uuid: SAMPLE_UUID },
        { file: d, outcome: 'warned', warnings: [expect.stringContaining('No está timbrado')], invoiceId: 2 },
      ].map((one) => expect.objectContaining(one)),
      created: 2,
      unchanged: 1,
      warned: 1,
      refused: 1,
      linked: 0,
      kinds: { invoices: 2, creditNotes: 0, receipts: 0 },
    });
  });

  it('names every file that was not simply stored, and prints nothing that a terminal would execute', async () => {
    await addJob(fresh.db, { jobtitle: 'Torre Norte' });
    await put('a.xml', buildCfdi());
    await put('b\u001b[31m.xml', '');
    const { out, code } = await saldo('import', 'cfdi', folder, '--job', 'Torre Norte', '--create-suppliers');
    expect(code).toBe(3);
    expect(out).toContain(`rechazado   ${folder}/b�[31m.xml: El archivo está vacío.\n`);
    expect(out).not.toContain('a.xml');
    const again = await saldo('import', 'cfdi', join(folder, 'a.xml'), '--job', 'Torre Norte');
    expect(again).toMatchObject({
      code: 0,
      out: expect.stringContaining(`sin cambio  ${folder}/a.xml (factura 1)\n`),
    });
  });

  it('stores nothing in a dry run, and says so', async () => {
    await addJob(fresh.db, { jobtitle: 'Torre Norte' });
    await put('a.xml', buildCfdi());
    const args = ['import', 'cfdi', folder, '--job', 'Torre Norte', '--create-suppliers', '--dry-run'];
    const { out, code } = await saldo(...args);
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^Simulación: no se guardó nada\.\n(.*\n){2}Se importarían +1\n/),
    ]);
    expect(await fresh.db.selectFrom('invoices').select('id').execute()).toEqual([]);
  });

  it('exits with an error for a missing path or job, and for wrong usage', async () => {
    await addJob(fresh.db, { jobtitle: 'Torre Norte' });
    const good = await put('a.xml', buildCfdi());
    const missing = join(folder, 'no.xml');
    expect(
      await saldo('import', 'cfdi', good, missing, '--job', 'Torre Norte', '--create-suppliers'),
    ).toMatchObject({ code: 1, out: '', log: `saldo: No existe «${missing}».\n` });
    expect(await saldo('import', 'cfdi', good, '--job', 'Torre Sur')).toMatchObject({
      code: 1,
      log: 'saldo: No existe la obra «Torre Sur».\n',
    });
    expect(await saldo('import', 'cfdi', good)).toMatchObject({ code: 2 });
    expect(await saldo('import', 'cfdi', '--job', '1')).toMatchObject({ code: 2 });
    const date = await saldo('import', 'cfdi', good, '--job', 'Torre Norte', '--received', '31/12/2026');
    expect(date).toMatchObject({ code: 2, log: expect.stringContaining('AAAA-MM-DD') });
    expect(await fresh.db.selectFrom('invoices').select('id').execute()).toEqual([]);
  });

  it('exits with 130 on Ctrl-C, leaves nothing half-written, and can be repeated', async () => {
    await addJob(fresh.db, { jobtitle: 'Torre Norte' });
    const many = 200;
    for (let n = 0; n < many; n++) {
      const uuid = `AAAAAAAA-1111-4222-8333-${String(n).padStart(12, '0')}`;
      await put(`${n}.xml`, buildCfdi({ uuid, root: { Folio: String(n) } }));
    }
    const args = ['import', 'cfdi', folder, '--job', 'Torre Norte', '--create-suppliers'];
    expect(await interrupted(args, fresh.database.url)).toEqual({ code: 130, signal: null });
    for (const table of ['invoices', 'suppliers', 'imports', 'audit'] as const)
      expect(await fresh.db.selectFrom(table).select('id').execute()).toEqual([]);
    expect(await saldo(...args)).toMatchObject({ code: 0 });
    expect(await fresh.db.selectFrom('invoices').select('id').execute()).toHaveLength(many);
  });
});

/** Runs the command in a separate process, and sends Ctrl-C when the first file is read. */
function interrupted(args: string[], url: string): Promise<{ code: number | null; signal: string | null }> {
  const cli = join(import.meta.dirname, '../../cli');
  const script = `
    const { run } = await import(${JSON.stringify(join(cli, 'main.ts'))});
    const { createRuntime } = await import(${JSON.stringify(join(cli, 'runtime.ts'))});
    let pressed = false;
    process.stderr.write = (text) => {
      if (!pressed && text.includes(' %')) process.kill(process.pid, 'SIGINT');
      pressed ||= text.includes(' %');
      return true;
    };
    await run(${JSON.stringify(args)}, { ...createRuntime(), isTerminal: true });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, DATABASE_URL: url },
    stdio: 'ignore',
  });
  return new Promise((resolve) => {
    child.on('exit', (code, signal) => resolve({ code, signal }));
  });
}
