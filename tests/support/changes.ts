import type { Db } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import { BUILT_IN_LAYOUTS, formatLayout } from '../../server/formats/bank-files/layout.ts';
import { attachFile } from '../../server/services/attachments.ts';
import { generateFileAndMarkSent } from '../../server/services/bank-files/files.ts';
import { saveLayout } from '../../server/services/bank-files/layouts.ts';
import { buildBankOrder } from '../../server/services/bank-files/transfers.ts';
import { readRules } from '../../server/services/bank-statements/classification-rules.ts';
import { importBankStatement } from '../../server/services/bank-statements/import-statement.ts';
import { resolveMovement } from '../../server/services/bank-statements/resolving.ts';
import { deleteRow } from '../../server/services/catalogs/row-changes.ts';
import { deleteCreditNote } from '../../server/services/credit-notes/write.ts';
import { importMetadata } from '../../server/services/fiscal/import-metadata.ts';
import { deleteInvoice } from '../../server/services/invoices/invoices.ts';
import { deletePayment } from '../../server/services/payments/payments.ts';
import { countCash } from '../../server/services/petty-cash/counting.ts';
import { createMovement, deleteMovement } from '../../server/services/petty-cash/movements.ts';
import {
  authorizeReplenishment,
  requestReplenishment,
} from '../../server/services/petty-cash/replenishing.ts';
import { hashToken } from '../../server/services/session/tokens.ts';
import { changeSetting } from '../../server/services/settings/settings.ts';
import { catalogs } from '../../shared/catalogs/all.ts';
import type { Catalog } from '../../shared/catalogs/catalog.ts';
import type { BatchState } from '../../shared/payment-batches.ts';
import type { MovementFieldValues } from '../../shared/petty-cash.ts';
import { pages } from '../../shared/urls.ts';
import { addAccount } from './accounts.ts';
import type { TestClient } from './app.ts';
import { addBankMovements } from './bank-movements.ts';
import { addBatch } from './batches.ts';
import { buildCfdi, bytesOf } from './cfdi.ts';
import { buildPdf } from './files.ts';
import { buildList69bFile } from './list-69b.ts';
import { addMail } from './mails.ts';
import { buildMetadataFile, createMetadataUuid } from './metadata.ts';
import { addFund, createExpenseValues } from './petty-cash.ts';
import { buildPng } from './pictures.ts';
import {
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
  createActor,
  NOW,
  TODAY,
} from './rows.ts';
import { createUploadForm } from './upload.ts';

export type Change = (db: Db) => Promise<(client: TestClient) => Promise<Response>>;

interface PreparedRequest {
  ids?: readonly (number | string)[];
  body?: object;
  query?: string;
}

type PrepareRequest = (db: Db) => PreparedRequest | Promise<PreparedRequest>;

/** Sends the fields as JSON to the API, and as a form to a page. */
function createChange(route: string, prepare: PrepareRequest): Change {
  const [method, path = ''] = route.split(' ');
  return async (db) => {
    const { ids = [], body, query = '' } = await prepare(db);
    const left = [...ids];
    const address = path.replace(/:id/g, () => String(left.shift())) + query;
    return (client) => {
      if (method === 'DELETE') return client.delete(address);
      if (method === 'PUT') return client.put(address, body);
      return path.startsWith('/api/')
        ? client.post(address, body)
        : client.form(address, body as Record<string, string> | undefined);
    };
  };
}

const prepareForRow =
  (add: (db: Db) => Promise<number | readonly (number | string)[]>, body?: object): PrepareRequest =>
  async (db) => ({ ids: [await add(db)].flat(), body });

const prepareWithVersion =
  <T extends { id: number; version: number }>(
    add: (db: Db) => Promise<T>,
    more: object = {},
    ids: (made: T) => number[] = ({ id }) => [id],
  ): PrepareRequest =>
  async (db) => {
    const made = await add(db);
    return { ids: ids(made), body: { version: made.version, ...more } };
  };

const prepareFromDraft =
  (draft: (db: Db) => Promise<object>, more: object = {}): PrepareRequest =>
  async (db) => ({ body: { ...(await draft(db)), ...more } });

const prepareBody =
  (body: object): PrepareRequest =>
  () => ({ body });

const LIST_69B: [string, Buffer] = ['lista.csv', buildList69bFile([]).bytes];
const METADATA_UPLOAD: [string, Buffer] = [
  'octubre.txt',
  buildMetadataFile([{ uuid: createMetadataUuid(1) }]).bytes,
];

