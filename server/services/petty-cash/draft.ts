import { addDays, type PlainDate } from '../../../shared/dates.ts';
import {
  involvedUserIdsOf,
  joinInvolvedUserIds,
  MOVEMENT_FIELDS,
  type Movement,
  type MovementFieldValues,
} from '../../../shared/petty-cash.ts';
import type { RecordField } from '../../../shared/record-fields.ts';
import type { BrokenRule } from '../../../shared/refusal.ts';
import { cleanLine, cleanText, normalizeUuid } from '../../../shared/text.ts';
import type { Actor } from '../audit/audit.ts';
import type { RetainedAttachment } from '../retained-attachments.ts';
import { cleanOrMarkInvalid } from '../write-drafts.ts';
import type { LockedFund } from './fund-cash.ts';

export type DeletedMovement = Movement & { attachments?: RetainedAttachment[] };

export interface MovementInput extends MovementFieldValues {
  fundId?: number;
  /** the movement to change; fields that the input omits keep their values */
  id?: number;
  /** the version that was seen; without it, whatever is stored is overwritten */
  version?: number;
  deleted?: DeletedMovement;
  replenishmentId?: number | null;
  countId?: number | null;
  /** the fund's own funding source by default */
  origenderecursoId?: number | null;
  /** for a row of a file: the firm has accepted the expense without a voucher, so none is awaited */
  isWithoutReceipt?: boolean;
  /** for a row of a file: the name that the file gives to the replenishment of the row */
  replenishmentName?: string;
  /** for a row of a file: a key that distinguishes it from equal rows */
  clave?: string;
  line?: number;
}

type MovementColumns = Pick<Movement, (typeof STORED_MOVEMENT_COLUMNS)[number]>;

const STORED_MOVEMENT_COLUMNS = [
  ...(['tipo', 'fecha', 'beneficiario', 'concepto', 'comprobante', 'folio', 'uuid'] as const),
  ...(['subtotalCents', 'ivaCents', 'importeCents', 'jobId', 'rubroId', 'comprobarAntes'] as const),
  ...(['replenishmentId', 'countId', 'origenderecursoId', 'comments', 'spentBy'] as const),
];

export const toMovementColumns = (movement: MovementColumns) =>
  Object.fromEntries(STORED_MOVEMENT_COLUMNS.map((name) => [name, movement[name]])) as MovementColumns;

export interface MovementDraft
  extends MovementColumns,
    Pick<MovementInput, 'id' | 'deleted' | 'isWithoutReceipt' | 'line'> {
  fundId: number;
  seenVersion?: number;
  previous?: Movement;
  statesOrigin: boolean;
  replenishmentName: string;
  clave: string;
  brokenRule?: BrokenRule;
}

interface CompletionFacts {
  actor: Actor;
  previousById: ReadonlyMap<number, Movement>;
  funds: ReadonlyMap<number, LockedFund>;
  receiptDays: number;
}

export function completeDraft(
  { version: seenVersion, ...input }: MovementInput,
  facts: CompletionFacts,
): MovementDraft {
  const { id, deleted, isWithoutReceipt, line, replenishmentName = '', clave = '' } = input;
  const previous = facts.previousById.get(id ?? 0);
  const before = previous ?? deleted;
  const named = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  const merged = { ...before, ...named } as MovementInput & Partial<Movement>;
  const { tipo = 'gasto', fundId = 0, jobId = null, rubroId = null, countId = null } = merged;
  const fund = facts.funds.get(fundId);
  const origin = !before && KINDS_WITH_FUNDING_SOURCE.includes(tipo) ? fund?.origenderecursoId : null;
  const draft = {
    ...{
      id: id ?? deleted?.id,
      deleted,
      isWithoutReceipt,
      line,
      replenishmentName,
      clave,
      seenVersion,
      previous,
    },
    ...{ fundId, tipo, jobId, rubroId, countId, fecha: merged.fecha ?? facts.actor.today },
    ...cleanTextFields(MOVEMENT_FIELDS, ['concepto', 'beneficiario', 'folio', 'comments'], merged),
    ...completeAmounts(input, before),
    statesOrigin: typeof input.origenderecursoId === 'number',
    origenderecursoId: merged.origenderecursoId ?? origin ?? null,
    // A restored expense is in no replenishment, so that it can be requested again.
    replenishmentId: deleted ? null : (merged.replenishmentId ?? null),
  };
  const { comprobante, uuid, comprobarAntes } =
    deleted ?? completeVoucher({ ...merged, ...draft }, previous, facts);
  const isNewSpending = tipo === 'gasto' && !deleted && draft.importeCents !== previous?.importeCents;
  const spenders = [
    ...(previous ? involvedUserIdsOf(previous) : []),
    fund?.responsableId ?? null,
    facts.actor.userId,
  ];
  const spentBy = isNewSpending ? joinInvolvedUserIds(...spenders) : (before?.spentBy ?? '');
  return { ...draft, comprobante, uuid, comprobarAntes, spentBy };
}

