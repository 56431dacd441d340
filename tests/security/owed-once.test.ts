import { expect, it } from 'vitest';
import type { Db } from '../../db/schema.ts';
import { buildBankOrder } from '../../server/services/bank-files/transfers.ts';
import { importBankStatement } from '../../server/services/bank-statements/import-statement.ts';
import { applyCredit } from '../../server/services/credit-notes/write.ts';
import { importCfdi } from '../../server/services/documents/import.ts';
import { importTable } from '../../server/services/imports/import.ts';
import { moveBatchBackOneStage, payBatch } from '../../server/services/payment-batches/paying.ts';
import { createBatch } from '../../server/services/payment-batches/payment-batches.ts';
import { getBatch } from '../../server/services/payment-batches/reading.ts';
import { markBatchSent, signBatch } from '../../server/services/payment-batches/stages.ts';
import { createPayment } from '../../server/services/payments/payments.ts';
import { listBlockingFindings } from '../../shared/payment-batches.ts';
import { pages } from '../../shared/urls.ts';
import { addAccount } from '../support/accounts.ts';
import { createTestApp } from '../support/app.ts';
import { buildReceipt, bytesOf, uuidOfNumber } from '../support/cfdi.ts';
import { describeEachDatabase } from '../support/databases.ts';
import { findDatabaseProblems } from '../support/problems.ts';
import { chooseRunCount, describeEachInLongLane, IS_LONG_LANE } from '../support/proofs.ts';
import {
  addActor,
  addCreditNote,
  addFundingSource,
  addInvoice,
  addJob,
  addSupplier,
  TODAY,
} from '../support/rows.ts';
import { readRow, readRows } from '../support/stored.ts';
import { createParsedRows } from '../support/table-rows.ts';

const RACES = chooseRunCount(2, 12);

/** The debt of one invoice; each door tries to take more than half, or what a batch has committed. */
const OWED = 100_000;
const ASKED = 60_000;
const PROMISED = 30_000;

type Door = (db: Db) => Promise<unknown>;

describeEachInLongLane('the amount of an invoice that was sent to the bank', (fresh) => {
  it('is not used by another batch, even if a payment by hand has used what both had room for', async () => {
    const { db } = fresh;
    const [author, approver] = [
      await addActor(db, { roles: [6], today: '2026-11-02' }),
      await addActor(db, { roles: [1] }),
    ];
    const other = await addActor(db, { roles: [2] });
    const { supplierId } = await addAccount(db, { author });
    const invoiceId = await addInvoice(db, { supplierId, subtotalCents: OWED, tasa: 0 });
    const origenderecursoId = await addFundingSource(db);
    const promise = async () => {
      const lines = [{ invoiceId, amountCents: PROMISED }];
      const { id } = await createBatch(db, author, { fecha: TODAY, origenderecursoId, lines });
      await signBatch(db, approver, id);
      return id;
    };
    const [sent, signed, third] = [await promise(), await promise(), await promise()];
    const draft = { facturaproveedorId: invoiceId, amountCents: OWED - 2 * PROMISED + 1 };
    for (const id of [sent, third]) await markBatchSent(db, approver, id);
    await expect(createPayment(db, author, draft)).rejects.toMatchObject({ code: 'in_open_batch' });
    await moveBatchBackOneStage(db, { ...other, motivo: 'no' }, third);
    await createPayment(db, author, { facturaproveedorId: invoiceId, amountCents: ASKED });
    await expect(payBatch(db, approver, signed)).rejects.toMatchObject({ code: 'all_held' });
    await markBatchSent(db, approver, signed);
    const [line] = (await getBatch(db, signed)).lines;
    const reason =
      'Se pagarían $300.00 y se deben $400.00, de los que el banco ya tiene $300.00 en otra programación.';
    expect(listBlockingFindings(line!)).toMatchObject([{ code: 'excede_pendiente', reason }]);
    expect((await payBatch(db, approver, sent)).payments).toMatchObject([{ amountCents: PROMISED }]);
  });
});