const PDF_UPLOAD = { filename: 'a.pdf', bytes: buildPdf() };

const PAYMENT_VALUES = { facturaproveedorId: 1, amountCents: 100, userId: 1 };

export const CURRENT_PASSWORD = 'ladrillo rojo 7';
const NEXT_PASSWORD = 'cimbra y andamio 8';
const NEW_USER = { userfirstname: 'Eva', userlastname: 'Luna', roles: [4], password: NEXT_PASSWORD };

const ACCOUNT_BODY = { clabe: '012180004643051249', titular: 'Aceros SA' };

const CUSTOM_LAYOUT = formatLayout({ ...BUILT_IN_LAYOUTS.at(-1)!, nombre: 'CSV de nuestro banco' });

const addCustomLayout = async (db: Db): Promise<number> =>
  (await saveLayout(db, await addActor(db), CUSTOM_LAYOUT)).customization!.version;

const MOVEMENT_FORM = { fecha: TODAY, concepto: 'Cemento', importe: '7', tipo: 'gasto', comprobante: 'nota' };

const FIELDS_BY_CATALOG: Record<string, RegExp> = {
  suppliers: /^supplier/,
  clients: /^clientn|^clientc/,
  jobs: /^job|^clientId/,
  rubros: /rubro$/,
  'funding-sources': /^origen/,
};

const ADD_ROW_BY_CATALOG: Record<string, (db: Db) => Promise<number>> = {
  suppliers: (db) => addSupplier(db),
  clients: (db) => addClient(db),
  jobs: (db) => addJob(db),
  rubros: (db) => addRubro(db),
  'funding-sources': (db) => addFundingSource(db),
};

const BATCH_STEPS = {
  autorizar: 'borrador',
  enviar: 'autorizada',
  pagar: 'autorizada',
  regresar: 'autorizada',
} as const;

const prepareBatchStep = (step: string, estado: BatchState): Record<string, PrepareRequest> => ({
  [`POST /api/programaciones/:id/${step}`]: prepareWithVersion((db) => addBatch(db, { estado })),
  [`POST /programaciones/:id/${step}`]: prepareWithVersion((db) => addBatch(db, { estado })),
});

const addPaidBatch = async (db: Db) => (await addBatch(db, { estado: 'pagada' })).id;

async function createBatchDraft(db: Db) {
  const facturaproveedorId = await addInvoice(db);
  const origenderecursoId = await addFundingSource(db);
  return { fecha: TODAY, origenderecursoId, partidas: [{ facturaproveedorId }] as const };
}

/** Stores a batch that may be sent to a bank: its supplier has an account that was confirmed long ago. */
async function addPayableBatch(db: Db) {
  const author = await addActor(db, { roles: [6], today: '2026-11-02' });
  const { supplierId } = await addAccount(db, { author });
  return addBatch(db, { estado: 'autorizada', invoiceIds: [await addInvoice(db, { supplierId })] });
}

async function addBankFile(db: Db): Promise<number[]> {
  const { id } = await addPayableBatch(db);
  const { file } = await generateFileAndMarkSent(db, await addActor(db, { roles: [1] }), id, {
    layout: 'csv',
  });
  return [id, file.id];
}

async function prepareStatementUpload(db: Db, path: string) {
  const origenderecursoId = String(await addFundingSource(db));
  const file = Buffer.from('Fecha,Concepto,Cargo,Abono\n19/11/2026,Comisión,5.00,\n');
  return (client: TestClient) => client.files(path, { file: ['a.csv', file] }, { origenderecursoId });
}

/** An invoice without UUID, and the document of the SAT that it fits. @param field that names the invoice */
function prepareLinkableRow(field: string): PrepareRequest {
  return async (db) => {
    const supplierId = await addSupplier(db, { rfc: 'ACE010203AB4' });
    const id = await addInvoice(db, { supplierId, fechaemision: '2026-10-05' });
    const uuid = createMetadataUuid(1);
    await importMetadata(db, createActor(), buildMetadataFile([{ uuid }]));
    return { body: { uuid, [field]: id, version: 1 } };
  };
}

const createNoteDraft = async (db: Db) => {
  const supplierId = await addSupplier(db);
  return { supplierId, numero: 'NC-1', fecha: TODAY, subtotal: 100, tasa: 16 };
};

