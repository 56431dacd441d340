import type { ColumnType, Generated } from 'kysely';
import type { Instant, PlainDate } from '../../shared/dates.ts';
import type { Cents } from '../../shared/money.ts';
import type { MovementKind, ReceiptKind } from '../../shared/petty-cash.ts';
import type { Kept } from './kept.ts';

export interface PettyCashTables {
  petty_cash_funds: PettyCashFundsTable;
  petty_cash_movements: PettyCashMovementsTable;
  petty_cash_replenishments: PettyCashReplenishmentsTable;
  petty_cash_counts: PettyCashCountsTable;
}

/** A cash box: who holds it, where its money comes from, and what it is filled up to. */
interface PettyCashFundsTable extends Kept {
  nombre: string;
  nombreFold: string;
  responsableId: number;
  jobId: number | null;
  /** what it holds when nothing is spent */
  montofijoCents: Cents | null;
  /** the most that one expense may be; null: what the firm says */
  topeCents: Cents | null;
  /** what fills it; null: nobody has said */
  origenderecursoId: number | null;
  /** payments to suppliers from this source leave the box, from `openedOn` on */
  pagosOrigenId: number | null;
  openedOn: PlainDate;
  comments: string;
  /** null: it is open */
  closedOn: Generated<PlainDate | null>;
}

interface PettyCashMovementsTable extends Kept {
  fundId: number;
  fecha: PlainDate;
  tipo: MovementKind;
  /** who was paid */
  beneficiario: string;
  concepto: string;
  comprobante: ReceiptKind;
  /** number of the receipt */
  folio: string;
  /** of a CFDI: of no invoice and no other movement (a trigger holds it) */
  uuid: string | null;
  subtotalCents: Cents;
  ivaCents: Cents;
  /** subtotal and IVA, above zero; the kind says which way it goes, but for an ajuste, which says it itself */
  importeCents: Cents;
  /** of a gasto only */
  jobId: number | null;
  rubroId: number | null;
  /** of a gasto without receipt: until when it is to be brought; null: none is awaited */
  comprobarAntes: PlainDate | null;
  /** of a gasto: what asks for its money back; of a reposición: what it pays */
  replenishmentId: number | null;
  /** of an ajuste: the count that found the difference */
  countId: number | null;
  /** where the money of an apertura or reposición came from, or of a devolución went */
  origenderecursoId: number | null;
  comments: string;
  userId: number;
  /** of a gasto: the ids of who held the box when it was captured, captured it, and changed its amount since, by commas */
  spentBy: Generated<string>;
}

/** Money that is asked for: expenses', which the reposición that names it gives back, or by itself. */
interface PettyCashReplenishmentsTable {
  id: Generated<number>;
  fundId: number;
  fecha: PlainDate;
  requestedBy: number;
  authorizedBy: Generated<number | null>;
  /** null: of expenses; else what goes into the box by itself */
  tipo: Generated<'apertura' | 'ajuste' | null>;
  concepto: Generated<string>;
  /** of what goes in by itself */
  ownCents: Generated<Cents | null>;
  /** 1: the box is filled up to so much more from then on */
  amplia: Generated<number>;
  /** who held the box when it was asked for */
  holderId: Generated<number | null>;
  /** the apertura or ajuste, once it is paid */
  ownMovementId: Generated<number | null>;
  comments: string;
  createdAt: ColumnType<Instant, Instant, never>;
  updatedAt: Instant;
  version: Generated<number>;
}

/** A count holds the cash that was found in a fund, and the cash that should have been in it. */
interface PettyCashCountsTable {
  id: Generated<number>;
  fundId: number;
  fecha: PlainDate;
  /** JSON: how many there were of each denomination, in pesos */
  denominaciones: string;
  contadoCents: Cents;
  esperadoCents: Cents;
  porComprobarCents: Cents;
  porReponerCents: Cents;
  /** the newest movement that it has counted with; null: there was none */
  lastMovementId: number | null;
  /** 1: made unannounced, by somebody else than who holds the box */
  sorpresa: number;
  comments: string;
  userId: number;
  createdAt: ColumnType<Instant, Instant, never>;
}
