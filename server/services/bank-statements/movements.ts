import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { insertRows, valuesTable } from '../../../db/bulk.ts';
import type { Trx } from '../../../db/schema.ts';
import type { MovementOutcome } from '../../../shared/bank-statements.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { Movement } from '../../formats/bank-statements/movements.ts';
import { append } from '../stored-rows.ts';
import { type AskedTransfer, type Matched, type Names, namesOf, numbersOf, type Said } from './matching.ts';

/**
 * Assigns each movement a hash of its contents. Equal movements of a file are numbered, so that the first is the same
 * movement in every statement.
 */
export function identified(movements: readonly Movement[]): Identified[] {
  const seen = new Map<string, number>();
  return movements.map((movement) => {
    const { fecha, amountCents, referencia, descripcion } = movement;
    const said = JSON.stringify([fecha, amountCents, referencia, descripcion]);
    const place = (seen.get(said) ?? 0) + 1;
    seen.set(said, place);
    return { movement, identity: createHash('sha256').update(`${said} ${place}`).digest('hex') };
  });
}

export interface StoredMovement extends Omit<Movement, 'line'> {
  id: number;
  identity: string;
  outcome: MovementOutcome;
  transfer?: Names;
}

interface Identified {
  movement: Movement;
  identity: string;
}

export interface Decided extends Identified, Matched {
  stored: Pick<StoredMovement, 'id' | 'outcome'> | undefined;
}

/**
 * Finds the movements of a file that are on file already: those with equal contents, or, where another download of the
 * bank words them differently, with equal day, amount and digits of reference or text. Each movement on file matches
 * one of the file.
 * @param readUntil the day on which the same file was loaded before: for movements until then, equal day and amount
 *   suffice
 * @returns `isDoubtful` where a movement shares only some digits with one on file
 */
export function recognize<One extends Identified>(
  movements: readonly One[],
  stored: readonly StoredMovement[],
  readUntil?: PlainDate,
): (One & { stored: StoredMovement | undefined; isDoubtful: boolean })[] {
  const exact = new Map(stored.map((one) => [one.identity, one]));
  const found = new Map(movements.map((one) => [one, exact.get(one.identity)]));
  const taken = new Set(found.values());
  const rest = new Map<string, Candidate[]>();
  for (const other of stored) {
    if (taken.has(other)) continue;
    const candidate = { other, ...digitsOf(other, other.transfer && namesOf(other.transfer)) };
    for (const digits of [...candidate.numbers, ANY]) append(rest, keyOf(other, digits), candidate);
  }
  const alike = ({ movement }: One, numbers: Iterable<string>) =>
    [...numbers].flatMap((digits) => rest.get(keyOf(movement, digits)) ?? []);
  const open = movements.filter((one) => !found.get(one));
  for (const isSame of readUntil ? [...WAYS, undefined] : WAYS)
    for (const one of open) {
      if (found.get(one) || (!isSame && one.movement.fecha > readUntil!)) continue;
      const said = digitsOf(one.movement);
      const same = alike(one, isSame ? said.numbers : [ANY]).find(
        (candidate) => !taken.has(candidate.other) && (!isSame || isSame(said, candidate)),
      )?.other;
      if (!same) continue;
      found.set(one, same);
      taken.add(same);
    }
  return movements.map((one) => {
    const isDoubtful = !found.get(one) && alike(one, numbersOf(one.movement)).length > 0;
    return { ...one, stored: found.get(one), isDoubtful };
  });
}

interface Digits {
  numbers: ReadonlySet<string>;
  references: ReadonlySet<string>;
}

type Candidate = Digits & { other: StoredMovement };

const digitsOf = (said: Said, names: Iterable<string> = []): Digits => ({
  numbers: new Set([...numbersOf(said), ...names]),
  references: numbersOf({ ...said, descripcion: '' }),
});

type IsSame = (one: Digits, other: Digits) => boolean;

const isByReference: IsSame = (one, other) =>
  [...one.references].some((digits) => other.numbers.has(digits)) ||
  [...other.references].some((digits) => one.numbers.has(digits));

const isByNumbers: IsSame = (one, other) =>
  isWithin(one.numbers, other.numbers) || isWithin(other.numbers, one.numbers);

const isWithin = (some: ReadonlySet<string>, all: ReadonlySet<string>): boolean =>
  [...some].every((one) => all.has(one));

/** The strictest test comes first. */
const WAYS: readonly IsSame[] = [
  (one, other) => isByReference(one, other) && isByNumbers(one, other),
  isByReference,
  isByNumbers,
];

/** Stands for any digits. */
const ANY = '';

const keyOf = ({ fecha, amountCents }: Pick<Movement, 'fecha' | 'amountCents'>, key: string) =>
  `${fecha} ${amountCents} ${key}`;

export async function readStored(
  trx: Trx,
  origenderecursoId: number,
  movements: readonly { movement: Movement }[],
  transfers: readonly AskedTransfer[],
): Promise<StoredMovement[]> {
  const days = movements.map(({ movement: { fecha } }) => fecha).sort();
  const rows = await trx
    .selectFrom('bank_movements')
    .select(['id', 'identity', 'outcome', 'fecha', 'amountCents', 'referencia', 'descripcion'])
    .select(['batchId', 'supplierId'])
    .where('origenderecursoId', '=', origenderecursoId)
    .where('fecha', '>=', days[0] ?? '')
    .where('fecha', '<=', days.at(-1) ?? '')
    .orderBy('id')
    .execute();
  const byPlace = new Map(transfers.map((one) => [`${one.batchId}/${one.supplierId}`, one]));
  return rows.map(({ batchId, supplierId, ...row }) => ({
    ...row,
    transfer: byPlace.get(`${batchId}/${supplierId}`),
  }));
}

/** @returns the ids of movements by identity */
export async function storeMovements(
  trx: Trx,
  statementId: number,
  origenderecursoId: number,
  decided: readonly Decided[],
): Promise<Map<string, number>> {
  const matchOf = ({ outcome, transfer }: Decided) => ({
    outcome,
    batchId: transfer?.batchId ?? null,
    supplierId: transfer?.supplierId ?? null,
  });
  const added = decided.filter(({ stored }) => !stored);
  await insertRows(
    trx,
    'bank_movements',
    added.map((one) => {
      const { line: _line, ...said } = one.movement;
      return { statementId, origenderecursoId, ...said, identity: one.identity, ...matchOf(one) };
    }),
  );
  const changed = decided.filter(({ stored, outcome }) => stored && stored.outcome !== outcome);
  const rows = changed.map((one) => ({ id: one.stored!.id, ...matchOf(one) }));
  const columns = { id: 'bigint', outcome: 'text', batchId: 'bigint', supplierId: 'bigint' } as const;
  await sql`update bank_movements set outcome = w.outcome, "batchId" = w."batchId", "supplierId" = w."supplierId"
    from ${valuesTable(trx, columns, rows)} as w where bank_movements.id = w.id`.execute(trx);
  const own = await trx
    .selectFrom('bank_movements')
    .select(['id', 'identity'])
    .where('statementId', '=', statementId)
    .execute();
  return new Map([
    ...own.map(({ id, identity }) => [identity, id] as const),
    ...changed.map(({ identity, stored }) => [identity, stored!.id] as const),
  ]);
}