export async function addPaidBankMovement(db: Db): Promise<number> {
  const batch = await addPayableBatch(db);
  const approver = await addActor(db, { roles: [1] });
  await generateFileAndMarkSent(db, approver, batch.id, { layout: 'csv' });
  const [transfer] = (await buildBankOrder(db, batch)).transfers;
  const { amountCents, referencia } = transfer!;
  const movement = { line: 2, fecha: TODAY, amountCents: -amountCents, referencia, descripcion: '' };
  const { origenderecursoId } = batch;
  await importBankStatement(db, approver, {
    ...{ origenderecursoId, filename: 'a.csv', sha256: 'a'.repeat(64) },
    movements: [movement],
  });
  return (await db.selectFrom('bank_movements').select('id').executeTakeFirstOrThrow()).id;
}

export const addOpenBankMovement = async (db: Db): Promise<number> =>
  (await addBankMovements(db, [{ descripcion: 'COMISION' }])).ids[0]!;
const CLASSIFICATION_BODY = { version: 1, clase: 'comision' };
export async function addClassifiedBankMovement(db: Db): Promise<number> {
  const id = await addOpenBankMovement(db);
  const named = { clase: 'comision', siempre: 'comision' } as const;
  await resolveMovement(db, await addActor(db, { roles: [1] }), id, named);
  return id;
}
export async function addBankRule(db: Db): Promise<number> {
  await addClassifiedBankMovement(db);
  return (await readRules(db))[0]!.id;
}

const REASON_BODY = { motivo: 'La cuenta no existe' };

async function addBatchWithHeldLine(db: Db) {
  await changeSetting(db, createActor(), 'semaforo.xml', 'impedir');
  return addBatch(db);
}
const preparePermit = prepareWithVersion(
  addBatchWithHeldLine,
  { motivo: 'Mañana llega' },
  ({ id, lines }) => [id, lines[0]!.invoiceId],
);

const listAccountPathIds = ({ id, supplierId }: { id: number; supplierId: number; version: number }) => [
  supplierId,
  id,
];
const addAccountAndListIds = async (db: Db) => listAccountPathIds(await addAccount(db));