export const KINDS_WITH_FUNDING_SOURCE: readonly string[] = ['apertura', 'reposicion', 'devolucion'];

type Amounts = Pick<Movement, 'subtotalCents' | 'ivaCents' | 'importeCents'>;

/** A missing amount follows from the other two. Amounts that a change omits are kept, except the subtotal. */
function completeAmounts(
  { subtotalCents: subtotal, ivaCents, importeCents }: MovementFieldValues,
  before: Amounts | undefined,
): Amounts {
  const hasNoAmount = [subtotal, ivaCents, importeCents].every((one) => one === undefined);
  const impliedIva =
    subtotal !== undefined && importeCents !== undefined ? importeCents - subtotal : undefined;
  const iva = ivaCents ?? impliedIva ?? before?.ivaCents ?? 0;
  const importe = importeCents ?? (subtotal === undefined ? (before?.importeCents ?? 0) : subtotal + iva);
  const rest = hasNoAmount && before ? before.subtotalCents : importe - iva;
  return { subtotalCents: subtotal ?? rest, ivaCents: iva, importeCents: importe };
}

/**
 * The voucher of an expense is due by the stated day, otherwise within the firm's term. It is not due if the firm has
 * accepted the expense without one.
 */
function completeVoucher(
  stated: MovementInput & { fecha: PlainDate },
  previous: Movement | undefined,
  { actor: { today }, receiptDays }: CompletionFacts,
): Pick<Movement, 'comprobante' | 'uuid' | 'comprobarAntes'> {
  const uuid = normalizeUuid(stated.uuid ?? '') || null;
  const { comprobante = uuid ? 'cfdi' : 'ninguno', comprobarAntes = null } = stated;
  // Movements that await no voucher keep the day that was sent, so that the rules refuse it.
  if (stated.tipo !== 'gasto' || comprobante !== 'ninguno') {
    const isUnchanged = previous !== undefined && comprobarAntes === previous.comprobarAntes;
    return { comprobante, uuid, comprobarAntes: isUnchanged ? null : comprobarAntes };
  }
  const isAwaited = previous?.comprobante !== 'ninguno' && !stated.isWithoutReceipt;
  const awaitedUntil = isAwaited
    ? addDays(previous ? today : stated.fecha, receiptDays)
    : (previous?.comprobarAntes ?? null);
  return { comprobante, uuid, comprobarAntes: comprobarAntes ?? awaitedUntil };
}

/** @returns the cleaned texts, or, where a rule refuses one of them, the original texts and `invalid` */
export function cleanTextFields<Name extends string>(
  fields: readonly RecordField[],
  names: readonly Name[],
  stated: { readonly [One in Name]?: string },
): Record<Name, string> & { brokenRule?: BrokenRule } {
  const mapTextsByName = (textOf: (name: Name) => string) =>
    Object.fromEntries(names.map((name) => [name, textOf(name)])) as Record<Name, string>;
  const texts = mapTextsByName((name) => stated[name] ?? '');
  return cleanOrMarkInvalid(texts, () =>
    mapTextsByName((name) => {
      const { label, kind, maxLength = 0 } = fields.find((one) => one.name === name)!;
      return (kind === 'textarea' ? cleanText : cleanLine)(texts[name], label, name, maxLength);
    }),
  );
}
