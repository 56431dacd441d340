import type { Migration } from './migration.ts';

/**
 * A box is closed one day. What goes into it is asked for as a replenishment is, also where there are no expenses
 * behind it, and is authorised by somebody who has had no hand in it: an expense remembers who has spent it, and a
 * request who held the box. What it paid is no foreign key, since movements have one to requests: copies are stored
 * table by table. Neither has a name that the trail gives to what is added up of a request. Frozen, and imports nothing
 * of the application.
 */
export const pettyCashHands: Migration = {
  name: '0036-petty-cash-hands',
  async up(run, dialect) {
    const lite = dialect === 'sqlite';
    const int = lite ? 'INTEGER' : 'bigint';
    const text = lite ? 'TEXT' : 'text';
    const day = lite ? `"closedOn" TEXT CHECK ("closedOn" IS date("closedOn"))` : '"closedOn" date';
    const added: [table: string, column: string][] = [
      ['funds', day],
      ['movements', `"spentBy" ${text} NOT NULL DEFAULT ''`],
      ['replenishments', `tipo ${text} CHECK (tipo IN ('apertura', 'ajuste'))`],
      ['replenishments', `concepto ${text} NOT NULL DEFAULT ''`],
      ['replenishments', `"ownCents" ${int} CHECK ("ownCents" BETWEEN 1 AND 999999999999)`],
      ['replenishments', `amplia ${int} NOT NULL DEFAULT 0 CHECK (amplia IN (0, 1))`],
      ['replenishments', `"holderId" ${int} REFERENCES users (id)`],
      ['replenishments', `"ownMovementId" ${int}`],
    ];
    for (const [table, column] of added) await run(`ALTER TABLE petty_cash_${table} ADD COLUMN ${column}`);
    await run(`CREATE UNIQUE INDEX petty_cash_replenishments_movement ON petty_cash_replenishments ("ownMovementId")
      WHERE "ownMovementId" IS NOT NULL`);
  },
};