const PREPARE_BY_ROUTE: Record<string, PrepareRequest> = {
  'POST /api/auth/signup': prepareBody(NEW_USER),
  'POST /programaciones/estados-de-cuenta/movimientos/:id/devolver': prepareForRow(
    addPaidBankMovement,
    REASON_BODY,
  ),
  'POST /api/programaciones/estados-de-cuenta/movimientos/:id/devolver': prepareForRow(
    addPaidBankMovement,
    REASON_BODY,
  ),
  'POST /api/programaciones/estados-de-cuenta/movimientos/:id/resolver': prepareForRow(
    addOpenBankMovement,
    CLASSIFICATION_BODY,
  ),
  'POST /api/programaciones/estados-de-cuenta/movimientos/:id/soltar': prepareForRow(
    addClassifiedBankMovement,
    {},
  ),
  'POST /programaciones/estados-de-cuenta/movimientos/:id/resolver': prepareForRow(addOpenBankMovement, {
    version: '1',
    clase: 'comision',
  }),
  'POST /programaciones/estados-de-cuenta/movimientos/:id/soltar': prepareForRow(addClassifiedBankMovement),
  'POST /programaciones/estados-de-cuenta/reglas/:id/eliminar': prepareForRow(addBankRule),
  'DELETE /api/programaciones/estados-de-cuenta/reglas/:id': prepareForRow(addBankRule),
  'POST /new-user': prepareBody({ ...NEW_USER, roles: 4, employeenumber: '' }),
  'PUT /api/auth/updateusersdata': async (db) => ({
    query: `?id=${(await addUser(db)).id}`,
    body: { roles: [2] },
  }),
  'PUT /api/auth/updateusersdata/:id': prepareForRow(async (db) => (await addUser(db)).id, { active: false }),
  'POST /admin-users': async (db) => {
    const { id, username, email } = await addUser(db);
    return { query: `?edit=${id}`, body: { username, email, roles: 5, active: 'true' } };
  },
  'PUT /api/auth/resetpsw': async (db) => ({
    body: { iduser: (await addUser(db)).id, newpassword: NEXT_PASSWORD },
  }),
  'PUT /api/auth/changepsw': prepareBody({ currpassword: CURRENT_PASSWORD, newpassword: NEXT_PASSWORD }),
  'POST /userprofile': prepareBody({
    currentpassword: CURRENT_PASSWORD,
    newpassword: NEXT_PASSWORD,
    confirmpassword: NEXT_PASSWORD,
  }),
  'POST /admin-settings': prepareBody({ empresa: 'Obras del Valle', 'antes:empresa': '' }),
  'POST /empezar/empresa': prepareBody({ empresa: 'Roble' }),
  'POST /empezar/obra': prepareBody({
    jobtitle: 'Torre Roble',
    clientname: 'Inmobiliaria del Norte',
    clientcontactperson: '(sin contacto)',
  }),
  'POST /empezar/proveedor': prepareBody({ suppliername: 'Aceros', suppliercontactperson: '(sin contacto)' }),
  'POST /empezar/origen': prepareBody({ origenderecursonombre: 'Banorte 0123' }),
  'POST /admin-settings/respaldos': prepareBody({}),

  'POST /api/facturaproveedores/newfacturaproveedor': prepareFromDraft(createInvoiceDraft),
  'POST /new-invoice': prepareFromDraft(createInvoiceDraft),
  'PUT /api/facturaproveedores/:id': prepareForRow(addInvoice, { subtotal: 900 }),
  'POST /invoices/cambiar': async (db) => {
    const id = await addInvoice(db);
    return { body: { paso: 'guardar', facturas: id, versiones: `${id}-1`, fechavencimiento: '2026-12-15' } };
  },
  'POST /editinvoicepage/:id': prepareForRow(addInvoice, { comments: 'otra', version: 1 }),
  'POST /editinvoicepage/:id/desligar': prepareForRow((db) => addInvoice(db, { uuid: 'A1' })),
  'POST /editinvoicepage/:id/adjuntos/:id/quitar': prepareForRow(async (db) => {
    const id = await addInvoice(db);
    return [
      id,
      await inTransaction(db, (trx) => attachFile(trx, createActor({ userId: 1 }), id, PDF_UPLOAD)),
    ];
  }),
  'DELETE /api/facturaproveedores/:id': prepareForRow(addInvoice),
  'POST /editinvoicepage/:id/eliminar': prepareForRow(addInvoice),
  'POST /editinvoicepage/:id/deshacer': prepareForRow(addDeletedInvoice),
  'POST /api/facturaproveedores/:id/restore': prepareForRow(addDeletedInvoice),
  'DELETE /api/facturaproveedores': async (db) => {
    for (let n = 0; n < 3; n++) await addInvoice(db);
    return { query: '?confirm=all' };
  },

  'POST /api/creditos': async (db) => ({ body: await createNoteDraft(db) }),
  'POST /new-credit-note': async (db) => ({ body: await createNoteDraft(db) }),
  'DELETE /api/creditos/:id': prepareForRow(async (db) =>
    addCreditNote(db, { supplierId: await addSupplier(db), userId: (await addActor(db)).userId }),
  ),
  'POST /api/payments/newpayment': async (db) => ({
    body: { facturaproveedorId: await addInvoice(db), paymentamount: 5 },
  }),
  'POST /new-payment': async (db) => ({
    body: { facturaproveedorId: await addInvoice(db), paymentamount: '5' },
  }),
  'POST /api/payments/dobles/:id': prepareForRow(addDoublePaymentPair, { motivo: 'Dos viajes' }),
  'POST /pagos-dobles/:id': prepareForRow(addDoublePaymentPair, { motivo: 'Dos viajes' }),
  'PUT /api/payments/:id': prepareForRow(addUnrestrictedPayment, { paymentamount: 2 }),
  'POST /editpaymentpage/:id': prepareForRow(addUnrestrictedPayment, { comments: 'otra', version: 1 }),
  'DELETE /api/payments/:id': prepareForRow(addUnrestrictedPayment),
  'POST /pagos-proveedores/:id/eliminar': prepareForRow(addUnrestrictedPayment),
  'POST /api/payments/:id/restore': prepareForRow(addDeletedPayment),
  'POST /pagos-proveedores/:id/deshacer': prepareForRow(addDeletedPayment),
  'DELETE /api/payments': async (db) => {
    await addUnrestrictedPayment(db);
    return { query: '?confirm=all' };
  },

  'PUT /api/presupuestos/:id': prepareForRow((db) => addJob(db), {
    motivo: 'Contrato',
    partidas: [{ rubroId: null, presupuesto: 2 }],
  }),
  'POST /presupuestos': async (db) => ({ body: { [`p.${await addJob(db)}.0`]: '5', motivo: 'Contrato' } }),

  'POST /api/programaciones': prepareFromDraft(createBatchDraft),
  'POST /programaciones/nueva': async (db) => {
    const { partidas, ...draft } = await createBatchDraft(db);
    return { body: { ...draft, ...partidas[0], idempotencyKey: 'una' } };
  },
  'PUT /api/programaciones/:id': prepareForRow(async (db) => (await addBatch(db)).id, { comments: 'otra' }),
  'POST /programaciones/:id': prepareWithVersion(addBatch, { comments: 'otra' }),
  'DELETE /api/programaciones/:id': prepareForRow(async (db) => (await addBatch(db)).id),
  'POST /programaciones/:id/eliminar': prepareWithVersion(addBatch),
  ...Object.assign(
    {},
    ...Object.entries(BATCH_STEPS).map(([step, estado]) => prepareBatchStep(step, estado)),
  ),
  'POST /api/programaciones/:id/archivos': prepareForRow(async (db) => (await addPayableBatch(db)).id, {
    plantilla: 'csv',
  }),
  'POST /programaciones/:id/archivos': prepareWithVersion(addPayableBatch, { plantilla: 'csv' }),
  'POST /api/programaciones/:id/archivos/:id/descargar': prepareForRow(addBankFile, {}),
  'POST /programaciones/:id/archivos/:id/descargar': prepareForRow(addBankFile),
  'POST /api/programaciones/:id/partidas/:id/permitir': preparePermit,
  'POST /programaciones/:id/partidas/:id/permitir': preparePermit,
  'POST /programaciones/plantillas/:id/confirmar': async (db) => ({
    ids: ['csv'],
    body: { version: await addCustomLayout(db) },
  }),
  'POST /api/programaciones/plantillas/confirmar': async (db) => ({
    body: { plantilla: 'csv', version: await addCustomLayout(db) },
  }),
  'POST /admin-settings/plantillas/:id/restablecer': prepareForRow(async (db) => {
    await saveLayout(db, createActor({ userId: 1 }), CUSTOM_LAYOUT);
    return ['csv'];
  }),

  'POST /api/suppliers/:id/statement/enviar': prepareForRow(addSupplier, {}),
  'POST /estado-cuenta/:id/enviar': prepareForRow(addSupplier, { para: 'cobranza@proveedor.mx' }),
  'POST /api/payments/:id/aviso/enviar': prepareForRow(addUnrestrictedPayment, {}),
  'POST /editpaymentpage/:id/aviso/enviar': prepareForRow(addUnrestrictedPayment, {
    para: 'cobranza@proveedor.mx',
  }),
  'POST /api/programaciones/:id/avisos/enviar': prepareForRow(addPaidBatch, {}),
  'POST /programaciones/:id/avisos/enviar': prepareForRow(addPaidBatch, {}),
  'POST /api/suppliers/:id/rep/enviar': prepareForRow(addPaymentWithoutReceipt, {}),
  'POST /fiscal/rep/enviar': async (db) => {
    await addPaymentWithoutReceipt(db);
    return { body: {} };
  },
  'POST /fiscal/rep/:id/enviar': prepareForRow(addPaymentWithoutReceipt, { para: 'cobranza@proveedor.mx' }),
  'POST /fiscal/cruce/ligar': prepareLinkableRow('factura'),
  'POST /api/fiscal/cruce/ligar': prepareLinkableRow('facturaproveedorId'),
  'POST /api/correos/:id/reintentar': prepareForRow(addMail, {}),
  'POST /correos/:id/reintentar': prepareForRow(addMail),

  'POST /cierre': prepareBody({ mes: '2026-01' }),
  'POST /cierre/reabrir': async (db) => {
    await changeSetting(db, createActor({ roles: [3] }), 'cierre', '2026-01-31');
    return { body: { cierre: '', motivo: 'Faltó una factura' } };
  },

  'POST /editsupplierpage/:id/saldo-a-favor': async (db) => {
    const supplierId = await addSupplier(db);
    const creditNoteId = await addCreditNote(db, { supplierId, userId: 1 });
    const facturaproveedorId = await addInvoice(db, { supplierId });
    return { ids: [supplierId], body: { creditNoteId, facturaproveedorId, paymentamount: '1' } };
  },
  'POST /api/creditos/:id/restore': prepareForRow(addDeletedNote),
  'POST /editsupplierpage/nota-de-credito/:id/deshacer': prepareForRow(addDeletedNote),
  'POST /editsupplierpage/nota-de-credito/:id/eliminar': prepareForRow(async (db) =>
    addCreditNote(db, { supplierId: await addSupplier(db), userId: 1 }),
  ),
  'POST /api/suppliers/:id/cuentas': prepareForRow((db) => addSupplier(db), ACCOUNT_BODY),
  'POST /editsupplierpage/:id/cuentas': prepareForRow((db) => addSupplier(db), ACCOUNT_BODY),
  'PUT /api/suppliers/:id/cuentas/:id': prepareForRow(addAccountAndListIds, { titular: 'Otra' }),
  'POST /editsupplierpage/:id/cuentas/:id': prepareWithVersion(
    (db) => addAccount(db),
    ACCOUNT_BODY,
    listAccountPathIds,
  ),
  'POST /editsupplierpage/:id/cuentas/:id/confianza': prepareWithVersion(
    (db) => addAccount(db, { truster: false }),
    { confiable: 'true' },
    listAccountPathIds,
  ),
  'DELETE /api/suppliers/:id/cuentas/:id': prepareForRow(addAccountAndListIds),
  'POST /editsupplierpage/:id/cuentas/:id/eliminar': prepareWithVersion(
    (db) => addAccount(db),
    {},
    listAccountPathIds,
  ),

  'POST /caja-chica/nuevo-fondo': prepareFromDraft(createFundDraft),
  'POST /api/cajachica': prepareFromDraft(createFundDraft),
  'POST /caja-chica/:id/editar': async (db) => {
    const id = await addFundAndGetId(db);
    const pagosOrigenId = await addFundingSource(db);
    return { ids: [id], body: { ...(await createFundDraft(db)), nombre: 'Otra', pagosOrigenId, version: 1 } };
  },
  'PUT /api/cajachica/:id': prepareForRow(addFundAndGetId, { nombre: 'Otra' }),
  'POST /caja-chica/:id/cerrar': prepareForRow(addEmptyFund),
  'POST /api/cajachica/:id/cerrar': prepareForRow(addEmptyFund, {}),
  'POST /caja-chica/:id/entregar': prepareHandover({ piezas1000: 1 }),
  'POST /api/cajachica/:id/entregar': prepareHandover({ denominaciones: { '1000': 1 } }),
  'POST /caja-chica/:id/eliminar': prepareForRow(addEmptyFund),
  'DELETE /api/cajachica/:id': prepareForRow(addEmptyFund),
  'POST /caja-chica/:id/nuevo-movimiento': prepareForRow(addFundAndGetId, MOVEMENT_FORM),
  'POST /api/cajachica/:id/movimientos': prepareForRow(addFundAndGetId, { concepto: 'Clavos', importe: 5 }),
  'POST /caja-chica/movimientos/:id': prepareForRow(addCashMovement, { ...MOVEMENT_FORM, version: 1 }),
  'PUT /api/cajachica/movimientos/:id': prepareForRow(addCashMovement, { concepto: 'Tornillos' }),
  'POST /caja-chica/movimientos/:id/eliminar': prepareForRow(addCashMovement),
  'DELETE /api/cajachica/movimientos/:id': prepareForRow(addCashMovement),
  'POST /caja-chica/movimientos/:id/deshacer': prepareForRow(addDeletedCashMovement),
  'POST /api/cajachica/movimientos/:id/restore': prepareForRow(addDeletedCashMovement, {}),
  'POST /caja-chica/movimientos/:id/aceptar': prepareForRow(addExpenseWithoutVoucher, { version: 1 }),
  'POST /api/cajachica/movimientos/:id/aceptar': prepareForRow(addExpenseWithoutVoucher, {}),
  'POST /caja-chica/movimientos/:id/adjuntos/:id/quitar': prepareForRow(async (db) => {
    const movementId = await addCashMovement(db);
    const by = createActor({ userId: 1 });
    return [movementId, await inTransaction(db, (trx) => attachFile(trx, by, { movementId }, PDF_UPLOAD))];
  }),
  'POST /caja-chica/:id/reposicion': async (db) => {
    const { fundId, id } = await addExpense(db);
    return { ids: [fundId], body: { movementIds: id, fecha: TODAY } };
  },
  'POST /api/cajachica/:id/reposicion': prepareForRow(async (db) => (await addExpense(db)).fundId, {}),
  'POST /caja-chica/reposiciones/:id/autorizar': prepareForRow((db) => addReplenishment(db), { version: 1 }),
  'POST /caja-chica/reposiciones/:id/retirar': prepareForRow((db) => addReplenishment(db), { version: 1 }),
  'POST /caja-chica/reposiciones/:id/deshacer': prepareForRow((db) => addReplenishment(db, true), {
    version: 1,
  }),
  'POST /api/cajachica/reposiciones/:id/autorizar': prepareForRow((db) => addReplenishment(db), {
    version: 1,
  }),
  'DELETE /api/cajachica/reposiciones/:id': prepareForRow((db) => addReplenishment(db)),
  'POST /caja-chica/:id/arqueo': prepareForRow(addFundAndGetId, { piezas500: 2 }),
  'POST /api/cajachica/:id/arqueo': prepareForRow(addFundAndGetId, { denominaciones: { '500': 2 } }),
  'POST /caja-chica/arqueos/:id/ajustar': prepareForRow(addCashCount, { motivo: 'Faltó' }),
  'POST /api/cajachica/arqueos/:id/ajustar': prepareForRow(addCashCount, { motivo: 'Faltó' }),
};

