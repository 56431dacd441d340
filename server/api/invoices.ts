import { z } from 'zod';
import { DomainError } from '../../shared/errors.ts';
import { type Invoice, invoiceTexts } from '../../shared/invoices.ts';
import { toDecimalText } from '../../shared/money.ts';
import type { AppContext } from '../http/session.ts';
import { invoiceList } from '../lists/invoices.ts';
import { backUpAndDeleteAllInvoices } from '../services/delete-all.ts';
import { readSatState } from '../services/fiscal/sat-status.ts';
import {
  createInvoice,
  deleteInvoice,
  restoreInvoice,
  type SavedInvoice,
  updateInvoice,
} from '../services/invoices/invoices.ts';
import { getInvoice } from '../services/invoices/reading.ts';
import { checkInvoiceSeals } from '../services/invoices/seal-matches.ts';
import { suggestInvoices } from '../services/invoices/suggesting.ts';
import { sumInvoices } from '../services/invoices/sums.ts';
import { readUsualJobAndRubro, type UsualJobAndRubro } from '../services/invoices/usual-job-and-rubro.ts';
import { readCommittedLines } from '../services/payments/committed-amounts.ts';
import { readRemainingForeign } from '../services/payments/foreign-currency.ts';
import { readPaymentsOfInvoices } from '../services/payments/reading.ts';
import { readPayeeAccount } from '../services/supplier-accounts/reading.ts';
import * as member from '../shapes/answer-members.ts';
import { answerFor, listAnswer } from '../shapes/answers.ts';
import { idField, motivoOnlyShape, requireFilledFields, restoreShape } from '../shapes/fields.ts';
import {
  invoiceAnswer,
  invoiceChangeShape,
  invoiceDetailAnswer,
  newInvoiceShape,
  savedInvoiceAnswer,
  toInvoiceFieldValues,
} from '../shapes/invoices.ts';
import { CLOSED_PERIOD_PROBLEMS, REFERENCE_PROBLEMS } from './call-descriptions.ts';
import { confirmWithMotivoShape, createEndpoints, ROW_PATH, suggestQueryShape } from './calls.ts';

const endpoints = createEndpoints('Facturas');
export const invoicesApi = endpoints.app;

endpoints.lists(
  {
    '/': { summary: 'La lista de facturas' },
    '/search': {
      summary: 'Buscar facturas',
      text: 'Con `corte`, todo es como era al terminar ese día: las facturas emitidas hasta entonces y lo pagado hasta entonces.',
    },
  },
  {
    list: invoiceList,
    example: { status: 'vencida', sortfield: 'fechavencimiento', sorttype: 'ASC', limit: 50 },
    returns: 'La lista; los encabezados suman todo lo filtrado',
    row: invoiceAnswer,
    headers: ['page', 'totals'],
    findOne: async (c, id) => invoiceDetailAnswer.toJson(await readInvoiceDetails(c, id)),
    async sum(filter, c) {
      const { db, config } = c.get('deps');
      const day = { today: c.get('today'), timeZone: config.timeZone };
      const { count: total, totalCents, paidCents, sinIvaCents } = await sumInvoices(db, filter, day);
      return {
        total,
        headers: {
          'X-Sum-Total': toDecimalText(totalCents),
          'X-Sum-Paid': toDecimalText(paidCents),
          'X-Sum-Pending': toDecimalText(totalCents - paidCents),
          'X-Sum-SinIva': toDecimalText(sinIvaCents),
        },
      };
    },
  },
);

endpoints.reads('/suggest', {
  summary: 'Sugerir facturas',
  text: 'Por parte del número o del nombre del proveedor, o por el importe total o pendiente. Primero las que se deben.',
  query: suggestQueryShape,
  returns: 'Máximo ocho, sin sus pagos',
  answer: listAnswer(invoiceAnswer),
  run: async ({ c, db, query: { text = '' } }) =>
    (await suggestInvoices(db, text)).map((invoice) => withEmptyPayments(invoice, c)),
});

const usualJobAndRubroAnswer = answerFor<UsualJobAndRubro>().with({
  job: z.strictObject({ id: member.rowId('Obra'), jobtitle: member.text('Nombre de la obra') }).nullable(),
  rubro: z
    .strictObject({ id: member.rowId('Rubro'), nombrerubro: member.text('Nombre del rubro') })
    .nullable(),
});

endpoints.reads('/usual', {
  summary: 'Obra y rubro de costumbre de un proveedor',
  text: 'Los de sus tres últimas facturas, donde las tres coinciden; si no, null.',
  query: z
    .strictObject({ supplierId: idField('supplierId') })
    .meta({ required: ['supplierId'], examples: [{ supplierId: 1 }] }),
  returns: 'Lo que una forma puede proponer',
  answer: usualJobAndRubroAnswer,
  run: ({ db, query: { supplierId } }) => {
    if (!supplierId) throw new DomainError('malformed', 'Falta supplierId.');
    return readUsualJobAndRubro(db, supplierId);
  },
});

endpoints.reads(ROW_PATH, {
  summary: 'Leer una factura',
  returns: 'Una factura con sus pagos',
  answer: invoiceDetailAnswer,
  run: ({ c, id }) => readInvoiceDetails(c, id),
});

