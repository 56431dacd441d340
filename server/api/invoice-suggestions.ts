import { Hono } from 'hono';
import { z } from 'zod';
import { DomainError } from '../../shared/errors.ts';
import type { AppEnv } from '../http/session.ts';
import { suggestInvoices } from '../services/invoices/suggesting.ts';
import { usualOf } from '../services/invoices/usual.ts';
import { idField, parseQuery } from '../shapes/fields.ts';
import { invoiceAnswer, toInvoiceJson } from '../shapes/invoices.ts';
import { rowId, text } from '../shapes/wire.ts';
import { suggestShape } from './answers.ts';
import { describes } from './describe.ts';

const usualShape = z
  .strictObject({ supplierId: idField('supplierId') })
  .meta({ required: ['supplierId'], examples: [{ supplierId: 1 }] });
const usualAnswer = z.strictObject({
  job: z.strictObject({ id: rowId('Obra'), jobtitle: text('Nombre de la obra') }).nullable(),
  rubro: z.strictObject({ id: rowId('Rubro'), nombrerubro: text('Nombre del rubro') }).nullable(),
});

const tag = 'Facturas';

/** What helps to fill a form in. */
export const invoiceSuggestions = new Hono<AppEnv>({ strict: false })
  .get(
    '/suggest',
    describes({
      tag,
      summary: 'Sugerir facturas',
      text: 'Por parte del número o del nombre del proveedor, o por el importe total o pendiente. Primero las que se deben.',
      query: suggestShape,
      success: { status: 200, says: 'Ocho a lo más, sin sus pagos', shape: z.array(invoiceAnswer) },
    }),
    async (c) => {
      const { text = '' } = parseQuery(suggestShape, c.req.queries());
      const found = await suggestInvoices(c.get('deps').db, text);
      return c.json(found.map((invoice) => toInvoiceJson(invoice, [], c.get('today'))));
    },
  )
  .get(
    '/usual',
    describes({
      tag,
      summary: 'Obra y rubro de costumbre de un proveedor',
      text: 'Los de sus tres últimas facturas, donde las tres coinciden; si no, null.',
      query: usualShape,
      success: { status: 200, says: 'Lo que una forma puede proponer', shape: usualAnswer },
    }),
    async (c) => {
      const { supplierId } = parseQuery(usualShape, c.req.queries());
      if (!supplierId) throw new DomainError('malformed', 'Falta supplierId.');
      return c.json(await usualOf(c.get('deps').db, supplierId));
    },
  );
