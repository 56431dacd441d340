import type { Generated } from 'kysely';
import type { PlainDate } from '../../shared/dates.ts';
import type { Cents } from '../../shared/money.ts';
import type { Movement, PettyCashFund } from '../../shared/petty-cash.ts';
import type { CashCount, Replenishment } from '../../shared/petty-cash-counts.ts';
import type { Kept, Stored } from './kept.ts';

/** Read from other tables with a fund or a movement. */
type Lent = 'nombre' | 'jobtitle' | 'nombrerubro' | 'origenderecursonombre';

export interface PettyCashTables {
  /** A fund: who holds it, where its money comes from, and what it is filled up to. */
  petty_cash_funds: Kept &
    Omit<PettyCashFund, keyof Kept | Exclude<Lent, 'nombre'> | 'responsable' | 'pagosOrigen' | 'closedOn'> & {
      nombreFold: string;
      /** null: it is open */
      closedOn: Generated<PlainDate | null>;
    };
  petty_cash_movements: Kept & Omit<Movement, keyof Kept | Lent | 'spentBy'> & { spentBy: Generated<string> };
  /** Money that is asked for: expenses', which the reposición that names it gives back, or by itself. */
  petty_cash_replenishments: Stored &
    Pick<Replenishment, 'fundId' | 'fecha' | 'requestedBy' | 'comments'> & {
      authorizedBy: Generated<number | null>;
      /** null: of expenses; else what goes into the fund by itself */
      tipo: Generated<'apertura' | 'ajuste' | null>;
      concepto: Generated<string>;
      /** of what goes in by itself */
      ownCents: Generated<Cents | null>;
      amplia: Generated<number>;
      holderId: Generated<number | null>;
      /** the apertura or ajuste, once it is paid */
      ownMovementId: Generated<number | null>;
    };
  /** A count holds the cash that was found in a fund, and the cash that should have been in it. */
  petty_cash_counts: Pick<Stored, 'id' | 'createdAt'> &
    Pick<CashCount, 'fundId' | 'fecha' | 'contadoCents' | 'esperadoCents' | 'porComprobarCents'> &
    Pick<CashCount, 'porReponerCents' | 'comments' | 'userId'> & {
      /** JSON: how many there were of each denomination, in pesos */
      denominaciones: string;
      /** the newest movement that it has counted with; null: there was none */
      lastMovementId: number | null;
      /** 1: made unannounced, by somebody else than who holds the fund */
      sorpresa: number;
    };
}