endpoints.creates('/newfacturaproveedor', {
  summary: 'Crear una factura',
  text: 'El servidor calcula `iva` y `total`; si vienen, deben coincidir. Sin `tasa` vale la de los ajustes (16).',
  body: newInvoiceShape,
  returns: 'Creada',
  answer: savedInvoiceAnswer,
  problems: ['duplicate_invoice', 'amounts_disagree', 'budget_exceeded', ...CLOSED_PERIOD_PROBLEMS],
  run: async ({ c, db, actor, body: { allowDuplicate, ...fields } }) =>
    toSavedInvoiceAnswer(await createInvoice(db, actor, toInvoiceFieldValues(fields), { allowDuplicate }), c),
});

const NO_AMOUNT_MESSAGE = 'Falta la cantidad.';

/** A change may omit an amount, but must not send it empty. */
const EMPTIED_AMOUNT_MESSAGES = {
  subtotal: invoiceTexts.required,
  iva: NO_AMOUNT_MESSAGE,
  otrosimpuestos: NO_AMOUNT_MESSAGE,
  retenciones: NO_AMOUNT_MESSAGE,
  total: NO_AMOUNT_MESSAGE,
  totalamountpaid: NO_AMOUNT_MESSAGE,
};

endpoints.changes(ROW_PATH, {
  summary: 'Cambiar una factura',
  text: 'Sin `tasa` queda la que da ese `iva`. `totalamountpaid` puede venir si es el guardado.',
  body: invoiceChangeShape,
  answer: savedInvoiceAnswer,
  stale: invoiceAnswer,
  complete: withEmptyPayments,
  problems: [
    'duplicate_invoice',
    'amounts_disagree',
    'budget_exceeded',
    'cfdi_locked',
    ...CLOSED_PERIOD_PROBLEMS,
  ],
  run: async ({
    c,
    db,
    actor,
    id,
    body: { totalamountpaid, version, allowDuplicate, ...fields },
    sentBody,
  }) => {
    requireFilledFields(sentBody, EMPTIED_AMOUNT_MESSAGES);
    const stored = await getInvoice(db, id);
    // A stored rate of null means mixed rates ("Mixta"), and clients may send it back unchanged.
    if (stored.tasa !== null) requireFilledFields(sentBody, { tasa: invoiceTexts.missingRate });
    if (totalamountpaid !== undefined && totalamountpaid !== stored.paidCents)
      throw new DomainError('malformed', 'totalamountpaid lo calculan los pagos y no se cambia.');
    const options = { version, allowDuplicate };
    const { warnings } = await updateInvoice(db, actor, id, toInvoiceFieldValues(fields), options);
    return { invoice: await readInvoiceWithPayments(c, id), warnings };
  },
});

endpoints.steps(`${ROW_PATH}/restore`, {
  summary: 'Recuperar una factura eliminada',
  text: 'Vuelve con su mismo id, su CFDI y sus adjuntos, si nadie la capturó otra vez.',
  body: restoreShape,
  returns: 'La factura recuperada',
  answer: savedInvoiceAnswer,
  problems: [
    'not_deleted',
    'duplicate_invoice',
    'budget_exceeded',
    'closed_period',
    'invalid',
    ...REFERENCE_PROBLEMS,
  ],
  run: async ({ c, db, actor, id }) => toSavedInvoiceAnswer(await restoreInvoice(db, actor, id), c),
});

endpoints.removes(ROW_PATH, {
  summary: 'Eliminar una factura',
  query: motivoOnlyShape,
  returns: 'Eliminada',
  problems: ['in_use', ...CLOSED_PERIOD_PROBLEMS],
  run: deleteInvoice,
});

endpoints.removesAll({
  summary: 'Eliminar todas las facturas',
  text: 'Antes se guarda una copia en la carpeta de datos. Si hay pagos, no se elimina ninguna.',
  query: confirmWithMotivoShape,
  returns: 'Eliminada',
  problems: ['in_use', ...CLOSED_PERIOD_PROBLEMS],
  run: backUpAndDeleteAllInvoices,
});

function withEmptyPayments(stored: Invoice, c: AppContext) {
  return { ...stored, payments: [], today: c.get('today') };
}

const toSavedInvoiceAnswer = ({ invoice, warnings }: SavedInvoice, c: AppContext) => ({
  invoice: withEmptyPayments(invoice, c),
  warnings,
});

async function readInvoiceWithPayments(c: AppContext, id: number) {
  const { db } = c.get('deps');
  return {
    ...(await getInvoice(db, id)),
    payments: await readPaymentsOfInvoices(db, [id]),
    today: c.get('today'),
  };
}

async function readInvoiceDetails(c: AppContext, id: number) {
  const { db } = c.get('deps');
  const invoice = await readInvoiceWithPayments(c, id);
  const remaining = await readRemainingForeign(db, [invoice]);
  const programmed = await readCommittedLines(db, [id]);
  const account = await readPayeeAccount(db, invoice.supplierId, c.get('today'));
  const sat = await readSatState(db, invoice.uuid);
  const sello = (await checkInvoiceSeals(db, [id])).get(id) ?? null;
  return { ...invoice, programmed, account, remainingForeignCents: remaining.get(id) ?? null, sat, sello };
}
