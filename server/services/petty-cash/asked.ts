import { addDays, type PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import {
  handsOf,
  MOVEMENT_FIELDS,
  type Movement,
  type MovementDraft,
  spentByOf,
} from '../../../shared/petty-cash.ts';
import type { RecordField } from '../../../shared/record-fields.ts';
import { type BrokenRule, brokenBy } from '../../../shared/refusal.ts';
import { cleanLine, cleanText } from '../../../shared/text.ts';
import type { KeptAttachment } from '../attachments-kept.ts';
import type { Actor } from '../audit/audit.ts';
import type { HeldFund } from './cash.ts';

/** A deleted movement, as the audit trail keeps it. */
export type DeletedMovement = Movement & { attachments?: KeptAttachment[] };

/** A movement that somebody wants written, by whatever door: a new one, a changed one, or one that comes back. */
export interface MovementToWrite extends MovementDraft {
  /** of a new one */
  fundId?: number;
  /** of the movement that is changed; what the draft does not name stays as it is */
  id?: number;
  /** the version of it that was seen; without one, whatever is stored is written over */
  version?: number;
  /** a deleted movement, as it was: it comes back under its id */
  deleted?: DeletedMovement;
  /** of what was asked for, and is put in now */
  replenishmentId?: number | null;
  /** the count whose difference it is */
  countId?: number | null;
  /** where its money comes from or goes; by default the fund's own origin */
  origenderecursoId?: number | null;
  /** of a row: no receipt is awaited, since the firm has let it pass without one */
  isWithoutReceipt?: boolean;
  /** of a row: what its file calls the replenishment that it is of */
  group?: string;
  /** of a row: what tells it apart from others of its file that say the same */
  clave?: string;
  line?: number;
}

/** What is set of a movement. */
type Columns = Pick<Movement, (typeof COLUMNS)[number]>;

const COLUMNS = [
  ...(['tipo', 'fecha', 'beneficiario', 'concepto', 'comprobante', 'folio', 'uuid'] as const),
  ...(['subtotalCents', 'ivaCents', 'importeCents', 'jobId', 'rubroId', 'comprobarAntes'] as const),
  ...(['replenishmentId', 'countId', 'origenderecursoId', 'comments', 'spentBy'] as const),
];

/** The same as it is stored. */
export const movementColumns = (movement: Columns) =>
  Object.fromEntries(COLUMNS.map((name) => [name, movement[name]])) as Columns;

/** A draft that is complete: what was left out is as the rules have it. */
export interface Asked
  extends Columns,
    Pick<MovementToWrite, 'id' | 'deleted' | 'isWithoutReceipt' | 'line'> {
  fundId: number;
  /** the version that was seen of the one that is changed */
  seen?: number;
  /** as it is stored, of one that is changed */
  former?: Movement;
  /** whether the draft itself says where its money comes from or goes */
  saysOrigin: boolean;
  group: string;
  clave: string;
  /** text that cannot be stored */
  unfit?: BrokenRule;
}

interface Known {
  actor: Actor;
  formers: ReadonlyMap<number, Movement>;
  funds: ReadonlyMap<number, HeldFund>;
  /** within how many days the firm wants a receipt */
  term: number;
}

export function complete({ version: seen, ...draft }: MovementToWrite, known: Known): Asked {
  const { id, deleted, isWithoutReceipt, line, group = '', clave = '' } = draft;
  const former = known.formers.get(id ?? 0);
  const before = former ?? deleted;
  const named = Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined));
  const whole = { ...before, ...named } as MovementToWrite & Partial<Movement>;
  const { tipo = 'gasto', fundId = 0, jobId = null, rubroId = null, countId = null } = whole;
  const fund = known.funds.get(fundId);
  const origin = !before && OF_ORIGIN.includes(tipo) ? fund?.origenderecursoId : null;
  const asked = {
    ...{ id: id ?? deleted?.id, deleted, isWithoutReceipt, line, group, clave, seen, former },
    ...{ fundId, tipo, jobId, rubroId, countId, fecha: whole.fecha ?? known.actor.today },
    ...cleaned(MOVEMENT_FIELDS, ['concepto', 'beneficiario', 'folio', 'comments'], whole),
    ...amountsOf(draft, before),
    saysOrigin: typeof draft.origenderecursoId === 'number',
    origenderecursoId: whole.origenderecursoId ?? origin ?? null,
    // Whoever asks for the money of what comes back may do so again.
    replenishmentId: deleted ? null : (whole.replenishmentId ?? null),
  };
  const { comprobante, uuid, comprobarAntes } = deleted ?? receiptOf({ ...whole, ...asked }, former, known);
  const isSpentAnew = tipo === 'gasto' && !deleted && asked.importeCents !== former?.importeCents;
  const hands = [...(former ? handsOf(former) : []), fund?.responsableId ?? null, known.actor.userId];
  const spentBy = isSpentAnew ? spentByOf(...hands) : (before?.spentBy ?? '');
  return { ...asked, comprobante, uuid, comprobarAntes, spentBy };
}

