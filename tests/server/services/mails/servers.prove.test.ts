import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { migrate } from '../../../../db/migrate.ts';
import { type OpenDatabase, openDatabase } from '../../../../db/open.ts';
import { mailTexts } from '../../../../server/services/mails/mail.ts';
import { getMail } from '../../../../server/services/mails/reading.ts';
import { TEST_CONFIG } from '../../../support/app.ts';
import { startChild } from '../../../support/children.ts';
import { DIALECTS, newDatabaseUrl } from '../../../support/databases.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { startMailServer } from '../../../support/mail-server.ts';
import { addMail } from '../../../support/mails.ts';
import { addActor, addSupplier } from '../../../support/rows.ts';
import { type RunningServer, startServer } from '../../../support/server.ts';

const [PAST, FUTURE] = ['2020-01-01T00:00:00.000Z', '2099-01-01T00:00:00.000Z'];
const WAIT = { timeout: 240_000, interval: 200 };

/** The number of kills on each database, and the latest moment of one after the first connection. */
const [KILLS, LATEST_MS] = [50, 120];

/** A database with due mails, and a function that starts a server on it. */
async function prepare(dialect: OpenDatabase['dialect'], count: number, port: number) {
  const url = await newDatabaseUrl(dialect);
  const database = openDatabase(url, { root: '/', createIfMissing: true });
  await migrate(database);
  const { db } = database;
  const by = await addActor(db, { roles: [2] });
  const ids: number[] = [];
  for (let index = 0; index < count; index++) {
    const supplierId = await addSupplier(db, { suppliercontactemail: `cobranza${index}@proveedor.mx` });
    ids.push(await addMail(db, { supplierId, by }));
  }
  await db.updateTable('mails').set({ proximo: PAST }).execute();
  const servers: RunningServer[] = [];
  onTestFinished(async () => {
    for (const server of servers) await server.stop();
    await database.close();
  });
  const start = async () => {
    const mail = { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'pagos@constructora.mx' };
    const server = await startServer({ DATABASE_URL: url, SALDO_SECRET: TEST_CONFIG.secret, ...mail });
    servers.push(server);
    return server;
  };
  return { db, url, ids, start };
}

