import type { PlainDate } from './dates.ts';
import { DomainError } from './errors.ts';

export interface Period {
  from: PlainDate;
  to: PlainDate;
}

/** The period asked for: until today unless it says otherwise, from the beginning of that year. */
export function periodOf(
  { desde, hasta }: { desde?: PlainDate | null; hasta?: PlainDate | null },
  today: PlainDate,
): Period {
  const to = hasta ?? today;
  return { from: desde ?? `${to.slice(0, 4)}-01-01`, to };
}

/** @throws DomainError malformed where the period ends before it begins */
export function requirePeriod({ from, to }: Period): void {
  if (from <= to) return;
  const message = 'El periodo termina antes de empezar: revisa las dos fechas.';
  throw new DomainError('malformed', message, { code: 'bad_period', fields: { hasta: message } });
}
