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
import { aPdf } from './files.ts';
import { list69bFile } from './list-69b.ts';
import { addMail } from './mails.ts';
import { metadataFile, metadataUuid } from './metadata.ts';
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

export type Change = (db: Db) => Promise<(client: TestClient) => Promise<Response>>;

interface Prepared {
  ids?: readonly (number | string)[];
  body?: object;
  query?: string;
}

type Prepare = (db: Db) => Prepared | Promise<Prepared>;

/** Sends the fields as JSON to the API, and as a form to a page. */
function changeBy(route: string, prepare: Prepare): Change {
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

const about =
  (add: (db: Db) => Promise<number | readonly (number | string)[]>, body?: object): Prepare =>
  async (db) => ({ ids: [await add(db)].flat(), body });

const versioned =
  <T extends { id: number; version: number }>(
    add: (db: Db) => Promise<T>,
    more: object = {},
    ids: (made: T) => number[] = ({ id }) => [id],
  ): Prepare =>
  async (db) => {
    const made = await add(db);
    return { ids: ids(made), body: { version: made.version, ...more } };
  };

const filled =
  (draft: (db: Db) => Promise<object>, more: object = {}): Prepare =>
  async (db) => ({ body: { ...(await draft(db)), ...more } });

const plain =
  (body: object): Prepare =>
  () => ({ body });

const LIST_69B: [string, Buffer] = ['lista.csv', list69bFile([]).bytes];
const METADATA: [string, Buffer] = ['octubre.txt', metadataFile([{ uuid: metadataUuid(1) }]).bytes];

const A_PDF = { filename: 'a.pdf', bytes: aPdf() };

const payer = { facturaproveedorId: 1, amountCents: 100, userId: 1 };

export const PASSWORD = 'ladrillo rojo 7';
const NEXT_PASSWORD = 'cimbra y andamio 8';
const person = { userfirstname: 'Eva', userlastname: 'Luna', roles: [4], password: NEXT_PASSWORD };

const ACCOUNT = { clabe: '012180004643051249', titular: 'Aceros SA' };

const OWN_LAYOUT = formatLayout({ ...BUILT_IN_LAYOUTS.at(-1)!, nombre: 'CSV de nuestro banco' });

const ownLayout = async (db: Db): Promise<number> =>
  (await saveLayout(db, await addActor(db), OWN_LAYOUT)).custom!.version;

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

const BATCH_STEPS = {
  autorizar: 'borrador',
  enviar: 'autorizada',
  pagar: 'autorizada',
  regresar: 'autorizada',
} as const;

const stepOf = (step: string, estado: BatchState): Record<string, Prepare> => ({
  [`POST /api/programaciones/:id/${step}`]: versioned((db) => addBatch(db, { estado })),
  [`POST /programaciones/:id/${step}`]: versioned((db) => addBatch(db, { estado })),
});

const paidBatch = async (db: Db) => (await addBatch(db, { estado: 'pagada' })).id;

async function batchDraft(db: Db) {
  const facturaproveedorId = await addInvoice(db);
  const origenderecursoId = await addFundingSource(db);
  return { fecha: TODAY, origenderecursoId, partidas: [{ facturaproveedorId }] as const };
}

/** Stores a batch that may be sent to a bank: its supplier has an account that was confirmed long ago. */
async function payableBatch(db: Db) {
  const author = await addActor(db, { roles: [6], today: '2026-11-02' });
  const { supplierId } = await addAccount(db, { author });
  return addBatch(db, { estado: 'autorizada', invoiceIds: [await addInvoice(db, { supplierId })] });
}

async function madeFile(db: Db): Promise<number[]> {
  const { id } = await payableBatch(db);
  const { file } = await generateFileAndMarkSent(db, await addActor(db, { roles: [1] }), id, {
    layout: 'csv',
  });
  return [id, file.id];
}

async function statementTo(db: Db, path: string) {
  const origenderecursoId = String(await addFundingSource(db));
  const file = Buffer.from('Fecha,Concepto,Cargo,Abono\n19/11/2026,Comisión,5.00,\n');
  return (client: TestClient) => client.files(path, { file: ['a.csv', file] }, { origenderecursoId });
}

/** An invoice without UUID, and the document of the SAT that it fits. @param field that names the invoice */
function linkable(field: string): Prepare {
  return async (db) => {
    const supplierId = await addSupplier(db, { rfc: 'ACE010203AB4' });
    const id = await addInvoice(db, { supplierId, fechaemision: '2026-10-05' });
    const uuid = metadataUuid(1);
    await importMetadata(db, actor(), metadataFile([{ uuid }]));
    return { body: { uuid, [field]: id, version: 1 } };
  };
}

const paperNote = async (db: Db) => {
  const supplierId = await addSupplier(db);
  return { supplierId, numero: 'NC-1', fecha: TODAY, subtotal: 100, tasa: 16 };
};

export async function paidMovement(db: Db): Promise<number> {
  const batch = await payableBatch(db);
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

export const openMovement = async (db: Db): Promise<number> =>
  (await addBankMovements(db, [{ descripcion: 'COMISION' }])).ids[0]!;
const NAMED = { version: 1, clase: 'comision' };
export async function namedMovement(db: Db): Promise<number> {
  const id = await openMovement(db);
  const named = { clase: 'comision', siempre: 'comision' } as const;
  await resolveMovement(db, await addActor(db, { roles: [1] }), id, named);
  return id;
}
export async function bankRule(db: Db): Promise<number> {
  await namedMovement(db);
  return (await readRules(db))[0]!.id;
}

const REASON = { motivo: 'La cuenta no existe' };

async function heldLine(db: Db) {
  await changeSetting(db, actor(), 'semaforo.xml', 'impedir');
  return addBatch(db);
}
const permitting = versioned(heldLine, { motivo: 'Mañana llega' }, ({ id, lines }) => [
  id,
  lines[0]!.invoiceId,
]);

const accountIds = ({ id, supplierId }: { id: number; supplierId: number; version: number }) => [
  supplierId,
  id,
];
const accountPlace = async (db: Db) => accountIds(await addAccount(db));

const requests: Record<string, Prepare> = {
  'POST /api/auth/signup': plain(person),
  'POST /programaciones/estados-de-cuenta/movimientos/:id/devolver': about(paidMovement, REASON),
  'POST /api/programaciones/estados-de-cuenta/movimientos/:id/devolver': about(paidMovement, REASON),
  'POST /api/programaciones/estados-de-cuenta/movimientos/:id/resolver': about(openMovement, NAMED),
  'POST /api/programaciones/estados-de-cuenta/movimientos/:id/soltar': about(namedMovement, {}),
  'POST /programaciones/estados-de-cuenta/movimientos/:id/resolver': about(openMovement, {
    version: '1',
    clase: 'comision',
  }),
  'POST /programaciones/estados-de-cuenta/movimientos/:id/soltar': about(namedMovement),
  'POST /programaciones/estados-de-cuenta/reglas/:id/eliminar': about(bankRule),
  'DELETE /api/programaciones/estados-de-cuenta/reglas/:id': about(bankRule),
  'POST /new-user': plain({ ...person, roles: 4, employeenumber: '' }),
  'PUT /api/auth/updateusersdata': async (db) => ({
    query: `?id=${(await addUser(db)).id}`,
    body: { roles: [2] },
  }),
  'PUT /api/auth/updateusersdata/:id': about(async (db) => (await addUser(db)).id, { active: false }),
  'POST /admin-users': async (db) => {
    const { id, username, email } = await addUser(db);
    return { query: `?edit=${id}`, body: { username, email, roles: 5, active: 'true' } };
  },
  'PUT /api/auth/resetpsw': async (db) => ({
    body: { iduser: (await addUser(db)).id, newpassword: NEXT_PASSWORD },
  }),
  'PUT /api/auth/changepsw': plain({ currpassword: PASSWORD, newpassword: NEXT_PASSWORD }),
  'POST /userprofile': plain({
    currentpassword: PASSWORD,
    newpassword: NEXT_PASSWORD,
    confirmpassword: NEXT_PASSWORD,
  }),
  'POST /admin-settings': plain({ empresa: 'Obras del Valle', 'antes:empresa': '' }),
  'POST /empezar/empresa': plain({ empresa: 'Roble' }),
  'POST /empezar/obra': plain({
    jobtitle: 'Torre Roble',
    clientname: 'Inmobiliaria del Norte',
    clientcontactperson: '(sin contacto)',
  }),
  'POST /empezar/proveedor': plain({ suppliername: 'Aceros', suppliercontactperson: '(sin contacto)' }),
  'POST /empezar/origen': plain({ origenderecursonombre: 'Banorte 0123' }),
  'POST /admin-settings/respaldos': plain({}),

  'POST /api/facturaproveedores/newfacturaproveedor': filled(invoiceDraft),
  'POST /new-invoice': filled(invoiceDraft),
  'PUT /api/facturaproveedores/:id': about(addInvoice, { subtotal: 900 }),
  'POST /invoices/cambiar': async (db) => {
    const id = await addInvoice(db);
    return { body: { paso: 'guardar', facturas: id, versiones: `${id}-1`, fechavencimiento: '2026-12-15' } };
  },
  'POST /editinvoicepage/:id': about(addInvoice, { comments: 'otra', version: 1 }),
  'POST /editinvoicepage/:id/desligar': about((db) => addInvoice(db, { uuid: 'A1' })),
  'POST /editinvoicepage/:id/adjuntos/:id/quitar': about(async (db) => {
    const id = await addInvoice(db);
    return [id, await inTransaction(db, (trx) => attachFile(trx, actor({ userId: 1 }), id, A_PDF))];
  }),
  'DELETE /api/facturaproveedores/:id': about(addInvoice),
  'POST /editinvoicepage/:id/eliminar': about(addInvoice),
  'POST /editinvoicepage/:id/deshacer': about(deletedInvoice),
  'POST /api/facturaproveedores/:id/restore': about(deletedInvoice),
  'DELETE /api/facturaproveedores': async (db) => {
    for (let n = 0; n < 3; n++) await addInvoice(db);
    return { query: '?confirm=all' };
  },

  'POST /api/creditos': async (db) => ({ body: await paperNote(db) }),
  'POST /new-credit-note': async (db) => ({ body: await paperNote(db) }),
  'DELETE /api/creditos/:id': about(async (db) =>
    addCreditNote(db, { supplierId: await addSupplier(db), userId: (await addActor(db)).userId }),
  ),
  'POST /api/payments/newpayment': async (db) => ({
    body: { facturaproveedorId: await addInvoice(db), paymentamount: 5 },
  }),
  'POST /new-payment': async (db) => ({
    body: { facturaproveedorId: await addInvoice(db), paymentamount: '5' },
  }),
  'POST /api/payments/dobles/:id': about(doublePair, { motivo: 'Dos viajes' }),
  'POST /pagos-dobles/:id': about(doublePair, { motivo: 'Dos viajes' }),
  'PUT /api/payments/:id': about(payment, { paymentamount: 2 }),
  'POST /editpaymentpage/:id': about(payment, { comments: 'otra', version: 1 }),
  'DELETE /api/payments/:id': about(payment),
  'POST /pagos-proveedores/:id/eliminar': about(payment),
  'POST /api/payments/:id/restore': about(deletedPayment),
  'POST /pagos-proveedores/:id/deshacer': about(deletedPayment),
  'DELETE /api/payments': async (db) => {
    await payment(db);
    return { query: '?confirm=all' };
  },

  'PUT /api/presupuestos/:id': about((db) => addJob(db), {
    motivo: 'Contrato',
    partidas: [{ rubroId: null, presupuesto: 2 }],
  }),
  'POST /presupuestos': async (db) => ({ body: { [`p.${await addJob(db)}.0`]: '5', motivo: 'Contrato' } }),

  'POST /api/programaciones': filled(batchDraft),
  'POST /programaciones/nueva': async (db) => {
    const { partidas, ...draft } = await batchDraft(db);
    return { body: { ...draft, ...partidas[0], idempotencyKey: 'una' } };
  },
  'PUT /api/programaciones/:id': about(async (db) => (await addBatch(db)).id, { comments: 'otra' }),
  'POST /programaciones/:id': versioned(addBatch, { comments: 'otra' }),
  'DELETE /api/programaciones/:id': about(async (db) => (await addBatch(db)).id),
  'POST /programaciones/:id/eliminar': versioned(addBatch),
  ...Object.assign({}, ...Object.entries(BATCH_STEPS).map(([step, estado]) => stepOf(step, estado))),
  'POST /api/programaciones/:id/archivos': about(async (db) => (await payableBatch(db)).id, {
    plantilla: 'csv',
  }),
  'POST /programaciones/:id/archivos': versioned(payableBatch, { plantilla: 'csv' }),
  'POST /api/programaciones/:id/archivos/:id/descargar': about(madeFile, {}),
  'POST /programaciones/:id/archivos/:id/descargar': about(madeFile),
  'POST /api/programaciones/:id/partidas/:id/permitir': permitting,
  'POST /programaciones/:id/partidas/:id/permitir': permitting,
  'POST /programaciones/plantillas/:id/confirmar': async (db) => ({
    ids: ['csv'],
    body: { version: await ownLayout(db) },
  }),
  'POST /api/programaciones/plantillas/confirmar': async (db) => ({
    body: { plantilla: 'csv', version: await ownLayout(db) },
  }),
  'POST /admin-settings/plantillas/:id/restablecer': about(async (db) => {
    await saveLayout(db, actor({ userId: 1 }), OWN_LAYOUT);
    return ['csv'];
  }),

  'POST /api/suppliers/:id/statement/enviar': about(addSupplier, {}),
  'POST /estado-cuenta/:id/enviar': about(addSupplier, { para: 'cobranza@proveedor.mx' }),
  'POST /api/payments/:id/aviso/enviar': about(payment, {}),
  'POST /editpaymentpage/:id/aviso/enviar': about(payment, { para: 'cobranza@proveedor.mx' }),
  'POST /api/programaciones/:id/avisos/enviar': about(paidBatch, {}),
  'POST /programaciones/:id/avisos/enviar': about(paidBatch, {}),
  'POST /api/suppliers/:id/rep/enviar': about(owingReceipt, {}),
  'POST /fiscal/rep/enviar': async (db) => {
    await owingReceipt(db);
    return { body: {} };
  },
  'POST /fiscal/rep/:id/enviar': about(owingReceipt, { para: 'cobranza@proveedor.mx' }),
  'POST /fiscal/cruce/ligar': linkable('factura'),
  'POST /api/fiscal/cruce/ligar': linkable('facturaproveedorId'),
  'POST /api/correos/:id/reintentar': about(addMail, {}),
  'POST /correos/:id/reintentar': about(addMail),

  'POST /cierre': plain({ mes: '2026-01' }),
  'POST /cierre/reabrir': async (db) => {
    await changeSetting(db, actor({ roles: [3] }), 'cierre', '2026-01-31');
    return { body: { cierre: '', motivo: 'Faltó una factura' } };
  },

  'POST /editsupplierpage/:id/saldo-a-favor': async (db) => {
    const supplierId = await addSupplier(db);
    const creditNoteId = await addCreditNote(db, { supplierId, userId: 1 });
    const facturaproveedorId = await addInvoice(db, { supplierId });
    return { ids: [supplierId], body: { creditNoteId, facturaproveedorId, paymentamount: '1' } };
  },
  'POST /api/creditos/:id/restore': about(deletedNote),
  'POST /editsupplierpage/nota-de-credito/:id/deshacer': about(deletedNote),
  'POST /editsupplierpage/nota-de-credito/:id/eliminar': about(async (db) =>
    addCreditNote(db, { supplierId: await addSupplier(db), userId: 1 }),
  ),
  'POST /api/suppliers/:id/cuentas': about((db) => addSupplier(db), ACCOUNT),
  'POST /editsupplierpage/:id/cuentas': about((db) => addSupplier(db), ACCOUNT),
  'PUT /api/suppliers/:id/cuentas/:id': about(accountPlace, { titular: 'Otra' }),
  'POST /editsupplierpage/:id/cuentas/:id': versioned((db) => addAccount(db), ACCOUNT, accountIds),
  'POST /editsupplierpage/:id/cuentas/:id/confianza': versioned(
    (db) => addAccount(db, { truster: false }),
    { confiable: 'true' },
    accountIds,
  ),
  'DELETE /api/suppliers/:id/cuentas/:id': about(accountPlace),
  'POST /editsupplierpage/:id/cuentas/:id/eliminar': versioned((db) => addAccount(db), {}, accountIds),

  'POST /caja-chica/nuevo-fondo': filled(fundDraft),
  'POST /api/cajachica': filled(fundDraft),
  'POST /caja-chica/:id/editar': async (db) => {
    const id = await fund(db);
    const pagosOrigenId = await addFundingSource(db);
    return { ids: [id], body: { ...(await fundDraft(db)), nombre: 'Otra', pagosOrigenId, version: 1 } };
  },
  'PUT /api/cajachica/:id': about(fund, { nombre: 'Otra' }),
  'POST /caja-chica/:id/cerrar': about(emptyFund),
  'POST /api/cajachica/:id/cerrar': about(emptyFund, {}),
  'POST /caja-chica/:id/entregar': handedOver({ piezas1000: 1 }),
  'POST /api/cajachica/:id/entregar': handedOver({ denominaciones: { '1000': 1 } }),
  'POST /caja-chica/:id/eliminar': about(emptyFund),
  'DELETE /api/cajachica/:id': about(emptyFund),
  'POST /caja-chica/:id/nuevo-movimiento': about(fund, MOVEMENT),
  'POST /api/cajachica/:id/movimientos': about(fund, { concepto: 'Clavos', importe: 5 }),
  'POST /caja-chica/movimientos/:id': about(movement, { ...MOVEMENT, version: 1 }),
  'PUT /api/cajachica/movimientos/:id': about(movement, { concepto: 'Tornillos' }),
  'POST /caja-chica/movimientos/:id/eliminar': about(movement),
  'DELETE /api/cajachica/movimientos/:id': about(movement),
  'POST /caja-chica/movimientos/:id/deshacer': about(deletedMovement),
  'POST /api/cajachica/movimientos/:id/restore': about(deletedMovement, {}),
  'POST /caja-chica/movimientos/:id/aceptar': about(unproven, { version: 1 }),
  'POST /api/cajachica/movimientos/:id/aceptar': about(unproven, {}),
  'POST /caja-chica/movimientos/:id/adjuntos/:id/quitar': about(async (db) => {
    const movementId = await movement(db);
    const by = actor({ userId: 1 });
    return [movementId, await inTransaction(db, (trx) => attachFile(trx, by, { movementId }, A_PDF))];
  }),
  'POST /caja-chica/:id/reposicion': async (db) => {
    const { fundId, id } = await spent(db);
    return { ids: [fundId], body: { movementIds: id, fecha: TODAY } };
  },
  'POST /api/cajachica/:id/reposicion': about(async (db) => (await spent(db)).fundId, {}),
  'POST /caja-chica/reposiciones/:id/autorizar': about((db) => replenishment(db), { version: 1 }),
  'POST /caja-chica/reposiciones/:id/retirar': about((db) => replenishment(db), { version: 1 }),
  'POST /caja-chica/reposiciones/:id/deshacer': about((db) => replenishment(db, true), { version: 1 }),
  'POST /api/cajachica/reposiciones/:id/autorizar': about((db) => replenishment(db), { version: 1 }),
  'DELETE /api/cajachica/reposiciones/:id': about((db) => replenishment(db)),
  'POST /caja-chica/:id/arqueo': about(fund, { piezas500: 2 }),
  'POST /api/cajachica/:id/arqueo': about(fund, { denominaciones: { '500': 2 } }),
  'POST /caja-chica/arqueos/:id/ajustar': about(cashCount, { motivo: 'Faltó' }),
  'POST /api/cajachica/arqueos/:id/ajustar': about(cashCount, { motivo: 'Faltó' }),
};

/** One change through each route that changes something, by method and path. */
export const changes: Record<string, Change> = {
  ...Object.fromEntries(
    Object.entries(Object.assign({}, requests, ...catalogs.map(requestsOf)) as typeof requests).map(
      ([route, prepare]) => [route, changeBy(route, prepare)],
    ),
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
    return (client) => client.files(`/editinvoicepage/${id}/adjuntos`, { file: ['a.pdf', A_PDF.bytes] });
  },
  'POST /caja-chica/movimientos/:id/adjuntos': async (db) => {
    const id = await movement(db);
    return (client) =>
      client.files(`/caja-chica/movimientos/${id}/adjuntos`, { file: ['a.pdf', A_PDF.bytes] });
  },
  'POST /programaciones/estados-de-cuenta/cargar': (db) => statementTo(db, pages.loadBankStatement),
  'POST /api/programaciones/estados-de-cuenta/cargar': (db) =>
    statementTo(db, `/api${pages.loadBankStatement}`),
  'POST /fiscal/metadatos': async () => (client) => client.files('/fiscal/metadatos', { file: METADATA }),
  'POST /api/fiscal/metadatos': async () => (client) =>
    client.files('/api/fiscal/metadatos', { file: METADATA }),
  'POST /fiscal/69b': async () => (client) => client.files('/fiscal/69b', { file: LIST_69B }),
  'POST /api/fiscal/69b': async () => (client) => client.files('/api/fiscal/69b', { file: LIST_69B }),
  'POST /admin-settings/logo': async () => (client) =>
    client.files('/admin-settings/logo', { logo: ['logo.png', pngOf(40, 20)] }),
  'POST /admin-settings/plantillas': async () => (client) =>
    client.files('/admin-settings/plantillas', { plantilla: ['csv.json', Buffer.from(OWN_LAYOUT)] }),
  'POST /importar/:id': async () => async (client) => {
    const file = { name: 'rubros.csv', text: 'Rubro\nAcero\n' };
    const sent = await client.send('/importar', uploadForm(file, { kind: 'rubros' }));
    return client.form(sent.headers.get('location')!, { idempotencyKey: 'una' });
  },
};

function requestsOf(catalog: Catalog): Record<string, Prepare> {
  const { noun, nameField, paths } = catalog;
  const draft = async (db: Db) => {
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
    return Object.fromEntries(Object.entries(all).filter(([name]) => FIELDS[noun]?.test(name)));
  };
  const add = ADDERS[noun]!;
  const deleted = async (db: Db) => {
    const id = await add(db);
    await deleteRow(db, actor(), catalog, id);
    return id;
  };
  return {
    [`POST ${paths.api}${paths.apiCreate}`]: filled(draft),
    [`PUT ${paths.api}/:id`]: about(add, { [nameField]: 'Nuevo nombre' }),
    [`DELETE ${paths.api}/:id`]: about(add),
    [`POST ${paths.api}/:id/restore`]: about(deleted),
    [`POST ${paths.edit}/:id/deshacer`]: about(deleted),
    [`DELETE ${paths.api}`]: async (db) => {
      for (let n = 0; n < 3; n++) await add(db);
      return { query: '?confirm=all' };
    },
    [`POST ${paths.create}`]: filled(draft),
    [`POST ${paths.edit}/:id`]: async (db) => ({
      ids: [await add(db)],
      body: { ...(await draft(db)), version: 1 },
    }),
    [`POST ${paths.edit}/:id/eliminar`]: about(add),
  };
}

async function invoiceDraft(db: Db) {
  return { supplierId: await addSupplier(db), jobId: await addJob(db), subtotal: '100' };
}

async function payment(db: Db): Promise<number> {
  return addPayment(db, { ...payer, facturaproveedorId: await addInvoice(db) });
}

async function owingReceipt(db: Db): Promise<number> {
  const supplierId = await addSupplier(db);
  const facturaproveedorId = await addInvoice(db, { supplierId, metodopago: 'PPD' });
  await addPayment(db, { ...payer, facturaproveedorId });
  return supplierId;
}

async function doublePair(db: Db): Promise<[string]> {
  const supplierId = await addSupplier(db);
  const add = async () =>
    addPayment(db, { ...payer, facturaproveedorId: await addInvoice(db, { supplierId }) });
  return [`${await add()}-${await add()}`];
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

async function deletedNote(db: Db): Promise<number> {
  const id = await addCreditNote(db, { supplierId: await addSupplier(db), userId: 1 });
  await deleteCreditNote(db, actor(), id);
  return id;
}

async function fundDraft(db: Db) {
  const origenderecursoId = await addFundingSource(db);
  return { responsableId: 1, openedOn: TODAY, nombre: 'Caja nueva', origenderecursoId };
}

async function fund(db: Db, aperturaCents = 100_000): Promise<number> {
  return (await addFund(db, { actor: actor({ userId: 1, roles: [1] }), aperturaCents })).id;
}

function handedOver(counted: object) {
  return async (db: Db) => ({
    ids: [await fund(db)],
    body: { ...counted, responsableId: (await addActor(db, { roles: [6] })).userId },
  });
}

async function emptyFund(db: Db): Promise<number> {
  return fund(db, 0);
}

async function spent(db: Db, part: MovementFieldValues = {}) {
  const draft = spending({ importeCents: 5, ...part });
  return (await createMovement(db, actor({ userId: 1 }), await fund(db), draft)).movement;
}

async function movement(db: Db): Promise<number> {
  return (await spent(db)).id;
}

async function unproven(db: Db): Promise<number> {
  return (await spent(db, { comprobante: 'ninguno' })).id;
}

async function deletedMovement(db: Db): Promise<number> {
  const id = await movement(db);
  await deleteMovement(db, actor(), id);
  return id;
}

/** The expense was requested by a person without the right to approve it, and paid by another person. */
async function replenishment(db: Db, isPaid = false): Promise<number> {
  const clerk = await addActor(db, { roles: [6] });
  const fundId = await fund(db);
  await createMovement(db, clerk, fundId, spending({ importeCents: 5 }));
  const { id } = (await requestReplenishment(db, clerk, fundId, {})).replenishment;
  if (isPaid) await authorizeReplenishment(db, await addActor(db), id);
  return id;
}

async function cashCount(db: Db): Promise<number> {
  return (await countCash(db, actor({ userId: 1 }), await fund(db), { denominaciones: { '500': 1 } })).id;
}