/** One change through each route that changes something, by method and path. */
export const changes: Record<string, Change> = {
  ...Object.fromEntries(
    Object.entries(
      Object.assign({}, PREPARE_BY_ROUTE, ...catalogs.map(createCatalogRequests)) as typeof PREPARE_BY_ROUTE,
    ).map(([route, prepare]) => [route, createChange(route, prepare)]),
  ),
  'POST /userprofile/doble-factor': async (db) => async (client) => {
    const factor = { userId: client.user.id, secret: '', confirmed: 1, createdAt: NOW };
    await db.insertInto('second_factors').values(factor).execute();
    const backup = { userId: client.user.id, hash: hashToken('backup:respaldo') };
    await db.insertInto('backup_codes').values(backup).execute();
    return client.form('/userprofile/doble-factor', { step: 'codes', code: 'respaldo' });
  },
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
  'POST /editinvoicepage/:id/adjuntos': async (db) => {
    const id = await addInvoice(db);
    return (client) => client.files(`/editinvoicepage/${id}/adjuntos`, { file: ['a.pdf', PDF_UPLOAD.bytes] });
  },
  'POST /caja-chica/movimientos/:id/adjuntos': async (db) => {
    const id = await addCashMovement(db);
    return (client) =>
      client.files(`/caja-chica/movimientos/${id}/adjuntos`, { file: ['a.pdf', PDF_UPLOAD.bytes] });
  },
  'POST /programaciones/estados-de-cuenta/cargar': (db) =>
    prepareStatementUpload(db, pages.loadBankStatement),
  'POST /api/programaciones/estados-de-cuenta/cargar': (db) =>
    prepareStatementUpload(db, `/api${pages.loadBankStatement}`),
  'POST /fiscal/metadatos': async () => (client) =>
    client.files('/fiscal/metadatos', { file: METADATA_UPLOAD }),
  'POST /api/fiscal/metadatos': async () => (client) =>
    client.files('/api/fiscal/metadatos', { file: METADATA_UPLOAD }),
  'POST /fiscal/69b': async () => (client) => client.files('/fiscal/69b', { file: LIST_69B }),
  'POST /api/fiscal/69b': async () => (client) => client.files('/api/fiscal/69b', { file: LIST_69B }),
  'POST /admin-settings/logo': async () => (client) =>
    client.files('/admin-settings/logo', { logo: ['logo.png', buildPng(40, 20)] }),
  'POST /admin-settings/plantillas': async () => (client) =>
    client.files('/admin-settings/plantillas', { plantilla: ['csv.json', Buffer.from(CUSTOM_LAYOUT)] }),
  'POST /importar/:id': async () => async (client) => {
    const file = { name: 'rubros.csv', text: 'Rubro\nAcero\n' };
    const sent = await client.send('/importar', createUploadForm(file, { kind: 'rubros' }));
    return client.form(sent.headers.get('location')!, { idempotencyKey: 'una' });
  },
};

