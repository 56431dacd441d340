import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { BUILT_IN_LAYOUTS, formatLayout } from '../../../../server/formats/bank-files/layout.ts';
import type { Actor } from '../../../../server/services/audit/audit.ts';
import { describeEntry } from '../../../../server/services/audit/entry-descriptions.ts';
import { searchAudit } from '../../../../server/services/audit/reading.ts';
import {
  downloadFile,
  findOutdatedFiles,
  generateFileAndMarkSent,
  readOfferedLayouts,
} from '../../../../server/services/bank-files/files.ts';
import {
  confirmLayout,
  getLayout,
  resetLayout,
  saveLayout,
} from '../../../../server/services/bank-files/layouts.ts';
import { updateRow } from '../../../../server/services/catalogs/row-changes.ts';
import { checkDatabase } from '../../../../server/services/database/check.ts';
import { moveBatchBackOneStage, payBatch } from '../../../../server/services/payment-batches/paying.ts';
import { getBatch } from '../../../../server/services/payment-batches/reading.ts';
import { signBatch } from '../../../../server/services/payment-batches/stages.ts';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { updateAccount } from '../../../../server/services/supplier-accounts/accounts.ts';
import { fundingSources } from '../../../../shared/catalogs/funding-sources.ts';
import { HOME_ZONE } from '../../../../shared/dates.ts';
import { addAccount, clabeOf } from '../../../support/accounts.ts';
import { addBatch } from '../../../support/batches.ts';
import { describeEachInLongLane } from '../../../support/proofs.ts';
import { addActor, addFundingSource, addInvoice, addSupplier } from '../../../support/rows.ts';
import { readRow, readRows } from '../../../support/stored.ts';

const EARLIER = '2026-11-13';

