import { expect, it } from 'vitest';
import { payBatch } from '../../../../server/services/payment-batches/paying.ts';
import { createBatch } from '../../../../server/services/payment-batches/payment-batches.ts';
import { getBatch } from '../../../../server/services/payment-batches/reading.ts';
import { markBatchSent, signBatch } from '../../../../server/services/payment-batches/stages.ts';
import { createPayment } from '../../../../server/services/payments/payments.ts';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { updateUser } from '../../../../server/services/users/users.ts';
import { pages } from '../../../../shared/urls.ts';
import { addAccount } from '../../../support/accounts.ts';
import { createTestApp, type TestClient } from '../../../support/app.ts';
import { addBatch } from '../../../support/batches.ts';
import { readPage } from '../../../support/page.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import {
  addActor,
  addFundingSource,
  addInvoice,
  addPayment,
  addSupplier,
  createActor,
  NOW,
} from '../../../support/rows.ts';

const LIST = '/programaciones';

describeOneDatabase('the screens of payment batches', (fresh) => {
  const as = (role: number): Promise<TestClient> => createTestApp({ db: fresh.db }).as(role);
  const choose = (browser: TestClient, ids: number[], fields: Record<string, string>) =>
    browser.send(`${LIST}/nueva`, {
      method: 'POST',
      body: new URLSearchParams([
        ...ids.map((id) => ['facturaproveedorId', String(id)]),
        ...Object.entries(fields),
      ]),
    });

  it('say what batches are for while there is none', async () => {
    const page = await readPage((await as(6)).get(LIST));
    expect(page.decodedHtml).toContain('Todavía no hay programaciones de pagos');
    expect(page.links('Programar pagos')).toContain(`${LIST}/nueva`);
  });

  it('begin with the batches that wait for the reader, while the list is not filtered', async () => {
    const [draft, sent] = [await addBatch(fresh.db), await addBatch(fresh.db, { estado: 'enviada' })];
    await addBatch(fresh.db, { estado: 'pagada' });
    const approver = await as(1);
    const waiting = async (browser: TestClient, query = '') => {
      const page = await readPage(browser.get(`${LIST}${query}`));
      expect(page.rows, query).toHaveLength(query ? 1 : 3);
      return page.links(/Autorizar la programación|falta que el banco la pague/);
    };
    expect(await waiting(approver)).toEqual([`${LIST}/${draft.id}`, `${LIST}/${sent.id}`]);
    expect(await waiting(approver, '?estado=borrador')).toEqual([]);
    expect(await waiting(await as(6))).toEqual([]);
  });

  it('offer what is pending and in no other batch, and tick what an address asks for', async () => {
    const browser = await as(6);
    const [first, second, third] = [
      await addInvoice(fresh.db, { fechavencimiento: '2026-11-02' }),
      await addInvoice(fresh.db, { fechavencimiento: '2026-11-27', subtotalCents: 300_000 }),
      await addInvoice(fresh.db, { fechavencimiento: '2026-12-04', subtotalCents: 50_000 }),
    ];
    await addInvoice(fresh.db, { paidCents: 116_000 });
    await addBatch(fresh.db);
    const ticked = async (query: string) => {
      const { decodedHtml } = await readPage(browser.get(`${LIST}/nueva${query}`));
      const boxes = [...decodedHtml.matchAll(/<input type="checkbox"[^>]*name="facturaproveedorId"[^>]*>/g)];
      return boxes.map(([box]) => [Number(/value="(\d+)"/.exec(box)?.[1]), box.includes('checked')]);
    };
    expect(await ticked('')).toEqual([
      [first, false],
      [second, false],
      [third, false],
    ]);
    expect(await ticked('?venceHasta=2026-11-27&marcar=1')).toEqual([
      [first, true],
      [second, true],
    ]);
    // Earlier due invoices come first; those that exceed the amount are skipped.
    expect(await ticked('?importe=2000')).toEqual([
      [first, true],
      [second, false],
      [third, true],
    ]);
    const page = await readPage(browser.get(`${LIST}/nueva?status=vencida`));
    expect(page.links('Marcar todas')).toHaveLength(1);
    expect(page.decodedHtml).toContain('Marcar hasta el viernes 20');
    expect(await ticked('?status=vencida&marcar=1')).toEqual([[first, true]]);
    const all = await readPage(browser.get(`${LIST}/nueva?status=vencida&importe=2000&marcar=1`));
    expect(all.links('Marcar todas')).toEqual([]);
    expect(all.decodedHtml).toMatch(
      /href="\/programaciones\/nueva\?importe=2000(\.00)?"[^>]*><span[^>]*>Quitar el filtro/,
    );
  });

  it('propose the last account, and say what it holds and what it lacks to who may know', async () => {
    const [author, director] = [await as(6), await as(1)];
    await addInvoice(fresh.db);
    const form = async (browser: TestClient) => readPage(browser.get(`${LIST}/nueva?marcar=1`));
    const proposed = async () => (await form(author)).value('origenderecursoId');
    const only = await addFundingSource(fresh.db);
    expect(await proposed()).toBe(String(only));
    const account = await addFundingSource(fresh.db, { origenderecursonombre: 'Cheques' });
    expect(await proposed()).toBe('');
    const { id } = await addBatch(fresh.db, { origenderecursoId: account });
    expect(await proposed()).toBe(String(account));
    const shown = async (browser: TestClient) => {
      const { facts, decodedHtml } = await readPage(browser.get(`${LIST}/${id}`));
      const [, money = ''] = /<\/dl><p class="note">(.*?)<\/p>/s.exec(decodedHtml) ?? [];
      return facts['Origen de recurso'] + money.replace(/<[^>]+>/g, '');
    };
    const unknown = 'Sin saldo del banco: no se sabe si alcanza';
    expect(await shown(director)).toBe(`Cheques${unknown}`);
    const fresher = await form(director);
    expect(fresher.decodedHtml).toContain('Propuesto: cámbialo si se paga de otro.');
    expect(fresher.decodedHtml).toContain(unknown);

    await fresh.db
      .updateTable('funding_sources')
      .set({ saldobancoCents: 100_000, saldobancofecha: '2026-11-13' })
      .where('id', '=', account)
      .execute();
    const known = 'Disponible $1,000.00 con el saldo del Fri, 13 Nov 2026';
    expect(await shown(director)).toBe(`Cheques${known}, faltan $160.00`);
    const taken = `${known.replace('$1,000.00', '-$160.00')} menos $1,160.00 de otras programaciones`;
    expect((await form(director)).decodedHtml.replace(/<[^>]+>/g, '')).toContain(
      'Disponible-$160.001 factura$1,160.00Faltan$1,320.00Se pagan de Cheques el Fri, 20 Nov 2026Fecha de pago y origen de recurso. Saldo del Fri, 13 Nov 2026 menos $1,160.00 de otras programaciones',
    );
    expect(await shown(author)).toBe('Cheques');
    expect((await form(author)).decodedHtml).not.toMatch(/Disponible|Sin saldo/);
    await addBatch(fresh.db, { origenderecursoId: only });
    expect(await shown(director)).toBe(`Cheques${known}, faltan $160.00`);
    await addBatch(fresh.db, { origenderecursoId: account });
    expect(await shown(director)).toBe(`Cheques${taken}, faltan $1,320.00`);
  });

  it('post all that was ticked, including rows that are not shown', async () => {
    const browser = await as(6);
    const ids: number[] = [];
    for (let n = 0; n < 103; n++) ids.push(await addInvoice(fresh.db));
    const { decodedHtml } = await readPage(browser.get(`${LIST}/nueva?marcar=1`));
    expect(decodedHtml).toContain('Marcadas: 103 de 103');
    const posted = [...decodedHtml.matchAll(/<input [^>]*name="facturaproveedorId"[^>]*>/g)].map(([box]) =>
      Number(/value="(\d+)"/.exec(box)?.[1]),
    );
    expect(posted).toEqual(ids);
    const unseen = /<input [^>]*type="hidden"[^>]*name="facturaproveedorId"/g;
    expect(decodedHtml.match(unseen)).toHaveLength(3);
    const bare = await readPage(browser.get(`${LIST}/nueva`));
    expect(bare.decodedHtml).not.toMatch(unseen);
  });

  it('lead from invoices and balances to choosing, with the same filter', async () => {
    const browser = await as(6);
    const supplierId = await addSupplier(fresh.db);
    await addInvoice(fresh.db, { supplierId });
    const invoices = await readPage(browser.get(`/invoices?supplierId=${supplierId}`));
    const [address = ''] = invoices.links('Programar el pago de lo pendiente');
    expect(address).toContain(`/programaciones/nueva?supplierId=${supplierId}`);
    expect((await browser.get(address)).status).toBe(200);
    const balances = await readPage(browser.get('/reporte-saldos'));
    expect(balances.links('Programar pagos')).toContain('/programaciones/nueva');
  });

  it('states what is overdue of a supplier with one invoice as of one with several', async () => {
    const late = { fechavencimiento: '2026-11-02' };
    const several = await addSupplier(fresh.db, { suppliername: 'Aceros Tepeyac' });
    for (const due of [late, { fechavencimiento: '2026-12-02' }])
      await addInvoice(fresh.db, { supplierId: several, ...due });
    const one = await addSupplier(fresh.db, { suppliername: 'Mallas del Sur' });
    await addInvoice(fresh.db, { supplierId: one, ...late });
    const browser = await as(6);
    const { decodedHtml } = await readPage(browser.get('/programaciones/nueva'));
    const [, ...rows] = decodedHtml.split('<tr').map((row) => row.replace(/<[^>]*>/g, ' '));
    const sumsOf = (name: string) => rows.find((row) => row.includes(name))!.match(/\$[\d,.]*\d/g);
    expect(sumsOf('Aceros Tepeyac')).toEqual(['$1,160.00', '$2,320.00']);
    expect(sumsOf('Mallas del Sur')).toEqual(['$1,160.00', '$1,160.00']);
  });

  it('accept what was ticked in a list or a report, and add it to a draft', async () => {
    const browser = await as(6);
    const supplierId = await addSupplier(fresh.db);
    const [one, other, third] = [
      await addInvoice(fresh.db, { supplierId }),
      await addInvoice(fresh.db, { supplierId }),
      await addInvoice(fresh.db),
    ];
    const paid = await addInvoice(fresh.db, { paidCents: 116_000 });
    const draft = await addBatch(fresh.db, { invoiceIds: [third] });
    const boxes = async (path: string) => {
      const { decodedHtml } = await readPage(browser.get(path));
      const found = [...decodedHtml.matchAll(/<input (?=[^>]* name=)[^>]*form="programar"[^>]*>/g)].map(
        ([box]) => box,
      );
      return found.map((box) =>
        [/ name="(\w+)"/, / value="([\d-]+)"/].map((of) => of.exec(box)?.[1]).join(' '),
      );
    };
    // Every invoice can be changed, even a paid or programmed one; as of another day none can be ticked.
    expect(await boxes('/invoices')).toEqual(
      [one, other, third, paid].map((id) => `facturaproveedorId ${id}`),
    );
    expect(await boxes('/invoices?corte=2026-11-01')).toEqual([]);
    const report = await boxes('/reporte-saldos');
    expect(report).toEqual([
      `supplierId ${supplierId}`,
      `facturaproveedorId ${one}`,
      `facturaproveedorId ${other}`,
    ]);
    expect(await boxes('/reporte-saldos?corte=2026-11-01')).toEqual([]);
    const scheduled = await readPage(browser.get('/invoices'));
    expect(scheduled.links('Programación 1')).toEqual(['/programaciones/1']);
    // An invoice that a batch pays in full is not offered for a single payment.
    expect(scheduled.links(/^Pagar /)).toEqual([one, other].map(pages.payInvoice));

    const looked = await readPage(choose(browser, [one, third, paid], { paso: 'elegir' }));
    expect(looked.decodedHtml).toContain('Marcadas: 1 de 1, $1,160.00.');
    expect(looked.decodedHtml).toContain('2 de las marcadas no están aquí');
    const all = await readPage(
      browser.form('/programaciones/nueva', { paso: 'elegir', supplierId: `${supplierId}` }),
    );
    expect(all.decodedHtml).toContain('Marcadas: 2 de 2, $2,320.00.');
    const none = await readPage(
      browser.form('/programaciones/nueva', { paso: 'elegir', supplierId: `${supplierId}-999` }),
    );
    expect(none.decodedHtml).toContain('No hay nada por programar');

    const ofrecidas = `${one},${other}`;
    const refused = await choose(browser, [one], { ofrecidas, fecha: '2026-11-27', programacionId: '' });
    const again = await refused.text();
    expect([refused.status, again.split('name="facturaproveedorId"').length - 1]).toEqual([422, 2]);
    const nothing = await choose(browser, [], { ofrecidas, programacionId: String(draft.id) });
    expect([nothing.status, await nothing.text()]).toEqual([
      422,
      expect.stringContaining('Marca al menos una'),
    ]);
    const added = await choose(browser, [one, other], { ofrecidas, programacionId: String(draft.id) });
    expect(added.headers.get('location')).toBe(`${LIST}/${draft.id}`);
    expect(await getBatch(fresh.db, draft.id)).toMatchObject({
      count: 3,
      totalCents: 348_000,
      estado: 'borrador',
    });
  });

  it('prepare, lower, sign, pay and undo with plain forms', async () => {
    const [author, approver] = [await as(6), await as(1)];
    const ids = [await addInvoice(fresh.db), await addInvoice(fresh.db), await addInvoice(fresh.db)];
    const origenderecursoId = String(await addFundingSource(fresh.db));
    const none = await choose(author, [], { fecha: '2026-11-27', origenderecursoId });
    expect(none.status).toBe(422);
    const missing = await choose(author, ids, { fecha: '2026-11-27' });
    expect([missing.status, (await missing.text()).split('checked=""').length - 1]).toEqual([422, 3]);
    const chosen = await choose(author, ids, { fecha: '2026-11-27', origenderecursoId });
    const at = chosen.headers.get('location') ?? '';
    expect([chosen.status, at]).toEqual([303, `${LIST}/1`]);
    const page = await readPage(author.get(at));
    expect(page.decodedHtml).toContain('Falta autorizar: lo hace Dirección o Contabilidad.');
    expect(page.decodedHtml).not.toContain(`${at}/autorizar`);

    const { version } = await getBatch(fresh.db, 1);
    const lowered = await author.form(at, {
      version,
      fecha: '2026-11-27',
      origenderecursoId,
      comments: 'viernes',
      [`importe-${ids[0]}`]: '$1,000.00',
      quitar: ids[1],
    });
    expect(lowered.status).toBe(303);
    expect(await getBatch(fresh.db, 1)).toMatchObject({ count: 2, totalCents: 216_000, comments: 'viernes' });
    const tooMuch = await author.form(at, { version: version + 1, [`importe-${ids[0]}`]: '1160.01' });
    expect(tooMuch.status).toBe(422);
    expect(await tooMuch.text()).toContain('value="1,160.01"');
    const stale = await author.form(at, { version, comments: 'otra' });
    expect([stale.status, await stale.text()]).toEqual([409, expect.stringContaining('Otra persona cambió')]);

    const same = { version: version + 1, fecha: '2026-11-27', origenderecursoId, comments: 'viernes' };
    const kept = await readPage(author.form(at, same).then(() => author.get(at)));
    expect(kept.decodedHtml).toContain('La programación de pagos quedó como estaba.');
    expect((await author.form(`${at}/autorizar`, {})).status).toBe(403);
    const unread = await approver.form(`${at}/autorizar`, {});
    expect([unread.status, await unread.text()]).toEqual([
      422,
      expect.stringContaining('Falta la versión que se revisó.'),
    ]);
    const seen = { version: version + 1 };
    expect((await readPage(approver.get(at))).decodedHtml).toContain(`action="${at}/autorizar"`);
    const signed = await readPage(approver.form(`${at}/autorizar`, seen).then(() => approver.get(at)));
    expect(signed.decodedHtml).toContain('Se autorizó la programación de pagos.');
    const both = await approver.form(`${at}/pagar`, { cheque: '1', referencia: 'x' });
    expect([both.status, await both.text()]).toEqual([
      422,
      expect.stringContaining('el primer número de cheque o una referencia'),
    ]);
    const paid = await readPage(
      approver.form(`${at}/pagar`, { cheque: '0101' }).then(() => approver.get(at)),
    );
    expect(paid.decodedHtml).toContain('Se registraron 2 pagos.');
    expect(paid.decodedHtml).toContain('0102');
    const list = await readPage(author.get(LIST));
    expect(list.rows).toEqual([
      [
        'Programación 1',
        'Fri, 27 Nov 2026',
        'Pagada',
        expect.anything(),
        author.user.username,
        'viernes',
        '2',
        '2',
        '$2,160.00',
      ],
    ]);
    await approver.form(`${at}/regresar`, {});
    expect(await getBatch(fresh.db, 1)).toMatchObject({ estado: 'autorizada', paidCents: 0 });
    await author.form(`${at}/regresar`, {});
    const gone = await author.form(`${at}/eliminar`, {});
    expect([gone.status, gone.headers.get('location')]).toEqual([303, LIST]);
  });

  it('lead to the next signature after one, also where it is for an account', async () => {
    const { supplierId } = await addAccount(fresh.db, { truster: false });
    const batch = await addBatch(fresh.db);
    const approver = await as(1);
    const at = pages.paymentBatch(batch.id);
    await approver.form(`${at}/autorizar`, { version: '1' });
    const { decodedHtml } = await readPage(approver.get(at));
    expect(decodedHtml).toMatch(new RegExp(`<a href="/editsupplierpage/${supplierId}#cuentas"[^>]*>Sigue: `));
  });

  it('read as one line for each supplier, with what needs an eye on top', async () => {
    const { db } = fresh;
    await changeSetting(db, createActor(), 'semaforo.rfc', 'impedir');
    const [author, truster] = [await addActor(db, { roles: [6] }), await addActor(db, { roles: [1] })];
    const [held, known, unknown] = [
      await addSupplier(db, { suppliername: 'Retenido', rfc: 'MALO' }),
      await addSupplier(db, { suppliername: 'Conocido' }),
      await addSupplier(db, { suppliername: 'Nuevo' }),
    ];
    const facturaproveedorId = await addInvoice(db, { supplierId: known });
    await addPayment(db, { facturaproveedorId, amountCents: 116_000, userId: author.userId });
    await addAccount(db, { supplierId: known, author: { ...author, today: '2026-01-05' }, truster });
    await addAccount(db, { supplierId: unknown, author: { ...author, today: '2026-11-05' }, truster });
    await addAccount(db, { supplierId: held, author: { ...author, today: '2026-01-05' }, truster: false });
    const invoiceIds: number[] = [];
    for (const supplierId of [held, known, known, unknown])
      invoiceIds.push(
        await addInvoice(db, { supplierId, fechaemision: `2026-0${1 + invoiceIds.length}-03` }),
      );
    const { id } = await addBatch(db, { author, invoiceIds });
    const approver = await as(2);
    const { decodedHtml, links } = await readPage(approver.get(`${LIST}/${id}`));
    const rows = [...decodedHtml.matchAll(/<summary class="payee-head">.*?<\/summary>/gs)].map(([row]) =>
      row.replace(/<svg.*?<\/svg>/gs, '').replace(/(<[^>]*>)+/g, '|'),
    );
    expect(rows).toEqual([
      expect.stringMatching(
        /^\|Conocido\|\$2,320\.00\|\S+ ··· \d{4}\|2 facturas\| \|venció \|venció \|Tue, 03 Feb 2026\| \|2 obras\|$/,
      ),
      expect.stringMatching(
        /^\|Nuevo\|\$1,160\.00\|\S+ ··· \d{4}\|F-\d+\| \|venció \|venció \|.*\| \|.*\|Primer pago\|Cuenta nueva, 5 nov\|$/,
      ),
      expect.stringMatching(
        /^\|Retenido\|\$1,160\.00\|\S+ ··· \d{4}, sin confirmar\|.*\| \|venció \|venció \|.*\|Retenida: RFC mal formado\|Primer pago\|$/,
      ),
    ]);
    expect(decodedHtml).not.toMatch(/<details class="disclosure" open=""><summary class="payee-head"/);
    for (const [text, suppliers] of [
      ['1 retenida por $1,160.00', ['Retenido']],
      ['1 cuenta nueva', ['Nuevo']],
      ['1 primer pago', ['Nuevo']],
      ['Todas', ['Conocido', 'Nuevo', 'Retenido']],
    ] as const) {
      const [address = ''] = links(text);
      const shown = (await readPage(approver.get(address))).decodedHtml;
      expect([
        text,
        [...shown.matchAll(/class="payee" title[^>]*>([^<]*)</g)].map(([, name]) => name),
      ]).toEqual([text, suppliers]);
    }
    expect(decodedHtml).not.toContain(`name="importe-${invoiceIds[0]}"`);
    const [edit = ''] = links('Cambiar importes');
    expect((await readPage(approver.get(edit))).decodedHtml).toContain(`name="importe-${invoiceIds[0]}"`);
  });

  it('say what is owed now of an unpaid line of which a part was paid aside', async () => {
    const { db } = fresh;
    const [author, approver] = [await addActor(db, { roles: [6] }), await addActor(db, { roles: [1] })];
    const supplierId = await addSupplier(db, { suppliername: 'Triturados' });
    const [short, whole] = [
      await addInvoice(db, { supplierId, numfactura: 'T-1', fechavencimiento: '2026-11-19' }),
      await addInvoice(db, { numfactura: 'T-2', fechavencimiento: NOW.slice(0, 10) }),
    ];
    const { id } = await addBatch(db, { author, invoiceIds: [short, whole] });
    const browser = await as(2);
    const read = async () => readPage(browser.get(`${LIST}/${id}`));
    expect((await read()).decodedHtml).not.toContain('Hoy se deben');
    const aside = { facturaproveedorId: short, amountCents: 10_000 };
    await createPayment(db, { ...author, motivo: 'Urgía' }, aside, { allowProgrammed: true });
    const draft = await read();
    expect(draft.decodedHtml).toMatch(/\$1,160\.00<.*>T-1<.*>Hoy se deben \$1,060\.00</s);
    const [only = ''] = /<ul class="payee-lines">.*?<\/ul>/s.exec(draft.decodedHtml) ?? [];
    expect([only.includes('>T-2<'), /\$|venc/.test(only)]).toEqual([true, false]); // its supplier's line has them
    expect(draft.decodedHtml).not.toContain('de $1,060.00 pendientes');
    const text = draft.decodedHtml.replace(/<[^>]*>/g, '');
    expect([text.includes('T-1 venció '), text.includes('T-2 vence ')]).toEqual([true, true]);
    await signBatch(db, approver, id);
    expect((await read()).links('Hoy se deben $1,060.00')).toEqual([]); // the check says it
    await payBatch(db, approver, id);
    const paid = await read();
    expect(paid.decodedHtml).toContain('Sin pagar');
    expect(paid.decodedHtml).toContain('y se deben $1,060.00.');
    expect(paid.links('Hoy se deben $1,060.00')).toEqual([]);
    expect(paid.links('Pagar aparte')).toEqual([`/new-payment?facturaproveedorId=${short}`]);
    expect(paid.decodedHtml).toContain(
      'Quedó sin pagar 1 factura programada por $1,160.00: hoy se deben $1,060.00.',
    );
    expect(paid.decodedHtml).toMatch(
      /Sin pagar, de lo programado<.*Retenida al pagar<.*>T-1<.*>Pagado<.*>T-2</s,
    );
    const [rest = ''] = /<form(?:(?!<\/form>).)*Programar<span/s.exec(paid.decodedHtml) ?? [];
    const posted = [...rest.matchAll(/name="(\w+)" value="(\w+)"/g)].map(([, name, value]) => [name, value]);
    expect(posted).toEqual([
      ['paso', 'elegir'],
      ['facturaproveedorId', String(short)],
    ]);
    const choice = await readPage(browser.form(pages.newPaymentBatch, Object.fromEntries(posted)));
    expect(choice.decodedHtml).toMatch(
      /\$1,060\.00.*Pagar la factura T-1|Pagar la factura T-1.*\$1,060\.00/s,
    );
    const origenderecursoId = await addFundingSource(db);
    const plan = (amountCents: number) =>
      createBatch(db, author, {
        ...{ fecha: NOW.slice(0, 10), origenderecursoId },
        lines: [{ invoiceId: short, amountCents }],
      });
    await plan(40_000);
    expect((await read()).decodedHtml).toContain('hoy se deben $1,060.00, $660.00 por programar.');
    await plan(66_000);
    const planned = await read();
    expect(planned.decodedHtml).toContain(
      'Quedó sin pagar 1 factura programada por $1,160.00; lo que se debe ya está en otra programación.',
    );
    expect(planned.decodedHtml).not.toContain('>Programar<span');
    const last = { facturaproveedorId: short, amountCents: 106_000 };
    await createPayment(db, { ...author, motivo: 'Urgía' }, last, { allowProgrammed: true });
    expect((await read()).links('Hoy no se debe nada')).toEqual([pages.editInvoice(short)]);
    expect((await read()).decodedHtml).toContain(
      'Quedó sin pagar 1 factura programada por $1,160.00, y ya no se debe nada.',
    );
  });

  it('separate what is held, with its remedy and a way to let it through', async () => {
    const approver = await as(2);
    await changeSetting(fresh.db, await addActor(fresh.db), 'semaforo.rfc', 'impedir');
    const supplierId = await addSupplier(fresh.db, { rfc: 'MALO', suppliername: 'Malo' });
    const [held, fine] = [await addInvoice(fresh.db, { supplierId }), await addInvoice(fresh.db)];
    const { id, version } = await addBatch(fresh.db, { estado: 'autorizada', invoiceIds: [held, fine] });
    const page = await readPage(approver.get(`${LIST}/${id}`));
    expect(page.decodedHtml).toContain('Retenidas');
    expect(page.decodedHtml).toContain('El RFC MALO del proveedor no está bien formado.');
    expect(page.links('Corregirlo')).toContain(`/editsupplierpage/${supplierId}`);
    const permit = `${LIST}/${id}/partidas/${held}/permitir`;
    expect((await approver.form(permit, { version, motivo: '' })).status).toBe(422);
    expect((await approver.form(permit, { motivo: 'urge' })).status).toBe(422);
    expect((await approver.form(permit, { version, motivo: 'urge' })).status).toBe(303);
    const after = await readPage(approver.get(`${LIST}/${id}`));
    expect(after.decodedHtml).not.toContain('Retenidas');
    expect(after.decodedHtml).toContain(`${approver.user.username} la autorizó de todos modos: urge`);
  });

  it('say whose signature no longer counts, and ask for another one', async () => {
    const [administrator, luis] = [await addActor(fresh.db), await addActor(fresh.db, { roles: [1] })];
    const { id, version } = await addBatch(fresh.db, { approver: luis, estado: 'autorizada' });
    await updateUser(fresh.db, administrator, luis.userId, { active: false });
    const approver = await as(2);
    const page = await readPage(approver.get(`${LIST}/${id}`));
    expect(page.decodedHtml).toContain(`${luis.username} (ya no puede autorizar)`);
    const sent = await approver.form(`${LIST}/${id}/enviar`, { version });
    expect([sent.status, await sent.text()]).toEqual([
      409,
      expect.stringContaining('la de quien ya no puede autorizar no cuenta'),
    ]);
  });

  it('export the list, what a batch pays, and the letters about what it has paid', async () => {
    const browser = await as(6);
    const author = await addActor(fresh.db);
    const { id, lines } = await addBatch(fresh.db, { estado: 'enviada' });
    const csv = await (await browser.get(`${LIST}/${id}/export.csv`)).text();
    expect(csv).toContain(lines[0]!.suppliername);
    expect(csv).toContain('1160.00');
    for (const address of [`${LIST}/export.xlsx`, `${LIST}/${id}/export.pdf`, `${LIST}/${id}/export.xlsx`])
      expect((await browser.get(address)).status, address).toBe(200);
    expect((await browser.get(`${LIST}/${id}/avisos.pdf`)).status).toBe(404);
    const beside = { facturaproveedorId: lines[0]!.invoiceId, amountCents: 1 };
    await createPayment(fresh.db, { ...author, motivo: 'Urgía' }, beside, { allowProgrammed: true });
    const paid = await addBatch(fresh.db, {
      estado: 'pagada',
      invoiceIds: [await addInvoice(fresh.db), await addInvoice(fresh.db)],
    });
    const letters = await browser.get(`${LIST}/${paid.id}/avisos.pdf`);
    expect(letters.headers.get('content-type')).toBe('application/pdf');
    const { PDFDocument } = await import('pdf-lib');
    expect((await PDFDocument.load(await letters.arrayBuffer())).getPageCount()).toBe(2);
  });

  it('show on the invoice, its row, Saldos and a new payment that a batch is to pay it, until it has', async () => {
    const browser = await as(2);
    const approver = await addActor(fresh.db, { roles: [1] });
    const invoiceId = await addInvoice(fresh.db);
    const places = [
      `/editinvoicepage/${invoiceId}`,
      '/invoices',
      '/reporte-saldos',
      `/new-payment?facturaproveedorId=${invoiceId}`,
    ];
    const { id } = await addBatch(fresh.db, { invoiceIds: [invoiceId] });
    const expectMark = async (label: string, href: string[]) => {
      for (const place of places)
        expect([place, (await readPage(browser.get(place))).links(label)]).toEqual([place, href]);
    };
    const own = [`${LIST}/${id}`];
    await expectMark(`Programación ${id}`, own);
    await signBatch(fresh.db, approver, id);
    await expectMark(`Programación ${id}`, own);
    await markBatchSent(fresh.db, approver, id);
    await expectMark('En el banco', own);
    await expectMark(`Programación ${id}`, []);
    await payBatch(fresh.db, approver, id);
    places.splice(2, 1);
    await expectMark('En el banco', []);
  });

  it('undo a sent batch with a reason, in a field of its own', async () => {
    const browser = await as(2);
    const { id } = await addBatch(fresh.db, { estado: 'enviada' });
    const at = `${LIST}/${id}/regresar`;
    const shown = await readPage(browser.get(`${LIST}/${id}`));
    expect(shown.decodedHtml).toMatch(/<input[^>]*id="motivo-regresar"[^>]*name="motivo"/);
    expect(shown.decodedHtml).toMatch(/<dt>Mandó al banco<\/dt><dd>\S+, Fri,\s20\sNov\s2026</);
    const refused = await readPage(browser.form(at, { motivo: '' }));
    expect([refused.status, refused.alerts]).toEqual([422, ['error: Indica el motivo.']]);
    const done = await readPage(browser.follow(await browser.form(at, { motivo: 'Equivocada' })));
    expect(done.alerts).toEqual(['success: La programación volvió a borrador.']);
    expect(done.decodedHtml).not.toContain('motivo-regresar');
  });

  it('keep what the bank has paid and returned apart from what it has still to pay', async () => {
    const browser = await as(2);
    const invoiceIds = [await addInvoice(fresh.db), await addInvoice(fresh.db), await addInvoice(fresh.db)];
    const [paid, returned] = invoiceIds as [number, number];
    const { id } = await addBatch(fresh.db, { estado: 'enviada', invoiceIds });
    const { userId } = await addActor(fresh.db);
    const paymentId = await addPayment(fresh.db, { facturaproveedorId: paid, amountCents: 116_000, userId });
    const line = (invoiceId: number, values: object) =>
      fresh.db.updateTable('payment_batch_lines').set(values).where('invoiceId', '=', invoiceId).execute();
    await line(paid, { paymentId });
    await line(returned, { refusedAt: NOW });
    const { decodedHtml } = await readPage(browser.get(`${LIST}/${id}`));
    const text = decodedHtml.replace(/<[^>]*>/g, '');
    expect(text).toMatch(
      /En el banco \$1,160\.00.*Sin pagar, de lo programado \$1,160\.00.*La devolvió el banco.*Pagado \$1,160\.00/s,
    );
    expect(text).toMatch(
      /Falta que el banco la pague\. \+ \$1,160\.00 pagado.*Pagar 1 factura por \$1,160\.00/,
    );
  });

  it('do not call a batch partly paid if nothing of it is paid any more', async () => {
    const browser = await as(2);
    const sentBack = await addBatch(fresh.db, { estado: 'enviada' });
    await fresh.db.updateTable('payment_batch_lines').set({ refusedAt: NOW }).execute();
    await fresh.db
      .updateTable('payment_batches')
      .set({ estado: 'pagada', paidBy: sentBack.createdBy, paidAt: NOW })
      .execute();
    const deleted = await addBatch(fresh.db, { estado: 'pagada' });
    await fresh.db.deleteFrom('payments').execute();
    await fresh.db.updateTable('invoices').set({ paidCents: 0 }).execute();
    const list = await readPage(browser.get(LIST));
    expect(list.rows.map((row) => row[2])).toEqual(['Devuelta', 'Sin pagos']);
    for (const [id, says] of [
      [sentBack.id, 'El banco la devolvió completa.'],
      [deleted.id, 'Ya no tiene pagos.'],
    ] as const) {
      const { decodedHtml } = await readPage(browser.get(`${LIST}/${id}`));
      expect(decodedHtml).toContain(says);
      expect(decodedHtml).not.toContain('Pagada en parte');
    }
  });
});
