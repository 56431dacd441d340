/**
 * The floor of request-cost.ts: a bare Hono application that answers one search, and nothing else. No session,
 * no log, no totals; its statements are prepared once. Forked with the database's file; says its port.
 */

import { serve } from '@hono/node-server';
import Database from 'better-sqlite3';
import { Hono } from 'hono';
import { toInvoiceJson } from '../../server/shapes/to-json.ts';
import { plainDateIn } from '../../shared/dates.ts';
import type { Invoice } from '../../shared/invoices.ts';
import type { Payment } from '../../shared/payments.ts';

const [file = ''] = process.argv.slice(2);
const database = new Database(file, { readonly: true });
const LIMIT = 50;

const invoices = database.prepare<[number], Invoice>(`
  select i.id, i."supplierId", s.suppliername, s.rfc, i."jobId", j.jobtitle, i."rubroId", r.nombrerubro, numfactura,
    fechaemision, fecharecepcion, fechavencimiento, "subtotalCents", tasa, "ivaCents", "otrosimpuestosCents",
    "retencionesCents", "totalCents", i.comments, i.contrato, uuid, metodopago, i.moneda, i.tipocambio, i."createdAt", i.vence, i.version, "paidCents"
  from invoices i join suppliers s on s.id = i."supplierId" join jobs j on j.id = i."jobId"
    left join rubros r on r.id = i."rubroId"
  order by i.id asc limit ?`);
const payments = database.prepare<number[], Payment>(`
  select p.id, "facturaproveedorId", i.numfactura, s.suppliername, "origenderecursoId", origenderecursonombre, checknum,
    paymentdate, "amountCents", p.comments, p."userId", "importebancoCents", p.kind, p."creditNoteId",
    case when exists (select 1 from payment_receipt_lines where "paymentId" = p.id) then 'con'
      when p.kind = 'pago' and i.metodopago = 'PPD' then 'sin' end as rep, p."createdAt", p.version
  from payments p join invoices i on i.id = p."facturaproveedorId" join suppliers s on s.id = i."supplierId"
    left join funding_sources f on f.id = p."origenderecursoId"
  where p."facturaproveedorId" in (${Array(LIMIT).fill('?')})
  order by paymentdate, p.id`);

const app = new Hono();
app.get('/api/facturaproveedores/search/', (c) => {
  const rows = invoices.all(LIMIT);
  const byInvoice = Map.groupBy(
    payments.all(...rows.map((row) => row.id)),
    (payment) => payment.facturaproveedorId,
  );
  const today = plainDateIn(new Date(), 'America/Mexico_City');
  return c.json(rows.map((row) => toInvoiceJson(row, byInvoice.get(row.id) ?? [], today)));
});
const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
  process.send?.({ port }),
);
process.once('disconnect', () => server.close());