/** Their money comes from the origin of the fund, or goes there. */
export const OF_ORIGIN: readonly string[] = ['apertura', 'reposicion', 'devolucion'];

type Amounts = Pick<Movement, 'subtotalCents' | 'ivaCents' | 'importeCents'>;

/**
 * Of subtotal, IVA and importe the one that is not given follows from the other two; of a change what it leaves out is
 * what was stored, the subtotal excepted.
 */
function amountsOf(
  { subtotalCents: subtotal, ivaCents, importeCents }: MovementDraft,
  before: Amounts | undefined,
): Amounts {
  const isSilent = [subtotal, ivaCents, importeCents].every((one) => one === undefined);
  const known = subtotal !== undefined && importeCents !== undefined ? importeCents - subtotal : undefined;
  const iva = ivaCents ?? known ?? before?.ivaCents ?? 0;
  const importe = importeCents ?? (subtotal === undefined ? (before?.importeCents ?? 0) : subtotal + iva);
  const rest = isSilent && before ? before.subtotalCents : importe - iva;
  return { subtotalCents: subtotal ?? rest, ivaCents: iva, importeCents: importe };
}

/**
 * What proves an expense, and until when that is to be brought: without a receipt within the days that the firm gives,
 * unless the draft says another day; what was once let pass without one stays so.
 */
function receiptOf(
  said: MovementToWrite & { fecha: PlainDate },
  former: Movement | undefined,
  { actor: { today }, term }: Known,
): Pick<Movement, 'comprobante' | 'uuid' | 'comprobarAntes'> {
  const uuid = said.uuid?.trim().toUpperCase() || null;
  const { comprobante = uuid ? 'cfdi' : 'ninguno', comprobarAntes = null } = said;
  // What is no gasto, or has a receipt, keeps what was sent for the rules to refuse.
  if (said.tipo !== 'gasto' || comprobante !== 'ninguno') {
    const isFormer = former !== undefined && comprobarAntes === former.comprobarAntes;
    return { comprobante, uuid, comprobarAntes: isFormer ? null : comprobarAntes };
  }
  const isAwaited = former?.comprobante !== 'ninguno' && !said.isWithoutReceipt;
  const awaited = isAwaited ? addDays(former ? today : said.fecha, term) : (former?.comprobarAntes ?? null);
  return { comprobante, uuid, comprobarAntes: comprobarAntes ?? awaited };
}

/** Texts of a draft as they are stored, or why they cannot be. */
export function cleaned<Name extends string>(
  fields: readonly RecordField[],
  names: readonly Name[],
  said: { readonly [One in Name]?: string },
): Record<Name, string> & { unfit?: BrokenRule } {
  const texts = Object.fromEntries(names.map((name) => [name, said[name] ?? ''])) as Record<Name, string>;
  try {
    for (const name of names) {
      const { label, kind, maxLength = 0 } = fields.find((one) => one.name === name)!;
      const clean = kind === 'textarea' ? cleanText : cleanLine;
      texts[name] = clean(texts[name], label, name, maxLength);
    }
    return texts;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { ...texts, unfit: brokenBy(error) };
  }
}
