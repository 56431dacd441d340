import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { parseRows } from '../../../../server/formats/tables/parse-rows.ts';
import { parseTable } from '../../../../server/formats/tables/parse-table.ts';
import { planTable } from '../../../../server/formats/tables/plan.ts';
import type { TableKind } from '../../../../server/formats/tables/table.ts';
import { importTable } from '../../../../server/services/imports/import.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { tableInWords } from '../../../support/remarks.ts';
import { addActor, addInvoice, addSupplier } from '../../../support/rows.ts';

/** Small tables that other programs misread, kept outside the repository. */
const folder = resolve(import.meta.dirname, '../../../../../shared/data/reports');

describeOneDatabase('the tables reported by users', (fresh) => {
  if (!existsSync(join(folder, 'MANIFEST.tsv'))) {
    it.skip('is skipped without the external files of reported problems', () => undefined);
    return;
  }

  async function run(kind: TableKind, file: string, set?: Record<string, string>, hidden?: 'skip') {
    const table = await parseTable({ path: join(folder, file), kind, hidden });
    const plan = planTable(table, kind, { set });
    expect([plan.questions, plan.missingFields]).toEqual([[], []]);
    const { columns } = plan;
    const shared = {
      source: file,
      sha256: table.sha256,
      columns,
      createMissing: true,
      onError: 'skip',
    } as const;
    const actor = await addActor(fresh.db);
    return tableInWords(await importTable(fresh.db, actor, kind, parseRows(table, plan), shared));
  }

  const reasons = ({ refused }: Awaited<ReturnType<typeof run>>) =>
    refused.map(({ row, column, reason }) => [row, column, reason]);

  const readInvoices = () =>
    fresh.db
      .selectFrom('invoices')
      .select(['numfactura', 'subtotalCents', 'ivaCents', 'otrosimpuestosCents', 'totalCents'])
      .orderBy('id')
      .execute();

  it('of CFDI become the debts that they are: cancelled ones, credit notes and receipts are none', async () => {
    const result = await run('invoices', 'reporte_cfdi.xlsx', { jobtitle: 'Torre' });
    expect(await readInvoices()).toEqual([
      {
        numfactura: 'A-1',
        subtotalCents: 100000,
        ivaCents: 16000,
        otrosimpuestosCents: 0,
        totalCents: 116000,
      },
      {
        numfactura: 'A-5',
        subtotalCents: 90000,
        ivaCents: 14400,
        otrosimpuestosCents: 0,
        totalCents: 104400,
      },
    ]);
    expect(reasons(result)).toEqual([
      [3, 'Estado SAT', '«Cancelado» ya no vale, y no se importa.'],
      [4, 'Tipo', expect.stringContaining('«NotaCredito» es una nota de crédito, no una factura')],
      [5, 'Tipo', expect.stringContaining('«Pago» es un comprobante de pago (REP), no una factura')],
    ]);
  });

  it('of payments pay only with rows that are payments', async () => {
    const supplierId = await addSupplier(fresh.db, { suppliername: 'Aceros A' });
    await addInvoice(fresh.db, { supplierId, numfactura: 'F1', subtotalCents: 1_000_000 });
    expect(reasons(await run('payments', 'pagos_tipo.csv'))).toEqual(
      ['Devolución', 'Cheque cancelado', 'Reverso'].map((word, index) => [
        index + 3,
        'Tipo',
        `«${word}» no es un pago. Si deshace uno que ya está, elimina ese pago.`,
      ]),
    );
    const payments = await fresh.db.selectFrom('payments').select('amountCents').execute();
    expect(payments).toEqual([{ amountCents: 10100 }]);
  });

  it('with a CLABE that has lost digits store no account', async () => {
    const result = await run('cuentas', 'clabe_formato.xlsx');
    expect(result).toMatchObject({ created: 0, refused: [{ row: 2, column: 'CLABE' }] });
    expect(result.refused[0]?.reason).toMatch(/^Excel lo convirtió en número y perdió sus dígitos/);
  });

  it('with rows hidden by a filter import them, or leave them out if asked to', async () => {
    const skipped = await run('invoices', 'filas_ocultas.xlsx', undefined, 'skip');
    expect(skipped).toMatchObject({ rows: 1, created: 1, refused: [] });
    expect((await readInvoices()).map(({ numfactura }) => numfactura)).toEqual(['F1']);
    expect(await run('invoices', 'filas_ocultas.xlsx')).toMatchObject({ rows: 2, created: 1, unchanged: 1 });
  });

  it('with a number under a prefix have the number that they show', async () => {
    await run('invoices', 'folio_prefijo.xlsx');
    expect(await readInvoices()).toMatchObject([{ numfactura: 'A-0007', totalCents: 232000 }]);
  });
});
