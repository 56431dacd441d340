import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Db } from '../../../../db/schema.ts';
import { inTransaction } from '../../../../db/transaction.ts';
import { type AuditInput, queueAuditEntry } from '../../../../server/services/audit/audit.ts';
import { verifyAuditChain } from '../../../support/audit.ts';
import { describeEachDatabase } from '../../../support/databases.ts';
import { addRubro, createActor, NOW } from '../../../support/rows.ts';

describeEachDatabase('the audit trail', (fresh) => {
  it('records who did what, from where, when, and how it was before', async () => {
    const ana = createActor({ userId: 7, username: 'ana', origin: 'cli', osUser: 'root' });
    const note = { entity: 'rubros', before: { nombrerubro: 'Acero' }, after: { nombrerubro: 'Varilla' } };
    await write(fresh.db, { action: 'update', entityId: 3, ...note }, ana);
    const [entry, ...more] = await fresh.db.selectFrom('audit').selectAll().execute();
    expect(more).toEqual([]);
    expect(entry).toMatchObject({
      id: 1,
      at: NOW,
      userId: 7,
      username: 'ana',
      origin: 'cli:root',
      action: 'update',
      entity: 'rubros',
      entityId: '3',
      before: '{"nombrerubro":"Acero"}',
      after: '{"nombrerubro":"Varilla"}',
      prevHash: '',
    });
    expect(entry?.hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('has no entry of a change that was rolled back, and no gap', async () => {
    await write(fresh.db, NOTE);
    const failing = inTransaction(fresh.db, async (trx) => {
      queueAuditEntry(trx, createActor(), NOTE);
      await addRubro(trx);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await write(fresh.db, NOTE);
    expect(await verifyAuditChain(fresh.db)).toEqual({ entries: 2 });
  });

  it('chains the entries of one transaction in their order', async () => {
    await inTransaction(fresh.db, async (trx) => {
      for (const entityId of [1, 2, 3]) queueAuditEntry(trx, createActor(), { ...NOTE, entityId });
    });
    const entries = await fresh.db.selectFrom('audit').selectAll().orderBy('id').execute();
    expect(entries.map((entry) => entry.entityId)).toEqual(['1', '2', '3']);
    expect(entries.map((entry) => entry.prevHash)).toEqual(['', entries[0]?.hash, entries[1]?.hash]);
  });

  it('is verified page by page, however long it is', async () => {
    await inTransaction(fresh.db, async (trx) => {
      for (let i = 0; i < 4100; i++) queueAuditEntry(trx, createActor(), { ...NOTE, entityId: i });
    });
    expect(await verifyAuditChain(fresh.db)).toEqual({ entries: 4100 });
  });

  it.each([1, 2, 3])('reveals that entry %i of three is missing', async (id) => {
    for (let i = 0; i < 3; i++) await write(fresh.db, NOTE);
    await unlock();
    await fresh.db.deleteFrom('audit').where('id', '=', id).execute();
    expect(await verifyAuditChain(fresh.db)).toMatchObject({ broken: { id, problem: 'falta' } });
  });

  /** Removes the triggers, as anybody with the database file can. */
  const unlock = async () => {
    const statements =
      fresh.dialect === 'sqlite'
        ? ['DROP TRIGGER audit_no_update', 'DROP TRIGGER audit_no_delete']
        : ['ALTER TABLE audit DISABLE TRIGGER audit_locked'];
    for (const statement of statements) await sql.raw(statement).execute(fresh.db);
  };
});

const NOTE: AuditInput = { action: 'create', entity: 'rubros' };

const write = (db: Db, note: AuditInput, by = createActor()) =>
  inTransaction(db, async (trx) => queueAuditEntry(trx, by, note));
