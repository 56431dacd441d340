import { expect, it } from 'vitest';
import { runSaldo } from '../support/cli.ts';
import { describeOneDatabase } from '../support/proofs.ts';
import { addInvoice, addJob, addSupplier } from '../support/rows.ts';

describeOneDatabase('saldo report statement', (fresh) => {
  async function run(...args: string[]) {
    const { db } = fresh;
    const supplierId = await addSupplier(db, { suppliername: 'Aceros' });
    const invoice = { supplierId, jobId: await addJob(db, { jobtitle: 'Torre' }) };
    await addInvoice(db, { ...invoice, numfactura: 'A-1', fechaemision: '2026-09-10' });
    await addInvoice(db, { ...invoice, numfactura: 'A-2', fechaemision: '2026-11-10' });
    return runSaldo(fresh, ['report', 'statement', ...args]);
  }

  it('shows movements between two balances, and how old the last one is', async () => {
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

  it('prints the API’s answer, or a file', async () => {
    const { out } = await run('--supplier', 'Aceros', '--json');
    expect(JSON.parse(out)).toMatchObject({ opening: 0, closing: 2320, lines: [{ id: 1 }, { id: 2 }] });
    expect(
      (await runSaldo(fresh, ['report', 'statement', '--supplier', '1', '--format', 'csv'])).out,
    ).toContain('Saldo anterior');
  });

  it('refuses an unknown supplier, a date that is none, and no supplier at all', async () => {
    expect(await run('--supplier', 'Nadie')).toMatchObject({ code: 1 });
    expect(
      (await runSaldo(fresh, ['report', 'statement', '--supplier', 'Aceros', '--to', 'ayer'])).log,
    ).toContain('--to');
    expect(await runSaldo(fresh, ['report', 'statement'])).toMatchObject({ code: 2 });
  });
});
