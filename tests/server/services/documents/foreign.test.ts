import { expect, it } from 'vitest';
import type { Db } from '../../../../db/schema.ts';
import { applyCredit } from '../../../../server/services/credit-notes/write.ts';
import { payBatch } from '../../../../server/services/payment-batches/paying.ts';
import { updateBatch } from '../../../../server/services/payment-batches/payment-batches.ts';
import { markBatchSent, signBatch } from '../../../../server/services/payment-batches/stages.ts';
import {
  createPayment,
  deletePayment,
  restorePayment,
} from '../../../../server/services/payments/payments.ts';
import { paymentAnswer } from '../../../../server/shapes/payments.ts';
import { addBatch } from '../../../support/batches.ts';
import { type ReceiptParts, uuidOfNumber } from '../../../support/cfdi.ts';
import {
  buildCreditNoteFile,
  buildInvoiceFile,
  buildReceiptFile,
  createCfdiImporter,
} from '../../../support/cfdi-office.ts';
import { describeEachInLongLane } from '../../../support/proofs.ts';
import { addActor, TODAY } from '../../../support/rows.ts';
import { readRow, readRows } from '../../../support/stored.ts';

/** An untaxed invoice in dollars, with its own rate. */
const inDollars = (n: number, amount: string, TipoCambio = '17.1234') =>
  buildInvoiceFile(n, {
    root: { Moneda: 'USD', TipoCambio, SubTotal: amount, Total: amount },
    impuestos: '',
  });

type Pays = { amount: string; of?: number; equivalencia?: string };

/** A receipt of a payment, by default in dollars at the day's rate. */
const receipt = (n: number, pays: Pays[], parts: Partial<ReceiptParts> = {}) => {
  const doctos = pays.map(({ of = 1, ...docto }) => ({ ...docto, of: uuidOfNumber(of), moneda: 'USD' }));
  const monto = String(pays.reduce((sum, { amount }) => sum + Number(amount), 0));
  return buildReceiptFile(n, { moneda: 'USD', monto, ...parts, doctos });
};

const prepare = async (db: Db) => {
  const { fundingSourceId, run, ...office } = await createCfdiImporter(db);
  const paidFrom: typeof run = (files, options, handle) =>
    run(files, { fundingSourceId, ...options }, handle);
  return { ...office, run: paidFrom };
};

/** A credit note in dollars, at the rate of its own day. */
const note = (n: number, amount: string, TipoCambio: string) =>
  buildCreditNoteFile(n, [1], {
    root: { Moneda: 'USD', TipoCambio, SubTotal: amount, Total: amount },
    impuestos: '',
  });

/** 209,445.33 USD at 17.1234. */
const OWED = 358_641_616;
const AMOUNT = '209445.33';

