import { expect, it } from 'vitest';
import { signBatch } from '../../../server/services/payment-batches/stages.ts';
import { countCash } from '../../../server/services/petty-cash/counting.ts';
import { createMovement } from '../../../server/services/petty-cash/movements.ts';
import { requestReplenishment } from '../../../server/services/petty-cash/replenishing.ts';
import { addAccount, clabeOf } from '../../support/accounts.ts';
import type { TestClient } from '../../support/app.ts';
import { addBatch } from '../../support/batches.ts';
import { createDocumentedApp } from '../../support/documented.ts';
import { addFund, createExpenseValues } from '../../support/petty-cash.ts';
import { describeOneDatabase } from '../../support/proofs.ts';
import {
  addActor,
  addFundingSource,
  addInvoice,
  addJob,
  addRubro,
  addSupplier,
  NOW,
} from '../../support/rows.ts';

/** The OpenAPI document gives only types; this finds members of equal types that are mixed up. */
describeOneDatabase('the API gives each value under its own name', (fresh) => {
  const client = (role: number) => createDocumentedApp({ db: fresh.db }).withToken(role);
  const get = async (api: TestClient, path: string) => (await api.get(path)).json();

  it('in the budget of an obra and its history', async () => {
    const { db } = fresh;
    const api = await client(2);
    const [jobId, acero] = [await addJob(db), await addRubro(db, { nombrerubro: 'Acero' })];
    const path = `/api/presupuestos/${jobId}`;
    await addInvoice(db, { jobId, rubroId: acero, subtotalCents: 43_000_050 });
    await addInvoice(db, { jobId, subtotalCents: 100 });
    const put = (motivo: string, presupuesto: number, version: number) =>
      api.put(path, { motivo, partidas: [{ rubroId: acero, presupuesto, version }] });
    const lines = await (await put('Contrato', 500_000, 0)).json();
    const spent = { comprometido: 0, gastado: 430_000.5, disponible: 69_999.5 };
    const bare = { presupuesto: 0, comprometido: 0, gastado: 1, disponible: -1, version: 0 };
    expect(lines).toEqual([
      { rubroId: acero, nombrerubro: 'Acero', presupuesto: 500_000, ...spent, version: 1 },
      { rubroId: null, nombrerubro: 'Sin rubro', ...bare },
    ]);
    const stale = await put('Otro', 1, 0);
    expect([stale.status, (await stale.json()).current]).toEqual([409, lines[0]]);
    await put('Convenio', 600_000, 1);
    expect(await get(api, `${path}/history`)).toMatchObject([
      { rubroId: acero, antes: 500_000, despues: 600_000, motivo: 'Convenio', userId: api.user.id },
      { antes: null, despues: 500_000, motivo: 'Contrato', username: api.user.username },
    ]);
  });

  it('in a batch, its lines, its file and the answer of the bank', async () => {
    const { db } = fresh;
    const author = await addActor(db, { roles: [6], today: '2026-11-02' });
    const approver = await client(2);
    const { supplierId, clabe } = await addAccount(db, { author, clabe: clabeOf('072', 5) });
    const origenderecursoId = await addFundingSource(db);
    const invoiceId = await addInvoice(db, { supplierId, numfactura: 'A-1', paidCents: 16_000 });
    const { id } = await addBatch(db, { author, invoiceIds: [invoiceId], origenderecursoId });
    const at = `/api/programaciones/${id}`;
    const signer = await addActor(db, { roles: [1] });
    await signBatch(db, signer, id);
    const offered = { transferencias: 1, total: 1000, autor: null, confirmo: null };
    expect(await get(approver, `${at}/plantillas`)).toMatchObject([{ plantilla: 'csv', ...offered }]);
    const made = await (await approver.post(`${at}/archivos`, { plantilla: 'csv' })).json();
    const by = { generadoPor: approver.user.username, plantillaAutor: null, plantillaConfirmo: null };
    expect(made).toMatchObject({ transferencias: 1, total: 1000, vigente: true, avisos: [], ...by });
    const download = () => approver.post(`${at}/archivos/${made.id}/descargar`, {});
    expect([(await download()).status, (await (await download()).json()).code]).toEqual([
      200,
      'already_downloaded',
    ]);
    expect(await get(approver, `${at}/archivos`)).toMatchObject([
      { id: made.id, descargas: [{ username: approver.user.username, at: NOW }] },
    ]);
    expect(await get(approver, at)).toMatchObject({
      ...{ estado: 'enviada', parcial: false, facturas: 1, proveedores: 1, origenderecursoId },
      ...{ total: 1000, pagado: 0, pagable: 1000, detenido: 0 },
      autor: { id: author.userId, username: author.username },
      editor: { id: author.userId, username: author.username },
      ...{ enviadaPor: approver.user.username, enviada: '2026-11-20', pagadaPor: null, pagadaAt: null },
      firmas: [{ userId: signer.userId, username: signer.username, at: NOW, vigente: true }],
      partidas: [
        {
          ...{ facturaproveedorId: invoiceId, importe: 1000, pendiente: 1000 },
          ...{ detenida: false, pagada: false, paymentId: null, permiso: null },
          veredicto: { paso: 'enviar', at: NOW },
          facturaproveedor: { id: invoiceId, numfactura: 'A-1', total: 1160, supplier: { id: supplierId } },
        },
      ],
    });
    const text = `Fecha,Concepto,Cargo,Abono\n20/11/2026,SPEI ${clabe},1000.00,\n20/11/2026,Comisión,5.00,\n21/11/2026,Mañana,7.00,\n`;
    const statements = '/api/programaciones/estados-de-cuenta';
    const fields = { origenderecursoId: String(origenderecursoId) };
    const load = async () => {
      const file: [string, Buffer] = ['estado.csv', Buffer.from(text)];
      return (await approver.files(`${statements}/cargar`, { file }, fields)).json();
    };
    const first = await load();
    const counts = { pagado: 1, devuelto: 0, ambiguo: 0, nombrado: 0, 'sin-partida': 1 };
    const brought = { nuevo: true, movimientos: 2, conocidos: 0, rechazados: [4], resultados: counts };
    expect(first).toEqual({ id: first.id, ...brought, warnings: [] });
    expect(await load()).toMatchObject({ id: first.id, nuevo: false, conocidos: 1 });
    expect(await get(approver, `${statements}/${first.id}`)).toMatchObject({
      ...{ origenderecursoId, archivo: 'estado.csv', cargadoPor: approver.user.username },
      movimientos: [
        { fecha: '2026-11-20', importe: -1000, resultado: 'pagado', programacionId: id, supplierId },
        { importe: -5, descripcion: 'Comisión', resultado: 'sin-partida', programacionId: null },
      ],
    });
    expect(await get(approver, at)).toMatchObject({ estado: 'pagada', pagado: 1000 });
  });

  it('in a fund, its requests and its counts', async () => {
    const { db } = fresh;
    const api = await client(2);
    const clerk = await addActor(db, { roles: [6] });
    const fund = await addFund(db, { aperturaCents: 100_000, montofijoCents: 500_000 });
    await createMovement(db, clerk, fund.id, createExpenseValues({ importeCents: 30_000 }));
    await createMovement(
      db,
      clerk,
      fund.id,
      createExpenseValues({ importeCents: 7_000, comprobante: 'ninguno' }),
    );
    const at = `/api/cajachica/${fund.id}`;
    const { replenishment: asked } = await requestReplenishment(db, clerk, fund.id, {});
    await createMovement(db, clerk, fund.id, createExpenseValues({ importeCents: 1_000 }));
    expect(await get(api, at)).toMatchObject({
      ...{ id: fund.id, responsable: fund.responsable, montofijo: 5000, tope: null, saldo: 620 },
      ...{ porComprobar: 70, vencido: 0, porReponer: 310, solicitado: 300, porAutorizar: 300 },
    });
    const [row] = await get(api, `${at}/reposiciones`);
    const open = { tipo: 'reposicion', estado: 'solicitada', importe: 300, gastos: 1, authorizedBy: null };
    expect(row).toMatchObject({ id: asked.id, ...open, requestedBy: clerk.userId });
    expect(row).not.toHaveProperty('movimiento');
    const count = await countCash(db, clerk, fund.id, { denominaciones: { '500': 1, '50': 2 } });
    expect(await get(api, `${at}/arqueos`)).toMatchObject([
      {
        ...{ id: count.id, contado: 600, esperado: 620, diferencia: -20, porComprobar: 70, porReponer: 310 },
        ...{ denominaciones: { '500': 1, '50': 2 }, userId: clerk.userId, ajusteId: null },
      },
    ]);
    const paid = await api.post(`/api/cajachica/reposiciones/${asked.id}/autorizar`, {
      version: asked.version,
    });
    expect(await paid.json()).toMatchObject({
      ...{ estado: 'pagada', authorizedBy: api.user.id, requestedBy: clerk.userId },
      movimiento: { fundId: fund.id, tipo: 'reposicion', importe: 300, replenishmentId: asked.id },
    });
  });

  it('in the account of a supplier', async () => {
    const { db } = fresh;
    const author = await addActor(db, { roles: [6], today: '2026-11-02' });
    const truster = await addActor(db, { roles: [2] });
    const supplierId = await addSupplier(db);
    const clabe = clabeOf('072', 7);
    await addAccount(db, { supplierId, clabe, titular: 'Aceros', author, truster });
    expect(await get(await client(6), `/api/suppliers/${supplierId}/cuentas`)).toMatchObject([
      {
        ...{ supplierId, clabe, clavebanco: '072', banco: 'Banorte', titular: 'Aceros', confiable: true },
        ...{ capturadaPor: author.username, cambiadaPor: author.username, cambiadaEl: '2026-11-02' },
        ...{ confirmadaPor: truster.username, confirmadaAt: NOW },
      },
    ]);
  });
});
