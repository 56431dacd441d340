/**
 * The floor of list-http.ts: a page of fifty invoices by due day with its totals, from bare statements into a string,
 * and nothing else: no session, no menu, no filter, no log. Forked with the database's file; says its port.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Database from 'better-sqlite3';
import { formatMoney } from '../../shared/money.ts';

interface Row {
  id: number;
  numfactura: string;
  suppliername: string;
  jobtitle: string;
  totalCents: number;
  paidCents: number;
  fechavencimiento: string;
}

const [file = ''] = process.argv.slice(2);
const database = new Database(file, { readonly: true });
const page = database.prepare<[], Row>(`
  select i.id, numfactura, suppliername, jobtitle, "totalCents", "paidCents", fechavencimiento
  from invoices i left join suppliers s on s.id = i."supplierId" left join jobs j on j.id = i."jobId"
  order by vence, i.id limit 50`);
const sums = database
  .prepare<[], Pick<Row, 'totalCents' | 'paidCents'> & { count: number }>(
    'select count(*) count, sum("totalCents") "totalCents", sum("paidCents") "paidCents" from invoices',
  )
  .get()!; // once: what it costs is no page's

const escaped = (text: string) =>
  /[&<>"]/.test(text) ? text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`) : text;

const server = createServer((_request, response) => {
  const rows = page
    .all()
    .map(
      (row) =>
        `<tr><td>${row.id}</td><td>${escaped(row.numfactura)}</td><td>${escaped(row.suppliername)}</td><td>${escaped(row.jobtitle)}</td><td>${formatMoney(row.totalCents)}</td><td>${formatMoney(row.paidCents)}</td><td>${formatMoney(row.totalCents - row.paidCents)}</td><td>${row.fechavencimiento}</td><td><a href="/editinvoicepage/${row.id}">Editar</a> <a href="/new-payment?facturaproveedorId=${row.id}">Pagar</a></td></tr>`,
    );
  const { count, totalCents, paidCents } = sums;
  const text = `<!doctype html><html lang="es"><meta charset="utf-8"><title>Facturas</title><table>${rows.join('')}</table><p>${count} facturas, ${formatMoney(totalCents)}, ${formatMoney(paidCents)}, ${formatMoney(totalCents - paidCents)}</p></html>`;
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.once('disconnect', () => server.close());
