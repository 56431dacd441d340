import { beforeEach, expect, it } from 'vitest';
import type { Db } from '../../../../db/schema.ts';
import type { MailAccount } from '../../../../server/formats/mail-account.ts';
import { deliverDueMails, retryMail } from '../../../../server/services/mails/delivering.ts';
import { mailTexts } from '../../../../server/services/mails/mail.ts';
import { getMail } from '../../../../server/services/mails/reading.ts';
import { plainDateIn } from '../../../../shared/dates.ts';
import { createMailAccount } from '../../../support/mail-account.ts';
import {
  answerUntilFinalDot,
  type ReceivedMail,
  startMailServer,
  startScriptedServer,
} from '../../../support/mail-server.ts';
import { addMail } from '../../../support/mails.ts';
import { describeEachInLongLane } from '../../../support/proofs.ts';
import { listDifferencesFromTrail } from '../../../support/replay.ts';
import { addActor, addSupplier, createActor, DAY, NOW } from '../../../support/rows.ts';

const MINUTE = 60_000;
let minutes = 0;
beforeEach(() => {
  minutes = 0;
});
const now = () => new Date(Date.parse(NOW) + minutes * MINUTE);
const actorAt = (at: Date) => createActor({ at: at.toISOString(), today: plainDateIn(at, DAY.timeZone) });

const deliver = (
  db: Db,
  account: MailAccount,
  { signal = new AbortController().signal, limits = { untilTextMs: 5000, afterTextMs: 5000 } } = {},
) => deliverDueMails(db, account, { now, actorAt, signal, limits });

async function queueStatements(db: Db, count = 1): Promise<number[]> {
  const by = await addActor(db, { roles: [2] });
  const ids: number[] = [];
  for (let index = 0; index < count; index++) {
    const supplierId = await addSupplier(db, { suppliercontactemail: `cobranza${index}@proveedor.mx` });
    ids.push(await addMail(db, { supplierId, by }));
  }
  return ids;
}

const files = (db: Db) => db.selectFrom('files').select('sha256').execute();

