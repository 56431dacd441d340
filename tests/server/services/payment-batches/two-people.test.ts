import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Actor } from '../../../../server/services/audit/audit.ts';
import { downloadFile, generateFileAndMarkSent } from '../../../../server/services/bank-files/files.ts';
import { updateInvoice } from '../../../../server/services/invoices/invoices.ts';
import { moveBatchBackOneStage, payBatch } from '../../../../server/services/payment-batches/paying.ts';
import { createBatch, updateBatch } from '../../../../server/services/payment-batches/payment-batches.ts';
import { getBatch } from '../../../../server/services/payment-batches/reading.ts';
import { markBatchSent, permitLine, signBatch } from '../../../../server/services/payment-batches/stages.ts';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { createAccount, updateAccount } from '../../../../server/services/supplier-accounts/accounts.ts';
import { updateUser } from '../../../../server/services/users/users.ts';
import { HOME_ZONE } from '../../../../shared/dates.ts';
import { DomainError } from '../../../../shared/errors.ts';
import { type BatchInput, type FullBatch, isHeldLine } from '../../../../shared/payment-batches.ts';
import { addAccount, clabeOf } from '../../../support/accounts.ts';
import { addBatch } from '../../../support/batches.ts';
import { findDatabaseProblems } from '../../../support/problems.ts';
import { chooseRunCount, describeEachInLongLane } from '../../../support/proofs.ts';
import { addActor, addFundingSource, addInvoice, addSupplier, TODAY } from '../../../support/rows.ts';

