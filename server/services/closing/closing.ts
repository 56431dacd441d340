import { compileQueryOnce } from '../../../db/compile-once.ts';
import { lockAdvisoryKey, lockAdvisoryKeyShared } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import { formatLongDate, type PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { Invoice } from '../../../shared/invoices.ts';
import { type BrokenRule, throwIfRefused } from '../../../shared/refusal.ts';
import { ADMIN_ROLE } from '../../../shared/roles.ts';
import type { Actor } from '../audit/audit.ts';

/** The setting with the last closed day; empty while nothing is closed. */
export const CLOSING_KEY = 'cierre';

export type LastClosedDay = PlainDate | '';

/** Every day is after '', so with '' nothing is closed. */
export const isClosed = (day: PlainDate, closing: LastClosedDay): boolean => day <= closing;

export const dayOfInvoice = ({
  fechaemision,
  fechacaptura,
}: Pick<Invoice, 'fechaemision' | 'fechacaptura'>) => fechaemision ?? fechacaptura;

/**
 * Rows dated on or before the closing date are not created, changed, deleted, restored or moved, except by an
 * administrator who gives a reason. Everything that writes invoices, payments, credit notes or petty cash checks this
 * inside its transaction, for the previous days of its rows and for the new ones.
 * @throws DomainError conflict closed_period
 */
export async function requireOpenPeriod(trx: Trx, actor: Actor, days: Iterable<PlainDate>): Promise<void> {
  const closing = await lockAndReadClosing(trx);
  for (const day of days) throwIfRefused(closedPeriodRefusal(actor, day, closing));
}

export function closedPeriodRefusal(
  { roles, motivo, overriddenRules, isImport }: Actor,
  day: PlainDate,
  closing: LastClosedDay,
): BrokenRule | undefined {
  if (!isClosed(day, closing)) return undefined;
  const mayOverride = roles.includes(ADMIN_ROLE);
  if (mayOverride && motivo) {
    overriddenRules?.add('cierre');
    return undefined;
  }
  const remedy = mayOverride
    ? REMEDY_TEXTS.reason
    : isImport
      ? REMEDY_TEXTS.byHand
      : REMEDY_TEXTS.administrator;
  const message = `${closedPeriodText(day, closing)} ${remedy}`;
  const fields = mayOverride ? { motivo: 'Indica el motivo.' } : undefined;
  return { kind: 'conflict', message, code: CLOSED_PERIOD_CODE, fields, extra: { cierre: closing } };
}

const REMEDY_TEXTS = {
  reason: 'Para cambiarlo de todos modos, indica el motivo.',
  administrator: 'Solo un administrador puede cambiarlo, con un motivo.',
  byHand: 'No se importa: lo captura un administrador a mano, con un motivo.',
};

export const CLOSED_PERIOD_CODE = 'closed_period';

export const closedPeriodText = (day: PlainDate, closing: LastClosedDay): string =>
  `El ${formatLongDate(day)} es de un periodo cerrado (hasta el ${formatLongDate(closing)}).`;

export async function lockAndReadClosing(db: Db): Promise<LastClosedDay> {
  await lockClosingShared(db);
  return (await readClosingSetting(db))[0]?.value ?? '';
}

export const lockClosingShared = (db: Db): Promise<void> => lockAdvisoryKeyShared(db, CLOSING_LOCK);

/** Changing the closing date waits for the transactions that rely on it, and later ones wait for the change. */
export const lockClosingExclusive = (trx: Trx): Promise<void> => lockAdvisoryKey(trx, CLOSING_LOCK);

const CLOSING_LOCK = 'closing-date';

const readClosingSetting = compileQueryOnce((db) =>
  db.selectFrom('settings').select('value').where('key', '=', CLOSING_KEY),
);

export const REOPENING_NEEDS_REASON_CODE = 'reason_required';
export const FUTURE_CLOSING_CODE = 'future_closing';

/**
 * A future day may be a typing error, after which nobody could capture anything, so it has to be confirmed.
 * @throws DomainError invalid reason_required, conflict future_closing
 */
export function requireMayMoveClosing(
  { motivo, today }: Actor,
  before: LastClosedDay,
  after: LastClosedDay,
  allowsFuture: boolean,
): void {
  if (after > before && after > today && !allowsFuture)
    throw new DomainError(
      'conflict',
      `El ${formatLongDate(after)} todavía no llega: lo que se capture hasta ese día pediría un motivo.`,
      { code: FUTURE_CLOSING_CODE, remedy: 'allow-future' },
    );
  if (after >= before || motivo) return;
  const message = `El periodo está cerrado hasta el ${formatLongDate(before)}. Para abrirlo otra vez, indica el motivo.`;
  throw new DomainError('invalid', message, {
    code: REOPENING_NEEDS_REASON_CODE,
    fields: { [CLOSING_KEY]: message, motivo: 'Indica el motivo.' },
  });
}
