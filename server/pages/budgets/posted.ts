import { moneyOf } from '../../../shared/arithmetic.ts';
import { type BudgetDraft, budgetTexts as texts } from '../../../shared/budgets.ts';
import { DomainError } from '../../../shared/errors.ts';
import { NO_RUBRO } from '../../../shared/invoices.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';

/** A cell of the grid: the budget of an obra in one rubro, NO_RUBRO for none. */
export interface Cell {
  jobId: number;
  rubroId: number;
  cents: Cents;
  version: number;
}

/** The control that holds it. */
export const cellName = ({ jobId, rubroId }: Pick<Cell, 'jobId' | 'rubroId'>): string =>
  `p.${jobId}.${rubroId}`;

/** "500,000.00" as it is shown and typed; nothing where there never was a budget. */
export const cellText = ({ cents, version }: Pick<Cell, 'cents' | 'version'>): string =>
  version === 0 ? '' : formatMoney(cents).replace('$', '');

/** Posted along, so that what was typed can be told apart from what somebody else has changed. */
export const seenText = (cells: readonly Cell[]): string =>
  cells
    .filter(({ version }) => version > 0)
    .map(({ jobId, rubroId, cents, version }) => [jobId, rubroId, cents, version].join('.'))
    .join(' ');

export type PostedGrid = ReturnType<typeof readGrid>;

/** @returns by the name of each control what stands in it, what was shown in it and what is wrong; changes by obra */
export function readGrid({ motivo = '', visto = '', ...fields }: Readonly<Record<string, string>>) {
  const seen = new Map(visto.split(' ').flatMap(cellIn));
  const typed = new Map(Object.entries(fields).filter(([name]) => NAME.test(name)));
  const changes = new Map<number, BudgetDraft[]>();
  const errors: Record<string, string> = {};
  for (const [name, text] of typed) {
    const [jobId = 0, rubroId = 0] = name.split('.').slice(1).map(Number);
    const { cents = 0, version = 0 } = seen.get(name) ?? {};
    const read = centsIn(text, name);
    if (typeof read === 'string') errors[name] = read;
    else if (read !== cents) {
      const line = { rubroId: rubroId === NO_RUBRO ? null : rubroId, presupuestoCents: read, version };
      changes.set(jobId, [...(changes.get(jobId) ?? []), line]);
    }
  }
  return { motivo, typed, seen, changes: new Map([...changes].sort(([a], [b]) => a - b)), errors };
}

const NAME = /^p\.[1-9]\d{0,14}\.\d{1,15}$/;

function cellIn(text: string): [string, Cell][] {
  if (!/^\d{1,15}(\.\d{1,15}){3}$/.test(text)) return [];
  const [jobId = 0, rubroId = 0, cents = 0, version = 0] = text.split('.').map(Number);
  const cell = { jobId, rubroId, cents, version };
  return [[cellName(cell), cell]];
}

/** An emptied control is 0. @returns what is wrong with it, where it is no amount */
function centsIn(text: string, name: string): Cents | string {
  if (!text.trim()) return 0;
  try {
    const cents = moneyOf(text, 'Presupuesto', name);
    return cents < 0 ? texts.negative : cents;
  } catch (error) {
    if (error instanceof DomainError) return error.message;
    throw error;
  }
}
