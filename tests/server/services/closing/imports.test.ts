import { beforeEach, expect, it } from 'vitest';
import type { Actor } from '../../../../server/services/audit/audit.ts';
import { importCfdi } from '../../../../server/services/documents/import.ts';
import type { CfdiImportOptions } from '../../../../server/services/documents/outcomes.ts';
import { importTable } from '../../../../server/services/imports/import.ts';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { buildCfdi, buildCreditNote, buildReceipt, bytesOf, uuidOfNumber } from '../../../support/cfdi.ts';
import { readDatedRows, setClosingDate } from '../../../support/dated-rows.ts';
import { findDatabaseProblems } from '../../../support/problems.ts';
import { describeEachInLongLane } from '../../../support/proofs.ts';
import { cfdiInWords, tableInWords } from '../../../support/remarks.ts';
import {
  addActor,
  addFundingSource,
  addInvoice,
  addJob,
  addPayment,
  addSupplier,
} from '../../../support/rows.ts';
import { createParsedRows, importRows } from '../../../support/table-rows.ts';

const closedText = (day: string, until = 'domingo 31 de marzo de 2024') =>
  `El ${day} es de un periodo cerrado (hasta el ${until}). No se importa: lo captura un administrador a mano, con un motivo.`;

describeEachInLongLane('an import into a closed period', (fresh) => {
  let actor: Actor;
  let ids: { supplierId: number; jobId: number };
  beforeEach(async () => {
    // Not even an administrator with a reason: imports override nothing.
    actor = { ...(await addActor(fresh.db, { roles: [1, 3] })), motivo: 'porque sí' };
    const supplierId = await addSupplier(fresh.db, { suppliername: 'Aceros', rfc: 'EKU9003173C9' });
    ids = { supplierId, jobId: await addJob(fresh.db, { jobtitle: 'Torre' }) };
  });

  const invoiceRow = (numfactura: string, fechaemision: string) => ({
    suppliername: 'Aceros',
    jobtitle: 'Torre',
    numfactura,
    fechaemision,
    subtotal: '1000.00',
    iva: '160.00',
    total: '1160.00',
    tasa: '16',
  });
  const rows = [invoiceRow('A-1', '2024-03-31'), invoiceRow('A-2', '2024-04-01')];

  it('changes nothing if its rows are already on file', async () => {
    const [row] = rows;
    await importRows(fresh.db, actor, 'invoices', [row!]);
    await setClosingDate(fresh.db, '2024-03-31');
    expect(await importRows(fresh.db, actor, 'invoices', [row!])).toMatchObject({
      unchanged: 1,
      refused: [],
    });
  });

  it.each(['invoices', 'payments'] as const)(
    'is refused if the date moves while %s are imported',
    async (kind) => {
      const { db, database } = fresh;
      await addInvoice(db, { ...ids, numfactura: 'B-1', fechaemision: '2024-03-01' });
      const other = database.openAgain().db;
      const payment = {
        numfactura: 'B-1',
        suppliername: 'Aceros',
        paymentamount: '10.00',
        paymentdate: '2024-03-31',
      };
      const before = await readDatedRows(db);
      let moving: Promise<unknown> | undefined;
      const result = await importTable(
        db,
        actor,
        kind,
        createParsedRows(kind === 'invoices' ? rows : [payment]),
        { source: 'x.csv', sha256: 'a'.repeat(64) },
        async (step) => {
          if (step !== 'revisar' || moving) return;
          moving = changeSetting(other, actor, 'cierre', '2024-03-31');
          await moving;
        },
      );
      expect(tableInWords(result)).toMatchObject({ stored: false, refused: [{ row: 2 }] });
      expect(await readDatedRows(db)).toEqual(before);
    },
  );

  const run = async (files: Record<string, string>, options: Partial<CfdiImportOptions> = {}) => {
    const sent = Object.entries(files).map(([name, text]) => ({ name, bytes: bytesOf(text) }));
    return cfdiInWords(await importCfdi(fresh.db, actor, sent, { jobId: ids.jobId, ...options })).files;
  };
  const issued = (day: string) => ({ root: { Fecha: `${day}T09:00:00` } });

  it('refuses a CFDI, a credit note, and a link to an invoice in it', async () => {
    const { db } = fresh;
    await addInvoice(db, { ...ids, numfactura: 'B-7', fechaemision: '2024-03-27', subtotalCents: 200_000 });
    await setClosingDate(db, '2024-03-31');
    const before = await readDatedRows(db);
    const files = {
      'factura.xml': buildCfdi({ uuid: uuidOfNumber(1) }),
      'ligada.xml': buildCfdi({
        uuid: uuidOfNumber(2),
        root: { Serie: 'B', Folio: '7', Fecha: '2024-04-02T09:00:00', SubTotal: '2000.00', Total: '2320.00' },
        impuestos:
          '<cfdi:Impuestos><cfdi:Traslados><cfdi:Traslado Base="2000.00" Impuesto="002" TipoFactor="Tasa" TasaOCuota="0.160000" Importe="320.00"/></cfdi:Traslados></cfdi:Impuestos>',
        conceptos:
          '<cfdi:Conceptos><cfdi:Concepto Descripcion="Varilla" Importe="2000.00"/></cfdi:Conceptos>',
      }),
      'nota.xml': buildCreditNote([uuidOfNumber(1)], { uuid: uuidOfNumber(3) }),
    };
    for (const dryRun of [true, false])
      expect(await run(files, { dryRun })).toMatchObject([
        { outcome: 'refused', reason: closedText('martes 5 de marzo de 2024') },
        { outcome: 'refused', reason: closedText('miércoles 27 de marzo de 2024') },
        { outcome: 'refused', reason: closedText('miércoles 20 de marzo de 2024') },
      ]);
    expect(await readDatedRows(db)).toEqual(before);
    expect(
      await run({ 'abril.xml': buildCfdi({ uuid: uuidOfNumber(4), ...issued('2024-04-01') }) }),
    ).toMatchObject([{ outcome: 'created' }]);
  });

  it('refuses a payment from a receipt, and accepts the receipt of a captured payment', async () => {
    const { db } = fresh;
    const fundingSourceId = await addFundingSource(db);
    await run({ 'factura.xml': buildCfdi({ uuid: uuidOfNumber(1) }) });
    await setClosingDate(db, '2024-04-30');
    const receipt = {
      'pago.xml': buildReceipt({
        uuid: uuidOfNumber(9),
        doctos: [{ amount: '100.00', of: uuidOfNumber(1) }],
      }),
    };
    const before = await readDatedRows(db);
    const reason = expect.stringContaining(
      closedText('viernes 5 de abril de 2024', 'martes 30 de abril de 2024'),
    );
    expect(await run(receipt, { fundingSourceId })).toMatchObject([{ outcome: 'refused', reason }]);
    expect(await readDatedRows(db)).toEqual(before);
    // Without a funding source no payment is captured; the receipt is linked later.
    expect(await run(receipt)).toMatchObject([{ outcome: 'warned' }]);
    expect(await run(receipt, { fundingSourceId })).toMatchObject([{ outcome: 'refused', reason }]);
    expect(await readDatedRows(db)).toEqual(before);
    await setClosingDate(db, '');
    expect(await run(receipt, { fundingSourceId })).toMatchObject([{ outcome: 'warned' }]);
    expect((await readDatedRows(db)).payments).toMatchObject([{ paymentdate: '2024-04-05' }]);
    expect(await findDatabaseProblems(db)).toEqual([]);
  });

  it('does not apply a stored credit note there to an invoice that arrives now', async () => {
    const { db } = fresh;
    await run({ 'nota.xml': buildCreditNote([uuidOfNumber(1)], { uuid: uuidOfNumber(3) }) });
    await setClosingDate(db, '2024-03-31');
    const [file] = await run({
      'factura.xml': buildCfdi({ uuid: uuidOfNumber(1), ...issued('2024-04-01') }),
    });
    expect(file).toMatchObject({
      outcome: 'warned',
      warnings: [
        expect.stringMatching(
          /^No se le aplicó la nota de crédito NC-0012.*El miércoles 20 de marzo de 2024/,
        ),
      ],
    });
    expect((await readDatedRows(db)).payments).toEqual([]);
  });

  it('does not correct a payment captured at the bank’s amount by its receipt', async () => {
    const { db } = fresh;
    const foreign = { Moneda: 'USD', TipoCambio: '17.00', Fecha: '2024-04-10T09:00:00' };
    await run({ 'factura.xml': buildCfdi({ uuid: uuidOfNumber(1), root: foreign }) });
    const [invoice] = (await readDatedRows(db)).invoices as { id: number }[];
    await addPayment(db, {
      facturaproveedorId: invoice!.id,
      amountCents: 180_000,
      userId: actor.userId,
      paymentdate: '2024-04-20',
    });
    await setClosingDate(db, '2024-04-30');
    const before = await readDatedRows(db);
    const receipt = buildReceipt({
      uuid: uuidOfNumber(9),
      fecha: '2024-04-20',
      moneda: 'USD',
      tipoCambio: '18.00',
      doctos: [{ amount: '100.00', of: uuidOfNumber(1), moneda: 'USD', equivalencia: '1' }],
    });
    const [file] = await run({ 'pago.xml': receipt });
    expect(file).toMatchObject({
      outcome: 'warned',
      warnings: [expect.stringContaining('No se corrige el pago')],
    });
    expect(await readDatedRows(db)).toEqual(before);
  });
});
