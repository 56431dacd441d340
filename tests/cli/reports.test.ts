import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { addDays } from '../../shared/dates.ts';
import { parseMoney } from '../../shared/money.ts';
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
      ' | antes del 16 nov | 16 – 22 nov | 23 – 29 nov | 30 nov – 6 dic',
      expect.stringMatching(/^─/),
      'Aceros | Torre | A-1 | $1,160.00 | $1,160.00',
      'Aceros | Torre | A-2 | $1,160.00* | $1,160.00*',
      ' | Total Aceros | $1,160.00 | $1,160.00* | $2,320.00*',
      'Total general | $1,160.00 | $1,160.00* | $2,320.00*',
      '* vencimiento estimado',
      'Vencido $1,160.00 = anteriores $0.00 + de esta semana $1,160.00.',
      'Total general $2,320.00 = pendiente de saldo export invoices --status por-pagar --corte 2026-11-20',
      '',
    ]);
  });

  it('fits the width of a terminal: the other weeks are added up in one column, and the total stays the same', async () => {
    const { db } = fresh;
    const supplierId = await addSupplier(db, { suppliername: 'Aislantes y Selladores Cóndor, S.A. de C.V.' });
    for (let week = 0; week < 9; week++) {
      const fechavencimiento = addDays('2026-11-18', 7 * week);
      await addInvoice(db, { supplierId, fechaemision: '2026-11-10', fechavencimiento });
    }
    const on = async (outputWidth: number) => {
      const { out } = await runSaldo(fresh, ['report', 'balances'], undefined, { outputWidth });
      const lines = out.split('\n');
      const [end, head] = [lines.findIndex((line) => line.startsWith('* venc')), lines[2]!];
      return { lines, head, widest: Math.max(...lines.slice(0, end).map((line) => line.length)), out };
    };
    for (const width of [80, 100, 120, 160]) {
      const { head, widest, lines, out } = await on(width);
      expect([width, widest]).toEqual([width, Math.min(widest, width)]);
      expect(head).toMatch(/ANTERIORES .*DESPUÉS +Total$/);
      expect(out).toContain('Lo que vence desde SEM');
      const [, ...figures] = lines.find((line) => line.startsWith('Total general'))!.split(/ {2,}/);
      const cents = figures.map((figure) => parseMoney(figure.replace('*', ''), 'cell'));
      expect(cents.slice(0, -1).reduce((sum, one) => sum + one, 0)).toBe(cents.at(-1));
    }
    const weeksOn = async (width: number) => (await on(width)).head.match(/SEM/g)?.length ?? 0;
    expect(await weeksOn(160)).toBeGreaterThan(await weeksOn(80));
    const wide = await on(400);
    expect(wide.head.match(/SEM/g)).toHaveLength(9);
    expect(wide.out).not.toContain('DESPUÉS');
    // A supplier's sums come before its invoices.
    expect(wide.lines.findIndex((line) => line.startsWith('Aceros '))).toBe(
      wide.lines.findIndex((line) => line.startsWith('  A-1 Torre')) - 1,
    );
  });

  it('has a form for programs, whose columns do not change with the weeks', async () => {
    const { printed } = await run('--long', '--supplier', 'Aceros');
    const lines = printed.replace('\ufeff', '').trim().split('\r\n');
    const id = (line = '') => line.split(',')[2];
    expect(lines).toEqual([
      'Proveedor,Obra,ID de factura,Factura,Vencimiento,Vencimiento estimado,Semana,Desde,Hasta,Saldo',
      `Aceros,Torre,${id(lines[1])},A-1,2026-11-18,,SEM 47,2026-11-16,2026-11-22,1160.00`,
      `Aceros,Torre,${id(lines[2])},A-2,2026-11-30,sí,SEM 49,2026-11-30,2026-12-06,1160.00`,
    ]);
    const [first] = JSON.parse((await run('--long', '--json', '--supplier', 'Aceros')).printed);
    expect(first).toMatchObject({ numfactura: 'A-1', semana: 'SEM 47', desde: '2026-11-16', saldo: 1160 });
    expect((await run('--long', '--format', 'pdf')).code).toBe(2);
    const wide = (await run('--format', 'csv')).printed.split('\r\n');
    expect(wide[0]).toContain(',isSummary,ANTERIORES');
    expect(wide.map((line) => /,(true|false),/.exec(line)?.[1])).toContain('true');
  });

  it('prints the rows of the API as one JSON document', async () => {
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

  it('accepts a past corte, and says what it cannot accept', async () => {
    expect((await run('--corte', '2026-11-09')).printed).toContain('Total general');
    expect((await run('--supplier', 'Nadie')).code).toBe(1);
    expect((await run('--corte', 'ayer')).code).toBe(2);
    expect((await run('--week', '60')).code).toBe(2);
    expect((await run('--week', 'x')).code).toBe(2);
    expect((await run('--format', 'doc')).code).toBe(2);
  });
});

describeOneDatabase('saldo report statement', (fresh) => {
  async function run(...args: string[]) {
    const { db } = fresh;
    const supplierId = await addSupplier(db, { suppliername: 'Aceros' });
    const invoice = { supplierId, jobId: await addJob(db, { jobtitle: 'Torre' }) };
    await addInvoice(db, { ...invoice, numfactura: 'A-1', fechaemision: '2026-09-10' });
    await addInvoice(db, { ...invoice, numfactura: 'A-2', fechaemision: '2026-11-10' });
    return runSaldo(fresh, ['report', 'statement', ...args]);
  }

  it('shows movements between two balances, and how old the last balance is', async () => {
    const { out } = await run('--supplier', 'aceros', '--from', '2026-11-01');
    expect(out.split('\n').map((line) => line.trim().replace(/ {2,}/g, ' | '))).toEqual([
      'Estado de cuenta de Aceros',
      '',
      'Fecha | Movimiento | Factura | Obra | Cargo | Abono | Saldo',
      expect.stringMatching(/^─/),
      '2026-11-01 | Saldo anterior | $1,160.00',
      '2026-11-10 | Factura | A-2 | Torre | $1,160.00 | $2,320.00',
      '2026-11-20 | Saldo | $2,320.00',
      '',
      'Por vencer | 1–30 días | 31–60 días | 61–90 días | Más de 90 días',
      expect.stringMatching(/^─/),
      '$0.00 | $1,160.00 | $0.00 | $1,160.00 | $0.00',
      '',
    ]);
  });

  it('prints the answer of the API, or writes a file', async () => {
    const { out } = await run('--supplier', 'Aceros', '--json');
    expect(JSON.parse(out)).toMatchObject({ opening: 0, closing: 2320, lines: [{ id: 1 }, { id: 2 }] });
    expect(
      (await runSaldo(fresh, ['report', 'statement', '--supplier', '1', '--format', 'csv'])).out,
    ).toContain('Saldo anterior');
  });

  it('refuses an unknown supplier, an invalid date, and a missing supplier', async () => {
    expect(await run('--supplier', 'Nadie')).toMatchObject({ code: 1 });
    expect(
      (await runSaldo(fresh, ['report', 'statement', '--supplier', 'Aceros', '--to', 'ayer'])).log,
    ).toContain('--to');
    expect(await runSaldo(fresh, ['report', 'statement'])).toMatchObject({ code: 2 });
  });
});
