import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { applyCredit } from '../../../../server/services/credit-notes/write.ts';
import { restoreInvoice } from '../../../../server/services/invoices/invoices.ts';
import { createPayment } from '../../../../server/services/payments/payments.ts';
import { uuidOfNumber } from '../../../support/cfdi.ts';
import { createCfdiImporter } from '../../../support/cfdi-office.ts';
import { openFreshDatabase } from '../../../support/databases.ts';
import { findDatabaseProblems } from '../../../support/problems.ts';
import { chooseRunCount, IS_LONG_LANE } from '../../../support/proofs.ts';
import {
  invoiceFileOf,
  type NamedFile,
  noteFileOf,
  OTHER_ISSUER,
  readDocumentRows,
  receiptFileOf,
  type StoredDocumentRows,
} from '../../../support/replacing.ts';

const ordersOf = <T>(all: readonly T[]): T[][] =>
  all.length < 2
    ? [[...all]]
    : all.flatMap((one, index) => ordersOf(all.toSpliced(index, 1)).map((rest) => [one, ...rest]));

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

async function office() {
  const fresh = await openFreshDatabase(IS_LONG_LANE ? 'postgres' : 'sqlite');
  opened.push(fresh);
  return createCfdiImporter(fresh.db);
}

/** Loads all files at once, and one by one in every order: the result is the same. */
async function expectAlways(
  before: NamedFile[],
  files: NamedFile[],
  expected: StoredDocumentRows,
  options = {},
) {
  const orders = ordersOf(files).map((order) => order.map((one) => [one]));
  const step = Math.ceil(orders.length / chooseRunCount(1, 12, 120));
  for (const order of [[files], ...orders.filter((_, index) => index % step === 0)]) {
    const own = await office();
    const asked = { fundingSourceId: own.fundingSourceId, ...options };
    if (before.length > 0) await own.run(before, asked);
    for (const load of order) await own.run(load, asked);
    const orderText = order.map((load) => load.map(({ name }) => name).join('+')).join(', ');
    expect(await readDocumentRows(own), orderText).toEqual({
      notes: [],
      receipts: [],
      payments: [],
      ...expected,
    });
    const again = await own.run(files, asked);
    expect(again.created, orderText).toBe(0);
    expect(await readDocumentRows(own), orderText).toEqual({
      notes: [],
      receipts: [],
      payments: [],
      ...expected,
    });
  }
}

