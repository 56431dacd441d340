import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isMigrated, migrate, migrations, requireMigrated } from '../../db/migrate.ts';
import type { Migration } from '../../db/migrations/migration.ts';
import { type OpenDatabase, openDatabase } from '../../db/open.ts';
import type { Trx } from '../../db/schema.ts';
import { storeFile } from '../../server/services/files.ts';
import { LATER_MIGRATION } from '../support/child.ts';
import { startChild } from '../support/children.ts';
import {
  DIALECTS,
  describeEachDatabase,
  newDatabaseUrl,
  openUnmigratedDatabase,
  useFreshDatabase,
} from '../support/databases.ts';
import { temporaryFolder } from '../support/folder.ts';
import { readPortable } from '../support/portable.ts';
import { chooseRunCount, describeEachInLongLane, IS_LONG_LANE } from '../support/proofs.ts';
import {
  addActor,
  addFundingSource,
  addInvoice,
  addPayment,
  addSession,
  addSupplier,
  TODAY,
} from '../support/rows.ts';
import { hasTableStatistics } from '../support/swept.ts';

const names = migrations.map(({ name }) => name);

describe.each(DIALECTS)('a database that is still empty (%s)', (dialect) => {
  it('gets the whole schema at the first start, and nothing at the second', async () => {
    const database = await openUnmigratedDatabase(dialect);
    expect(await migrate(database)).toEqual(names);
    expect(await isMigrated(database.db)).toBe(true);
    expect(await migrate(database)).toEqual([]);
    expect(await database.db.selectFrom('roles').select('id').orderBy('id').execute()).toHaveLength(6);
    await database.close();
  });

  it.runIf(IS_LONG_LANE)(
    'is migrated by one of two processes that start at once, and gets one administrator',
    async () => {
      const children = [await startChild(), await startChild()];
      for (let round = 0; round < 12; round++) {
        const url = await newDatabaseUrl(dialect);
        const outcomes = await Promise.all(children.map((child) => child.run('start', url)));
        expect(outcomes.flatMap(({ ran }) => ran)).toEqual(names);
        expect(outcomes.flatMap(({ administrator }) => administrator ?? [])).toEqual(['admin@saldo.test']);
      }
    },
  );

  it('stays as it was if a migration fails half-way, at whatever statement', async () => {
    const database = await openUnmigratedDatabase(dialect);
    const statements = await countStatements(database);
    expect(statements).toBeGreaterThan(50);
    const step = dialect === 'sqlite' ? chooseRunCount(14, 1) : chooseRunCount(90, 9);
    for (let failing = 0; failing < statements; failing += step) {
      await expect(migrate(database, [failAt(failing)])).rejects.toThrow('power cut');
      expect(await tablesOf(database)).toEqual([]);
      expect(await isMigrated(database.db)).toBe(false);
    }
    expect(await migrate(database)).toEqual(names);
    await database.close();
  });
});

describeEachDatabase('a migrated database', (fresh) => {
  it('is refused by an older program', async () => {
    const row = { name: '9999-futuro', appliedAt: '2030-01-01T00:00:00.000Z' };
    await fresh.db.insertInto('schema_migrations').values(row).execute();
    await expect(migrate(fresh.database)).rejects.toThrow('versión más nueva de Saldo (9999-futuro)');
    expect(await isMigrated(fresh.db)).toBe(false);
  });
});

describeEachInLongLane('a migrated database', (fresh) => {
  it.runIf(IS_LONG_LANE)('gets a later migration once if two processes start at once', async () => {
    const { url } = fresh.database;
    const folder = newFolder();
    const children = [await startChild(), await startChild()];
    const ran = await Promise.all(children.map((child) => child.run('migrateFurther', url, folder)));
    expect(ran.flat()).toEqual([LATER_MIGRATION.name]);
    expect(copiesIn(folder)).toHaveLength(1);
  });
});

describe.each(DIALECTS)('a database of 1.0 (%s)', (dialect) => {
  it('derives from its documents which of them name which', async () => {
    const database = await openUnmigratedDatabase(dialect);
    await migrate(database, migrations.slice(0, 1));
    const { db } = database;
    const detail = (row: object) =>
      JSON.stringify({ emisor: { rfc: 'CVI100512AB1', nombre: '' }, fecha: '2026-11-20', ...row });
    const stored = [detail({ replaces: ['u-0'] }), detail({}), '{}'];
    for (const [index, row] of stored.entries()) {
      const invoiceId = await addInvoice(db, { numfactura: `A-${index}`, uuid: `U-${index + 1}` });
      const document = { invoiceId, version: '4.0', moneda: 'MXN', tipocambio: null, detail: row };
      await db.insertInto('cfdi_documents').values(document).execute();
    }
    await migrate(database, migrations, { dataFolder: newFolder() });
    expect(await db.selectFrom('document_relations').selectAll().execute()).toEqual([
      {
        ...{ uuid: 'U-1', replacedUuid: 'U-0', kind: 'I', numero: 'A-0', rfc: 'CVI100512AB1' },
      },
    ]);
    await database.close();
  });
});

