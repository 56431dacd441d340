import type { Db } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import { BUILT_IN_LAYOUTS, layoutText } from '../../server/formats/bank-files/layout.ts';
import { attachFile } from '../../server/services/attachments.ts';
import { makeFile } from '../../server/services/bank-files/files.ts';
import { saveLayout } from '../../server/services/bank-files/layouts.ts';
import { deleteRow } from '../../server/services/catalogs/catalogs.ts';
import { deleteInvoice } from '../../server/services/invoices/invoices.ts';
import { deletePayment } from '../../server/services/payments/payments.ts';
import { countCash } from '../../server/services/petty-cash/counting.ts';
import { createMovement, deleteMovement } from '../../server/services/petty-cash/movements.ts';
import {
  authorizeReplenishment,
  requestReplenishment,
} from '../../server/services/petty-cash/replenishing.ts';
import { storedToken } from '../../server/services/session/tokens.ts';
import { changeSetting } from '../../server/services/settings/settings.ts';
import { catalogs } from '../../shared/catalogs/all.ts';
import type { Catalog } from '../../shared/catalogs/catalog.ts';
import type { BatchState } from '../../shared/payment-batches.ts';
import type { MovementDraft } from '../../shared/petty-cash.ts';
import { pages } from '../../shared/urls.ts';
import { addAccount } from './accounts.ts';
import type { TestClient } from './app.ts';
import { addBatch } from './batches.ts';
import { buildCfdi, bytesOf } from './cfdi.ts';
import { aPdf } from './files.ts';
import { addFund, spending } from './petty-cash.ts';
import { pngOf } from './pictures.ts';
import {
  actor,
  addActor,
  addClient,
  addCreditNote,
  addFundingSource,
  addInvoice,
  addJob,
  addPayment,
  addRubro,
  addSupplier,
  addUser,
  NOW,
  TODAY,
} from './rows.ts';
import { uploadForm } from './upload.ts';

/** Prepares a change through a route, and answers how it is sent. */
export type Change = (db: Db) => Promise<(client: TestClient) => Promise<Response>>;

const payer = { facturaproveedorId: 1, amountCents: 100, userId: 1 };

export const PASSWORD = 'ladrillo rojo 7';
const NEXT_PASSWORD = 'cimbra y andamio 8';
const person = { userfirstname: 'Eva', userlastname: 'Luna', roles: [4], password: NEXT_PASSWORD };

const ACCOUNT = { clabe: '012180004643051249', titular: 'Aceros SA' };

const OWN_LAYOUT = layoutText({ ...BUILT_IN_LAYOUTS.at(-1)!, nombre: 'CSV de nuestro banco' });

const ownLayout = async (db: Db): Promise<number> =>
  (await saveLayout(db, await addActor(db), OWN_LAYOUT)).own!.version;

const MOVEMENT = { fecha: TODAY, concepto: 'Cemento', importe: '7', tipo: 'gasto', comprobante: 'nota' };

const FIELDS: Record<string, RegExp> = {
  suppliers: /^supplier/,
  clients: /^clientn|^clientc/,
  jobs: /^job|^clientId/,
  rubros: /rubro$/,
  'funding-sources': /^origen/,
};

const ADDERS: Record<string, (db: Db) => Promise<number>> = {
  suppliers: (db) => addSupplier(db),
  clients: (db) => addClient(db),
  jobs: (db) => addJob(db),
  rubros: (db) => addRubro(db),
  'funding-sources': (db) => addFundingSource(db),
};

/** What a batch is before each of its steps. */
const BATCH_STEPS = {
  autorizar: 'borrador',
  enviar: 'autorizada',
  pagar: 'autorizada',
  regresar: 'autorizada',
} as const;

const stepOf = (step: string, estado: BatchState): Record<string, Change> => ({
  [`POST /api/programaciones/:id/${step}`]: async (db) => {
    const { id, version } = await addBatch(db, { estado });
    return (client) => client.post(`/api/programaciones/${id}/${step}`, { version });
  },
  [`POST /programaciones/:id/${step}`]: async (db) => {
    const { id, version } = await addBatch(db, { estado });
    return (client) => client.form(`/programaciones/${id}/${step}`, { version });
  },
});

