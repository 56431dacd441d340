import { addDays, isOfThisCentury, isPlainDate, mondayOf, type PlainDate, sayShortDate } from './dates.ts';

interface DueTerms {
  fechavencimiento: PlainDate | null;
  fecharecepcion: PlainDate | null;
  fechaemision: PlainDate | null;
  /** the day of capture, in the business's time zone as it was then */
  fechacaptura: PlainDate;
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
const creditStart = <Day extends string | null>(dates: { fecharecepcion: Day; fechaemision: Day }): Day =>
  dates.fecharecepcion || dates.fechaemision;

/**
 * Stands beside an empty due date while dates are typed: "Vence el vie 01 ene 2027: 30 días de crédito."
 * @returns nothing where a due date is given, or where it would follow from something that is no day
 */
export function sayDue(typed: DueTexts, { creditDays, fechacaptura }: KnownOfDue): string {
  if (typed.fechavencimiento !== '') return '';
  const from = creditStart(typed);
  if (from === '') return `Vence el ${sayShortDate(fechacaptura)}: el día de su captura.`;
  if (!isPlainDate(from) || !isOfThisCentury(from)) return '';
  const credit = creditDays === 0 ? 'sin' : String(creditDays);
  return `Vence el ${sayShortDate(addDays(from, creditDays))}: ${credit} ${creditDays === 1 ? 'día' : 'días'} de crédito.`;
}

type DueTexts = Record<'fechavencimiento' | 'fecharecepcion' | 'fechaemision', string>;

export interface KnownOfDue {
  /** of the chosen supplier */
  creditDays: number;
  /** the day of capture: of a new one, today */
  fechacaptura: PlainDate;
}

/** The filter of the list of invoices for all that is to be paid from today to Sunday. */
export const dueThisWeek = (today: PlainDate) =>
  ({ status: 'por-pagar', venceDesde: today, venceHasta: addDays(mondayOf(today), 6) }) as const;

/** Whether the day on which it is due was worked out, for want of one that it states. */
export const isDueEstimated = ({ fechavencimiento }: Pick<DueTerms, 'fechavencimiento'>): boolean =>
  fechavencimiento === null;

/** Beside a day that was worked out, and beside a sum in which one counts. */
export const ESTIMATED_MARK = '*';

export const ESTIMATED_NOTE = `${ESTIMATED_MARK} Vencimiento estimado: la factura no trae el suyo. Cuenta la recepción, o la emisión, más los días de crédito del proveedor; sin esas fechas, el día de su captura.`;