describe.each(DIALECTS)('servers on one outbox (%s)', (dialect) => {
  it('send two hundred letters, each once', async () => {
    const { port, received } = await startMailServer();
    const { db, start } = await prepare(dialect, 200, port);
    const servers = await Promise.all([start(), start()]);
    await vi.waitFor(async () => {
      const sent = await db.selectFrom('mails').select('id').where('estado', '=', 'enviado').execute();
      expect(sent).toHaveLength(200);
    }, WAIT);
    const recipients = received.flatMap(({ to }) => to);
    expect([recipients.length, new Set(recipients).size]).toEqual([200, 200]);
    for (const server of servers) expect(server.output()).not.toContain('"level":"error"');
  });

  it('mark a mail as doubtful if its server was killed after handing it over', async () => {
    let victim: RunningServer | undefined;
    let arrived = 0;
    const { port } = await startMailServer({
      onData(stream) {
        stream.resume();
        stream.on('end', () => {
          arrived += 1;
          victim?.process.kill('SIGKILL'); // the text has arrived, but is never answered
        });
      },
    });
    const { db, ids, start } = await prepare(dialect, 1, port);
    victim = await start();
    await vi.waitFor(() => expect(victim!.process.signalCode).toBe('SIGKILL'), WAIT);
    expect(await getMail(db, ids[0]!)).toMatchObject({ estado: 'espera', intentos: 1 });
    await db.updateTable('mails').set({ claimedUntil: PAST }).execute();
    await start();
    await vi.waitFor(
      async () =>
        expect(await getMail(db, ids[0]!)).toMatchObject({ estado: 'fallo', respuesta: mailTexts.unknown }),
      WAIT,
    );
    expect(arrived).toBe(1);
  });

  it('lose nothing, and send nothing twice, however often one is killed while it sends', async () => {
    let connected = Promise.withResolvers<void>();
    const { port, received } = await startMailServer({
      onConnect(_session, callback) {
        connected.resolve();
        callback();
      },
      onMailFrom: (_address, _session, callback) => setTimeout(callback, Math.random() * 20),
    });
    const { db, url } = await prepare(dialect, 1, port);
    const due = { proximo: PAST };
    const leftAt = { claimedUntil: PAST };
    const isWaiting = () => db.updateTable('mails').where('estado', '=', 'espera');
    // The first process fills the compile cache, so that later ones start faster.
    const { folder, remove } = temporaryFolder();
    onTestFinished(remove);
    const env = { NODE_COMPILE_CACHE: folder };
    const { id: _id, ...letter } = await db.selectFrom('mails').selectAll().executeTakeFirstOrThrow();
    const more = Array.from({ length: 4 * KILLS }, (_, index) => ({
      ...{ ...letter, messageId: `otra-${index}`, para: `pagos${index}@proveedor.mx`, proximo: FUTURE },
    }));
    await db.insertInto('mails').values(more).execute();
    await (await startChild(env)).run('deliver', url, port);
    await isWaiting().set(due).execute();
    // One process starts while another one sends.
    const children = [startChild(env), startChild(env)];
    let killed = 0;
    while (killed < KILLS) {
      const child = await children.shift()!;
      children.push(startChild(env));
      connected = Promise.withResolvers();
      const ended = child.run('deliver', url, port).then(
        () => true,
        () => false,
      );
      await Promise.race([connected.promise, ended]);
      await delay(Math.random() ** 2 * LATEST_MS);
      await child.kill();
      if (!(await ended)) killed += 1;
      await isWaiting().set(due).where('claimedUntil', 'is', null).execute();
      await isWaiting().set(leftAt).where('claimedUntil', 'is not', null).execute();
      const { left } = await db
        .selectFrom('mails')
        .select(({ fn }) => fn.countAll<number>().as('left'))
        .where('estado', '=', 'espera')
        .executeTakeFirstOrThrow();
      expect(left, 'there is something to send until the last kill').toBeGreaterThan(0);
    }
    const last = await children.shift()!;
    await last.run('deliver', url, port);
    await isWaiting().set(due).execute();
    await last.run('deliver', url, port);
    const times = Map.groupBy(
      received.flatMap(({ to }) => to),
      (address) => address,
    );
    const mails = await db.selectFrom('mails').select(['para', 'estado', 'respuesta']).execute();
    expect(mails).toHaveLength(more.length + 1);
    const wrong = mails.filter(({ para, estado, respuesta }) => {
      const count = times.get(para)?.length ?? 0;
      const isInDoubt = estado === 'fallo' && respuesta === mailTexts.unknown;
      const isGivenUp = estado === 'fallo' && respuesta === mailTexts.interrupted;
      return !(isInDoubt ? count <= 1 : isGivenUp ? count === 0 : estado === 'enviado' && count === 1);
    });
    expect(wrong).toEqual([]);
    const inDoubt = mails.filter(({ respuesta }) => respuesta === mailTexts.unknown).length;
    console.log(`${KILLS} kills (${dialect}): ${received.length} received, ${inDoubt} in doubt`);
    expect(inDoubt).toBeGreaterThan(0);
  });

  it('wait at a stop for the answer to a mail that was handed over', async () => {
    const letGo = Promise.withResolvers<void>();
    const { port, received } = await startMailServer({
      refuse: () => {
        letGo.resolve();
        return undefined;
      },
    });
    const { db, ids, start } = await prepare(dialect, 1, port);
    const server = await start();
    await letGo.promise;
    expect((await server.stop()).code).toBe(0);
    expect(received).toHaveLength(1);
    expect(await getMail(db, ids[0]!)).toMatchObject({ estado: 'enviado' });
  });
});
