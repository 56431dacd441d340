import { expect } from 'vitest';
import type { Db } from '../../db/schema.ts';
import type { Actor } from '../../server/services/audit/audit.ts';
import { buildBankOrder } from '../../server/services/bank-files/transfers.ts';
import { importBankStatement } from '../../server/services/bank-statements/import-statement.ts';
import { applyCredit } from '../../server/services/credit-notes/write.ts';
import { importCfdi } from '../../server/services/documents/import.ts';
import { payBatch } from '../../server/services/payment-batches/paying.ts';
import { createBatch } from '../../server/services/payment-batches/payment-batches.ts';
import { getBatch } from '../../server/services/payment-batches/reading.ts';
import { markBatchSent, signBatch } from '../../server/services/payment-batches/stages.ts';
import {
  createPayment,
  deletePayment,
  restorePayment,
  updatePayment,
} from '../../server/services/payments/payments.ts';
import { rules, warningRules } from '../../server/services/payments/rules.ts';
import { formatMoney, parseMoney } from '../../shared/money.ts';
import { batchTexts } from '../../shared/payment-batches.ts';
import { paymentTexts } from '../../shared/payments.ts';
import { pages } from '../../shared/urls.ts';
import { addAccount } from '../support/accounts.ts';
import { addBatch } from '../support/batches.ts';
import { buildReceipt, bytesOf } from '../support/cfdi.ts';
import { setClosingDate } from '../support/dated-rows.ts';
import { addFund } from '../support/petty-cash.ts';
import { cfdiInWords } from '../support/remarks.ts';
import {
  addActor,
  addCreditNote,
  addFundingSource,
  addInvoice,
  addSupplier,
  TODAY,
} from '../support/rows.ts';
import { readRow, readRows } from '../support/stored.ts';
import {
  type Clients,
  type Door,
  drive,
  idOf,
  refusals,
  responseOfApi,
  responseOfForm,
  responseOfService,
  signIn,
  TABLES,
  tableDoors,
  tableLines,
  UNKNOWN,
} from './doors.ts';

interface Typed {
  amount?: string;
  date?: string;
  source?: 'own' | 'unknown';
  invoice?: 'unknown';
  cheque?: string;
  bank?: string;
  foreign?: string;
  comments?: string;
  seen?: string;
}

/** An open invoice of 100.00, and the users who pay it. */
interface Fixture extends Clients {
  approver: Actor;
  supplierId: number;
  suppliername: string;
  invoiceId: number;
  numfactura: string;
  uuid: string;
  sourceId: number;
  sourceName: string;
  noteId: number;
  paymentId: number;
  batchId: number;
  otherId: number;
}

let count = 0;

async function open(db: Db): Promise<Fixture> {
  count += 1;
  await setClosingDate(db, '');
  const visitors = await signIn(db);
  const author = await addActor(db, { roles: [6], today: '2026-11-02' });
  const { supplierId } = await addAccount(db, { author });
  const { suppliername } = await readRow(db, 'suppliers', { id: supplierId }, ['suppliername']);
  const [numfactura, sourceName] = [`A-${count}`, `Banco ${count}`];
  const uuid = `AAAAAAAA-1111-4222-8333-${String(count).padStart(12, '0')}`;
  const amounts = { subtotalCents: 10_000, tasa: 0, ivaCents: 0, totalCents: 10_000 };
  const invoice = { supplierId, numfactura, uuid, ...amounts, fechaemision: '2026-11-01' };
  return {
    ...visitors,
    approver: await addActor(db, { roles: [1] }),
    supplierId,
    suppliername,
    invoiceId: await addInvoice(db, invoice),
    numfactura,
    uuid,
    sourceId: await addFundingSource(db, { origenderecursonombre: sourceName }),
    sourceName,
    noteId: await addCreditNote(db, {
      supplierId,
      userId: visitors.by.userId,
      totalCents: 5_000,
      numero: `NC-${count}`,
    }),
    paymentId: 0,
    batchId: 0,
    otherId: 0,
  };
}

const membersOf = (fixture: Fixture, draft: Typed) => ({
  facturaproveedorId: idOf(draft.invoice ?? 'own', fixture.invoiceId),
  origenderecursoId: idOf(draft.source, fixture.sourceId),
  paymentamount: draft.amount,
  importebanco: draft.bank,
  importemoneda: draft.foreign,
  paymentdate: draft.date,
  checknum: draft.cheque,
  comments: draft.comments,
});

