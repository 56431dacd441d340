import fc from 'fast-check';
import { expect, it } from 'vitest';
import { applyCredit } from '../../../../server/services/credit-notes/write.ts';
import { INVOICE_SORTS, STATUS_FILTERS } from '../../../../shared/invoices.ts';
import { type Cents, formatMoney, parseMoney } from '../../../../shared/money.ts';
import { PAYMENT_KINDS, REP_STATES } from '../../../../shared/payments.ts';
import { exportPath, pages, withQuery } from '../../../../shared/urls.ts';
import { createTestApp, type TestClient } from '../../../support/app.ts';
import { readCsv } from '../../../support/csv.ts';
import { readPage } from '../../../support/page.ts';
import { readPdf } from '../../../support/pdf.ts';
import { chooseRunCount, describeOneDatabase } from '../../../support/proofs.ts';
import {
  addActor,
  addCreditNote,
  addFundingSource,
  addInvoice,
  addJob,
  addPayment,
  addRubro,
  addSupplier,
} from '../../../support/rows.ts';
import { readXlsx, type SheetContent } from '../../../support/xlsx.ts';

const RUNS = chooseRunCount(6, 60);

const cents = (value: unknown): Cents => parseMoney(value, 'cantidad');
const sum = (values: readonly unknown[]): Cents =>
  values.reduce<number>((total, value) => total + cents(value), 0);
const dayOf = (n: number, months: string) => `${months}-${String((n % 27) + 1).padStart(2, '0')}`;

/** The sums below the rows of a column, by their labels. */
function sumsBelow({ sheet, headings }: SheetContent, heading: string): Record<string, number> {
  const column = headings.indexOf(heading) + 1;
  const sums: Record<string, number> = {};
  sheet.eachRow((row) => {
    const { value } = row.getCell(column);
    if (value !== null && typeof value === 'object' && 'formula' in value)
      sums[String(row.getCell(1).value)] = cents(value.result ?? 0);
  });
  return sums;
}

