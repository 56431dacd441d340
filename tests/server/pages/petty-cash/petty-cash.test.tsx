import { expect, it } from 'vitest';
import { createMovement, updateMovement } from '../../../../server/services/petty-cash/movements.ts';
import { getFund } from '../../../../server/services/petty-cash/reading.ts';
import { MOST_ENTRIES } from '../../../../server/services/petty-cash/statement.ts';
import type { FundDraft, MovementDraft } from '../../../../shared/petty-cash.ts';
import { createTestApp, type TestClient } from '../../../support/app.ts';
import { readPage } from '../../../support/page.ts';
import { addFund, letOneBeEnough, spending } from '../../../support/petty-cash.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import {
  addActor,
  addFundingSource,
  addInvoice,
  addJob,
  addPayment,
  addRubro,
  addSupplier,
  NOW,
} from '../../../support/rows.ts';

describeOneDatabase('the screens of petty cash', (fresh) => {
  const signedIn = (): Promise<TestClient> => createTestApp({ db: fresh.db }).as(2);
  const movements = () =>
    fresh.db
      .selectFrom('petty_cash_movements')
      .selectAll()
      .where('concepto', '<>', 'Apertura de la caja')
      .orderBy('id')
      .execute();
  async function open(nombre = 'Caja de obra', openedOn = '2026-09-01', more: FundDraft = {}) {
    const actor = await addActor(fresh.db);
    await letOneBeEnough(fresh.db);
    return { actor, fund: await addFund(fresh.db, { actor, nombre, openedOn, ...more }) };
  }
  const add = async (part: MovementDraft = {}) => {
    const { actor, fund } = await open();
    const draft = spending({ fecha: '2026-11-02', ...part });
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

  it('without a fund say what they are for and open the first one', async () => {
    const browser = await signedIn();
    const page = await readPage(browser.get('/caja-chica'));
    expect(page.html).toContain('Todavía no hay cajas chicas');
    expect(page.html).toContain('Aquí se lleva el efectivo para gastos menores');
    expect(page.links('Abrir caja')).toEqual(['/caja-chica/nuevo-fondo']);
    await addFundingSource(fresh.db);
    expect((await readPage(browser.get('/origenderecursos'))).links('Caja chica')).toEqual(['/caja-chica']);
    expect((await readPage(browser.get('/rubros'))).links('Caja chica')).toEqual([]);
  });

  it('list every fund with who answers for it and what is in it today', async () => {
    const { fund } = await add();
    await open('Banco', '2026-11-20');
    const page = await readPage((await signedIn()).get('/caja-chica'));
    expect(page.rows).toEqual([
      ['Banco', 'Nombre Apellido', '', 'Fri, 20 Nov 2026', '–', '–', '$5,000.00', ''],
      ['Caja de obra', 'Nombre Apellido', '', 'Mon, 02 Nov 2026', '–', '$300.00', '$4,700.00', ''],
    ]);
    expect(page.facts).toEqual({
      'En caja el Fri, 20 Nov 2026': '$9,700.00',
      'Por comprobar': '$0.00',
      'Por reponer': '$300.00',
    });
    expect(page.links('Caja de obra')).toEqual([`/caja-chica/${fund.id}`]);
    expect(page.html).not.toContain('El saldo es negativo');
  });

  it('show a fund’s last three months between the balance before and after', async () => {
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
      await createMovement(fresh.db, actor, fund.id, spending(part));
    }
    const browser = await signedIn();
    const page = await readPage(browser.get(`/caja-chica/${fund.id}`));
    expect(page.rows).toEqual([
      ['', 'Saldo anterior', '', '', '', '', '', '$4,000.00', ''],
      ['Mon, 02 Nov 2026', 'GasolinaLa Palma', 'T-1', 'Torre', '', '$300.00', 'Por reponer', '$3,700.00', ''],
      ['Tue, 03 Nov 2026', 'Gasolina Ajuste', '', '', '$200.00', '', '', '$3,900.00', ''],
      [
        'Wed, 04 Nov 2026',
        'Pago a Aceros, factura A-1Aceros',
        '',
        'Torre',
        '',
        '$100.00',
        '',
        '$3,800.00',
        '',
      ],
    ]);
    expect(page.facts).toEqual({
      Saldo: '$3,800.00',
      'Por comprobar': '$0.00',
      'Por reponer': '$1,300.00',
      'Saldo anterior': '$4,000.00',
      Ingresos: '$200.00',
      Salidas: '$400.00',
      'Saldo final': '$3,800.00',
    });
    expect([page.value('desde'), page.value('hasta')]).toEqual(['2026-09-01', '2026-11-20']);
    expect(page.links('Pago a Aceros, factura A-1')).toEqual([`/editpaymentpage/${paymentId}`]);
    expect(page.html).not.toContain(`/caja-chica/movimientos/${paymentId}/eliminar"><button`);
    expect(page.links('Exportar')).toEqual([
      `/caja-chica/${fund.id}/export.pdf?desde=2026-09-01&hasta=2026-11-20`,
    ]);
    const whole = await readPage(browser.get(page.links('Desde la apertura')[0]!));
    expect(whole.rows[0]!.slice(1, 2)).toEqual(['Antes de abrir la caja']);
    expect(whole.rows).toHaveLength(6);
  });

  it('export what is shown, to the cent, and nothing that a spreadsheet would run', async () => {
    const { fund } = await add({ concepto: '=HYPERLINK("x")', folio: '7' });
    const browser = await signedIn();
    const answer = await browser.get(`/caja-chica/${fund.id}/export.csv?desde=2026-11-01&hasta=2026-11-20`);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toContain('2026-11-01 a 2026-11-20.csv"');
    const bytes = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await answer.arrayBuffer());
    expect(bytes.split('\r\n')).toEqual([
      '\ufeffFecha,Concepto,Tipo,Beneficiario,Comprobante,Estado,Obra,Rubro,Ingreso,Gasto,Saldo',
      '2026-11-01,Saldo anterior,,,,,,,,,5000.00',
      '2026-11-02,"\'=HYPERLINK(""x"")",Gasto,,7,Por reponer,,,,300.00,4700.00',
      '2026-11-20,Saldo final,,,,,,,0.00,300.00,4700.00',
      '',
    ]);
  });

  it('show in red, and say, that a balance is below zero', async () => {
    const { fund } = await add();
    // What was there before there was a rule against it.
    await fresh.db
      .updateTable('petty_cash_movements')
      .set({ subtotalCents: 500_001, importeCents: 500_001 })
      .where('tipo', '=', 'gasto')
      .execute();
    const sentence = 'El saldo es negativo: falta registrar un ingreso o sobra un gasto.';
    const browser = await signedIn();
    const page = await readPage(browser.get(`/caja-chica/${fund.id}`));
    expect(page.html).toContain(sentence);
    expect(page.html).toContain('<span class="wrong"><span class="money">-$0.01</span></span>');
    expect((await readPage(browser.get('/caja-chica'))).html).toContain(sentence);
  });

  it('say what is wrong with a period, and show a whole one that is empty', async () => {
    const { fund } = await add();
    const browser = await signedIn();
    const wrong = await readPage(browser.get(`/caja-chica/${fund.id}?desde=2026-11-20&hasta=2026-11-01`));
    expect(wrong.status).toBe(400);
    expect(wrong.alerts).toEqual(['error: El periodo termina antes de empezar: revisa las dos fechas.']);
    expect([wrong.value('desde'), wrong.value('hasta')]).toEqual(['2026-11-20', '2026-11-01']);
    const empty = await readPage(browser.get(`/caja-chica/${fund.id}?desde=2026-11-10`));
    expect(empty.html).toContain('Sin movimientos en este periodo');
    expect(empty.facts['Saldo final']).toBe('$4,700.00');
    expect((await browser.get('/caja-chica/99')).status).toBe(404);
  });

  it('show the last of very many movements and say so', async () => {
    const { actor, fund } = await open();
    const row = {
      fecha: '2026-11-02',
      tipo: 'ajuste' as const,
      beneficiario: '',
      concepto: 'Sobrante',
      comprobante: 'ninguno' as const,
      folio: '',
      uuid: null,
      comprobarAntes: null,
      replenishmentId: null,
      countId: null,
      origenderecursoId: null,
    };
    const rest = {
      subtotalCents: 1,
      ivaCents: 0,
      importeCents: 1,
      jobId: null,
      rubroId: null,
      comments: '',
      importId: null,
      userId: actor.userId,
    };
    const values = { fundId: fund.id, ...row, ...rest, createdAt: NOW, updatedAt: NOW };
    for (let done = 0; done <= MOST_ENTRIES; done += 400) {
      await fresh.db.insertInto('petty_cash_movements').values(Array(400).fill(values)).execute();
    }
    const page = await readPage((await signedIn()).get(`/caja-chica/${fund.id}`));
    expect(page.html).toContain(
      `El periodo tiene 2401 movimientos y se muestran los últimos ${MOST_ENTRIES}`,
    );
    expect(page.rows).toHaveLength(MOST_ENTRIES + 1);
    expect(page.rows[0]!.slice(1, 2)).toEqual(['Saldo anterior']);
    expect(page.rows[0]!.at(-2)).toBe('$5,004.00');
    expect(page.facts['Antes de abrir la caja']).toBe('$0.00');
  });

  it('open a fund from a form without script, once for each time it is sent', async () => {
    const id = await addFundingSource(fresh.db);
    const { userId } = await addActor(fresh.db);
    await letOneBeEnough(fresh.db);
    const browser = await signedIn();
    const form = await readPage(browser.get('/caja-chica/nuevo-fondo'));
    expect(form.value('openedOn')).toBe('2026-11-20');
    const fields = {
      idempotencyKey: form.value('idempotencyKey'),
      nombre: ' Caja de obra ',
      origenderecursoId: id,
      responsableId: userId,
      jobId: '',
      montofijo: '$5,000',
      tope: '',
      openedOn: '2026-09-01',
      apertura: '$5,000',
      pagosOrigenId: '',
      comments: '',
    };
    const answer = await browser.form('/caja-chica/nuevo-fondo', fields);
    const again = await browser.form('/caja-chica/nuevo-fondo', fields);
    expect(again.headers.get('location')).toBe(answer.headers.get('location'));
    const page = await readPage(browser.follow(answer));
    expect(page.html).toContain('Se abrió la caja chica «Caja de obra».');
    expect(page.facts.Saldo).toBe('$5,000.00');
    const funds = await fresh.db.selectFrom('petty_cash_funds').selectAll().execute();
    expect(funds).toMatchObject([
      {
        nombre: 'Caja de obra',
        responsableId: userId,
        origenderecursoId: id,
        montofijoCents: 500_000,
        topeCents: null,
        pagosOrigenId: null,
      },
    ]);
    const taken = await readPage(
      browser.form('/caja-chica/nuevo-fondo', { ...fields, idempotencyKey: 'otra', comments: 'x' }),
    );
    expect([taken.status, taken.errors]).toEqual([
      409,
      ['Ya hay una caja chica que se llama «Caja de obra».'],
    ]);
    expect([taken.value('comments'), taken.value('apertura')]).toEqual(['x', '$5,000']);
  });

  it('keep what was typed in a refused fund, with the focus in the first wrong field', async () => {
    const browser = await signedIn();
    const page = await readPage(
      browser.form('/caja-chica/nuevo-fondo', {
        nombre: 'Caja',
        responsableId: '',
        origenderecursoId: '',
        openedOn: '2026-11-20',
        apertura: '5',
      }),
    );
    expect(page.status).toBe(422);
    expect(page.alerts).toEqual([
      'error: Se requieren el nombre, el responsable, el origen de recurso y la fecha de apertura.',
    ]);
    expect(page.errors).toHaveLength(2);
    expect([page.value('nombre'), page.value('apertura')]).toEqual(['Caja', '5']);
    const amount = await readPage(
      browser.form('/caja-chica/nuevo-fondo', {
        nombre: 'Caja',
        openedOn: '2026-09-01',
        apertura: 'cinco',
      }),
    );
    expect([amount.status, amount.focused, amount.value('apertura')]).toEqual([400, 'apertura', 'cinco']);
  });

  it('record a movement once for each time it is sent, and lead to where it shows', async () => {
    const { fund } = await open();
    const jobId = await addJob(fresh.db);
    const rubroId = await addRubro(fresh.db);
    const browser = await signedIn();
    const address = `/caja-chica/${fund.id}/nuevo-movimiento`;
    const form = await readPage(browser.get(address));
    expect([form.value('fecha'), form.focused]).toEqual(['2026-11-20', 'importe']);
    const fields = { ...typed, jobId, rubroId, idempotencyKey: form.value('idempotencyKey') };
    const answer = await browser.form(address, fields);
    expect(answer.headers.get('location')).toBe(`/caja-chica/${fund.id}`);
    await browser.form(address, fields);
    expect(await movements()).toMatchObject([
      { tipo: 'gasto', concepto: 'Casetas a obra', importeCents: 120_050, folio: 'T-9', jobId, rubroId },
    ]);
    const saved = await readPage(browser.follow(answer));
    expect(saved.html).toContain('Se registró el movimiento.');
    const [movement] = await movements();
    expect(saved.links('Ver movimiento')).toEqual([`/caja-chica/movimientos/${movement?.id}`]);

    const other = await readPage(browser.form(address, { ...fields, concept: 'Otro' }));
    expect(other.status).toBe(409);
    expect(other.alerts[0]).toContain('Este formulario ya se guardó con otros datos.');
    expect(other.value('idempotencyKey')).not.toBe(fields.idempotencyKey);

    const early = await browser.form(address, { ...typed, fecha: '2026-09-01', idempotencyKey: 'b' });
    expect(early.headers.get('location')).toBe(`/caja-chica/${fund.id}`);
    const later = await browser.form(address, { ...typed, fecha: '2026-12-01', idempotencyKey: 'c' });
    expect((await readPage(later)).alerts).toContain(
      'error: La fecha es posterior a hoy: el dinero todavía no se mueve.',
    );
  });

  it('keep what was typed in a refused movement, with the focus in the first wrong field', async () => {
    const { fund } = await open();
    const jobId = await addJob(fresh.db, { jobtitle: 'Torre' });
    const browser = await signedIn();
    const address = `/caja-chica/${fund.id}/nuevo-movimiento`;
    const page = await readPage(browser.form(address, { ...typed, importe: '', concepto: ' ', jobId }));
    expect(page.status).toBe(422);
    expect(page.alerts).toEqual(['error: Se requieren la fecha, el concepto y el importe.']);
    expect([page.focused, page.errors.length]).toEqual(['importe', 2]);
    expect([page.value('folio'), page.value('jobId')]).toEqual(['T-9', String(jobId)]);
    const short = await readPage(browser.form(address, { ...typed, importe: '5000.01' }));
    expect([short.alerts, short.focused]).toEqual([
      ['error: En la caja «Caja de obra» solo hay $5,000.00.'],
      'importe',
    ]);
    expect(await movements()).toEqual([]);
  });

  it('change a movement, and show both values after somebody else’s newer save', async () => {
    const { actor, fund, movement } = await add();
    const browser = await signedIn();
    const address = `/caja-chica/movimientos/${movement.id}`;
    const form = await readPage(browser.get(address));
    expect([form.value('concepto'), form.value('importe'), form.value('version')]).toEqual([
      'Gasolina',
      '300.00',
      '1',
    ]);
    await updateMovement(fresh.db, actor, movement.id, { concepto: 'Diésel' });
    const stale = await readPage(browser.form(address, { ...typed, version: 1 }));
    expect(stale.status).toBe(409);
    expect(stale.rows).toContainEqual(['Concepto', 'Diésel', 'Casetas a obra']);
    expect(stale.rows).toContainEqual(['Fecha', 'Mon, 02 Nov 2026', 'Tue, 03 Nov 2026']);
    expect(stale.rows).toContainEqual(['Importe', '$300.00', '$1,200.50']);
    expect(stale.value('version')).toBe('2');
    const saved = await browser.form(address, { ...typed, version: 2 });
    expect(saved.headers.get('location')).toBe(`/caja-chica/${fund.id}`);
    expect(await movements()).toMatchObject([
      { concepto: 'Casetas a obra', importeCents: 120_050, version: 3 },
    ]);
  });

  it('delete a movement, say so, and bring it back', async () => {
    const { fund, movement } = await add();
    const browser = await signedIn();
    const next = `/caja-chica/${fund.id}?desde=2026-11-01&hasta=2026-11-20`;
    const deleted = await browser.form(`/caja-chica/movimientos/${movement.id}/eliminar`, { next });
    expect(deleted.headers.get('location')).toBe(next);
    const page = await readPage(browser.follow(deleted));
    expect(page.html).toContain('Se eliminó el movimiento.');
    expect(page.html).toContain(`action="/caja-chica/movimientos/${movement.id}/deshacer"`);
    expect(await movements()).toEqual([]);
    const back = await browser.form(`/caja-chica/movimientos/${movement.id}/deshacer`);
    expect((await readPage(browser.follow(back))).html).toContain('Se recuperó el movimiento.');
    expect(await movements()).toMatchObject([{ id: movement.id, concepto: 'Gasolina' }]);
    const twice = await readPage(browser.form(`/caja-chica/movimientos/${movement.id}/deshacer`));
    expect([twice.status, twice.alerts]).toEqual([
      409,
      [`error: El movimiento ${movement.id} no está eliminado.`],
    ]);
  });

  it('change a fund, and delete it once it has no movements', async () => {
    const { fund, movement } = await add();
    const browser = await signedIn();
    const address = `/caja-chica/${fund.id}/editar`;
    const form = await readPage(browser.get(address));
    expect([form.value('nombre'), form.value('montofijo')]).toEqual(['Caja de obra', '']);
    const fields = {
      nombre: 'Caja Norte',
      responsableId: fund.responsableId!,
      origenderecursoId: fund.origenderecursoId!,
      openedOn: '2026-09-01',
      montofijo: '8000',
      comments: 'x',
      version: 1,
    };
    const saved = await browser.form(address, fields);
    expect((await readPage(browser.follow(saved))).html).toContain('Se guardó la caja chica «Caja Norte».');
    expect(await getFund(fresh.db, fund.id)).toMatchObject({ nombre: 'Caja Norte', montofijoCents: 800_000 });
    const stale = await readPage(browser.form(address, { ...fields, nombre: 'Caja Sur' }));
    expect([stale.status, stale.rows]).toEqual([409, [['Nombre', 'Caja Norte', 'Caja Sur']]]);

    const used = await readPage(browser.form(`/caja-chica/${fund.id}/eliminar`));
    expect([used.status, used.alerts]).toEqual([
      409,
      ['error: No se puede eliminar la caja chica «Caja Norte»: tiene 2 movimientos.'],
    ]);
    await browser.form(`/caja-chica/movimientos/${movement.id}/eliminar`);
    await fresh.db.deleteFrom('petty_cash_movements').execute();
    const gone = await browser.form(`/caja-chica/${fund.id}/eliminar`, { version: 2 });
    expect(gone.headers.get('location')).toBe('/caja-chica');
    expect((await readPage(browser.follow(gone))).html).toContain('Se eliminó la caja chica «Caja Norte».');
  });
});