describe('an invoice that another document replaces is owed once, in any order of arrival,', () => {
  it.each<[string, NamedFile[], StoredDocumentRows['invoices']]>([
    ['by one', [invoiceFileOf(1), invoiceFileOf(2, [1])], [[2, 1160, 0]]],
    ['by one with another total', [invoiceFileOf(1), invoiceFileOf(2, [1], 500)], [[2, 580, 0]]],
    ['in a chain of three', [invoiceFileOf(1), invoiceFileOf(2, [1]), invoiceFileOf(3, [2])], [[3, 1160, 0]]],
    [
      'whose successor names the first too',
      [invoiceFileOf(1), invoiceFileOf(2, [1]), invoiceFileOf(3, [2, 1])],
      [[3, 1160, 0]],
    ],
    [
      'together with another one, by one document for both',
      [invoiceFileOf(1), invoiceFileOf(2), invoiceFileOf(3, [1, 2], 2000)],
      [[3, 2320, 0]],
    ],
    [
      'by two, which both count',
      [invoiceFileOf(1), invoiceFileOf(2, [1], 400), invoiceFileOf(3, [1], 600)],
      [
        [2, 464, 0],
        [3, 696, 0],
      ],
    ],
    ['in a ring of two, of which none is the last', [invoiceFileOf(1, [2]), invoiceFileOf(2, [1])], []],
    ['in a ring of three', [invoiceFileOf(1, [3]), invoiceFileOf(2, [1]), invoiceFileOf(3, [2])], []],
    ['by a document in a ring', [invoiceFileOf(1), invoiceFileOf(2, [1, 3]), invoiceFileOf(3, [2])], []],
    [
      'in a ring that a further document replaces',
      [invoiceFileOf(1, [2]), invoiceFileOf(2, [1]), invoiceFileOf(3, [2])],
      [[3, 1160, 0]],
    ],
    ['by itself', [invoiceFileOf(1, [1])], [[1, 1160, 0]]],
    [
      'that never arrived',
      [invoiceFileOf(2, [1]), invoiceFileOf(4, [3])],
      [
        [2, 1160, 0],
        [4, 1160, 0],
      ],
    ],
    [
      'by one whose own replacement never names it',
      [invoiceFileOf(1), invoiceFileOf(2, [1]), invoiceFileOf(3)],
      [
        [2, 1160, 0],
        [3, 1160, 0],
      ],
    ],
  ])('%s', async (_how, files, invoices) => {
    await expectAlways([], files, { invoices });
  });

  it('by a credit note, which alone counts', async () => {
    await expectAlways([invoiceFileOf(9)], [invoiceFileOf(1), noteFileOf(50, 9, [1])], {
      invoices: [[9, 1160, 116]],
      notes: [[50, 116]],
    });
  });

  it('but not by a document of another issuer, whatever that names', async () => {
    await expectAlways(
      [],
      [invoiceFileOf(1), invoiceFileOf(2, [1], 700, OTHER_ISSUER)],
      {
        invoices: [
          [1, 1160, 0],
          [2, 812, 0],
        ],
      },
      { createSuppliers: true },
    );
  });

  it('gives its payments to the one that replaces it if asked to, and waits otherwise', async () => {
    const files = [invoiceFileOf(1), invoiceFileOf(2, [1]), invoiceFileOf(3, [2])];
    await expectAlways(
      [],
      [...files, receiptFileOf(90, [[1, 500]])],
      { invoices: [[3, 1160, 500]], receipts: [90], payments: [[500, '12']] },
      { replace: true },
    );
    const own = await office();
    const { fundingSourceId } = own;
    await own.run([files[0]!, receiptFileOf(90, [[1, 500]])], { fundingSourceId });
    const held = await own.run([files[1]!], { fundingSourceId });
    expect(held.files[0]!.reason).toMatch(/Sustituye .*Con --replace toma su lugar/);
    expect(await readDocumentRows(own)).toMatchObject({ invoices: [[1, 1160, 500]] });
  });

  it('is not restored by Deshacer once another one has taken its place', async () => {
    const own = await office();
    await own.run([invoiceFileOf(1)]);
    await own.run([invoiceFileOf(3, [2])]);
    await own.run([invoiceFileOf(2, [1])], { replace: true });
    const stored = await readDocumentRows(own);
    expect(stored.invoices).toEqual([[3, 1160, 0]]);
    await expect(restoreInvoice(own.db, own.actor, 1)).rejects.toMatchObject({
      message: expect.stringMatching(/^Lo sustituyó el CFDI .*: no se guarda\.$/),
    });
    expect(await readDocumentRows(own)).toEqual(stored);
  });

  it('is reported with what replaces it, also where a document replaces several, or is one of several', async () => {
    const own = await office();
    const { files } = await own.run([invoiceFileOf(1), invoiceFileOf(2, [1]), invoiceFileOf(3, [1, 8])]);
    expect(files.map(({ outcome }) => outcome)).toEqual(['refused', 'warned', 'warned']);
    expect(files[0]!.reason).toBe(
      `Lo sustituyeron el CFDI ${uuidOfNumber(2)}, que es la factura A-2; y el CFDI ${uuidOfNumber(3)}, que es la factura A-3: no se guarda.`,
    );
    expect(files[1]!.warnings).toContain(
      `Al CFDI ${uuidOfNumber(1)} lo sustituye también la factura A-3, CFDI ${uuidOfNumber(3)}.`,
    );
    expect(files[2]!.warnings).toContain(
      `Sustituye (relación 04) a varios CFDI: ${uuidOfNumber(1)}, ${uuidOfNumber(8)}.`,
    );
  });

  it('is refused in every order if two replace each other, together with the whole ring', async () => {
    const ring = [invoiceFileOf(1, [2]), invoiceFileOf(2, [1])];
    for (const order of ordersOf(ring)) {
      const own = await office();
      for (const one of order) await own.run([one]);
      const { files } = await own.run(ring);
      const all = [1, 2].map((n) => `el CFDI ${uuidOfNumber(n)}, que es la factura A-${n}`).join('; y ');
      const says = `Se sustituyen en círculo ${all}: ninguno es el último, y no se guarda.`;
      expect(files.map(({ reason }) => reason)).toEqual([says, says]);
    }
  });

  it('is not stored even if its successor could not be stored', async () => {
    const own = await office();
    const successor = invoiceFileOf(2, [1]);
    const broken = {
      ...successor,
      bytes: Buffer.from(successor.bytes.toString().replace('Total="1160.00"', 'Total="9160.00"')),
    };
    expect((await own.run([broken])).refused).toBe(1);
    expect((await own.run([invoiceFileOf(1)])).files[0]!.reason).toContain(
      `Lo sustituyó el CFDI ${uuidOfNumber(2)}`,
    );
    expect(await own.invoices()).toEqual([]);
  });
});

