import type { Trx } from '../../../db/schema.ts';
import { addDays, type PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import { type Cents, parseMoney } from '../../../shared/money.ts';
import type {
  Movement,
  MovementDraft,
  MovementKind,
  PettyCashFund,
  ReceiptKind,
} from '../../../shared/petty-cash.ts';
import { pettyCashTexts as texts } from '../../../shared/petty-cash-texts.ts';
import type { Actor } from '../audit/audit.ts';
import { holdToBudget } from '../budgets/budget-book.ts';
import { readSettings } from '../settings/settings.ts';

interface Receipt {
  comprobante: ReceiptKind;
  uuid: string;
  comprobarAntes: PlainDate | null;
}

type Asked = MovementDraft & { tipo: MovementKind; fecha: PlainDate };

/**
 * What proves an expense, and until when that is to be brought: without a receipt within the days that the firm gives,
 * unless the draft says another day; what was once let pass without one stays so.
 */
export async function receiptOf(
  trx: Trx,
  actor: Actor,
  { tipo, fecha, uuid: typed = '', comprobante: said, comprobarAntes }: Asked,
  before?: Movement,
): Promise<Receipt> {
  const uuid = typed.trim().toUpperCase();
  const comprobante = said ?? (uuid ? 'cfdi' : 'ninguno');
  const none = { comprobante, uuid, comprobarAntes: null };
  // What is no gasto, or has a receipt, keeps what was sent for the rules to refuse.
  if (tipo !== 'gasto' || comprobante !== 'ninguno') {
    const isFormer = before !== undefined && comprobarAntes === before.comprobarAntes;
    return isFormer ? none : { ...none, comprobarAntes: comprobarAntes ?? null };
  }
  if (comprobarAntes) return { ...none, comprobarAntes };
  if (before?.comprobante === 'ninguno') return { ...none, comprobarAntes: before.comprobarAntes };
  const days = Number((await readSettings(trx))['caja.plazo']);
  return { ...none, comprobarAntes: addDays(before ? actor.today : fecha, days) };
}

interface Spending {
  tipo: MovementKind;
  importeCents: Cents;
  subtotalCents: Cents;
  jobId?: number | null;
  rubroId?: number | null;
}

/**
 * Holds an expense against the cap of its box and the budget of its obra.
 * @returns what its author should know
 * @throws DomainError invalid (over_cap, budget_exceeded)
 */
export async function holdExpense(
  trx: Trx,
  actor: Actor,
  fund: PettyCashFund,
  expense: Spending,
  before?: Movement,
): Promise<string[]> {
  if (expense.tipo !== 'gasto') return [];
  const cap = fund.topeCents ?? capIn((await readSettings(trx))['caja.tope']);
  if (cap !== null && expense.importeCents > cap && expense.importeCents > (before?.importeCents ?? 0)) {
    const message = texts.overCap(cap);
    throw new DomainError('invalid', message, { code: 'over_cap', fields: { importe: message } });
  }
  if (!expense.jobId) return [];
  const former = before?.jobId ? costOf({ ...before, jobId: before.jobId }) : undefined;
  return holdToBudget(trx, actor, costOf({ ...expense, jobId: expense.jobId }), { former, what: 'gasto' });
}

/** What the firm allows for one expense; null: as much as there is. */
export const capIn = (setting: string): Cents | null =>
  setting === '' ? null : parseMoney(setting, 'caja.tope');

const costOf = ({ jobId, rubroId, subtotalCents }: Spending & { jobId: number }) => ({
  jobId,
  rubroId: rubroId ?? null,
  costCents: subtotalCents,
});
