import { afterEach, describe, expect, it } from 'vitest';
import {
  applyCredit,
  createCreditNote,
  restoreCreditNote,
} from '../../../../server/services/credit-notes/write.ts';
import { restoreInvoice } from '../../../../server/services/invoices/invoices.ts';
import { createMovement, updateMovement } from '../../../../server/services/petty-cash/movements.ts';
import { uuidOfNumber } from '../../../support/cfdi.ts';
import { createCfdiImporter } from '../../../support/cfdi-office.ts';
import { openFreshDatabase } from '../../../support/databases.ts';
import { setClosingDate } from '../../../support/dated-rows.ts';
import { addFund, createExpenseValues } from '../../../support/petty-cash.ts';
import { findDatabaseProblems } from '../../../support/problems.ts';
import { IS_LONG_LANE } from '../../../support/proofs.ts';
import { invoiceFileOf, noteFileOf, OTHER_ISSUER, readDocumentRows } from '../../../support/replacing.ts';
import { addPayment } from '../../../support/rows.ts';
import { importRows } from '../../../support/table-rows.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

async function office() {
  const fresh = await openFreshDatabase(IS_LONG_LANE ? 'postgres' : 'sqlite');
  opened.push(fresh);
  return createCfdiImporter(fresh.db);
}

type Office = Awaited<ReturnType<typeof office>>;

/** Captures a credit note of $116.00 by hand, and applies it to the first invoice. */
async function applyPaper({ db, actor, supplierId, invoices }: Office, numero: string, fecha = '2024-04-10') {
  const [first] = await invoices();
  const amounts = { subtotalCents: 10_000, ivaCents: 1_600, totalCents: 11_600 };
  const aplicar = [{ facturaproveedorId: first!.id, amountCents: 11_600 }];
  await createCreditNote(db, actor, { supplierId, numero, fecha, ...amounts, aplicar });
}

const paidIn = async ({ invoices }: Office) =>
  (await invoices()).map(({ numfactura, paidCents }) => [numfactura, paidCents]);

/** A row of a table of payments that applies note A-50 to invoice A-9. */
const PART = {
  ...{ rfc: 'EKU9003173C9', numfactura: 'A-9', kind: 'credito', paymentamount: '116.00' },
  ...{ paymentdate: '2024-04-10', creditnumero: 'A-50', credituuid: uuidOfNumber(50), credittotal: '116.00' },
};

/** Somebody corrects the RFC of the supplier. */
const correctRfc = ({ db, supplierId }: Office) =>
  db.updateTable('suppliers').set({ rfc: 'EKU9003173C8' }).where('id', '=', supplierId).execute();

const REPLACED = { message: expect.stringMatching(/^Lo sustituyó el CFDI .*: no se guarda\.$/) };

describe('a document that another one replaces', () => {
  it('is not credited again by a table of payments', async () => {
    const own = await office();
    await own.run([invoiceFileOf(9)]);
    await own.run([noteFileOf(50, 9)]);
    await own.run([noteFileOf(51, 9, [50])], { replace: true });
    const { refused } = await importRows(own.db, own.actor, 'payments', [PART]);
    expect(JSON.stringify(refused)).toContain('Lo sustituyó el CFDI');
    expect(await readDocumentRows(own)).toMatchObject({ invoices: [[9, 1160, 116]], notes: [[51, 116]] });
  });

  it('is not restored as an invoice, even after the RFC of its supplier has been corrected', async () => {
    const own = await office();
    await own.run([invoiceFileOf(1)]);
    await own.run([invoiceFileOf(3, [2])]);
    await own.run([invoiceFileOf(2, [1])], { replace: true });
    await correctRfc(own);
    await expect(restoreInvoice(own.db, own.actor, 1)).rejects.toMatchObject(REPLACED);
    expect((await readDocumentRows(own)).invoices).toEqual([[3, 1160, 0]]);
  });

  it('is not restored as a credit note, even after the RFC of its supplier has been corrected', async () => {
    const own = await office();
    await own.run([invoiceFileOf(9), noteFileOf(50, 7)]);
    await own.run([noteFileOf(51, 7, [50])]);
    await correctRfc(own);
    await expect(restoreCreditNote(own.db, own.actor, 1)).rejects.toMatchObject(REPLACED);
    expect((await readDocumentRows(own)).notes).toEqual([[51, 0]]);
  });

  it('remains replaced if another issuer has earlier claimed the same under the UUID of its successor', async () => {
    const own = await office();
    await own.run([noteFileOf(51, 7, [50], 100, OTHER_ISSUER), invoiceFileOf(2, [1], 700, OTHER_ISSUER)]);
    await own.run([noteFileOf(51, 7, [50]), invoiceFileOf(1)]);
    await own.run([noteFileOf(50, 7), invoiceFileOf(3, [2])]);
    await own.run([invoiceFileOf(2, [1])], { replace: true });
    expect(await readDocumentRows(own)).toMatchObject({ invoices: [[3, 1160, 0]], notes: [[51, 0]] });
  });
});

