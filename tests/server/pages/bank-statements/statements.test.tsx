import { expect, it } from 'vitest';
import { buildBankOrder } from '../../../../server/services/bank-files/transfers.ts';
import { getBatch } from '../../../../server/services/payment-batches/reading.ts';
import { addAccount } from '../../../support/accounts.ts';
import { createTestApp } from '../../../support/app.ts';
import { addBatch } from '../../../support/batches.ts';
import { readPage } from '../../../support/page.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { addActor, addFundingSource, addInvoice } from '../../../support/rows.ts';

const AT = '/programaciones/estados-de-cuenta';

describeOneDatabase('the screens of bank statements', (fresh) => {
  it('accept a file, show what each movement belongs to, and say what is wrong with another file', async () => {
    const { db } = fresh;
    const app = createTestApp({ db });
    const [clerk, approver] = [await app.as(6), await app.as(2)];
    const author = await addActor(db, { roles: [6], today: '2026-11-02' });
    const origenderecursoId = await addFundingSource(db, { origenderecursonombre: 'Cheques' });
    const { supplierId, suppliername } = await addAccount(db, { author });
    const invoiceIds = [await addInvoice(db, { supplierId })];
    const { id } = await addBatch(db, { estado: 'enviada', invoiceIds, origenderecursoId });
    const [transfer] = (await buildBankOrder(db, await getBatch(db, id))).transfers;
    const send = (
      text: string,
      fields: Record<string, string> = { origenderecursoId: String(origenderecursoId) },
      who = approver,
    ) => who.files(`${AT}/cargar`, { file: ['noviembre.csv', Buffer.from(text, 'utf8')] }, fields);
    const text = `Fecha,Concepto,Referencia,Cargo,Abono\n20/11/2026,SPEI,${transfer!.referencia},"1,160.00",\n`;

    expect((await readPage(clerk.get(AT))).decodedHtml).not.toContain('Archivo del banco');
    expect((await send(text, undefined, clerk)).status).toBe(403);
    const empty = await send(text, {});
    expect([empty.status, await empty.text()]).toEqual([
      422,
      expect.stringContaining('Elige el origen de recurso y el archivo del banco.'),
    ]);
    const wrong = await readPage(send('Nombre,Teléfono\nAna,555\n'));
    expect([wrong.status, wrong.decodedHtml]).toEqual([
      422,
      expect.stringContaining('Ninguna columna es la fecha'),
    ]);
    expect(wrong.decodedHtml).toMatch(/<option value="\d+" selected="">Cheques/);

    const loaded = await send(text);
    expect([loaded.status, loaded.headers.get('location')]).toEqual([303, `${AT}/1`]);
    const page = await readPage(approver.get(`${AT}/1`));
    expect(page.decodedHtml).toContain('Un movimiento: 1 de pagos programados');
    expect(page.decodedHtml).toContain(`${suppliername}: Programación ${id}`);
    expect(await getBatch(db, id)).toMatchObject({ estado: 'pagada', paidCents: 116_000 });
    // A payment that the bank confirmed can only be undone at its movement.
    const { paymentId } = (await getBatch(db, id)).lines[0]!;
    const payment = await readPage(clerk.get(`/editpaymentpage/${paymentId}`));
    expect(payment.decodedHtml).toContain(
      'Lo pagó el banco el viernes 20 de noviembre de 2026 (noviembre.csv).',
    );
    expect(payment.decodedHtml).not.toContain('¿Eliminar');
    expect(payment.links('Ver el estado de cuenta')).toEqual([`${AT}/1`]);
    const refused = await readPage(approver.form(`/pagos-proveedores/${paymentId}/eliminar`));
    expect([refused.status, refused.links('Ver el estado de cuenta')]).toEqual([409, [`${AT}/1`]]);
    const { id: movementId } = await db.selectFrom('bank_movements').select('id').executeTakeFirstOrThrow();
    const at = `${AT}/movimientos/${movementId}`;
    const mark = `${at}/devolver`;
    expect((await readPage(clerk.get(at))).decodedHtml).not.toContain('Marcar como devuelto');
    const movement = await readPage(approver.get(at));
    expect(movement.decodedHtml).toContain(`action="${mark}"`);
    expect(movement.links('‹ Estado de cuenta')).toEqual([`${AT}/1`]);
    const unsaid = await readPage(approver.form(mark, { motivo: '' }));
    expect([unsaid.status, unsaid.decodedHtml]).toEqual([422, expect.stringMatching(/<details[^>]* open/)]);
    expect((await clerk.form(mark, { motivo: 'x' })).status).toBe(403);
    const marked = await approver.form(mark, { motivo: 'La cuenta no existe' });
    expect([marked.status, marked.headers.get('location')]).toEqual([303, `${AT}/1`]);
    expect(await getBatch(db, id)).toMatchObject({ paidCents: 0, refusedCents: 116_000 });
    const after = await readPage(approver.get(`${AT}/1`));
    expect(after.decodedHtml).toContain('Devuelto por el banco');
    expect(after.links('‹ Estados de cuenta')).toEqual([AT]);
    expect((await readPage(approver.get(at))).decodedHtml).not.toContain(`action="${mark}"`);
    // The payment was deleted with its movement, so Deshacer does not offer it.
    expect((await readPage(approver.get('/notificaciones'))).decodedHtml).not.toContain(
      'Pagos que eliminaste',
    );

    await send(text);
    expect((await readPage(approver.get(`${AT}/1`))).decodedHtml).toContain('ya se había cargado');
    const withBalance = { origenderecursoId: String(origenderecursoId), saldofinal: '1,000 + 0.50' };
    expect((await send(text, { ...withBalance, saldofinal: 'mil' })).status).toBe(400);
    expect((await send(text, withBalance)).headers.get('location')).toBe(`${AT}/2`);
    expect((await readPage(approver.get(`${AT}/2`))).decodedHtml).toMatch(
      /Saldo inicial<.*\$2,160\.50<.*Saldo final al Fri, 20 Nov 2026<.*\$1,000\.50</,
    );
    expect((await readPage(clerk.get(AT))).decodedHtml).toContain('noviembre.csv');
    expect((await clerk.get(`${AT}/9`)).status).toBe(404);
  });

  it('say once that a balance does not follow from the movements', async () => {
    const approver = await createTestApp({ db: fresh.db }).as(2);
    const origenderecursoId = String(await addFundingSource(fresh.db));
    const file = Buffer.from(
      'Fecha,Concepto,Importe,Saldo\n18/11/2026,SPEI,-10.00,90.00\n19/11/2026,SPEI,-10.00,70.00\n',
    );
    await approver.files(`${AT}/cargar`, { file: ['noviembre.csv', file] }, { origenderecursoId });
    for (const _ of ['once loaded', 'later']) {
      const { decodedHtml } = await readPage(approver.get(`${AT}/1`));
      expect(decodedHtml.match(/Renglón 3: su saldo no sale/g)).toHaveLength(1);
    }
  });
});