describe.each(DIALECTS)('a database from before regimes were kept (%s)', (dialect) => {
  it('reads that of each supplier from the XML of its latest document, if that says it', async () => {
    const database = await openUnmigratedDatabase(dialect);
    await migrate(database, migrations.slice(0, names.indexOf('0013-regimes')));
    const { db } = database;
    const [said, unsaid, bare] = [await addSupplier(db), await addSupplier(db), await addSupplier(db)];
    const xmlOf = (regime: string) =>
      `<cfdi:Emisor Rfc="X" ${regime}/><Receptor RegimenFiscalReceptor="601"/>`;
    const stored: [supplierId: number, fecha: string, xml: string | undefined][] = [
      [said, '2026-03-05', xmlOf('RegimenFiscal="612"')],
      [said, '2026-09-05', xmlOf('RegimenFiscal="626"')],
      [said, '2026-11-05', undefined],
      [unsaid, '2026-03-05', xmlOf('RegimenFiscal="612"')],
      [unsaid, '2026-09-05', xmlOf('RegimenFiscal="PM"')],
    ];
    for (const [index, [supplierId, fecha, xml]] of stored.entries()) {
      const sha256 = xml && (await storeFile(db as Trx, Buffer.from(xml), '2026-11-20T12:00:00.000Z'));
      const invoiceId = await addInvoice(db, { supplierId, numfactura: `A-${index}` });
      const detail = JSON.stringify({ fecha, sha256: sha256 ?? 'none' });
      const document = { invoiceId, version: '4.0', moneda: 'MXN', tipocambio: null, detail };
      await db.insertInto('cfdi_documents').values(document).execute();
    }
    await migrate(database, migrations, { dataFolder: newFolder() });
    const columns = ['id', 'regimenFiscal', 'regimenFecha'] as const;
    expect(await db.selectFrom('suppliers').select(columns).orderBy('id').execute()).toEqual([
      { id: said, regimenFiscal: '626', regimenFecha: '2026-09-05' },
      { id: unsaid, regimenFiscal: null, regimenFecha: null },
      { id: bare, regimenFiscal: null, regimenFecha: null },
    ]);
    await database.close();
  });
});

/** Batch lines before the migration, by their transfers, and the bank's outcome for each. */
const transfers: Record<
  string,
  { lines: Line[]; movements: [outcome: 'pagado' | 'devuelto', cents: number][] }
> = {
  'of one line': { lines: [{ cents: 500, paid: true, by: 0 }], movements: [['pagado', -500]] },
  'of two lines': {
    lines: [
      { cents: 300, paid: true, by: 0 },
      { cents: 200, paid: true, by: 0 },
    ],
    movements: [['pagado', -500]],
  },
  'sent back': {
    lines: [{ cents: 500, paid: false }],
    movements: [
      ['pagado', -500],
      ['devuelto', 500],
    ],
  },
  'sent back, and paid by hand then': {
    lines: [{ cents: 500, paid: true }],
    movements: [
      ['pagado', -500],
      ['devuelto', 500],
    ],
  },
  'sent back, and paid again': {
    lines: [{ cents: 500, paid: true, by: 2 }],
    movements: [
      ['pagado', -500],
      ['devuelto', 500],
      ['pagado', -500],
    ],
  },
  'refused by the bank': {
    lines: [{ cents: 500, paid: true, isRefused: true }],
    movements: [['pagado', -500]],
  },
  'of another amount': { lines: [{ cents: 500, paid: true }], movements: [['pagado', -400]] },
  'that is not paid in part': {
    lines: [
      { cents: 300, paid: true, by: 0 },
      { cents: 200, paid: false },
    ],
    movements: [['pagado', -300]],
  },
  'without a movement': { lines: [{ cents: 500, paid: true }], movements: [] },
};

interface Line {
  cents: number;
  paid: boolean;
  isRefused?: true;
  /** index of its movement among those of the transfer */
  by?: number;
}

