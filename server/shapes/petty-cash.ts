import { z } from 'zod';
import type { PlainDate } from '../../shared/dates.ts';
import { type Period, requirePeriod } from '../../shared/periods.ts';
import { type FundDraft, MOVEMENT_KINDS, type MovementDraft, periodUntil } from '../../shared/petty-cash.ts';
import { choiceField, dateField, idField, moneyField, textField, versionField } from './fields.ts';

const fundFields = {
  fundingSourceId: idField('Origen de recurso'),
  responsable: textField('Responsable', 200, 'responsable'),
  openedOn: dateField('Fecha de apertura'),
  opening: moneyField('Saldo inicial'),
  comments: textField('Observaciones', 4000, 'comments'),
};

export const fundShape = z.strictObject({ ...fundFields, version: versionField });

export const movementShape = z.strictObject({
  kind: choiceField('Tipo', MOVEMENT_KINDS),
  movementdate: dateField('Fecha'),
  concept: textField('Concepto', 300, 'concept'),
  amount: moneyField('Cantidad'),
  comprobante: textField('Número de comprobante', 60, 'comprobante'),
  jobId: idField('Obra'),
  rubroId: idField('Rubro'),
  comments: textField('Observaciones', 4000, 'comments'),
  version: versionField,
});

export const statementShape = z.strictObject({ desde: dateField('Desde'), hasta: dateField('Hasta') });

/** A posted form's members → the draft in cents; an emptied amount is 0. */
export function toFundDraft(fields: z.output<typeof fundShape>): FundDraft {
  const { opening = 0, version: _version, ...rest } = fields;
  return { ...rest, openingCents: opening };
}

export function toMovementDraft(fields: z.output<typeof movementShape>): MovementDraft {
  const { amount = 0, version: _version, ...rest } = fields;
  return { ...rest, amountCents: amount };
}

/**
 * The period asked for: until today and from two months before it, unless it says otherwise.
 * @throws DomainError malformed where it ends before it begins
 */
export function statementPeriod({ desde, hasta }: z.output<typeof statementShape>, today: PlainDate): Period {
  const to = hasta ?? today;
  const period = { from: desde ?? periodUntil(to).from, to };
  requirePeriod(period);
  return period;
}
