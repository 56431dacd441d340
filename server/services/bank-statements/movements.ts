import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { insertRows, valuesTable } from '../../../db/bulk.ts';
import type { Trx } from '../../../db/schema.ts';
import { isOpenOutcome, type MatchOutcome } from '../../../shared/bank-statements.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { BankStatementMovement } from '../../formats/bank-statements/movements.ts';
import { appendToMapEntry } from '../stored-rows.ts';
import {
  type ExpectedTransfer,
  extractNumbers,
  identifiersOf,
  type MatchResult,
  type MovementTexts,
  type TransferIdentifiers,
} from './matching.ts';

/**
 * Identifies each movement by a hash of its contents. Equal movements of a file are numbered, so that the first has the
 * same identity in every statement.
 */
export function identifyMovements(movements: readonly BankStatementMovement[]): IdentifiedMovement[] {
  const seen = new Map<string, number>();
  return movements.map((movement) => {
    const { fecha, amountCents, referencia, descripcion } = movement;
    const stated = JSON.stringify([fecha, amountCents, referencia, descripcion]);
    const occurrence = (seen.get(stated) ?? 0) + 1;
    seen.set(stated, occurrence);
    return { movement, identity: createHash('sha256').update(`${stated} ${occurrence}`).digest('hex') };
  });
}

export interface StoredMovement extends Omit<BankStatementMovement, 'line' | 'saldoCents'> {
  id: number;
  identity: string;
  outcome: MatchOutcome;
  /** resolved by a batch or by a user */
  isResolved?: boolean;
  transfer?: TransferIdentifiers;
}

interface IdentifiedMovement {
  movement: BankStatementMovement;
  identity: string;
}

export interface MovementWithMatch extends IdentifiedMovement, MatchResult {
  storedMovement: Pick<StoredMovement, 'id' | 'outcome' | 'isResolved'> | undefined;
}

/**
 * Finds which movements of a file are stored already. A movement is stored if a stored one has the same contents or,
 * where the bank words them differently, the same day, amount and digits of the reference or text. Each stored movement
 * matches at most one movement of the file.
 * @param readUntil the day of an earlier import of the same file: until that day, equal day and amount suffice
 * @returns `isDoubtful` if a movement shares only some digits with a stored one
 */
export function recognizeStoredMovements<One extends IdentifiedMovement>(
  movements: readonly One[],
  storedMovements: readonly StoredMovement[],
  readUntil?: PlainDate,
): (One & { storedMovement: StoredMovement | undefined; isDoubtful: boolean })[] {
  const byIdentity = new Map(storedMovements.map((one) => [one.identity, one]));
  const found = new Map(movements.map((one) => [one, byIdentity.get(one.identity)]));
  const used = new Set(found.values());
  const candidatesByKey = new Map<string, SimilarityCandidate[]>();
  for (const other of storedMovements) {
    if (used.has(other)) continue;
    const candidate = {
      other,
      ...movementNumbersOf(other, other.transfer && identifiersOf(other.transfer)),
    };
    for (const digits of [...candidate.numbers, ANY_DIGITS_KEY])
      appendToMapEntry(candidatesByKey, candidateKey(other, digits), candidate);
  }
  const findSimilarStored = ({ movement }: One, numbers: Iterable<string>) =>
    [...numbers].flatMap((digits) => candidatesByKey.get(candidateKey(movement, digits)) ?? []);
  const open = movements.filter((one) => !found.get(one));
  for (const isSame of readUntil ? [...SIMILARITY_TESTS, undefined] : SIMILARITY_TESTS)
    for (const one of open) {
      if (found.get(one) || (!isSame && one.movement.fecha > readUntil!)) continue;
      const stated = movementNumbersOf(one.movement);
      const same = findSimilarStored(one, isSame ? stated.numbers : [ANY_DIGITS_KEY]).find(
        (candidate) => !used.has(candidate.other) && (!isSame || isSame(stated, candidate)),
      )?.other;
      if (!same) continue;
      found.set(one, same);
      used.add(same);
    }
  return movements.map((one) => {
    const isDoubtful = !found.get(one) && findSimilarStored(one, extractNumbers(one.movement)).length > 0;
    return { ...one, storedMovement: found.get(one), isDoubtful };
  });
}

interface MovementNumbers {
  numbers: ReadonlySet<string>;
  references: ReadonlySet<string>;
}

type SimilarityCandidate = MovementNumbers & { other: StoredMovement };