const centsOf = (fixture: Fixture, { amount = '', date = '', source }: Typed) => ({
  facturaproveedorId: fixture.invoiceId,
  origenderecursoId: idOf(source, fixture.sourceId) ?? null,
  amountCents: parseMoney(amount, 'Cantidad'),
  paymentdate: date || null,
});

const form: Door<Fixture, Typed> = {
  hasNoCodes: true,
  async send({ browser, ...fixture }, draft) {
    const fields = membersOf({ browser, ...fixture }, draft);
    return responseOfForm(browser, browser.form(pages.newPayment, fields));
  },
};

const api: Door<Fixture, Typed> = {
  send: (fixture, draft) =>
    responseOfApi(fixture.script.post('/api/payments/newpayment', membersOf(fixture, draft))),
};

const edit: Door<Fixture, Typed> = {
  async arrange(fixture) {
    const paid = await createPayment(
      fixture.db,
      fixture.by,
      centsOf(fixture, { amount: '0.01', date: TODAY }),
    );
    fixture.paymentId = paid.payment.id;
  },
  send: (fixture, draft) =>
    responseOfApi(
      fixture.script.put(`/api/payments/${fixture.paymentId}`, {
        ...membersOf(fixture, draft),
        paymentamount: draft.amount ?? '',
        version: draft.seen,
      }),
    ),
};

const restore: Door<Fixture, Typed> = {
  unsupported: ['invoice', 'foreign'],
  async arrange(fixture, draft) {
    const { importebanco, checknum, comments } = membersOf(fixture, draft);
    const bank = importebanco === undefined ? null : parseMoney(importebanco, 'Importe del banco');
    const more = { importebancoCents: bank, checknum, comments };
    const { payment } = await createPayment(fixture.db, fixture.by, { ...centsOf(fixture, draft), ...more });
    fixture.paymentId = payment.id;
    await deletePayment(fixture.db, fixture.by, payment.id);
  },
  send: (fixture) => responseOfApi(fixture.script.post(`/api/payments/${fixture.paymentId}/restore`)),
};

const HEADINGS =
  'Proveedor,Factura,Cantidad pagada,Importe del banco,Importe en su moneda,Fecha de pago,Cheque,Origen,Observaciones';

const { table, preview } = tableDoors<Fixture, Typed>(
  'payments',
  ({ suppliername, numfactura, sourceName }, { amount, date, source, cheque, bank, foreign, comments }) =>
    tableLines(HEADINGS, [
      ...[suppliername, numfactura, amount, bank, foreign, date, cheque],
      ...[source && sourceName, comments],
    ]),
  { unsupported: ['invoice'] },
);

async function addBatchOf(fixture: Fixture, { amount = '', date = TODAY }: Typed): Promise<void> {
  const lines = [{ invoiceId: fixture.invoiceId, amountCents: parseMoney(amount, 'Cantidad') }];
  const author = await addActor(fixture.db, { roles: [6] });
  const draft = { fecha: date || TODAY, origenderecursoId: fixture.sourceId, lines };
  fixture.batchId = (await createBatch(fixture.db, author, draft)).id;
  await signBatch(fixture.db, fixture.approver, fixture.batchId);
}

const ofBatches = { unsupported: ['invoice', 'cheque', 'bank', 'foreign', 'comments'] } as const;

const batch: Door<Fixture, Typed> = {
  ...ofBatches,
  arrange: addBatchOf,
  send: ({ db, approver, batchId }) => responseOfService(payBatch(db, approver, batchId)),
  stores: { origenderecursoId: expect.any(Number), comments: expect.any(String) },
};

