import { PDFDocument } from 'pdf-lib';
import { describe, expect, it } from 'vitest';
import { readBalances } from '../../../../server/services/balances/balances.ts';
import { getBankStatement, listBankStatements } from '../../../../server/services/bank-statements/reading.ts';
import { sumUnappliedCreditNotes } from '../../../../server/services/credit-notes/reading.ts';
import { checkDatabase } from '../../../../server/services/database/check.ts';
import { fillDemo } from '../../../../server/services/demo/demo.ts';
import { sumInvoices } from '../../../../server/services/invoices/sums.ts';
import { getBatch } from '../../../../server/services/payment-batches/reading.ts';
import { sumPayments } from '../../../../server/services/payments/sums.ts';
import { readFundStatement } from '../../../../server/services/petty-cash/fund-statement.ts';
import { listFunds } from '../../../../server/services/petty-cash/reading.ts';
import { readSettings } from '../../../../server/services/settings/settings.ts';
import { addDays } from '../../../../shared/dates.ts';
import { hasRfcCheckDigit, isRfc } from '../../../../shared/rfc.ts';
import { openFreshDatabase } from '../../../support/databases.ts';
import { describeEachInLongLane, IS_LONG_LANE } from '../../../support/proofs.ts';
import { createActor, TODAY } from '../../../support/rows.ts';
import { readRows } from '../../../support/stored.ts';

const day = { today: TODAY, timeZone: 'America/Mexico_City' };

describe('the demo company', () => {
  it.runIf(IS_LONG_LANE).each(['2027-01-01', '2028-02-29'])(
    'shows every state an invoice can be in on %s',
    async (today) => {
      const fresh = await openFreshDatabase('sqlite');
      try {
        await fillDemo(fresh, createActor({ today, at: `${today}T18:00:00.000Z` }));
        const invoices = await fresh.db.selectFrom('invoices').selectAll().execute();
        const open = invoices.filter(({ paidCents, totalCents }) => paidCents < totalCents);
        const count = (test: (invoice: (typeof open)[number]) => boolean) => open.filter(test).length;
        const due = (from: string, to: string) =>
          count(({ fechavencimiento: at }) => at !== null && at >= from && at <= to);
        expect(open.length).toBeGreaterThan(100);
        expect(due('1900-01-01', addDays(today, -1))).toBeGreaterThan(40);
        expect(due(today, addDays(today, 7))).toBeGreaterThan(3);
        expect(due(addDays(today, 8), addDays(today, 60))).toBeGreaterThan(10);
        expect(count(({ fechavencimiento }) => fechavencimiento === null)).toBeGreaterThan(2);
        expect(count(({ paidCents }) => paidCents > 0)).toBeGreaterThan(20);
        for (const tasa of [0, 80_000, 160_000])
          expect(invoices.some((invoice) => invoice.tasa === tasa)).toBe(true);
        expect(invoices.some(({ retencionesCents }) => retencionesCents > 0)).toBe(true);
        expect(invoices.some(({ otrosimpuestosCents }) => otrosimpuestosCents > 0)).toBe(true);
        const last = await fresh.db
          .selectFrom('payments')
          .select(({ fn }) => fn.max('paymentdate').as('day'))
          .executeTakeFirstOrThrow();
        expect(last.day).toBe(today);
      } finally {
        await fresh.close();
      }
    },
  );
});