describeEachInLongLane('an invoice in dollars', (fresh) => {
  it.each([
    ['18.00', 377_001_594],
    ['16.50', 345_584_795],
    ['17.1234', null],
  ])('is fully paid by a receipt at %s, with 0 left', async (tipoCambio, importebancoCents) => {
    const { run, payments, pending, sound } = await prepare(fresh.db);
    const result = await run([inDollars(1, AMOUNT), receipt(90, [{ amount: AMOUNT }], { tipoCambio })]);
    expect(result).toMatchObject({ created: 2, refused: 0 });
    const [stored] = await fresh.db.selectFrom('invoices').selectAll().execute();
    expect(stored).toMatchObject({ moneda: 'USD', tipocambio: '17.1234', totalCents: OWED });
    expect(await payments()).toMatchObject([{ amountCents: OWED, importebancoCents, rep: 'con' }]);
    expect(await pending()).toEqual([0]);
    await sound();
  });

  it('is fully paid even if the receipt is imported first, each file separately', async () => {
    const { run, payments, pending, sound } = await prepare(fresh.db);
    const paid = receipt(90, [{ amount: AMOUNT }], { tipoCambio: '16.50' });
    expect(await run([paid])).toMatchObject({ created: 1, warned: 1 });
    expect(await run([inDollars(1, AMOUNT)])).toMatchObject({ created: 1, refused: 0 });
    expect(await payments()).toMatchObject([{ amountCents: OWED, importebancoCents: 345_584_795 }]);
    expect(await pending()).toEqual([0]);
    expect(await run([paid, inDollars(1, AMOUNT)])).toMatchObject({ unchanged: 2 });
    await sound();
  });

  it('is closed by partial payments that are rounded each, whatever their number and the rates of their days', async () => {
    const { run, payments, pending, sound } = await prepare(fresh.db);
    const parts = ['0.07', '0.07', '0.07', '33.33', '66.46'];
    const receipts = parts.map((amount, index) =>
      receipt(90 + index, [{ amount }], { tipoCambio: `${16 + index}.4321`, fecha: `2024-04-0${index + 1}` }),
    );
    const result = await run([inDollars(1, '100.00'), ...receipts]);
    expect(result).toMatchObject({ created: 6, refused: 0 });
    expect((await payments()).map(({ amountCents }) => amountCents)).toEqual([
      120, 120, 120, 57_072, 113_802,
    ]);
    expect(await pending()).toEqual([0]);
    await sound();
  });

  it.each([
    ['100.77', 'up', 'the first receipt'],
    ['101.58', 'down', 'the first receipt'],
    ['100.77', 'up', 'a credit note'],
    ['101.58', 'down', 'a credit note'],
  ])('is closed after forty parts of %s, each rounded %s by half a cent, by %s', async (amount, _, by) => {
    const { run, pending, sound } = await prepare(fresh.db);
    const parts = Array.from({ length: 41 }, (_, n) =>
      receipt(90 + n, [{ amount }], {
        tipoCambio: '18',
        fecha: `2024-0${1 + (n % 9)}-${10 + Math.floor(n / 2)}`,
      }),
    );
    const last = by === 'a credit note' ? note(50, amount, '18.5') : parts[0]!;
    await run([inDollars(1, (Number(amount) * 41).toFixed(2)), ...parts.slice(1)]);
    expect(await run([last])).toMatchObject({ created: 1, refused: 0 });
    expect(await pending()).toEqual([0]);
    const notes = await readRows(fresh.db, 'credit_notes');
    expect(notes.filter(({ totalCents, appliedCents }) => totalCents > appliedCents)).toEqual([]);
    await sound();
  });

  it('may be paid in pesos: the bank amount is the payment’s Monto to the cent', async () => {
    const { run, payments, pending } = await prepare(fresh.db);
    // 209,445.33 ÷ 0.055556 would be 3,769,985.78.
    const pesos = { moneda: 'MXN', tipoCambio: '1', monto: '3770015.94' };
    const paid = receipt(90, [{ amount: AMOUNT, equivalencia: '0.055556' }], pesos);
    expect(await run([inDollars(1, AMOUNT), paid])).toMatchObject({ created: 2, refused: 0 });
    expect(await payments()).toMatchObject([{ amountCents: OWED, importebancoCents: 377_001_594 }]);
    expect(await pending()).toEqual([0]);
  });

  it('is paid together with others by one receipt, each at its own rate', async () => {
    const { run, payments, pending, sound } = await prepare(fresh.db);
    const paid = receipt(90, [{ amount: '100.00' }, { amount: '50.00', of: 2 }], { tipoCambio: '18.00' });
    await run([inDollars(1, '100.00'), inDollars(2, '80.00', '19.5'), paid]);
    expect(await payments()).toMatchObject([
      { amountCents: 171_234, importebancoCents: 180_000 },
      { amountCents: 97_500, importebancoCents: 90_000 },
    ]);
    expect(await pending()).toEqual([0, 58_500]);
    await sound();
  });

  it('is matched with the payment captured by hand, by the amount that it settles', async () => {
    const { actor, run, payments } = await prepare(fresh.db);
    await run([inDollars(1, AMOUNT)]);
    const { id } = await fresh.db.selectFrom('invoices').select('id').executeTakeFirstOrThrow();
    const byHand = { amountCents: OWED, importebancoCents: 377_050_000, paymentdate: '2024-04-04' };
    await createPayment(fresh.db, actor, { facturaproveedorId: id, ...byHand });
    await run([receipt(90, [{ amount: AMOUNT }], { tipoCambio: '18.00' })]);
    expect(await payments(), 'what people said of the bank stays').toMatchObject([{ ...byHand, rep: 'con' }]);
  });

  it.each([
    ['before', false],
    ['after', true],
  ])('is closed if people captured only what left the bank, %s the receipt arrived', async (_, isAfter) => {
    const { actor, run, payments, pending, sound } = await prepare(fresh.db);
    const paid = receipt(90, [{ amount: AMOUNT }], { tipoCambio: '16.50' });
    await run(isAfter ? [inDollars(1, AMOUNT), paid] : [inDollars(1, AMOUNT)], { fundingSourceId: null });
    const byHand = { facturaproveedorId: 1, amountCents: 345_584_795, paymentdate: '2024-04-04' };
    const { payment, warnings } = await createPayment(fresh.db, actor, { ...byHand, comments: 'SPEI' });
    const warningText = /abona \$3,586,416\.16 a la factura y del banco salieron \$3,455,847\.95/;
    expect(warnings).toEqual(isAfter ? [expect.stringMatching(warningText)] : []);
    expect(await pending()).toEqual([OWED - 345_584_795]);
    const { files } = await run([paid], { fundingSourceId: null });
    expect(files[0]!.warnings?.at(-1)).toEqual(
      expect.stringMatching(/^El pago de \$3,455,847\.95 .* abona ahora \$3,586,416\.16 \(\$209,445\.33 USD/),
    );
    expect(await payments()).toMatchObject([
      { id: payment.id, amountCents: OWED, importebancoCents: 345_584_795, comments: 'SPEI', rep: 'con' },
    ]);
    expect(await pending()).toEqual([0]);
    const [change] = await fresh.db.selectFrom('audit').selectAll().where('action', '=', 'update').execute();
    expect(JSON.parse(change!.before!)).toMatchObject({ amountCents: 345_584_795 });
    // If only a payment changes, no import is recorded.
    expect(await fresh.db.selectFrom('imports').select('id').execute()).toHaveLength(isAfter ? 1 : 2);
    await sound();
  });

  it('is not corrected if a batch has paid it, and the other documents are stored', async () => {
    const { run, payments, pending, sound } = await prepare(fresh.db);
    await run([inDollars(1, '100.00')]);
    const batch = await addBatch(fresh.db, { invoiceIds: [1] });
    const author = await addActor(fresh.db, { roles: [6] });
    const approver = await addActor(fresh.db, { roles: [1] });
    await updateBatch(fresh.db, author, batch.id, { lines: [{ invoiceId: 1, amountCents: 160_000 }] });
    await signBatch(fresh.db, approver, batch.id);
    await markBatchSent(fresh.db, approver, batch.id);
    await payBatch(fresh.db, approver, batch.id, { importesbanco: new Map([[1, 160_000]]) });
    const paid = receipt(90, [{ amount: '100.00' }], { tipoCambio: '16.00', fecha: TODAY });
    const files = [paid, inDollars(2, '50.00')];
    for (const dryRun of [true, false])
      expect((await run(files, { dryRun })).files).toMatchObject([
        {
          outcome: 'warned',
          warnings: [
            expect.stringMatching(
              /^No se corrige el pago de \$1,712\.34 .* a la factura A-1 .*programación/i,
            ),
          ],
        },
        { outcome: 'warned', kind: 'I' },
      ]);
    expect(await payments()).toMatchObject([{ amountCents: 160_000, importebancoCents: null, rep: 'con' }]);
    expect(await pending()).toEqual([11_234, 85_617]);
    await sound();
  });

  it('is never paid beyond its total by receipts, and the refusal names both amounts', async () => {
    const { run, payments, pending, sound } = await prepare(fresh.db);
    await run([inDollars(1, '100.00'), receipt(90, [{ amount: '60.00' }], { tipoCambio: '18' })]);
    const { files } = await run([
      receipt(91, [{ amount: '40.01' }], { tipoCambio: '10', fecha: '2024-05-05' }),
    ]);
    expect(files).toMatchObject([
      {
        outcome: 'refused',
        reason: expect.stringMatching(/\$685\.11 \(\$40\.01 USD a 17\.1234\).*\$684\.94/),
      },
    ]);
    expect(await payments()).toHaveLength(1);
    expect(await pending()).toEqual([68_494]);
    await sound();
  });

  it('is never paid beyond its total by people and receipts at the same moment, from several processes', async () => {
    const { actor, run, payments, pending, sound } = await prepare(fresh.db);
    const handles = [fresh.db, fresh.database.openAgain().db, fresh.database.openAgain().db];
    await run([inDollars(1, AMOUNT)]);
    const part = '52361.33';
    const settled = 89_660_400;
    const tries = Array.from({ length: 12 }, (_, n) => async () => {
      const db = handles[n % 3]!;
      const importebancoCents = 90_000_000 + n;
      if (n % 2 === 0)
        return createPayment(db, actor, { facturaproveedorId: 1, amountCents: settled, importebancoCents });
      const tipoCambio = `${15 + n}.4321`;
      return run(
        [receipt(90 + n, [{ amount: part }], { tipoCambio, fecha: `2024-0${(n % 9) + 1}-02` })],
        {},
        db,
      );
    });
    await Promise.allSettled(tries.map((pay) => pay()));
    // Four payments fit; the rest is less than a fifth one.
    expect((await payments()).map(({ amountCents }) => amountCents)).toEqual([
      settled,
      settled,
      settled,
      settled,
    ]);
    expect(await pending()).toEqual([OWED - 4 * settled]);
    await sound();
  });
});

describeEachInLongLane('a credit note in dollars', (fresh) => {
  it.each([
    ['18.5', 'above'],
    ['16.25', 'below'],
  ])(
    'at %s, %s the rate of its invoice, reduces it by its dollars, and nothing is left of either',
    async (rate) => {
      const { run, payments, pending, sound } = await prepare(fresh.db);
      const paid = receipt(90, [{ amount: '199445.33' }], { tipoCambio: '18.00' });
      await run([inDollars(1, AMOUNT), note(50, '10000.00', rate), paid]);
      const [credit] = (await payments()).filter(({ kind }) => kind === 'credito');
      // 10,000 at the invoice's rate of 17.1234, and at the note's own rate.
      expect(credit).toMatchObject({
        amountCents: 17_123_400,
        importebancoCents: Number(rate) * 1_000_000,
      });
      expect(await pending()).toEqual([0]);
      const notes = await fresh.db.selectFrom('credit_notes').selectAll().execute();
      expect(notes.map(({ totalCents, appliedCents }) => totalCents - appliedCents)).toEqual([0]);
      expect(paymentAnswer.toJson(credit!), 'no bank gave it').toMatchObject({ importebanco: null });
      await sound();
    },
  );

  it('is applied to another invoice by hand, undone and applied again, to the last cent', async () => {
    const { actor, run, pending, sound } = await prepare(fresh.db);
    await run([inDollars(1, '60.00'), inDollars(2, '80.00', '19.87'), note(50, '100.00', '18.5')]);
    const left = async () => {
      const { totalCents, appliedCents } = await readRow(fresh.db, 'credit_notes');
      return totalCents - appliedCents;
    };
    expect([await left(), await pending()]).toEqual([74_000, [0, 158_960]]);
    const apply = async (amountCents: number) => {
      const { id: creditNoteId } = await readRow(fresh.db, 'credit_notes', {}, ['id']);
      return applyCredit(fresh.db, actor, { creditNoteId, invoiceId: 2, amountCents });
    };
    // 40 USD at 19.87 are 794.80.
    await expect(apply(79_490)).rejects.toMatchObject({ code: 'over_credit' });
    const { id } = await apply(79_480);
    expect([await left(), await pending()]).toEqual([0, [0, 79_480]]);
    await deletePayment(fresh.db, actor, id);
    expect([await left(), await pending()]).toEqual([74_000, [0, 158_960]]);
    await restorePayment(fresh.db, actor, id);
    expect([await left(), await pending()]).toEqual([0, [0, 79_480]]);
    await sound();
  });
});