const movementNumbersOf = (stated: MovementTexts, identifiers: Iterable<string> = []): MovementNumbers => ({
  numbers: new Set([...extractNumbers(stated), ...identifiers]),
  references: extractNumbers({ ...stated, descripcion: '' }),
});

type SimilarityTest = (one: MovementNumbers, other: MovementNumbers) => boolean;

const sharesReference: SimilarityTest = (one, other) =>
  [...one.references].some((digits) => other.numbers.has(digits)) ||
  [...other.references].some((digits) => one.numbers.has(digits));

const areNumbersSubset: SimilarityTest = (one, other) =>
  isSubset(one.numbers, other.numbers) || isSubset(other.numbers, one.numbers);

const isSubset = (some: ReadonlySet<string>, all: ReadonlySet<string>): boolean =>
  [...some].every((one) => all.has(one));

/** The strictest test comes first. */
const SIMILARITY_TESTS: readonly SimilarityTest[] = [
  (one, other) => sharesReference(one, other) && areNumbersSubset(one, other),
  sharesReference,
  areNumbersSubset,
];

const ANY_DIGITS_KEY = '';

const candidateKey = (
  { fecha, amountCents }: Pick<BankStatementMovement, 'fecha' | 'amountCents'>,
  key: string,
) => `${fecha} ${amountCents} ${key}`;

export async function readStoredMovements(
  trx: Trx,
  origenderecursoId: number,
  movements: readonly { movement: BankStatementMovement }[],
  transfers: readonly ExpectedTransfer[],
): Promise<StoredMovement[]> {
  const days = movements.map(({ movement: { fecha } }) => fecha).sort();
  const rows = await trx
    .selectFrom('bank_movements')
    .select(['id', 'identity', 'outcome', 'fecha', 'amountCents', 'referencia', 'descripcion'])
    .select(['batchId', 'supplierId', 'resolution'])
    .where('origenderecursoId', '=', origenderecursoId)
    .where('fecha', '>=', days[0] ?? '')
    .where('fecha', '<=', days.at(-1) ?? '')
    .orderBy('id')
    .execute();
  const byPlace = new Map(transfers.map((one) => [`${one.batchId}/${one.supplierId}`, one]));
  return rows.map(({ batchId, supplierId, resolution, ...row }) => ({
    ...row,
    isResolved: resolution !== null || !isOpenOutcome(row.outcome),
    transfer: byPlace.get(`${batchId}/${supplierId}`),
  }));
}

/** @param knownIds ids of resolved movements that the file has again @returns the ids of movements by identity */
export async function storeMovements(
  trx: Trx,
  statementId: number,
  origenderecursoId: number,
  matchedMovements: readonly MovementWithMatch[],
  knownIds: readonly number[],
): Promise<Map<string, number>> {
  const toMatchColumns = ({ outcome, transfer }: MovementWithMatch) => ({
    outcome,
    batchId: transfer?.batchId ?? null,
    supplierId: transfer?.supplierId ?? null,
  });
  const added = matchedMovements.filter(({ storedMovement }) => !storedMovement);
  await insertRows(
    trx,
    'bank_movements',
    added.map((one) => {
      const { line: _line, saldoCents: _saldo, ...stated } = one.movement;
      return { statementId, origenderecursoId, ...stated, identity: one.identity, ...toMatchColumns(one) };
    }),
  );
  const changed = matchedMovements.filter(
    ({ storedMovement, outcome }) => storedMovement && storedMovement.outcome !== outcome,
  );
  const rows = changed.map((one) => ({ id: one.storedMovement!.id, ...toMatchColumns(one) }));
  const columns = { id: 'bigint', outcome: 'text', batchId: 'bigint', supplierId: 'bigint' } as const;
  await sql`update bank_movements set outcome = w.outcome, "batchId" = w."batchId", "supplierId" = w."supplierId",
      version = version + 1 from ${valuesTable(trx, columns, rows)} as w where bank_movements.id = w.id`.execute(
    trx,
  );
  const onStatement = await trx
    .selectFrom('bank_movements')
    .select(['id', 'identity'])
    .where('statementId', '=', statementId)
    .execute();
  const ofFile = [...onStatement.map(({ id }) => id), ...knownIds];
  for (const { storedMovement } of matchedMovements) if (storedMovement) ofFile.push(storedMovement.id);
  await insertRows(
    trx,
    'bank_statement_movements',
    ofFile.map((movementId) => ({ statementId, movementId })),
  );
  return new Map([
    ...onStatement.map(({ id, identity }) => [identity, id] as const),
    ...changed.map(({ identity, storedMovement }) => [identity, storedMovement!.id] as const),
  ]);
}
