import type { Instant } from './dates.ts';
import { amountText, type Cents } from './money.ts';

/** One rubro of an obra's budget. All amounts are without IVA, but for what is paid. */
export interface BudgetLine {
  /** null: "Sin rubro" */
  rubroId: number | null;
  nombrerubro: string;
  /** the first amount that was set; 0 where there is none */
  originalCents: Cents;
  /** as it stands now */
  presupuestoCents: Cents;
  /** in open payment batches and not yet invoiced */
  comprometidoCents: Cents;
  /** invoices, less credit notes, and petty cash */
  gastadoCents: Cents;
  /** of the row that is stored; 0 where there is none */
  version: number;
}

export interface BudgetChange {
  id: number;
  rubroId: number | null;
  nombrerubro: string;
  /** the amount before; null: there was none */
  antesCents: Cents | null;
  despuesCents: Cents;
  motivo: string;
  userId: number;
  username: string;
  at: Instant;
}

export interface BudgetDraft {
  rubroId: number | null;
  presupuestoCents: Cents;
  /** the version that its author has seen, 0 for none; without it the newest is overwritten */
  version?: number;
}

/** The firm chooses one rule for spending beyond a budget. */
export const BUDGET_RULES = ['ignorar', 'avisar', 'impedir'] as const;

export const budgetTexts = {
  noReason: 'Indica el motivo del cambio.',
  noLines: 'Indica al menos una partida.',
  noJob: 'Falta la obra.',
  noAmount: 'Falta el presupuesto.',
  negative: 'El presupuesto no puede ser negativo.',
  twice: 'El mismo rubro viene dos veces.',
  exceeded: (what: Spending = 'factura') => `${SPENDINGS[what].the} excede el presupuesto.`,
  sayWhy: (what: Spending) => `Para guardar${SPENDINGS[what].it} de todos modos, indica el motivo.`,
  askDireccion: (what: Spending) => `Solo Dirección puede guardar${SPENDINGS[what].it}, con un motivo.`,
  stale: 'Otra persona cambió este presupuesto mientras lo editabas.',
  saved: (lines: number) =>
    lines === 0
      ? 'El presupuesto no cambió.'
      : `Se guardó el presupuesto: ${lines} ${lines === 1 ? 'partida cambió' : 'partidas cambiaron'}.`,
} as const;

type Spoken = Pick<BudgetLine, 'presupuestoCents' | 'comprometidoCents' | 'gastadoCents'>;

const usedOf = ({ comprometidoCents, gastadoCents }: Spoken): Cents => comprometidoCents + gastadoCents;

export const availableOf = (line: Spoken): Cents => line.presupuestoCents - usedOf(line);

/** Sentences about a budget name the spending by these words. */
const SPENDINGS = {
  factura: { the: 'La factura', it: 'la', this: 'Esta', these: 'Estas' },
  gasto: { the: 'El gasto', it: 'lo', this: 'Este', these: 'Estos' },
} as const;

export type Spending = keyof typeof SPENDINGS;

export interface BudgetExcess extends Spoken {
  importeCents: Cents;
  excedeCents: Cents;
}

/** @returns nothing where the amount fits, or where nothing more is spent */
export function excessOf(line: Spoken, importeCents: Cents): BudgetExcess | undefined {
  const excedeCents = importeCents - availableOf(line);
  const { presupuestoCents, comprometidoCents, gastadoCents } = line;
  return importeCents > 0 && excedeCents > 0
    ? { presupuestoCents, comprometidoCents, gastadoCents, importeCents, excedeCents }
    : undefined;
}

/**
 * "Presupuesto 500,000 · Gastado 430,000 · Esta 90,000 → excede 20,000"
 * @param count of invoices, or expenses, that the amount is of
 */
export function excessText(excess: BudgetExcess, count = 1, what: Spending = 'factura'): string {
  const { presupuestoCents, comprometidoCents, gastadoCents, importeCents, excedeCents } = excess;
  const parts = [
    `Presupuesto ${shortAmount(presupuestoCents)}`,
    ...(comprometidoCents > 0 ? [`Comprometido ${shortAmount(comprometidoCents)}`] : []),
    `Gastado ${shortAmount(gastadoCents)}`,
    `${count === 1 ? SPENDINGS[what].this : `${SPENDINGS[what].these} ${count}:`} ${shortAmount(importeCents)}`,
  ];
  return `${parts.join(' · ')} → excede ${shortAmount(excedeCents)}`;
}

export const sayExceeded = (excess: BudgetExcess, what: Spending = 'factura'): string =>
  `${budgetTexts.exceeded(what)} ${excessText(excess, 1, what)}.`;

/** "1,200.50", and "500,000" where there are no cents: in a sentence of several amounts. */
const shortAmount = (cents: Cents): string => amountText(cents).replace(/\.00$/, '');

/** Amber where little is left, red where it is exceeded or nothing was allowed; undefined where all is well. */
export function budgetTone(line: Spoken): 'warn' | 'danger' | undefined {
  const used = usedOf(line);
  if (used > line.presupuestoCents) return 'danger';
  return used > 0 && used * 100 >= line.presupuestoCents * ALMOST_USED ? 'warn' : undefined;
}

const ALMOST_USED = 80;

/** @returns whole percent; undefined where there is no budget */
export const usedPercent = (line: Spoken): number | undefined =>
  line.presupuestoCents > 0 ? Math.round((usedOf(line) / line.presupuestoCents) * 100) : undefined;
