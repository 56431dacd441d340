import { z } from 'zod';
import type { PlainDate } from '../../shared/dates.ts';
import { type Period, requirePeriod } from '../../shared/periods.ts';
import {
  FUND_FIELDS,
  type FundDraft,
  MOVEMENT_FIELDS,
  type MovementDraft,
  periodUntil,
} from '../../shared/petty-cash.ts';
import { dateField, idField, idOrNoneField, versionField } from './fields.ts';
import { membersOf } from './record-fields.ts';

export const fundShape = z.strictObject({ ...membersOf(FUND_FIELDS), version: versionField });

export const movementShape = z.strictObject({ ...membersOf(MOVEMENT_FIELDS), version: versionField });

export const statementShape = z.strictObject({ desde: dateField('Desde'), hasta: dateField('Hasta') });

/** What was spent of all boxes; 0: on no obra, on no rubro. */
export const expensesShape = statementShape.extend({
  jobId: idOrNoneField('Obra'),
  clientId: idField('Cliente'),
  rubroId: idOrNoneField('Rubro'),
});

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