describe('a credit note that another one replaces is credited once, in any order of arrival,', () => {
  it.each<[string, NamedFile[], StoredDocumentRows['notes'], paid: number]>([
    ['by one of the same amount', [noteFileOf(50, 9), noteFileOf(51, 9, [50])], [[51, 116]], 116],
    ['by one with a smaller amount', [noteFileOf(50, 9), noteFileOf(51, 9, [50], 50)], [[51, 58]], 58],
    ['by one with a larger amount', [noteFileOf(50, 9), noteFileOf(51, 9, [50], 200)], [[51, 232]], 232],
    [
      'in a chain of three',
      [noteFileOf(50, 9), noteFileOf(51, 9, [50]), noteFileOf(52, 9, [51])],
      [[52, 116]],
      116,
    ],
    [
      'together with another one, by one document for both',
      [noteFileOf(50, 9), noteFileOf(51, 9), noteFileOf(52, 9, [50, 51], 200)],
      [[52, 232]],
      232,
    ],
    [
      'by two',
      [noteFileOf(50, 9), noteFileOf(51, 9, [50], 40), noteFileOf(52, 9, [50], 60)],
      [
        [51, 46.4],
        [52, 69.6],
      ],
      116,
    ],
    ['in a ring', [noteFileOf(50, 9, [51]), noteFileOf(51, 9, [50])], [], 0],
    ['by itself', [noteFileOf(50, 9, [50])], [[50, 116]], 116],
    ['that never arrived', [noteFileOf(51, 9, [50])], [[51, 116]], 116],
    ['whose invoice is not on file', [noteFileOf(50, 7), noteFileOf(51, 7, [50])], [[51, 0]], 0],
    ['by one for another invoice', [noteFileOf(50, 7), noteFileOf(51, 9, [50])], [[51, 116]], 116],
  ])('%s', async (_how, files, notes, paid) => {
    await expectAlways([invoiceFileOf(9)], files, { invoices: [[9, 1160, paid]], notes }, { replace: true });
  });

  it('by an invoice, which alone counts', async () => {
    await expectAlways(
      [invoiceFileOf(9)],
      [noteFileOf(50, 9), invoiceFileOf(1, [50])],
      {
        invoices: [
          [1, 1160, 0],
          [9, 1160, 0],
        ],
      },
      { replace: true },
    );
  });

  it('moves, if a person applied it, to the invoice that the person chose', async () => {
    const own = await office();
    await own.run([invoiceFileOf(9), noteFileOf(50, 7)]);
    const [chosen] = await own.invoices();
    const { id: creditNoteId } = await own.db
      .selectFrom('credit_notes')
      .select('id')
      .executeTakeFirstOrThrow();
    await applyCredit(own.db, own.actor, { creditNoteId, invoiceId: chosen!.id, amountCents: 116_00 });
    await own.run([noteFileOf(51, 7, [50])], { replace: true });
    expect(await readDocumentRows(own)).toMatchObject({ invoices: [[9, 1160, 116]], notes: [[51, 116]] });
  });

  it('gives way without asking if nothing of it is applied, and waits for a confirmation otherwise', async () => {
    const own = await office();
    await own.run([noteFileOf(50, 9)]);
    expect((await own.run([noteFileOf(51, 9, [50])])).files[0]).toMatchObject({
      outcome: 'warned',
      replaces: true,
    });
    await own.run([invoiceFileOf(9)]);
    const held = await own.run([noteFileOf(52, 9, [51])]);
    expect(held.files[0]!.reason).toMatch(
      /Sustituye .*que ya está: no se guarda\. Con --replace toma su lugar\./,
    );
    expect(await readDocumentRows(own)).toMatchObject({ invoices: [[9, 1160, 116]], notes: [[51, 116]] });
  });
});

