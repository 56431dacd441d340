import { expect, it } from 'vitest';
import { addAccount } from '../../support/accounts.ts';
import { addBatch } from '../../support/batches.ts';
import { createDocumentedApp as createTestApp } from '../../support/documented.ts';
import { describeEachInLong } from '../../support/proofs.ts';
import { addActor, addFundingSource, addInvoice } from '../../support/rows.ts';

const AT = '/api/programaciones/estados-de-cuenta';

describeEachInLong('the API of statements of the bank', (fresh) => {
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
      resultados: { pagado: 1, devuelto: 0, ambiguo: 0, 'sin-partida': 1 },
      warnings: [],
    });
    expect(await load()).toMatchObject({ id, nuevo: false, conocidos: 1 });
    expect(await (await approver.get(`${AT}?limit=5`)).json()).toMatchObject([
      { id, origenderecursoId, archivo: 'estado.csv', cargadoPor: approver.user.username },
    ]);
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
});