async function batchDraft(db: Db) {
  const facturaproveedorId = await addInvoice(db);
  const origenderecursoId = await addFundingSource(db);
  return { fecha: TODAY, origenderecursoId, partidas: [{ facturaproveedorId }] as const };
}

/** One that a bank may be sent: its supplier has an account that was confirmed long ago. */
async function payableBatch(db: Db) {
  const author = await addActor(db, { roles: [6], today: '2026-11-02' });
  const { supplierId } = await addAccount(db, { author });
  return addBatch(db, { estado: 'autorizada', invoiceIds: [await addInvoice(db, { supplierId })] });
}

async function madeFile(db: Db): Promise<string> {
  const { id } = await payableBatch(db);
  const { file } = await makeFile(db, await addActor(db, { roles: [1] }), id, { layout: 'csv' });
  return `/programaciones/${id}/archivos/${file.id}`;
}

async function statementTo(db: Db, path: string) {
  const origenderecursoId = String(await addFundingSource(db));
  const file = Buffer.from('Fecha,Concepto,Cargo,Abono\n19/11/2026,Comisión,5.00,\n');
  return (client: TestClient) => client.files(path, { file: ['a.csv', file] }, { origenderecursoId });
}

/** A line that is held for want of its document. */
async function heldLine(db: Db) {
  await changeSetting(db, actor(), 'semaforo.xml', 'impedir');
  const { id, version, lines } = await addBatch(db);
  return { version, at: `/programaciones/${id}/partidas/${lines[0]!.invoiceId}/permitir` };
}

