import { expect, it } from 'vitest';
import { readSupplierCredit } from '../../../../server/services/credit-notes/reading.ts';
import {
  applyCredit,
  createCreditNote,
  deleteCreditNote,
} from '../../../../server/services/credit-notes/write.ts';
import { createInvoice } from '../../../../server/services/invoices/invoices.ts';
import { payBatch } from '../../../../server/services/payment-batches/paying.ts';
import { createBatch } from '../../../../server/services/payment-batches/payment-batches.ts';
import { markBatchSent, signBatch } from '../../../../server/services/payment-batches/stages.ts';
import {
  createPayment,
  deletePayment,
  restorePayment,
  updatePayment,
} from '../../../../server/services/payments/payments.ts';
import { searchPayments } from '../../../../server/services/payments/reading.ts';
import { sumPayments } from '../../../../server/services/payments/sums.ts';
import { buildReplacements, uuidOfNumber } from '../../../support/cfdi.ts';
import {
  buildCreditNoteFile,
  buildInvoiceFile,
  buildReceiptFile,
  createCfdiImporter,
} from '../../../support/cfdi-office.ts';
import { describeEachInLongLane } from '../../../support/proofs.ts';
import { addActor, addInvoice, addJob, addSupplier } from '../../../support/rows.ts';
import { readRow } from '../../../support/stored.ts';
import { importRows } from '../../../support/table-rows.ts';

