import { beforeEach, expect, it } from 'vitest';
import { createMovement } from '../../../../server/services/petty-cash/movements.ts';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import type { FundFieldValues, MovementFieldValues } from '../../../../shared/petty-cash.ts';
import { createTestApp, type TestClient } from '../../../support/app.ts';
import { readPage } from '../../../support/page.ts';
import { addFund, allowSelfApproval, createExpenseValues } from '../../../support/petty-cash.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import {
  addActor,
  addFundingSource,
  addInvoice,
  addJob,
  addPayment,
  addSupplier,
} from '../../../support/rows.ts';

describeOneDatabase('the screens of petty cash', (fresh) => {
  let browser: TestClient;
  beforeEach(async () => {
    browser = await createTestApp({ db: fresh.db }).as(2);
  });
  const movements = () =>
    fresh.db
      .selectFrom('petty_cash_movements')
      .selectAll()
      .where('concepto', '<>', 'Apertura de la caja')
      .orderBy('id')
      .execute();
  async function open(nombre = 'Caja de obra', openedOn = '2026-09-01', more: FundFieldValues = {}) {
    const actor = await addActor(fresh.db);
    await allowSelfApproval(fresh.db);
    return { actor, fund: await addFund(fresh.db, { actor, nombre, openedOn, ...more }) };
  }
  const add = async (part: MovementFieldValues = {}) => {
    const { actor, fund } = await open();
    const draft = createExpenseValues({ fecha: '2026-11-02', ...part });
    const { movement } = await createMovement(fresh.db, actor, fund.id, draft);
    return { actor, fund, movement };
  };
  const typed = {
    tipo: 'gasto',
    fecha: '2026-11-03',
    concepto: 'Casetas a obra',
    importe: '$1,200.50',
    comprobante: 'nota',
    folio: 'T-9',
    comments: '',
  };

  it('say without a fund what funds are for, and open the first one', async () => {
    const page = await readPage(browser.get('/caja-chica'));
    expect(page.decodedHtml).toContain('Todavía no hay cajas chicas');
    expect(page.decodedHtml).toContain('Aquí se lleva el efectivo para gastos menores');
    expect(page.links('Abrir caja')).toEqual(['/caja-chica/nuevo-fondo']);
    await addFundingSource(fresh.db);
    expect((await readPage(browser.get('/origenderecursos'))).links('Caja chica')).toEqual(['/caja-chica']);
    expect((await readPage(browser.get('/rubros'))).links('Caja chica')).toEqual([]);
  });

  it("list every fund with its holder and today's balance", async () => {
    const { fund } = await add();
    await open('Banco', '2026-11-20');
    const page = await readPage(browser.get('/caja-chica'));
    expect(page.rows).toEqual([
      ['Banco', 'Nombre Apellido', 'Fri, 20 Nov 2026', '–', '–', '$5,000.00', 'Nuevo gasto'],
      ['Caja de obra', 'Nombre Apellido', 'Mon, 02 Nov 2026', '–', '$300.00', '$4,700.00', 'Nuevo gasto'],
    ]);
    expect(page.facts).toEqual({
      'En caja el Fri, 20 Nov 2026': '$9,700.00',
      'Por comprobar': '$0.00',
      'Por reponer': '$300.00',
    });
    expect(page.links('Caja de obra')).toEqual([`/caja-chica/${fund.id}`]);
    expect(page.decodedHtml).not.toContain('El saldo es negativo');
  });

  it('show the last three months of a fund between the balance before and after', async () => {
    const pagosOrigenId = await addFundingSource(fresh.db);
    const { actor, fund } = await open('Caja de obra', '2026-08-01', { pagosOrigenId });
    const jobId = await addJob(fresh.db, { jobtitle: 'Torre' });
    const supplierId = await addSupplier(fresh.db, { suppliername: 'Aceros' });
    const facturaproveedorId = await addInvoice(fresh.db, { supplierId, jobId, numfactura: 'A-1' });
    const paymentId = await addPayment(fresh.db, {
      facturaproveedorId,
      amountCents: 10_000,
      userId: actor.userId,
      origenderecursoId: pagosOrigenId,
      paymentdate: '2026-11-04',
    });
    for (const part of [
      { fecha: '2026-08-15', importeCents: 100_000 },
      { fecha: '2026-11-02', jobId, folio: 'T-1', beneficiario: 'La Palma' },
      { fecha: '2026-11-03', importeCents: 20_000, tipo: 'ajuste' as const, comprobante: undefined },
    ]) {
      await createMovement(fresh.db, actor, fund.id, createExpenseValues(part));
    }
    const page = await readPage(browser.get(`/caja-chica/${fund.id}`));
    expect(page.rows).toEqual([
      ['Wed, 04 Nov 2026', 'Pago de la factura A-1Aceros', 'Torre', '', '$100.00', '', '$3,800.00'],
      ['Tue, 03 Nov 2026', 'Gasolina Ajuste', '', '$200.00', '', '', '$3,900.00'],
      ['Mon, 02 Nov 2026', 'GasolinaLa Palma · T-1', 'Torre', '', '$300.00', 'Por reponer', '$3,700.00'],
      ['', 'Saldo anterior', '', '', '', '', '$4,000.00'],
    ]);
    expect(page.facts).toEqual({
      'Saldo inicial': '$4,000.00',
      Ingresos: '$200.00',
      Salidas: '$400.00',
      'Saldo final': '$3,800.00',
      Saldo: '$3,800.00',
      'Por comprobar': '$0.00',
      'Por reponer': '$1,300.00',
      Abierta: 'sábado 1 de agosto de 2026',
      'Se llena desde': expect.any(String),
      'Pagos a proveedores que salen de ella': expect.any(String),
    });
    // balances include the movements that the filter hides
    const inflows = await readPage(browser.get(`/caja-chica/${fund.id}?hasta=2026-11-03&sentido=ingresos`));
    expect(inflows.facts).toMatchObject({
      'Saldo inicial': '$4,000.00',
      Ingresos: '$200.00',
      Salidas: '$300.00',
      'Saldo final': '$3,900.00',
    });
    expect([page.value('desde'), page.value('hasta')]).toEqual(['2026-09-01', '2026-11-20']);
    expect(page.links('Pago de la factura A-1')).toEqual([`/editpaymentpage/${paymentId}`]);
    // Payments to suppliers reduce the cash, but are no movements.
    const all = await readPage(browser.get('/caja-chica/movimientos'));
    expect(all.facts).toEqual({
      Ingresos: '$5,200.00',
      Salidas: '$1,300.00',
      'Pagos a proveedores': '$100.00',
      'En caja': '$3,800.00',
    });
    expect(all.links('$100.00')).toEqual([`/pagos-proveedores?origenderecursoId=${pagosOrigenId}`]);
    const some = await readPage(browser.get('/caja-chica/movimientos?desde=2026-11-01'));
    expect(Object.keys(some.facts)).toEqual(['Ingresos', 'Salidas']);
    expect(page.links('$100.00')).toEqual([`/editpaymentpage/${paymentId}`]);
    expect(page.links(/^Exportar (PDF|Excel)$/)).toEqual([
      `/caja-chica/${fund.id}/export.pdf?desde=2026-09-01&hasta=2026-11-20`,
    ]);
    const whole = await readPage(browser.get(page.links('Todo')[0]!));
    expect(whole.rows.at(-1)!.slice(1, 2)).toEqual(['Antes de abrir la caja']);
    expect(whole.rows).toHaveLength(6);
  });

  it('show in red, and in words, that a balance is below zero', async () => {
    const { fund } = await add();
    // A row from before the rule existed.
    await fresh.db
      .updateTable('petty_cash_movements')
      .set({ subtotalCents: 500_001, importeCents: 500_001 })
      .where('tipo', '=', 'gasto')
      .execute();
    const sentence = 'El saldo es negativo: falta registrar un ingreso o sobra un gasto.';
    const page = await readPage(browser.get(`/caja-chica/${fund.id}`));
    expect(page.decodedHtml).toContain(sentence);
    expect(page.decodedHtml).toContain('<span class="wrong"><span class="money">-$0.01</span></span>');
    expect((await readPage(browser.get('/caja-chica'))).decodedHtml).toContain(sentence);
  });

  it('say what is wrong with a period, and show an empty one completely', async () => {
    const { fund } = await add();
    const wrong = await readPage(browser.get(`/caja-chica/${fund.id}?desde=2026-11-20&hasta=2026-11-01`));
    expect(wrong.status).toBe(400);
    expect(wrong.alerts).toEqual(['error: El periodo termina antes de empezar: revisa las dos fechas.']);
    expect([wrong.value('desde'), wrong.value('hasta')]).toEqual(['2026-11-20', '2026-11-01']);
    const empty = await readPage(browser.get(`/caja-chica/${fund.id}?desde=2026-11-10`));
    expect(empty.decodedHtml).toContain('Sin movimientos en este periodo');
    expect(empty.decodedHtml).toContain('La caja tenía $4,700.00.');
    expect((await browser.get('/caja-chica/99')).status).toBe(404);
  });

  it('open a fund from a form without a script, once for each time it is sent', async () => {
    const id = await addFundingSource(fresh.db);
    const { userId } = await addActor(fresh.db);
    await allowSelfApproval(fresh.db);
    const form = await readPage(browser.get('/caja-chica/nuevo-fondo'));
    expect(form.value('openedOn')).toBe('2026-11-20');
    expect(form.decodedHtml).toMatch(
      new RegExp(`<noscript><select[^>]* name="origenderecursoId".*value="${id}"`, 's'),
    );
    const fields = {
      idempotencyKey: form.value('idempotencyKey'),
      ...{ nombre: ' Caja de obra ', origenderecursoId: id, responsableId: userId },
      ...{ montofijo: '$5,000', openedOn: '2026-09-01', apertura: '$5,000' },
    };
    const answer = await browser.form('/caja-chica/nuevo-fondo', fields);
    const again = await browser.form('/caja-chica/nuevo-fondo', fields);
    expect(again.headers.get('location')).toBe(answer.headers.get('location'));
    const page = await readPage(browser.follow(answer));
    expect(page.decodedHtml).toContain('Se abrió la caja chica «Caja de obra».');
    expect(page.facts.Saldo).toBe('$5,000.00');
    const other = { ...fields, idempotencyKey: 'otra', comments: 'x' };
    const taken = await readPage(browser.form('/caja-chica/nuevo-fondo', other));
    expect(taken.status).toBe(409);
    expect(taken.errors).toEqual(['Ya hay una caja chica que se llama «Caja de obra».']);
    expect([taken.value('comments'), taken.value('apertura')]).toEqual(['x', '$5,000']);
  });

  it('record a movement once for each time it is sent, and lead to where it is shown', async () => {
    const { fund } = await open();
    const address = `/caja-chica/${fund.id}/nuevo-movimiento`;
    const form = await readPage(browser.get(address));
    expect([form.value('fecha'), form.focusedControlName]).toEqual(['2026-11-20', 'importe']);
    const reads = new RegExp(
      `<button[^>]* formaction="/caja-chica/${fund.id}/leer-xml"[^>]*>Leer el XML`,
      'i',
    );
    expect(form.decodedHtml, 'without script').toMatch(reads);
    const read = await readPage(browser.form(address, { ...typed, concepto: '' }));
    expect([read.status, read.focusedControlName, read.links('Concepto')]).toEqual([422, 'concepto', []]);
    const empty = await readPage(browser.form(address, { ...typed, concepto: '', importe: '' }));
    expect([empty.links('Importe'), empty.links('Concepto')]).toEqual([['#importe'], ['#concepto']]);
    expect(empty.decodedHtml).toContain('Concepto</a></li>');
    const fields = { ...typed, idempotencyKey: form.value('idempotencyKey') };
    const answer = await browser.form(address, fields);
    expect(answer.headers.get('location')).toBe(`/caja-chica/${fund.id}`);
    await browser.form(address, fields);
    expect(await movements()).toMatchObject([
      { tipo: 'gasto', concepto: 'Casetas a obra', importeCents: 120_050, folio: 'T-9' },
    ]);
    const saved = await readPage(browser.follow(answer));
    expect(saved.decodedHtml).toContain('Se registró el movimiento.');
    const other = await readPage(browser.form(address, { ...fields, concept: 'Otro' }));
    expect(other.status).toBe(409);
    expect(other.alerts[0]).toContain('Este formulario ya se guardó con otros datos.');
    expect(other.value('idempotencyKey')).not.toBe(fields.idempotencyKey);
  });

  it('delete a movement, say so where that was done, and restore it once', async () => {
    const { fund, movement } = await add();
    const [at, next] = [`/caja-chica/movimientos/${movement.id}`, `/caja-chica/${fund.id}?desde=2026-11-01`];
    const deleted = await browser.form(`${at}/eliminar`, { next });
    expect([deleted.headers.get('location'), await movements()]).toEqual([next, []]);
    const page = await readPage(browser.follow(deleted));
    expect(page.decodedHtml).toContain('Se eliminó el movimiento.');
    expect(page.decodedHtml).toContain(`action="${at}/deshacer"`);
    const back = await readPage(browser.follow(await browser.form(`${at}/deshacer`)));
    expect(back.decodedHtml).toContain('Se recuperó el movimiento.');
    expect(await movements()).toMatchObject([{ id: movement.id, concepto: 'Gasolina' }]);
    const twice = await readPage(browser.form(`${at}/deshacer`));
    expect(twice.status).toBe(409);
    expect(twice.alerts).toEqual([`error: El movimiento ${movement.id} no está eliminado.`]);
  });

  it('change a fund, and delete it if it has no movements', async () => {
    const { fund } = await add();
    const address = `/caja-chica/${fund.id}`;
    const fields = { nombre: 'Caja Norte', openedOn: '2026-09-01', montofijo: '8000', version: 1 };
    const kept = { responsableId: fund.responsableId!, origenderecursoId: fund.origenderecursoId! };
    const saved = await browser.form(`${address}/editar`, { ...fields, ...kept });
    expect((await readPage(browser.follow(saved))).decodedHtml).toContain(
      'Se guardó la caja chica «Caja Norte».',
    );
    const form = await readPage(browser.get(`${address}/editar`));
    expect([form.value('nombre'), form.value('montofijo')]).toEqual(['Caja Norte', '8,000.00']);
    const used = await readPage(browser.form(`${address}/eliminar`));
    expect(used.status).toBe(409);
    expect(used.alerts).toEqual([
      'error: No se puede eliminar la caja chica «Caja Norte»: tiene 2 movimientos.',
    ]);
    await fresh.db.deleteFrom('petty_cash_movements').execute();
    const gone = await browser.form(`${address}/eliminar`, { version: 2 });
    expect(gone.headers.get('location')).toBe('/caja-chica');
    expect((await readPage(browser.follow(gone))).decodedHtml).toContain(
      'Se eliminó la caja chica «Caja Norte».',
    );
  });

  it('let Dirección and Contabilidad open, edit and close funds, and list a closed one among the closed', async () => {
    const { fund } = await open('Caja de obra', '2026-11-01', {});
    const [holder, approver] = [await createTestApp({ db: fresh.db }).as(6), browser];
    const address = `/caja-chica/${fund.id}`;
    expect((await readPage(holder.get(address))).links(/Editar caja|Abrir caja/)).toEqual([]);
    for (const denied of ['/caja-chica/nuevo-fondo', `${address}/editar`])
      expect((await holder.get(denied)).status).toBe(403);
    expect((await holder.form(`${address}/cerrar`)).status).toBe(403);
    const full = await readPage(approver.form(`${address}/cerrar`, { version: 1 }));
    expect([full.status, full.alerts]).toEqual([
      409,
      ['error: La caja chica «Caja de obra» todavía no se puede cerrar: hay $5,000.00 en ella.'],
    ]);
    const back = { tipo: 'devolucion', fecha: '2026-11-20', concepto: 'Resto', importe: '5000' };
    await holder.form(`${address}/nuevo-movimiento`, back);
    const closed = await readPage(approver.follow(await approver.form(`${address}/cerrar`, { version: 1 })));
    expect(closed.decodedHtml).toContain('Se cerró la caja chica «Caja de obra».');
    expect(closed.decodedHtml).toContain('Cerrada el viernes 20 de noviembre de 2026.');
    expect(closed.links(/Editar caja|Nuevo gasto|Reponer|Arqueo$/)).toEqual([]);
    expect((await readPage(approver.get('/caja-chica'))).links('Caja de obra')).toEqual([]);
    const list = await readPage(approver.get('/caja-chica?estado=cerradas'));
    expect(list.links('Caja de obra')).toEqual([address]);
    expect(list.rows[0]?.slice(-2), 'spent and given back').toEqual(['$0.00', '$5,000.00']);
    const api = async (query: string) =>
      (await (await holder.get(`/api/cajachica${query}`)).json()).map(
        ({ closedOn }: { closedOn: string }) => closedOn,
      );
    expect([await api(''), await api('?estado=cerradas')]).toEqual([[], ['2026-11-20']]);
  });

  it('request, on the same form, money that somebody else authorises', async () => {
    const actor = await addActor(fresh.db, { roles: [2] });
    const fund = await addFund(fresh.db, { nombre: 'Caja Norte', actor });
    const browser = await createTestApp({ db: fresh.db }).as(2);
    const form = { tipo: 'apertura', fecha: '2026-11-20', concepto: 'Para fletes', importe: '1,500' };
    const response = await browser.form(`/caja-chica/${fund.id}/nuevo-movimiento`, form);
    const page = await readPage(browser.follow(response));
    expect(page.decodedHtml).toContain('Se pidieron $1,500.00: falta que otra persona lo autorice.');
    expect(page.decodedHtml).toContain('Para fletes');
    const own = await readPage(browser.form(`${response.headers.get('location')}/autorizar`, { version: 1 }));
    expect([own.status, own.alerts.length]).toEqual([409, 1]);
    const fundPage = await readPage(browser.get(`/caja-chica/${fund.id}`));
    expect(fundPage.facts).toMatchObject({ Saldo: '$5,000.00', 'Por autorizar': '$1,500.00' });
    const other = await createTestApp({ db: fresh.db }).as(1);
    await other.form(`${response.headers.get('location')}/autorizar`, { version: 1 });
    expect((await readPage(other.get(`/caja-chica/${fund.id}`))).facts.Saldo).toBe('$6,500.00');
  });

  it('sign the version that was read: a version is required, and an older one is refused', async () => {
    const { fund } = await add();
    const browser = await createTestApp({ db: fresh.db }).as(6);
    const response = await browser.form(`/caja-chica/${fund.id}/reposicion`, {
      todos: 'on',
      fecha: '2026-11-20',
    });
    const address = response.headers.get('location')!;
    const id = Number(address.split('/').at(-1));
    const other = await createTestApp({ db: fresh.db }).as(1);
    const unread = await readPage(other.form(`${address}/autorizar`, { fecha: '2026-11-20' }));
    expect([unread.status, unread.alerts]).toEqual([422, ['error: Falta la versión que se revisó.']]);
    const path = `/api/cajachica/reposiciones/${id}/autorizar`;
    const without = await other.post(path, {});
    expect([without.status, await without.json()]).toEqual([
      422,
      expect.objectContaining({ fields: { version: 'Falta la versión que se revisó.' } }),
    ]);
    await fresh.db
      .updateTable('petty_cash_replenishments')
      .set({ version: 2 })
      .where('id', '=', id)
      .execute();
    const stale = await other.post(path, { version: 1 });
    expect([stale.status, await stale.json()]).toEqual([
      409,
      expect.objectContaining({
        code: 'stale',
        message: 'Otra persona cambió esta solicitud mientras la revisabas.',
        current: expect.objectContaining({ id, version: 2 }),
      }),
    ]);
    const old = await readPage(other.form(`${address}/autorizar`, { version: 1 }));
    expect([old.status, old.decodedHtml.includes('Otra persona cambió esta solicitud')]).toEqual([409, true]);
    const done = await other.post(path, { version: 2 });
    expect([done.status, (await done.json()).estado]).toEqual([200, 'pagada']);
  });

  it('lead from each figure of a fund to the rows that it sums, requested or not', async () => {
    const { actor, fund } = await open();
    const spend = (concepto: string, importeCents: number, more: MovementFieldValues = {}) =>
      createMovement(
        fresh.db,
        actor,
        fund.id,
        createExpenseValues({ fecha: '2026-11-02', concepto, importeCents, ...more }),
      );
    const { movement } = await spend('Clavos', 10_000);
    await spend('Cal', 20_000);
    await spend('Anticipo', 40_000, { comprobante: 'ninguno', comprobarAntes: '2026-11-09' });
    await spend('Resto', 5_000, { tipo: 'devolucion', comprobante: undefined });
    const other = await addFund(fresh.db, { actor });
    await createMovement(fresh.db, actor, other.id, createExpenseValues({ concepto: 'De otra caja' }));
    await changeSetting(fresh.db, await addActor(fresh.db, { roles: [3] }), 'autorizacion', 'otra');
    await browser.form(`/caja-chica/${fund.id}/reposicion`, { movementIds: movement.id });
    const page = await readPage(browser.get(`/caja-chica/${fund.id}`));
    const followFigure = async (figure: string, place = 0) => {
      const address = page.links(figure).at(place)!;
      const { rows, facts, decodedHtml } = await readPage(browser.get(address));
      expect(decodedHtml, figure).toContain(figure);
      return [rows.map(([, concepto]) => concepto), Object.values(facts)];
    };
    expect(page.facts).toMatchObject({
      Saldo: '$4,250.00',
      'Por comprobar': '$400.00',
      'Por reponer': '$300.00',
      'Por autorizar': '$100.00',
    });
    expect(await followFigure('$400.00')).toEqual([['Anticipo'], ['$400.00']]);
    expect(await followFigure('$300.00')).toEqual([['Clavos', 'Cal'], ['$300.00']]);
    expect((await followFigure('$5,000.00', -1))[0]).toEqual(['Apertura de la caja']);
    expect((await followFigure('$750.00', -1))[0]).toEqual(['Resto Devolución', 'Anticipo', 'Cal', 'Clavos']);
    expect((await followFigure('$4,250.00'))[0]).toHaveLength(6);
    expect(page.decodedHtml).toMatch(
      /Hay <a [^>]*vencidos=1[^>]*>\$400\.00<\/a> sin comprobar a tiempo\. Pide los comprobantes\./,
    );
    const list = await readPage(browser.get('/caja-chica'));
    expect(list.decodedHtml).toMatch(/sin comprobar a tiempo: <a /);
    expect(list.links(`${fund.nombre} (Nombre Apellido)`)).toEqual([
      `/caja-chica/por-comprobar?fundId=${fund.id}&vencidos=1`,
    ]);
    const sheet = await browser.get(`/caja-chica/${fund.id}/export.csv?sentido=salidas`);
    expect((await sheet.text()).split('\r\n').at(-2)).toMatch(/Saldo final,.*,,750\.00,4250\.00$/);
  });

  it('fold away rarely used fields of an expense until the firm uses them', async () => {
    const { actor, fund } = await open();
    const address = `/caja-chica/${fund.id}/nuevo-movimiento`;
    const namesIn = (html: string) =>
      [...html.matchAll(/<(?:input|textarea)[^>]* name="(folio|iva|uuid|foto|importe|concepto)"/g)].map(
        ([, name]) => name,
      );
    const parts = async () => {
      const [seen = '', folded = ''] = (await readPage(browser.get(address))).decodedHtml.split(
        'Factura y observaciones',
      );
      return [namesIn(seen), namesIn(folded)];
    };
    expect(await parts()).toEqual([
      ['foto', 'importe', 'concepto'],
      ['folio', 'iva', 'uuid'],
    ]);
    for (let folio = 1; folio <= 10; folio++)
      await createMovement(
        fresh.db,
        actor,
        fund.id,
        createExpenseValues({ folio: `T-${folio}`, importeCents: folio }),
      );
    expect(await parts()).toEqual([
      ['foto', 'importe', 'concepto', 'folio'],
      ['iva', 'uuid'],
    ]);
    const { movement } = await createMovement(
      fresh.db,
      actor,
      fund.id,
      createExpenseValues({ ivaCents: 1_600 }),
    );
    const edit = await readPage(browser.get(`/caja-chica/movimientos/${movement.id}`));
    expect(edit.decodedHtml).toMatch(
      /<details class="disclosure" open=""><summary>(?:(?!<\/summary>).)*Factura y observaciones/s,
    );
    expect(edit.decodedHtml).toContain(`action="/caja-chica/movimientos/${movement.id}/eliminar"`);
  });

  it('list the movements of all funds part by part, each of them once', async () => {
    const { actor, fund } = await open();
    const concepts = Array.from({ length: 60 }, (_, index) => `Clavos ${index + 1}`);
    for (const concepto of concepts) {
      const draft = createExpenseValues({ fecha: '2026-11-02', concepto, importeCents: 100 });
      await createMovement(fresh.db, actor, fund.id, draft);
    }
    const readAll = async () => {
      const first = await readPage(browser.get('/caja-chica/movimientos?tipo=gasto'));
      const [more = ''] = first.links('Cargar más');
      const rest = await readPage(browser.get(more));
      expect(rest.decodedHtml).toContain('>60 movimientos<');
      expect(rest.links('Cargar más')).toEqual([]);
      return [...first.rows, ...rest.rows].map(([, concepto]) => concepto);
    };
    expect(await readAll()).toEqual(concepts);
    await changeSetting(fresh.db, await addActor(fresh.db, { roles: [3] }), 'idioma', 'es');
    expect(await readAll(), 'newest first').toEqual(concepts.toReversed());
    // A printout states which rows it leaves out.
    const statement = `/caja-chica/${fund.id}?desde=2026-11-01&hasta=2026-11-20`;
    const first = await readPage(browser.get(statement));
    expect(first.decodedHtml).toContain(
      'Se imprimieron 50 de 60 movimientos; los totales cuentan 60. Para imprimir todo: Exportar.',
    );
    const more = first.links('Cargar más')[0]!;
    expect((await readPage(browser.get(more))).decodedHtml).toContain('Se imprimieron 10 de 60 movimientos;');
    const fragment = await browser.get(more, { headers: { 'x-fragment': 'results' } });
    expect(await fragment.text()).not.toContain('Se imprimieron');
  });
});