describeEachInLongLane('bank files', (fresh) => {
  /** A batch from a BBVA account: a supplier at BBVA, one at another bank, and one without a known account. */
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
    downloadFile(fresh.db, who, { batchId, fileId, allowsSecondDownload: again }, HOME_ZONE);

  /** The version that a confirming user sees. */
  const versionOf = async (code: string) => (await getLayout(fresh.db, code)).customization!.version;
  const confirm = async (code: string, who: Actor) =>
    confirmLayout(fresh.db, who, { code, version: await versionOf(code) });

  it('request one transfer for each supplier, with the same bytes as long as nothing changes', async () => {
    const { batch, approver, author, none } = await prepare();
    const { id } = batch;
    const { offered, withoutAccount } = await readOfferedLayouts(fresh.db, batch);
    expect(
      offered.map(({ layout, transfers, totalCents }) => [layout.plantilla, transfers, totalCents]),
    ).toEqual([
      ['bbva-mismo-banco', 1, 348_000],
      ['bbva-spei', 1, 116_000],
      ['csv', 2, 464_000],
    ]);
    expect(withoutAccount).toMatchObject([{ supplierId: none, amountCents: 116_000 }]);
    await expect(generateFileAndMarkSent(fresh.db, author, id, { layout: 'csv' })).rejects.toMatchObject({
      kind: 'forbidden',
    });

    const { file, batch: sent } = await generateFileAndMarkSent(fresh.db, approver, id, {
      layout: 'bbva-mismo-banco',
    });
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
    const again = await generateFileAndMarkSent(fresh.db, approver, id, { layout: 'bbva-mismo-banco' });
    expect([again.file.id, again.batch.files]).toEqual([file.id, [expect.objectContaining({ id: file.id })]]);
    const other = await generateFileAndMarkSent(fresh.db, approver, id, { layout: 'bbva-spei' });
    expect(other.batch.files).toHaveLength(2);
    expect([...(await findOutdatedFiles(fresh.db, other.batch))]).toEqual([]);
    expect([again.warnings, other.warnings]).toEqual([[], []]);
    // Files of two layouts with the same transfers would pay twice.
    const { warnings, file: csv } = await generateFileAndMarkSent(fresh.db, approver, id, { layout: 'csv' });
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

  it('send the batch in the name of whoever makes the first; another file is of what was sent', async () => {
    const { batch, approver } = await prepare();
    const second = await addActor(fresh.db, { roles: [2] });
    const make = async (by: Actor, layout: string) =>
      (await generateFileAndMarkSent(fresh.db, by, batch.id, { layout })).batch;
    const sent = { estado: 'enviada', sentBy: approver.userId };
    expect(await make(approver, 'bbva-spei')).toMatchObject(sent);
    expect(await make(second, 'csv')).toMatchObject(sent);
  });

  it('are handed out once; the second time needs a confirmation, and each is in the audit trail', async () => {
    const { batch, approver } = await prepare();
    const { file } = await generateFileAndMarkSent(fresh.db, approver, batch.id, { layout: 'bbva-spei' });
    await download(approver, batch.id, file.id);
    await expect(download(approver, batch.id, file.id)).rejects.toMatchObject({
      code: 'already_downloaded',
      message: expect.stringContaining(`Ya lo descargó ${approver.username}`),
    });
    await download(approver, batch.id, file.id, true);
    expect((await getBatch(fresh.db, batch.id)).files[0]?.downloads).toHaveLength(2);
    const entries = await readRows(fresh.db, 'audit', { entity: 'payment-batches' }, ['after']);
    const recorded = entries.map(({ after }) => JSON.parse(after!).files as string[]).slice(-3);
    expect(recorded).toEqual([0, 1, 2].map((n) => [`${file.filename} ${file.sha256} (${n})`]));
  });

  it('are outdated after a change to batch, accounts or layout, and no longer handed out', async () => {
    const { batch, approver, administrator, own } = await prepare();
    const { id } = batch;
    const { file } = await generateFileAndMarkSent(fresh.db, approver, id, { layout: 'bbva-mismo-banco' });
    const outdated = async () => [...(await findOutdatedFiles(fresh.db, await getBatch(fresh.db, id)))];
    const text = formatLayout(BUILT_IN_LAYOUTS[0]!);
    await saveLayout(fresh.db, administrator, text.replace('"MXP"', '"MXN"'));
    expect(await outdated()).toEqual([file.id]);
    await confirm('bbva-mismo-banco', approver);
    expect(await outdated()).toEqual([file.id]);
    await resetLayout(fresh.db, administrator, 'bbva-mismo-banco');
    expect(await outdated()).toEqual([]);
    await expect(resetLayout(fresh.db, administrator, 'bbva-mismo-banco')).rejects.toMatchObject({
      kind: 'not-found',
    });

    const account = await readRow(fresh.db, 'supplier_accounts', { supplierId: own }, ['id']);
    const place = { supplierId: own, id: account.id };
    await updateAccount(fresh.db, administrator, place, { trusted: false });
    expect(await outdated()).toEqual([file.id]);
    await expect(download(approver, id, file.id)).rejects.toMatchObject({ code: 'file_outdated' });
    // The account is not confirmed, so it gets no transfer, and the check holds its lines.
    await expect(
      generateFileAndMarkSent(fresh.db, approver, id, { layout: 'bbva-mismo-banco' }),
    ).rejects.toMatchObject({
      code: 'nothing_to_send',
    });
    await updateAccount(fresh.db, administrator, place, { trusted: true });
    await moveBatchBackOneStage(fresh.db, { ...administrator, motivo: 'Cambió la cuenta' }, id);
    await expect(download(approver, id, file.id)).rejects.toMatchObject({ code: 'batch_state' });
    await signBatch(fresh.db, approver, id);
    await download(approver, id, file.id);
    await payBatch(fresh.db, approver, id);
    expect(await outdated()).toEqual([]);
  });

  it('are not called outdated because the database fails', async () => {
    const { batch, approver } = await prepare();
    await generateFileAndMarkSent(fresh.db, approver, batch.id, { layout: 'bbva-spei' });
    const failing = fresh.db.withPlugin({
      transformQuery({ node }) {
        if (JSON.stringify(node).includes('"supplier_accounts"')) throw new Error('no answer');
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    await expect(findOutdatedFiles(failing, await getBatch(fresh.db, batch.id))).rejects.toThrow('no answer');
  });

  it('need a confirmation also for a transfer that the bank may have from a layout that has changed since', async () => {
    const { batch, approver, administrator } = await prepare();
    const { id } = batch;
    const make = async (layout: string) =>
      (await generateFileAndMarkSent(fresh.db, approver, id, { layout })).warnings;
    const { file } = await generateFileAndMarkSent(fresh.db, approver, id, { layout: 'bbva-mismo-banco' });
    const text = formatLayout(BUILT_IN_LAYOUTS[0]!);
    const change = async (currency: string) => {
      await saveLayout(fresh.db, administrator, text.replace('"MXP"', currency));
      await confirm('bbva-mismo-banco', approver);
    };
    await change('"MXN"');
    // The file was never downloaded, and can no longer be.
    expect([await make('csv'), await make('bbva-mismo-banco')]).toEqual([
      [],
      [expect.stringContaining('csv')],
    ]);
    await resetLayout(fresh.db, administrator, 'bbva-mismo-banco');
    await download(approver, id, file.id);
    await change('"USD"');
    const both = `${file.filename} pide también la transferencia a Aceros: manda al banco solo uno de los dos.`;
    expect(await make('csv')).toEqual([both]);
    expect(await make('bbva-mismo-banco')).toEqual([both, expect.stringMatching(/csv.*Aceros/)]);
  });

  it('leave out held lines, and exist only for signed batches and sources with a known account', async () => {
    const { batch, approver, other, administrator } = await prepare('borrador');
    const { id } = batch;
    const make = (layout: string) => generateFileAndMarkSent(fresh.db, approver, id, { layout });
    await expect(make('csv')).rejects.toMatchObject({ code: 'batch_state' });
    await signBatch(fresh.db, approver, id);
    await expect(make('nadie')).rejects.toMatchObject({ kind: 'not-found' });
    await expect(make('banorte')).rejects.toMatchObject({ code: 'nothing_to_send' });
    await fresh.db.updateTable('suppliers').set({ rfc: 'MALO' }).where('id', '=', other).execute();
    await changeSetting(fresh.db, administrator, 'semaforo.rfc', 'impedir');
    const { file, batch: sent } = await make('csv');
    expect([file.transfers, file.totalCents]).toEqual([1, 348_000]);
    const held = sent.lines.find(({ supplierId }) => supplierId === other)!;
    expect(held.verdict).toMatchObject({ step: 'enviar', findings: [{ code: 'rfc_mal_formado' }] });
    await updateRow(fresh.db, administrator, fundingSources, sent.origenderecursoId, { clabe: '' });
    expect((await readOfferedLayouts(fresh.db, sent)).offered.map(({ layout }) => layout.plantilla)).toEqual([
      'csv',
    ]);
  });

  const SPEI = BUILT_IN_LAYOUTS.find(({ plantilla }) => plantilla === 'bbva-spei')!;
  const changedText = formatLayout(SPEI).replace('"MXP"', '"MXN"');
  /** Changes one field so that a bank would misread it. */
  const spoiledText = (origen: string, change: object) =>
    formatLayout({
      ...BUILT_IN_LAYOUTS[0]!,
      campos: BUILT_IN_LAYOUTS[0]!.campos.map((field) =>
        field.origen.startsWith(origen) ? { ...field, ...change } : field,
      ),
    });

  it('are written with a changed layout after another user has confirmed it, and name it', async () => {
    const { batch, approver, administrator } = await prepare();
    const { db } = fresh;
    const make = () => generateFileAndMarkSent(db, approver, batch.id, { layout: 'bbva-spei' });
    const offered = async () =>
      (await readOfferedLayouts(db, batch)).offered.map(({ layout }) => layout.plantilla);
    await saveLayout(db, administrator, changedText);
    await expect(make()).rejects.toMatchObject({ code: 'layout_waits' });
    expect(await offered()).not.toContain('bbva-spei');
    expect((await readOfferedLayouts(db, batch)).waiting.map(({ layout }) => layout.plantilla)).toEqual([
      'bbva-spei',
    ]);
    // An administrator may confirm layouts, but not their own.
    await expect(confirm('bbva-spei', administrator)).rejects.toMatchObject({ code: 'same_layout_author' });
    for (const roles of [[3], [4], [6]])
      await expect(confirm('bbva-spei', await addActor(db, { roles }))).rejects.toMatchObject({
        kind: 'forbidden',
      });
    const code = 'bbva-spei';
    await expect(confirmLayout(db, approver, { code, version: undefined })).rejects.toMatchObject({
      kind: 'invalid',
      fields: { version: expect.any(String) },
    });
    expect(await offered()).not.toContain(code);
    await confirm(code, approver);
    expect(await offered()).toContain(code);
    const { file } = await make();
    const { sha256 } = await getLayout(db, code);
    expect(sha256).toBe(createHash('sha256').update(changedText).digest('hex'));
    expect(file).toMatchObject({
      layoutSha256: sha256,
      layoutAuthor: administrator.username,
      layoutConfirmer: approver.username,
    });
    expect(Buffer.from((await download(approver, batch.id, file.id)).bytes).toString()).toContain('MXN');
    // Saving the same layout changes nothing, so it stays confirmed.
    await saveLayout(db, administrator, changedText);
    expect(await offered()).toContain(code);
    const { file: csv } = await generateFileAndMarkSent(db, approver, batch.id, { layout: 'csv' });
    expect(csv).toMatchObject({
      layoutSha256: (await getLayout(db, 'csv')).sha256,
      layoutAuthor: null,
      layoutConfirmer: null,
    });
    expect(await checkDatabase(db)).toMatchObject({ ok: true });
    // Other rows are fixtures without audit entries, so only settings are compared.
    const { checks } = await checkDatabase(db, { deep: true });
    const problems = checks.flatMap((check) => check.problems.map(({ problem }) => problem));
    expect(problems.filter((problem) => /ajuste|plantilla/.test(problem))).toEqual([]);
  });

  it('name the text of the layout even if another text gives the same bytes, and the trail records it', async () => {
    const { batch, approver, administrator } = await prepare();
    const { db } = fresh;
    const make = () => generateFileAndMarkSent(db, approver, batch.id, { layout: 'bbva-spei' });
    const first = await make();
    await saveLayout(db, administrator, formatLayout({ ...SPEI, nombre: 'Otro nombre' }));
    await confirm('bbva-spei', approver);
    const { file, batch: after, isExisting } = await make();
    expect([isExisting, file.id, file.sha256]).toEqual([true, first.file.id, first.file.sha256]);
    expect(file).toMatchObject({
      layoutSha256: (await getLayout(db, 'bbva-spei')).sha256,
      layoutAuthor: administrator.username,
      layoutConfirmer: approver.username,
    });
    expect((await make()).batch.version).toBe(after.version);
    const { checks } = await checkDatabase(db, { deep: true });
    const problems = checks.flatMap((check) =>
      check.problems.filter(({ entity }) => entity === 'payment-batches'),
    );
    expect(problems).toEqual([]);
  });

  it('use a layout only if somebody who has not changed it confirmed the version that was shown', async () => {
    const { approver, administrator } = await prepare();
    const { db } = fresh;
    const second = await addActor(db, { roles: [1, 3] });
    const code = 'bbva-spei';
    await saveLayout(db, administrator, changedText);
    const seen = await versionOf(code);
    await saveLayout(db, second, changedText.replace('"H"', '"M"'));
    for (const author of [administrator, second])
      await expect(confirm(code, author)).rejects.toMatchObject({ code: 'same_layout_author' });
    await expect(confirmLayout(db, approver, { code, version: seen })).rejects.toMatchObject({
      kind: 'stale',
    });
    // A layout that was reset and saved again has a new version.
    const last = await versionOf(code);
    await resetLayout(db, administrator, code);
    await saveLayout(db, administrator, changedText.replace('"40"', '"41"'));
    for (const version of [seen, last])
      await expect(confirmLayout(db, approver, { code, version })).rejects.toMatchObject({ kind: 'stale' });
    const unread = confirmLayout(db, approver, { code, version: undefined });
    await expect(unread).rejects.toMatchObject({ fields: { version: expect.any(String) } });
    await confirm(code, approver);
    // After a confirmation, earlier authors may confirm later changes of others.
    await saveLayout(db, second, changedText);
    await confirm(code, administrator);
    expect((await getLayout(db, code)).customization?.confirmer).toBe(administrator.username);
  });

  it('are in the audit trail, with whoever changed and whoever confirmed the layout', async () => {
    const { approver, administrator } = await prepare();
    const { db } = fresh;
    await saveLayout(db, administrator, changedText);
    await confirm('bbva-spei', approver);
    await resetLayout(db, administrator, 'bbva-spei');
    const config = { timeZone: HOME_ZONE };
    const { rows: entries } = await searchAudit(
      db,
      { entity: 'settings', entityId: 'plantilla.bbva-spei', limit: 9 },
      config,
    );
    const recorded = entries.map((entry) => {
      const { text, changes } = describeEntry(entry);
      const { label, before, after } = changes[0]!;
      return [entry.username, text, label, before, after];
    });
    expect(recorded).toEqual([
      [
        administrator.username,
        'cambió la plantilla de banco bbva-spei',
        'Estado',
        'confirmada',
        'de fábrica',
      ],
      [approver.username, 'confirmó la plantilla de banco bbva-spei', 'Estado', 'espera', 'confirmada'],
      [administrator.username, 'cambió la plantilla de banco bbva-spei', 'Estado', 'de fábrica', 'espera'],
    ]);
  });

  it('have layouts that only administrators change, whichever way', async () => {
    const { approver } = await prepare();
    for (const who of [approver, await addActor(fresh.db, { roles: [2, 6] })]) {
      await expect(saveLayout(fresh.db, who, changedText)).rejects.toMatchObject({ kind: 'forbidden' });
      await expect(resetLayout(fresh.db, who, 'bbva-spei')).rejects.toMatchObject({ kind: 'forbidden' });
    }
  });

  it.each([
    ['ten times the amount', spoiledText('importe', { origen: 'importe.centavos', alinea: 'izquierda' })],
    ['another account', spoiledText('abono', { alinea: 'izquierda' })],
  ])(
    'are not written if a bank would read %s, even though two people accepted the layout',
    async (_, text) => {
      const { batch, approver, administrator } = await prepare();
      const { db } = fresh;
      await saveLayout(db, administrator, text);
      await confirm('bbva-mismo-banco', approver);
      const made = generateFileAndMarkSent(db, approver, batch.id, { layout: 'bbva-mismo-banco' });
      await expect(made).rejects.toMatchObject({ kind: 'invalid', code: 'bank_file_differs' });
      expect(await getBatch(db, batch.id)).toMatchObject({
        estado: 'autorizada',
        files: [],
        version: batch.version,
      });
      expect(await db.selectFrom('payment_batch_files').select('id').execute()).toEqual([]);
    },
  );

  it('are not written with an old layout that nobody has confirmed, nor with one that breaks today’s rules', async () => {
    const { batch, approver, administrator } = await prepare();
    const { db } = fresh;
    const campos = SPEI.campos.map((field) =>
      field.campo === 'abono'
        ? { campo: 'abono', origen: 'constante', valor: clabeOf('646', 1), ancho: 18 }
        : field,
    );
    const bad = [...campos, { campo: 'otra', origen: 'abono.banco', ancho: 3 }];
    const definition = formatLayout({ ...SPEI, campos: bad } as typeof SPEI);
    const stored = { definition, userId: administrator.userId, updatedAt: administrator.at, authors: '' };
    await db
      .insertInto('bank_layouts')
      .values({ code: 'bbva-spei', ...stored, confirmedBy: null, confirmedAt: null })
      .execute();
    const make = () => generateFileAndMarkSent(db, approver, batch.id, { layout: 'bbva-spei' });
    await expect(make()).rejects.toMatchObject({ code: 'layout_waits' });
    await expect(confirm('bbva-spei', approver)).rejects.toMatchObject({ code: 'bad_layout' });
    await expect(make()).rejects.toMatchObject({ code: 'layout_waits' });
    await resetLayout(db, administrator, 'bbva-spei');
    expect((await make()).file.transfers).toBe(1);
  });
});
