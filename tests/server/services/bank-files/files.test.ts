import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { BUILT_IN_LAYOUTS, layoutText } from '../../../../server/formats/bank-files/layout.ts';
import type { Actor } from '../../../../server/services/audit/audit.ts';
import {
  downloadFile,
  makeFile,
  offeredFiles,
  outdatedFiles,
} from '../../../../server/services/bank-files/files.ts';
import { resetLayout, saveLayout } from '../../../../server/services/bank-files/layouts.ts';
import { updateRow } from '../../../../server/services/catalogs/catalogs.ts';
import { checkDatabase } from '../../../../server/services/database/check.ts';
import { payBatch, returnBatch } from '../../../../server/services/payment-batches/paying.ts';
import { getBatch } from '../../../../server/services/payment-batches/reading.ts';
import { authorizeBatch } from '../../../../server/services/payment-batches/stages.ts';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { updateAccount } from '../../../../server/services/supplier-accounts/accounts.ts';
import { fundingSources } from '../../../../shared/catalogs/funding-sources.ts';
import { HOME_ZONE } from '../../../../shared/dates.ts';
import { addAccount, clabeOf } from '../../../support/accounts.ts';
import { addBatch } from '../../../support/batches.ts';
import { describeEachDatabase } from '../../../support/databases.ts';
import { addActor, addFundingSource, addInvoice, addSupplier } from '../../../support/rows.ts';

const EARLIER = '2026-11-13';