/** One change through each route that changes anything, by method and path. */
export const changes: Record<string, Change> = {
  ...Object.assign({}, ...catalogs.map(changesOf)),
  'POST /api/auth/signup': async () => (client) => client.post('/api/auth/signup', person),
  'POST /new-user': async () => (client) =>
    client.form('/new-user', { ...person, roles: 4, employeenumber: '' }),
  'PUT /api/auth/updateusersdata': async (db) => {
    const { id } = await addUser(db);
    return (client) => client.put(`/api/auth/updateusersdata?id=${id}`, { roles: [2] });
  },
  'PUT /api/auth/updateusersdata/:id': async (db) => {
    const { id } = await addUser(db);
    return (client) => client.put(`/api/auth/updateusersdata/${id}`, { active: false });
  },
  'POST /admin-users': async (db) => {
    const { id, username, email } = await addUser(db);
    return (client) => client.form(`/admin-users?edit=${id}`, { username, email, roles: 5, active: 'true' });
  },
  'PUT /api/auth/resetpsw': async (db) => {
    const { id } = await addUser(db);
    return (client) => client.put('/api/auth/resetpsw', { iduser: id, newpassword: NEXT_PASSWORD });
  },
  'PUT /api/auth/changepsw': async () => (client) =>
    client.put('/api/auth/changepsw', { currpassword: PASSWORD, newpassword: NEXT_PASSWORD }),
  'POST /userprofile': async () => (client) =>
    client.form('/userprofile', {
      currentpassword: PASSWORD,
      newpassword: NEXT_PASSWORD,
      confirmpassword: NEXT_PASSWORD,
    }),
  'POST /userprofile/doble-factor': async (db) => async (client) => {
    const factor = { userId: client.user.id, secret: '', confirmed: 1, createdAt: NOW };
    await db.insertInto('second_factors').values(factor).execute();
    const backup = { userId: client.user.id, hash: storedToken('backup:respaldo') };
    await db.insertInto('backup_codes').values(backup).execute();
    return client.form('/userprofile/doble-factor', { step: 'codes', code: 'respaldo' });
  },
  'POST /admin-settings/idioma': async () => (client) =>
    client.form('/admin-settings/idioma', { idioma: 'es' }),
  'POST /admin-settings': async () => (client) =>
    client.form('/admin-settings', { empresa: 'Obras del Valle', 'antes:empresa': '' }),

  'POST /api/facturaproveedores/newfacturaproveedor': async (db) => {
    const draft = await invoiceDraft(db);
    return (client) => client.post('/api/facturaproveedores/newfacturaproveedor', draft);
  },
  'POST /new-invoice': async (db) => {
    const draft = await invoiceDraft(db);
    return (client) => client.form('/new-invoice', draft);
  },
  'POST /empezar/empresa': async () => (client) => client.form('/empezar/empresa', { empresa: 'Roble' }),
  'POST /new-invoice/xml/:id': async (db) => {
    const jobId = await addJob(db);
    await addSupplier(db, { rfc: 'EKU9003173C9' });
    return async (client) => {
      const other = { uuid: 'CCCCCCCC-1111-4222-8333-DDDDDDDDDDDD', root: { Folio: '13' } };
      const xml = [buildCfdi(), buildCfdi(other)].map((text, n) => [`${n}.xml`, bytesOf(text)] as const);
      const sent = await client.files('/new-invoice/xml', { xml });
      const { id: guardar } = await db.selectFrom('uploads').select('id').executeTakeFirstOrThrow();
      return client.form(sent.headers.get('location')!, { jobId, guardar, idempotencyKey: 'una' });
    };
  },
  'PUT /api/facturaproveedores/:id': async (db) => {
    const id = await addInvoice(db);
    return (client) => client.put(`/api/facturaproveedores/${id}`, { subtotal: 900 });
  },
  'POST /editinvoicepage/:id': async (db) => {
    const id = await addInvoice(db);
    return (client) => client.form(`/editinvoicepage/${id}`, { comments: 'otra', version: 1 });
  },
  'POST /editinvoicepage/:id/desligar': async (db) => {
    const id = await addInvoice(db, { uuid: 'A1' });
    return (client) => client.form(`/editinvoicepage/${id}/desligar`);
  },
  'POST /editinvoicepage/:id/adjuntos': async (db) => {
    const id = await addInvoice(db);
    return (client) => client.files(`/editinvoicepage/${id}/adjuntos`, { file: ['a.pdf', aPdf()] });
  },
  'POST /editinvoicepage/:id/adjuntos/:id/quitar': async (db) => {
    const id = await addInvoice(db);
    const file = { filename: 'a.pdf', bytes: aPdf() };
    const attachment = await inTransaction(db, (trx) => attachFile(trx, actor({ userId: 1 }), id, file));
    return (client) => client.form(`/editinvoicepage/${id}/adjuntos/${attachment}/quitar`);
  },
  'DELETE /api/facturaproveedores/:id': async (db) => {
    const id = await addInvoice(db);
    return (client) => client.delete(`/api/facturaproveedores/${id}`);
  },
  'POST /editinvoicepage/:id/eliminar': async (db) => {
    const id = await addInvoice(db);
    return (client) => client.form(`/editinvoicepage/${id}/eliminar`);
  },
  'POST /editinvoicepage/:id/deshacer': async (db) => {
    const id = await deletedInvoice(db);
    return (client) => client.form(`/editinvoicepage/${id}/deshacer`);
  },
  'POST /api/facturaproveedores/:id/restore': async (db) => {
    const id = await deletedInvoice(db);
    return (client) => client.post(`/api/facturaproveedores/${id}/restore`);
  },
  'DELETE /api/facturaproveedores': async (db) => {
    for (let n = 0; n < 3; n++) await addInvoice(db);
    return (client) => client.delete('/api/facturaproveedores?confirm=all');
  },

  'POST /api/payments/newpayment': async (db) => {
    const facturaproveedorId = await addInvoice(db);
    return (client) => client.post('/api/payments/newpayment', { facturaproveedorId, paymentamount: 5 });
  },
  'POST /new-payment': async (db) => {
    const facturaproveedorId = await addInvoice(db);
    return (client) => client.form('/new-payment', { facturaproveedorId, paymentamount: '5' });
  },
  'PUT /api/payments/:id': async (db) => {
    const id = await payment(db);
    return (client) => client.put(`/api/payments/${id}`, { paymentamount: 2 });
  },
  'POST /editpaymentpage/:id': async (db) => {
    const id = await payment(db);
    return (client) => client.form(`/editpaymentpage/${id}`, { comments: 'otra', version: 1 });
  },
  'PUT /api/presupuestos/:id': async (db) => {
    const jobId = await addJob(db);
    const change = { motivo: 'Contrato', partidas: [{ rubroId: null, presupuesto: 2 }] };
    return (client) => client.put(`/api/presupuestos/${jobId}`, change);
  },
  'POST /presupuestos': async (db) => {
    const jobId = await addJob(db);
    return (client) => client.form('/presupuestos', { [`p.${jobId}.0`]: '5', motivo: 'Contrato' });
  },
  'POST /api/programaciones': async (db) => {
    const draft = await batchDraft(db);
    return (client) => client.post('/api/programaciones', draft);
  },
  'POST /programaciones/nueva': async (db) => {
    const { partidas, ...draft } = await batchDraft(db);
    const [{ facturaproveedorId }] = partidas;
    return (client) =>
      client.form('/programaciones/nueva', { ...draft, facturaproveedorId, idempotencyKey: 'una' });
  },
  'PUT /api/programaciones/:id': async (db) => {
    const { id } = await addBatch(db);
    return (client) => client.put(`/api/programaciones/${id}`, { comments: 'otra' });
  },
  'POST /programaciones/:id': async (db) => {
    const { id, version } = await addBatch(db);
    return (client) => client.form(`/programaciones/${id}`, { version, comments: 'otra' });
  },
  'DELETE /api/programaciones/:id': async (db) => {
    const { id } = await addBatch(db);
    return (client) => client.delete(`/api/programaciones/${id}`);
  },
  'POST /programaciones/:id/eliminar': async (db) => {
    const { id, version } = await addBatch(db);
    return (client) => client.form(`/programaciones/${id}/eliminar`, { version });
  },
  ...Object.assign({}, ...Object.entries(BATCH_STEPS).map(([step, estado]) => stepOf(step, estado))),
  'POST /programaciones/estados-de-cuenta/cargar': (db) => statementTo(db, pages.loadBankStatement),
  'POST /api/programaciones/estados-de-cuenta/cargar': (db) =>
    statementTo(db, `/api${pages.loadBankStatement}`),
  'POST /api/programaciones/:id/archivos': async (db) => {
    const { id } = await payableBatch(db);
    return (client) => client.post(`/api/programaciones/${id}/archivos`, { plantilla: 'csv' });
  },
  'POST /programaciones/:id/archivos': async (db) => {
    const { id, version } = await payableBatch(db);
    return (client) => client.form(`/programaciones/${id}/archivos`, { plantilla: 'csv', version });
  },
  'POST /api/programaciones/:id/archivos/:id/descargar': async (db) => {
    const at = await madeFile(db);
    return (client) => client.post(`/api${at}/descargar`, {});
  },
  'POST /programaciones/:id/archivos/:id/descargar': async (db) => {
    const at = await madeFile(db);
    return (client) => client.form(`${at}/descargar`);
  },
  'POST /api/programaciones/:id/partidas/:id/permitir': async (db) => {
    const { at, version } = await heldLine(db);
    return (client) => client.post(`/api${at}`, { version, motivo: 'Mañana llega' });
  },
  'POST /programaciones/:id/partidas/:id/permitir': async (db) => {
    const { at, version } = await heldLine(db);
    return (client) => client.form(at, { version, motivo: 'Mañana llega' });
  },
  'POST /cierre': async () => (client) => client.form('/cierre', { mes: '2026-01' }),
  'POST /cierre/reabrir': async (db) => {
    await changeSetting(db, actor({ roles: [3] }), 'cierre', '2026-01-31');
    return (client) => client.form('/cierre/reabrir', { cierre: '', motivo: 'Faltó una factura' });
  },
  'POST /admin-settings/logo': async () => (client) =>
    client.files('/admin-settings/logo', { logo: ['logo.png', pngOf(40, 20)] }),
  'POST /admin-settings/plantillas': async () => (client) =>
    client.files('/admin-settings/plantillas', {
      plantilla: ['csv.json', Buffer.from(OWN_LAYOUT)],
    }),
  'POST /admin-settings/plantillas/:id/restablecer': async (db) => {
    await saveLayout(db, actor({ userId: 1 }), OWN_LAYOUT);
    return (client) => client.form('/admin-settings/plantillas/csv/restablecer');
  },
  'POST /programaciones/plantillas/:id/confirmar': async (db) => {
    const version = await ownLayout(db);
    return (client) => client.form('/programaciones/plantillas/csv/confirmar', { version });
  },
  'POST /api/programaciones/plantillas/confirmar': async (db) => {
    const version = await ownLayout(db);
    return (client) => client.post('/api/programaciones/plantillas/confirmar', { plantilla: 'csv', version });
  },
  'POST /admin-settings/respaldos': async () => (client) => client.form('/admin-settings/respaldos', {}),
  'DELETE /api/payments/:id': async (db) => {
    const id = await payment(db);
    return (client) => client.delete(`/api/payments/${id}`);
  },
  'POST /pagos-proveedores/:id/eliminar': async (db) => {
    const id = await payment(db);
    return (client) => client.form(`/pagos-proveedores/${id}/eliminar`);
  },
  'POST /api/payments/:id/restore': async (db) => {
    const id = await deletedPayment(db);
    return (client) => client.post(`/api/payments/${id}/restore`);
  },
  'POST /pagos-proveedores/:id/deshacer': async (db) => {
    const id = await deletedPayment(db);
    return (client) => client.form(`/pagos-proveedores/${id}/deshacer`);
  },
  'DELETE /api/payments': async (db) => {
    await payment(db);
    return (client) => client.delete('/api/payments?confirm=all');
  },

  'POST /editsupplierpage/:id/saldo-a-favor': async (db) => {
    const supplierId = await addSupplier(db);
    const creditNoteId = await addCreditNote(db, { supplierId, userId: 1 });
    const form = {
      creditNoteId,
      facturaproveedorId: await addInvoice(db, { supplierId }),
      paymentamount: '1',
    };
    return (client) => client.form(`/editsupplierpage/${supplierId}/saldo-a-favor`, form);
  },
  'POST /editsupplierpage/nota-de-credito/:id/eliminar': async (db) => {
    const id = await addCreditNote(db, { supplierId: await addSupplier(db), userId: 1 });
    return (client) => client.form(`/editsupplierpage/nota-de-credito/${id}/eliminar`);
  },

  'POST /api/suppliers/:id/cuentas': async (db) => {
    const id = await addSupplier(db);
    return (client) => client.post(`/api/suppliers/${id}/cuentas`, ACCOUNT);
  },
  'POST /editsupplierpage/:id/cuentas': async (db) => {
    const id = await addSupplier(db);
    return (client) => client.form(`/editsupplierpage/${id}/cuentas`, ACCOUNT);
  },
  'PUT /api/suppliers/:id/cuentas/:id': async (db) => {
    const { id, supplierId } = await addAccount(db);
    return (client) => client.put(`/api/suppliers/${supplierId}/cuentas/${id}`, { titular: 'Otra' });
  },
  'POST /editsupplierpage/:id/cuentas/:id': async (db) => {
    const { id, supplierId, version } = await addAccount(db);
    return (client) => client.form(`/editsupplierpage/${supplierId}/cuentas/${id}`, { ...ACCOUNT, version });
  },
  'POST /editsupplierpage/:id/cuentas/:id/confianza': async (db) => {
    const { id, supplierId, version } = await addAccount(db, { truster: false });
    const form = { confiable: 'true', version };
    return (client) => client.form(`/editsupplierpage/${supplierId}/cuentas/${id}/confianza`, form);
  },
  'DELETE /api/suppliers/:id/cuentas/:id': async (db) => {
    const { id, supplierId } = await addAccount(db);
    return (client) => client.delete(`/api/suppliers/${supplierId}/cuentas/${id}`);
  },
  'POST /editsupplierpage/:id/cuentas/:id/eliminar': async (db) => {
    const { id, supplierId, version } = await addAccount(db);
    return (client) => client.form(`/editsupplierpage/${supplierId}/cuentas/${id}/eliminar`, { version });
  },

  'POST /importar/:id': async () => async (client) => {
    const file = { name: 'rubros.csv', text: 'Rubro\nAcero\n' };
    const sent = await client.send('/importar', uploadForm(file, { kind: 'rubros' }));
    return client.form(sent.headers.get('location')!, { idempotencyKey: 'una' });
  },

  'POST /caja-chica/nuevo-fondo': async (db) => {
    const form = { ...FUND, nombre: 'Caja nueva', origenderecursoId: await addFundingSource(db) };
    return (client) => client.form('/caja-chica/nuevo-fondo', form);
  },
  'POST /caja-chica/:id/editar': async (db) => {
    const id = await fund(db);
    const origenderecursoId = await addFundingSource(db);
    const pagosOrigenId = await addFundingSource(db);
    const form = { ...FUND, nombre: 'Otra', origenderecursoId, pagosOrigenId, version: 1 };
    return (client) => client.form(`/caja-chica/${id}/editar`, form);
  },
  'POST /caja-chica/:id/cerrar': async (db) => {
    const id = await fund(db, 0);
    return (client) => client.form(`/caja-chica/${id}/cerrar`);
  },
  'POST /caja-chica/:id/eliminar': async (db) => {
    const id = await fund(db, 0);
    return (client) => client.form(`/caja-chica/${id}/eliminar`);
  },
  'POST /caja-chica/:id/nuevo-movimiento': async (db) => {
    const id = await fund(db);
    return (client) => client.form(`/caja-chica/${id}/nuevo-movimiento`, MOVEMENT);
  },
  'POST /caja-chica/movimientos/:id': async (db) => {
    const id = await movement(db);
    return (client) => client.form(`/caja-chica/movimientos/${id}`, { ...MOVEMENT, version: 1 });
  },
  'POST /caja-chica/movimientos/:id/eliminar': async (db) => {
    const id = await movement(db);
    return (client) => client.form(`/caja-chica/movimientos/${id}/eliminar`);
  },
  'POST /caja-chica/movimientos/:id/deshacer': async (db) => {
    const id = await movement(db);
    await deleteMovement(db, actor(), id);
    return (client) => client.form(`/caja-chica/movimientos/${id}/deshacer`);
  },
  'POST /caja-chica/movimientos/:id/aceptar': async (db) => {
    const id = await movement(db, { comprobante: 'ninguno' });
    return (client) => client.form(`/caja-chica/movimientos/${id}/aceptar`, { version: 1 });
  },
  'POST /caja-chica/movimientos/:id/adjuntos': async (db) => {
    const id = await movement(db);
    const upload = uploadForm({ name: 'a.pdf', text: new TextDecoder('latin1').decode(aPdf()) }, {});
    return (client) => client.send(`/caja-chica/movimientos/${id}/adjuntos`, upload);
  },
  'POST /caja-chica/movimientos/:id/adjuntos/:id/quitar': async (db) => {
    const movementId = await movement(db);
    const file = { filename: 'a.pdf', bytes: aPdf() };
    const by = actor({ userId: 1 });
    const attachment = await inTransaction(db, (trx) => attachFile(trx, by, { movementId }, file));
    const address = `/caja-chica/movimientos/${movementId}/adjuntos/${attachment}/quitar`;
    return (client) => client.form(address);
  },
  'POST /caja-chica/:id/reposicion': async (db) => {
    const { fundId, id } = await spent(db);
    return (client) => client.form(`/caja-chica/${fundId}/reposicion`, { movementIds: id, fecha: TODAY });
  },
  ...Object.assign(
    {},
    ...(['autorizar', 'retirar', 'deshacer'] as const).map((step) => ({
      [`POST /caja-chica/reposiciones/:id/${step}`]: async (db: Db) => {
        const id = await replenishment(db, step === 'deshacer');
        return (client: TestClient) => client.form(`/caja-chica/reposiciones/${id}/${step}`, { version: 1 });
      },
    })),
  ),
  'POST /caja-chica/:id/arqueo': async (db) => {
    const id = await fund(db);
    return (client) => client.form(`/caja-chica/${id}/arqueo`, { piezas500: 2 });
  },
  'POST /caja-chica/arqueos/:id/ajustar': async (db) => {
    const id = await cashCount(db);
    return (client) => client.form(`/caja-chica/arqueos/${id}/ajustar`, { motivo: 'Faltó' });
  },
  'POST /api/cajachica': async (db) => {
    const body = { ...FUND, nombre: 'Caja nueva', origenderecursoId: await addFundingSource(db) };
    return (client) => client.post('/api/cajachica', body);
  },
  'PUT /api/cajachica/:id': async (db) => {
    const id = await fund(db);
    return (client) => client.put(`/api/cajachica/${id}`, { nombre: 'Otra' });
  },
  'POST /api/cajachica/:id/cerrar': async (db) => {
    const id = await fund(db, 0);
    return (client) => client.post(`/api/cajachica/${id}/cerrar`, {});
  },
  'DELETE /api/cajachica/:id': async (db) => {
    const id = await fund(db, 0);
    return (client) => client.delete(`/api/cajachica/${id}`);
  },
  'POST /api/cajachica/:id/movimientos': async (db) => {
    const id = await fund(db);
    return (client) => client.post(`/api/cajachica/${id}/movimientos`, { concepto: 'Clavos', importe: 5 });
  },
  'PUT /api/cajachica/movimientos/:id': async (db) => {
    const id = await movement(db);
    return (client) => client.put(`/api/cajachica/movimientos/${id}`, { concepto: 'Tornillos' });
  },
  'POST /api/cajachica/movimientos/:id/aceptar': async (db) => {
    const id = await movement(db, { comprobante: 'ninguno' });
    return (client) => client.post(`/api/cajachica/movimientos/${id}/aceptar`, {});
  },
  'DELETE /api/cajachica/movimientos/:id': async (db) => {
    const id = await movement(db);
    return (client) => client.delete(`/api/cajachica/movimientos/${id}`);
  },
  'POST /api/cajachica/movimientos/:id/restore': async (db) => {
    const id = await movement(db);
    await deleteMovement(db, actor(), id);
    return (client) => client.post(`/api/cajachica/movimientos/${id}/restore`, {});
  },
  'POST /api/cajachica/:id/reposicion': async (db) => {
    const { fundId } = await spent(db);
    return (client) => client.post(`/api/cajachica/${fundId}/reposicion`, {});
  },
  'POST /api/cajachica/reposiciones/:id/autorizar': async (db) => {
    const id = await replenishment(db);
    return (client) => client.post(`/api/cajachica/reposiciones/${id}/autorizar`, { version: 1 });
  },
  'DELETE /api/cajachica/reposiciones/:id': async (db) => {
    const id = await replenishment(db);
    return (client) => client.delete(`/api/cajachica/reposiciones/${id}`);
  },
  'POST /api/cajachica/:id/arqueo': async (db) => {
    const id = await fund(db);
    return (client) => client.post(`/api/cajachica/${id}/arqueo`, { denominaciones: { '500': 2 } });
  },
  'POST /api/cajachica/arqueos/:id/ajustar': async (db) => {
    const id = await cashCount(db);
    return (client) => client.post(`/api/cajachica/arqueos/${id}/ajustar`, { motivo: 'Faltó' });
  },
};

