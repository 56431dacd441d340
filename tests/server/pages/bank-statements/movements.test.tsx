import { expect, it } from 'vitest';
import { bankStatementTexts } from '../../../../shared/bank-statements.ts';
import { addDays } from '../../../../shared/dates.ts';
import { createTestApp } from '../../../support/app.ts';
import { addBankMovements } from '../../../support/bank-movements.ts';
import { addBatch } from '../../../support/batches.ts';
import { readPage } from '../../../support/page.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { addActor, addInvoice, addPayment, addSupplier } from '../../../support/rows.ts';

const AT = '/programaciones/estados-de-cuenta';

describeOneDatabase('the screen of a movement of the bank', (fresh) => {
  const prepare = async () => {
    const { db } = fresh;
    const supplierId = await addSupplier(db, { suppliername: 'Aceros del Norte' });
    await addInvoice(db, { supplierId, numfactura: 'A-1', subtotalCents: 30_000, tasa: 0 });
    const { ids, outcome } = await addBankMovements(db, [
      { amountCents: -30_000, descripcion: 'SPEI ACEROS DEL NORTE' },
      { amountCents: -500, descripcion: 'MANEJO DE CUENTA' },
      { amountCents: 9000, descripcion: 'SIN NOMBRE' },
    ]);
    const app = createTestApp({ db });
    const [approver, clerk, director] = [await app.as(2), await app.as(5), await app.as(1)];
    return { ids, statement: `${AT}/${outcome.statementId}`, approver, clerk, director };
  };

  it('offers what fits first, takes it, and leads on to the next open one', async () => {
    const { ids, statement, approver, clerk } = await prepare();
    const list = await readPage(approver.get(statement));
    expect(list.decodedHtml).toContain('Abiertos: 2 salidas por $305.00 · 1 entrada por $90.00');
    expect(list.links('Resolver los abiertos')).toEqual([`${AT}/movimientos/${ids[0]}`]);
    const first = await readPage(approver.get(`${AT}/movimientos/${ids[0]}`));
    expect(first.decodedHtml).toMatch(
      /Tiene el mismo importe que <a[^>]*>la factura de \$300\.00<\/a>, y dice el nombre\..*<button autofocus=""[^>]*>Capturar el pago de la factura A-1 de Aceros del Norte</s,
    );
    expect(Object.entries(first.facts)[0]).toEqual(['Salió', '$300.00']);
    expect(first.decodedHtml).not.toContain('value="deposito"');
    expect(first.decodedHtml).toMatch(
      /value="comision".*Clasificar igual todo lo que diga….*name="siempre"/s,
    );
    expect((await readPage(clerk.get(`${AT}/movimientos/${ids[0]}`))).decodedHtml).not.toContain('Nombrar');
    const resolve = (at: number, form: Record<string, string>) =>
      approver.form(`${AT}/movimientos/${ids[at]}/resolver`, { version: '1', ...form });
    expect(
      (await clerk.form(`${AT}/movimientos/${ids[0]}/resolver`, { version: '1', clase: 'ajeno' })).status,
    ).toBe(403);
    const wrong = await readPage(resolve(0, { facturas: 'A-1', importe: '100' }));
    expect([wrong.status, wrong.decodedHtml]).toEqual([
      422,
      expect.stringContaining('lo elegido suma $100.00'),
    ]);
    const unknown = await readPage(resolve(0, { facturas: 'X-9' }));
    expect([unknown.status, unknown.focusedControlName]).toEqual([422, 'facturas']);
    const captured = await resolve(0, { facturaproveedorId: '1', importe: '300.00' });
    expect(captured.headers.get('location')).toBe(`${AT}/movimientos/${ids[1]}`);
    const again = await readPage(resolve(0, { clase: 'ajeno' }));
    expect([again.status, again.decodedHtml]).toEqual([409, expect.stringContaining('ya está resuelto')]);
    await resolve(1, { clase: 'comision', siempre: 'manejo de cuenta' });
    expect((await readPage(approver.get(AT))).decodedHtml).toContain('«manejo de cuenta»');
    const last = await resolve(2, { clase: 'deposito' });
    expect(last.headers.get('location')).toBe(statement);
    const settled = await readPage(approver.get(`${AT}/movimientos/${ids[0]}`));
    expect(settled.links('Pago 1')).toEqual(['/editpaymentpage/1']);
    const released = await approver.form(`${AT}/movimientos/${ids[0]}/soltar`);
    expect(released.headers.get('location')).toBe(`${AT}/movimientos/${ids[0]}`);
    expect((await readPage(approver.get(`${statement}?abierto=true`))).decodedHtml).not.toContain(
      'MANEJO DE CUENTA',
    );
  });

  it('asks to look first at an invoice of an open batch, and takes its payment back in one press', async () => {
    const { db } = fresh;
    const supplierId = await addSupplier(db, { suppliername: 'Aceros del Norte' });
    const invoiceId = await addInvoice(db, { supplierId, subtotalCents: 30_000, tasa: 0 });
    await addBatch(db, { estado: 'autorizada', invoiceIds: [invoiceId] });
    const { ids } = await addBankMovements(db, [{ amountCents: -30_000, descripcion: 'COMISION' }]);
    const address = `${AT}/movimientos/${ids[0]}`;
    const approver = await createTestApp({ db }).as(2);
    const { decodedHtml } = await readPage(approver.get(address));
    expect(decodedHtml.match(/autofocus=""[^>]*>[^<]*/gi)).toEqual([
      'autofocus="">También hay pagos o facturas de este importe.',
    ]);
    expect(decodedHtml).toContain('está en la programación 1, autorizada.</strong>');
    const answer = await approver.form(`${address}/resolver`, {
      version: '1',
      ...{ facturaproveedorId: String(invoiceId), importe: '300.00' },
    });
    const next = await readPage(approver.follow(answer));
    expect(next.decodedHtml).toContain('está en la programación 1, autorizada, y lo que queda');
    const [, undo = ''] = / action="([^"]*\/soltar[^"]*)"/.exec(next.decodedHtml) ?? [];
    const undone = await readPage(approver.follow(await approver.form(undo)));
    expect(undone.alerts).toEqual(['success: Quedó abierto. Se eliminó el pago que se capturó de él.']);
    expect(await db.selectFrom('payments').select('id').execute()).toEqual([]);
  });

  it('takes back the rule and all that it named with the naming that made it, in one press', async () => {
    const { db } = fresh;
    const part = { descripcion: 'COMISION' };
    const { ids, origenderecursoId } = await addBankMovements(db, [
      ...[
        { amountCents: -1, ...part },
        { amountCents: -2, ...part },
        { amountCents: -3, ...part },
      ],
      ...[{ amountCents: -4, descripcion: 'RENTA' }],
    ]);
    const approver = await createTestApp({ db }).as(2);
    const named = { version: '1', clase: 'comision', siempre: 'comision' };
    const answer = await approver.form(`${AT}/movimientos/${ids[0]}/resolver`, named);
    const next = await readPage(approver.follow(answer));
    expect(next.alerts[0]).toContain('La regla nombró 2 movimientos más.');
    const [, undo = ''] = / action="([^"]*\/soltar[^"]*)"/.exec(next.decodedHtml) ?? [];
    // A movement that was resolved in another way meanwhile stays as it is.
    await approver.form(`${AT}/movimientos/${ids[2]}/soltar`);
    await approver.form(`${AT}/movimientos/${ids[2]}/resolver`, { version: '3', clase: 'impuesto' });
    const undone = await readPage(approver.follow(await approver.form(undo)));
    expect(undone.alerts).toEqual([
      'success: Quedó abierto. Se quitó la regla, y 1 movimiento que nombró quedó abierto también.',
    ]);
    const rows = await db.selectFrom('bank_movements').select('clase').orderBy('id').execute();
    expect(rows.map(({ clase }) => clase)).toEqual([null, null, 'impuesto', null]);
    expect((await readPage(approver.get(AT))).decodedHtml).not.toContain('«comision»');
    const again = await addBankMovements(db, [{ amountCents: -9, ...part }], { origenderecursoId });
    expect(again.outcome.counts).toMatchObject({ nombrado: 0 });
  });

  it('names nothing by Enter alone where nothing is proposed', async () => {
    const { ids, approver } = await prepare();
    const address = `${AT}/movimientos/${ids[2]}`;
    const unknown = await readPage(approver.get(address));
    expect(unknown.decodedHtml).not.toMatch(/<button autofocus/);
    expect(unknown.decodedHtml).toMatch(/<h2[^>]* autofocus=""[^>]*>No es un pago/);
    // Enter presses the form's first button, which states no class.
    const [, first = ''] =
      /name="siempre"(?:(?!<\/form>).)*?(<button[^>]*>)/s.exec(unknown.decodedHtml) ?? [];
    expect(first).not.toContain('value=');
    expect(unknown.decodedHtml).toMatch(/<button value="deposito" class="btn btn-primary"/);
    expect(unknown.decodedHtml.match(/btn-primary/g), 'the only solid button').toHaveLength(1);
    const refused = await readPage(
      approver.form(`${address}/resolver`, { version: '1', siempre: 'estimacion' }),
    );
    expect([refused.status, refused.value('siempre')]).toEqual([422, 'estimacion']);
    const empty = await readPage(
      approver.form(`${address}/resolver`, { version: '1', siempre: ' ', clase: 'deposito' }),
    );
    expect([empty.status, empty.errors]).toEqual([422, [expect.stringContaining('«SIN NOMBRE»')]]);
    expect((await readPage(approver.get(address))).decodedHtml).toContain('Abierto');
  });

  it('shows again what was typed and ticked where it is refused', async () => {
    const { db } = fresh;
    const { ids, approver } = await prepare();
    const facturaproveedorId = await addInvoice(db, { numfactura: 'A-2', subtotalCents: 90_000, tasa: 0 });
    const { origenderecursoId } = await db
      .selectFrom('bank_movements')
      .select('origenderecursoId')
      .where('id', '=', ids[1]!)
      .executeTakeFirstOrThrow();
    const { userId } = await addActor(db);
    const id = await addPayment(db, { facturaproveedorId, amountCents: 700, origenderecursoId, userId });
    const refused = (form: Record<string, string>) =>
      readPage(approver.form(`${AT}/movimientos/${ids[1]}/resolver`, { version: '1', ...form }));
    const typed = await refused({ facturas: 'A-1', importe: '100' });
    expect([typed.status, typed.value('facturas'), typed.value('importe')]).toEqual([422, 'A-1', '100']);
    const several = await refused({ facturas: 'A-1, A-2', importe: '100' });
    expect([several.status, several.errors]).toEqual([422, [bankStatementTexts.oneAmount]]);
    const ticked = await refused({ pagos: String(id) });
    expect([ticked.status, ticked.decodedHtml]).toEqual([
      422,
      expect.stringMatching(new RegExp(`<input[^>]* name="pagos"[^>]* checked=""[^>]* value="${id}"`)),
    ]);
  });

  it('searches the payments that it may be linked to, and keeps what is ticked', async () => {
    const { db } = fresh;
    const { ids, approver } = await prepare();
    const { origenderecursoId, fecha } = await db
      .selectFrom('bank_movements')
      .select(['origenderecursoId', 'fecha'])
      .where('id', '=', ids[0]!)
      .executeTakeFirstOrThrow();
    const { userId } = await addActor(db);
    const pay = async (suppliername: string, amountCents: number, checknum: string, paymentdate = fecha) => {
      const supplierId = await addSupplier(db, { suppliername });
      const facturaproveedorId = await addInvoice(db, { supplierId, subtotalCents: 90_000, tasa: 0 });
      const payment = { facturaproveedorId, amountCents, checknum, paymentdate, origenderecursoId, userId };
      return addPayment(db, payment);
    };
    const larger = await pay('Cementos Ávila', 40_000, '11');
    const older = await pay('Aceros Tepeyac', 10_000, '12', addDays(fecha, -20));
    const nearer = await pay('Pinturas Sol', 500, '13', addDays(fecha, -2));
    const exact = await pay('Maderas del Bosque', 30_000, '14', addDays(fecha, -30));
    const offered = async (query: string) => {
      const { decodedHtml } = await readPage(approver.get(`${AT}/movimientos/${ids[0]}${query}`));
      const rows = decodedHtml.matchAll(/<input[^>]* name="pagos"( checked="")?[^>]* value="(\d+)"/g);
      return [...rows].map(([, checked, id]) => (checked ? `+${id}` : Number(id)));
    };
    expect(await offered('')).toEqual([exact, nearer, older, larger]);
    expect(await offered('?busca=avila')).toEqual([larger]);
    expect(await offered(`?busca=tepeyac&pagos=${nearer}`)).toEqual([`+${nearer}`, older]);
    expect(await offered('?busca=nadie')).toEqual([]);
  });

  it('is counted at its statement, whose period and closing balance are listed, open ones first', async () => {
    const { db } = fresh;
    const first = await addBankMovements(db, [{ fecha: '2026-11-02' }, { fecha: '2026-11-13' }]);
    const second = await addBankMovements(db, [{ fecha: '2026-11-20', amountCents: -70_000 }]);
    await db
      .updateTable('bank_movements')
      .set({ resolution: 'nombrado', clase: 'ajeno' })
      .where('id', '=', second.ids[0]!)
      .execute();
    await db
      .updateTable('bank_statements')
      .set({ saldofinalCents: 1_234_500, saldofecha: '2026-11-13' })
      .where('id', '=', first.outcome.statementId)
      .execute();
    const approver = await createTestApp({ db }).as(2);
    const page = await readPage(approver.get(AT));
    expect(page.rows.map((cells) => cells.slice(2, 5))).toEqual([
      ['2 – 13 nov 2026', '$12,345.00', '2 abiertos'],
      [expect.stringContaining('20'), '', ''],
    ]);
    expect(page.links('2 abiertos')).toEqual([`${AT}/${first.outcome.statementId}?abierto=true`]);
    const sorted = await readPage(approver.get(`${AT}?sortfield=fecha&sorttype=DESC`));
    expect(sorted.rows[1]?.[4]).toBe('2 abiertos');
  });

  it('is reached from any statement, of which the page shows twenty and offers the rest', async () => {
    const { db } = fresh;
    const first = await addBankMovements(db, [{ fecha: '2026-11-02' }]);
    const { id: _id, ...statement } = await db
      .selectFrom('bank_statements')
      .selectAll()
      .executeTakeFirstOrThrow();
    const copies = Array.from({ length: 21 }, (_, n) => ({ ...statement, sha256: `${n}`.padStart(64, '0') }));
    await db.insertInto('bank_statements').values(copies).execute();
    const approver = await createTestApp({ db }).as(2);
    const page = await readPage(approver.get(AT));
    expect([page.rows.length, page.rows[0]?.[4]]).toEqual([20, '1 abierto']);
    expect(page.links('1 abierto')).toEqual([`${AT}/${first.outcome.statementId}?abierto=true`]);
    expect(page.decodedHtml).toContain('20 de 22 estados de cuenta');
    const [more] = page.links('Cargar más');
    expect((await readPage(approver.get(more!))).rows).toHaveLength(2);
  });

  it('is what the bell and the dashboard of approvers count', async () => {
    const { ids, director, clerk } = await prepare();
    for (const address of ['/notificaciones', '/dashboard']) {
      const page = await readPage(director.get(address));
      expect(
        page.links(/^3 movimientos del banco sin resolver ?salidas por \$[\d,.]+ · entradas por \$/),
      ).toContain(`${AT}/movimientos/${ids[0]}`);
    }
    expect((await readPage(clerk.get('/notificaciones'))).decodedHtml).not.toContain(
      'movimientos del banco sin',
    );
  });
});