describeEachDatabase('files for the bank', (fresh) => {
  /** A batch of BBVA's that pays two suppliers at BBVA and elsewhere, and one whose account nobody knows. */
  const prepare = async (estado: 'autorizada' | 'borrador' = 'autorizada') => {
    const { db } = fresh;
    const administrator = await addActor(db);
    await changeSetting(db, administrator, 'semaforo.xml', 'ignorar');
    const author = await addActor(db, { roles: [6] });
    const approver = await addActor(db, { roles: [1] });
    const origenderecursoId = await addFundingSource(db);
    const clabe = clabeOf('012', 464305124);
    await updateRow(db, administrator, fundingSources, origenderecursoId, { clabe });
    const before = { ...author, today: EARLIER };
    const supplierOf = async (suppliername: string, bank?: string) => {
      const supplierId = await addSupplier(db, { suppliername });
      if (bank)
        await addAccount(db, {
          supplierId,
          author: before,
          clabe: clabeOf(bank, 100),
          titular: suppliername,
        });
      return supplierId;
    };
    const [own, other, none] = [
      await supplierOf('Aceros', '012'),
      await supplierOf('Bloques', '072'),
      await supplierOf('Cementos'),
    ];
    const invoiceIds = [
      await addInvoice(db, { supplierId: own, numfactura: 'A-1' }),
      await addInvoice(db, { supplierId: own, numfactura: 'A-2', subtotalCents: 200_000 }),
      await addInvoice(db, { supplierId: other, numfactura: 'B-1' }),
      await addInvoice(db, { supplierId: none, numfactura: 'C-1' }),
    ];
    const batch = await addBatch(db, { author, approver, estado, invoiceIds, origenderecursoId });
    return { administrator, author, approver, batch, own, other, none };
  };

  const download = (who: Actor, batchId: number, fileId: number, again?: boolean) =>
    downloadFile(fresh.db, who, { batchId, fileId, again }, HOME_ZONE);

  it('ask for one transfer to each supplier, the same bytes as long as nothing changes', async () => {
    const { batch, approver, author, none } = await prepare();
    const { id } = batch;
    const { offered, withoutAccount } = await offeredFiles(fresh.db, batch);
    expect(
      offered.map(({ layout, transfers, totalCents }) => [layout.plantilla, transfers, totalCents]),
    ).toEqual([
      ['bbva-mismo-banco', 1, 348_000],
      ['bbva-spei', 1, 116_000],
      ['csv', 2, 464_000],
    ]);
    expect(withoutAccount).toMatchObject([{ supplierId: none, amountCents: 116_000 }]);
    await expect(makeFile(fresh.db, author, id, { layout: 'csv' })).rejects.toMatchObject({
      kind: 'forbidden',
    });

    const { file, batch: sent } = await makeFile(fresh.db, approver, id, { layout: 'bbva-mismo-banco' });
    expect(sent.estado).toBe('enviada');
    expect(file).toMatchObject({
      transfers: 1,
      totalCents: 348_000,
      filename: `programacion-${id}-bbva-mismo-banco.txt`,
    });
    const { bytes } = await download(approver, id, file.id);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(file.sha256);
    expect(Buffer.from(bytes).toString()).toBe(
      `000000000000000100000000000464305124MXP0000000003480.00${'PAGO A1 A2'.padEnd(30)}\r\n`,
    );
    const again = await makeFile(fresh.db, approver, id, { layout: 'bbva-mismo-banco' });
    expect([again.file.id, again.batch.files]).toEqual([file.id, [expect.objectContaining({ id: file.id })]]);
    const other = await makeFile(fresh.db, approver, id, { layout: 'bbva-spei' });
    expect(other.batch.files).toHaveLength(2);
    expect([...(await outdatedFiles(fresh.db, other.batch))]).toEqual([]);
    expect([again.warnings, other.warnings]).toEqual([[], []]);
    // The same transfers in a file of another layout would be paid twice.
    const { warnings, file: csv } = await makeFile(fresh.db, approver, id, { layout: 'csv' });
    expect(warnings).toEqual([
      `programacion-${id}-bbva-mismo-banco.txt pide también la transferencia a Aceros: manda al banco solo uno de los dos.`,
      `programacion-${id}-bbva-spei.txt pide también la transferencia a Bloques: manda al banco solo uno de los dos.`,
    ]);
    expect(await checkDatabase(fresh.db)).toMatchObject({ ok: true });
    const { db } = fresh;
    await db.deleteFrom('payment_batch_downloads').execute();
    await db.deleteFrom('payment_batch_files').where('id', '<>', csv.id).execute();
    await db.updateTable('payment_batch_files').set({ totalCents: 99_999_999 }).execute();
    const { checks } = await checkDatabase(db);
    const [problem] = checks.find(({ name }) => name === 'batch-files')!.problems;
    expect(problem).toMatchObject({ id: csv.id, problem: expect.stringContaining('$999,999.99') });
  });

  it('send the batch in the name of who makes the first; another one is of what is sent', async () => {
    const { batch, approver } = await prepare();
    const second = await addActor(fresh.db, { roles: [2] });
    const make = async (by: Actor, layout: string) =>
      (await makeFile(fresh.db, by, batch.id, { layout })).batch;
    const sent = { estado: 'enviada', sentBy: approver.userId };
    expect(await make(approver, 'bbva-spei')).toMatchObject(sent);
    expect(await make(second, 'csv')).toMatchObject(sent);
  });

  it('are handed out once; the second time asks for it, and each is in the audit trail', async () => {
    const { batch, approver } = await prepare();
    const { file } = await makeFile(fresh.db, approver, batch.id, { layout: 'bbva-spei' });
    await download(approver, batch.id, file.id);
    await expect(download(approver, batch.id, file.id)).rejects.toMatchObject({
      code: 'already_downloaded',
      message: expect.stringContaining(`Ya lo descargó ${approver.username}`),
    });
    await download(approver, batch.id, file.id, true);
    expect((await getBatch(fresh.db, batch.id)).files[0]?.downloads).toHaveLength(2);
    const entries = await fresh.db
      .selectFrom('audit')
      .select('after')
      .where('entity', '=', 'payment-batches')
      .orderBy('id')
      .execute();
    const told = entries.map(({ after }) => JSON.parse(after!).files as string[]).slice(-3);
    expect(told).toEqual([0, 1, 2].map((n) => [`${file.filename} ${file.sha256} (${n})`]));
  });

  it('are out of date once batch, accounts or layout have changed, and handed out no more', async () => {
    const { batch, approver, administrator, own } = await prepare();
    const { id } = batch;
    const { file } = await makeFile(fresh.db, approver, id, { layout: 'bbva-mismo-banco' });
    const outdated = async () => [...(await outdatedFiles(fresh.db, await getBatch(fresh.db, id)))];
    const text = layoutText(BUILT_IN_LAYOUTS[0]!);
    await saveLayout(fresh.db, administrator, text.replace('"MXP"', '"MXN"'));
    expect(await outdated()).toEqual([file.id]);
    await resetLayout(fresh.db, administrator, 'bbva-mismo-banco');
    expect(await outdated()).toEqual([]);
    await expect(resetLayout(fresh.db, administrator, 'bbva-mismo-banco')).rejects.toMatchObject({
      kind: 'not-found',
    });

    const account = await fresh.db
      .selectFrom('supplier_accounts')
      .select('id')
      .where('supplierId', '=', own)
      .executeTakeFirstOrThrow();
    const place = { supplierId: own, id: account.id };
    await updateAccount(fresh.db, administrator, place, { trusted: false });
    expect(await outdated()).toEqual([file.id]);
    await expect(download(approver, id, file.id)).rejects.toMatchObject({ code: 'file_outdated' });
    // Nobody trusts it, so nothing goes there; and the check holds its lines.
    await expect(makeFile(fresh.db, approver, id, { layout: 'bbva-mismo-banco' })).rejects.toMatchObject({
      code: 'nothing_to_send',
    });
    await updateAccount(fresh.db, administrator, place, { trusted: true });
    await returnBatch(fresh.db, { ...administrator, motivo: 'Cambió la cuenta' }, id);
    await expect(download(approver, id, file.id)).rejects.toMatchObject({ code: 'batch_state' });
    await authorizeBatch(fresh.db, approver, id);
    await download(approver, id, file.id);
    await payBatch(fresh.db, approver, id);
    expect(await outdated()).toEqual([]);
  });

  it('leave out what is held, and are for batches that were signed and sources whose account is known', async () => {
    const { batch, approver, other, administrator } = await prepare('borrador');
    const { id } = batch;
    const make = (layout: string) => makeFile(fresh.db, approver, id, { layout });
    await expect(make('csv')).rejects.toMatchObject({ code: 'batch_state' });
    await authorizeBatch(fresh.db, approver, id);
    await expect(make('nadie')).rejects.toMatchObject({ kind: 'not-found' });
    await expect(make('banorte')).rejects.toMatchObject({ code: 'nothing_to_send' });
    await fresh.db.updateTable('suppliers').set({ rfc: 'MALO' }).where('id', '=', other).execute();
    await changeSetting(fresh.db, administrator, 'semaforo.rfc', 'impedir');
    const { file, batch: sent } = await make('csv');
    expect([file.transfers, file.totalCents]).toEqual([1, 348_000]);
    const held = sent.lines.find(({ supplierId }) => supplierId === other)!;
    expect(held.verdict).toMatchObject({ step: 'enviar', findings: [{ code: 'rfc_mal_formado' }] });
    await updateRow(fresh.db, administrator, fundingSources, sent.origenderecursoId, { clabe: '' });
    expect((await offeredFiles(fresh.db, sent)).offered.map(({ layout }) => layout.plantilla)).toEqual([
      'csv',
    ]);
  });
});
