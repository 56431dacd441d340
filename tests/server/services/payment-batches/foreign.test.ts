import { describe, expect, it } from 'vitest';
import { generateFileAndMarkSent } from '../../../../server/services/bank-files/files.ts';
import { buildBankOrder } from '../../../../server/services/bank-files/transfers.ts';
import { importBankStatement } from '../../../../server/services/bank-statements/import-statement.ts';
import { resolveMovement } from '../../../../server/services/bank-statements/resolving.ts';
import { moveBatchBackOneStage, payBatch } from '../../../../server/services/payment-batches/paying.ts';
import { getBatch } from '../../../../server/services/payment-batches/reading.ts';
import { createPayment, updatePayment } from '../../../../server/services/payments/payments.ts';
import { batchTexts, isOpenLine } from '../../../../shared/payment-batches.ts';
import { type PaymentFieldValues, paymentTexts } from '../../../../shared/payments.ts';
import { addAccount } from '../../../support/accounts.ts';
import { createTestApp } from '../../../support/app.ts';
import { addBankMovements } from '../../../support/bank-movements.ts';
import { addBatch } from '../../../support/batches.ts';
import { readCsv } from '../../../support/csv.ts';
import { readPage } from '../../../support/page.ts';
import { findDatabaseProblems } from '../../../support/problems.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { addActor, addFundingSource, addInvoice, TODAY } from '../../../support/rows.ts';
import { readRows } from '../../../support/stored.ts';