describe('the payments of a replaced receipt become those of its successor', () => {
  const paid = (...payments: [number, string][]) => ({
    invoices: [
      [1, 1160, payments.reduce((sum, [pesos]) => sum + pesos, 0)],
    ] as StoredDocumentRows['invoices'],
    payments,
  });

  it.each<[string, NamedFile[], StoredDocumentRows]>([
    [
      'of the same amount, another day',
      [receiptFileOf(90, [[1, 500]]), receiptFileOf(91, [[1, 500]], [90], 13)],
      { ...paid([500, '13']), receipts: [91] },
    ],
    [
      'on a distant day',
      [receiptFileOf(90, [[1, 500]]), receiptFileOf(91, [[1, 500]], [90], 30)],
      { ...paid([500, '30']), receipts: [91] },
    ],
    [
      'of one peso',
      [receiptFileOf(90, [[1, 500]]), receiptFileOf(91, [[1, 1]], [90], 13)],
      { ...paid([1, '13']), receipts: [91] },
    ],
    [
      'of more',
      [receiptFileOf(90, [[1, 500]]), receiptFileOf(91, [[1, 1160]], [90], 13)],
      { ...paid([1160, '13']), receipts: [91] },
    ],
    [
      'of two payments',
      [
        receiptFileOf(90, [[1, 500]]),
        receiptFileOf(
          91,
          [
            [1, 300],
            [1, 200],
          ],
          [90],
        ),
      ],
      { ...paid([200, '12'], [300, '12']), receipts: [91] },
    ],
    [
      'with one payment for two',
      [
        receiptFileOf(90, [
          [1, 300],
          [1, 200],
        ]),
        receiptFileOf(91, [[1, 500]], [90]),
      ],
      { ...paid([500, '12']), receipts: [91] },
    ],
    [
      'with as many other payments',
      [
        receiptFileOf(90, [
          [1, 600],
          [1, 400],
        ]),
        receiptFileOf(
          91,
          [
            [1, 650],
            [1, 450],
          ],
          [90],
        ),
      ],
      { ...paid([450, '12'], [650, '12']), receipts: [91] },
    ],
    [
      'in a chain of three',
      [
        receiptFileOf(90, [[1, 500]]),
        receiptFileOf(91, [[1, 400]], [90]),
        receiptFileOf(92, [[1, 450]], [91], 14),
      ],
      { ...paid([450, '14']), receipts: [92] },
    ],
    [
      'together with another one, by one document for both',
      [receiptFileOf(90, [[1, 500]]), receiptFileOf(91, [[1, 100]]), receiptFileOf(92, [[1, 600]], [90, 91])],
      { ...paid([600, '12']), receipts: [92] },
    ],
    [
      'by two',
      [
        receiptFileOf(90, [[1, 500]]),
        receiptFileOf(91, [[1, 200]], [90]),
        receiptFileOf(92, [[1, 300]], [90]),
      ],
      { ...paid([200, '12'], [300, '12']), receipts: [91, 92] },
    ],
    ['in a ring', [receiptFileOf(90, [[1, 500]], [91]), receiptFileOf(91, [[1, 400]], [90])], paid()],
    ['by itself', [receiptFileOf(90, [[1, 500]], [90])], { ...paid([500, '12']), receipts: [90] }],
    [
      'by an invoice',
      [receiptFileOf(90, [[1, 500]]), invoiceFileOf(2, [90], 100)],
      {
        invoices: [
          [1, 1160, 0],
          [2, 116, 0],
        ],
      },
    ],
    [
      'by one for another invoice',
      [receiptFileOf(90, [[1, 500]]), receiptFileOf(91, [[3, 500]], [90])],
      {
        invoices: [
          [1, 1160, 0],
          [3, 1160, 500],
        ],
        receipts: [91],
        payments: [[500, '12']],
      },
    ],
  ])('%s', async (how, files, expected) => {
    await expectAlways(
      how.endsWith('another invoice') ? [invoiceFileOf(1), invoiceFileOf(3)] : [invoiceFileOf(1)],
      files,
      expected,
    );
  });

  it('without a source: the link of a captured payment goes to the receipt that counts, and nothing is missing', async () => {
    for (const order of ordersOf([receiptFileOf(90, [[1, 500]]), receiptFileOf(91, [[1, 500]], [90], 13)])) {
      const own = await office();
      await own.run([invoiceFileOf(1)]);
      const { id: facturaproveedorId } = (await own.invoices())[0]!;
      await createPayment(own.db, own.actor, {
        facturaproveedorId,
        amountCents: 500_00,
        paymentdate: '2024-05-12',
      });
      const orderText = [];
      for (const one of order) orderText.push(...(await own.run([one])).files);
      expect(orderText.flatMap(({ warnings = [] }) => warnings)).toEqual([]);
      expect(await readDocumentRows(own)).toMatchObject({ ...paid([500, '12']), receipts: [91] });
      expect(await own.payments()).toMatchObject([{ rep: 'con' }]);
    }
  });

  it('a captured payment stays as it is if the new receipt states another amount, and no second one is made', async () => {
    const own = await office();
    const { fundingSourceId } = own;
    await own.run([invoiceFileOf(1)]);
    const { id: facturaproveedorId } = (await own.invoices())[0]!;
    await createPayment(own.db, own.actor, {
      facturaproveedorId,
      amountCents: 500_00,
      paymentdate: '2024-05-12',
    });
    await own.run([receiptFileOf(90, [[1, 500]])], { fundingSourceId });
    const { files } = await own.run([receiptFileOf(91, [[1, 1]], [90], 13)], { fundingSourceId });
    expect(files[0]!.warnings).toContainEqual(
      'Queda como está el pago de $500.00 del domingo 12 de mayo de 2024 a la factura A-1, que no capturó un recibo; este dice $1.00 del lunes 13 de mayo de 2024.',
    );
    expect(await readDocumentRows(own)).toMatchObject(paid([500, '12']));
  });

  it('a receipt loaded without a source is not paid when it comes again with a document that shows it is replaced', async () => {
    const own = await office();
    const { fundingSourceId } = own;
    const first = receiptFileOf(90, [[1, 500]]);
    await own.run([invoiceFileOf(1), first]);
    await own.run([receiptFileOf(92, [[1, 500]], [91], 13)], { fundingSourceId });
    await own.run([first, receiptFileOf(91, [[1, 500]], [90])], { fundingSourceId });
    expect(await readDocumentRows(own)).toMatchObject({ ...paid([500, '13']), receipts: [92] });
  });

  it('each payment changes to the most similar line, and those that shrink make room for those that grow', async () => {
    const own = await office();
    const { db, fundingSourceId } = own;
    const of = (...pesos: number[]) => pesos.map((one): [number, number] => [1, one]);
    const amounts = () => db.selectFrom('payments').select('amountCents').orderBy('id').execute();
    await own.run([invoiceFileOf(1), receiptFileOf(90, of(700, 460))], { fundingSourceId });
    await own.run([receiptFileOf(91, of(420, 740), [90])], { fundingSourceId });
    expect(await amounts()).toEqual([{ amountCents: 740_00 }, { amountCents: 420_00 }]);
    await own.run([receiptFileOf(92, of(800, 360), [91])], { fundingSourceId });
    expect(await amounts()).toEqual([{ amountCents: 800_00 }, { amountCents: 360_00 }]);
    expect(await readDocumentRows(own)).toMatchObject({ receipts: [92], invoices: [[1, 1160, 1160]] });
  });

  it('each payment that changes or is removed is reported', async () => {
    const own = await office();
    const { fundingSourceId } = own;
    await own.run(
      [
        invoiceFileOf(1),
        receiptFileOf(90, [
          [1, 500],
          [1, 100],
        ]),
      ],
      { fundingSourceId },
    );
    const { files } = await own.run([receiptFileOf(91, [[1, 400]], [90], 13)], { fundingSourceId });
    expect(files[0]!.warnings).toEqual([
      'Se quitó el pago de $100.00 del domingo 12 de mayo de 2024 a la factura A-1, de un recibo que este sustituye.',
      expect.stringMatching(
        /^Cambió el pago de \$500\.00 del domingo 12 de mayo de 2024 a la factura A-1, de un recibo que este sustituye: \$400\.00 del lunes 13 de mayo de 2024/,
      ),
    ]);
  });

  const last = receiptFileOf(91, [[1, 500]], [90], 13);

  /** Both receipts are stored without the relation between them, as before relations were stored. */
  async function openWithTwoReceipts() {
    const own = await office();
    const files = [invoiceFileOf(1), receiptFileOf(90, [[1, 500]]), receiptFileOf(91, [[1, 500]], [], 13)];
    await own.run(files, { fundingSourceId: own.fundingSourceId });
    expect(await readDocumentRows(own)).toMatchObject({ receipts: [90, 91], invoices: [[1, 1160, 1000]] });
    return own;
  }

  it('two receipts stored before anybody knew are corrected by loading the last one again, which the audit trail records', async () => {
    const own = await openWithTwoReceipts();
    const { db, fundingSourceId } = own;
    expect(await own.run([last], { fundingSourceId, dryRun: true })).toMatchObject({ warned: 1 });
    expect(await db.selectFrom('document_relations').selectAll().execute()).toEqual([]);
    for (const _ of [1, 2]) await own.run([last, invoiceFileOf(1)], { fundingSourceId });
    expect(await readDocumentRows(own)).toMatchObject({ ...paid([500, '13']), receipts: [91] });
    const entries = db.selectFrom('audit').select(['action', 'after']);
    const told = await entries.where('entity', '=', 'document-relations').execute();
    expect(told.map(({ after }) => JSON.parse(after!))).toEqual([
      { created: 1, relations: [`${uuidOfNumber(91)} → ${uuidOfNumber(90)}`] },
    ]);
  });

  it('two receipts that only the database check reports are corrected in the same way', async () => {
    const own = await openWithTwoReceipts();
    const { db, fundingSourceId } = own;
    const relation = {
      uuid: uuidOfNumber(91),
      replacedUuid: uuidOfNumber(90),
      kind: 'P',
      numero: 'P-91',
      rfc: 'EKU9003173C9',
    } as const;
    await db.insertInto('document_relations').values(relation).execute();
    expect((await findDatabaseProblems(db)).map(({ problem }) => problem)).toEqual([
      'el recibo de pago P-90 está sustituido, y sus pagos cuentan todavía',
    ]);
    await own.run([last], { fundingSourceId });
    expect(await readDocumentRows(own)).toMatchObject({ ...paid([500, '13']), receipts: [91] });
  });
});