describeEachInLongLane('a credit note', (fresh) => {
  it('is applied to the invoice that it names, dated like the note, without cheque or source', async () => {
    const { db, run, payments, invoices, sound, supplierId } = await createCfdiImporter(fresh.db);
    const result = await run([buildCreditNoteFile(50, [1]), buildInvoiceFile(1)]);
    expect(result).toMatchObject({
      created: 2,
      refused: 0,
      kinds: { invoices: 1, creditNotes: 1, receipts: 0 },
      files: [
        { kind: 'E', outcome: 'created', creditNoteId: expect.any(Number), uuid: uuidOfNumber(50) },
        { kind: 'I', outcome: 'created' },
      ],
    });
    expect(await payments()).toMatchObject([
      {
        kind: 'credito',
        creditNumero: 'NC-50',
        paymentdate: '2024-03-20',
        amountCents: 11_600,
        checknum: '',
        origenderecursoId: null,
        rep: null,
      },
    ]);
    expect(await invoices()).toMatchObject([{ totalCents: 116_000, paidCents: 11_600 }]);
    expect(await sumPayments(db, {})).toEqual({
      count: 1,
      creditCount: 1,
      amountCents: 0,
      exchangeCents: 0,
      creditCents: 11_600,
    });
    expect(await readSupplierCredit(db, supplierId)).toMatchObject({
      remainingCents: 0,
      notes: [{ appliedCents: 11_600 }],
    });
    expect(await run([buildCreditNoteFile(50, [1])])).toMatchObject({ created: 0, unchanged: 1 });
    const kept = await db.selectFrom('files').select('size').execute();
    expect(kept).toContainEqual({ size: buildCreditNoteFile(50, [1]).bytes.length });
    await sound();
  });

  it('is kept as saldo a favor beyond what is owed, with a remark', async () => {
    const { run, db, supplierId, invoices, sound } = await createCfdiImporter(fresh.db);
    const root = { SubTotal: '2000.00', Total: '2320.00' };
    const impuestos =
      '<{p}Impuestos><{p}Traslados><{p}Traslado Impuesto="002" TipoFactor="Tasa" TasaOCuota="0.160000" Importe="320.00"/></{p}Traslados></{p}Impuestos>';
    const { files } = await run([buildInvoiceFile(1), buildCreditNoteFile(50, [1], { root, impuestos })]);
    expect(files[1]).toMatchObject({ outcome: 'warned', warnings: ['Quedan $1,160.00 como saldo a favor.'] });
    expect(await invoices()).toMatchObject([{ paidCents: 116_000 }]);
    expect((await readSupplierCredit(db, supplierId)).remainingCents).toBe(116_000);
    await sound();
  });

  it('is recognised if it came with a table of payments, without its document', async () => {
    const { run, db, supplierId, actor, sound } = await createCfdiImporter(fresh.db);
    await addInvoice(db, { supplierId, numfactura: 'F-1' });
    const part = {
      rfc: 'EKU9003173C9',
      numfactura: 'F-1',
      kind: 'credito',
      paymentamount: '16.00',
      paymentdate: '2024-03-20',
      creditnumero: 'NC-50',
      credituuid: uuidOfNumber(50),
    };
    await importRows(db, actor, 'payments', [{ ...part, credittotal: '116.00' }]);
    expect(await run([buildCreditNoteFile(50, [])])).toMatchObject({ created: 0, unchanged: 1 });
    const other = { ...part, credituuid: uuidOfNumber(51), creditnumero: 'NC-51', credittotal: '116.01' };
    await importRows(db, actor, 'payments', [other]);
    expect((await run([buildCreditNoteFile(51, [])])).files).toMatchObject([
      { outcome: 'refused', reason: expect.stringMatching(/total \$116\.01; en este archivo \$116\.00/) },
    ]);
    await sound();
  });

  it.each([
    ['with its full number', 'NC-50', true],
    ['with another spelling', ' nc 50', true],
    ['with its folio alone', '50', true],
    ['with another number', 'NC-5', false],
  ])('that was captured from paper %s is not credited again by its CFDI', async (_how, numero, isKnown) => {
    const { db, run, supplierId, actor, invoices, sound } = await createCfdiImporter(fresh.db);
    await run([buildInvoiceFile(1)]);
    const [invoice] = await invoices();
    const paper = { supplierId, numero, fecha: '2024-03-20', subtotalCents: 10_000, tasa: 160_000 };
    const aplicar = [{ facturaproveedorId: invoice!.id, amountCents: 11_600 }];
    const { creditNote } = await createCreditNote(db, actor, { ...paper, aplicar });
    const { files } = await run([buildCreditNoteFile(50, [1])]);
    expect(files).toMatchObject([
      isKnown
        ? {
            outcome: 'refused',
            reason: expect.stringMatching(`ya está, capturada sin su CFDI \\(id ${creditNote.id}\\)`),
          }
        : { outcome: 'created' },
    ]);
    expect(await invoices()).toMatchObject([{ paidCents: isKnown ? 11_600 : 23_200 }]);
    await sound();
  });

  it('whose paper version was deleted is stored from its CFDI, whatever number another supplier uses', async () => {
    const { db, run, supplierId, actor, sound } = await createCfdiImporter(fresh.db);
    const paper = { numero: 'NC-50', fecha: '2024-03-20', subtotalCents: 10_000, tasa: 160_000 };
    await createCreditNote(db, actor, { ...paper, supplierId: await addSupplier(db) });
    const { creditNote } = await createCreditNote(db, actor, { ...paper, supplierId });
    expect(await run([buildCreditNoteFile(50, [])])).toMatchObject({ created: 0, refused: 1 });
    await deleteCreditNote(db, actor, creditNote.id);
    expect(await run([buildCreditNoteFile(50, [])])).toMatchObject({ created: 1, refused: 0 });
    await sound();
  });

  it('waits for an invoice that is not on file yet, and is applied when that arrives', async () => {
    const { run, invoices, payments, sound } = await createCfdiImporter(fresh.db);
    const first = await run([buildCreditNoteFile(50, [1])]);
    expect(first.files).toMatchObject([
      {
        outcome: 'warned',
        warnings: [expect.stringContaining(uuidOfNumber(1)), expect.stringContaining('saldo a favor')],
      },
    ]);
    const second = await run([buildInvoiceFile(1)]);
    expect(second.files).toMatchObject([
      { outcome: 'warned', warnings: [expect.stringContaining('$116.00 de la nota de crédito NC-50')] },
    ]);
    expect(await invoices()).toMatchObject([{ paidCents: 11_600 }]);
    expect(await payments()).toHaveLength(1);
    await sound();
  });

  it('is refused as a conflict if its UUID has other figures, and is identified without a stamp by supplier and number', async () => {
    const { run, db } = await createCfdiImporter(fresh.db);
    await run([buildCreditNoteFile(50, [])]);
    const other = { root: { SubTotal: '90.00', Total: '106.00' } };
    expect((await run([buildCreditNoteFile(50, [], other)])).files).toMatchObject([
      {
        outcome: 'refused',
        reason: expect.stringMatching(
          /mismo UUID.*subtotal \$100\.00 MXN, total \$116\.00 MXN; en este archivo \$90\.00 MXN, \$106\.00 MXN.*conflicto/,
        ),
      },
    ]);
    const plain = { uuid: null, root: { Folio: '7' } };
    const { files } = await run([buildCreditNoteFile(51, [], plain), buildCreditNoteFile(52, [], plain)]);
    expect(files).toMatchObject([{ outcome: 'warned' }, { outcome: 'unchanged' }]);
    expect(await db.selectFrom('credit_notes').select('numero').orderBy('id').execute()).toEqual([
      { numero: 'NC-50' },
      { numero: 'NC-7' },
    ]);
  });

  it('is not applied to another supplier’s invoice', async () => {
    const { run, db, invoices } = await createCfdiImporter(fresh.db);
    await addSupplier(db, { rfc: 'XIA190128J61' });
    const { files } = await run([
      buildInvoiceFile(1, { emisor: { Rfc: 'XIA190128J61', Nombre: 'Xenon' } }),
      buildCreditNoteFile(50, [1]),
    ]);
    expect(files[1]).toMatchObject({
      warnings: [expect.stringContaining('es de otro proveedor'), expect.stringContaining('saldo a favor')],
    });
    expect(await invoices()).toMatchObject([{ paidCents: 0 }]);
  });

  it('of an unknown supplier is refused unless suppliers are to be created', async () => {
    const { run } = await createCfdiImporter(fresh.db);
    const foreign = buildCreditNoteFile(50, [], { emisor: { Rfc: 'XIA190128J61', Nombre: 'Xenon' } });
    expect((await run([foreign])).files[0]).toMatchObject({
      outcome: 'refused',
      reason: expect.stringContaining('XIA190128J61'),
    });
    expect(await run([foreign], { createSuppliers: true })).toMatchObject({
      created: 1,
      suppliersCreated: 1,
    });
  });

  it('is applied by hand as far as it goes, released by deleting, and applied again by undoing', async () => {
    const { run, db, actor, supplierId, jobId, sound } = await createCfdiImporter(fresh.db);
    await run([buildCreditNoteFile(50, [])]);
    const creditNoteId = (await readSupplierCredit(db, supplierId)).notes[0]!.id;
    const invoiceId = await addInvoice(db, { supplierId, jobId });
    const apply = (amountCents: number, to = invoiceId) =>
      applyCredit(db, actor, { creditNoteId, invoiceId: to, amountCents });
    const left = async () => (await readSupplierCredit(db, supplierId)).remainingCents;
    const credit = await apply(10_000);
    expect(credit).toMatchObject({ kind: 'credito', paymentdate: '2024-03-20', amountCents: 10_000 });
    await expect(apply(1_601)).rejects.toMatchObject({ code: 'over_credit' });
    await expect(apply(0)).rejects.toMatchObject({ kind: 'invalid' });
    await expect(apply(100, await addInvoice(db))).rejects.toThrow('otro proveedor');
    await expect(deleteCreditNote(db, actor, creditNoteId)).rejects.toMatchObject({ code: 'in_use' });
    await expect(updatePayment(db, actor, credit.id, { amountCents: 5_000 })).rejects.toMatchObject({
      code: 'credit_fixed',
    });
    expect(await left()).toBe(1_600);
    await deletePayment(db, actor, credit.id);
    expect(await left()).toBe(11_600);
    expect((await restorePayment(db, actor, credit.id)).payment).toMatchObject({
      kind: 'credito',
      creditNoteId,
    });
    expect(await left()).toBe(1_600);
    await deletePayment(db, actor, credit.id);
    await apply(11_600);
    await expect(restorePayment(db, actor, credit.id)).rejects.toMatchObject({ code: 'over_credit' });
    await sound();
  });

  it('never gives more than it has to two who apply it at once', async () => {
    const { run, db, actor, supplierId, jobId, sound } = await createCfdiImporter(fresh.db);
    await run([buildCreditNoteFile(50, [])]);
    const creditNoteId = (await readSupplierCredit(db, supplierId)).notes[0]!.id;
    const ids = [await addInvoice(db, { supplierId, jobId }), await addInvoice(db, { supplierId, jobId })];
    const tries = await Promise.allSettled(
      [0, 1, 0, 1, 0, 1].map((i) =>
        applyCredit(db, actor, { creditNoteId, invoiceId: ids[i]!, amountCents: 5_000 }),
      ),
    );
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect((await readSupplierCredit(db, supplierId)).remainingCents).toBe(1_600);
    await sound();
  });
});

