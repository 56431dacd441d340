import type Database from 'better-sqlite3';
import { HiddenRows } from './hidden-rows.ts';

const STATEMENTS_KEPT = 500;

/** Prepared statements by their text, the least recently used dropped. */
export class StatementCache {
  readonly #statements = new Map<string, Database.Statement>();

  readonly database: Database.Database;
  #hidden: HiddenRows | undefined;

  constructor(database: Database.Database) {
    this.database = database;
  }

  /** Of a connection that only reads. */
  get hidden(): HiddenRows {
    this.#hidden ??= new HiddenRows(this.database);
    return this.#hidden;
  }

  statement(sql: string): Database.Statement {
    let statement = this.#statements.get(sql);
    if (statement) this.#statements.delete(sql);
    else statement = this.database.prepare(sql);
    this.#statements.set(sql, statement);
    if (this.#statements.size > STATEMENTS_KEPT) {
      const [oldest] = this.#statements.keys();
      this.#statements.delete(oldest!);
    }
    return statement;
  }
}
