import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMovement } from '../../server/services/petty-cash/movements.ts';
import { runSaldo } from '../support/cli.ts';
import { parseCsv } from '../support/csv.ts';
import { useFreshDatabase } from '../support/databases.ts';
import { readPdf } from '../support/pdf.ts';
import { addFund, createExpenseValues } from '../support/petty-cash.ts';
import { addActor, addInvoice, addJob, addRubro, addSupplier, createActor } from '../support/rows.ts';
import { readXlsx } from '../support/xlsx.ts';

describe('saldo export', () => {
  const fresh = useFreshDatabase('sqlite');
  let folder = '';
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'saldo-export-'));
    const { db } = fresh;
    const jobId = await addJob(db, { jobtitle: 'Torre' });
    const supplierId = await addSupplier(db, { suppliername: 'Aceros' });
    const rubroId = await addRubro(db, { nombrerubro: 'Acero' });
    await addInvoice(db, {
      supplierId,
      jobId,
      rubroId,
      numfactura: 'A-1',
      fechaemision: '2026-11-01',
      fechavencimiento: '2026-11-18',
    });
    await addInvoice(db, {
      supplierId,
      jobId,
      numfactura: 'A-2',
      fechaemision: '2026-11-10',
      subtotalCents: 5_000,
    });
    await addInvoice(db, { jobId, numfactura: 'B-1', fechaemision: '2026-10-10' });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const run = (...args: string[]) => runSaldo(fresh, ['export', ...args]);

  it.each([
    ['--supplier Aceros --rubro 0', ['A-2']],
    ['--from 2026-11-01 --to 2026-11-05', ['A-1']],
    ['--due-from 2026-11-01 --due-to 2026-11-18', ['A-1', 'A-2']],
    ['--status sin-vencimiento --desc', ['B-1', 'A-2']],
    ['--number a- --sort total', ['A-2', 'A-1']],
    ['--corte 2026-10-31', ['B-1']],
  ])('narrows and sorts by %s', async (options, numbers) => {
    const { out } = await run('invoices', ...options.split(' '));
    expect(parseCsv(out).rows.map(({ Factura }) => Factura)).toEqual(numbers);
  });

  it('exports the petty cash funds, or the movements of one', async () => {
    const { db } = fresh;
    const as = await addActor(db);
    const draft = { nombre: 'Caja Ñandú', openedOn: '2026-11-01', aperturaCents: 50_000 };
    const { id } = await addFund(db, draft);
    await createMovement(
      db,
      as,
      id,
      createExpenseValues({ fecha: '2026-11-05', concepto: 'Taxi', importeCents: 12_000 }),
    );
    expect(parseCsv((await run('caja-chica')).out).rows).toMatchObject([
      { Caja: 'Caja Ñandú', Saldo: '380.00' },
    ]);
    const one = await run('caja-chica', '--fund', 'caja nandu');
    expect(one.code).toBe(0);
    expect(parseCsv(one.out).rows.map((row) => row.Concepto)).toContain('Taxi');
    expect((await run('caja-chica', '--fund', String(id), '--from', '2026-11-06')).out).not.toContain('Taxi');
    expect((await run('caja-chica', '--fund', 'Otra')).code).toBe(1);
  });

  it('says what it cannot accept before it writes anything', async () => {
    for (const args of [
      ['invoices', '--status', 'roja'],
      ['invoices', '--from', 'ayer'],
      ['invoices', '--due-to', 'mañana'],
      ['invoices', '--format', 'doc'],
      ['invoices', '--sort', 'color'],
      ['payments', '--status', 'pagada'],
      ['payments', '--kind', 'cheque'],
      ['payments', '--rep', 'quizá'],
      ['nada'],
      ['results', '--from', '2026-11-02', '--to', '2026-11-01'],
    ])
      expect((await run(...args)).code, args.join(' ')).toBe(2);
    expect((await run('invoices', '--supplier', 'Nadie')).code).toBe(1);
  });

  it('writes each format into its file, recognised by the ending, and says how many rows it has', async () => {
    const at = (ending: string) => join(folder, `facturas.${ending}`);
    for (const ending of ['csv', 'json', 'xlsx', 'pdf']) {
      const { out, log, code } = await run('invoices', '--supplier', 'Aceros', '--out', at(ending));
      expect([out, code]).toEqual(['', 0]);
      expect(log).toContain(`facturas.${ending}: 2 facturas`);
    }
    expect(parseCsv(readFileSync(at('csv'), 'utf8')).rows).toHaveLength(2);
    expect(JSON.parse(readFileSync(at('json'), 'utf8'))).toHaveLength(2);
    expect((await readXlsx(readFileSync(at('xlsx')))).rows).toHaveLength(2);
    expect((await readPdf(readFileSync(at('pdf')))).pages[0]?.texts).toContain('2 facturas');
    expect(readdirSync(folder)).toHaveLength(4);
  });

  it('replaces a file only when the new one is complete, and leaves nothing beside it', async () => {
    const out = join(folder, 'facturas.csv');
    writeFileSync(out, 'la de ayer');
    await fresh.db.schema.alterTable('rubros').renameTo('rubros_ausentes').execute();
    expect((await run('invoices', '--out', out)).code).toBe(1);
    expect(readFileSync(out, 'utf8')).toBe('la de ayer');
    expect(readdirSync(folder)).toEqual(['facturas.csv']);
    await fresh.db.schema.alterTable('rubros_ausentes').renameTo('rubros').execute();
    expect((await run('invoices', '--out', out)).code).toBe(0);
    expect(parseCsv(readFileSync(out, 'utf8')).rows).toHaveLength(3);
    const nowhere = await run('invoices', '--out', join(folder, 'no', 'hay.xlsx'));
    expect(nowhere.code).toBe(1);
    expect(nowhere.log).toContain('No se pudo escribir');
    expect(existsSync(join(folder, 'no'))).toBe(false);
  });

  it('does not print a workbook or a PDF on a terminal, but writes them to a pipe', async () => {
    const cli = createActor({ origin: 'cli', username: 'cli' });
    const shown = await runSaldo(fresh, ['export', 'jobs', '--format', 'xlsx'], cli, {
      isOutputTerminal: true,
    });
    expect([shown.code, shown.out]).toEqual([2, '']);
    expect(shown.log).toContain('--out');
    const report = ['report', 'balances', '--format', 'pdf'];
    expect((await runSaldo(fresh, report, cli, { isOutputTerminal: true })).code).toBe(2);
    expect((await runSaldo(fresh, ['export', 'jobs'], cli, { isOutputTerminal: true })).out).toContain(
      'Torre',
    );
    expect((await readXlsx((await run('jobs', '--format', 'xlsx')).bytes)).rows).toHaveLength(1);
  });
});