describe('a credit that a person applied', () => {
  it('moves from an invoice to the one that replaces it', async () => {
    const own = await office();
    await own.run([invoiceFileOf(1)]);
    await own.run([invoiceFileOf(3, [2])]);
    await applyPaper(own, 'P-1');
    const { files } = await own.run([invoiceFileOf(2, [1])], { replace: true });
    expect(JSON.stringify(files)).toContain('Se le aplicaron $116.00 de la nota de crédito P-1');
    expect(await paidIn(own)).toEqual([['A-3', 11_600]]);
    await own.sound();
  });

  it('moves from a credit note to the one that replaces it, even if a document between the two arrived last', async () => {
    const own = await office();
    await own.run([invoiceFileOf(9), noteFileOf(50, 7)]);
    await own.run([noteFileOf(52, 7, [51])]);
    const [chosen] = await own.invoices();
    await applyCredit(own.db, own.actor, { creditNoteId: 1, invoiceId: chosen!.id, amountCents: 11_600 });
    await own.run([noteFileOf(51, 7, [50])], { replace: true });
    expect(await readDocumentRows(own)).toMatchObject({ invoices: [[9, 1160, 116]], notes: [[52, 116]] });
    await own.sound();
  });

  it('keeps its invoice if that is in a closed period, and does not stop the other documents', async () => {
    const own = await office();
    await own.run([invoiceFileOf(20)]);
    await own.run([invoiceFileOf(22, [21])]);
    await applyPaper(own, 'P-1', '2024-03-10');
    await setClosingDate(own.db, '2024-03-15');
    const { files } = await own.run([invoiceFileOf(21, [20]), invoiceFileOf(25)], { replace: true });
    expect(JSON.stringify(files)).toContain('Sigue registrada la factura A-20');
    expect(await paidIn(own)).toEqual([
      ['A-20', 11_600],
      ['A-22', 0],
      ['A-25', 0],
    ]);
  });
});

describe('the receipt of a petty cash expense', () => {
  const spend = async ({ db, actor }: Office, n: number) => {
    const { id: fundId } = await addFund(db, { nombre: `Obra ${n}`, openedOn: '2024-01-01' });
    const draft = createExpenseValues({
      concepto: `Clavos ${n}`,
      fecha: '2024-03-20',
      comprobante: 'cfdi',
      uuid: uuidOfNumber(n),
    });
    return (await createMovement(db, actor, fundId, draft)).movement;
  };
  const receipts = async ({ db }: Office) => {
    const rows = await db
      .selectFrom('petty_cash_movements')
      .select('uuid')
      .where('uuid', 'is not', null)
      .execute();
    return rows.map(({ uuid }) => uuid);
  };

  it.each<[string, number[][], number]>([
    ['by one', [[2, 1]], 1],
    [
      'at the beginning of a chain',
      [
        [3, 2],
        [2, 1],
      ],
      1,
    ],
    [
      'in the middle of a chain',
      [
        [3, 2],
        [2, 1],
      ],
      2,
    ],
  ])('is not a CFDI that is replaced %s', async (_, chain, spent) => {
    const own = await office();
    await own.run(chain.map(([n, former]) => invoiceFileOf(n!, [former!])));
    const { message } = REPLACED;
    await expect(spend(own, spent)).rejects.toMatchObject({ message, fields: { uuid: message } });
    expect(await receipts(own)).toEqual([]);
  });

  it('is not paid again as the invoice that replaces it, until the expense has that as its receipt', async () => {
    const own = await office();
    const { id } = await spend(own, 1);
    const first = await own.run([invoiceFileOf(2, [1])]);
    expect(first.files[0]).toMatchObject({
      outcome: 'refused',
      reason: 'Ese CFDI sustituye al comprobante de «Clavos 1» en la caja «Obra 1»: cámbialo en ese gasto.',
    });
    await expect(spend(own, 2)).rejects.toMatchObject({ message: first.files[0]!.reason });
    await updateMovement(own.db, own.actor, id, { uuid: uuidOfNumber(2) });
    expect((await own.run([invoiceFileOf(2, [1])])).files[0]!.reason).toContain(
      'ya es el comprobante de «Clavos 1»',
    );
    expect(await own.invoices()).toEqual([]);
    expect(await receipts(own)).toEqual([uuidOfNumber(2)]);
    await own.sound();
  });

  it('is reported as replaced by what arrived before anybody knew, and the check finds it', async () => {
    const own = await office();
    await spend(own, 1);
    await own.run([invoiceFileOf(3, [2])]);
    expect((await own.run([invoiceFileOf(2, [1])])).files[0]!.reason).toContain(
      'El comprobante de «Clavos 1» en la caja «Obra 1» está sustituido: cámbialo en ese gasto.',
    );
    expect(JSON.stringify(await findDatabaseProblems(own.db))).toContain(
      `su CFDI ${uuidOfNumber(1)} está sustituido`,
    );
  });

  it('does not take the place of an invoice on file', async () => {
    const own = await office();
    await own.run([invoiceFileOf(1)]);
    const [paid] = await own.invoices();
    const { userId } = own.actor;
    await addPayment(own.db, { facturaproveedorId: paid!.id, amountCents: 116_000, userId });
    await own.run([invoiceFileOf(2, [1])]);
    await expect(spend(own, 2)).rejects.toMatchObject({
      message: 'Ese CFDI sustituye al de la factura A-1: carga ahí su XML.',
    });
    const row = { rfc: 'EKU9003173C9', numfactura: 'A-2', fechaemision: '2024-03-03', uuid: uuidOfNumber(2) };
    const amounts = { subtotal: '1000.00', iva: '160.00', total: '1160.00', jobtitle: 'Torre Norte' };
    const { refused } = await importRows(own.db, own.actor, 'invoices', [{ ...row, ...amounts }], {
      createMissing: true,
    });
    expect(JSON.stringify(refused)).toContain('Sustituye a la factura A-1: carga su XML.');
    expect(await paidIn(own)).toEqual([['A-1', 116_000]]);
  });
});

it('a paper note is not credited again by a row of a payments table that has its number and a UUID', async () => {
  const own = await office();
  await own.run([invoiceFileOf(9)]);
  await applyPaper(own, 'A-50');
  const { refused } = await importRows(own.db, own.actor, 'payments', [PART]);
  expect(JSON.stringify(refused)).toContain('es un conflicto');
  expect(await paidIn(own)).toEqual([['A-9', 11_600]]);
});
