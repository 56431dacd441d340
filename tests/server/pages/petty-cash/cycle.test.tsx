import { expect, it } from 'vitest';
import { createMovement, deleteMovement } from '../../../../server/services/petty-cash/movements.ts';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { createTestApp } from '../../../support/app.ts';
import { buildCfdi, bytesOf } from '../../../support/cfdi.ts';
import { readPage } from '../../../support/page.ts';
import { addFund, createExpenseValues } from '../../../support/petty-cash.ts';
import { buildPng, buildPngOfQrCode } from '../../../support/pictures.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { addActor, addInvoice, addJob, addSupplier } from '../../../support/rows.ts';
import { readRows } from '../../../support/stored.ts';

const UUID = 'AAAAAAAA-0003-4000-8000-00000000000A';

describeOneDatabase('the cycle of a petty cash fund, on its screens,', (fresh) => {
  const attachments = () =>
    fresh.db.selectFrom('attachments').select(['movementId', 'filename', 'kind']).orderBy('id').execute();

  const multipart = (fields: Record<string, string>, files: Record<string, File> = {}): RequestInit => {
    const body = new FormData();
    for (const [name, value] of Object.entries({ ...fields, ...files })) body.append(name, value);
    return { method: 'POST', body };
  };
  const photo = () => new File([new Uint8Array(buildPng(2, 2))], 'ticket.png');
  const document = () =>
    new File(
      [new Uint8Array(bytesOf(buildCfdi({ uuid: UUID, root: { Fecha: '2026-11-18T09:00:00' } })))],
      'compra.xml',
    );

  it('keeps a ticket with its expense, even if the form was refused first', async () => {
    const fund = await addFund(fresh.db, { openedOn: '2026-11-01' });
    const browser = await createTestApp({ db: fresh.db }).as(5);
    const address = `/caja-chica/${fund.id}/nuevo-movimiento`;
    const typed = { tipo: 'gasto', fecha: '2026-11-20', concepto: 'Clavos', comprobante: 'nota' };
    const refused = await readPage(
      browser.send(address, multipart({ ...typed, importe: '' }, { foto: photo() })),
    );
    expect([refused.status, refused.value('concepto')]).toEqual([422, 'Clavos']);
    expect(refused.decodedHtml).toContain('Se guardará ticket.png.');
    const fotoId = refused.value('fotoId')!;
    const saved = await browser.send(address, multipart({ ...typed, importe: '35.50', fotoId }));
    expect(saved.status).toBe(303);
    const [movement] = await readRows(fresh.db, 'petty_cash_movements', { tipo: 'gasto' });
    expect(await attachments()).toEqual([
      { movementId: movement!.id, filename: 'ticket.png', kind: 'imagen' },
    ]);
    const page = await readPage(browser.get(`/caja-chica/movimientos/${movement!.id}`));
    const [file = ''] = page.links('ticket.png');
    expect((await browser.get(file)).headers.get('content-type')).toBe('image/png');
    const wrong = await readPage(
      browser.send(address, multipart({ ...typed, importe: '1' }, { foto: new File(['x'], 'x.exe') })),
    );
    expect([wrong.status, wrong.errors.length > 0, wrong.value('importe')]).toEqual([422, true, '1']);
  });

  it('opens the form of an expense from a photo alone, and keeps the photo', async () => {
    const jobId = await addJob(fresh.db, { jobtitle: 'Torre' });
    const fund = await addFund(fresh.db, { openedOn: '2026-11-01', jobId });
    const browser = await createTestApp({ db: fresh.db }).as(5);
    const form = await readPage(
      browser.send(`/caja-chica/${fund.id}/leer-xml`, multipart({ lee: 'foto' }, { foto: photo() })),
    );
    expect([form.status, form.alerts, form.focusedControlName]).toEqual([200, [], 'importe']);
    expect([form.value('fecha'), form.value('jobId')]).toEqual(['2026-11-20', String(jobId)]);
    expect(form.decodedHtml).toContain('Se guardará ticket.png.');
    const fields = { fecha: '2026-11-20', concepto: 'Clavos', comprobante: 'nota', importe: '35.50' };
    const fotoId = form.value('fotoId')!;
    await browser.send(`/caja-chica/${fund.id}/nuevo-movimiento`, multipart({ ...fields, fotoId }));
    expect(await attachments()).toMatchObject([{ filename: 'ticket.png', kind: 'imagen' }]);
  });

  it('fills the form from an XML, keeps what only the user knows, and keeps the XML with the expense', async () => {
    const fund = await addFund(fresh.db, { openedOn: '2026-11-01' });
    const jobId = String(await addJob(fresh.db, { jobtitle: 'Torre' }));
    const browser = await createTestApp({ db: fresh.db }).as(5);
    const reads = `/caja-chica/${fund.id}/leer-xml`;
    const form = await readPage(
      browser.send(reads, multipart({ tipo: 'gasto', concepto: 'Cemento', jobId }, { xml: document() })),
    );
    expect(
      ['concepto', 'jobId', 'importe', 'iva', 'uuid', 'folio', 'fecha', 'beneficiario', 'comprobante'].map(
        (name) => form.value(name),
      ),
    ).toEqual([
      'Cemento',
      jobId,
      '1,160.00',
      '160.00',
      UUID,
      'A-0012',
      '2026-11-18',
      'Escuela Kemper',
      'cfdi',
    ]);
    const names = ['tipo', 'concepto', 'importe', 'iva', 'uuid', 'folio', 'fecha', 'comprobante', 'xmlId'];
    const fields = Object.fromEntries(names.map((name) => [name, form.value(name) ?? '']));
    const saved = await browser.send(
      `/caja-chica/${fund.id}/nuevo-movimiento`,
      multipart({ ...fields, idempotencyKey: 'una' }),
    );
    expect(saved.status).toBe(303);
    expect(await attachments()).toMatchObject([{ filename: 'compra.xml', kind: 'cfdi' }]);
    expect(
      await fresh.db.selectFrom('petty_cash_movements').selectAll().where('uuid', '=', UUID).execute(),
    ).toMatchObject([{ subtotalCents: 100_000, ivaCents: 16_000, importeCents: 116_000 }]);
    const twice = await readPage(
      browser.send(
        `/caja-chica/${fund.id}/nuevo-movimiento`,
        multipart({ ...fields, xmlId: '', idempotencyKey: 'dos' }),
      ),
    );
    expect([twice.status, twice.alerts.slice(-1)]).toEqual([
      409,
      [`error: Ese CFDI ya es el comprobante de «Cemento» en la caja «${fund.nombre}».`],
    ]);
    const none = await readPage(browser.send(reads, multipart({ tipo: 'gasto', concepto: 'Cal' })));
    expect([none.alerts, none.value('concepto')]).toEqual([['error: Elige el XML del CFDI.'], 'Cal']);
  });

  const codeOf = (total: string, receptor = 'CACX7605101P8') =>
    `https://verificacfdi.facturaelectronica.sat.gob.mx/default.aspx?id=${UUID}&re=EKU9003173C9&rr=${receptor}&tt=${total}&fe=5tSZhA==`;
  const photoOf = (text: string) => new File([new Uint8Array(buildPngOfQrCode(text))], 'papel.png');

  it('fills the form from the code printed on a CFDI, read in the photo or by the browser, and keeps the photo', async () => {
    const fund = await addFund(fresh.db, { openedOn: '2026-11-01' });
    await addSupplier(fresh.db, { suppliername: 'Escuela Kemper', rfc: 'EKU9003173C9' });
    await changeSetting(fresh.db, await addActor(fresh.db, { roles: [3] }), 'rfc', 'CACX7605101P8');
    const browser = await createTestApp({ db: fresh.db }).as(5);
    const reads = `/caja-chica/${fund.id}/leer-xml`;
    const typed = { tipo: 'gasto', concepto: 'Cemento', lee: 'qr' };
    const filled = (form: Awaited<ReturnType<typeof readPage>>) =>
      ['concepto', 'importe', 'uuid', 'beneficiario', 'comprobante'].map((name) => form.value(name));
    const form = await readPage(
      browser.send(reads, multipart(typed, { foto: photoOf(codeOf('1160.000000')) })),
    );
    expect([form.status, form.alerts, filled(form)]).toEqual([
      200,
      [],
      ['Cemento', '1,160.00', UUID, 'Escuela Kemper', 'cfdi'],
    ]);
    expect(form.decodedHtml).toContain('Se guardará papel.png.');
    const again = await readPage(browser.send(reads, multipart({ ...typed, fotoId: form.value('fotoId')! })));
    expect(filled(again)).toEqual(filled(form));
    const other = await readPage(
      browser.send(reads, multipart({ ...typed, lee: 'foto', qr: codeOf('35.5', 'GODE561231GR8') })),
    );
    expect([other.alerts, other.value('importe')]).toEqual([
      ['warning: El receptor, GODE561231GR8, no es la empresa (CACX7605101P8).'],
      '35.50',
    ]);
    const ticket = await readPage(browser.send(reads, multipart({ lee: 'foto', qr: 'WIFI:S:Saldo;;' })));
    expect([ticket.status, ticket.alerts, ticket.value('importe')]).toEqual([200, [], '']);
  });

  it('says at once that a printed CFDI is on file, as an expense, as an invoice, or replaced', async () => {
    const fund = await addFund(fresh.db, { openedOn: '2026-11-01' });
    const { id } = (
      await createMovement(
        fresh.db,
        await addActor(fresh.db),
        fund.id,
        createExpenseValues({ comprobante: 'cfdi', uuid: UUID }),
      )
    ).movement;
    const browser = await createTestApp({ db: fresh.db }).as(5);
    const read = (address: string) =>
      readPage(browser.send(address, multipart({ tipo: 'gasto', lee: 'qr', qr: codeOf('300.00') })));
    const reads = `/caja-chica/${fund.id}/leer-xml`;
    const expense = await read(reads);
    expect([expense.status, expense.alerts, expense.value('importe')]).toEqual([
      409,
      [`error: Ese CFDI ya es el comprobante de «Gasolina» en la caja «${fund.nombre}».`],
      '300.00',
    ]);
    expect((await read(`/caja-chica/movimientos/${id}/leer-xml`)).alerts).toEqual([]);
    await fresh.db.updateTable('petty_cash_movements').set({ uuid: null }).where('id', '=', id).execute();
    await addInvoice(fresh.db, { uuid: UUID, numfactura: 'A-7' });
    expect((await read(reads)).alerts).toEqual(['error: Ese CFDI ya es la factura A-7.']);
    const replacing = { uuid: UUID.replace('AAAA', 'BBBB'), replacedUuid: UUID, rfc: 'EKU9003173C9' };
    await fresh.db
      .insertInto('document_relations')
      .values({ ...replacing, kind: 'I', numero: 'A-8' })
      .execute();
    expect((await read(reads)).alerts).toEqual([
      `error: Lo sustituyó el CFDI ${replacing.uuid}, que es la factura A-8: no se guarda.`,
    ]);
  });

  it('says what to do where a photo shows no code, or another one', async () => {
    const fund = await addFund(fresh.db, { openedOn: '2026-11-01' });
    const browser = await createTestApp({ db: fresh.db }).as(5);
    const read = async (fields: Record<string, string>, files: Record<string, File> = {}) => {
      const sent = multipart({ tipo: 'gasto', lee: 'qr', importe: '9.00', ...fields }, files);
      const page = await readPage(browser.send(`/caja-chica/${fund.id}/leer-xml`, sent));
      return [page.status, page.alerts[0], page.value('importe')];
    };
    const noCode =
      'error: En la foto no se ve ningún QR: tómala de cerca, con luz, con el código entero, o captura el gasto a mano.';
    expect(await read({})).toEqual([
      422,
      'error: Toma la foto del comprobante o elígela: el QR se lee de ella.',
      '9.00',
    ]);
    expect(await read({}, { foto: photo() })).toEqual([422, noCode, '9.00']);
    expect(await read({ qr: '' }, { foto: photoOf(codeOf('1.00')) })).toEqual([422, noCode, '9.00']);
    expect(await read({}, { foto: photoOf('https://ejemplo.mx/menu') })).toEqual([
      422,
      'error: Ese QR no es el de un CFDI: dice «https://ejemplo.mx/menu».',
      '9.00',
    ]);
    expect(await read({ qr: codeOf('1.005') })).toEqual([
      422,
      'error: Total del QR: máximo dos decimales.',
      '9.00',
    ]);
  });

  it('lets spent money be requested, authorised by another user, and undone', async () => {
    const { db } = fresh;
    const holder = await addActor(db, { roles: [6] });
    const fund = await addFund(db, { nombre: 'Caja Norte', responsableId: holder.userId });
    const { movement: spent } = await createMovement(db, holder, fund.id, createExpenseValues());
    await createMovement(
      db,
      holder,
      fund.id,
      createExpenseValues({ concepto: 'Anticipo', comprobante: 'ninguno' }),
    );
    const app = createTestApp({ db });
    const [requester, approves] = [await app.as(6), await app.as(2)];
    const page = await readPage(requester.get(`/caja-chica/${fund.id}/reposicion`));
    expect(page.decodedHtml).toContain('data-cents="30000"');
    expect(page.decodedHtml).toContain('Comprobar antes del 27 nov');
    const none = await readPage(requester.form(`/caja-chica/${fund.id}/reposicion`, { fecha: '2026-11-20' }));
    expect([none.status, none.alerts]).toEqual([422, ['error: No hay gastos comprobados sin pedir.']]);
    const response = await requester.form(`/caja-chica/${fund.id}/reposicion`, { movementIds: spent.id });
    const request = response.headers.get('location')!;
    const shown = await readPage(requester.follow(response));
    expect(shown.decodedHtml).toContain('Se pidieron $300.00: falta que otra persona lo autorice.');
    expect(shown.decodedHtml).toContain('Falta autorizar: lo hace otra persona de Dirección o Contabilidad.');
    expect((await requester.form(`${request}/autorizar`)).status).toBe(403);
    const version = (await readPage(approves.get(request))).value('version')!;
    const paid = await readPage(approves.follow(await approves.form(`${request}/autorizar`, { version })));
    expect(paid.decodedHtml).toContain('Entraron $300.00 a la caja.');
    const fundPage = await readPage(approves.get(`/caja-chica/${fund.id}`));
    expect(fundPage.facts).toMatchObject({
      Saldo: '$4,700.00',
      'Por comprobar': '$300.00',
      'Por reponer': '$0.00',
    });
    const back = await readPage(approves.follow(await approves.form(`${request}/deshacer`)));
    expect(back.decodedHtml).toContain('la solicitud queda por autorizar');
    expect((await requester.form(`${request}/retirar`)).headers.get('location')).toBe(
      `/caja-chica/${fund.id}/reposicion`,
    );
  });

  it('shows after a count what should be there, and keeps what was typed', async () => {
    const fund = await addFund(fresh.db, { aperturaCents: 123_450 });
    const app = createTestApp({ db: fresh.db });
    const [counts, approves] = [await app.as(6), await app.as(1)];
    const address = `/caja-chica/${fund.id}/arqueo`;
    expect((await readPage(counts.get(address))).decodedHtml).not.toContain('1,234.50');
    const wrong = await readPage(counts.form(address, { piezas500: 'dos', piezas200: '3' }));
    expect([wrong.status, wrong.focusedControlName, wrong.value('piezas200')]).toEqual([
      422,
      'piezas500',
      '3',
    ]);
    expect(wrong.decodedHtml).not.toContain('1,234.50');
    const stored = await counts.form(address, { piezas1000: '1', piezas200: '1', piezas0_50: '1' });
    const result = await readPage(counts.follow(stored));
    expect(result.facts).toEqual({ Contado: '$1,200.50', 'Debía haber': '$1,234.50', Faltante: '$34.00' });
    const settle = `${stored.headers.get('location')}/ajustar`;
    const silent = await readPage(approves.form(settle, { motivo: '' }));
    expect([silent.status, silent.alerts]).toEqual([422, ['error: Indica el motivo de la diferencia.']]);
    const settled = await readPage(approves.follow(await approves.form(settle, { motivo: 'Cambio' })));
    expect(settled.decodedHtml).toContain('Se ajustó la diferencia de -$34.00.');
    expect(settled.facts.Saldo).toBe('$1,200.50');
  });

  it('closes a fund by a count on one page, which names what it writes, and keeps what was typed', async () => {
    const fund = await addFund(fresh.db, {
      nombre: 'Caja Norte',
      openedOn: '2026-11-01',
      aperturaCents: 123_450,
    });
    const app = createTestApp({ db: fresh.db });
    const [clerk, approves] = [await app.as(6), await app.as(2)];
    const address = `/caja-chica/${fund.id}`;
    expect((await readPage(clerk.get(address))).links(/Cerrar caja|Entregar caja/)).toEqual([]);
    for (const step of ['cerrar', 'entregar'])
      expect((await clerk.get(`${address}/${step}`)).status).toBe(403);
    expect((await readPage(approves.get(address))).links('Cerrar caja')).toEqual([`${address}/cerrar`]);
    const page = await readPage(approves.get(`${address}/cerrar`));
    expect([page.facts.Saldo, page.value('esperado'), page.value('fecha')]).toEqual([
      '$1,234.50',
      '1234.50',
      '2026-11-20',
    ]);
    expect(page.decodedHtml).toMatch(/El arqueo.*un ajuste.*La devolución de lo contado a .*El cierre/s);
    const hidden = { version: page.value('version')!, esperado: '1234.50', idempotencyKey: 'cierre-1' };
    const typed = {
      ...hidden,
      fecha: '2026-11-19',
      piezas1000: '1',
      piezas200: '1',
      comments: 'Fin de obra',
    };
    const kept = (form: Awaited<ReturnType<typeof readPage>>) =>
      ['fecha', 'piezas1000', 'piezas200', 'comments'].map((name) => form.value(name));
    const short = await readPage(approves.form(`${address}/cerrar`, typed));
    expect([short.status, short.focusedControlName, kept(short)]).toEqual([
      422,
      'motivo',
      ['2026-11-19', '1', '1', 'Fin de obra'],
    ]);
    const ticket = createExpenseValues({ importeCents: 3_450, comprobante: 'ninguno' });
    const { movement } = await createMovement(fresh.db, await addActor(fresh.db), fund.id, ticket);
    const moved = await readPage(approves.form(`${address}/cerrar`, { ...typed, motivo: 'Cambio' }));
    expect([moved.status, kept(moved)]).toEqual([409, ['2026-11-19', '1', '1', 'Fin de obra']]);
    expect(moved.decodedHtml).toContain('faltan comprobantes por $34.50');
    expect((await readPage(approves.get(`${address}/cerrar`))).value('piezas1000')).toBeUndefined();
    await deleteMovement(fresh.db, await addActor(fresh.db), movement.id);
    const again = { ...typed, piezas20: '1', piezas10: '1', piezas2: '2', piezas0_50: '1' };
    const closed = await approves.form(`${address}/cerrar`, again);
    expect(closed.headers.get('location')).toBe(address);
    expect((await approves.form(`${address}/cerrar`, again)).headers.get('location')).toBe(address);
    const shown = await readPage(approves.follow(closed));
    expect(shown.decodedHtml).toContain('Se cerró la caja chica «Caja Norte».');
    expect([shown.facts.Saldo, shown.decodedHtml.includes('Cierre de la caja')]).toEqual(['$0.00', true]);
    expect((await approves.get(`${address}/cerrar`)).headers.get('location')).toBe(address);
    const late = await readPage(approves.form(`${address}/cerrar`, { ...again, idempotencyKey: 'cierre-2' }));
    expect([late.status, late.alerts, kept(late)]).toEqual([
      409,
      ['error: La caja chica «Caja Norte» se cerró el viernes 20 de noviembre de 2026.'],
      ['2026-11-19', '1', '1', 'Fin de obra'],
    ]);
    const history = await readPage(approves.get(`${address}/arqueo`));
    expect([history.links(/^Arqueo \d+$/).length, history.decodedHtml.includes('piezas1000')]).toEqual([
      1,
      false,
    ]);
    const list = await readPage(approves.get('/caja-chica?estado=cerradas'));
    expect([list.decodedHtml.includes('Cierre'), list.links('Nuevo gasto')]).toEqual([true, []]);
    const csv = async (query: string) => (await approves.get(`/caja-chica/export.csv${query}`)).text();
    expect([
      (await csv('?estado=cerradas')).includes('Caja Norte'),
      (await csv('')).includes('Caja Norte'),
    ]).toEqual([true, false]);
  });

  it('hands a fund over by a count, with both names on its sheet and in the list', async () => {
    const fund = await addFund(fresh.db, { aperturaCents: 50_000 });
    const taker = await addActor(fresh.db, { roles: [6] });
    await fresh.db
      .updateTable('users')
      .set({ userfirstname: 'Eva', userlastname: 'Luna' })
      .where('id', '=', taker.userId)
      .execute();
    const approves = await createTestApp({ db: fresh.db }).as(1);
    const address = `/caja-chica/${fund.id}`;
    expect((await readPage(approves.get(`${address}/editar`))).links('Entregar caja')).toEqual([
      `${address}/entregar`,
    ]);
    const page = await readPage(approves.get(`${address}/entregar`));
    expect(page.focusedControlName).toBe('responsableId');
    const hidden = {
      version: page.value('version')!,
      esperado: page.value('esperado')!,
      idempotencyKey: 'entrega',
    };
    const nobody = await readPage(approves.form(`${address}/entregar`, { ...hidden, piezas500: '1' }));
    expect([nobody.status, nobody.alerts, nobody.value('piezas500')]).toEqual([
      422,
      ['error: Elige a quién se entrega la caja.'],
      '1',
    ]);
    const given = await approves.form(`${address}/entregar`, {
      ...hidden,
      piezas500: '1',
      responsableId: String(taker.userId),
    });
    const sheet = await readPage(approves.follow(given));
    expect(sheet.decodedHtml).toContain('Se entregó la caja a Eva Luna.');
    expect(sheet.decodedHtml).toMatch(/Entregó: Nombre Apellido\. Recibió: Eva Luna\./);
    expect(sheet.decodedHtml).toContain('Recibe: Eva Luna');
    const list = await readPage(approves.get(`${address}/arqueo`));
    expect(list.rows.at(-1)).toContain('Eva Luna');
    const stale = await readPage(
      approves.form(`${address}/entregar`, {
        ...hidden,
        idempotencyKey: 'otra',
        piezas500: '1',
        responsableId: '1',
      }),
    );
    expect([stale.status, stale.value('piezas500')]).toEqual([409, '1']);
  });

  it('shows what is late on the bell, with a link to its rows', async () => {
    const fund = await addFund(fresh.db, { openedOn: '2026-11-01' });
    const actor = await addActor(fresh.db);
    const given = { comprobante: 'ninguno', fecha: '2026-11-02', concepto: 'Anticipo' } as const;
    await createMovement(fresh.db, actor, fund.id, createExpenseValues(given));
    await createMovement(fresh.db, actor, fund.id, createExpenseValues({ ...given, fecha: '2026-11-19' }));
    const browser = await createTestApp({ db: fresh.db }).as(1);
    const notices = await readPage(browser.get('/notificaciones'));
    const [late = ''] = notices.links(/^1 gasto de caja chica sin comprobar a tiempo ?\$[\d,.]+$/);
    expect((await readPage(browser.get(late))).rows).toHaveLength(1);
    const dashboard = await readPage(browser.get('/dashboard'));
    expect(dashboard.decodedHtml).toContain('Caja chica por comprobar');
    const all = await readPage(browser.get('/caja-chica/por-comprobar'));
    expect([all.rows.length, all.facts['Por comprobar']]).toEqual([2, '$600.00']);
  });
});