describe.each(DIALECTS)('a batch of 1.0 (%s)', (dialect) => {
  it('records which bank movement has paid each of its lines', async () => {
    const database = await openUnmigratedDatabase(dialect);
    await migrate(database, migrations.slice(0, 1));
    const { db } = database;
    const { userId, at } = await addActor(db);
    const origenderecursoId = await addFundingSource(db);
    const insert = async (table: string, row: object) =>
      (
        await db
          .insertInto(table as 'bank_movements')
          .values(row as never)
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id;
    const changed = { createdAt: at, updatedAt: at };
    const sent = { estado: 'enviada', sentBy: userId, sentOn: TODAY, comments: '', fecha: TODAY };
    const batch = { ...sent, ...changed, origenderecursoId, createdBy: userId, editedBy: userId };
    const batchId = await insert('payment_batches', batch);
    const file = { filename: 'n.csv', layout: 'csv', sha256: 'a'.repeat(64), userId, createdAt: at };
    const statementId = await insert('bank_statements', { ...file, origenderecursoId });
    const expected: [number, number | null][] = [];
    for (const [name, { lines, movements }] of Object.entries(transfers)) {
      const supplierId = await addSupplier(db);
      const ids: number[] = [];
      for (const [index, [outcome, amountCents]] of movements.entries())
        ids.push(
          await insert('bank_movements', {
            ...{ statementId, origenderecursoId, batchId, supplierId, outcome, amountCents, fecha: TODAY },
            ...{ referencia: '', descripcion: '', identity: `${name} ${index}` },
          }),
        );
      for (const { cents: amountCents, paid, isRefused, by } of lines) {
        const invoiceId = await addInvoice(db, { supplierId });
        const payment = { facturaproveedorId: invoiceId, amountCents, userId };
        const paymentId = paid ? await addPayment(db, payment) : null;
        const line = { batchId, invoiceId, supplierId, amountCents, paymentId, verdict: '{}' };
        const id = await insert('payment_batch_lines', { ...line, refusedAt: isRefused ? at : null });
        expected.push([id, by === undefined ? null : ids[by]!]);
      }
    }
    await migrate(database, migrations, { dataFolder: newFolder() });
    const found = await db
      .selectFrom('payment_batch_lines')
      .select(['id', 'movementId'])
      .orderBy('id')
      .execute();
    expect(found.map(({ id, movementId }) => [id, movementId])).toEqual(expected);
    await database.close();
  });
});

describe('a database file', () => {
  it('is copied, readable by its owner alone, before a later migration changes it', async () => {
    const database = await openUnmigratedDatabase('sqlite');
    await migrate(database);
    expect(copies(database)).toEqual([]);
    await database.db.insertInto('settings').values({ key: 'empresa', value: 'Obras, S.A.' }).execute();
    await migrate(database, [...migrations, LATER_MIGRATION]);
    expect(await tablesOf(database)).toContain('later');

    const [copy = '', ...more] = copies(database);
    expect(more).toEqual([]);
    expect(copy).toBe('saldo-antes-de-9000-prueba.db');
    const file = join(dirname(database.file!), 'backups', copy);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
    const before = openDatabase(`file:${file}`, { root: '/', createIfMissing: false });
    expect(await tablesOf(before)).not.toContain('later');
    expect(await before.db.selectFrom('settings').select('value').execute()).toEqual([
      { value: 'Obras, S.A.' },
    ]);
    expect((await sql`PRAGMA integrity_check`.execute(before.db)).rows).toEqual([{ integrity_check: 'ok' }]);
    await before.close();
    await database.close();
  });

  it('stays as it was if a later migration fails, and is migrated at the next start', async () => {
    const database = await openUnmigratedDatabase('sqlite');
    await migrate(database);
    await database.db.insertInto('settings').values({ key: 'empresa', value: 'Obras, S.A.' }).execute();
    const failing: Migration = {
      ...LATER_MIGRATION,
      async up(...given) {
        await LATER_MIGRATION.up(...given);
        throw new Error('power cut');
      },
    };
    await expect(migrate(database, [...migrations, failing])).rejects.toThrow('power cut');
    expect(await tablesOf(database)).not.toContain('later');
    expect(await database.db.selectFrom('settings').selectAll().execute()).toHaveLength(1);
    expect(await migrate(database, [...migrations, LATER_MIGRATION])).toEqual([LATER_MIGRATION.name]);
    expect(copies(database)).toEqual(['saldo-antes-de-9000-prueba.db']);
    await database.close();
  });
});

describeEachDatabase('a database from before 1.0', (fresh) => {
  it('is refused with a message that says how to move its data', async () => {
    const row = { name: '0001-initial', appliedAt: '2026-01-01T00:00:00.000Z' };
    await fresh.db.updateTable('schema_migrations').set(row).where('name', '=', '0001-baseline').execute();
    const refused = { kind: 'conflict', remedy: 'bring-over' };
    await expect(migrate(fresh.database)).rejects.toMatchObject(refused);
    await expect(requireMigrated(fresh.db)).rejects.toMatchObject(refused);
  });
});

describe('a PostgreSQL database', () => {
  const fresh = useFreshDatabase('postgres');

  it('is copied, readable by its owner alone and without sessions, before a later migration changes it', async () => {
    const folder = newFolder();
    const { userId } = await addActor(fresh.db);
    await addSession(fresh.db, userId);
    await fresh.db.insertInto('settings').values({ key: 'empresa', value: 'Obras, S.A.' }).execute();
    const steps: [fraction: number, text: string][] = [];
    const report = (fraction: number, text: string) => steps.push([fraction, text]);
    await migrate(fresh.database, [...migrations, LATER_MIGRATION], { dataFolder: folder, report });
    expect(steps).toEqual([
      [0, 'copia'],
      [0.3, LATER_MIGRATION.name],
    ]);
    expect(await hasTableStatistics(fresh.db, 'users')).toBe(true);

    const [copy = '', ...more] = copiesIn(folder);
    expect(more).toEqual([]);
    expect(copy).toMatch(/^prueba_\w+-antes-de-9000-prueba\.zip$/);
    const file = join(folder, 'backups', copy);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
    const { rows } = await readPortable(file);
    expect(rows.settings).toEqual([{ key: 'empresa', value: 'Obras, S.A.' }]);
    expect(rows.users).toHaveLength(1);
    expect(rows.sessions).toBeUndefined();
    expect(rows.later).toBeUndefined();
  });

  it('accepts no write between the copy and the migration, which would be in neither', async () => {
    const other = fresh.database.openAgain();
    const attempt = () =>
      other.db.transaction().execute(async (trx) => {
        await sql`SET LOCAL lock_timeout = '100ms'`.execute(trx);
        await trx.insertInto('settings').values({ key: 'late', value: '1' }).execute();
      });
    const meeting: Migration = {
      ...LATER_MIGRATION,
      async up(run) {
        await expect(attempt()).rejects.toThrow('lock timeout');
        await run('CREATE TABLE later (id integer PRIMARY KEY)');
      },
    };
    await migrate(fresh.database, [...migrations, meeting], { dataFolder: newFolder() });
    await attempt();
    expect(await fresh.db.selectFrom('settings').select('key').execute()).toEqual([{ key: 'late' }]);
  });

  it('is not migrated if no copy can be kept', async () => {
    const list = [...migrations, LATER_MIGRATION];
    await expect(migrate(fresh.database, list)).rejects.toThrow('no data folder');
    await expect(migrate(fresh.database, list, { dataFolder: '/dev/null/x' })).rejects.toThrow('ENOTDIR');
    expect(await tablesOf(fresh.database)).not.toContain('later');
    expect(await migrate(fresh.database, list, { dataFolder: newFolder() })).toEqual([LATER_MIGRATION.name]);
  });
});

function newFolder(): string {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  return folder;
}

async function countStatements({ dialect }: OpenDatabase): Promise<number> {
  let count = 0;
  const counting = async () => void count++;
  await migrations[0]!.up(counting, dialect);
  return count;
}

function failAt(failing: number): Migration {
  const initial = migrations[0]!;
  return {
    name: initial.name,
    async up(run, ...given) {
      let count = 0;
      const failingRun = async (statement: string) => {
        if (count++ === failing) throw new Error('power cut');
        await run(statement);
      };
      await initial.up(failingRun, ...given);
    },
  };
}

async function tablesOf({ db, dialect }: OpenDatabase): Promise<string[]> {
  const tables =
    dialect === 'sqlite'
      ? sql<{
          name: string;
        }>`select name from sqlite_master where name not like 'sqlite\\_%' escape '\\' order by name`
      : sql<{ name: string }>`select table_name as name from information_schema.tables
          where table_schema = 'public' order by table_name`;
  return (await tables.execute(db)).rows.map((row) => row.name);
}

const copies = ({ file }: OpenDatabase): string[] => copiesIn(dirname(file!));

function copiesIn(folder: string): string[] {
  return existsSync(join(folder, 'backups')) ? readdirSync(join(folder, 'backups')) : [];
}
