import type { Instant, PlainDate } from './dates.ts';
import type { Cents } from './money.ts';
import type { SignatureNote } from './payment-batches.ts';
import type { Movement, MovementKind } from './petty-cash.ts';
import { pettyCashTexts as texts } from './petty-cash-texts.ts';
import { createRefusal, type Refusal } from './refusal.ts';

/** These notes and coins of the Banco de México are in circulation, in pesos, from large to small. */
export const DENOMINATIONS = [
  '1000',
  '500',
  '200',
  '100',
  '50',
  '20',
  '10',
  '5',
  '2',
  '1',
  '0.50',
  '0.20',
  '0.10',
] as const;
export type Denomination = (typeof DENOMINATIONS)[number];

export type PieceCounts = Readonly<Partial<Record<Denomination, number>>>;

/** Parses a denomination, also written as "0.5" or "500.00"; undefined where there is no such one. */
export const parseDenomination = (name: string): Denomination | undefined =>
  DENOMINATIONS.find((one) => Number(one) === Number(name) && /^\d{1,4}(\.\d{1,2})?$/.test(name));

export const denominationCents = (denomination: Denomination): Cents =>
  Math.round(Number(denomination) * 100);

export const sumPieces = (pieces: PieceCounts): Cents =>
  DENOMINATIONS.reduce((sum, one) => sum + (pieces[one] ?? 0) * denominationCents(one), 0);

const MAX_PIECES_PER_DENOMINATION = 99_999;

/** A count needs at least one entry. That of an empty fund has zeros. */
export function checkPieces(pieces: Readonly<Record<string, unknown>>): Refusal | undefined {
  const entries = Object.entries(pieces);
  if (entries.length === 0) return createRefusal(texts.emptyCount, 'denominaciones');
  for (const [name, count] of entries) {
    if (parseDenomination(name) === undefined)
      return createRefusal(texts.denomination(name), 'denominaciones');
    if (!Number.isInteger(count) || Number(count) < 0 || Number(count) > MAX_PIECES_PER_DENOMINATION)
      return createRefusal(texts.pieces(name), `denominaciones.${name}`, 'denominaciones');
  }
  return undefined;
}

/** The expected sum is shown only after the count is stored. */
export interface CashCount {
  id: number;
  fundId: number;
  fecha: PlainDate;
  pieces: PieceCounts;
  contadoCents: Cents;
  esperadoCents: Cents;
  porComprobarCents: Cents;
  porReponerCents: Cents;
  /** contado − esperado; negative: money is missing */
  diferenciaCents: Cents;
  lastMovementId: number | null;
  sorpresa: boolean;
  comments: string;
  userId: number;
  username: string;
  /** who held the fund; null in counts from before this was kept */
  responsableId: number | null;
  responsable: string | null;
  /** to whom the fund is handed over with this count; null: it is not */
  recibeId: number | null;
  recibe: string | null;
  createdAt: Instant;
  adjustmentId: number | null;
}

/** A request for money for a fund: to refill it, to open it or to raise its amount. */
export interface Replenishment {
  id: number;
  fundId: number;
  tipo: Extract<MovementKind, 'reposicion' | 'apertura' | 'ajuste'>;
  /** '' if the request refills what expenses took */
  concepto: string;
  fecha: PlainDate;
  estado: 'solicitada' | 'pagada';
  importeCents: Cents;
  count: number;
  /** 1: once paid, it raises the fund's fixed amount (montofijo) by its importe */
  amplia: number;
  holderId: number | null;
  requestedBy: number;
  requester: string;
  authorizedBy: number | null;
  authorizer: string | null;
  note: SignatureNote | null;
  movementId: number | null;
  comments: string;
  createdAt: Instant;
  version: number;
}

export interface ReplenishmentWithMovement {
  replenishment: Replenishment;
  movement: Movement | null;
}
