import { sql } from 'kysely';
import { PDFDocument } from 'pdf-lib';
import { describe, expect, it } from 'vitest';
import { makeCompany } from '../../../db/demo/company.ts';
import { readBalances } from '../../../server/services/balances/balances.ts';
import { getStatement, listStatements } from '../../../server/services/bank-statements/reading.ts';
import { sumUnapplied } from '../../../server/services/credit-notes.ts';
import { checkDatabase } from '../../../server/services/database/check.ts';
import { fillDemo } from '../../../server/services/demo/demo.ts';
import { sumInvoices } from '../../../server/services/invoices/sums.ts';
import { getBatch } from '../../../server/services/payment-batches/reading.ts';
import { sumPayments } from '../../../server/services/payments/sums.ts';
import { listFunds } from '../../../server/services/petty-cash/reading.ts';
import { readStatement } from '../../../server/services/petty-cash/statement.ts';
import { readSettings } from '../../../server/services/settings/settings.ts';
import { addDays } from '../../../shared/dates.ts';
import { taxOf } from '../../../shared/money.ts';
import { hasRfcCheckDigit, isRfc } from '../../../shared/rfc.ts';
import { fold, isEmail, numberKey } from '../../../shared/text.ts';
import { describeEachDatabase } from '../../support/databases.ts';
import { actor, TODAY } from '../../support/rows.ts';

const day = { today: TODAY, timeZone: 'America/Mexico_City' };

describe('the demo company', () => {
  const { suppliers, invoices } = makeCompany(TODAY);

  it('is the same one for the same day', () => {
    expect(makeCompany(TODAY)).toEqual({ suppliers, invoices });
  });

  it('has suppliers with sound RFCs, all different', () => {
    expect(suppliers).toHaveLength(80);
    expect(new Set(suppliers.map((supplier) => supplier.rfc)).size).toBe(80);
    for (const { rfc, suppliercontactphone, suppliercontactemail } of suppliers) {
      expect([rfc, isRfc(rfc), hasRfcCheckDigit(rfc)]).toEqual([rfc, true, true]);
      expect(suppliercontactphone).toMatch(/^[-() .ext\d]{14,40}$/);
      expect(suppliercontactemail === '' || isEmail(suppliercontactemail)).toBe(true);
    }
  });

  it('has three years of invoices with sound amounts, none paid beyond its total or in the future', () => {
    expect(invoices).toHaveLength(2500);
    for (const invoice of invoices) {
      const { subtotalCents, tasa, ivaCents, otrosimpuestosCents, retencionesCents, totalCents } = invoice;
      expect(ivaCents).toBe(taxOf(subtotalCents, tasa));
      expect(totalCents).toBe(subtotalCents + ivaCents + otrosimpuestosCents - retencionesCents);
      expect(totalCents).toBeGreaterThan(0);
      expect(invoice.fechaemision <= invoice.fecharecepcion && invoice.fecharecepcion <= TODAY).toBe(true);
      const paid = invoice.payments.reduce((sum, payment) => sum + payment.amountCents, 0);
      expect(paid).toBeLessThanOrEqual(totalCents);
      for (const { amountCents, paymentdate } of invoice.payments) {
        expect(amountCents).toBeGreaterThan(0);
        expect(paymentdate >= invoice.fecharecepcion && paymentdate <= TODAY).toBe(true);
      }
    }
    expect(new Set(invoices.map((one) => `${one.supplier} ${numberKey(one.numfactura)}`)).size).toBe(2500);
  });

  it('shows every state an invoice can be in, whatever the day', () => {
    for (const today of [TODAY, '2027-01-01', '2028-02-29']) {
      const company = makeCompany(today);
      const open = company.invoices.filter(
        (invoice) =>
          invoice.payments.reduce((sum, payment) => sum + payment.amountCents, 0) < invoice.totalCents,
      );
      const count = (test: (invoice: (typeof open)[number]) => boolean) => open.filter(test).length;
      const due = (from: string, to: string) =>
        count(({ fechavencimiento: at }) => at !== null && at >= from && at <= to);
      expect(open.length).toBeGreaterThan(100);
      expect(due('1900-01-01', addDays(today, -1))).toBeGreaterThan(40);
      expect(due(today, addDays(today, 7))).toBeGreaterThan(3);
      expect(due(addDays(today, 8), addDays(today, 60))).toBeGreaterThan(10);
      expect(count((invoice) => invoice.fechavencimiento === null)).toBeGreaterThan(2);
      expect(count((invoice) => invoice.payments.length > 0)).toBeGreaterThan(20);
      for (const tasa of [0, 80_000, 160_000]) {
        expect(company.invoices.some((invoice) => invoice.tasa === tasa)).toBe(true);
      }
      expect(company.invoices.some((invoice) => invoice.retencionesCents > 0)).toBe(true);
      expect(company.invoices.some((invoice) => invoice.otrosimpuestosCents > 0)).toBe(true);
    }
  });
});

