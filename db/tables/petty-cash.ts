import type { Generated } from 'kysely';
import type { PlainDate } from '../../shared/dates.ts';
import type { Cents } from '../../shared/money.ts';
import type { Movement, PettyCashFund } from '../../shared/petty-cash.ts';
import type { CashCount, Replenishment } from '../../shared/petty-cash-counts.ts';
import type { ImportableRow, VersionedRow } from './rows.ts';

type JoinedColumn = 'nombre' | 'jobtitle' | 'nombrerubro' | 'origenderecursonombre';

export interface PettyCashTables {
  petty_cash_funds: ImportableRow &
    Omit<
      PettyCashFund,
      keyof ImportableRow | Exclude<JoinedColumn, 'nombre'> | 'responsable' | 'pagosOrigen' | 'closedOn'
    > & {
      nombreFold: string;
      closedOn: Generated<PlainDate | null>;
    };
  petty_cash_movements: ImportableRow &
    Omit<Movement, keyof ImportableRow | JoinedColumn | 'spentBy'> & { spentBy: Generated<string> };
  /** Requests for money: to pay expenses back (the reposición refers to the request), or for an apertura or ajuste. */
  petty_cash_replenishments: VersionedRow &
    Pick<Replenishment, 'fundId' | 'fecha' | 'requestedBy' | 'comments'> & {
      authorizedBy: Generated<number | null>;
      /** null: for expenses */
      tipo: Generated<'apertura' | 'ajuste' | null>;
      concepto: Generated<string>;
      ownCents: Generated<Cents | null>;
      amplia: Generated<number>;
      holderId: Generated<number | null>;
      /** the apertura or ajuste that paid this request; null before that */
      ownMovementId: Generated<number | null>;
    };
  petty_cash_counts: Pick<VersionedRow, 'id' | 'createdAt'> &
    Pick<CashCount, 'fundId' | 'fecha' | 'contadoCents' | 'esperadoCents' | 'porComprobarCents'> &
    Pick<CashCount, 'porReponerCents' | 'comments' | 'userId' | 'responsableId' | 'recibeId'> & {
      /** JSON: the number of each denomination, in pesos */
      denominaciones: string;
      /** the latest movement that the count includes; null: there was none */
      lastMovementId: number | null;
      /** 1 means that another user than the holder counted, unannounced. */
      sorpresa: number;
    };
}