describe('what is applied by a name follows the document that counts, in any order of arrival,', () => {
  const two = [invoiceFileOf(1), invoiceFileOf(2, [1], 400), invoiceFileOf(3, [1], 600)];

  it.each<[string, NamedFile[], StoredDocumentRows]>([
    [
      'a note that names an invoice which two replace is applied to neither',
      [...two, noteFileOf(50, 1)],
      {
        invoices: [
          [2, 464, 0],
          [3, 696, 0],
        ],
        notes: [[50, 0]],
      },
    ],
    [
      'a receipt that names an invoice which two replace pays neither',
      [...two, receiptFileOf(90, [[1, 100]])],
      {
        invoices: [
          [2, 464, 0],
          [3, 696, 0],
        ],
        receipts: [90],
      },
    ],
    [
      'if one of the two is replaced by the other, one counts',
      [invoiceFileOf(1), invoiceFileOf(2, [1]), invoiceFileOf(3, [1, 2]), noteFileOf(50, 1)],
      { invoices: [[3, 1160, 116]], notes: [[50, 116]] },
    ],
    [
      'a relation finds the document that counts once the link between them arrives',
      [invoiceFileOf(3, [2]), invoiceFileOf(2, [1]), noteFileOf(50, 1), receiptFileOf(90, [[1, 100]])],
      { invoices: [[3, 1160, 216]], notes: [[50, 116]], receipts: [90], payments: [[100, '12']] },
    ],
    [
      'a receipt waits for its invoice if a credit note replaces that',
      [invoiceFileOf(9), invoiceFileOf(1), receiptFileOf(90, [[1, 100]]), noteFileOf(50, 9, [1])],
      { invoices: [[9, 1160, 116]], notes: [[50, 116]], receipts: [90] },
    ],
    [
      'a note waits for its invoice if a receipt replaces that',
      [invoiceFileOf(9), invoiceFileOf(1), noteFileOf(50, 1), receiptFileOf(90, [[9, 100]], [1])],
      { invoices: [[9, 1160, 100]], notes: [[50, 0]], receipts: [90], payments: [[100, '12']] },
    ],
    [
      'a note and its invoice give way to one receipt',
      [invoiceFileOf(9), invoiceFileOf(1), noteFileOf(50, 1), receiptFileOf(90, [[9, 100]], [50, 1])],
      { invoices: [[9, 1160, 100]], receipts: [90], payments: [[100, '12']] },
    ],
    [
      'the replaced note was applied to another invoice than the new one names',
      [invoiceFileOf(9), noteFileOf(50, 9), noteFileOf(51, 7, [50])],
      { invoices: [[9, 1160, 0]], notes: [[51, 0]] },
    ],
    [
      'a receipt and a note of a ring are removed with it',
      [invoiceFileOf(1, [2]), invoiceFileOf(2, [1]), noteFileOf(50, 1), receiptFileOf(90, [[2, 100]])],
      { invoices: [], notes: [[50, 0]], receipts: [90] },
    ],
    [
      'a document of another issuer does not affect what a note and a receipt name',
      [
        invoiceFileOf(1),
        invoiceFileOf(2, [1], 700, OTHER_ISSUER),
        noteFileOf(50, 1),
        receiptFileOf(90, [[1, 100]]),
      ],
      {
        invoices: [
          [1, 1160, 216],
          [2, 812, 0],
        ],
        notes: [[50, 116]],
        receipts: [90],
        payments: [[100, '12']],
      },
    ],
  ])('%s', async (_what, files, expected) => {
    await expectAlways([], files, expected, { replace: true, createSuppliers: true });
  });

  it('a document does not affect what it names of another issuer: an invoice, its note and its receipt', async () => {
    const foreign = [
      invoiceFileOf(1, [], 1000, OTHER_ISSUER),
      noteFileOf(50, 1, [], 100, OTHER_ISSUER),
      receiptFileOf(90, [[1, 100]], [], 12, OTHER_ISSUER),
    ];
    await expectAlways(
      foreign,
      [invoiceFileOf(9, [1]), noteFileOf(51, 9, [50]), receiptFileOf(91, [[9, 200]], [90])],
      {
        invoices: [
          [1, 1160, 216],
          [9, 1160, 316],
        ],
        notes: [
          [50, 116],
          [51, 116],
        ],
        receipts: [90, 91],
        payments: [
          [100, '12'],
          [200, '12'],
        ],
      },
      { replace: true, createSuppliers: true },
    );
  });

  it('a ring that another issuer’s document would close is none, for the database check either', async () => {
    await expectAlways(
      [invoiceFileOf(1)],
      [
        receiptFileOf(90, [[1, 144]]),
        invoiceFileOf(2, [90], 1000, OTHER_ISSUER),
        receiptFileOf(91, [[1, 131]], [2], 13),
      ],
      {
        invoices: [
          [1, 1160, 275],
          [2, 1160, 0],
        ],
        receipts: [90, 91],
        payments: [
          [131, '13'],
          [144, '12'],
        ],
      },
      { createSuppliers: true },
    );
  });

  const named = receiptFileOf(90, [[1, 100]]);
  const nameless = {
    ...named,
    bytes: Buffer.from(named.bytes.toString().replace('Rfc="EKU9003173C9" ', 'Rfc="" ')),
  };

  it('a receipt that does not state its issuer follows its invoice, whatever another issuer claims', async () => {
    const own = await office();
    const asked = { fundingSourceId: own.fundingSourceId, createSuppliers: true };
    await own.run([invoiceFileOf(2, [1], 700, OTHER_ISSUER)], asked);
    expect(await own.run([nameless], asked)).toMatchObject({ refused: 1 });
    await own.run([invoiceFileOf(1)], asked);
    await own.run([nameless], asked);
    expect(await readDocumentRows(own)).toMatchObject({
      invoices: [
        [1, 1160, 100],
        [2, 812, 0],
      ],
      receipts: [90],
      payments: [[100, '12']],
    });
  });

  it('a receipt that does not state its issuer is paid of the invoice that has replaced its own since', async () => {
    const own = await office();
    const { fundingSourceId } = own;
    for (const file of [invoiceFileOf(1), nameless, invoiceFileOf(2, [1])]) await own.run([file]);
    await own.run([nameless], { fundingSourceId });
    expect(await readDocumentRows(own)).toMatchObject({
      invoices: [[2, 1160, 100]],
      receipts: [90],
      payments: [[100, '12']],
    });
  });
});

