import { z } from 'zod';
import type { PlainDate } from '../../shared/dates.ts';
import { DomainError } from '../../shared/errors.ts';
import { dateField, idField, idOrNoneField, textField } from './fields.ts';

export const resultsShape = z.strictObject({
  desde: dateField('Emisión desde'),
  hasta: dateField('Emisión hasta'),
  jobId: idField('Obra'),
  rubroId: idOrNoneField('Rubro'),
  /** what a picker's text field holds where there is no script */
  jobtitle: textField('Obra', 200, 'jobtitle'),
  nombrerubro: textField('Rubro', 200, 'nombrerubro'),
});

export type AskedResults = z.output<typeof resultsShape>;

export interface Period {
  from: PlainDate;
  to: PlainDate;
}

/** The period asked for: until today unless it says otherwise, from the beginning of that year. */
export function periodOf({ desde, hasta }: Pick<AskedResults, 'desde' | 'hasta'>, today: PlainDate): Period {
  const to = hasta ?? today;
  return { from: desde ?? `${to.slice(0, 4)}-01-01`, to };
}

/** @throws DomainError malformed where the period ends before it begins */
export function requirePeriod({ from, to }: Period): void {
  if (from <= to) return;
  const message = 'El periodo termina antes de empezar: revisa las dos fechas.';
  throw new DomainError('malformed', message, { code: 'bad_period', fields: { hasta: message } });
}
