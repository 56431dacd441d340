import { sql } from 'kysely';
import type { Db } from '../../../db/schema.ts';
import { catalogOf } from '../../../shared/catalogs/all.ts';
import type { CatalogNoun } from '../../../shared/catalogs/catalog.ts';
import { formatDayFirst, type PlainDate } from '../../../shared/dates.ts';
import { NO_RUBRO, NO_RUBRO_NAME, STATUS_LABELS } from '../../../shared/invoices.ts';
import { PAYMENT_KIND_LABELS, RECEIPT_LABELS } from '../../../shared/payments.ts';
import type { FilterFact } from '../../formats/sheets/list-export.ts';
import type { InvoiceFilter } from '../invoices/reading.ts';
import type { PaymentFilter } from '../payments/reading.ts';

/** In words: whose invoices these are, and what else they were narrowed by. */
export async function describeInvoiceFilter(db: Db, filter: InvoiceFilter): Promise<FilterFact[]> {
  const { supplierId, jobId, rubroId, numfactura, status, corte } = filter;
  const others = {
    'Número con': numfactura,
    Rubro: rubroId === NO_RUBRO ? NO_RUBRO_NAME : rubroId && (await nameOf(db, 'rubros', rubroId)),
    Estado: status && STATUS_LABELS[status],
    Emisión: describePeriod(filter.fechaemisionDesde, filter.fechaemisionHasta),
    Vencimiento: describePeriod(filter.fechavencimientoDesde, filter.fechavencimientoHasta),
    Corte: corte && formatDayFirst(corte),
  };
  return [
    { label: 'Proveedor', value: supplierId ? await nameOf(db, 'suppliers', supplierId) : 'Todos' },
    { label: 'Obra', value: jobId ? await nameOf(db, 'jobs', jobId) : 'Todas' },
    ...factsOf(others),
  ];
}

export async function describePaymentFilter(db: Db, filter: PaymentFilter): Promise<FilterFact[]> {
  const { checknum, facturaproveedorId, userId, supplierId, jobId, paymentdateDesde, paymentdateHasta } =
    filter;
  const { kind, rep } = filter;
  return factsOf({
    Proveedor: supplierId && (await nameOf(db, 'suppliers', supplierId)),
    Obra: jobId && (await nameOf(db, 'jobs', jobId)),
    'Cheque con': checknum,
    Factura: facturaproveedorId && (await invoiceNumber(db, facturaproveedorId)),
    Usuario: userId && (await userName(db, userId)),
    'Fecha de pago': describePeriod(paymentdateDesde, paymentdateHasta),
    Tipo: kind && PAYMENT_KIND_LABELS[kind],
    REP: rep && RECEIPT_LABELS[rep],
  });
}

/** Those that there are, in the order given. */
export const factsOf = (facts: Record<string, string | number | null | undefined>): FilterFact[] =>
  Object.entries(facts).flatMap(([label, value]) => (value ? [{ label, value: String(value) }] : []));

export async function nameOf(db: Db, noun: CatalogNoun, id: number): Promise<string> {
  const { table, nameField } = catalogOf(noun);
  const { rows } = await sql<{
    name: string;
  }>`select ${sql.ref(nameField)} as name from ${sql.table(table)} where id = ${id}`.execute(db);
  return rows[0]?.name ?? `#${id}`;
}

export function describePeriod(from: PlainDate | null | undefined, to: PlainDate | null | undefined) {
  if (from && to) return `${formatDayFirst(from)} a ${formatDayFirst(to)}`;
  if (from) return `desde ${formatDayFirst(from)}`;
  return to && `hasta ${formatDayFirst(to)}`;
}

async function invoiceNumber(db: Db, id: number): Promise<string> {
  const row = await db.selectFrom('invoices').select('numfactura').where('id', '=', id).executeTakeFirst();
  return row?.numfactura || `#${id}`;
}

async function userName(db: Db, id: number): Promise<string> {
  const row = await db.selectFrom('users').select('username').where('id', '=', id).executeTakeFirst();
  return row?.username ?? `#${id}`;
}

/** "20 de noviembre de 2026, 12:00 (America/Mexico_City)" */
export function formatMoment(moment: Date, timeZone: string): string {
  const format = new Intl.DateTimeFormat('es-MX', {
    timeZone,
    dateStyle: 'long',
    timeStyle: 'short',
    hourCycle: 'h23',
  });
  return `${format.format(moment)} (${timeZone})`;
}
