import type { Db } from '../../../db/schema.ts';
import { formatCount } from '../../../shared/counts.ts';
import { addDays, monthName, type PlainDate } from '../../../shared/dates.ts';
import { monthPeriodOf, type Period } from '../../../shared/periods.ts';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { LastClosedDay } from '../closing/closing.ts';
import { FISCAL_SUBJECTS } from '../fiscal/labels.ts';
import { readFiscalMonth } from '../fiscal/month-cards.ts';
import type { InvoiceFilter, TodayAndTimeZone } from '../invoices/reading.ts';
import { sumInvoices } from '../invoices/sums.ts';
import type { PaymentFilter } from '../payments/reading.ts';
import { sumPayments } from '../payments/sums.ts';

export type ClosingTask = Awaited<ReturnType<typeof readClosingTasks>>[number];

export async function readClosingTasks(db: Db, { from, to }: Period, day: TodayAndTimeZone) {
  const issued = { fechaemisionDesde: from, fechaemisionHasta: to };
  const paid = { paymentdateDesde: from, paymentdateHasta: to };
  const countInvoices = async (task: TaskText, filter: InvoiceFilter) => ({
    ...task,
    count: (await sumInvoices(db, filter, day)).count,
    href: withQuery(pages.invoices, { ...filter }),
  });
  const countPayments = async (task: TaskText, filter: PaymentFilter) => ({
    ...task,
    count: (await sumPayments(db, filter)).count,
    href: withQuery(pages.payments, { ...filter }),
  });
  const [cards, ...counted] = await Promise.all([
    readFiscalMonth(db, { from, to }, day, FISCAL_SUBJECTS_TO_CLOSE),
    countInvoices(
      { label: 'Facturas sin rubro', description: 'Su costo no se ve por rubro en Resultados.' },
      { ...issued, rubroId: 0 },
    ),
    countInvoices(
      {
        label: 'Facturas sin fecha de emisión',
        description: 'Cuentan por el día en que se capturaron.',
      },
      { emision: 'sin', capturaDesde: from, capturaHasta: to },
    ),
    countInvoices(
      {
        label: 'Facturas que se parecen a otra',
        description: 'Mismo proveedor y total, con pocos días de diferencia.',
      },
      { ...issued, parecidas: 'si' },
    ),
    countPayments(
      {
        label: 'Pagos sin REP',
        description: 'De facturas en parcialidades cuyo recibo de pago no ha llegado.',
      },
      { ...paid, rep: 'sin' },
    ),
    countPayments(
      { label: 'Pagos sin origen', description: 'No se sabe de qué cuenta o caja salieron.' },
      { ...paid, kind: 'pago', origenderecursoId: 0 },
    ),
  ]);
  const fiscal = cards.map(({ tema, href, pendientes }) => {
    const ofMonth = pendientes.filter(({ isOfOtherMonths }) => !isOfOtherMonths);
    return {
      label: FISCAL_SUBJECTS[tema],
      description: ofMonth.map(({ label, cuenta }) => `${label}: ${formatCount(cuenta)}`).join('; '),
      count: ofMonth.reduce((sum, { cuenta }) => sum + cuenta, 0),
      href,
    };
  });
  return [...counted, ...fiscal];
}

interface TaskText {
  label: string;
  description: string;
}

/** Leaves out `rep`, which has a task of its own, and `polizas`, which follows from what is captured. */
const FISCAL_SUBJECTS_TO_CLOSE = ['cruce', 'lista69b', 'diot', 'retenciones'] as const;

export function getMonthToClose(closing: LastClosedDay, today: PlainDate): Period {
  return monthPeriodOf(closing ? addDays(closing, 1) : addDays(monthPeriodOf(today).from, -1));
}

export const formatMonthAndYear = ({ from }: Period): string => `${monthName(from)} de ${from.slice(0, 4)}`;
