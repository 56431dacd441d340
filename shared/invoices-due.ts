import { addDays, type Instant, type PlainDate, plainDateIn } from './dates.ts';

/** What the due day of an invoice follows from. */
export interface DueTerms {
  fechavencimiento: PlainDate | null;
  /** see creditStart */
  creditFrom: PlainDate | null;
  /** the moment of capture; asked for where there is nothing else */
  createdAt: Instant | null;
}

/** The day an invoice is due, and whether it was worked out, for want of one that it states. */
export interface DueDay {
  due: PlainDate;
  estimated: boolean;
}

/**
 * The one due day: fechavencimiento, else reception or issue date plus the supplier's credit days, else the day of
 * capture. The SQL that brings the terms is beside the invoices' services (due-day.ts).
 */
export function dueDay(
  { fechavencimiento, creditFrom, createdAt }: DueTerms,
  creditDays: number,
  timeZone: string,
): DueDay {
  if (fechavencimiento !== null) return { due: fechavencimiento, estimated: false };
  const due =
    creditFrom === null ? plainDateIn(new Date(createdAt!), timeZone) : addDays(creditFrom, creditDays);
  return { due, estimated: true };
}

/** The day from which a supplier's credit runs: reception, else issue. */
export const creditStart = <Day extends string | null>(dates: {
  fecharecepcion: Day;
  fechaemision: Day;
}): Day => dates.fecharecepcion || dates.fechaemision;

/** The due date that is filled in where none was given; none without credit days, or a day that they run from. */
export function dueByCredit(
  dates: { fecharecepcion: PlainDate | null; fechaemision: PlainDate | null },
  creditDays: number,
): PlainDate | null {
  const from = creditStart(dates);
  return from && creditDays > 0 ? addDays(from, creditDays) : null;
}

/**
 * The day that statuses, lists, the bell and the dashboard go by: an estimated one is none to them, it counts in the
 * balance report alone. Its SQL is `countedDueColumn` (due-day.ts).
 */
export const countedDue = (invoice: {
  fechavencimiento: PlainDate | null;
  vencimientoEstimado?: boolean;
}): PlainDate | null => (invoice.vencimientoEstimado ? null : invoice.fechavencimiento);