describeEachDatabase('filling the demo', (fresh) => {
  it('has a batch that a statement of the bank has paid a part of', async () => {
    await fresh.fillDemo();
    const { db } = fresh;
    const [statement] = await listStatements(db);
    const { movements } = await getStatement(db, statement!.id);
    const paid = movements.filter(({ outcome }) => outcome === 'pagado');
    expect(movements.map(({ outcome }) => outcome)).toEqual([...paid.map(() => 'pagado'), 'sin-partida']);
    const batch = await getBatch(db, paid[0]!.batchId!);
    expect(batch.estado).toBe('enviada');
    expect(batch.paidCents).toBe(-paid.reduce((sum, { amountCents }) => sum + amountCents, 0));
    expect(batch.paidCents).toBeGreaterThan(0);
    expect(batch.paidCents).toBeLessThan(batch.totalCents);
  });

  it('stores lists, invoices and payments as the application itself would', async () => {
    const { db } = fresh;
    await fillDemo(fresh.database, actor());

    const { rows: wrong } = await sql`
      select invoices.id from invoices where "paidCents" <> coalesce(
        (select sum("amountCents") from payments where "facturaproveedorId" = invoices.id), 0)`.execute(db);
    expect(wrong).toEqual([]);
    const invoices = await db.selectFrom('invoices').selectAll().orderBy('id').execute();
    for (const invoice of invoices) {
      expect(invoice.numfacturaFold).toBe(fold(invoice.numfactura));
      expect(invoice.numfacturaKey).toBe(numberKey(invoice.numfactura));
    }
    const made = makeCompany(TODAY).invoices;
    expect(invoices.slice(0, 2500).map((invoice) => [invoice.numfactura, invoice.totalCents])).toEqual(
      made.map((invoice) => [invoice.numfactura, invoice.totalCents]),
    );
    expect(invoices).toHaveLength(2504);
    for (const supplier of await db.selectFrom('suppliers').selectAll().execute()) {
      expect(supplier.suppliernameFold).toBe(fold(supplier.suppliername));
      expect(supplier.suppliercontactpersonFold).toBe(fold(supplier.suppliercontactperson));
    }
    expect(await readSettings(db)).toMatchObject({
      empresa: 'Constructora Valle del Roble, S.A. de C.V.',
      rfc: expect.stringMatching(/^CVR090312/),
    });

    const [fund] = await listFunds(db, TODAY);
    expect(fund).toMatchObject({ nombre: 'Caja chica de oficina', responsable: 'Claudia Peña' });
    const { entries, endCents } = await readStatement(db, fund!, { from: fund!.openedOn, to: TODAY });
    expect(entries.length).toBeGreaterThan(40);
    expect(new Set(entries.map(({ kind }) => kind))).toEqual(
      new Set(['apertura', 'reposicion', 'gasto', 'pago']),
    );
    expect(Math.min(...entries.map(({ balanceCents }) => balanceCents))).toBeGreaterThanOrEqual(0);
    expect(fund!.saldoCents).toBe(endCents);

    const { checks } = await checkDatabase(db);
    // Its administrator comes from somewhere else.
    expect(checks.filter(({ problems }) => problems.length > 0).map(({ name }) => name)).toEqual([
      'administrator',
    ]);
    expect((await sumPayments(db, { kind: 'credito' })).count).toBe(4);
    expect((await sumUnapplied(db, {})).count).toBe(2);
    for (const rep of ['con', 'sin'] as const)
      expect((await sumPayments(db, { rep })).count).toBeGreaterThan(0);

    const report = await readBalances(db, {}, day);
    const totals = await sumInvoices(db, {}, day);
    expect(report.total.totalCents).toBe(totals.totalCents - totals.paidCents);
    expect(report.columns.length).toBeGreaterThan(4);
    expect(Object.values(report.total.amounts).every((cents) => cents > 0)).toBe(true);
  });

  it('has invoices of a CFDI: with XML and PDF, in dollars, of several rates, with a credit note, with a receipt', async () => {
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
      ['V-1187', 'USD', 160_000, 'PUE', 10_320_918, 0],
      ['AT-5520', 'MXN', 160_000, 'PUE', 13_182_240, 1_098_520],
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

  it('leaves one entry for each list in the audit trail, and the import’s id on its rows', async () => {
    await fresh.fillDemo();
    const { db } = fresh;
    const entries = await db
      .selectFrom('audit')
      .selectAll()
      .where('action', '=', 'import')
      .orderBy('id')
      .execute();
    expect(entries.map((entry) => entry.entity)).toEqual([
      'users',
      'suppliers',
      'clients',
      'jobs',
      'rubros',
      'funding-sources',
      'invoices',
      'credit-notes',
      'payments',
      'petty-cash-funds',
      'petty-cash-movements',
      'budgets',
      'petty-cash-replenishments',
      'payment-receipts',
      // and one for each document, of all that came of it
      'invoices',
      'invoices',
      'invoices',
      'invoices',
      'credit-notes',
      'payments',
      'payment-receipts',
      'payments',
    ]);
    const invoices = entries.find((entry) => entry.entity === 'invoices')!;
    expect(JSON.parse(invoices.after!)).toMatchObject({
      count: 2500,
      sha256: expect.stringMatching(/^\w{64}$/),
    });
    const importIds = await db
      .selectFrom('invoices')
      .select('importId')
      .distinct()
      .where('uuid', 'is', null)
      .execute();
    expect(importIds).toEqual([{ importId: Number(invoices.entityId) }]);
  });

  it('makes colleagues of every role who cannot sign in yet', async () => {
    await fresh.fillDemo();
    const { db } = fresh;
    const roles = await db.selectFrom('user_roles').select('roleId').distinct().orderBy('roleId').execute();
    expect(roles.map((row) => row.roleId)).toEqual([1, 2, 4, 5, 6]);
    const passwords = await db.selectFrom('accounts').select('password').distinct().execute();
    expect(passwords).toEqual([{ password: null }]);
  });
});