const statement: Door<Fixture, Typed> = {
  ...ofBatches,
  async arrange(fixture, draft) {
    await addBatchOf(fixture, draft);
    await markBatchSent(fixture.db, fixture.approver, fixture.batchId);
    const sentOn = draft.date || TODAY;
    await fixture.db
      .updateTable('payment_batches')
      .set({ sentOn })
      .where('id', '=', fixture.batchId)
      .execute();
  },
  async send({ db, approver, sourceId, batchId }, { amount = '', date = TODAY }) {
    const { transfers } = await buildBankOrder(db, await getBatch(db, batchId));
    const { referencia } = transfers[0]!;
    const movement = {
      line: 2,
      fecha: date || TODAY,
      amountCents: -parseMoney(amount, ''),
      referencia,
      descripcion: '',
    };
    const sent = {
      origenderecursoId: sourceId,
      filename: 'x.csv',
      sha256: 'a'.repeat(64),
      movements: [movement],
    };
    return responseOfService(importBankStatement(db, approver, sent).then(() => ({})));
  },
  stores: { ...batch.stores, checknum: expect.any(String) },
};

const receiptBy = (dryRun: boolean): Door<Fixture, Typed> => ({
  ...ofBatches,
  isPreview: dryRun,
  async send({ db, by, uuid, sourceId, ...fixture }, { amount = '', date = TODAY }) {
    const { jobId } = await db.selectFrom('invoices').select('jobId').executeTakeFirstOrThrow();
    const emisor = { Rfc: '', Nombre: fixture.suppliername };
    const doctos = [{ amount, of: uuid }];
    const xml = buildReceipt({ uuid: `B${uuid.slice(1)}`, fecha: date || TODAY, emisor, doctos });
    const files = [{ name: 'pago.xml', bytes: bytesOf(xml) }];
    const run = importCfdi(db, by, files, { jobId, fundingSourceId: sourceId, dryRun });
    const failed = await responseOfService(run.then(() => ({})));
    if (failed.refused) return failed;
    const [file] = cfdiInWords(await run).files;
    const { outcome, reason, warnings: all = [] } = file!;
    const warnings = all.filter((one) => !one.startsWith('El RFC del emisor'));
    const kept = warnings.find((one) => one.startsWith('No se captura'));
    return outcome === 'refused' || kept ? { refused: reason ?? kept } : { warnings };
  },
  stores: { origenderecursoId: expect.any(Number), comments: expect.any(String) },
});
const receipt = receiptBy(false);
const receiptPreview = receiptBy(true);

const credit: Door<Fixture, Typed> = {
  unsupported: ['source', 'cheque', 'bank', 'foreign', 'comments', 'date'],
  send: ({ db, by, ...fixture }, { amount = '0', invoice }) =>
    responseOfService(
      applyCredit(db, by, {
        creditNoteId: fixture.noteId,
        invoiceId: invoice ? UNKNOWN : fixture.invoiceId,
        amountCents: parseMoney(amount, 'Cantidad'),
      }).then(() => ({})),
    ),
};

const pay = async (fixture: Fixture, amountCents: number, more: object = {}) =>
  (
    await createPayment(fixture.db, fixture.by, {
      facturaproveedorId: fixture.invoiceId,
      amountCents,
      ...more,
    })
  ).payment.id;

const program = async (fixture: Fixture, estado: 'borrador' | 'enviada') => {
  const { id } = await addBatch(fixture.db, { estado, invoiceIds: [fixture.invoiceId] });
  fixture.otherId = id;
};

/** Converts the invoice to 5.00 dollars, which are 100.00 pesos. */
const owesDollars = ({ db, invoiceId }: Fixture) =>
  db.updateTable('invoices').set({ moneda: 'USD', tipocambio: '20' }).where('id', '=', invoiceId).execute();

const byReceipt = (text: RegExp) => ({ receipt: text, receiptPreview: text });

const OF_HAND = ['form', 'api', 'edit', 'table', 'preview'] as const;
const HELD = 'what no longer fits holds its line, before it is paid';