describeOneDatabase('a batch with a line in dollars', (fresh) => {
  /** Stores a batch of 500.00 USD at 17.1235 and 100.00 pesos for a supplier with a confirmed account. */
  async function addMixedBatch(estado: 'autorizada' | 'enviada') {
    const { db } = fresh;
    const author = await addActor(db, { roles: [6], today: '2026-11-02' });
    const { supplierId } = await addAccount(db, { author });
    const amounts = { tasa: 0, ivaCents: 0, supplierId };
    const dollars = await addInvoice(db, {
      ...amounts,
      ...{ numfactura: 'U-1', moneda: 'USD', tipocambio: '17.1235' },
      ...{ subtotalCents: 856_175, totalCents: 856_175 },
    });
    const pesos = await addInvoice(db, {
      ...amounts,
      ...{ numfactura: 'P-1', subtotalCents: 10_000, totalCents: 10_000 },
    });
    const approver = await addActor(db, { roles: [1, 3] });
    const origenderecursoId = await addFundingSource(db, { clabe: '002180700512345671' });
    const invoiceIds = [dollars, pesos];
    const batch = await addBatch(db, { approver, estado, invoiceIds, origenderecursoId });
    return { db, approver, dollars, pesos, batch, origenderecursoId };
  }
  const paymentsOf = (facturaproveedorId: number) =>
    readRows(fresh.db, 'payments', { facturaproveedorId }, [
      'amountCents',
      'importemonedaCents',
      'importebancoCents',
    ]);

  it('shows its currency and its amount in it, on page, API and paper', async () => {
    const { db, batch } = await addMixedBatch('autorizada');
    const client = await createTestApp({ db }).as([1]);
    const { partidas } = await (await client.get(`/api/programaciones/${batch.id}`)).json();
    const warned = expect.objectContaining({ code: 'moneda', nivel: 'avisar' });
    expect(
      partidas.toSorted((a: { importe: number }, b: { importe: number }) => a.importe - b.importe),
    ).toMatchObject([
      {
        importe: 100,
        moneda: null,
        importemoneda: null,
        veredicto: { hallazgos: expect.not.arrayContaining([warned]) },
      },
      {
        ...{ importe: 8561.75, moneda: 'USD', importemoneda: 500, detenida: false },
        veredicto: { hallazgos: expect.arrayContaining([warned]) },
      },
    ]);
    const page = await readPage(client.get(`/programaciones/${batch.id}`));
    expect(page.decodedHtml).toContain('$500.00 USD');
    expect(page.decodedHtml).toContain('Se debe en USD, aquí a 17.1235');
    const { rows } = await readCsv(client.get(`/programaciones/${batch.id}/export.csv`));
    expect(rows.map((row) => row['Importe en su moneda'])).toContain('$500.00 USD');
  });

  it('is paid only if its bank amount is stated', async () => {
    const { db, batch, dollars, pesos } = await addMixedBatch('autorizada');
    const client = await createTestApp({ db }).as([1]);
    const pay = async (body: object) => {
      const response = await client.post(`/api/programaciones/${batch.id}/pagar`, body);
      return { status: response.status, ...(await response.json()) };
    };
    expect(await pay({})).toMatchObject({
      status: 422,
      message: batchTexts.bankAmounts(['U-1 ($500.00 USD)']),
      fields: { importesbanco: expect.any(String) },
    });
    expect(await pay({ importesbanco: { [dollars]: 9000, [pesos]: 100 } })).toMatchObject({
      status: 422,
      message: batchTexts.notForeign(pesos),
    });
    for (const [amount, message] of [
      ['0', paymentTexts.bankAboveZero],
      ['-5', paymentTexts.bankAboveZero],
      ['1.234', 'Importe del banco: máximo dos decimales.'],
    ])
      expect(await pay({ importesbanco: { [dollars]: amount } })).toMatchObject({ status: 422, message });
    expect((await pay({ importesbanco: { otra: 5 } })).status).toBe(400);
    expect(await readRows(db, 'payments')).toEqual([]);
    expect(await pay({ importesbanco: { [dollars]: 9000.5 } })).toMatchObject({
      status: 200,
      estado: 'pagada',
    });
    expect(await paymentsOf(dollars)).toEqual([
      { amountCents: 856_175, importemonedaCents: 50_000, importebancoCents: 900_050 },
    ]);
    expect(await paymentsOf(pesos)).toEqual([
      { amountCents: 10_000, importemonedaCents: null, importebancoCents: null },
    ]);
    expect(await findDatabaseProblems(db)).toEqual([]);
  });

  it('is paid on its page, which asks for the bank amount, also without a script', async () => {
    const { db, batch, dollars } = await addMixedBatch('autorizada');
    const client = await createTestApp({ db }).as([1]);
    const address = `/programaciones/${batch.id}`;
    const page = await readPage(client.get(address));
    expect(page.decodedHtml).toContain('Salió del banco por U-1 ($500.00 USD)');
    const form = { version: String(batch.version), cheque: '', referencia: 'SPEI' };
    const refused = await readPage(client.form(`${address}/pagar`, form));
    expect(refused.errors).toContain(batchTexts.bankAmount);
    expect(
      (await client.form(`${address}/pagar`, { ...form, [`importesbanco-${dollars}`]: '9,000.50' })).status,
    ).toBe(303);
    expect(await paymentsOf(dollars)).toMatchObject([{ importebancoCents: 900_050 }]);
  });

  it('that pays a part says it in dollars where that is exact', async () => {
    const { db } = fresh;
    const approver = await addActor(db, { roles: [1] });
    const amounts = { tasa: 0, ivaCents: 0, subtotalCents: 856_175, totalCents: 856_175 };
    const dollars = await addInvoice(db, { ...amounts, moneda: 'USD', tipocambio: '17.1235' });
    await createPayment(db, approver, { facturaproveedorId: dollars, importemonedaCents: 33_333 });
    const batch = await addBatch(db, { approver, estado: 'autorizada', invoiceIds: [dollars] });
    expect(batch.lines).toMatchObject([{ amountCents: 285_397, foreign: { cents: 16_667 } }]);
    await payBatch(db, approver, batch.id, { importesbanco: new Map([[dollars, 290_000]]) });
    expect((await paymentsOf(dollars)).at(-1)).toMatchObject({ importemonedaCents: 16_667 });
    await moveBatchBackOneStage(db, { ...approver, motivo: 'x' }, batch.id);
    expect((await getBatch(db, batch.id)).lines).toMatchObject([
      { foreign: { cents: 16_667, bankCents: null } },
    ]);
  });

  it('is in no file for the bank, which names it', async () => {
    const { db, approver, batch } = await addMixedBatch('autorizada');
    const { file, warnings } = await generateFileAndMarkSent(db, approver, batch.id, { layout: 'csv' });
    expect(file).toMatchObject({ transfers: 1, totalCents: 10_000 });
    expect(warnings).toContain(batchTexts.leftOut(['U-1 ($500.00 USD)']));
    const client = await createTestApp({ db }).as([1]);
    const page = await readPage(client.get(`/programaciones/${batch.id}`));
    expect(page.decodedHtml).toContain(batchTexts.leftOut(['U-1 ($500.00 USD)']));
    const alone = await addInvoice(db, {
      ...{ moneda: 'USD', tipocambio: '20', tasa: 0, ivaCents: 0, subtotalCents: 2_000, totalCents: 2_000 },
    });
    const { id } = await addBatch(db, { approver, estado: 'autorizada', invoiceIds: [alone] });
    await expect(generateFileAndMarkSent(db, approver, id, { layout: 'csv' })).rejects.toThrow(
      batchTexts.nothingToSend,
    );
  });

  it('is never paid by a movement of its amount in pesos, and is confirmed by what the bank took', async () => {
    const { db, approver, batch, dollars, pesos, origenderecursoId } = await addMixedBatch('enviada');
    const { transfers } = await buildBankOrder(db, await getBatch(db, batch.id));
    const { referencia } = transfers[0]!;
    const load = async (amountCents: number, sha: string) => {
      const movement = { line: 2, fecha: TODAY, amountCents: -amountCents, referencia, descripcion: '' };
      const sent = { origenderecursoId, filename: 'x.csv', sha256: sha.repeat(64), movements: [movement] };
      await importBankStatement(db, approver, sent);
      const stored = await readRows(db, 'bank_movements', { amountCents: -amountCents }, ['outcome']);
      return stored.map(({ outcome }) => outcome);
    };
    expect(await load(856_175, 'a'), 'its amount at the invoice’s rate').toEqual(['ambiguo']);
    expect(await load(866_175, 'b'), 'together with the pesos').toEqual(['sin-partida']);
    expect(await load(900_050, 'c'), 'at the rate of the day').toEqual(['sin-partida']);
    expect(await load(10_000, 'd'), 'the pesos alone').toEqual(['pagado']);
    expect(await paymentsOf(pesos)).toMatchObject([{ amountCents: 10_000 }]);
    expect(await paymentsOf(dollars)).toEqual([]);
    await payBatch(db, approver, batch.id, { importesbanco: new Map([[dollars, 900_050]]) });
    expect(await load(856_175, 'e')).toEqual(['sin-partida']);
    expect(await load(900_050, 'f'), 'the movement is what the bank took').toEqual(['pagado']);
    expect(await paymentsOf(dollars)).toEqual([
      { amountCents: 856_175, importemonedaCents: 50_000, importebancoCents: 900_050 },
    ]);
    expect((await getBatch(db, batch.id)).lines.every(({ movementId }) => movementId !== null)).toBe(true);
    expect(await findDatabaseProblems(db)).toEqual([]);
  });

  describe('whose dollars somebody captures from a movement', () => {
    const why = { motivo: 'El banco ya lo cobró' };
    /** Stores a line that the statement pays automatically, and one that a user has to capture. */
    async function prepare() {
      const mixed = await addMixedBatch('enviada');
      const { db, approver, batch, dollars, origenderecursoId } = mixed;
      const { transfers } = await buildBankOrder(db, await getBatch(db, batch.id));
      const load = (amountCents: number, { at = origenderecursoId, referencia = '' } = {}) =>
        addBankMovements(db, [{ amountCents: -amountCents, referencia }], {
          ...{ origenderecursoId: at, actor: approver },
        });
      const capture = (movementId: number) =>
        resolveMovement(
          db,
          { ...approver, ...why },
          movementId,
          { invoices: [{ invoiceId: dollars, importebancoCents: 900_050 }] },
          { allowProgrammed: true },
        );
      const payPesos = () => load(10_000, { referencia: transfers[0]!.referencia });
      return { ...mixed, load, capture, payPesos, now: () => getBatch(db, batch.id) };
    }

    it.each(['dollars first', 'pesos first', 'at once'])('is paid with its last line: %s', async (order) => {
      const { db, dollars, load, capture, payPesos, now } = await prepare();
      const { ids } = await load(900_050);
      if (order === 'pesos first') await payPesos();
      const both = [capture(ids[0]!), ...(order === 'at once' ? [payPesos()] : [])];
      await Promise.all(both);
      if (order === 'dollars first') {
        expect((await now()).estado).toBe('enviada');
        await payPesos();
      }
      const { estado, lines, paidCents, totalCents } = await now();
      expect([estado, paidCents]).toEqual(['pagada', totalCents]);
      const line = lines.find(({ invoiceId }) => invoiceId === dollars);
      expect(line).toMatchObject({ foreign: { bankCents: 900_050 }, movementId: null });
      expect((await load(900_050, { referencia: '9400001' })).outcome.counts).toMatchObject({ pagado: 0 });
      expect(await findDatabaseProblems(db)).toEqual([]);
    });

    it('is paid from another account too, and then awaits nothing of its own', async () => {
      const { db, load, capture, payPesos, now } = await prepare();
      await payPesos();
      const { ids } = await load(900_050, { at: await addFundingSource(db) });
      await capture(ids[0]!);
      expect((await now()).estado).toBe('pagada');
    });
  });

  it('is paid by hand with its last line, but not by another amount', async () => {
    const { db, approver, batch, dollars, pesos, origenderecursoId } = await addMixedBatch('enviada');
    const actor = { ...approver, motivo: 'Se pagó en ventanilla' };
    const terms = { origenderecursoId, importebancoCents: 900_050 };
    const pay = (draft: PaymentFieldValues) => createPayment(db, actor, draft, { allowProgrammed: true });
    const { payment } = await pay({ facturaproveedorId: dollars, ...terms, importemonedaCents: 40_000 });
    expect((await getBatch(db, batch.id)).lines.every(isOpenLine)).toBe(true);
    await updatePayment(
      db,
      actor,
      payment.id,
      { importemonedaCents: 50_000, importebancoCents: 900_050 },
      { allowProgrammed: true },
    );
    expect((await getBatch(db, batch.id)).estado).toBe('enviada');
    await pay({ facturaproveedorId: pesos, amountCents: 10_000 });
    expect(await getBatch(db, batch.id)).toMatchObject({ estado: 'pagada', paidCents: 866_175 });
    await expect(updatePayment(db, actor, payment.id, { amountCents: 1 })).rejects.toMatchObject({
      code: 'batch_fixed',
    });
    // If the bank pays too, the movement is ambiguous: another source has paid the pesos.
    const { transfers } = await buildBankOrder(db, await getBatch(db, batch.id), () => true);
    const movement = { amountCents: -10_000, referencia: transfers[0]!.referencia };
    const { outcome } = await addBankMovements(db, [movement], { origenderecursoId, actor: approver });
    expect(outcome.counts).toMatchObject({ pagado: 0, ambiguo: 1 });
    expect(await findDatabaseProblems(db)).toEqual([]);
  });
});
