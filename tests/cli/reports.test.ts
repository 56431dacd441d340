import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runSaldo } from '../support/cli.ts';
import { describeOneDatabase } from '../support/proofs.ts';
import { addInvoice, addJob, addSupplier } from '../support/rows.ts';

describeOneDatabase('saldo report balances', (fresh) => {
  let folder = '';
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'saldo-reporte-'));
    const { db } = fresh;
    const jobId = await addJob(db, { jobtitle: 'Torre' });
    const supplierId = await addSupplier(db, { suppliername: 'Aceros', diascredito: 20 });
    const invoice = { supplierId, jobId, fechaemision: '2026-11-10' };
    await addInvoice(db, { ...invoice, numfactura: 'A-1', fechavencimiento: '2026-11-18' });
    await addInvoice(db, { ...invoice, numfactura: 'A-2' });
    await addInvoice(db, { ...invoice, numfactura: 'B-1', supplierId: await addSupplier(db) });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  async function run(...args: string[]) {
    const { out, log, code } = await runSaldo(fresh, ['report', 'balances', ...args]);
    return { printed: out, logged: log, code };
  }

  it('shows a table', async () => {
    const { printed } = await run('--supplier', 'Aceros');
    expect(printed.split('\n').map((line) => line.replace(/ {2,}/g, ' | '))).toEqual([
      'Saldos por proveedor al 2026-11-20',
      '',
      'Proveedor | Obra | Factura | ANTERIORES | SEM 47 | SEM 48 | SEM 49 | Total',
      expect.stringMatching(/^─/),
      'Aceros | Torre | A-1 | $1,160.00 | $1,160.00',
      'Aceros | Torre | A-2 * | $1,160.00 | $1,160.00',
      ' | Total Aceros | $1,160.00 | $1,160.00 | $2,320.00',
      'Total general | $1,160.00 | $1,160.00 | $2,320.00',
      '* vencimiento estimado',
      '',
    ]);
  });

  it('prints the API’s rows as one JSON document', async () => {
    const { printed } = await run('--format', 'json', '--week', '48', '--year', '2026', '--job', 'torre');
    const rows = JSON.parse(printed);
    expect(rows).toHaveLength(6);
    expect(rows.at(-1)).toEqual({
      suppliername: 'Total general',
      jobtitle: '',
      numfactura: '',
      isSummary: true,
      ANTERIORES: 2320,
      'SEM 48': 0,
      'SEM 49': 1160,
      total: 3480,
    });
    expect((await run('--json', '--week', '48', '--job', 'Torre')).printed).toBe(printed);
  });

  it('writes a file whole, and nothing beside it', async () => {
    const file = join(folder, 'saldos.csv');
    const { printed, logged } = await run('--format', 'csv', '--out', file);
    expect(printed).toBe('');
    expect(logged).toContain('3 facturas');
    expect(readFileSync(file, 'utf8')).toMatch(/^\ufeffProveedor,Obra,Factura,.*\r\n(.|\r\n)*Total general/);
    expect(readdirSync(folder)).toEqual(['saldos.csv']);
    const nowhere = join(folder, 'no', 'hay.csv');
    const refused = await run('--format', 'csv', '--out', nowhere);
    expect(refused.code).toBe(1);
    expect(refused.logged).toContain('No se pudo escribir');
  });

  it('takes a past corte, and says what it cannot take', async () => {
    expect((await run('--corte', '2026-11-09')).printed).toContain('Total general');
    expect((await run('--supplier', 'Nadie')).code).toBe(1);
    expect((await run('--corte', 'ayer')).code).toBe(2);
    expect((await run('--week', '60')).code).toBe(2);
    expect((await run('--week', 'x')).code).toBe(2);
    expect((await run('--format', 'doc')).code).toBe(2);
  });
});