describeEachInLongLane('a receipt of payments', (fresh) => {
  const half = { amount: '580.00', of: uuidOfNumber(1) };

  it.each(['1.0', '2.0'] as const)(
    'of version %s is linked to the payment that was captured',
    async (version) => {
      const { run, db, actor, payments, lines, sound } = await createCfdiImporter(fresh.db);
      await run([buildInvoiceFile(1)]);
      const draft = { facturaproveedorId: 1, amountCents: 58_000, paymentdate: '2024-04-07' };
      const { payment } = await createPayment(db, actor, draft);
      expect(payment.rep).toBe('sin');
      expect((await searchPayments(db, { rep: 'sin', limit: 10 })).rows).toHaveLength(1);
      const result = await run([buildReceiptFile(90, { version, doctos: [half] })]);
      expect(result).toMatchObject({
        created: 1,
        kinds: { receipts: 1 },
        files: [{ kind: 'P', outcome: 'created' }],
      });
      expect(await payments()).toMatchObject([{ id: payment.id, rep: 'con' }]);
      expect((await searchPayments(db, { rep: 'sin', limit: 10 })).rows).toEqual([]);
      expect(await lines()).toMatchObject([
        {
          invoiceUuid: uuidOfNumber(1),
          invoiceId: 1,
          paymentId: payment.id,
          paidOn: '2024-04-05',
          amountCents: 58_000,
        },
      ]);
      expect(await run([buildReceiptFile(90, { version, doctos: [half] })])).toMatchObject({
        created: 0,
        unchanged: 1,
      });
      await sound();
    },
  );

  it('is refused as a conflict if its UUID has another amount, invoice or number of them, which are named', async () => {
    const { run } = await createCfdiImporter(fresh.db);
    await run([buildInvoiceFile(1), buildReceiptFile(90, { doctos: [half] })]);
    const differing = await Promise.all(
      [[{ ...half, amount: '500.00' }], [{ ...half, of: uuidOfNumber(2) }], [half, half]].map(
        async (doctos) => (await run([buildReceiptFile(90, { doctos })])).files[0]?.reason,
      ),
    );
    expect(differing.map((reason) => /otros datos \((.*)\): es/.exec(reason ?? '')?.[1])).toEqual([
      'pagado $580.00; en este archivo $500.00',
      `factura ${uuidOfNumber(1)}; en este archivo ${uuidOfNumber(2)}`,
      'facturas que paga: 1; en este archivo 2',
    ]);
  });

  it('prefers the payment of the same day, and never gives one payment to two lines', async () => {
    const { run, db, actor, lines } = await createCfdiImporter(fresh.db);
    await run([buildInvoiceFile(1)]);
    const pay = async (paymentdate: string) =>
      (await createPayment(db, actor, { facturaproveedorId: 1, amountCents: 30_000, paymentdate })).payment
        .id;
    const [near, exact] = [await pay('2024-04-04'), await pay('2024-04-05')];
    const line = { amount: '300.00', of: uuidOfNumber(1) };
    await run([buildReceiptFile(90, { doctos: [line, line] }), buildReceiptFile(91, { doctos: [line] })]);
    expect((await lines()).map(({ paymentId }) => paymentId)).toEqual([exact, near, null]);
  });

  it('reports a payment that was not captured, and creates it if a source is given, once', async () => {
    const { run, payments, fundingSourceId, invoices, sound } = await createCfdiImporter(fresh.db);
    await run([buildInvoiceFile(1)]);
    const rep = buildReceiptFile(90, { doctos: [half] });
    expect((await run([rep])).files).toMatchObject([
      {
        outcome: 'warned',
        warnings: [expect.stringMatching(/^Falta capturar el pago de \$580\.00 .*la factura A-1 /)],
      },
    ]);
    expect(await payments()).toEqual([]);
    const completed = await run([rep], { fundingSourceId });
    expect(completed).toMatchObject({ created: 0, linked: 1, files: [{ outcome: 'warned', linked: true }] });
    expect(await payments()).toMatchObject([
      {
        amountCents: 58_000,
        paymentdate: '2024-04-05',
        origenderecursoId: fundingSourceId,
        kind: 'pago',
        rep: 'con',
      },
    ]);
    expect(await run([rep], { fundingSourceId })).toMatchObject({ unchanged: 1, linked: 0 });
    expect(await invoices()).toMatchObject([{ paidCents: 58_000 }]);
    await sound();
  });

  it('creates its own payment, and leaves another receipt, which waits for an equal one, its own', async () => {
    const { run, payments, fundingSourceId, lines, invoices, sound } = await createCfdiImporter(fresh.db);
    await run([buildInvoiceFile(1), buildReceiptFile(90, { doctos: [half] })]);
    await run([buildReceiptFile(91, { doctos: [half] })], { fundingSourceId });
    const [{ id } = { id: 0 }] = await payments();
    expect((await lines()).map(({ paymentId }) => paymentId)).toEqual([null, id]);
    await run([buildReceiptFile(90, { doctos: [half] })], { fundingSourceId });
    expect(await invoices()).toMatchObject([{ paidCents: 116_000 }]);
    await sound();
  });

  it('is stored without its payment if the bank was sent to pay that, and is linked when the batch is paid', async () => {
    const { run, db, actor, payments, fundingSourceId, lines, sound } = await createCfdiImporter(fresh.db);
    await run([buildInvoiceFile(1)]);
    const approver = await addActor(db, { roles: [1], today: '2024-04-05' });
    const draft = { fecha: '2024-04-05', origenderecursoId: fundingSourceId };
    const { id } = await createBatch(db, actor, {
      ...draft,
      lines: [{ invoiceId: 1, amountCents: 58_001 }],
    });
    const rep = buildReceiptFile(90, { doctos: [half] });
    const planned = await run([rep], { fundingSourceId, dryRun: true });
    expect(planned.files[0]!.warnings).toEqual([
      expect.stringMatching(`está en la programación ${id}, en borrador, `),
    ]);
    await signBatch(db, approver, id);
    await markBatchSent(db, approver, id);
    const warnings = [
      expect.stringMatching(
        new RegExp(
          String.raw`^No se captura el pago de \$580\.00 .*está en la programación ${id}, enviada al banco el viernes 5 de abril de 2024\.$`,
        ),
      ),
    ];
    expect(await run([rep], { fundingSourceId })).toMatchObject({
      created: 1,
      files: [{ outcome: 'warned', warnings }],
    });
    expect(await payments()).toEqual([]);
    expect(await lines()).toMatchObject([{ invoiceId: 1, paymentId: null }]);
    expect(await run([rep], { fundingSourceId })).toMatchObject({
      created: 0,
      files: [{ outcome: 'warned', warnings }],
    });
    await db.updateTable('payment_batch_lines').set({ amountCents: 58_000 }).execute();
    await payBatch(db, approver, id);
    expect(await payments()).toMatchObject([{ amountCents: 58_000, rep: 'con' }]);
    await sound();
  });

  it('is refused as a whole, with both figures, if a payment exceeds what is owed', async () => {
    const { run, db, fundingSourceId, payments } = await createCfdiImporter(fresh.db);
    await run([buildInvoiceFile(1)]);
    const doctos = [half, { amount: '580.01', of: uuidOfNumber(1) }];
    const result = await run([buildReceiptFile(90, { doctos })], { fundingSourceId });
    expect(result.files).toMatchObject([
      { outcome: 'refused', reason: expect.stringMatching(/\$580\.01 .*A-1 .*\$580\.00\.$/) },
    ]);
    expect(await payments()).toEqual([]);
    expect(await db.selectFrom('payment_receipts').select('id').execute()).toEqual([]);
  });

  it('is refused, with both sums, if its lines add up to more than its Monto', async () => {
    const { run, db, fundingSourceId, payments } = await createCfdiImporter(fresh.db);
    await run([buildInvoiceFile(1)]);
    const two = [half, { amount: '580.00', of: uuidOfNumber(2) }];
    const usd = { amount: '100.00', of: uuidOfNumber(1), moneda: 'USD', equivalencia: '0.0583' };
    const { files } = await run(
      [
        buildReceiptFile(90, { doctos: two, monto: '400.00' }),
        buildReceiptFile(91, { doctos: two, monto: '1159.99' }),
        buildReceiptFile(92, { doctos: [usd], monto: '1700.00' }),
        buildReceiptFile(93, {
          moneda: 'USD',
          tipoCambio: '17.5',
          doctos: [{ ...usd, equivalencia: '1' }],
          monto: '99.99',
        }),
      ],
      { fundingSourceId },
    );
    expect(files.map(({ reason }) => reason)).toEqual([
      'El pago del viernes 5 de abril de 2024 es de $400.00 (Monto), y lo que reparte entre facturas suma $1,160.00.',
      expect.stringContaining('es de $1,159.99 (Monto), y lo que reparte entre facturas suma $1,160.00.'),
      expect.stringContaining('es de $1,700.00 (Monto), y lo que reparte entre facturas suma $1,715.27.'),
      expect.stringContaining('es de $1,749.83 (Monto), y lo que reparte entre facturas suma $1,750.00.'),
    ]);
    expect(await payments()).toEqual([]);
    expect(await db.selectFrom('payment_receipts').select('id').execute()).toEqual([]);
  });

  it('is accepted if rounding alone makes its lines a cent more than its Monto', async () => {
    const { run } = await createCfdiImporter(fresh.db);
    const third = (n: number) => ({ amount: '33.33', of: uuidOfNumber(n), moneda: 'USD' });
    const doctos = [third(1), third(2), third(3), { ...third(4), amount: '0.01' }];
    // 33.33 × 17.0002 = 566.616…: three rounded parts give 1700.03, the whole 1700.02
    const odd = buildReceiptFile(90, { moneda: 'USD', tipoCambio: '17.0002', monto: '100.00', doctos });
    expect((await run([odd])).files[0]!.outcome).toBe('warned');
    const inexact = { amount: '100.00', of: uuidOfNumber(1), moneda: 'USD', equivalencia: '0.0583' };
    expect(
      (await run([buildReceiptFile(91, { doctos: [inexact], monto: '1715.00' })])).files[0]!.outcome,
    ).toBe('warned');
  });

  it('waits for its invoice, and for the payment that is captured later', async () => {
    const { run, db, actor, lines, sound } = await createCfdiImporter(fresh.db);
    expect((await run([buildReceiptFile(90, { doctos: [half] })])).files).toMatchObject([
      { outcome: 'warned', warnings: [`La factura ${uuidOfNumber(1)} no está registrada.`] },
    ]);
    const { files } = await run([buildInvoiceFile(1)]);
    expect(files[0]!.warnings).toEqual([expect.stringContaining('Falta capturar el pago de $580.00')]);
    const draft = { facturaproveedorId: files[0]!.invoiceId, amountCents: 58_000, paymentdate: '2024-04-05' };
    const { payment } = await createPayment(db, actor, draft);
    expect(payment.rep).toBe('con');
    await updatePayment(db, actor, payment.id, { amountCents: 50_000 });
    expect(await lines()).toMatchObject([{ paymentId: null }]);
    await updatePayment(db, actor, payment.id, { amountCents: 58_000 });
    expect(await lines()).toMatchObject([{ paymentId: payment.id }]);
    await deletePayment(db, actor, payment.id);
    expect(await lines()).toMatchObject([{ paymentId: null, invoiceId: payment.facturaproveedorId }]);
    expect((await restorePayment(db, actor, payment.id)).payment.rep).toBe('con');
    await sound();
  });

  it('creates payments when its invoice arrives, if a source is given, whatever the order of parts', async () => {
    const { run, fundingSourceId, invoices } = await createCfdiImporter(fresh.db);
    const files = [
      buildReceiptFile(90, { doctos: [half] }),
      buildCreditNoteFile(50, [1]),
      buildInvoiceFile(1),
    ];
    const result = await run(files, { fundingSourceId, filesPerPart: 1 });
    expect(result.refused).toBe(0);
    expect(await invoices()).toMatchObject([{ paidCents: 69_600 }]);
  });

  it('converts another currency by its own rate, rounded once', async () => {
    const { run, lines } = await createCfdiImporter(fresh.db);
    const doctos = [{ amount: '100.00', of: uuidOfNumber(1), moneda: 'USD', equivalencia: '0.0583' }];
    await run([
      buildReceiptFile(90, { doctos }),
      buildReceiptFile(91, {
        moneda: 'USD',
        tipoCambio: '17.123456',
        doctos: [{ ...doctos[0]!, equivalencia: '1' }],
      }),
      buildReceiptFile(92, {
        moneda: 'USD',
        tipoCambio: '17.5',
        doctos: [{ amount: '1750.00', of: uuidOfNumber(1), equivalencia: '17.5' }],
      }),
    ]);
    expect((await lines()).map(({ amountCents, moneda }) => [amountCents, moneda])).toEqual([
      [171_527, 'USD'], // 100 ÷ 0.0583 = 1715.2658…
      [171_235, 'USD'], // 100 × 17.123456 = 1712.3456
      [175_000, 'MXN'],
    ]);
    const { files } = await run([
      buildReceiptFile(93, { doctos: [{ ...doctos[0]!, equivalencia: '' }] }),
      buildReceiptFile(94, { moneda: 'USD', doctos }),
      buildReceiptFile(95, { uuid: null, doctos: [half] }),
      buildReceiptFile(96, { doctos: null }),
    ]);
    expect(files.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('sin la equivalencia'),
      expect.stringContaining('TipoCambio'),
      expect.stringContaining('sin timbrar'),
      expect.stringContaining('complemento de pagos'),
    ]);
  });

  it('without its issuer’s RFC belongs to the issuer of the invoices that it names', async () => {
    const { run, db, supplierId } = await createCfdiImporter(fresh.db);
    const emisor = { Rfc: '', Nombre: 'Kemper' };
    expect((await run([buildReceiptFile(90, { emisor, doctos: [half] })])).files[0]!.outcome).toBe('refused');
    await run([buildInvoiceFile(1), buildReceiptFile(90, { emisor, doctos: [half] })]);
    expect(await db.selectFrom('payment_receipts').select('supplierId').execute()).toEqual([{ supplierId }]);
  });
});

