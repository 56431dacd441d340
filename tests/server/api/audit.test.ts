import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectRoot } from '../../../server/root.ts';
import { createMovement } from '../../../server/services/petty-cash/movements.ts';
import { addBatch } from '../../support/batches.ts';
import { createDocumentedApp } from '../../support/documented.ts';
import { addFund, createExpenseValues } from '../../support/petty-cash.ts';
import { describeOneDatabase } from '../../support/proofs.ts';
import { enableQuickHashes } from '../../support/quick-crypto.ts';
import { addActor, addFundingSource, addInvoice } from '../../support/rows.ts';

enableQuickHashes();

type Entry = Record<string, unknown> & { id: number };

describeOneDatabase('GET /api/audit', (fresh) => {
  const listen = async (now?: string) => {
    const app = createDocumentedApp({ db: fresh.db, now });
    const admin = await app.withToken([1, 3]);
    const entriesOf = async (query = '') =>
      (await (await admin.get(`/api/audit/${query}`)).json()) as Entry[];
    return { app, admin, entriesOf };
  };

  it('answers who changed what, newest first, with the previous row, in the names and decimals of the API', async () => {
    const { admin, entriesOf } = await listen();
    const facturaproveedorId = await addInvoice(fresh.db);
    const sent = { facturaproveedorId, paymentamount: 100.5 };
    const { id } = await (await admin.post('/api/payments/newpayment', sent)).json();
    await admin.put(`/api/payments/${id}`, { paymentamount: 200 });
    await admin.delete(`/api/payments/${id}`);
    const [deleted, updated, created] = await entriesOf();
    expect(created).toEqual({
      id: 1,
      at: '2026-11-20T18:00:00.000Z',
      userId: admin.user.id,
      username: admin.user.username,
      origin: 'api',
      action: 'create',
      entity: 'payments',
      entityId: String(id),
      before: null,
      after: expect.objectContaining({ id, facturaproveedorId, paymentamount: 100.5 }),
    });
    expect(updated).toMatchObject({
      id: 2,
      action: 'update',
      before: { paymentamount: 100.5 },
      after: { paymentamount: 200 },
    });
    expect(deleted).toMatchObject({ id: 3, action: 'delete', before: { paymentamount: 200 }, after: null });
  });

  it('gives money and rates in decimals also inside lists, and if there are none', async () => {
    const { admin, entriesOf } = await listen();
    const invoice = await addInvoice(fresh.db, {
      ...{ subtotalCents: 100_050, tasa: null, moneda: 'USD', tipocambio: '17.1234' },
    });
    const origenderecursoId = await addFundingSource(fresh.db);
    const { job, ...answered } = await (
      await admin.put(`/api/facturaproveedores/${invoice}`, { comments: 'Revisada' })
    ).json();
    await addBatch(fresh.db, { invoiceIds: [invoice], origenderecursoId });
    await admin.post('/api/payments/newpayment', { facturaproveedorId: invoice, paymentamount: 1 });
    const partidas = [{ rubroId: null, presupuesto: 2000.5 }];
    await admin.put(`/api/presupuestos/${job.id}`, { motivo: 'Contrato', partidas });
    await addFund(fresh.db, { origenderecursoId });
    const entries = await entriesOf();
    const after = (entity: string) => entries.find((entry) => entry.entity === entity)?.after;
    const { tasa, tipocambio, total } = answered;
    expect([tasa, tipocambio]).toEqual([null, 17.1234]);
    expect(after('invoices')).toMatchObject({ tasa, tipocambio, total });
    expect(after('payment-batches')).toMatchObject({ total, pagado: 0, lines: [{ importe: total }] });
    expect(after('payments')).toMatchObject({ paymentamount: 1, importebanco: null });
    expect(after('budgets')).toMatchObject({ presupuesto: 2000.5 });
    expect(after('petty-cash-funds')).toMatchObject({ montofijo: null, tope: null });
    expect(JSON.stringify(entries)).not.toContain('Cents');
  });

  it('is filtered by list, row, user and day, in the time zone of the business', async () => {
    const { app, admin, entriesOf } = await listen('2026-11-21T05:30:00.000Z'); // still the 20th in Mexico City
    const other = await app.withToken(2);
    await admin.post('/api/rubros/newrubro', { nombrerubro: 'Acero' });
    await other.post('/api/clients/newclient', { clientname: 'Lerma', clientcontactperson: 'Luis' });
    app.clock.advance({ hours: 1 });
    await other.put('/api/rubros/1', { nombrerubro: 'Aceros' });
    const ids = async (query: string) => (await entriesOf(query)).map((entry) => entry.id);
    expect(await ids('')).toEqual([3, 2, 1]);
    expect(await ids('?entity=rubros')).toEqual([3, 1]);
    expect(await ids('?entity=rubros&entityId=1')).toEqual([3, 1]);
    expect(await ids('?entity=clients&entityId=7')).toEqual([]);
    expect(await ids(`?userId=${other.user.id}`)).toEqual([3, 2]);
    expect(await ids('?to=2026-11-20')).toEqual([2, 1]);
    expect(await ids('?from=2026-11-21')).toEqual([3]);
    expect(await ids('?from=2026-11-20&to=2026-11-21')).toEqual([3, 2, 1]);
    expect(await ids('?entity=&entityId=undefined&userId=null&from=&to=')).toEqual([3, 2, 1]);
  });

  it('is paged by the Link header, and entries written meanwhile move no page', async () => {
    const { admin, entriesOf } = await listen();
    for (const name of ['A', 'B', 'C', 'D', 'E'])
      await admin.post('/api/rubros/newrubro', { nombrerubro: name });
    const ids: number[] = [];
    let path: string | undefined = '/api/audit/?entity=rubros&limit=2';
    while (path) {
      const page = await admin.get(path);
      expect(Number(page.headers.get('x-total-count'))).toBeGreaterThanOrEqual(5);
      ids.push(...((await page.json()) as Entry[]).map((entry) => entry.id));
      path = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
      if (ids.length === 2) await admin.post('/api/rubros/newrubro', { nombrerubro: 'F' });
    }
    expect(ids).toEqual([5, 4, 3, 2, 1]);
    expect(await entriesOf('?limit=1')).toMatchObject([{ id: 6 }]);
  });

  it.each([
    'entity=facturas',
    'entity=rubros&entity=jobs',
    'userId=ana',
    'from=ayer',
    'limit=0',
    'limit=1001',
    'cursor=basura',
    'color=rojo',
  ])('refuses %s', async (query) => {
    const { admin } = await listen();
    expect((await admin.get(`/api/audit?${query}`)).status).toBe(400);
  });

  it('accepts every noun of the glossary, and no other word', async () => {
    const { admin, entriesOf } = await listen();
    const readme = readFileSync(join(projectRoot, 'README.md'), 'utf8');
    const glossary = readme.split('## Glossary')[1]!.split('\n## ')[0]!;
    const nouns = [...glossary.matchAll(/^\| ([a-z-]+) \|/gm)].map(([, noun]) => noun!);
    expect(nouns.length).toBeGreaterThan(25);
    for (const noun of nouns.filter((one) => one !== 'noun'))
      expect([noun, (await admin.get(`/api/audit/?entity=${noun}`)).status]).toEqual([noun, 200]);
    for (const word of ['caja', 'petty', 'petty-cash-', 'funds'])
      expect([word, (await admin.get(`/api/audit/?entity=${word}`)).status]).toEqual([word, 400]);
    const fund = await addFund(fresh.db);
    await createMovement(fresh.db, await addActor(fresh.db), fund.id, createExpenseValues());
    const ofCash = await entriesOf('?entity=petty-cash');
    expect(new Set(ofCash.map(({ entity }) => entity))).toEqual(
      new Set(['petty-cash-funds', 'petty-cash-movements', 'petty-cash-replenishments']),
    );
    expect(await entriesOf('?entity=balances')).toEqual([]);
  });
});
