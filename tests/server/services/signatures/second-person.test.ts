import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../../../db/open.ts';
import { BUILT_IN_LAYOUTS, formatLayout } from '../../../../server/formats/bank-files/layout.ts';
import type { Actor } from '../../../../server/services/audit/audit.ts';
import { describeEntry } from '../../../../server/services/audit/entry-descriptions.ts';
import { searchAudit } from '../../../../server/services/audit/reading.ts';
import { confirmLayout, getLayout, saveLayout } from '../../../../server/services/bank-files/layouts.ts';
import { checkDatabase } from '../../../../server/services/database/check.ts';
import { readNotices } from '../../../../server/services/notices/notices.ts';
import { readTasks } from '../../../../server/services/notices/tasks.ts';
import { payBatch } from '../../../../server/services/payment-batches/paying.ts';
import { updateBatch } from '../../../../server/services/payment-batches/payment-batches.ts';
import { getBatch } from '../../../../server/services/payment-batches/reading.ts';
import { permitLine, signBatch } from '../../../../server/services/payment-batches/stages.ts';
import {
  authorizeReplenishment,
  requestReplenishment,
} from '../../../../server/services/petty-cash/replenishing.ts';
import { getReplenishment } from '../../../../server/services/petty-cash/requests.ts';
import { changeSetting, readSettings } from '../../../../server/services/settings/settings.ts';
import { createAccount, updateAccount } from '../../../../server/services/supplier-accounts/accounts.ts';
import { getAccount, listAccounts } from '../../../../server/services/supplier-accounts/reading.ts';
import { findOrCreateCliUser } from '../../../../server/services/users/cli-user.ts';
import { changePassword, setTemporaryPassword } from '../../../../server/services/users/passwords.ts';
import { resetSecondFactor } from '../../../../server/services/users/second-factor.ts';
import { createUser, updateUser } from '../../../../server/services/users/users.ts';
import { addDays, HOME_ZONE } from '../../../../shared/dates.ts';
import { DomainError } from '../../../../shared/errors.ts';
import type { SignatureNote } from '../../../../shared/payment-batches.ts';
import { clabeOf } from '../../../support/accounts.ts';
import { createTestApp } from '../../../support/app.ts';
import { addBatch } from '../../../support/batches.ts';
import { runSaldo } from '../../../support/cli.ts';
import { useFreshDatabase } from '../../../support/databases.ts';
import { readPage } from '../../../support/page.ts';
import { timeLimitFactor } from '../../../support/patience.ts';
import { readPdf } from '../../../support/pdf.ts';
import { addFund } from '../../../support/petty-cash.ts';
import { chooseRunCount, describeEachInLongLane } from '../../../support/proofs.ts';
import { enableQuickHashes } from '../../../support/quick-crypto.ts';
import { recordQueries } from '../../../support/recording.ts';
import { addActor, addSupplier, addUser, createActor, DAY, NOW, TODAY } from '../../../support/rows.ts';

enableQuickHashes();

const PASSWORD = 'Xk7-torre-azul-93';

