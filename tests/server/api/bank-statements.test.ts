import { expect, it } from 'vitest';
import { addAccount } from '../../support/accounts.ts';
import { addBankMovements } from '../../support/bank-movements.ts';
import { addBatch } from '../../support/batches.ts';
import { createDocumentedApp as createTestApp } from '../../support/documented.ts';
import { describeEachInLongLane } from '../../support/proofs.ts';
import { addActor, addFundingSource, addInvoice } from '../../support/rows.ts';

const AT = '/api/programaciones/estados-de-cuenta';

describeEachInLongLane('the API of statements of the bank', (fresh) => {
  it('loads a statement once, pays what it confirms, and answers it with its movements', async () => {
    const { db } = fresh;
    const approver = await createTestApp({ db }).withToken(2);
    const author = await addActor(db, { roles: [6], today: '2026-11-02' });
    const { supplierId, clabe } = await addAccount(db, { author });
    const origenderecursoId = await addFundingSource(db);
    const invoiceIds = [await addInvoice(db, { supplierId })];
    const batch = await addBatch(db, { estado: 'enviada', invoiceIds, origenderecursoId });
    const text = `Fecha,Concepto,Cargo,Abono\n20/11/2026,SPEI ${clabe},1160.00,\n19/11/2026,Comisión,5.00,\n21/11/2026,Mañana,7.00,\n`;
    const load = async () => {
      const files = { file: ['estado.csv', Buffer.from(text)] as const };
      return (
        await approver.files(`${AT}/cargar`, files, { origenderecursoId: `${origenderecursoId}` })
      ).json();
    };
    const { id, ...loaded } = await load();
    expect(loaded).toEqual({
      ...{ nuevo: true, movimientos: 2, conocidos: 0, rechazados: [4] },
      resultados: { pagado: 1, devuelto: 0, ambiguo: 0, 'sin-partida': 1, nombrado: 0 },
      warnings: [],
    });
    expect(await load()).toMatchObject({ id, nuevo: false, conocidos: 1 });
    expect(await (await approver.get(`${AT}?limit=5`)).json()).toMatchObject([
      { id, origenderecursoId, archivo: 'estado.csv', cargadoPor: approver.user.username },
    ]);
    const files = { file: ['estado.csv', Buffer.from(text.replace(/.*Mañana.*\n/, ''))] as const };
    const fields = { origenderecursoId: `${origenderecursoId}`, saldofinal: '-$15.00' };
    const typed = await (await approver.files(`${AT}/cargar`, files, fields)).json();
    expect(await (await approver.get(`${AT}/${typed.id}`)).json()).toMatchObject({
      ...{ saldoinicial: 1150, saldofinal: -15, saldofecha: '2026-11-20', saldorenglon: null },
    });
    expect((await (await approver.get(`${AT}/${id}`)).json()).movimientos).toMatchObject([
      { fecha: '2026-11-20', importe: -1160, resultado: 'pagado', programacionId: batch.id, supplierId },
      { importe: -5, descripcion: 'Comisión', resultado: 'sin-partida', programacionId: null },
    ]);
  });

  it('accepts a file only for the account that it belongs to', async () => {
    const { db } = fresh;
    const approver = await createTestApp({ db }).withToken(2);
    const clabe = '014180655099900015';
    const origenderecursoId = `${await addFundingSource(db)}`;
    await db
      .updateTable('funding_sources')
      .set({ clabe })
      .where('id', '=', Number(origenderecursoId))
      .execute();
    const line = (account: string) => `${account},19/11/2026,Comisión,5.00,\n`;
    const send = async (cuenta: string | undefined, ...accounts: string[]) => {
      const text = `Cuenta,Fecha,Concepto,Cargo,Abono\n${accounts.map(line).join('')}`;
      const answer = await approver.files(
        `${AT}/cargar`,
        { file: ['a.csv', Buffer.from(text)] },
        { origenderecursoId, ...(cuenta && { cuenta }) },
      );
      return [answer.status, await answer.json()];
    };
    const [own, other] = ['65509990001', '65509990002'];
    const refused = (message: RegExp) => [
      422,
      { code: 'bad_statement', message: expect.stringMatching(message) },
    ];
    expect(await send(undefined, own, other)).toMatchObject(
      refused(/varias cuentas: 65509990001, 65509990002/),
    );
    expect(await send(undefined, other)).toMatchObject(
      refused(/de la cuenta 65509990002.*de la 65509990001/),
    );
    expect(await send(other, own, other)).toMatchObject(
      refused(/de la cuenta 65509990002.*de la 65509990001/),
    );
    expect(await send('1', own, other)).toMatchObject(
      refused(/no trae la cuenta 1\. Trae: 65509990001, 65509990002/),
    );
    expect(await send(own, own, other)).toMatchObject([200, { movimientos: 1 }]);
    expect(await send(undefined, own)).toMatchObject([200, { nuevo: false }]);
  });

  it('reads the text file of fixed widths that Santander gives', async () => {
    const approver = await createTestApp({ db: fresh.db }).withToken(2);
    const origenderecursoId = `${await addFundingSource(fresh.db)}`;
    const start = `65509990001     1911202612260981${'PAGO SPEI'.padEnd(40)}-00000000000500`;
    const text = `${start}${'0'.repeat(14)}00000012${'COMISION'.padEnd(90)}`.padEnd(581);
    const files = { file: ['movimientos.txt', Buffer.from(text)] as const };
    const loaded = await approver.files(`${AT}/cargar`, files, { origenderecursoId });
    const { id } = await loaded.json();
    expect((await (await approver.get(`${AT}/${id}`)).json()).movimientos).toMatchObject([
      { fecha: '2026-11-19', importe: -5, referencia: '00000012', descripcion: 'PAGO SPEI COMISION' },
    ]);
  });

  it('refuses a request that lacks a part, cannot be read or is too large, and accepts a large one', async () => {
    const app = createTestApp({ db: fresh.db });
    const approver = await app.withToken(1);
    const origenderecursoId = `${await addFundingSource(fresh.db)}`;
    const send = async (file: string | Buffer | undefined, fields: Record<string, string>) => {
      const files: Record<string, [string, Buffer]> =
        file === undefined ? {} : { file: ['a.csv', Buffer.from(file)] };
      const answer = await approver.files(`${AT}/cargar`, files, fields);
      return [answer.status, await answer.json()];
    };
    expect(await send(undefined, {})).toMatchObject([
      422,
      { code: 'invalid', fields: { origenderecursoId: expect.any(String), file: expect.any(String) } },
    ]);
    expect(await send('a,b\n1,2\n', { origenderecursoId })).toMatchObject([422, { code: 'bad_statement' }]);
    expect(await send(Buffer.from([0x50, 0x4b, 3, 4, 0]), { origenderecursoId })).toMatchObject([
      422,
      { code: 'bad_statement' },
    ]);
    expect(await send('x', { origenderecursoId, otro: '1' })).toMatchObject([400, { code: 'malformed' }]);
    expect(await send(Buffer.alloc(6 * 1024 * 1024), { origenderecursoId })).toMatchObject([413, {}]);
    const line = `19/11/2026,${'Comisión '.repeat(20)},5.00,\n`;
    const large = `Fecha,Concepto,Cargo,Abono\n${line.repeat(2000)}`;
    expect(await send(large, { origenderecursoId })).toMatchObject([200, { movimientos: 2000 }]);
    const long = (rows: number) => `Fecha,Concepto,Cargo,Abono\n${'19/11/2026,C,5.00,\n'.repeat(rows)}`;
    expect(await send(long(20_000), { origenderecursoId })).toMatchObject([200, { movimientos: 20_000 }]);
    expect(await send(long(20_001), { origenderecursoId })).toMatchObject([
      422,
      { code: 'bad_statement', message: expect.stringMatching(/pasa de 20,000 renglones.*Divídela/) },
    ]);
    expect((await approver.post(`${AT}/cargar`, {})).status).toBe(400);
    expect((await approver.get(`${AT}/99`)).status).toBe(404);
  });

  it('lists the movements, settles one once for each key, lets it go, and keeps rules', async () => {
    const { db } = fresh;
    const app = createTestApp({ db });
    const [approver, reader] = [await app.withToken(2), await app.withToken(5)];
    const { ids, origenderecursoId } = await addBankMovements(db, [
      { amountCents: -500, descripcion: 'COMISION DEL MES', fecha: '2026-11-10' },
      { amountCents: -80, descripcion: 'Comisión SPEI', fecha: '2026-11-11' },
      { amountCents: -90, descripcion: 'COMISIONISTA', fecha: '2026-11-12' },
      { amountCents: 700, descripcion: 'comision devuelta', fecha: '2026-11-13' },
    ]);
    const list = async (query: string) => {
      const answer = await reader.get(`${AT}/movimientos/?origenderecursoId=${origenderecursoId}&${query}`);
      return [
        answer.headers.get('x-total-count'),
        (await answer.json()).map((one: { id: number }) => one.id),
      ];
    };
    expect(await list('abierto=true')).toEqual(['4', ids]);
    expect(await list('desde=2026-11-11&hasta=2026-11-12')).toEqual(['2', ids.slice(1, 3)]);
    const first = await reader.get(`${AT}/movimientos/?limit=3`);
    expect(first.headers.get('link')).toContain('rel="next"');
    const resolve = (body: object, key = 'una') =>
      approver.post(`${AT}/movimientos/${ids[0]}/resolver`, body, { headers: { 'idempotency-key': key } });
    const body = { version: 1, clase: 'comision', siempre: 'comisión' };
    expect((await reader.post(`${AT}/movimientos/${ids[0]}/resolver`, body)).status).toBe(403);
    const unsaid = await resolve({ ...body, siempre: 'traspaso' }, 'otra');
    expect([unsaid.status, Object.keys((await unsaid.json()).fields)]).toEqual([422, ['siempre']]);
    const differs = await resolve(
      { version: 1, facturas: [{ facturaproveedorId: await addInvoice(db) }] },
      'tres',
    );
    expect([differs.status, await differs.json()]).toMatchObject([
      422,
      { code: 'sum_differs', importe: 5, suma: 1160 },
    ]);
    const resolved = await (await resolve(body)).json();
    // The rule classifies neither the incoming movement nor a longer word that begins like its text.
    expect(resolved).toMatchObject({
      nombrados: 1,
      movimiento: { resultado: 'nombrado', clase: 'comision', version: 2 },
    });
    expect(await (await resolve(body)).json()).toEqual(resolved);
    expect((await (await resolve(body, 'dos')).json()).code).toBe('movement_settled');
    expect(await list('abierto=true')).toEqual(['2', ids.slice(2)]);
    expect(await list('abierto=false')).toEqual(['2', ids.slice(0, 2)]);
    const again = await addBankMovements(
      db,
      [
        { amountCents: -50, descripcion: 'SU COMISION' },
        { amountCents: -60, descripcion: 'RENTA' },
      ],
      { origenderecursoId },
    );
    expect(again.outcome.counts).toMatchObject({ nombrado: 1, 'sin-partida': 1 });
    const rules = await (await reader.get(`${AT}/reglas/?origenderecursoId=${origenderecursoId}`)).json();
    expect(rules).toMatchObject([{ siempre: 'comisión', clase: 'comision', entra: false }]);
    const other = { version: 1, clase: 'ajeno', siempre: 'Comision' };
    await approver.post(`${AT}/movimientos/${ids[0]}/soltar`, { version: 2 });
    expect((await (await resolve({ ...other, version: 3 }, 'cuatro')).json()).code).toBe('duplicate_rule');
    expect((await reader.delete(`${AT}/reglas/${rules[0].id}`)).status).toBe(403);
    expect((await approver.delete(`${AT}/reglas/${rules[0].id}`)).status).toBe(204);
    expect((await approver.delete(`${AT}/reglas/${rules[0].id}`)).status).toBe(404);
    expect((await (await reader.get(`${AT}/movimientos/${ids[1]}`)).json()).resultado).toBe('nombrado');
  });
});