function createCatalogRequests(catalog: Catalog): Record<string, PrepareRequest> {
  const { noun, nameField, paths } = catalog;
  const createRowDraft = async (db: Db) => {
    const all: Record<string, string | number> = {
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
    };
    return Object.fromEntries(Object.entries(all).filter(([name]) => FIELDS_BY_CATALOG[noun]?.test(name)));
  };
  const add = ADD_ROW_BY_CATALOG[noun]!;
  const addDeletedRow = async (db: Db) => {
    const id = await add(db);
    await deleteRow(db, createActor(), catalog, id);
    return id;
  };
  return {
    [`POST ${paths.api}${paths.apiCreate}`]: prepareFromDraft(createRowDraft),
    [`PUT ${paths.api}/:id`]: prepareForRow(add, { [nameField]: 'Nuevo nombre' }),
    [`DELETE ${paths.api}/:id`]: prepareForRow(add),
    [`POST ${paths.api}/:id/restore`]: prepareForRow(addDeletedRow),
    [`POST ${paths.edit}/:id/deshacer`]: prepareForRow(addDeletedRow),
    [`DELETE ${paths.api}`]: async (db) => {
      for (let n = 0; n < 3; n++) await add(db);
      return { query: '?confirm=all' };
    },
    [`POST ${paths.create}`]: prepareFromDraft(createRowDraft),
    [`POST ${paths.edit}/:id`]: async (db) => ({
      ids: [await add(db)],
      body: { ...(await createRowDraft(db)), version: 1 },
    }),
    [`POST ${paths.edit}/:id/eliminar`]: prepareForRow(add),
  };
}

