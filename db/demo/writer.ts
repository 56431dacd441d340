import { createHash } from 'node:crypto';
import type { Instant } from '../../shared/dates.ts';
import type { Trx } from '../schema.ts';

/** One list's part of the demo, as an import of it would be told. */
export interface DemoRun {
  /** the table's noun in the audit trail */
  entity: string;
  /** absent for what no import brings: users and replenishments */
  importId?: number;
  source: string;
  sha256: string;
  ids: number[];
}

export const SOURCE = 'empresa de demostración';
/** Rows in one statement: SQLite takes 32,766 values at most. */
const CHUNK = 400;

type Table =
  | 'suppliers'
  | 'clients'
  | 'jobs'
  | 'rubros'
  | 'funding_sources'
  | 'invoices'
  | 'payments'
  | 'credit_notes'
  | 'petty_cash_funds'
  | 'petty_cash_movements'
  | 'budgets';

/** Inserts each list in one go, as an import does: a row in imports, and its id on every row. */
export class DemoWriter {
  readonly runs: DemoRun[] = [];
  readonly #trx: Trx;
  readonly #at: Instant;
  readonly #userId: number;

  constructor(trx: Trx, at: Instant, userId: number) {
    this.#trx = trx;
    this.#at = at;
    this.#userId = userId;
  }

  /** @returns the ids in the order of `rows` */
  async insert(entity: string, table: Table, rows: object[]): Promise<number[]> {
    const sha256 = hashOf(rows);
    const { id: importId } = await this.#trx
      .insertInto('imports')
      .values({ kind: entity, source: SOURCE, sha256, at: this.#at, userId: this.#userId })
      .returning('id')
      .executeTakeFirstOrThrow();
    const kept = { importId, createdAt: this.#at, updatedAt: this.#at };
    const ids: number[] = [];
    for (let from = 0; from < rows.length; from += CHUNK) {
      const inserted = await this.#trx
        .insertInto(table)
        // the rows of each table are made beside its name, above
        .values(rows.slice(from, from + CHUNK).map((row) => ({ ...kept, ...row })) as never)
        .returning('id')
        .execute();
      // Both databases number the rows of a statement in its order; the answer's own order is not promised.
      ids.push(...inserted.map((row) => row.id).sort((a, b) => a - b));
    }
    this.runs.push({ entity, importId, source: SOURCE, sha256, ids });
    return ids;
  }
}

export const hashOf = (content: unknown): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('hex');