/** Creating, changing and deleting a row of a list, by API and page, and emptying the list. */
function changesOf(catalog: Catalog): Record<string, Change> {
  const { noun, nameField, paths } = catalog;
  const row = async (db: Db) =>
    ({
      suppliername: 'Otro',
      suppliercontactperson: 'Eva',
      clientname: 'Otro',
      clientcontactperson: 'Eva',
      clientcontactphone: '55 5000 1000',
      clientcontactemail: 'a@b.mx',
      jobtitle: 'Otra',
      jobdescription: 'Torre',
      jobstartdate: TODAY,
      jobduedate: TODAY,
      nombrerubro: 'Otro',
      descripcionrubro: 'Acero',
      origenderecursonombre: 'Otro',
      origenderecursodescripcion: 'Banco',
      ...(noun === 'jobs' ? { clientId: await addClient(db) } : {}),
    }) as Record<string, string | number>;
  const fields = (all: Record<string, string | number>) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => FIELDS[noun]?.test(name)));
  const add = ADDERS[noun]!;
  const deleted = async (db: Db) => {
    const id = await add(db);
    await deleteRow(db, actor(), catalog, id);
    return id;
  };
  return {
    [`POST ${paths.api}${paths.apiCreate}`]: async (db) => {
      const draft = fields(await row(db));
      return (client) => client.post(paths.api + paths.apiCreate, draft);
    },
    [`PUT ${paths.api}/:id`]: async (db) => {
      const id = await add(db);
      return (client) => client.put(`${paths.api}/${id}`, { [nameField]: 'Nuevo nombre' });
    },
    [`DELETE ${paths.api}/:id`]: async (db) => {
      const id = await add(db);
      return (client) => client.delete(`${paths.api}/${id}`);
    },
    [`POST ${paths.api}/:id/restore`]: async (db) => {
      const id = await deleted(db);
      return (client) => client.post(`${paths.api}/${id}/restore`);
    },
    [`POST ${paths.edit}/:id/deshacer`]: async (db) => {
      const id = await deleted(db);
      return (client) => client.form(`${paths.edit}/${id}/deshacer`);
    },
    [`DELETE ${paths.api}`]: async (db) => {
      for (let n = 0; n < 3; n++) await add(db);
      return (client) => client.delete(`${paths.api}?confirm=all`);
    },
    [`POST ${paths.create}`]: async (db) => {
      const draft = fields(await row(db));
      return (client) => client.form(paths.create, draft);
    },
    [`POST ${paths.edit}/:id`]: async (db) => {
      const [id, draft] = [await add(db), fields(await row(db))];
      return (client) => client.form(`${paths.edit}/${id}`, { ...draft, version: 1 });
    },
    [`POST ${paths.edit}/:id/eliminar`]: async (db) => {
      const id = await add(db);
      return (client) => client.form(`${paths.edit}/${id}/eliminar`);
    },
  };
}