drive<Fixture, Typed>('payments', {
  rules: [...rules, ...warningRules].map(({ name }) => name),
  open,
  doors: { form, api, edit, restore, table, preview, batch, statement, receipt, receiptPreview, credit },
  read: ({ db, invoiceId: facturaproveedorId }) => readRows(db, 'payments', { facturaproveedorId }),
  defaults: ({ invoiceId }) => ({
    facturaproveedorId: invoiceId,
    origenderecursoId: null,
    checknum: '',
    checknumFold: expect.any(String),
    paymentdate: TODAY,
    amountCents: 100,
    importebancoCents: null,
    importemonedaCents: null,
    comments: '',
    kind: 'pago',
    creditNoteId: null,
  }),
  cases: {
    'of everything owed': {
      draft: { amount: '100.00' },
      stored: { amountCents: 10_000 },
      notBy: { credit: 'its note is smaller' },
    },
    'without a day, which is today': { draft: { amount: '1.00', date: '' } },
    'with every field, cleaned': {
      rule: 'warnOfUnlikelyRate',
      draft: {
        amount: '90.50',
        bank: '91.00',
        date: '2026-11-05',
        source: 'own',
        cheque: ' Ch  7 ',
        comments: ' a\nb ',
      },
      stored: {
        amountCents: 9_050,
        importebancoCents: 9_100,
        paymentdate: '2026-11-05',
        origenderecursoId: expect.any(Number),
        checknum: 'Ch 7',
        checknumFold: 'ch 7',
        comments: 'a\nb',
      },
      warns: () => [paymentTexts.bankWithoutCurrency(formatMoney(9_100))],
    },
    'without an amount': {
      rule: 'refuseInvalidFields',
      draft: {},
      refused: paymentTexts.required,
      by: OF_HAND,
    },
    ...refusals(OF_HAND, {
      refuseInvalidFields: {
        'with a negative amount': [{ amount: '-5.00' }, 'El pago debe ser mayor que cero.'],
        'with an amount of zero in its currency': [
          { amount: '1.00', foreign: '0.00' },
          paymentTexts.foreignAboveZero,
        ],
        'with a bank amount of zero': [{ amount: '1.00', bank: '0.00' }, paymentTexts.bankAboveZero],
      },
      refuseInvalidTexts: {
        'with a cheque number that is too long': [
          { amount: '1.00', cheque: 'x'.repeat(61) },
          'Número de cheque: máximo 60 caracteres.',
        ],
      },
    }),
    ...refusals('all', {
      refuseUnknownInvoice: {
        'for an unknown invoice': [
          { amount: '1.00', invoice: 'unknown' },
          `No existe la factura ${UNKNOWN}.`,
        ],
      },
    }),
    ...refusals(['form', 'api', 'edit'], {
      refuseUnknownSource: {
        'from an unknown source': [
          { amount: '1.00', source: 'unknown' },
          `No existe el origen de recurso ${UNKNOWN}.`,
        ],
      },
    }),
    'in another currency, of an invoice in pesos': {
      rule: 'refuseOtherCurrency',
      draft: { amount: '1.00', foreign: '0.05' },
      refused: paymentTexts.notForeign,
      by: OF_HAND,
    },
    'of all dollars owed': {
      draft: { amount: '100.00', foreign: '5.00' },
      given: owesDollars,
      stored: { amountCents: 10_000, importemonedaCents: 500 },
      by: OF_HAND,
    },
    'of another amount in pesos than its dollars settle': {
      rule: 'refuseForeignMismatch',
      draft: { amount: '20.20', foreign: '1.00' },
      given: owesDollars,
      refused: paymentTexts.otherThanForeign('$1.00 USD', '$20.00'),
      by: OF_HAND,
    },
    'above what is owed in dollars': {
      rule: 'refuseForeignMismatch',
      draft: { amount: '100.00', foreign: '5.01' },
      given: owesDollars,
      refused: paymentTexts.beyondTotal,
      code: 'overpayment',
      by: OF_HAND,
    },
    'in a closed period': {
      rule: 'refuseClosedPeriod',
      draft: { amount: '1.00', date: '2026-10-30' },
      given: ({ db }) => setClosingDate(db, '2026-10-31'),
      refused:
        'El viernes 30 de octubre de 2026 es de un periodo cerrado (hasta el sábado 31 de octubre de 2026). Solo un administrador puede cambiarlo, con un motivo.',
      code: 'closed_period',
      inOtherWords: {
        table: /es de un periodo cerrado.*No se importa: lo captura un administrador a mano/,
        ...byReceipt(/El viernes 30 de octubre de 2026 es de un periodo cerrado/),
      },
    },
    'above what is pending': {
      rule: 'refuseOverpayment',
      draft: { amount: '60.00' },
      given: (fixture) => pay(fixture, 4_001),
      refused: paymentTexts.beyondTotal,
      code: 'overpayment',
      notBy: { batch: HELD, statement: HELD },
      inOtherWords: byReceipt(/no cabe en lo que se debe/),
    },
    'that needs what was sent to the bank': {
      rule: 'refuseInSentBatch',
      draft: { amount: '60.00' },
      given: (fixture) => program(fixture, 'enviada'),
      refused: ({ numfactura, otherId }) =>
        batchTexts.inOpenBatch(numfactura, { batchId: otherId, sentOn: TODAY }),
      code: 'in_open_batch',
      notBy: {
        batch: 'no two batches promise the same',
        statement: 'no two batches promise the same',
        credit: 'it moves no money',
      },
      inOtherWords: byReceipt(/enviada al banco el viernes 20 de noviembre de 2026/),
    },
    'from a fund that contains less': {
      rule: 'refuseInsufficientCash',
      draft: { amount: '60.00', source: 'own', date: TODAY },
      given: ({ db, sourceId, numfactura }) =>
        addFund(db, { nombre: `Caja ${numfactura}`, pagosOrigenId: sourceId, aperturaCents: 5_000 }),
      refused: ({ numfactura }) => `En la caja «Caja ${numfactura}» solo hay $50.00.`,
      code: 'fund_short',
      inOtherWords: {
        ...byReceipt(/^No se captura .* En la caja «Caja A-\d+» solo hay \$50\.00\.$/),
        table:
          /^En la caja «Caja A-\d+» solo hay \$50\.00\. Si sus movimientos vienen en otra tabla, impórtala antes que la de pagos\.$/,
      },
    },
    'that is on file with other data': {
      rule: 'skipOrRefuseStored',
      draft: { amount: '1.00', date: TODAY, cheque: '7', comments: 'otra cosa' },
      given: (fixture) => pay(fixture, 100, { checknum: '7', comments: 'una' }),
      refused: '',
      by: TABLES,
      inOtherWords: { table: /es un conflicto \(observaciones/ },
    },
    'that is on file with another bank amount': {
      rule: 'skipOrRefuseStored',
      draft: { amount: '1.00', bank: '2.00', date: TODAY, cheque: '7' },
      given: (fixture) => pay(fixture, 100, { checknum: '7' }),
      refused: '',
      by: TABLES,
      inOtherWords: { table: /es un conflicto \(importe del banco: «\$1\.00»; en este archivo «\$2\.00»\)/ },
    },
    'that an edit leaves unchanged': {
      rule: 'skipUnchanged',
      draft: { amount: '0.01' },
      stored: { amountCents: 1 },
      by: ['edit'],
    },
    'that does not exist': {
      rule: 'refuseMissingRow',
      draft: { amount: '1.00' },
      given: async (fixture) => Object.assign(fixture, { paymentId: UNKNOWN }),
      refused: `No existe el pago ${UNKNOWN}.`,
      code: 'not_found',
      by: ['edit'],
    },
    'that somebody else has changed meanwhile': {
      rule: 'refuseStaleVersion',
      draft: { amount: '1.00', seen: '1' },
      given: ({ db, by, paymentId }) => updatePayment(db, by, paymentId, { comments: 'x' }),
      refused: paymentTexts.stale,
      code: 'stale',
      by: ['edit'],
    },
    'that is part of a credit note': {
      rule: 'refuseAppliedCreditChange',
      draft: { amount: '1.00' },
      given: async (fixture) => {
        const { noteId: creditNoteId, invoiceId } = fixture;
        fixture.paymentId = (
          await applyCredit(fixture.db, fixture.by, { creditNoteId, invoiceId, amountCents: 1 })
        ).id;
      },
      refused: paymentTexts.creditFixed,
      code: 'credit_fixed',
      by: ['edit'],
    },
    'that the bank has confirmed': {
      rule: 'refuseBankMatchedChange',
      draft: { amount: '1.00' },
      given: async (fixture) => {
        await statement.arrange!(fixture, { amount: '50.00' });
        await statement.send(fixture, { amount: '50.00' });
        const { lines } = await getBatch(fixture.db, fixture.batchId);
        fixture.paymentId = lines[0]!.paymentId!;
      },
      refused: paymentTexts.bankMatched(TODAY, 'x.csv'),
      code: 'bank_matched',
      by: ['edit'],
    },
    'that a batch has made': {
      rule: 'refuseBatchPaymentChange',
      draft: { amount: '1.00' },
      given: async (fixture) => {
        await addBatchOf(fixture, { amount: '50.00' });
        fixture.paymentId = (await payBatch(fixture.db, fixture.approver, fixture.batchId)).payments[0]!.id;
      },
      refused: ({ batchId }) => batchTexts.fixedPayment(batchId),
      code: 'batch_fixed',
      by: ['edit'],
    },
    'that is restored, although it exists already': {
      rule: 'refuseNotDeleted',
      draft: { amount: '1.00' },
      given: ({ db, by, paymentId }) => restorePayment(db, by, paymentId),
      refused: ({ paymentId }) => `El pago ${paymentId} no está eliminado.`,
      code: 'not_deleted',
      by: ['restore'],
    },
    'from a credit note': {
      draft: { amount: '50.00' },
      stored: { amountCents: 5_000, kind: 'credito', creditNoteId: expect.any(Number) },
      by: ['credit'],
    },
    ...refusals(['credit'], {
      refuseNonPositiveCredit: {
        'from a credit note, of zero': [{ amount: '0.00' }, paymentTexts.partAboveZero],
      },
    }),
    'from a credit note, above its total': {
      rule: 'refuseBeyondCreditNote',
      draft: { amount: '50.01' },
      refused: paymentTexts.beyondCredit,
      code: 'over_credit',
      by: ['credit'],
    },
    'from an unknown credit note': {
      rule: 'refuseUnknownCreditNote',
      draft: { amount: '1.00' },
      given: async (fixture) => Object.assign(fixture, { noteId: UNKNOWN }),
      refused: `No existe la nota de crédito ${UNKNOWN}.`,
      code: 'not_found',
      by: ['credit'],
    },
    'from a credit note of another supplier': {
      rule: 'refuseNoteOfOtherSupplier',
      draft: { amount: '1.00' },
      given: async (fixture) => {
        const supplierId = await addSupplier(fixture.db);
        fixture.noteId = await addCreditNote(fixture.db, { supplierId, userId: fixture.by.userId });
      },
      refused: paymentTexts.otherSupplier,
      by: ['credit'],
    },
    'with a cheque number used for another supplier': {
      rule: 'warnOfUsedCheque',
      draft: { amount: '1.00', cheque: 'CH-9', source: 'own' },
      given: async ({ db, by, sourceId: origenderecursoId }) => {
        const supplierId = await addSupplier(db, { suppliername: 'Cementos Moro' });
        const facturaproveedorId = await addInvoice(db, { supplierId });
        await createPayment(db, by, {
          facturaproveedorId,
          amountCents: 200,
          checknum: 'CH-9',
          origenderecursoId,
        });
      },
      stored: { checknum: 'CH-9', origenderecursoId: expect.any(Number) },
      warns: () => ['El cheque CH-9 ya se usó para Cementos Moro ($2.00).'],
    },
    'equal to another payment': {
      rule: 'warnOfEqualPayment',
      draft: { amount: '1.00' },
      given: async (fixture) => {
        fixture.otherId = await pay(fixture, 100);
      },
      warns: ({ otherId }) => [paymentTexts.twin(otherId)],
      by: ['form', 'api', 'edit', 'restore'],
    },
    'long before its invoice': {
      rule: 'warnOfDateBeforeInvoice',
      draft: { amount: '1.00', date: '2026-08-01' },
      stored: { paymentdate: '2026-08-01' },
      warns: () => [paymentTexts.early('2026-11-01')],
      notBy: { statement: 'the bank has paid it: it says no more' },
    },
    'next to a batch that is not sent yet': {
      rule: 'warnOfOpenBatches',
      draft: { amount: '60.00' },
      given: (fixture) => program(fixture, 'borrador'),
      stored: { amountCents: 6_000 },
      warns: ({ numfactura, otherId }) => [
        batchTexts.alsoPlanned(numfactura, { batchId: otherId, estado: 'borrador' }),
      ],
      notBy: {
        batch: 'no two batches promise the same',
        statement: 'no two batches promise the same',
        credit: 'it moves no money',
      },
    },
  },
});
