import { expect, it } from 'vitest';
import { fieldsOf } from '../../../../server/formats/tables/fields.ts';
import { parseRows } from '../../../../server/formats/tables/parse-rows.ts';
import { parseTable } from '../../../../server/formats/tables/parse-table.ts';
import { planTable } from '../../../../server/formats/tables/plan.ts';
import type { TableKind } from '../../../../server/formats/tables/table.ts';
import { importTable } from '../../../../server/services/imports/import.ts';
import type { TableImportOptions } from '../../../../server/services/imports/import-run.ts';
import { addFund } from '../../../support/petty-cash.ts';
import { describeEachInLongLane, IS_LONG_LANE } from '../../../support/proofs.ts';
import { tableInWords } from '../../../support/remarks.ts';
import { addActor, addFundingSource, addInvoice, addJob, addSupplier } from '../../../support/rows.ts';
import { buildWorkbook, formatSheetRow } from '../../../support/tables.ts';

const DAY = '2026-11-02';

/** A valid row for each list with amounts. */
const rowsNamed = (
  name: string,
  responsable: string,
): Partial<Record<TableKind, Record<string, string | number>>> => ({
  invoices: { suppliername: 'Aceros', jobtitle: 'Torre', numfactura: name, subtotal: 100, tasa: 16 },
  payments: {
    suppliername: 'Aceros',
    numfactura: 'P-1',
    checknum: name,
    paymentdate: DAY,
    paymentamount: 0.01,
  },
  budgets: { jobtitle: name, presupuesto: 100 },
  cajas: { nombre: name, responsable, origenderecursonombre: 'Banco', montofijo: 100, openedOn: DAY },
  'movimientos-caja': { caja: 'Obra', fecha: DAY, concepto: name, comprobante: 'Nota', importe: 0.01 },
});

/** Figures around the largest storable amount, as workbooks store them, and amounts that are too small. */
const FIGURES = [
  ...[9_999_999_999.99, 9_999_999_999.995, 1e10, -1],
  ...(IS_LONG_LANE ? [10_000_000_000.01, 1e15, 1e300, -1e10, 0] : []),
];

describeEachInLongLane('an amount of a workbook', (fresh) => {
  it('that exceeds the maximum is refused with its row, and stops no other row', async () => {
    const { db } = fresh;
    const actor = await addActor(db, { roles: [1, 2, 3] });
    const supplierId = await addSupplier(db, { suppliername: 'Aceros' });
    await addInvoice(db, {
      supplierId,
      jobId: await addJob(db, { jobtitle: 'Torre' }),
      numfactura: 'P-1',
      subtotalCents: 800_000_000_000,
    });
    await addFundingSource(db, { origenderecursonombre: 'Banco' });
    await addFund(db, { nombre: 'Obra', openedOn: '2026-11-01', aperturaCents: 100_000 });
    const run = async (kind: TableKind, rows: Record<string, string | number>[]) => {
      const names = rows.flatMap((cells) => Object.keys(cells));
      const headings = fieldsOf(kind).filter(({ name }) => names.includes(name));
      const written = [
        headings.map(({ label }) => label),
        ...rows.map((cells) => headings.map(({ name }) => cells[name] ?? null)),
      ];
      const sheet = written.map((cells, index) => formatSheetRow(index + 1, cells)).join('');
      const table = await parseTable({
        bytes: buildWorkbook([{ rows: sheet }]),
        filename: 'tabla.xlsx',
        kind,
      });
      const map = Object.fromEntries(headings.map(({ name, label }) => [name, label]));
      const options: TableImportOptions = {
        onError: 'skip',
        createMissing: true,
        source: 'tabla.xlsx',
        sha256: 'a'.repeat(64),
      };
      const parsed = [...parseRows(table, planTable(table, kind, { map }))];
      return tableInWords(await importTable(db, actor, kind, parsed, options));
    };
    let count = 0;
    const rowOfKind = (kind: TableKind) => rowsNamed(`N-${++count}`, actor.username)[kind]!;
    for (const kind of Object.keys(rowsNamed('', '')) as TableKind[]) {
      for (const { name } of fieldsOf(kind).filter(({ type }) => type === 'money'))
        for (const figure of FIGURES) {
          const rows = [rowOfKind(kind), { ...rowOfKind(kind), [name]: figure }];
          const { created, refused } = await run(kind, rows);
          const reason = refused[0]?.reason;
          const result = { kind, name, figure, created, refused: refused.length, reason };
          expect(result).toMatchObject({ created: 2 - refused.length });
          expect(refused.map(({ row }) => row).filter((row) => row !== 3)).toEqual([]);
          if (figure >= 1e10)
            expect(result).toMatchObject({ created: 1, reason: expect.stringMatching(TOO_MUCH) });
        }
    }
  }, 60_000);
});

const TOO_MUCH = /: no puede pasar de \$9,999,999,999\.99\.$/;