describeEachInLongLane('a document whose invoice was captured by hand', (fresh) => {
  const byHand = { fechaemision: '2024-03-01', numfactura: 'A 0001', subtotalCents: 100_000 };

  it('is linked to the invoice with its number, which keeps what people chose', async () => {
    const { run, db, actor, jobId, supplierId, invoices, sound } = await createCfdiImporter(fresh.db);
    const captured = await createInvoice(db, actor, {
      ...byHand,
      supplierId,
      jobId,
      numfactura: 'a 1',
      fechavencimiento: '2024-05-01',
      comments: 'para la cimbra',
    });
    await createPayment(db, actor, { facturaproveedorId: captured.invoice.id, amountCents: 116_000 });
    const result = await run([buildInvoiceFile(1)], { jobId: await addJob(db) });
    expect(result).toMatchObject({
      created: 0,
      linked: 1,
      warned: 1,
      files: [
        {
          outcome: 'warned',
          linked: true,
          invoiceId: captured.invoice.id,
          warnings: [expect.stringContaining('que no tenía UUID')],
        },
      ],
    });
    expect(await invoices()).toMatchObject([
      {
        uuid: uuidOfNumber(1),
        jobId,
        numfactura: 'A-1',
        metodopago: 'PPD',
        fechaemision: '2024-03-01',
        fechavencimiento: '2024-05-01',
        comments: 'para la cimbra',
        paidCents: 116_000,
        version: captured.invoice.version + 1,
      },
    ]);
    expect(await run([buildInvoiceFile(1)])).toMatchObject({ created: 0, linked: 0, unchanged: 1 });
    const entry = await readRow(db, 'audit', { action: 'update' });
    expect(JSON.parse(entry.before!)).toMatchObject({ uuid: null });
    await sound();
  });

  it('is recognised by its folio alone, and the document’s split of the same total is used', async () => {
    const { run, db, actor, jobId, supplierId, invoices } = await createCfdiImporter(fresh.db);
    await createInvoice(db, actor, { supplierId, jobId, numfactura: '001', subtotalCents: 116_000, tasa: 0 });
    await createInvoice(db, actor, { supplierId, jobId, numfactura: '77', subtotalCents: 116_000, tasa: 0 });
    expect(await run([buildInvoiceFile(1, { root: { Folio: '001' } })])).toMatchObject({ linked: 1 });
    expect((await invoices())[0]).toMatchObject({
      numfactura: 'A-001',
      subtotalCents: 100_000,
      ivaCents: 16_000,
    });
  });

  it('is never refused for its number: with another total, or several matches, it is a debt of its own', async () => {
    const { run, db, actor, jobId, supplierId, invoices } = await createCfdiImporter(fresh.db);
    await createInvoice(db, actor, { supplierId, jobId, numfactura: 'A-1', subtotalCents: 50_000 });
    expect((await run([buildInvoiceFile(1)])).files).toMatchObject([
      {
        outcome: 'warned',
        warnings: [
          'El proveedor ya tiene la factura A-1 (id 1), sin UUID y de otro total ($580.00; en este archivo $1,160.00): revisa que no sean la misma.',
        ],
      },
    ]);
    const twice = { supplierId, jobId, numfactura: 'A-2', subtotalCents: 100_000 };
    await createInvoice(db, actor, twice);
    await createInvoice(db, actor, twice, { allowDuplicate: true });
    const [second] = (await run([buildInvoiceFile(2)])).files;
    expect(second!.outcome).toBe('warned');
    expect(second!.warnings?.[0]).toContain('sin UUID y del mismo total: revisa que no sean la misma.');
    expect((await invoices()).filter((one) => one.uuid)).toHaveLength(2);
  });

  it('is linked by number, never by total alone, if the invoice’s own document has no stamp', async () => {
    const { run, invoices } = await createCfdiImporter(fresh.db);
    await run([buildInvoiceFile(1, { uuid: null })]);
    expect(await run([buildInvoiceFile(2)])).toMatchObject({ created: 1, linked: 0 });
    const linked = await run([buildInvoiceFile(1)]);
    expect(linked.files).toMatchObject([
      { linked: true, warnings: [expect.stringContaining('que no tenía UUID')] },
    ]);
    expect(await invoices()).toMatchObject([{ uuid: uuidOfNumber(1) }, { uuid: uuidOfNumber(2) }]);
    const larger = { root: { SubTotal: '500.00', Total: '660.00', Folio: '7' } };
    await run([buildInvoiceFile(7, { uuid: null })]);
    expect((await run([buildInvoiceFile(7, larger)])).files).toMatchObject([{ outcome: 'warned' }]);
  });

  it('is linked by total to the only invoice of about its date, and held if there are several', async () => {
    const { run, db, supplierId, invoices } = await createCfdiImporter(fresh.db);
    await addInvoice(db, { supplierId, numfactura: '', fechaemision: '2024-03-15' });
    await addInvoice(db, { supplierId, numfactura: 'x', fechaemision: '2024-03-16' });
    expect(await run([buildInvoiceFile(1)])).toMatchObject({ linked: 1 });
    expect(await invoices()).toMatchObject([{ uuid: uuidOfNumber(1), numfactura: 'A-1' }, { uuid: null }]);
    await addInvoice(db, { supplierId, numfactura: 'y', fechaemision: '2024-03-05' });
    const { files } = await run([buildInvoiceFile(2, { root: { Fecha: '2024-03-10T09:00:00' } })]);
    expect(files).toMatchObject([
      { outcome: 'refused', reason: expect.stringMatching(/factura x .*factura y /) },
    ]);
  });

  it('does not touch an invoice whose own document is among the files', async () => {
    const { run, db, supplierId, invoices } = await createCfdiImporter(fresh.db);
    await addInvoice(db, { supplierId, numfactura: 'A-2', fechaemision: '2024-03-05' });
    expect(await run([buildInvoiceFile(1), buildInvoiceFile(2)])).toMatchObject({ created: 1, linked: 1 });
    expect(await invoices()).toMatchObject([{ uuid: uuidOfNumber(2) }, { uuid: uuidOfNumber(1) }]);
  });
});

