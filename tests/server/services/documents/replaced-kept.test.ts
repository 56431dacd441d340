import { expect, it } from 'vitest';
import { applyCredit } from '../../../../server/services/credit-notes/write.ts';
import { createPayment } from '../../../../server/services/payments/payments.ts';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import type { Cents } from '../../../../shared/money.ts';
import { addBatch } from '../../../support/batches.ts';
import { uuidOfNumber } from '../../../support/cfdi.ts';
import { createCfdiImporter } from '../../../support/cfdi-office.ts';
import { describeEachInLongLane } from '../../../support/proofs.ts';
import {
  invoiceFileOf,
  type NamedFile,
  noteFileOf,
  OTHER_ISSUER,
  readDocumentRows,
  receiptFileOf,
  type StoredDocumentRows,
} from '../../../support/replacing.ts';
import { addActor, addInvoice } from '../../../support/rows.ts';

type Office = Awaited<ReturnType<typeof createCfdiImporter>>;

const broken = (file: NamedFile): NamedFile => ({
  ...file,
  bytes: Buffer.from(file.bytes.toString().replace('Total="1160.00"', 'Total="9160.00"')),
});

const close = (day: string) => async (own: Office) =>
  void (await changeSetting(own.db, await addActor(own.db, { roles: [3] }), 'cierre', day));

/** Finds the id of an invoice by its number. */
const idOf = async ({ invoices }: Office, n: number) =>
  (await invoices()).find(({ numfactura }) => numfactura === `A-${n}`)!.id;

const pay = (n: number, amountCents: Cents) => async (own: Office) => {
  const payment = { facturaproveedorId: await idOf(own, n), amountCents, paymentdate: '2024-05-12' };
  await createPayment(own.db, own.actor, payment);
};

const credit = (n: number, amountCents: Cents) => async (own: Office) => {
  const { id: creditNoteId } = await own.db.selectFrom('credit_notes').select('id').executeTakeFirstOrThrow();
  await applyCredit(own.db, own.actor, { creditNoteId, invoiceId: await idOf(own, n), amountCents });
};

/** Stores an invoice from a table, which has a UUID but no document. */
const addImported = (n: number) => async (own: Office) => {
  const { db, actor, supplierId } = own;
  const id = await addInvoice(db, { supplierId, uuid: uuidOfNumber(n), numfactura: `A-${n}` });
  const load = { kind: 'invoices', source: '', sha256: '', at: actor.at, userId: actor.userId };
  const { id: importId } = await db
    .insertInto('imports')
    .values(load)
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.updateTable('invoices').set({ importId }).where('id', '=', id).execute();
};

/** Makes a credit note name another invoice first. */
const naming = (file: NamedFile, n: number): NamedFile => {
  const first = '<cfdi:CfdiRelacionado UUID';
  const xml = file.bytes
    .toString()
    .replace(first, `<cfdi:CfdiRelacionado UUID="${uuidOfNumber(n)}"/>${first}`);
  return { ...file, bytes: Buffer.from(xml) };
};

const batch = (n: number) => async (own: Office) => {
  await addBatch(own.db, { invoiceIds: [await idOf(own, n)] });
};

const nothing = async () => undefined;

interface Kept {
  before: NamedFile[][];
  /** what happens then */
  act?: (own: Office) => Promise<void>;
  file: NamedFile;
  replace?: boolean;
  says: RegExp;
  /** the rows stored afterwards */
  rows: StoredDocumentRows;
  /** the problems that the database check reports */
  problems?: string[];
}

/** A chain whose ends are loaded before its middle. */
const invoices = [[invoiceFileOf(1)], [invoiceFileOf(3, [2])]];
const notes = [[invoiceFileOf(9)], [noteFileOf(50, 9)], [noteFileOf(52, 9, [51])]];
const receipts = [
  [invoiceFileOf(1)],
  [receiptFileOf(90, [[1, 100]])],
  [receiptFileOf(92, [[1, 100]], [91], 13)],
];
const branch = [[invoiceFileOf(1)], [invoiceFileOf(2, [1])]];

const both = (paid: [number, number]): StoredDocumentRows['invoices'] => [
  [1, 1160, paid[0]],
  [3, 1160, paid[1]],
];