async function createInvoiceDraft(db: Db) {
  return { supplierId: await addSupplier(db), jobId: await addJob(db), subtotal: '100' };
}

async function addUnrestrictedPayment(db: Db): Promise<number> {
  return addPayment(db, { ...PAYMENT_VALUES, facturaproveedorId: await addInvoice(db) });
}

async function addPaymentWithoutReceipt(db: Db): Promise<number> {
  const supplierId = await addSupplier(db);
  const facturaproveedorId = await addInvoice(db, { supplierId, metodopago: 'PPD' });
  await addPayment(db, { ...PAYMENT_VALUES, facturaproveedorId });
  return supplierId;
}

async function addDoublePaymentPair(db: Db): Promise<[string]> {
  const supplierId = await addSupplier(db);
  const add = async () =>
    addPayment(db, { ...PAYMENT_VALUES, facturaproveedorId: await addInvoice(db, { supplierId }) });
  return [`${await add()}-${await add()}`];
}

async function addDeletedInvoice(db: Db): Promise<number> {
  const id = await addInvoice(db);
  await deleteInvoice(db, createActor(), id);
  return id;
}

async function addDeletedPayment(db: Db): Promise<number> {
  const id = await addUnrestrictedPayment(db);
  await deletePayment(db, createActor(), id);
  return id;
}