describeEachDatabase('an amount that is owed', (fresh) => {
  it(`is paid once, however many ways pay it at the same moment through two servers, in ${RACES} races`, async () => {
    const { db } = fresh;
    const handles = [db, fresh.database.openAgain().db] as const;
    const [author, approver, clerk] = [
      await addActor(db, { roles: [6], today: '2026-11-02' }),
      await addActor(db, { roles: [1, 3] }),
      await addActor(db, { roles: [2] }),
    ];
    const [supplierId, jobId] = [await addSupplier(db, { suppliername: 'Aceros' }), await addJob(db)];
    await addAccount(db, { author, supplierId });
    const origenderecursoId = await addFundingSource(db, { origenderecursonombre: 'Banco' });
    const browsers = await Promise.all(handles.map((at) => createTestApp({ db: at }).as([1])));
    const browserOf = (at: Db) => browsers[handles.indexOf(at)]!;
    const won = new Map<string, number>();

    for (let race = 1; race <= RACES; race++) {
      const numfactura = `R-${race}`;
      const invoice = { supplierId, jobId, numfactura, uuid: uuidOfNumber(race), metodopago: 'PPD' };
      const invoiceId = await addInvoice(db, { ...invoice, subtotalCents: OWED, tasa: 0 });
      const noteId = await addCreditNote(db, { supplierId, userId: clerk.userId, totalCents: ASKED });
      const promise = async (state: 'autorizada' | 'enviada') => {
        const lines = [{ invoiceId, amountCents: PROMISED }];
        const { id } = await createBatch(db, author, { fecha: TODAY, origenderecursoId, lines });
        await signBatch(db, approver, id);
        if (state === 'enviada') await markBatchSent(db, approver, id);
        return id;
      };
      const [signed, sent] = [await promise('autorizada'), race % 2 ? await promise('enviada') : undefined];
      const amount = (ASKED / 100).toFixed(2);
      const form = { facturaproveedorId: invoiceId, paymentamount: amount };
      const doors: Record<string, Door> = {
        form: (at) => browserOf(at).form(pages.newPayment, form),
        api: (at) => browserOf(at).post('/api/payments/newpayment', { ...form, paymentamount: ASKED / 100 }),
        table: (at) => {
          const row = { suppliername: 'Aceros', numfactura, paymentamount: amount, paymentdate: TODAY };
          const source = { source: 'x.csv', sha256: 'a'.repeat(64) };
          return importTable(at, clerk, 'payments', createParsedRows([row]), source);
        },
        receipt: (at) => {
          const doctos = [{ amount, of: uuidOfNumber(race) }];
          const emisor = { Rfc: '', Nombre: 'Aceros' };
          const xml = buildReceipt({ uuid: uuidOfNumber(1000 + race), fecha: TODAY, emisor, doctos });
          const files = [{ name: 'pago.xml', bytes: bytesOf(xml) }];
          return importCfdi(at, clerk, files, { jobId, fundingSourceId: origenderecursoId });
        },
        note: (at) => applyCredit(at, clerk, { creditNoteId: noteId, invoiceId, amountCents: ASKED }),
        batch: (at) => payBatch(at, approver, signed),
        ...(sent && {
          statement: async (at) => {
            const { referencia } = (await buildBankOrder(at, await getBatch(at, sent))).transfers[0]!;
            const movement = { line: 2, fecha: TODAY, amountCents: -PROMISED, referencia, descripcion: '' };
            const file = { origenderecursoId, filename: 'x.csv', sha256: 'b'.repeat(64) };
            return importBankStatement(at, approver, { ...file, movements: [movement] });
          },
        }),
      };
      // Every door is tried on both servers, in alternating order.
      const knocks = Object.entries(doors).flatMap(([name, door]) =>
        handles.map((at) => () => [name, door(at)] as const),
      );
      const turned = [...knocks.slice(race % knocks.length), ...knocks.slice(0, race % knocks.length)];
      await Promise.allSettled(turned.map((knock) => knock()[1]));

      const { paidCents, totalCents } = await readRow(db, 'invoices', { id: invoiceId });
      const payments = await readRows(db, 'payments', { facturaproveedorId: invoiceId });
      expect(paidCents).toBeLessThanOrEqual(totalCents);
      expect(payments.reduce((sum, { amountCents }) => sum + amountCents, 0)).toBe(paidCents);
      // One payment of more than half at most, and one of each batch.
      expect(payments.filter(({ amountCents }) => amountCents === ASKED).length).toBeLessThanOrEqual(1);
      expect(paidCents).toBeGreaterThanOrEqual(ASKED);
      for (const { amountCents, kind } of payments) {
        const what = amountCents === PROMISED ? 'promised' : kind;
        won.set(what, (won.get(what) ?? 0) + 1);
      }
      // Only a credit note, which moves no money, may take what was sent to the bank.
      if (sent && payments.every(({ kind }) => kind === 'pago'))
        expect((await getBatch(db, sent)).lines[0]!.paymentId, JSON.stringify(payments)).not.toBeNull();
      const problems = (await findDatabaseProblems(db)).filter(({ rule }) => rule !== 'cfdi-link');
      expect(problems).toEqual([]);
    }
    // In a few races a batch may never win.
    if (IS_LONG_LANE) expect(won.get('promised')).toBeGreaterThan(0);
  });
});