describeEachInLongLane('the demo company', (fresh) => {
  it('has a batch of which a bank statement, half worked through, has paid a part', async () => {
    await fresh.fillDemo();
    const { db } = fresh;
    const [statement] = await listBankStatements(db);
    const { movements } = await getBankStatement(db, statement!.id);
    const paid = movements.filter(({ outcome }) => outcome === 'pagado');
    const outcomes = new Set(movements.map(({ outcome }) => outcome));
    expect([...outcomes].sort()).toEqual(['nombrado', 'pagado', 'sin-partida']);
    const batch = await getBatch(db, paid[0]!.batchId!);
    expect(batch.estado).toBe('enviada');
    expect(batch.paidCents).toBe(-paid.reduce((sum, { amountCents }) => sum + amountCents, 0));
    expect(batch.paidCents).toBeGreaterThan(0);
    expect(batch.paidCents).toBeLessThan(batch.totalCents);
  });

  it('stores lists, invoices and payments as the application itself would', async () => {
    await fresh.fillDemo();
    const { db } = fresh;

    const suppliers = await db.selectFrom('suppliers').selectAll().execute();
    expect(suppliers).toHaveLength(80);
    expect(new Set(suppliers.map(({ rfc }) => rfc)).size).toBe(80);
    for (const { rfc } of suppliers)
      expect([rfc, isRfc(rfc!), hasRfcCheckDigit(rfc!)]).toEqual([rfc, true, true]);
    expect(await readSettings(db)).toMatchObject({
      empresa: 'Constructora Valle del Roble, S.A. de C.V.',
      rfc: expect.stringMatching(/^CVR090312/),
    });

    const [fund] = await listFunds(db, TODAY);
    expect(fund).toMatchObject({ nombre: 'Caja chica de oficina', responsable: 'Claudia Peña' });
    const { entries, endCents } = await readFundStatement(db, fund!, { from: fund!.openedOn, to: TODAY });
    expect(entries.length).toBeGreaterThan(40);
    expect(new Set(entries.map(({ tipo }) => tipo))).toEqual(
      new Set(['apertura', 'reposicion', 'gasto', 'pago']),
    );
    expect(Math.min(...entries.map(({ balanceCents }) => balanceCents))).toBeGreaterThanOrEqual(0);
    expect(fund!.saldoCents).toBe(endCents);

    const { checks } = await checkDatabase(db, { deep: true });
    // The demo does not create the administrator.
    expect(checks.filter(({ problems }) => problems.length > 0).map(({ name }) => name)).toEqual([
      'administrator',
    ]);
    expect((await sumPayments(db, { kind: 'credito' })).count).toBe(4);
    expect((await sumUnappliedCreditNotes(db, { estado: 'con-saldo' })).count).toBe(2);
    for (const rep of ['con', 'sin'] as const)
      expect((await sumPayments(db, { rep })).count).toBeGreaterThan(0);

    const report = await readBalances(db, {}, day);
    const totals = await sumInvoices(db, {}, day);
    expect(totals.count).toBe(2507);
    expect(report.total.totalCents).toBe(totals.totalCents - totals.paidCents);
    expect(report.columns.length).toBeGreaterThan(4);
    expect(Object.values(report.total.amounts).every((cents) => cents > 0)).toBe(true);
  });

  it('has invoices with a CFDI: with XML and PDF, in dollars, with several rates, with a credit note, with a receipt', async () => {
    await fresh.fillDemo();
    const { db } = fresh;
    const invoices = await db
      .selectFrom('invoices')
      .innerJoin('cfdi_documents', 'cfdi_documents.invoiceId', 'invoices.id')
      .selectAll()
      .orderBy('id')
      .execute();
    expect(
      invoices.map((one) => [
        one.numfactura,
        one.moneda,
        one.tasa,
        one.metodopago,
        one.totalCents,
        one.paidCents,
      ]),
    ).toEqual([
      ['CP-7741', 'MXN', 160_000, 'PPD', 13_617_240, 5_000_000],
      ['MC-30218', 'MXN', null, 'PUE', 4_730_760, 0],
      ['V-1187', 'USD', 160_000, 'PUE', 10_320_918, 5_160_459],
      ['AT-5520', 'MXN', 160_000, 'PUE', 13_182_240, 1_098_520],
      ['HP-37', 'MXN', 160_000, 'PUE', 1_906_667, 1_906_667],
      ['MS-212', 'MXN', 160_000, 'PUE', 928_000, 928_000],
      ['FM-905', 'MXN', 160_000, 'PUE', 560_000, 560_000],
    ]);
    const attachments = await db
      .selectFrom('attachments')
      .innerJoin('files', 'files.sha256', 'attachments.sha256')
      .select(['invoiceId', 'kind', 'filename', 'bytes'])
      .orderBy('attachments.id')
      .execute();
    expect(attachments.map(({ invoiceId, kind, filename }) => [invoiceId, kind, filename])).toEqual([
      [invoices[0]!.id, 'cfdi', 'CP-7741.xml'],
      [invoices[0]!.id, 'pdf', 'CP-7741.pdf'],
      [invoices[1]!.id, 'cfdi', 'MC-30218.xml'],
      [invoices[2]!.id, 'cfdi', 'V-1187.xml'],
      [invoices[3]!.id, 'cfdi', 'AT-5520.xml'],
      [invoices[4]!.id, 'cfdi', 'HP-37.xml'],
      [invoices[5]!.id, 'cfdi', 'MS-212.xml'],
      [invoices[6]!.id, 'cfdi', 'FM-905.xml'],
    ]);
    const pdf = await PDFDocument.load(attachments[1]!.bytes);
    expect(pdf.getPageCount()).toBe(1);
    const lines = await db
      .selectFrom('payment_receipt_lines')
      .select(['amountCents', 'paymentId'])
      .where('invoiceId', '=', invoices[0]!.id)
      .execute();
    expect(lines).toMatchObject([{ amountCents: 5_000_000, paymentId: expect.any(Number) }]);
  });

  it('leaves one entry for each file in the audit trail, and the import’s id on its rows', async () => {
    await fresh.fillDemo();
    const { db } = fresh;
    const entries = await readRows(db, 'audit', { action: 'import' });
    const [lists, money, documents] = [
      'suppliers clients jobs rubros funding-sources invoices',
      'petty-cash-funds petty-cash-replenishments petty-cash-movements credit-notes payments budgets',
      // an entry for each document and each list that it changed
      'payment-receipts payment-receipts credit-notes invoices invoices invoices invoices credit-notes payments payment-receipts payments invoices invoices invoices',
    ];
    expect(entries.map((entry) => entry.entity).join(' ')).toBe(
      `${lists} ${money} ${documents} supplier-accounts sat-documents sat-69b`,
    );
    const invoices = entries.find((entry) => entry.entity === 'invoices')!;
    const { importId, ...summary } = JSON.parse(invoices.after!);
    expect(summary).toMatchObject({ created: 2500, sha256: expect.stringMatching(/^\w{64}$/) });
    const importIds = await db.selectFrom('invoices').select('importId').distinct().execute();
    expect(importIds).toHaveLength(8);
    expect(importIds).toContainEqual({ importId });
  });

  it('creates colleagues of every role who cannot sign in yet', async () => {
    await fresh.fillDemo();
    const { db } = fresh;
    const roles = await db.selectFrom('user_roles').select('roleId').distinct().orderBy('roleId').execute();
    expect(roles.map((row) => row.roleId)).toEqual([1, 2, 4, 5, 6]);
    const passwords = await db.selectFrom('accounts').select('password').distinct().execute();
    expect(passwords).toEqual([{ password: null }]);
  });
});