describeEachInLongLane('the second-person rule', (fresh) => {
  /** Returns the actor as of so many days after today. */
  const at = (who: Actor, days: number): Actor => ({
    ...who,
    at: new Date(Date.parse(NOW) + days * 86_400_000).toISOString(),
    today: addDays(TODAY, days),
  });

  interface Signed {
    entity: string;
    id: number | string;
    /** "esta programación", as the note calls it */
    thing: string;
    maker: string;
    /** its name in the notice */
    name: string;
    sign: (who: Actor) => Promise<unknown>;
    note: () => Promise<SignatureNote | null | undefined>;
  }

  let layouts = 0;
  /** by account */
  const suppliers = new Map<number | string, number>();

  /** Creates a document of each kind. */
  const KINDS: Record<string, (maker: Actor) => Promise<Signed>> = {
    async batch(author) {
      const { db } = fresh;
      const { id } = await addBatch(db, { author });
      return {
        ...{
          entity: 'payment-batches',
          id,
          thing: 'esta programación',
          maker: 'quien hizo esta programación',
        },
        name: `firmó la programación de pagos ${id}`,
        sign: (who) => signBatch(db, who, id),
        note: async () => (await getBatch(db, id)).signatures[0]?.note,
      };
    },
    async replenishment(maker) {
      const { db } = fresh;
      const fund = await addFund(db);
      const asked = { tipo: 'ajuste', importeCents: 50_000, concepto: 'Más fondo' } as const;
      const { replenishment } = await requestReplenishment(db, at(maker, 0), fund.id, asked);
      const { id } = replenishment;
      return {
        ...{ entity: 'petty-cash-replenishments', id, thing: 'este dinero' },
        maker: 'quien pidió o gastó este dinero',
        name: `firmó la solicitud de reposición ${id}`,
        sign: (who) => authorizeReplenishment(db, who, id),
        note: async () => (await getReplenishment(db, id)).note,
      };
    },
    async account(maker) {
      const { db } = fresh;
      const supplierId = await addSupplier(db);
      const draft = { clabe: clabeOf('032', supplierId), titular: 'Aceros SA' };
      const { account } = await createAccount(db, maker, supplierId, draft);
      suppliers.set(account.id, supplierId);
      return {
        ...{ entity: 'supplier-accounts', id: account.id, thing: 'esta cuenta' },
        maker: 'quien capturó o cambió esta cuenta',
        name: `firmó la cuenta bancaria ${draft.clabe} de ${account.suppliername}`,
        async sign(who) {
          const { id, version } = await getAccount(db, supplierId, account.id);
          return updateAccount(db, who, { supplierId, id, version }, { trusted: true });
        },
        note: async () => (await listAccounts(db, supplierId))[0]?.note,
      };
    },
    async template(maker) {
      const { db } = fresh;
      const code = `propia-${++layouts}`;
      const text = formatLayout({ ...BUILT_IN_LAYOUTS[0]!, plantilla: code });
      await saveLayout(db, { ...maker, roles: [...maker.roles, 3] }, text);
      return {
        ...{ entity: 'settings', id: `plantilla.${code}`, thing: 'esta plantilla' },
        maker: 'quien cambió esta plantilla',
        name: `confirmó la plantilla de banco ${code}`,
        sign: async (who) =>
          confirmLayout(db, who, { code, version: (await getLayout(db, code)).customization?.version }),
        note: async () => (await getLayout(db, code)).customization?.note,
      };
    },
  };
  const kinds = Object.keys(KINDS);

  let count = 0;
  const draftOf = (roles: number[] = [2]) => ({
    userfirstname: 'Contadora',
    userlastname: 'Nueva',
    username: `nueva.${++count}`,
    roles,
  });
  const asActor = ({ id, username }: { id: number; username: string }, roles = [2]): Actor =>
    createActor({ userId: id, username, roles, origin: 'api' });

  /** Acts that give access to another user's account, with the words of the note. */
  const ACTS: Record<string, (by: Actor) => Promise<{ controlled: Actor; says: (name: string) => string }>> =
    {
      async 'created the signer’s account'(by) {
        const user = await createUser(fresh.db, by, { ...draftOf(), password: PASSWORD });
        return { controlled: asActor(user), says: (name) => `La cuenta de ${name} la creó` };
      },
      async 'gave the signer’s account its role'(by) {
        const user = await addUser(fresh.db, { roles: [6] });
        await updateUser(fresh.db, by, user.id, { roles: [2, 6] });
        return { controlled: asActor(user), says: (name) => `A la cuenta de ${name} le dio un rol` };
      },
      async 'reset the signer’s password'(by) {
        const user = await addUser(fresh.db, { roles: [2] });
        await setTemporaryPassword(fresh.db, by, user.id, PASSWORD);
        return { controlled: asActor(user), says: (name) => `La contraseña de ${name} la restableció` };
      },
      async 'removed the signer’s second factor'(by) {
        const user = await addUser(fresh.db, { roles: [2] });
        const factor = { userId: user.id, secret: 'sellado', confirmed: 1, createdAt: NOW };
        await fresh.db
          .insertInto('second_factors')
          .values(factor as never)
          .execute();
        await resetSecondFactor(fresh.db, by, user.id);
        return { controlled: asActor(user), says: (name) => `El doble factor de ${name} lo quitó` };
      },
      async 'activated the signer’s account'(by) {
        const user = await addUser(fresh.db, { roles: [2], active: false });
        await updateUser(fresh.db, by, user.id, { active: true });
        return { controlled: asActor(user), says: (name) => `La cuenta de ${name} la activó` };
      },
    };

  const noticesFor = async (roles: number[], today = TODAY) =>
    (await readNotices(fresh.db, roles, await readSettings(fresh.db), { today, timeZone: HOME_ZONE }))
      .filter(({ key }) => key === 'firmas' || key === 'controles')
      .map(({ label }) => label);

  const trailOf = async ({ entity, id }: Signed) => {
    const asked = { entity: entity as 'settings', entityId: String(id), limit: 50 };
    return (await searchAudit(fresh.db, asked, { timeZone: HOME_ZONE })).rows.map(
      (entry) => describeEntry(entry).text,
    );
  };

  const cases = kinds.flatMap((kind) => Object.keys(ACTS).map((act) => [kind, act] as const));

  it.each(cases)(
    'marks the signature on a %s if the author %s, and tells all who may sign',
    async (kind, act) => {
      const { db } = fresh;
      const maker = await addActor(db);
      const { controlled, says } = await ACTS[act]!(at(maker, -2));
      const document = await KINDS[kind]!(maker);
      await changeSetting(db, at(maker, -3), 'autorizacion.espera', '3');
      await expect(document.sign(controlled)).rejects.toMatchObject({
        kind: 'conflict',
        code: 'same_author',
        message: `${says(controlled.username)} hace 2 días ${document.maker}. No puede firmar hasta que pasen 3 días: que firme otra persona.`,
      });
      expect(await noticesFor([1])).toEqual([]);
      expect((await document.note()) ?? null).toBeNull();

      await document.sign(at(controlled, 1));
      const text = `${says(controlled.username)} hace 3 días ${document.maker}.`;
      expect(await document.note()).toMatchObject({ at: at(controlled, 1).at, text, days: 3 });
      expect(await trailOf(document)).toContain(`${document.name}. ${text}`);
      for (const roles of [[1], [2], [3]]) {
        const notices = await noticesFor(roles, addDays(TODAY, 1));
        expect(notices).toEqual([
          expect.stringContaining(`${controlled.username} ${document.name}. ${text}`),
        ]);
        expect(await noticesFor(roles, addDays(TODAY, 8))).toEqual(notices);
        expect(await noticesFor(roles, addDays(TODAY, 9))).toEqual([]);
      }
      expect(await noticesFor([4, 5, 6], addDays(TODAY, 1))).toEqual([]);
    },
  );

  it.each(kinds)('does not mark the signature of an independent person on a %s', async (kind) => {
    const { db } = fresh;
    const [maker, administrator] = [await addActor(db), await addActor(db, { roles: [3] })];
    await changeSetting(db, at(maker, -60), 'autorizacion.espera', '30');
    const signers = {
      'of nobody': await addActor(db, { roles: [2] }),
      'made by somebody else': asActor(await createUser(db, at(administrator, -2), draftOf())),
      'made by Saldo itself': asActor(await createUser(db, createActor(), draftOf())),
      'made long ago': (await ACTS['created the signer’s account']!(at(maker, -31))).controlled,
      'of another name': await addActor(db, { roles: [2] }),
      'that lost a role': await addActor(db, { roles: [2, 5] }),
    };
    await updateUser(db, at(maker, -1), signers['of another name'].userId, { email: 'otro@saldo.test' });
    await updateUser(db, at(maker, -1), signers['that lost a role'].userId, { roles: [2] });
    for (const [which, signer] of Object.entries(signers)) {
      const document = await KINDS[kind]!(maker);
      await document.sign(signer);
      expect([which, await document.note()]).toEqual([which, null]);
    }
    expect(await noticesFor([1])).toEqual([]);
  });

  it('marks an account created by somebody whose account the author created', async () => {
    const { db } = fresh;
    const maker = await addActor(db);
    const { controlled: middle } = await ACTS['created the signer’s account']!(at(maker, -4));
    const { controlled } = await ACTS['reset the signer’s password']!(at({ ...middle, roles: [3] }, -2));
    const { note, sign } = await KINDS.batch!(maker);
    await sign(controlled);
    expect((await note())?.text).toBe(
      `La contraseña de ${controlled.username} la restableció hace 2 días ${middle.username}; La cuenta de ${middle.username} la creó hace 4 días quien hizo esta programación.`,
    );
    // Somebody who gets access to an account gets no access to accounts that it created before.
    const before = await addActor(db);
    const { controlled: free } = await ACTS['created the signer’s account']!(at(before, -5));
    await setTemporaryPassword(db, at(maker, -4), before.userId, PASSWORD);
    const other = await KINDS.batch!(maker);
    await other.sign(free);
    expect(await other.note()).toBeNull();
  });

  it('shows on top of a batch’s page, before it is signed, the note that a signature would get', async () => {
    const { db } = fresh;
    const maker = await addActor(db);
    const { controlled } = await ACTS['gave the signer’s account its role']!(at(maker, -2));
    const { id } = await addBatch(db, { author: maker });
    const tested = createTestApp({ db });
    const pageFor = async ({ userId, username }: Actor) => {
      const stored = { id: userId!, username, email: '', roles: [2] };
      return readPage((await tested.as(stored)).get(`/programaciones/${id}`));
    };
    const text = `A la cuenta de ${controlled.username} le dio un rol hace 2 días quien hizo esta programación.`;
    const before = await pageFor(controlled);
    expect(before.decodedHtml).toContain(`Si firmas, tu firma queda marcada: ${text}`);
    expect(before.decodedHtml.indexOf('otras manos')).toBeLessThan(before.decodedHtml.indexOf('Autorizar'));
    const free = await addActor(db, { roles: [2] });
    expect((await pageFor(free)).decodedHtml).not.toContain('otras manos');
    await signBatch(db, controlled, id);
    for (const viewer of [controlled, free]) {
      const { decodedHtml } = await pageFor(viewer);
      expect([decodedHtml.includes('Si firmas'), decodedHtml.includes(text)]).toEqual([false, true]);
    }
    expect((await readPage((await tested.as(2)).get('/programaciones'))).decodedHtml).toContain(
      'Firma por revisar',
    );
  });

  it("marks a signer who controlled the author's account, and a person who had both accounts", async () => {
    const { db } = fresh;
    const chief = await addActor(db);
    const { controlled: author } = await ACTS['created the signer’s account']!(at(chief, -1));
    await changeSetting(db, at(chief, -60), 'autorizacion.espera', '30');
    const mine = await KINDS.batch!(author);
    await mine.sign(chief);
    const half = `La cuenta de ${author.username}, detrás de esta programación, la creó hace 1 día`;
    expect(await mine.note()).toMatchObject({ text: `${half} quien firma.`, days: null });
    const { controlled } = await ACTS['reset the signer’s password']!(at(chief, -2));
    const both = await KINDS.batch!(author);
    await both.sign(controlled);
    expect((await both.note())?.text).toBe(
      `La contraseña de ${controlled.username} la restableció hace 2 días ${chief.username}; ${half} ${chief.username}.`,
    );
  });

  it('marks, without a waiting time, what an unknown person did on the command line', async () => {
    const { db } = fresh;
    const maker = await addActor(db);
    await changeSetting(db, at(maker, -60), 'autorizacion.espera', '30');
    const operator = {
      username: 'cli',
      origin: 'cli',
      osUser: 'root',
      roles: [],
      userId: await findOrCreateCliUser(db, NOW),
    } as const;
    const other = await addActor(db, { roles: [3] });
    for (const by of [createActor(operator), { ...other, origin: 'cli', osUser: 'root' } as Actor]) {
      const { controlled, says } = await ACTS['reset the signer’s password']!(at(by, -2));
      const document = await KINDS.account!(maker);
      await document.sign(controlled);
      const text = `${says(controlled.username)} hace 2 días alguien en la línea de comandos (root).`;
      expect(await document.note()).toMatchObject({ text, days: null });
    }
  });

  it('is not satisfied by a new own password, nor by a role that is removed and given again', async () => {
    const { db } = fresh;
    const [maker, other] = [await addActor(db), await addActor(db, { roles: [3] })];
    const { controlled } = await ACTS['reset the signer’s password']!(at(maker, -9));
    await changePassword(db, at(controlled, -8), { current: PASSWORD, next: `${PASSWORD}-mía`, address: '' });
    const { controlled: given } = await ACTS['gave the signer’s account its role']!(at(maker, -9));
    await updateUser(db, at(other, -8), given.userId, { roles: [6] });
    await updateUser(db, at(other, -7), given.userId, { roles: [2] });
    for (const one of [controlled, given]) {
      const { sign, note } = await KINDS.batch!(maker);
      await sign(one);
      expect((await note())?.text).toContain('hace 9 días quien hizo esta programación.');
    }
  });

  it('lets no held line pass with a marked signature, and ignores it once the firm requires waiting', async () => {
    const { db } = fresh;
    const maker = await addActor(db);
    await changeSetting(db, at(maker, -60), 'semaforo.xml', 'impedir');
    const { controlled } = await ACTS['created the signer’s account']!(at(maker, -2));
    const { id, lines } = await addBatch(db, { author: maker });
    const { invoiceId } = lines[0]!;
    await permitLine(db, controlled, id, { invoiceId, reason: 'urge' });
    expect(await noticesFor([1])).toHaveLength(1);
    await signBatch(db, at(controlled, 0.1), id);
    await changeSetting(db, maker, 'autorizacion.espera', '5');
    await expect(payBatch(db, maker, id)).rejects.toMatchObject({ code: 'unsigned' });
    const next = await addBatch(db, { author: maker });
    const held = { invoiceId: next.lines[0]!.invoiceId, reason: 'urge' };
    await expect(permitLine(db, controlled, next.id, held)).rejects.toMatchObject({ code: 'same_author' });
  });

  it.each<[key: string, weaker: string, back: string]>([
    ['autorizacion', 'misma', 'otra'],
    ['autorizacion.espera', '0', '5'],
  ])('applies as it did when the document began, whatever becomes of %s', async (key, weaker, back) => {
    const { db } = fresh;
    const maker = await addActor(db);
    await changeSetting(db, at(maker, -60), 'autorizacion.espera', '5');
    const { controlled } = await ACTS['created the signer’s account']!(at(maker, -2));
    const signer = key === 'autorizacion' ? maker : controlled;
    for (const kind of key === 'autorizacion' ? ['batch', 'replenishment'] : kinds) {
      const began = await KINDS[kind]!(maker);
      await changeSetting(db, maker, key, weaker);
      await expect(began.sign(signer)).rejects.toMatchObject({ code: 'same_author' });
      if (kind === 'batch' && key === 'autorizacion')
        expect(await readTasks(db, maker, await readSettings(db), DAY)).toEqual([]);
      await changeSetting(db, maker, key, back);
      await expect(began.sign(signer)).rejects.toMatchObject({ code: 'same_author' });
      await changeSetting(db, maker, key, weaker);
      if (kind !== 'replenishment' || key !== 'autorizacion') await (await KINDS[kind]!(maker)).sign(signer);
      await changeSetting(db, maker, key, back);
    }
    const labels = await noticesFor([2]);
    const bell = labels.filter((label) => label.includes(`${maker.username} cambió`));
    expect(bell.length).toBeGreaterThan(0);
    expect(bell[0]).toMatch(/^Fri, 20 Nov 2026 12:00: .*: .* → .*$/);
  });

  it.each([
    ['autorizacion.limite', '$1,000', '', true],
    ['autorizacion.limite', '$1,000', '$2,000', true],
    ['autorizacion.limite', '$1,000', '$500', false],
    ['semaforo.xml', 'impedir', 'avisar', true],
    ['semaforo.rfc', 'avisar', 'ignorar', true],
    ['semaforo.rep', 'avisar', 'impedir', false],
    ['cuenta.espera', '3', '2', true],
    ['cuenta.espera', '2', '10', false],
    ['presupuesto', 'impedir', 'avisar', true],
    ['semanas', '12', '2', false],
    ['diascredito', '30', '0', false],
  ])('tells approvers who changed %s from %s to %s, if that is weaker', async (key, from, to, isWeaker) => {
    const { db } = fresh;
    const chief = await addActor(db);
    await changeSetting(db, at(chief, -60), key, from);
    await changeSetting(db, chief, key, to);
    expect(await noticesFor([2])).toHaveLength(isWeaker ? 1 : 0);
  });

  it('keeps two required signatures and stricter checks for batches that began under them', async () => {
    const { db } = fresh;
    const [maker, one, two] = [await addActor(db), await addActor(db), await addActor(db)];
    await changeSetting(db, maker, 'autorizacion.limite', '$1');
    await changeSetting(db, maker, 'semaforo.xml', 'impedir');
    const { id } = await addBatch(db, { author: maker });
    for (const [key, value] of [
      ['autorizacion.limite', ''],
      ['semaforo.xml', 'ignorar'],
    ] as const)
      await changeSetting(db, maker, key, value);
    const first = await signBatch(db, one, id);
    expect(first).toMatchObject({
      estado: 'borrador',
      lines: [{ verdict: { findings: [{ code: 'xml_faltante' }] } }],
    });
    expect((await signBatch(db, two, id)).estado).toBe('autorizada');
    expect((await addBatch(db, { author: maker, approver: one, estado: 'autorizada' })).lines).toMatchObject([
      { verdict: { findings: [] } },
    ]);
  });

  it('applies at every way in: pages, API and command line', async () => {
    const { db } = fresh;
    const maker = await addActor(db);
    const { controlled } = await ACTS['gave the signer’s account its role']!(at(maker, -2));
    const tested = createTestApp({ db });
    const stored = { id: controlled.userId, username: controlled.username, email: '', roles: [2] };
    const api = await tested.withToken(stored);
    const page = await tested.as(stored);
    const batch = await addBatch(db, { author: maker });
    await changeSetting(db, at(maker, -60), 'autorizacion.espera', '3');
    const message = `A la cuenta de ${controlled.username} le dio un rol hace 2 días quien hizo esta programación. No puede firmar hasta que pasen 3 días: que firme otra persona.`;
    const refused = await api.post(`/api/programaciones/${batch.id}/autorizar`, { version: batch.version });
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({ code: 'same_author', message });
    const before = await (await page.get(`/programaciones/${batch.id}`)).text();
    expect(before).toContain(message);
    expect(before).not.toContain(`/programaciones/${batch.id}/autorizar`);
    const settings = await readSettings(db);
    const [today, tomorrow] = [new Date(maker.at), new Date(Date.parse(maker.at) + 86_400_000)];
    const request = await KINDS.replenishment!(maker);
    expect(await readTasks(db, controlled, settings, DAY, today)).toEqual([]);
    expect(before).not.toContain('Autorizar la programación');
    expect((await readTasks(db, controlled, settings, DAY, tomorrow)).map(({ kind }) => kind).sort()).toEqual(
      ['aumento', 'programacion'],
    );
    await expect(request.sign(controlled)).rejects.toMatchObject({ code: 'same_author' });
    const layout = await KINDS.template!(maker);
    const code = String(layout.id).slice('plantilla.'.length);
    const version = String((await getLayout(db, code)).customization?.version);
    const confirm = ['layouts', 'confirm', code, version];
    const onTerminal = await runSaldo(fresh, confirm, { ...controlled, origin: 'cli', osUser: 'root' });
    expect([onTerminal.code, onTerminal.log]).toEqual([
      1,
      expect.stringContaining('quien cambió esta plantilla'),
    ]);

    const later = await addBatch(db, { author: maker });
    tested.clock.advance({ days: 1 });
    const nextDay = await tested.withToken(stored);
    const signed = await nextDay.post(`/api/programaciones/${later.id}/autorizar`, {
      version: later.version,
    });
    const text = `A la cuenta de ${controlled.username} le dio un rol hace 3 días quien hizo esta programación.`;
    expect(await signed.json()).toMatchObject({ firmas: [{ userId: controlled.userId, aviso: text }] });
    const again = await tested.as(stored);
    const shown = await (await again.get(`/programaciones/${later.id}`)).text();
    expect(shown).toContain(`Firmada el sábado 21 de noviembre de 2026. ${text}`);
    for (const path of ['/notificaciones', '/notificaciones/campana'])
      expect(await (await (await tested.as([1])).get(path)).text()).toContain(text);
    const sheet = await (await again.get(`/programaciones/${later.id}/export.csv`)).text();
    expect(sheet).not.toContain('Firmada');
    const paper = await readPdf(await again.get(`/programaciones/${later.id}/export.pdf`));
    expect(paper.pages.flatMap(({ texts }) => texts).join(' ')).toContain(
      'le dio un rol hace 3 días quien hizo',
    );
    const places = {
      replenishment: ({ id }: Signed) => `/caja-chica/reposiciones/${id}`,
      account: ({ id }: Signed) => `/editsupplierpage/${suppliers.get(id)}`,
      template: ({ id }: Signed) => `/programaciones/plantillas/${String(id).slice('plantilla.'.length)}`,
    };
    for (const [kind, placeOf] of Object.entries(places)) {
      const document = await KINDS[kind]!(maker);
      await document.sign(at(controlled, 1));
      const place = placeOf(document);
      expect([kind, await (await again.get(place)).text()]).toEqual([
        kind,
        expect.stringContaining(`le dio un rol hace 3 días ${document.maker}`),
      ]);
    }
  });

  it('leaves an audit trail that agrees with the rows', async () => {
    const { db } = fresh;
    const maker = await addActor(db);
    for (const make of Object.values(KINDS)) {
      const { controlled } = await ACTS['created the signer’s account']!(at(maker, -2));
      await (await make(maker)).sign(controlled);
    }
    const { checks } = await checkDatabase(db, { deep: true });
    const problems = checks
      .flatMap((check) => check.problems)
      .filter(({ entity }) =>
        ['payment-batches', 'petty-cash-replenishments', 'supplier-accounts', 'settings', 'audit'].includes(
          entity,
        ),
      );
    expect(problems).toEqual([]);
  });

  const step = fc.oneof(
    fc.record({ act: fc.constantFrom(...Object.keys(ACTS)), by: fc.nat(5), days: fc.nat(40) }),
    fc.record({ edit: fc.nat(5), days: fc.nat(40) }),
    fc.record({ weaken: fc.boolean(), days: fc.nat(40) }),
  );

  it('is never satisfied, unmarked and unannounced, by an account that the author controls', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 7 }), fc.nat(5), async (steps, who) => {
        const { db } = fresh;
        const first = await addActor(db);
        const people = [first];
        const { id, version: _, lines } = await addBatch(db, { author: first });
        const behind = new Set([first.userId]);
        let edits = 0;
        /** who had access to whose account, and how many days before the signature */
        const held: { owner: number; by: number; days: number }[] = [];
        for (const one of steps.toSorted((a, b) => b.days - a.days)) {
          if ('act' in one) {
            const by = people[one.by % people.length]!;
            const { controlled } = await ACTS[one.act]!(at({ ...by, roles: [3] }, -one.days));
            people.push(controlled);
            held.push({ owner: controlled.userId, by: by.userId, days: one.days });
          } else if ('edit' in one) {
            const by = people[one.edit % people.length]!;
            // An edit has to change something.
            edits += 1;
            await updateBatch(db, by, id, { lines: [{ ...lines[0]!, amountCents: 1000 + edits }] });
            behind.add(by.userId);
          } else await changeSetting(db, first, 'autorizacion', one.weaken ? 'misma' : 'otra');
        }
        const signer = people[who % people.length]!;
        const ofControlledAccounts = new Set([signer.userId]);
        for (const { owner, by, days } of held.toReversed())
          if (ofControlledAccounts.has(owner) && days <= 30) ofControlledAccounts.add(by);
        const controls = [...behind].some((one) => ofControlledAccounts.has(one));
        try {
          const batch = await signBatch(db, signer, id);
          expect(behind.has(signer.userId)).toBe(false);
          const note = batch.signatures[0]!.note;
          if (controls) {
            expect(note?.days).not.toBeNull();
            expect((await noticesFor([1])).some((label) => label.includes(note!.text))).toBe(true);
          } else expect(note?.days ?? null).toBeNull();
        } catch (error) {
          if (!(error instanceof DomainError)) throw error;
          expect([error.code, behind.has(signer.userId)]).toEqual(['same_author', true]);
        } finally {
          await changeSetting(db, first, 'autorizacion', 'otra');
        }
      }),
      { numRuns: chooseRunCount(8, 150) },
    );
  });
});

