import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Db } from '../../db/schema.ts';
import type { AuditTable } from '../../db/tables/audit.ts';
import { inTransaction } from '../../db/transaction.ts';
import { queueAuditEntry } from '../../server/services/audit/audit.ts';
import { createInvoice, updateInvoice } from '../../server/services/invoices/invoices.ts';
import { verifyAuditChain } from '../support/audit.ts';
import { startChild } from '../support/children.ts';
import { damageDatabase } from '../support/damage.ts';
import { describeEachDatabase } from '../support/databases.ts';
import { Random } from '../support/fuzz-values.ts';
import { chooseRunCount } from '../support/proofs.ts';
import { addActor, addJob, addSupplier, createActor, NOW } from '../support/rows.ts';

/** The number of processes, of changes by each, and of changed bytes. */
const [PROCESSES, CHANGES, BYTES] = [chooseRunCount(2, 4), chooseRunCount(25, 250), chooseRunCount(24, 1000)];

describeEachDatabase('the audit trail', (fresh) => {
  it('T40 · accepts new entries and no changes, whoever writes to the database', async () => {
    const { db } = fresh;
    await write(db, 3);
    const before = await db.selectFrom('audit').selectAll().orderBy('id').execute();
    const copy = `insert into audit select * from audit where id = 2`;
    const statements = [
      `update audit set username = 'otra' where id = 1`,
      'update audit set id = id + 10',
      'delete from audit where id = 3',
      'delete from audit',
      ...(fresh.dialect === 'sqlite'
        ? [
            copy.replace('insert', 'insert or replace'),
            `${copy} on conflict (id) do update set username = 'otra'`,
          ]
        : ['truncate audit', `${copy} on conflict (id) do update set username = 'otra'`]),
    ];
    for (const statement of statements)
      await expect(sql.raw(statement).execute(db), statement).rejects.toThrow('append-only');
    expect(await db.selectFrom('audit').selectAll().orderBy('id').execute()).toEqual(before);
    expect(await verifyAuditChain(db)).toEqual({ entries: 3 });
  });

  it(`T40 · is one whole chain after ${PROCESSES * CHANGES} changes by ${PROCESSES} processes at once`, async () => {
    const { db } = fresh;
    await db.insertInto('settings').values({ key: 'counter', value: '0' }).execute();
    const children = await Promise.all(Array.from({ length: PROCESSES }, () => startChild()));
    await Promise.all(children.map((child) => child.run('count', fresh.database.url, CHANGES)));
    const { value } = await db
      .selectFrom('settings')
      .select('value')
      .where('key', '=', 'counter')
      .executeTakeFirstOrThrow();
    expect(value).toBe(String(PROCESSES * CHANGES));
    expect(await verifyAuditChain(db)).toEqual({ entries: PROCESSES * CHANGES });
    const after = await db.selectFrom('audit').select('after').orderBy('id').execute();
    expect(after.map((entry) => entry.after)).toEqual(
      Array.from({ length: PROCESSES * CHANGES }, (_, n) => JSON.stringify({ value: String(n + 1) })),
    );
  });

  it(`T40 · shows which entry was changed, for ${BYTES} of ${BYTES} single bytes`, async () => {
    const { db } = fresh;
    const ana = await addActor(db);
    const [supplierId, jobId] = [await addSupplier(db), await addJob(db)];
    const { invoice } = await createInvoice(db, ana, { supplierId, jobId, subtotalCents: 100 });
    for (let n = 0; n < 20; n++)
      await updateInvoice(db, ana, invoice.id, { comments: `Observación ${n}`, subtotalCents: 200 + n });
    await damageDatabase(fresh); // removes the triggers, as anybody with the file can
    const entries = await db.selectFrom('audit').selectAll().orderBy('id').execute();
    expect(await verifyAuditChain(db)).toEqual({ entries: entries.length });
    const random = new Random(40);
    for (let mutation = 0; mutation < BYTES; mutation++) {
      const entry = random.pick(entries);
      const column = random.pick(COLUMNS.filter((name) => entry[name] !== null && entry[name] !== ''));
      const changed = changeByte(column, entry[column], random);
      await db
        .updateTable('audit')
        .set({ [column]: changed })
        .where('id', '=', entry.id)
        .execute();
      const { broken } = await verifyAuditChain(db);
      expect(broken?.id, `${column} of ${entry.id}: ${entry[column]} → ${changed}`).toBe(entry.id);
      const at = column === 'id' ? Number(changed) : entry.id;
      await db
        .updateTable('audit')
        .set({ [column]: entry[column] })
        .where('id', '=', at)
        .execute();
    }
    expect(await verifyAuditChain(db)).toEqual({ entries: entries.length });
  });

  it('T40 · reveals a forged entry beyond its end, and a last entry that was removed', async () => {
    const { db } = fresh;
    await write(db, 4);
    const [last] = await db.selectFrom('audit').selectAll().orderBy('id', 'desc').limit(1).execute();
    const forged = { ...last!, id: 5, username: 'nadie', prevHash: last!.hash };
    await db.insertInto('audit').values(forged).execute();
    expect(await verifyAuditChain(db)).toMatchObject({ broken: { id: 5 } });
    await damageDatabase(fresh, 'delete from audit where id = 5', 'update audit_tail set "lastId" = 3');
    expect(await verifyAuditChain(db)).toMatchObject({ broken: { id: 3 } });
  });
});

const COLUMNS = [
  'id',
  'at',
  'userId',
  'username',
  'origin',
  'action',
  'entity',
  'entityId',
  'before',
  'after',
  'prevHash',
  'hash',
] as const satisfies ReadonlyArray<keyof AuditTable>;

/** Changes one byte of a text, one bit of a number, or one digit of a moment. */
function changeByte(column: string, value: string | number | null, random: Random): string | number {
  if (column === 'id') return 1000 + Number(value);
  if (typeof value === 'number') return value ^ (1 << random.int(0, 20));
  const text = String(value);
  if (column === 'at') return `${text.slice(0, -2)}${(Number(text.at(-2)) + random.int(1, 9)) % 10}Z`;
  const bytes = Buffer.from(text, 'latin1');
  const ascii = [...bytes.keys()].filter((n) => bytes[n]! >= 0x20 && bytes[n]! < 0x7f);
  const at = random.pick(ascii);
  const code = text.charCodeAt(at);
  const other = 0x20 + ((code - 0x20 + random.int(1, 94)) % 95);
  return text.slice(0, at) + String.fromCharCode(other) + text.slice(at + 1);
}

const write = async (db: Db, count: number) => {
  for (let n = 0; n < count; n++)
    await inTransaction(db, async (trx) =>
      queueAuditEntry(trx, createActor({ at: NOW }), {
        action: 'create',
        entity: 'rubros',
        entityId: n,
        after: { n },
      }),
    );
};