/** Small inputs, kept outside the repository. */
const folder = resolve(import.meta.dirname, '../../../../../shared/data/reports');

describe('documents reported in public', () => {
  if (!existsSync(folder)) {
    it.skip('is skipped without the external files of reported problems', () => undefined);
    return;
  }
  const file = (name: string) => ({ name, bytes: readFileSync(join(folder, name)) });

  it.each<[string, string[], options: object, owed: number[], paid: number, day?: string]>([
    [
      'a receipt',
      ['rep04_factura.xml', 'rep04_recibo1.xml', 'rep04_recibo2_sustituye.xml'],
      { replace: true },
      [1160],
      500,
      '2026-11-13',
    ],
    [
      'a credit note',
      ['nota04_factura.xml', 'nota04_nota1.xml', 'nota04_nota2_sustituye.xml'],
      {},
      [1160],
      116,
    ],
    ['a chain of invoices', ['cadena04_1.xml', 'cadena04_2.xml', 'cadena04_3.xml'], {}, [1160], 0],
  ])('%s: in every order, in one load or three', async (_what, names, options, owed, paid, day) => {
    const files = names.map(file);
    for (const order of [[files], ...ordersOf(files).map((own) => own.map((one) => [one]))]) {
      const own = await office();
      for (const load of order)
        await own.run(load, { createSuppliers: true, fundingSourceId: own.fundingSourceId, ...options });
      const invoices = await own.invoices();
      expect(invoices.map(({ totalCents }) => totalCents / 100)).toEqual(owed);
      expect(invoices[0]!.paidCents / 100).toBe(paid);
      if (day) expect((await own.payments()).map(({ paymentdate }) => paymentdate)).toEqual([day]);
      expect(await findDatabaseProblems(own.db)).toEqual([]);
    }
  });
});