describeEachInLongLane('a batch that two people have to approve', (fresh) => {
  const three = async (): Promise<[Actor, Actor, Actor]> => [
    await addActor(fresh.db, { roles: [2] }),
    await addActor(fresh.db, { roles: [1] }),
    await addActor(fresh.db, { roles: [1, 2] }),
  ];

  const prepare = async (author: Actor) => {
    const invoices = [await addInvoice(fresh.db), await addInvoice(fresh.db), await addInvoice(fresh.db)];
    const lines = invoices.slice(0, 2).map((invoiceId) => ({ invoiceId, amountCents: 50_000 }));
    const origenderecursoId = await addFundingSource(fresh.db);
    const comments = 'La del\nviernes';
    const batch = await createBatch(fresh.db, author, { fecha: TODAY, origenderecursoId, comments, lines });
    return { batch, lines, third: { invoiceId: invoices[2]!, amountCents: 70_000 } };
  };

  it('is signed by nobody who has put an invoice or an amount into it, whoever saved it last', async () => {
    const [ana, luis, eva] = await three();
    const { batch, lines, third } = await prepare(ana);
    const save = (who: Actor, draft: BatchInput) => updateBatch(fresh.db, who, batch.id, draft);
    await save(luis, { lines: [...lines, third] });
    // Then two saves that change no amounts: remarks only, and nothing.
    await save(eva, { comments: 'otra' });
    await save(ana, {});
    const own = signBatch(fresh.db, luis, batch.id);
    await expect(own).rejects.toMatchObject({
      code: 'same_author',
      message: 'La autoriza otra persona: ni quien la hizo ni quien le ha puesto una factura o un importe.',
    });
    expect((await signBatch(fresh.db, eva, batch.id)).estado).toBe('autorizada');
  });

  it.each<[string, (batch: FullBatch, third: { invoiceId: number }, source: number) => BatchInput]>([
    ['an amount', ({ lines }) => ({ lines: [{ ...lines[0]!, amountCents: 1 }, lines[1]!] })],
    ['its invoices, adding one', ({ lines }, third) => ({ lines: [...lines, third] })],
    ['its invoices, removing one', ({ lines }) => ({ lines: lines.slice(1) })],
    ['one of its invoices', ({ lines }, third) => ({ lines: [lines[0]!, third] })],
    ['its day', () => ({ fecha: '2026-11-27' })],
    ['its source', (_batch, _third, origenderecursoId) => ({ origenderecursoId })],
  ])('is signed by somebody else than whoever has changed %s', async (_what, change) => {
    const [ana, luis, eva] = await three();
    const { batch, third } = await prepare(ana);
    await signBatch(fresh.db, luis, batch.id);
    const draft = change(batch, third, await addFundingSource(fresh.db));
    const changed = await updateBatch(fresh.db, luis, batch.id, draft);
    expect(changed).toMatchObject({ estado: 'borrador', signatures: [], editor: luis.username });
    // A later change by somebody else does not remove his authorship.
    await updateBatch(fresh.db, ana, batch.id, { fecha: '2026-11-30' });
    for (const one of [ana, luis])
      await expect(signBatch(fresh.db, one, batch.id)).rejects.toMatchObject({ code: 'same_author' });
    await signBatch(fresh.db, eva, batch.id);
  });

  it('stays signed if a save changes nothing, and is signed again if it changes a remark', async () => {
    const [ana, luis, eva] = await three();
    const { batch, lines } = await prepare(ana);
    const signed = await signBatch(fresh.db, luis, batch.id);
    const entries = async () =>
      (await fresh.db.selectFrom('audit').select('id').where('entity', '=', 'payment-batches').execute())
        .length;
    const before = await entries();
    const { fecha, origenderecursoId, comments } = batch;
    for (const draft of [
      {},
      { lines: lines.toReversed() },
      { fecha, origenderecursoId, comments, lines },
      { comments },
    ])
      expect(await updateBatch(fresh.db, eva, batch.id, draft)).toEqual(signed);
    expect(await getBatch(fresh.db, batch.id)).toEqual(signed);
    expect(await entries()).toBe(before);

    const remarked = await updateBatch(fresh.db, luis, batch.id, { comments: 'otra' });
    expect(remarked).toMatchObject({
      estado: 'borrador',
      signatures: [],
      editor: ana.username,
      comments: 'otra',
      version: signed.version + 1,
    });
    expect(remarked.lines.map(({ invoiceId }) => invoiceId)).toEqual(
      signed.lines.map(({ invoiceId }) => invoiceId),
    );
    expect((await signBatch(fresh.db, luis, batch.id)).estado).toBe('autorizada');
  });

  it('remembers who set an amount, even if its signature was withdrawn and others have changed it since', async () => {
    const [ana, luis, eva] = await three();
    const { batch, lines, third } = await prepare(eva);
    await updateBatch(fresh.db, ana, batch.id, { lines: [{ ...lines[0]!, amountCents: 60_000 }, lines[1]!] });
    await signBatch(fresh.db, luis, batch.id);
    await moveBatchBackOneStage(fresh.db, luis, batch.id);
    const { lines: stored } = await getBatch(fresh.db, batch.id);
    await updateBatch(fresh.db, eva, batch.id, { lines: [...stored, third] });
    await expect(signBatch(fresh.db, ana, batch.id)).rejects.toMatchObject({ code: 'same_author' });
    expect((await signBatch(fresh.db, luis, batch.id)).estado).toBe('autorizada');
  });

  it('has no line permitted by one of its authors', async () => {
    const [ana, luis, eva] = await three();
    await changeSetting(fresh.db, await addActor(fresh.db), 'semaforo.xml', 'impedir');
    const { batch, lines } = await prepare(ana);
    await updateBatch(fresh.db, luis, batch.id, { lines: lines.slice(1) });
    await updateBatch(fresh.db, ana, batch.id, { fecha: '2026-11-27' });
    const { invoiceId } = lines[1]!;
    const permit = (who: Actor) => permitLine(fresh.db, who, batch.id, { invoiceId, reason: 'urge' });
    await expect(permit(luis)).rejects.toMatchObject({ code: 'same_author' });
    expect((await permit(eva)).lines[0]!.permit).toMatchObject({ username: eva.username });
  });

  it("needs another signature if a signer's account was deactivated", async () => {
    const administrator = await addActor(fresh.db);
    const [ana, luis, eva] = await three();
    const deactivate = (who: Actor, active = false) =>
      updateUser(fresh.db, administrator, who.userId, { active });
    await changeSetting(fresh.db, administrator, 'autorizacion.limite', '$100');
    const { batch } = await prepare(ana);
    const fourth = await addActor(fresh.db, { roles: [2] });
    await signBatch(fresh.db, luis, batch.id);
    await deactivate(luis);
    expect((await signBatch(fresh.db, eva, batch.id)).estado).toBe('borrador');
    expect((await signBatch(fresh.db, fourth, batch.id)).estado).toBe('autorizada');
    await deactivate(eva);
    const gone = { code: 'unsigned', message: expect.stringContaining('Vuélvela a borrador') };
    await expect(markBatchSent(fresh.db, fourth, batch.id)).rejects.toMatchObject(gone);
    await expect(payBatch(fresh.db, fourth, batch.id)).rejects.toMatchObject(gone);
    await expect(
      generateFileAndMarkSent(fresh.db, fourth, batch.id, { layout: 'csv' }),
    ).rejects.toMatchObject(gone);
    await deactivate(eva, true);
    expect((await markBatchSent(fresh.db, fourth, batch.id)).estado).toBe('enviada');
    await deactivate(eva);
    await expect(payBatch(fresh.db, fourth, batch.id)).rejects.toMatchObject(gone);
  });

  it('needs another signature if a signer may no longer sign', async () => {
    const administrator = await addActor(fresh.db);
    const [ana, luis, eva] = await three();
    const { batch } = await prepare(ana);
    await signBatch(fresh.db, luis, batch.id);
    await updateUser(fresh.db, administrator, luis.userId, { roles: [4] });
    await expect(markBatchSent(fresh.db, eva, batch.id)).rejects.toMatchObject({ code: 'unsigned' });
    await updateUser(fresh.db, administrator, luis.userId, { roles: [4, 1] });
    expect((await markBatchSent(fresh.db, eva, batch.id)).estado).toBe('enviada');
    await updateUser(fresh.db, administrator, luis.userId, { roles: [3] });
    await expect(payBatch(fresh.db, eva, batch.id)).rejects.toMatchObject({ code: 'unsigned' });
  });

  it('needs another person if its author signed it while the settings allowed that', async () => {
    const administrator = await addActor(fresh.db);
    const [ana, luis] = await three();
    await changeSetting(fresh.db, administrator, 'autorizacion', 'misma');
    const { batch } = await prepare(ana);
    expect((await signBatch(fresh.db, ana, batch.id)).estado).toBe('autorizada');
    await changeSetting(fresh.db, administrator, 'autorizacion', 'otra');
    await expect(payBatch(fresh.db, luis, batch.id)).rejects.toMatchObject({ code: 'unsigned' });
    await moveBatchBackOneStage(fresh.db, luis, batch.id);
    await signBatch(fresh.db, luis, batch.id);
    expect((await payBatch(fresh.db, luis, batch.id)).payments).toHaveLength(2);
  });

  it('is checked again when it is sent', async () => {
    const [ana, luis] = await three();
    const { batch, lines } = await prepare(ana);
    await signBatch(fresh.db, luis, batch.id);
    const { invoiceId } = lines[0]!;
    await updateInvoice(fresh.db, ana, invoiceId, { supplierId: await addSupplier(fresh.db) });
    const sent = await markBatchSent(fresh.db, luis, batch.id);
    const held = sent.lines.filter(isHeldLine);
    expect(held.map((line) => [line.invoiceId, line.verdict.step])).toEqual([[invoiceId, 'enviar']]);
  });

  it('is in no file that is handed out after its signature stopped counting', async () => {
    const author = await addActor(fresh.db, { roles: [6], today: '2026-11-02' });
    const [, luis, eva] = await three();
    const { supplierId } = await addAccount(fresh.db, { author });
    const { id } = await addBatch(fresh.db, {
      author,
      approver: luis,
      estado: 'autorizada',
      invoiceIds: [await addInvoice(fresh.db, { supplierId })],
    });
    const { file } = await generateFileAndMarkSent(fresh.db, luis, id, { layout: 'csv' });
    await updateUser(fresh.db, await addActor(fresh.db), luis.userId, { active: false });
    const download = () => downloadFile(fresh.db, eva, { batchId: id, fileId: file.id }, HOME_ZONE);
    await expect(download()).rejects.toMatchObject({ code: 'unsigned' });
    await moveBatchBackOneStage(fresh.db, { ...eva, motivo: 'Luis ya no está' }, id);
    await signBatch(fresh.db, eva, id);
    expect((await download()).filename).toBe(file.filename);
  });

  it('is not signed if it changes at that moment', async () => {
    const other = fresh.database.openAgain().db;
    const [ana, luis] = await three();
    for (let round = 0; round < 10; round++) {
      const { batch, lines } = await prepare(ana);
      const { id, version } = batch;
      await Promise.allSettled([
        updateBatch(other, ana, id, { lines: [{ ...lines[0]!, amountCents: 1 }, lines[1]!] }),
        signBatch(fresh.db, luis, id, version),
      ]);
      const { estado, signatures, totalCents } = await getBatch(fresh.db, id);
      expect([totalCents, estado, signatures]).toEqual([50_001, 'borrador', []]);
    }
  });

  const allowRefused = (error: unknown) => {
    if (!(error instanceof DomainError)) throw error;
  };

  it('never depends on one person alone, whatever three people do with it', {
    timeout: 300_000,
  }, async () => {
    const { db } = fresh;
    const author = await addActor(db, { roles: [3, 6], today: '2026-11-02' });
    await changeSetting(db, author, 'semaforo.xml', 'ignorar');
    const people = await three();
    const origenderecursoId = await addFundingSource(db);
    const { supplierId } = await addAccount(db, { author });
    const does = fc.constantFrom(
      ...(['put', 'put', 'put', 'put', 'sign', 'sign', 'sign', 'sign'] as const),
      ...(['take out', 'remark', 'save nothing', 'return', 'file', 'pay'] as const),
    );
    const step = fc.record({ does, by: fc.nat(2), at: fc.nat(2), cents: fc.integer({ min: 1, max: 9 }) });
    await fc.assert(
      fc.asyncProperty(fc.nat(2), fc.array(step, { minLength: 20, maxLength: 40 }), async (first, steps) => {
        const invoices: number[] = [];
        for (let n = 0; n < 3; n++) invoices.push(await addInvoice(db, { supplierId }));
        const maker = people[first]!;
        const [invoiceId] = invoices;
        const draft = {
          fecha: TODAY,
          origenderecursoId,
          lines: [{ invoiceId: invoiceId!, amountCents: 50 }],
        };
        const { id } = await createBatch(db, maker, draft);
        /** who stated each current amount, and everybody who ever stated one */
        const owners = new Map([[invoiceId!, maker.userId]]);
        const editors = new Set([maker.userId]);
        const expectTwoPeople = ({ lines, signatures }: FullBatch) => {
          const signed = signatures.map(({ userId }) => userId);
          for (const line of lines)
            expect(new Set([owners.get(line.invoiceId), ...signed]).size).toBeGreaterThan(1);
        };
        const take = async ({ does, at, cents, by }: (typeof steps)[number]) => {
          const who = people[by]!;
          const { userId } = who;
          const before = await getBatch(db, id);
          const chosen = invoices[at]!;
          const others = before.lines.filter((line) => line.invoiceId !== chosen);
          if (does === 'put') {
            const lines = [...others, { invoiceId: chosen, amountCents: cents }];
            const { version } = await updateBatch(db, who, id, { lines });
            if (version === before.version) return;
            owners.set(chosen, userId);
            editors.add(userId);
          } else if (does === 'take out') {
            await updateBatch(db, who, id, { lines: others });
            if (others.length < before.lines.length) editors.add(userId);
          } else if (does === 'remark') await updateBatch(db, who, id, { comments: `${cents}` });
          else if (does === 'save nothing')
            expect(await updateBatch(db, who, id, {}).catch(() => before)).toEqual(before);
          else if (does === 'return') await moveBatchBackOneStage(db, who, id);
          else if (does === 'pay') expectTwoPeople((await payBatch(db, who, id)).batch);
          else if (does === 'file')
            expectTwoPeople((await generateFileAndMarkSent(db, who, id, { layout: 'csv' })).batch);
          else {
            const signed = await signBatch(db, who, id).catch((error: DomainError) => {
              if (error.code === 'same_author') expect(editors).toContain(userId);
              throw error;
            });
            expect(editors).not.toContain(userId);
            expectTwoPeople(signed);
          }
        };
        for (const one of steps) await take(one).catch(allowRefused);
      }),
      { numRuns: chooseRunCount(6, 60, 400) },
    );
    expect(await findDatabaseProblems(db)).toEqual([]);
  });

  /** A text of an account, who typed it, and who confirmed it without withdrawing that. */
  interface Typed {
    text: string;
    by: number;
    confirmed: Set<number>;
  }

  it('never goes to an account that one person alone controls, whatever three people do with it', {
    timeout: 300_000,
  }, async () => {
    const { db } = fresh;
    await addActor(db);
    const people = await three();
    const does = fc.constantFrom(
      ...(['clabe', 'titular', 'clabe', 'titular', 'trust', 'trust', 'trust', 'trust', 'revoke'] as const),
    );
    const step = fc.record({ does, by: fc.nat(2), text: fc.integer({ min: 1, max: 9 }) });
    await fc.assert(
      fc.asyncProperty(fc.nat(2), fc.array(step, { minLength: 20, maxLength: 40 }), async (first, steps) => {
        const supplierId = await addSupplier(db);
        const captor = people[first]!;
        const draft = { clabe: clabeOf('072', 1), titular: '1' };
        let { account } = await createAccount(db, captor, supplierId, draft);
        const typedBy = (text: string, { userId }: Actor): Typed => ({
          text,
          by: userId,
          confirmed: new Set(),
        });
        const texts = { clabe: typedBy(draft.clabe, captor), titular: typedBy(draft.titular, captor) };
        /** who typed since the last confirmation that was not withdrawn, and who before it */
        const typists = new Set<number>();
        const formerly = new Set<number>();
        const take = async ({ does, by, text: number }: (typeof steps)[number]) => {
          const who = people[by]!;
          const { userId } = who;
          const wasTrusted = account.trustedBy !== null;
          const change = (values: Parameters<typeof updateAccount>[3]) =>
            updateAccount(db, who, { supplierId, id: account.id }, values);
          if (does === 'clabe' || does === 'titular') {
            const text = does === 'clabe' ? clabeOf('072', number) : `${number}`;
            account = (await change({ [does]: text })).account;
            if (text === texts[does].text) return;
            texts[does] = typedBy(text, who);
            if (wasTrusted) {
              for (const one of typists) formerly.add(one);
              typists.clear();
            }
            typists.add(userId);
            return;
          }
          const isTrusted = does === 'trust';
          account = await change({ trusted: isTrusted }).then(
            (saved) => saved.account,
            (error: DomainError) => {
              if (error.code === 'same_person') expect([captor.userId, ...typists]).toContain(userId);
              throw error;
            },
          );
          if (wasTrusted === isTrusted) return;
          if (!isTrusted) for (const one of formerly) typists.add(one);
          for (const one of Object.values(texts)) {
            if (isTrusted) one.confirmed.add(userId);
            else one.confirmed.clear();
            if (isTrusted) expect(new Set([one.by, ...one.confirmed]).size).toBeGreaterThan(1);
          }
          if (isTrusted) expect([captor.userId, ...typists]).not.toContain(userId);
        };
        for (const one of steps) await take(one).catch(allowRefused);
      }),
      { numRuns: chooseRunCount(6, 60, 400), examples: [[0, TAKEN_BACK]] },
    );
    expect(await findDatabaseProblems(db)).toEqual([]);
  });

  /** A second confirmation is withdrawn; then the user who typed what the first one confirmed tries to confirm. */
  const TAKEN_BACK = (
    [
      ['clabe', 2],
      ['trust', 1],
      ['titular', 0],
      ['trust', 1],
      ['revoke', 0],
      ['trust', 2],
    ] as const
  ).map(([does, by]) => ({ does, by, text: 2 }));
});
