import type { Instant } from './dates.ts';
import { type Cents, formatMoneyWithoutSymbol } from './money.ts';

export interface BudgetChange {
  id: number;
  rubroId: number | null;
  nombrerubro: string;
  /** null: there was no budget before */
  antesCents: Cents | null;
  despuesCents: Cents;
  motivo: string;
  userId: number;
  username: string;
  at: Instant;
}

export interface BudgetLineInput {
  rubroId: number | null;
  presupuestoCents: Cents;
  /** the version that the author saw, 0 where there was none; without a version, what is stored is overwritten */
  version?: number;
}

export const BUDGET_EXCESS_POLICIES = ['ignorar', 'avisar', 'impedir'] as const;

export const budgetTexts = {
  noReason: 'Indica el motivo del cambio.',
  noLines: 'Indica al menos una partida.',
  noJob: 'Falta la obra.',
  noAmount: 'Falta el presupuesto.',
  negative: 'El presupuesto no puede ser negativo.',
  twice: 'El mismo rubro viene dos veces.',
  exceeded: (spending: SpendingKind = 'factura') => `${SPENDING_WORDS[spending].the} excede el presupuesto.`,
  sayWhy: (spending: SpendingKind) =>
    `Para guardar${SPENDING_WORDS[spending].it} de todos modos, indica el motivo.`,
  askDireccion: (spending: SpendingKind) =>
    `Solo Dirección puede guardar${SPENDING_WORDS[spending].it}, con un motivo.`,
  stale: 'Otra persona cambió este presupuesto mientras lo editabas.',
  saved: (lines: number) =>
    lines === 0
      ? 'El presupuesto no cambió.'
      : `Se guardó el presupuesto: ${lines} ${lines === 1 ? 'partida cambió' : 'partidas cambiaron'}.`,
} as const;

/** The amounts are those of a rubro or an obra, without IVA. */
export interface BudgetAndSpending {
  presupuestoCents: Cents;
  /** spent by invoices, less credit notes, and by petty cash */
  gastadoCents: Cents;
}

export const availableOf = ({ presupuestoCents, gastadoCents }: BudgetAndSpending): Cents =>
  presupuestoCents - gastadoCents;

const SPENDING_WORDS = {
  factura: { the: 'La factura', it: 'la', this: 'Esta', these: 'Estas' },
  gasto: { the: 'El gasto', it: 'lo', this: 'Este', these: 'Estos' },
} as const;

export type SpendingKind = keyof typeof SPENDING_WORDS;

export interface BudgetExcess extends BudgetAndSpending {
  importeCents: Cents;
  excedeCents: Cents;
}

/** @returns undefined where the amount fits the budget, or nothing more is spent */
export function computeExcess(
  { presupuestoCents, gastadoCents }: BudgetAndSpending,
  importeCents: Cents,
): BudgetExcess | undefined {
  const excedeCents = importeCents + gastadoCents - presupuestoCents;
  return importeCents > 0 && excedeCents > 0
    ? { presupuestoCents, gastadoCents, importeCents, excedeCents }
    : undefined;
}

/** "Presupuesto 500,000 · Gastado 430,000 · Esta 90,000 → excede 20,000", for `count` invoices or expenses. */
export function describeExcess(excess: BudgetExcess, count = 1, spending: SpendingKind = 'factura'): string {
  const [presupuesto, gastado, importe, excede] = [
    excess.presupuestoCents,
    excess.gastadoCents,
    excess.importeCents,
    excess.excedeCents,
  ].map((cents) => formatMoneyWithoutSymbol(cents).replace(/\.00$/, ''));
  const subject = count === 1 ? SPENDING_WORDS[spending].this : `${SPENDING_WORDS[spending].these} ${count}:`;
  return `Presupuesto ${presupuesto} · Gastado ${gastado} · ${subject} ${importe} → excede ${excede}`;
}

export function budgetTone({
  presupuestoCents,
  gastadoCents,
}: BudgetAndSpending): 'warn' | 'danger' | undefined {
  if (gastadoCents > presupuestoCents) return 'danger';
  return gastadoCents > 0 && gastadoCents * 100 >= presupuestoCents * ALMOST_USED_PERCENT
    ? 'warn'
    : undefined;
}

const ALMOST_USED_PERCENT = 80;

/** @returns whole percent; undefined where there is no budget */
export const computeUsedPercent = ({
  presupuestoCents,
  gastadoCents,
}: BudgetAndSpending): number | undefined =>
  presupuestoCents > 0 ? Math.round((gastadoCents / presupuestoCents) * 100) : undefined;
