import { addDays, mondayOf, type PlainDate } from './dates.ts';

/** What the due day of an invoice follows from, beside its supplier's credit days. */
interface DueTerms extends CreditDates {
  fechavencimiento: PlainDate | null;
  /** the day of capture, in the business's time zone as it was then */
  fechacaptura: PlainDate;
}

interface CreditDates {
  fecharecepcion: PlainDate | null;
  fechaemision: PlainDate | null;
}

/**
 * The one due day, stored with every invoice as `vence`: fechavencimiento, else reception or issue date plus the
 * supplier's credit days, else the day of capture. Where a statement has to work it out its SQL is beside the
 * invoices' services (due-day.ts).
 */
export function dueDay(terms: DueTerms, creditDays: number): PlainDate {
  if (terms.fechavencimiento) return terms.fechavencimiento;
  const from = creditStart(terms);
  return from ? addDays(from, creditDays) : terms.fechacaptura;
}

/** The day from which a supplier's credit runs: reception, else issue. */
export const creditStart = <Day extends string | null>(dates: {
  fecharecepcion: Day;
  fechaemision: Day;
}): Day => dates.fecharecepcion || dates.fechaemision;

/** The due date that is filled in where none was given; none without credit days, or a day that they run from. */
export function dueByCredit(dates: CreditDates, creditDays: number): PlainDate | null {
  const from = creditStart(dates);
  return from && creditDays > 0 ? addDays(from, creditDays) : null;
}

/** What is to be paid from today to Sunday, as the list of invoices is asked for it. */
export const dueThisWeek = (today: PlainDate) =>
  ({ status: 'por-pagar', venceDesde: today, venceHasta: addDays(mondayOf(today), 6) }) as const;

/** Whether the day on which it is due was worked out, for want of one that it states. */
export const isDueEstimated = ({ fechavencimiento }: Pick<DueTerms, 'fechavencimiento'>): boolean =>
  fechavencimiento === null;

/** Beside a day that was worked out, and beside a sum in which one counts. */
export const ESTIMATED_MARK = '*';

export const ESTIMATED_NOTE = `${ESTIMATED_MARK} Vencimiento estimado: la factura no trae el suyo. Cuenta la recepción, o la emisión, más los días de crédito del proveedor; sin esas fechas, el día de su captura.`;