describe('what is read from the audit trail for a signature and for the bell', () => {
  const fresh = useFreshDatabase('sqlite');

  it('is found by an index among a hundred thousand entries', async () => {
    const maker = await addActor(fresh.db);
    const by = { ...maker, at: '2026-11-18T18:00:00.000Z' };
    const made = await createUser(fresh.db, by, { userfirstname: 'Ana', userlastname: 'Ruiz', roles: [2] });
    const batch = await addBatch(fresh.db, { author: maker });
    await sql`insert into audit (id, at, "userId", username, origin, action, entity, "entityId", "prevHash", hash)
      with recursive n (i) as (select 1 union all select i + 1 from n where i < 100000)
      select 1000 + i, strftime('%Y-%m-%dT%H:%M:%fZ', '2026-11-20', '-' || (100000 - i) || ' minutes'), ${maker.userId},
        'ana', 'page', 'create', 'invoices', i, '', '' from n`.execute(fresh.db);
    await sql`update audit_tail set "lastId" = 101000`.execute(fresh.db);
    await sql`analyze`.execute(fresh.db);
    const reopened = openDatabase(fresh.database.url, { root: '/', createIfMissing: false });
    onTestFinished(() => reopened.close());
    const { db, queries } = recordQueries(reopened.db);
    const signer = {
      ...createActor({ userId: made.id, username: made.username, roles: [2] }),
      origin: 'api',
    } as const;
    const signed = await signBatch(db, signer, batch.id);
    expect(signed.signatures[0]?.note?.text).toContain('hace 2 días quien hizo esta programación');
    const began = performance.now();
    const notices = await readNotices(db, [2], await readSettings(db), { today: TODAY, timeZone: HOME_ZONE });
    expect(notices.map(({ key }) => key)).toContain('firmas');
    expect(performance.now() - began).toBeLessThan(1000 * timeLimitFactor());
    const asked = queries.filter(
      ({ sql: text }) => /from "?audit"?|join audit/.test(text) && /^select/i.test(text.trim()),
    );
    expect(asked.length).toBeGreaterThan(4);
    for (const query of asked) {
      const explained = { ...query, sql: `explain query plan ${query.sql}` };
      const plan = (await reopened.db.executeQuery<{ detail: string }>(explained)).rows.map(
        ({ detail }) => detail,
      );
      expect(plan.filter((detail) => /^SCAN (audit|a)\b/.test(detail))).toEqual([]);
    }
  });
});
