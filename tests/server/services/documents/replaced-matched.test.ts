import { expect, it } from 'vitest';
import { buildBankOrder } from '../../../../server/services/bank-files/transfers.ts';
import { importBankStatement } from '../../../../server/services/bank-statements/import-statement.ts';
import { getBatch } from '../../../../server/services/payment-batches/reading.ts';
import { addAccount } from '../../../support/accounts.ts';
import { addBatch } from '../../../support/batches.ts';
import { buildReplacements, uuidOfNumber } from '../../../support/cfdi.ts';
import { buildInvoiceFile, buildReceiptFile, createCfdiImporter } from '../../../support/cfdi-office.ts';
import { describeEachInLongLane } from '../../../support/proofs.ts';
import { addActor, TODAY } from '../../../support/rows.ts';

function receipt(n: number, of: [n: number, amount: string][], fecha: string, former?: number) {
  const doctos = of.map(([invoice, amount]) => ({ amount, of: uuidOfNumber(invoice) }));
  const file = buildReceiptFile(n, { doctos, fecha });
  const relation =
    former === undefined ? '' : buildReplacements(uuidOfNumber(former)).replaceAll('{p}', 'cfdi:');
  return {
    ...file,
    bytes: Buffer.from(file.bytes.toString().replace('<cfdi:Emisor', `${relation}<cfdi:Emisor`)),
  };
}

describeEachInLongLane('a payment that the bank has made', (fresh) => {
  /** Stores invoices 1 and 2; the bank has paid 1 through a batch, and receipt 90 states that. */
  async function prepare(isOfReceipt: boolean) {
    const { db } = fresh;
    const own = await createCfdiImporter(db);
    const { run, supplierId, fundingSourceId: origenderecursoId } = own;
    await run([buildInvoiceFile(1), buildInvoiceFile(2)]);
    await addAccount(db, { supplierId, author: await addActor(db, { roles: [6], today: '2026-11-02' }) });
    const [invoice] = await own.invoices();
    const batch = await addBatch(db, { estado: 'enviada', invoiceIds: [invoice!.id], origenderecursoId });
    const { transfers } = await buildBankOrder(db, await getBatch(db, batch.id));
    const [{ amountCents, referencia } = { amountCents: 0, referencia: '' }] = transfers;
    const movement = { line: 2, fecha: TODAY, amountCents: -amountCents, referencia, descripcion: '' };
    const statement = { origenderecursoId, filename: 'n.csv', sha256: 'a'.repeat(64), movements: [movement] };
    const treasurer = await addActor(db, { roles: [1, 3] });
    expect((await importBankStatement(db, treasurer, statement)).counts).toMatchObject({ pagado: 1 });
    await run([receipt(90, [[1, '1160.00']], TODAY)]);
    if (isOfReceipt) {
      const [load] = await db.selectFrom('imports').select('id').orderBy('id', 'desc').limit(1).execute();
      await db.updateTable('payments').set({ importId: load!.id }).execute();
    }
    expect(await own.payments()).toMatchObject([{ rep: 'con' }]);
    return {
      ...own,
      replace: (file: ReturnType<typeof receipt>) =>
        run([file], { fundingSourceId: origenderecursoId, replace: true }),
    };
  }

  const BANK = 'Lo pagó el banco el viernes 20 de noviembre de 2026';

  it.each<[string, isOfReceipt: boolean, of: [number, string][], day: string, says: string]>([
    ['of another amount', false, [[1, '400.00']], TODAY, 'Queda como está el pago de $1,160.00'],
    ['of another day', false, [[1, '1160.00']], '2026-10-01', 'Queda como está el pago de $1,160.00'],
    ['of another invoice', false, [[2, '1160.00']], TODAY, 'que no capturó un recibo, y este no lo dice'],
    ['of another amount, if a receipt created it', true, [[1, '400.00']], TODAY, BANK],
    ['of another day, if a receipt created it', true, [[1, '1160.00']], '2026-10-01', BANK],
    [
      'of another invoice, if a receipt created it',
      true,
      [[2, '1160.00']],
      TODAY,
      'Es parte de la programación',
    ],
  ])(
    'stays as it is, with a remark, if a receipt %s replaces its own',
    async (_what, isOfReceipt, of, day, says) => {
      const { db, replace, sound } = await prepare(isOfReceipt);
      const bank = db.selectFrom('payments').selectAll().orderBy('id').limit(1);
      const before = await bank.executeTakeFirstOrThrow();
      const { files } = await replace(receipt(91, of, day, 90));
      expect(await bank.executeTakeFirstOrThrow()).toEqual(before);
      expect([files[0]!.reason, ...(files[0]!.warnings ?? [])].join(' ')).toContain(says);
      await replace(receipt(91, of, day, 90));
      expect(await db.selectFrom('payments').selectAll().execute(), 'nor is one made beside it').toEqual([
        before,
      ]);
      await sound();
    },
  );
});