describeEachInLongLane('a document that replaces another one', (fresh) => {
  const successor = (root: Record<string, string> = {}) =>
    buildInvoiceFile(2, {
      relacionados: buildReplacements(uuidOfNumber(1)),
      root: { Fecha: '2024-03-09T09:00:00', ...root },
    });
  const smaller = { SubTotal: '500.00', Total: '660.00' };

  it('takes the place of another if asked to: payments stay, and the old one is not restored', async () => {
    const { run, db, actor, invoices, payments, sound } = await createCfdiImporter(fresh.db);
    await run([buildInvoiceFile(1)]);
    await createPayment(db, actor, { facturaproveedorId: 1, amountCents: 66_000 });
    expect((await run([successor(smaller)])).files).toMatchObject([
      { outcome: 'refused', reason: expect.stringMatching(/Sustituye.*--replace/) },
    ]);
    const result = await run([successor(smaller)], { replace: true });
    expect(result).toMatchObject({ created: 0, linked: 1, files: [{ linked: true, invoiceId: 1 }] });
    expect(await invoices()).toMatchObject([
      {
        uuid: uuidOfNumber(2),
        formerUuid: uuidOfNumber(1),
        numfactura: 'A-2',
        fechaemision: '2024-03-09',
        totalCents: 66_000,
        paidCents: 66_000,
      },
    ]);
    expect(await payments()).toHaveLength(1);
    expect((await run([buildInvoiceFile(1)])).files).toMatchObject([
      { outcome: 'refused', reason: expect.stringContaining(`Lo sustituyó el CFDI ${uuidOfNumber(2)}`) },
    ]);
    const third = buildInvoiceFile(3, { relacionados: buildReplacements(uuidOfNumber(2)) });
    await run([third], { replace: true });
    for (const old of [buildInvoiceFile(1), successor(smaller)])
      expect((await run([old])).files[0]!.reason).toContain(`Lo sustituyó el CFDI ${uuidOfNumber(3)}`);
    await sound();
  });

  it('is refused if its total is below what is paid', async () => {
    const { run, db, actor, invoices } = await createCfdiImporter(fresh.db);
    await run([buildInvoiceFile(1)]);
    await createPayment(db, actor, { facturaproveedorId: 1, amountCents: 66_001 });
    expect((await run([successor(smaller)], { replace: true })).files[0]!.reason).toMatch(
      /^El total no puede ser menor o igual a la suma de los pagos realizados\. .*\$660\.00.*\$660\.01/,
    );
    expect(await invoices()).toMatchObject([{ uuid: uuidOfNumber(1) }]);
  });

  it.each([
    ['first', false],
    ['last', true],
  ])('is owed once if the old one comes %s in the same import', async (_when, reversed) => {
    const { run, invoices } = await createCfdiImporter(fresh.db);
    const files = [buildInvoiceFile(1), successor()];
    await run(reversed ? files.reverse() : files, { replace: true });
    expect(await invoices()).toMatchObject([{ uuid: uuidOfNumber(2) }]);
    expect((await run([buildInvoiceFile(1)])).created).toBe(0);
    expect(await invoices()).toHaveLength(1);
  });

  it('receives the receipts and notes of the old one', async () => {
    const { run, fundingSourceId, invoices } = await createCfdiImporter(fresh.db);
    await run([buildInvoiceFile(1), successor()], { replace: true });
    const doctos = [{ amount: '1044.00', of: uuidOfNumber(1) }];
    await run([buildCreditNoteFile(50, [1]), buildReceiptFile(90, { doctos })], { fundingSourceId });
    expect(await invoices()).toMatchObject([{ paidCents: 116_000 }]);
  });

  it('is stored with it, its supplier and what settles it in one import, as its dry run reports', async () => {
    const { db, run, fundingSourceId, invoices, sound } = await createCfdiImporter(fresh.db);
    await db.deleteFrom('suppliers').execute();
    const doctos = [{ amount: '1044.00', of: uuidOfNumber(1) }];
    const files = [
      buildReceiptFile(90, { doctos }),
      buildCreditNoteFile(50, [1]),
      buildInvoiceFile(1),
      successor(),
    ];
    const options = { createSuppliers: true, replace: true, fundingSourceId };
    const dry = await run(files, { ...options, dryRun: true });
    const real = await run(files, options);
    expect(dry.files.map(({ outcome, linked }) => [outcome, linked])).toEqual(
      real.files.map(({ outcome, linked }) => [outcome, linked]),
    );
    expect(real).toMatchObject({ created: 3, linked: 0, suppliersCreated: 1, refused: 1 });
    expect(await invoices()).toMatchObject([
      { uuid: uuidOfNumber(2), formerUuid: uuidOfNumber(1), paidCents: 116_000 },
    ]);
    await sound();
  });
});