const cases: Record<string, Kept> = {
  'an invoice of a closed period': {
    ...{ before: invoices, act: close('2024-03-02'), file: invoiceFileOf(2, [1]) },
    says: /Sigue registrada la factura A-1 .*, que está sustituida\. .*es de un periodo cerrado/,
    rows: { invoices: both([0, 0]) },
  },
  'an invoice that a batch is to pay': {
    ...{ before: invoices, act: batch(1), file: invoiceFileOf(2, [1]) },
    says: /Sigue registrada la factura A-1 .* está en la programación/,
    rows: { invoices: both([0, 0]) },
  },
  'an invoice with payments, unless replacing is requested': {
    ...{ before: invoices, act: pay(1, 500_00), file: invoiceFileOf(2, [1]) },
    says: /Sigue registrada la factura A-1 .*: tiene pagos\. Con --replace toma su lugar/,
    rows: { invoices: both([500, 0]), payments: [[500, '12']] },
  },
  'an invoice whose payments exceed its successor': {
    ...{
      before: [[invoiceFileOf(1)], [invoiceFileOf(3, [2], 100)]],
      act: pay(1, 500_00),
      file: invoiceFileOf(2, [1]),
      replace: true,
    },
    says: /Sigue registrada la factura A-1 .*El total pagado no puede ser mayor/,
    rows: {
      invoices: [
        [1, 1160, 500],
        [3, 116, 0],
      ],
      payments: [[500, '12']],
    },
  },
  'an invoice with people’s payments that a credit note replaces': {
    ...{
      before: [[invoiceFileOf(9)], [invoiceFileOf(1)]],
      act: pay(1, 500_00),
      file: noteFileOf(50, 9, [1]),
      replace: true,
    },
    says: /Sigue registrada la factura A-1 .*: tiene pagos/,
    rows: {
      invoices: [
        [1, 1160, 500],
        [9, 1160, 116],
      ],
      notes: [[50, 116]],
      payments: [[500, '12']],
    },
  },
  'an invoice with people’s payments that two invoices replace': {
    ...{
      before: [[invoiceFileOf(1)], [invoiceFileOf(2, [4]), invoiceFileOf(3, [4])]],
      act: pay(1, 500_00),
      file: invoiceFileOf(4, [1]),
    },
    replace: true,
    says: /Lo sustituyeron .*Sigue registrada la factura A-1 .*: tiene pagos/,
    rows: {
      invoices: [
        [1, 1160, 500],
        [2, 1160, 0],
        [3, 1160, 0],
      ],
      payments: [[500, '12']],
    },
  },
  'an invoice whose successor could not be stored': {
    ...{ before: [[invoiceFileOf(1)]], file: broken(invoiceFileOf(2, [1])) },
    says: /no cuadra con sus partes/,
    rows: { invoices: [[1, 1160, 0]] },
  },
  'an invoice that a document of another issuer replaces': {
    ...{ before: [[invoiceFileOf(1)]], file: invoiceFileOf(2, [1], 1000, OTHER_ISSUER) },
    says: /dígito verificador/,
    rows: {
      invoices: [
        [1, 1160, 0],
        [2, 1160, 0],
      ],
    },
  },
  'an imported invoice that a document of another issuer replaces': {
    ...{ before: [], act: addImported(1), file: invoiceFileOf(2, [1], 1000, OTHER_ISSUER), replace: true },
    says: /dígito verificador/,
    rows: {
      invoices: [
        [1, 1160, 0],
        [2, 1160, 0],
      ],
    },
  },
  'an applied credit note, unless replacing is requested': {
    ...{ before: notes, file: noteFileOf(51, 9, [50]) },
    says: /Con --replace toma su lugar/,
    rows: {
      invoices: [[9, 1160, 232]],
      notes: [
        [50, 116],
        [52, 116],
      ],
    },
  },
  'a credit note of a closed period': {
    ...{
      before: [[invoiceFileOf(9)], [noteFileOf(50, 9)]],
      act: close('2024-04-10'),
      file: noteFileOf(51, 9, [50]),
      replace: true,
    },
    says: /es de un periodo cerrado/,
    rows: { invoices: [[9, 1160, 116]], notes: [[50, 116]] },
  },
  'a credit note of a closed period below a chain': {
    ...{ before: notes, act: close('2024-04-10'), file: noteFileOf(51, 9, [50]), replace: true },
    says: /es de un periodo cerrado/,
    rows: {
      invoices: [[9, 1160, 232]],
      notes: [
        [50, 116],
        [52, 116],
      ],
    },
  },
  'a payment of a receipt in a closed period': {
    ...{
      before: receipts,
      act: close('2024-05-12'),
      file: receiptFileOf(91, [[1, 100]], [90]),
      replace: true,
    },
    says: /es de un periodo cerrado/,
    rows: {
      invoices: [[1, 1160, 200]],
      receipts: [90, 92],
      payments: [
        [100, '12'],
        [100, '13'],
      ],
    },
    problems: ['el recibo de pago P-90 está sustituido, y sus pagos cuentan todavía'],
  },
  'a payment in a closed period that the new receipt changes': {
    ...{
      before: receipts.slice(0, 2),
      act: close('2024-05-12'),
      file: receiptFileOf(91, [[1, 100]], [90], 30),
      replace: true,
    },
    says: /es de un periodo cerrado/,
    rows: { invoices: [[1, 1160, 100]], receipts: [90], payments: [[100, '12']] },
  },
  'a payment that does not fit into the new receipt': {
    ...{ before: receipts.slice(0, 2), file: receiptFileOf(91, [[1, 1170]], [90], 30), replace: true },
    says: /no cabe en lo que se debe/,
    rows: { invoices: [[1, 1160, 100]], receipts: [90], payments: [[100, '12']] },
  },
  'what was applied by a UUID that two invoices now share, unless replacing is requested': {
    ...{
      before: [...branch, [noteFileOf(50, 1), receiptFileOf(90, [[1, 100]])]],
      file: invoiceFileOf(3, [1]),
    },
    says: /lo sustituye también la factura A-2/,
    rows: {
      invoices: [
        [2, 1160, 216],
        [3, 1160, 0],
      ],
      notes: [[50, 116]],
      receipts: [90],
      payments: [[100, '12']],
    },
  },
  'what names its own invoice, also by that name': {
    ...{
      before: [...branch, [naming(noteFileOf(50, 2), 1), receiptFileOf(90, [[2, 100]])]],
      file: invoiceFileOf(3, [1]),
    },
    replace: true,
    says: /lo sustituye también la factura A-2/,
    rows: {
      invoices: [
        [2, 1160, 216],
        [3, 1160, 0],
      ],
      notes: [[50, 116]],
      receipts: [90],
      payments: [[100, '12']],
    },
  },
  'a person’s payment that a receipt confirmed by a UUID that two invoices now share': {
    ...{ before: branch, file: invoiceFileOf(3, [1]), replace: true },
    act: async (own) => {
      await pay(2, 100_00)(own);
      await own.run([receiptFileOf(90, [[1, 100]])]);
    },
    says: /Queda sin recibo el pago de \$100\.00/,
    rows: {
      invoices: [
        [2, 1160, 100],
        [3, 1160, 0],
      ],
      receipts: [90],
      payments: [[100, '12']],
    },
  },
  'a payment in a closed period by a UUID that two invoices now share': {
    ...{ before: [...branch, [receiptFileOf(90, [[1, 100]])]], act: close('2024-05-12'), replace: true },
    file: {
      ...invoiceFileOf(3, [1]),
      bytes: Buffer.from(invoiceFileOf(3, [1]).bytes.toString().replace('2024-03-04', '2024-06-04')),
    },
    says: /No se quita el pago de \$100\.00 .*es de un periodo cerrado/,
    rows: {
      invoices: [
        [2, 1160, 100],
        [3, 1160, 0],
      ],
      receipts: [90],
      payments: [[100, '12']],
    },
  },
  'a credit that a person applied by a UUID that two invoices now share': {
    ...{ before: [...branch, [noteFileOf(50, 7)]], file: invoiceFileOf(3, [1]), replace: true },
    act: credit(2, 116_00),
    says: /lo sustituye también la factura A-2/,
    rows: {
      invoices: [
        [2, 1160, 116],
        [3, 1160, 0],
      ],
      notes: [[50, 116]],
    },
  },
};

describeEachInLongLane('a replaced document that stays on file, with the reason reported:', (fresh) => {
  it.each(Object.entries(cases))(
    '%s',
    async (_what, { before, act = nothing, file, replace, says, rows, problems }) => {
      const own = await createCfdiImporter(fresh.db);
      const asked = { fundingSourceId: own.fundingSourceId, createSuppliers: true };
      for (const load of before) await own.run(load, asked);
      await act(own);
      const { files } = await own.run([file], { ...asked, replace });
      const [{ reason = '', warnings = [] } = {}] = files;
      expect([reason, ...warnings].join(' ')).toMatch(says);
      const expected = { notes: [], receipts: [], payments: [], ...rows };
      expect(await readDocumentRows(own, problems)).toEqual(expected);
      await own.run([file], { ...asked, replace });
      expect(await readDocumentRows(own, problems), 'loaded again').toEqual(expected);
    },
  );
});
