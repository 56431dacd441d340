import type Database from 'better-sqlite3';

const STATEMENTS_KEPT = 500;

/** Prepared statements by their text, the least recently used dropped. */
export class StatementCache {
  readonly #statements = new Map<string, Database.Statement>();

  readonly database: Database.Database;

  constructor(database: Database.Database) {
    this.database = database;
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