async function addDeletedNote(db: Db): Promise<number> {
  const id = await addCreditNote(db, { supplierId: await addSupplier(db), userId: 1 });
  await deleteCreditNote(db, createActor(), id);
  return id;
}

async function createFundDraft(db: Db) {
  const origenderecursoId = await addFundingSource(db);
  return { responsableId: 1, openedOn: TODAY, nombre: 'Caja nueva', origenderecursoId };
}

async function addFundAndGetId(db: Db, aperturaCents = 100_000): Promise<number> {
  return (await addFund(db, { actor: createActor({ userId: 1, roles: [1] }), aperturaCents })).id;
}

function prepareHandover(counted: object) {
  return async (db: Db) => ({
    ids: [await addFundAndGetId(db)],
    body: { ...counted, responsableId: (await addActor(db, { roles: [6] })).userId },
  });
}

async function addEmptyFund(db: Db): Promise<number> {
  return addFundAndGetId(db, 0);
}

async function addExpense(db: Db, part: MovementFieldValues = {}) {
  const draft = createExpenseValues({ importeCents: 5, ...part });
  return (await createMovement(db, createActor({ userId: 1 }), await addFundAndGetId(db), draft)).movement;
}

async function addCashMovement(db: Db): Promise<number> {
  return (await addExpense(db)).id;
}

async function addExpenseWithoutVoucher(db: Db): Promise<number> {
  return (await addExpense(db, { comprobante: 'ninguno' })).id;
}

async function addDeletedCashMovement(db: Db): Promise<number> {
  const id = await addCashMovement(db);
  await deleteMovement(db, createActor(), id);
  return id;
}

/** The expense was requested by a person without the right to approve it, and paid by another person. */
async function addReplenishment(db: Db, isPaid = false): Promise<number> {
  const clerk = await addActor(db, { roles: [6] });
  const fundId = await addFundAndGetId(db);
  await createMovement(db, clerk, fundId, createExpenseValues({ importeCents: 5 }));
  const { id } = (await requestReplenishment(db, clerk, fundId, {})).replenishment;
  if (isPaid) await authorizeReplenishment(db, await addActor(db), id);
  return id;
}

async function addCashCount(db: Db): Promise<number> {
  return (
    await countCash(db, createActor({ userId: 1 }), await addFundAndGetId(db), {
      denominaciones: { '500': 1 },
    })
  ).id;
}