describeOneDatabase('whatever a list is filtered and sorted by', (fresh) => {
  async function fill() {
    const { db } = fresh;
    const actor = await addActor(db);
    const ids = {
      suppliers: [await addSupplier(db), await addSupplier(db), await addSupplier(db)],
      jobs: [await addJob(db), await addJob(db)],
      rubros: [await addRubro(db), await addRubro(db)],
    };
    const origenderecursoId = await addFundingSource(db);
    const notes = await Promise.all(
      ids.suppliers.map((supplierId) =>
        addCreditNote(db, { supplierId, userId: actor.userId, totalCents: 90_000 }),
      ),
    );
    for (let n = 0; n < 40; n++) {
      const id = await addInvoice(db, {
        supplierId: ids.suppliers[n % 3]!,
        jobId: ids.jobs[n % 2]!,
        rubroId: [...ids.rubros, null][(n >> 1) % 3]!,
        numfactura: n % 7 ? `${'AB'[n % 2]}-${n}` : '',
        contrato: n % 6 ? '' : `Orden Niño ${n}`,
        subtotalCents: 70_001 + ((n * 7_919) % 60_000),
        fechaemision: n % 9 ? dayOf(n, n % 4 ? '2026-11' : '2026-10') : null,
        fechavencimiento: n % 5 ? dayOf(n * 3, n % 2 ? '2026-11' : '2026-12') : null,
      });
      if (n % 3 === 0)
        await db.updateTable('invoices').set({ metodopago: 'PPD' }).where('id', '=', id).execute();
      if (n % 4 === 1)
        await applyCredit(db, actor, { creditNoteId: notes[n % 3]!, invoiceId: id, amountCents: 1_003 + n });
      for (let part = 0; part < n % 3; part++)
        await addPayment(db, {
          facturaproveedorId: id,
          amountCents: 2_001 + n * 13 + part,
          userId: actor.userId,
          checknum: `CH-${n % 4}`,
          paymentdate: dayOf(n + part * 5, '2026-11'),
          origenderecursoId,
        });
    }
    return { ...ids, client: await createTestApp({ db }).as([1, 3]) };
  }

  /** Reads the list with this filter and order from the page, the API and each kind of file. */
  async function everywhere(
    client: TestClient,
    list: string,
    search: string,
    query: Record<string, unknown>,
  ) {
    const address = (path: string) => withQuery(path, query as Record<string, string>);
    const page = await readPage(client.get(address(list)));
    const api = await client.get(address(search));
    const file = (format: 'csv' | 'json' | 'xlsx' | 'pdf') => client.get(address(exportPath(list, format)));
    const found = Number(api.headers.get('X-Total-Count'));
    expect([page.status, api.status]).toEqual([200, 200]);
    // The text of an empty list depends on whether the filter is one of its views.
    expect(page.decodedHtml).toMatch(
      found === 0 ? /class="empty"/ : new RegExp(`<span>(\\d+ de )?${found} `),
    );
    const records = (await api.json()) as Record<string, unknown>[];
    const json = (await (await file('json')).json()) as Record<string, unknown>[];
    const { rows } = await readCsv(file('csv'));
    const workbook = await readXlsx(await file('xlsx'));
    const texts = (await readPdf(await file('pdf'))).pages.flatMap((one) => one.texts);
    expect(json).toEqual(records);
    expect([records.length, rows.length]).toEqual([found, found]);
    const order = records.map(({ id }) => id);
    expect(rows.map(({ ID }) => Number(ID))).toEqual(order);
    expect(workbook.rows.filter(({ ID }) => typeof ID === 'number').map(({ ID }) => ID)).toEqual(order);
    return { page, api, records, rows, workbook, texts, found };
  }

  /** Mostly absent, because ten filters at once would find nothing. */
  const optional = <T>(...values: readonly T[]) =>
    fc.oneof(
      { weight: 3, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constantFrom(...values) },
    );
  const direction = optional('ASC', 'DESC');

  /** Filters of every run, before the random ones; each finds a different number of rows. */
  const some = ([supplierId]: readonly number[], [jobId]: readonly number[]): [object][] => [
    [{}],
    [{ supplierId }],
    [{ jobId }],
    [{ supplierId, jobId }],
    [{ supplierId: 999 }],
  ];

  it('invoices add up to the page’s totals and count, in its order, in every format and from the API', async () => {
    const { client, suppliers, jobs, rubros } = await fill();
    const query = fc.record({
      numfactura: optional('a-', '1', 'nada'),
      contrato: optional('NINO', 'niño 1'),
      supplierId: optional(...suppliers),
      jobId: optional(...jobs),
      rubroId: optional(0, ...rubros),
      status: optional(...STATUS_FILTERS),
      fechaemisionDesde: optional('2026-10-10', '2026-11-05'),
      fechaemisionHasta: optional('2026-11-20'),
      fechavencimientoDesde: optional('2026-11-10'),
      fechavencimientoHasta: optional('2026-12-15'),
      venceDesde: optional('2026-11-10'),
      venceHasta: optional('2026-12-15'),
      corte: optional('2026-11-08', '2026-11-19'),
      sortfield: optional(...Object.keys(INVOICE_SORTS)),
      sorttype: direction,
    });
    const finds: number[] = [];
    await fc.assert(
      fc.asyncProperty(query, async (filter) => {
        // Which batches were open on a past day is not stored, so that the two together are refused.
        fc.pre(!(filter.corte && filter.status === 'sin-programar'));
        const { page, api, records, rows, workbook, texts, found } = await everywhere(
          client,
          pages.invoices,
          '/api/facturaproveedores/search/',
          filter,
        );
        finds.push(found);
        const shown = ['Total facturas', 'Total pagado', 'Total pendiente'].map((name) =>
          cents(page.facts[name]),
        );
        expect(
          ['X-Sum-Total', 'X-Sum-Paid', 'X-Sum-Pending'].map((name) => cents(api.headers.get(name))),
        ).toEqual(shown);
        expect([
          sum(records.map(({ total }) => total)),
          sum(records.map((row) => row.totalamountpaid)),
        ]).toEqual(shown.slice(0, 2));
        const columns = ['Total', 'Pagado', 'Pendiente'];
        expect(columns.map((name) => sum(rows.map((row) => row[name])))).toEqual(shown);
        if (found > 0) expect(columns.map((name) => cents(workbook.totals[name]?.result))).toEqual(shown);
        expect(texts).toEqual(expect.arrayContaining(shown.map(formatMoney)));
        expect(texts).toContain(found === 1 ? '1 factura' : `${found} facturas`);
      }),
      { numRuns: RUNS, examples: [...some(suppliers, jobs), [{ contrato: 'NINO' }]] },
    );
    expect(finds).toContain(7);
    expect(new Set(finds).size).toBeGreaterThan(4);
  });

  it('payments add up to what the page shows as paid, and covered by credits, with its count and order', async () => {
    const { client, suppliers, jobs } = await fill();
    const query = fc.record({
      checknum: optional('ch-1', 'ch', 'nada'),
      supplierId: optional(...suppliers),
      jobId: optional(...jobs),
      paymentdateDesde: optional('2026-11-05', '2026-11-12'),
      paymentdateHasta: optional('2026-11-20'),
      kind: optional(...PAYMENT_KINDS),
      rep: optional(...REP_STATES),
      sortfield: optional('id', 'paymentdate'),
      sorttype: direction,
    });
    const finds: number[] = [];
    await fc.assert(
      fc.asyncProperty(query, async (filter) => {
        const { page, records, rows, workbook, texts, found } = await everywhere(
          client,
          pages.payments,
          '/api/payments/search/',
          filter,
        );
        finds.push(found);
        const paid = cents(page.facts['Total pagado']);
        const credits = cents(page.facts['Notas de crédito'] ?? '0');
        expect(sum(records.map(({ paymentamount }) => paymentamount))).toBe(paid + credits);
        const of = (kind: string) =>
          rows.filter(({ Tipo }) => Tipo === kind).map((row) => row['Cantidad pagada']);
        expect([sum(of('Pago')), sum(of('Nota de crédito'))]).toEqual([paid, credits]);
        const counted = found === 1 ? '1 pago' : `${found} pagos`;
        const parts = credits > 0 && { 'Total pagado': paid, 'Total notas de crédito': credits };
        expect(sumsBelow(workbook, 'Cantidad pagada')).toEqual(
          found > 0 ? { ...parts, [`Total (${counted})`]: paid + credits } : {},
        );
        expect(texts).toContain(counted);
        if (found > 0) expect(texts).toContain(formatMoney(paid + credits));
        if (credits > 0)
          expect(texts).toEqual(
            expect.arrayContaining([
              'Total pagado',
              formatMoney(paid),
              'Total notas de crédito',
              formatMoney(credits),
            ]),
          );
        expect(rows.map(({ REP }) => REP)).toEqual(
          records.map(({ rep }) => (rep === 'con' ? 'Con REP' : rep === 'sin' ? 'Sin REP' : '')),
        );
      }),
      { numRuns: RUNS, examples: some(suppliers.slice(1), jobs) },
    );
    expect(new Set(finds).size).toBeGreaterThan(4);
  });
});