describeEachInLongLane('the outbox', (fresh) => {
  it('sends a letter with its PDF once, and keeps the document no longer', async () => {
    const { db } = fresh;
    const { account, received } = await startMailServer();
    const [id] = await queueStatements(db);
    await deliver(db, account);
    await deliver(db, account);
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({ from: 'pagos@constructora.mx', to: ['cobranza0@proveedor.mx'] });
    const { source } = received[0]!;
    expect(source).toMatch(/^To: cobranza0@proveedor\.mx\r$/m);
    expect(source).toMatch(/^Message-ID: <saldo-[\da-f-]{36}@constructora\.mx>\r$/m);
    const pdf = /Content-Type: application\/pdf.*?\r\n\r\n([\w+/=\r\n]+)/s.exec(source)![1]!;
    expect(Buffer.from(pdf, 'base64').subarray(0, 5).toString()).toBe('%PDF-');
    expect(await getMail(db, id!)).toMatchObject({
      estado: 'enviado',
      intentos: 1,
      proximo: null,
      respuesta: expect.stringMatching(/^250 /),
    });
    expect(await files(db)).toEqual([]);
    expect((await listDifferencesFromTrail(db)).filter((row) => row.startsWith('mails'))).toEqual([]);
  });

  it('retries a temporarily refused mail five times in a day, and shows the server’s answer', async () => {
    const { db } = fresh;
    const { account, received } = await startMailServer({ refuse: () => 451 });
    const [id] = await queueStatements(db);
    const waits = [];
    for (let tries = 1; tries <= 5; tries++) {
      await deliver(db, account);
      const { estado, intentos, proximo, respuesta } = await getMail(db, id!);
      expect({ estado, intentos, respuesta }).toEqual({
        estado: tries < 5 ? 'espera' : 'fallo',
        intentos: tries,
        respuesta: '451 no hoy',
      });
      const wait = proximo ? (Date.parse(proximo) - now().getTime()) / MINUTE : 0;
      waits.push(wait);
      minutes += wait - 1;
      if (proximo) await deliver(db, account); // not yet due
      minutes += 1;
    }
    expect(waits).toEqual([5, 55, 300, 1080, 0]);
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBe(24 * 60);
    await retryMail(db, createActor({ at: now().toISOString() }), id!);
    await deliver(db, account);
    expect(await getMail(db, id!)).toMatchObject({ estado: 'fallo', intentos: 6 });
    expect(received).toEqual([]);
    expect(await files(db)).toHaveLength(1);
  });

  it('gives up a permanently refused mail at once, and sends it if a user asks again', async () => {
    const { db } = fresh;
    let code: number | undefined = 554;
    const { account, received } = await startMailServer({ refuse: () => code });
    const [id] = await queueStatements(db);
    await deliver(db, account);
    expect(await getMail(db, id!)).toMatchObject({ estado: 'fallo', intentos: 1, proximo: null });
    minutes = 24 * 60;
    await deliver(db, account);
    code = undefined;
    await deliver(db, account);
    expect(received).toEqual([]);
    await retryMail(db, createActor({ at: now().toISOString() }), id!);
    await deliver(db, account);
    expect(received).toHaveLength(1);
    await expect(retryMail(db, createActor(), id!)).rejects.toMatchObject({ code: 'mail_sent' });
  });

  it('distinguishes permanently and temporarily refused recipients', async () => {
    const { db } = fresh;
    const ids = await queueStatements(db, 2);
    const { account } = await startMailServer({
      onRcptTo({ address }, _session, callback) {
        const responseCode = address.startsWith('cobranza0') ? 550 : 450;
        callback(Object.assign(new Error('buzón'), { responseCode }));
      },
    });
    await deliver(db, account);
    const [gone, full] = await Promise.all(ids.map((id) => getMail(db, id)));
    expect(gone).toMatchObject({ estado: 'fallo', respuesta: '550 buzón' });
    expect(full).toMatchObject({ estado: 'espera', respuesta: '450 buzón' });
  });

  it('does not resend a mail automatically if the connection broke after its last byte', async () => {
    const { db } = fresh;
    const [id] = await queueStatements(db);
    const account = await startScriptedServer(answerUntilFinalDot((socket) => socket.destroy()));
    await deliver(db, account);
    expect(await getMail(db, id!)).toMatchObject({ estado: 'fallo', respuesta: mailTexts.unknown });
    minutes = 24 * 60;
    const { account: sound, received } = await startMailServer();
    await deliver(db, sound);
    expect(received).toEqual([]);
  });

  it.each([
    ['before its greeting', (socket: { destroy(): void }) => void socket.destroy()],
    [
      'with a greeting of another protocol',
      (socket: { write(text: string): void }) => void socket.write('HTTP/1.1 400\r\n'),
    ],
  ])('tries again a server that ends %s', async (_, greet) => {
    const { db } = fresh;
    const [id] = await queueStatements(db);
    await deliver(db, await startScriptedServer((socket, line) => line === undefined && greet(socket)));
    expect(await getMail(db, id!)).toMatchObject({ estado: 'espera', intentos: 1 });
  });

  it('waits only so long for a server that never answers, before the text and after it', async () => {
    const { db } = fresh;
    const [id] = await queueStatements(db);
    await deliver(db, await startScriptedServer(() => {}), {
      limits: { untilTextMs: 150, afterTextMs: 5000 },
    });
    expect(await getMail(db, id!)).toMatchObject({
      estado: 'espera',
      respuesta: 'No se pudo hablar con el servidor de correo (no contestó a tiempo).',
    });
    minutes = 5;
    await deliver(db, await startScriptedServer(answerUntilFinalDot(() => {})), {
      limits: { untilTextMs: 5000, afterTextMs: 150 },
    });
    expect(await getMail(db, id!)).toMatchObject({ estado: 'fallo', respuesta: mailTexts.unknown });
  });

  it('says that nobody listens there', async () => {
    const { db } = fresh;
    const [id] = await queueStatements(db);
    await deliver(db, createMailAccount(1));
    expect(await getMail(db, id!)).toMatchObject({
      estado: 'espera',
      respuesta: 'No se pudo hablar con el servidor de correo (ECONNREFUSED).',
    });
  });

  it('never repeats what a server says about a password', async () => {
    const { db } = fresh;
    const [id] = await queueStatements(db);
    const { port } = await startMailServer({
      allowInsecureAuth: true,
      onAuth: ({ password }, _session, callback) =>
        callback(Object.assign(new Error(`no sirve ${password}`), { responseCode: 535 })),
    });
    await deliver(db, createMailAccount(port, { login: { user: 'ana', pass: 'clave-secreta' } }));
    const mail = await getMail(db, id!);
    expect(mail.respuesta).toBe('El servidor de correo no aceptó el usuario o la contraseña (535).');
    const entries = await db.selectFrom('audit').selectAll().execute();
    expect(JSON.stringify(entries)).not.toContain('clave-secreta');
  });

  it('sends nothing over a line that should be encrypted and is not', async () => {
    const { db } = fresh;
    const [id] = await queueStatements(db);
    const { port, received } = await startMailServer({ disabledCommands: ['STARTTLS'] });
    await deliver(db, createMailAccount(port, { requireTLS: true, ignoreTLS: false }));
    expect(received).toEqual([]);
    const respuesta = expect.stringContaining('No se pudo cifrar la línea');
    expect(await getMail(db, id!)).toMatchObject({ estado: 'espera', respuesta });
  });

  it('is sent by one of several servers on one database', async () => {
    const { db } = fresh;
    await queueStatements(db, 12);
    const { account, received } = await startMailServer();
    const others = [fresh.database.openAgain().db, fresh.database.openAgain().db];
    await Promise.all([db, ...others].map((one) => deliver(one, account)));
    const recipients = received.flatMap(({ to }) => to);
    expect(recipients).toHaveLength(12);
    expect(new Set(recipients).size).toBe(12);
  });

  it('marks a mail as doubtful if its server was killed while sending it, and retries those not begun', async () => {
    const { db } = fresh;
    const ids = await queueStatements(db, 2);
    const claimed = { claimedUntil: now().toISOString(), intentos: 1 };
    await db.updateTable('mails').set(claimed).execute();
    await db.updateTable('mails').set({ handedOver: 1 }).where('id', '=', ids[0]!).execute();
    const { account, received } = await startMailServer();
    await deliver(db, account);
    const [begun, before] = await Promise.all(ids.map((id) => getMail(db, id)));
    expect(begun).toMatchObject({ estado: 'fallo', respuesta: mailTexts.unknown });
    expect(before).toMatchObject({ estado: 'espera', respuesta: mailTexts.interrupted });
    minutes = 5;
    await deliver(db, account);
    expect(received.flatMap(({ to }) => to)).toEqual(['cobranza1@proveedor.mx']);
  });

  it('does not let another server claim a mail that is being sent', async () => {
    const { db } = fresh;
    await queueStatements(db);
    const seen: ReceivedMail[] = [];
    const { account, received } = await startMailServer({
      refuse: (mail) => {
        seen.push(mail);
        return undefined;
      },
      onConnect: (_session, callback) => {
        minutes = 14;
        void deliver(fresh.database.openAgain().db, account).then(() => callback());
      },
    });
    await deliver(db, account);
    expect([seen.length, received.length]).toEqual([1, 1]);
  });

  it('stops with its server: mails that were not begun keep waiting as if untried', async () => {
    const { db } = fresh;
    const [id] = await queueStatements(db);
    const stopping = new AbortController();
    const account = await startScriptedServer((socket, line) => {
      if (line === undefined) socket.write('220 listo\r\n');
      else stopping.abort();
    });
    await deliver(db, account, { signal: stopping.signal });
    expect(await getMail(db, id!)).toMatchObject({ estado: 'espera', intentos: 0, proximo: NOW });
  });

  it('writes nothing while nothing is due', async () => {
    const { db } = fresh;
    const [id] = await queueStatements(db);
    await deliver(db, createMailAccount(1));
    const before = await getMail(db, id!);
    minutes = 4;
    await deliver(db, createMailAccount(1));
    expect(await getMail(db, id!)).toEqual(before);
  });
});