const invoiceDraft = async (db: Db) => ({
  supplierId: await addSupplier(db),
  jobId: await addJob(db),
  subtotal: '100',
});

async function payment(db: Db): Promise<number> {
  return addPayment(db, { ...payer, facturaproveedorId: await addInvoice(db) });
}

async function deletedInvoice(db: Db): Promise<number> {
  const id = await addInvoice(db);
  await deleteInvoice(db, actor(), id);
  return id;
}

async function deletedPayment(db: Db): Promise<number> {
  const id = await payment(db);
  await deletePayment(db, actor(), id);
  return id;
}

const FUND = { responsableId: 1, openedOn: TODAY };

const fund = async (db: Db, aperturaCents = 100_000) =>
  (await addFund(db, { actor: actor({ userId: 1, roles: [1] }), aperturaCents })).id;

const spent = async (db: Db, part: MovementDraft = {}) =>
  (await createMovement(db, actor({ userId: 1 }), await fund(db), spending({ importeCents: 5, ...part })))
    .movement;

const movement = async (db: Db, part: MovementDraft = {}) => (await spent(db, part)).id;

/** Asked for by somebody who may not give it; paid by somebody else. */
async function replenishment(db: Db, isPaid = false): Promise<number> {
  const clerk = await addActor(db, { roles: [6] });
  const fundId = await fund(db);
  await createMovement(db, clerk, fundId, spending({ importeCents: 5 }));
  const { id } = (await requestReplenishment(db, clerk, fundId, {})).replenishment;
  if (isPaid) await authorizeReplenishment(db, await addActor(db), id);
  return id;
}

/** One that has found less than there should be. */
const cashCount = async (db: Db) =>
  (await countCash(db, actor({ userId: 1 }), await fund(db), { denominaciones: { '500': 1 } })).id;
