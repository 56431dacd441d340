import type { Db } from '../../../db/schema.ts';
import { addDays, monthName, type PlainDate } from '../../../shared/dates.ts';
import { monthOf, type Period } from '../../../shared/periods.ts';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { ClosingDate } from '../closing/closing.ts';
import type { Day, InvoiceFilter } from '../invoices/reading.ts';
import { sumInvoices } from '../invoices/sums.ts';
import type { PaymentFilter } from '../payments/reading.ts';
import { sumPayments } from '../payments/sums.ts';

export interface OpenItem {
  label: string;
  /** why somebody should look at them before the month is closed */
  says: string;
  count: number;
  href: string;
}

/** Items that had better be settled before the month is closed, with those that count none. */
export async function readOpenItems(db: Db, { from, to }: Period, day: Day): Promise<OpenItem[]> {
  const issued = { fechaemisionDesde: from, fechaemisionHasta: to };
  const paid = { paymentdateDesde: from, paymentdateHasta: to };
  const invoices = async (label: string, says: string, filter: InvoiceFilter): Promise<OpenItem> => ({
    label,
    says,
    count: (await sumInvoices(db, filter, day)).count,
    href: withQuery(pages.invoices, { ...filter }),
  });
  const payments = async (label: string, says: string, filter: PaymentFilter): Promise<OpenItem> => ({
    label,
    says,
    count: (await sumPayments(db, filter)).count,
    href: withQuery(pages.payments, { ...filter }),
  });
  return [
    await invoices('Facturas sin rubro', 'Su costo no se ve por rubro en Resultados.', {
      ...issued,
      rubroId: 0,
    }),
    await invoices('Facturas sin fecha de emisión', 'Cuentan por el día en que se capturaron.', {
      emision: 'sin',
      capturaDesde: from,
      capturaHasta: to,
    }),
    await invoices(
      'Facturas que se parecen a otra',
      'Mismo proveedor y total, con pocos días de diferencia.',
      {
        ...issued,
        parecidas: 'si',
      },
    ),
    await payments('Pagos sin REP', 'De facturas en parcialidades cuyo recibo de pago no ha llegado.', {
      ...paid,
      rep: 'sin',
    }),
    await payments('Pagos sin origen', 'No se sabe de qué cuenta o caja salieron.', {
      ...paid,
      kind: 'pago',
      origenderecursoId: 0,
    }),
  ];
}

/** The month to be closed next: the one after the closing date, else the last one that is over. */
export function monthToClose(closing: ClosingDate, today: PlainDate): Period {
  return monthOf(closing ? addDays(closing, 1) : addDays(monthOf(today).from, -1));
}

/** "octubre de 2026" */
export const nameOfMonth = ({ from }: Period): string => `${monthName(from)} de ${from.slice(0, 4)}`;
