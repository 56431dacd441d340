import { sql } from 'kysely';
import { forUpdateOf, isOneOf } from '../../../db/expressions.ts';
import type { Db } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import type { Movement } from '../../../shared/petty-cash.ts';
import { pettyCashTexts as texts } from '../../../shared/petty-cash-texts.ts';
import { fold, numberKey } from '../../../shared/text.ts';
import { readCash } from '../petty-cash/cash.ts';
import { readMovements } from '../petty-cash/reading.ts';
import { Refused } from './judging.ts';

/** A box that rows may be of, with what is in it. */
export interface Box {
  id: number;
  nombre: string;
  openedOn: PlainDate;
  origenderecursoId: number | null;
  topeCents: Cents | null;
  responsableId: number;
  closedOn: PlainDate | null;
  cashCents: Cents;
  /** nothing was moved in it yet: what it was before comes as it was */
  isNew: boolean;
}

/** All boxes, by what people call them; inside a transaction nobody else moves money of theirs meanwhile. */
export class Boxes {
  readonly #boxes: Box[] = [];

  static async read(db: Db): Promise<Boxes> {
    const found = await db
      .selectFrom('petty_cash_funds')
      .select(['id', 'nombre', 'openedOn', 'origenderecursoId', 'topeCents', 'pagosOrigenId'])
      .select(['responsableId', 'closedOn'])
      .select(({ exists, selectFrom, not }) =>
        not(
          exists(
            selectFrom('petty_cash_movements as m')
              .select('m.id')
              .whereRef('m.fundId', '=', 'petty_cash_funds.id'),
          ),
        )
          .$castTo<number>()
          .as('isNew'),
      )
      .orderBy('id')
      .modifyEnd(forUpdateOf(db, 'petty_cash_funds'))
      .execute();
    const boxes = new Boxes();
    for (const { pagosOrigenId, isNew, ...box } of found)
      boxes.#boxes.push({
        ...box,
        isNew: Boolean(isNew),
        cashCents: await readCash(db, { ...box, pagosOrigenId }),
      });
    return boxes;
  }

  /** @throws Refused */
  named(who: string): Box {
    const named = (key: (text: string) => string) =>
      this.#boxes.filter((box) => key(box.nombre) === key(who));
    const [exact] = named(fold);
    const [alike, ...others] = named(numberKey);
    const found = exact ?? (others.length === 0 ? alike : undefined);
    if (!found) throw new Refused('caja', texts.noFund(who));
    return found;
  }
}

/** What says what a movement is, but for its document. */
type MovementKey = Pick<
  Movement,
  'tipo' | 'fecha' | 'importeCents' | 'concepto' | 'beneficiario' | 'folio'
> & { boxId: number; jobId: number | null; rubroId: number | null };

/** The movements on file that rows may be. */
export class KnownMovements {
  readonly #same = new Map<string, number>();
  readonly #alike = new Map<string, string>();
  readonly #byUuid = new Map<string, Movement>();

  /** Those of these boxes between two days, and the expenses of these CFDI wherever they are. */
  static async read(
    db: Db,
    boxIds: readonly number[],
    { from, to }: { from: PlainDate; to: PlainDate },
    uuids: readonly string[],
  ): Promise<KnownMovements> {
    const known = new KnownMovements();
    if (boxIds.length === 0) return known;
    const ofDays = sql`${isOneOf(db, 'm.fundId', boxIds)} and m.fecha between ${from} and ${to}`;
    for (const movement of await readMovements(db, ofDays)) known.#add(movement);
    for (let at = 0; at < uuids.length; at += UUIDS_AT_ONCE) {
      const some = uuids.slice(at, at + UUIDS_AT_ONCE);
      for (const movement of await readMovements(db, sql`m.uuid in (${sql.join(some)})`))
        known.#byUuid.set(movement.uuid!, movement);
    }
    return known;
  }

  withUuid = (uuid: string): Movement | undefined => this.#byUuid.get(uuid);

  countOf = (key: MovementKey): number => this.#same.get(keyOf(key)) ?? 0;

  /** What was moved on that day for the same amount, whatever else is said of it. */
  alike = ({ boxId, tipo, fecha, importeCents }: MovementKey): string | undefined =>
    this.#alike.get([boxId, tipo, fecha, importeCents].join());

  #add(movement: Movement): void {
    const { fundId: boxId, tipo, fecha, importeCents, concepto } = movement;
    const key = keyOf({ ...movement, boxId });
    this.#same.set(key, (this.#same.get(key) ?? 0) + 1);
    this.#alike.set([boxId, tipo, fecha, importeCents].join(), concepto);
  }
}

const UUIDS_AT_ONCE = 500;

export const keyOf = ({ boxId, tipo, fecha, importeCents, jobId, rubroId, ...words }: MovementKey): string =>
  JSON.stringify([
    [boxId, tipo, fecha, importeCents, jobId, rubroId],
    [fold(words.concepto), fold(words.beneficiario), numberKey(words.folio)],
  ]);
