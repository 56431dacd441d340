import { addDays, formatShortDate, isOfThisCentury, isPlainDate, type PlainDate, sundayOf } from './dates.ts';

interface DueDateInputs {
  fechavencimiento: PlainDate | null;
  fecharecepcion: PlainDate | null;
  fechaemision: PlainDate | null;
  /** the day of capture, in the time zone that the business had then */
  fechacaptura: PlainDate;
}

/**
 * Computes the due date, stored with every invoice as `vence`: fechavencimiento, else reception or issue date plus the
 * supplier's credit days, else the day of capture. The same in SQL: server/services/due-day.ts.
 */
export function computeDueDay(terms: DueDateInputs, creditDays: number): PlainDate {
  if (terms.fechavencimiento) return terms.fechavencimiento;
  const from = creditStartDay(terms);
  return from ? addDays(from, creditDays) : terms.fechacaptura;
}

const creditStartDay = <Day extends string | null>(dates: { fecharecepcion: Day; fechaemision: Day }): Day =>
  dates.fecharecepcion || dates.fechaemision;

/** "Vence el vie 01 ene 2027: 30 días de crédito."; '' where a due date is given or a typed date is not valid. */
export function describeDue(texts: TypedDates, { creditDays, fechacaptura }: DueContext): string {
  if (texts.fechavencimiento !== '') return '';
  const from = creditStartDay(texts);
  if (from === '') return `Vence el ${formatShortDate(fechacaptura)}: el día de su captura.`;
  if (!isPlainDate(from) || !isOfThisCentury(from)) return '';
  const credit = creditDays === 0 ? 'sin' : String(creditDays);
  return `Vence el ${formatShortDate(addDays(from, creditDays))}: ${credit} ${creditDays === 1 ? 'día' : 'días'} de crédito.`;
}

type TypedDates = Record<'fechavencimiento' | 'fecharecepcion' | 'fechaemision', string>;

export interface DueContext {
  creditDays: number;
  /** the day of capture; today for a new invoice */
  fechacaptura: PlainDate;
}

export const dueThisWeekFilter = (today: PlainDate) =>
  ({ status: 'por-pagar', venceDesde: today, venceHasta: sundayOf(today) }) as const;

export const isDueEstimated = ({ fechavencimiento }: Pick<DueDateInputs, 'fechavencimiento'>): boolean =>
  fechavencimiento === null;

export const ESTIMATED_MARK = '*';

export const ESTIMATED_NOTE = `${ESTIMATED_MARK} Vencimiento estimado: la factura no trae el suyo. Cuenta la recepción, o la emisión, más los días de crédito del proveedor; sin esas fechas, el día de su captura.`;
