import type { Db } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import { attachFile } from '../../server/services/attachments.ts';
import { deleteRow } from '../../server/services/catalogs/catalogs.ts';
import { deleteInvoice } from '../../server/services/invoices/invoices.ts';
import { deletePayment } from '../../server/services/payments/payments.ts';
import { createMovement, deleteMovement } from '../../server/services/petty-cash/movements.ts';
import { createFund } from '../../server/services/petty-cash/petty-cash.ts';
import { changeSetting } from '../../server/services/settings/settings.ts';
import { catalogs } from '../../shared/catalogs/all.ts';
import type { Catalog } from '../../shared/catalogs/catalog.ts';
import type { BatchState } from '../../shared/payment-batches.ts';
import type { TestClient } from './app.ts';
import { addBatch } from './batches.ts';
import { buildCfdi, bytesOf } from './cfdi.ts';
import { aPdf } from './files.ts';
import { pngOf } from './pictures.ts';
import {
  actor,
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

const MOVEMENT = { movementdate: TODAY, concept: 'Cemento', amount: '7', kind: 'gasto' };

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
    const { id } = await addBatch(db, { estado });
    return (client) => client.post(`/api/programaciones/${id}/${step}`, {});
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
    return client.form('/userprofile/doble-factor', { step: 'codes' });
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
  'POST /api/programaciones/:id/partidas/:id/permitir': async (db) => {
    const { at } = await heldLine(db);
    return (client) => client.post(`/api${at}`, { motivo: 'Mañana llega' });
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
    const form = { creditNoteId, invoiceId: await addInvoice(db, { supplierId }), amount: '1' };
    return (client) => client.form(`/editsupplierpage/${supplierId}/saldo-a-favor`, form);
  },
  'POST /editsupplierpage/nota-de-credito/:id/eliminar': async (db) => {
    const id = await addCreditNote(db, { supplierId: await addSupplier(db), userId: 1 });
    return (client) => client.form(`/editsupplierpage/nota-de-credito/${id}/eliminar`);
  },

  'POST /importar/:id': async () => async (client) => {
    const file = { name: 'rubros.csv', text: 'Rubro\nAcero\n' };
    const sent = await client.send('/importar', uploadForm(file, { kind: 'rubros' }));
    return client.form(sent.headers.get('location')!, { idempotencyKey: 'una' });
  },

  'POST /caja-chica/nuevo-fondo': async (db) => {
    const fundingSourceId = await addFundingSource(db);
    const form = { fundingSourceId, responsable: 'Eva', openedOn: TODAY, opening: '10' };
    return (client) => client.form('/caja-chica/nuevo-fondo', form);
  },
  'POST /caja-chica/:id/editar': async (db) => {
    const id = await fund(db);
    const form = { responsable: 'Luis', openedOn: TODAY, opening: '10', version: 1 };
    return (client) => client.form(`/caja-chica/${id}/editar`, form);
  },
  'POST /caja-chica/:id/eliminar': async (db) => {
    const id = await fund(db);
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

const fund = async (db: Db) =>
  (
    await createFund(db, actor(), {
      fundingSourceId: await addFundingSource(db),
      responsable: 'Eva',
      openedOn: TODAY,
    })
  ).id;

const movement = async (db: Db) =>
  (
    await createMovement(db, actor({ userId: 1 }), await fund(db), {
      movementdate: TODAY,
      concept: 'Clavos',
      amountCents: 5,
    })
  ).movement.id;
