import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '../../../../db/schema.ts';
import type { Actor } from '../../../../server/services/audit/audit.ts';
import { AUDITED_ENTITIES } from '../../../../server/services/audit/entities.ts';
import {
  REPLAY_DEFINITIONS,
  REPLAYED_ENTITIES,
} from '../../../../server/services/audit/replay-definitions.ts';
import { createRow } from '../../../../server/services/catalogs/row-changes.ts';
import { checkDatabase } from '../../../../server/services/database/check.ts';
import { importCfdi } from '../../../../server/services/documents/import.ts';
import { importTable } from '../../../../server/services/imports/import.ts';
import { createInvoice, deleteInvoice } from '../../../../server/services/invoices/invoices.ts';
import { createPayment, deletePayment } from '../../../../server/services/payments/payments.ts';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { setTemporaryPassword } from '../../../../server/services/users/passwords.ts';
import { createUser } from '../../../../server/services/users/users.ts';
import { catalogOf } from '../../../../shared/catalogs/all.ts';
import { buildCfdi, bytesOf } from '../../../support/cfdi.ts';
import { damageDatabase } from '../../../support/damage.ts';
import { DIALECTS, type FreshDatabase, openFreshDatabase } from '../../../support/databases.ts';
import { IS_LONG_LANE } from '../../../support/proofs.ts';
import { enableQuickHashes } from '../../../support/quick-crypto.ts';
import { listDifferencesFromTrail } from '../../../support/replay.ts';
import { addActor, NOW } from '../../../support/rows.ts';
import { addSmallCompany } from '../../../support/small-company.ts';
import { readLastRow, readRow } from '../../../support/stored.ts';
import { createParsedRows } from '../../../support/table-rows.ts';
import { auditAllRows } from '../../../support/vouching.ts';

enableQuickHashes();

const INVOICE = `(select id from invoices where numfactura = 'NUEVA')`;
const IMPORTED = (n: number) => `(select id from invoices where numfactura = 'T-${n}')`;
const PAYMENT = `(select id from payments where checknum = 'NUEVO')`;
const user = (name: string) => `(select id from users where username = '${name}')`;

/** Manipulations of the database, one a line: its name, the statements, the row to be reported, and the problem. */
const BY_HAND = String.raw`
a payment’s amount and its invoice’s paid sum together | update payments set "amountCents" = "amountCents" + 100 where id = ${PAYMENT}; update invoices set "paidCents" = "paidCents" + 100 where id = ${INVOICE} | payments ${PAYMENT} | ^amountCents es \$51\.00; el asiento \d+ dice \$50\.00$
a payment’s date | update payments set paymentdate = '2026-01-05' where id = 1 | payments 1 | ^paymentdate es «2026-01-05»
a payment’s source | update payments set "origenderecursoId" = 2 where id = 2 | payments 2 | ^origenderecursoId es 2;
a cheque’s number | update payments set checknum = 'CH-77', "checknumFold" = 'ch-77' where id = 3 | payments 3 | ^checknum es «CH-77»
who paid | update payments set "userId" = 2 where id = 4 | payments 4 | ^userId es 2;
a comment of a payment | update payments set comments = 'sí' where id = 5 | payments 5 | ^comments es «sí»; .* «»$
when a payment was captured | update payments set "createdAt" = '2026-01-05 18:00:00.000' where id = 6 | payments 6 | ^createdAt es
a payment that was taken away, with its part of the paid sum | update invoices set "paidCents" = 0 where id = ${IMPORTED(7)}; delete from payments where "facturaproveedorId" = ${IMPORTED(7)} | payments (select seen from seen_ids where name = 'pago') | ^falta: el asiento \d+ dice que está$
a deleted payment that is back | insert into payments (id, "facturaproveedorId", checknum, "checknumFold", paymentdate, "amountCents", comments, "userId", "createdAt", "updatedAt") values ((select seen from seen_ids where name = 'eliminado'), ${INVOICE}, '', '', '2026-11-20', 1, '', 1, '${NOW}', '${NOW}'); update invoices set "paidCents" = "paidCents" + 1 where id = ${INVOICE} | payments (select seen from seen_ids where name = 'eliminado') | ^está, y el asiento \d+ dice que se eliminó$
an invoice’s supplier | update invoices set "supplierId" = 2 where id = 1 | invoices 1 | ^supplierId es 2; el asiento \d+ dice 1$
an invoice’s obra | update invoices set "jobId" = 2 where id = 3 | invoices 3 | ^jobId es 2; .* 1$
an invoice’s rubro | update invoices set "rubroId" = null where id = 5 | invoices 5 | ^rubroId es nada; .* 1$
an invoice’s amounts, all of them in step | update invoices set "subtotalCents" = 100000, "ivaCents" = 16000, "totalCents" = 116000 where id = 6 | invoices 6 | ^totalCents es \$1,160\.00; el asiento \d+ dice
an invoice’s issue date | update invoices set fechaemision = '2026-11-03', vence = '2026-11-03' where id = 7 | invoices 7 | ^fechaemision es «2026-11-03»
an invoice’s number | update invoices set numfactura = 'Z-1', "numfacturaFold" = 'z-1', "numfacturaKey" = 'z1' where id = 8 | invoices 8 | ^numfactura es «Z-1»
who captured an invoice | update invoices set "userId" = 2 where id = ${INVOICE} | invoices ${INVOICE} | ^userId es 2;
a captured invoice’s version | update invoices set version = 9 where id = 2 | invoices 2 | ^version es 9;
an invoice that nobody captured | insert into invoices (id, "supplierId", "jobId", numfactura, "numfacturaFold", "numfacturaKey", "subtotalCents", tasa, "ivaCents", "totalCents", comments, "userId", "createdAt", "updatedAt", vence, fechacaptura) values (90000, 1, 1, 'X', 'x', 'x', 100, 0, 0, 100, '', 1, '${NOW}', '${NOW}', '2026-11-20', '2026-11-20') | invoices 90000 | ^la bitácora no dice que alguien lo capturara$
an invoice that was taken away | delete from invoices where id = ${IMPORTED(9)} | invoices (select seen from seen_ids where name = 'factura') | ^falta:
an imported invoice’s supplier | update invoices set "supplierId" = 2 where id = ${IMPORTED(11)} | invoices ${IMPORTED(11)} | ^supplierId es 2; el asiento \d+ dice 1$
an imported invoice’s comments | update invoices set comments = 'x' where id = ${IMPORTED(12)} | invoices ${IMPORTED(12)} | ^comments es «x»
what a CFDI says | update cfdi_documents set detail = '{}' | invoices (select "invoiceId" from cfdi_documents) | ^cfdi-documents: detail es «{}»
a UUID | update invoices set uuid = 'AAAAAAAA-1111-4222-8333-BBBBBBBBBBBC' where uuid is not null | invoices (select "invoiceId" from cfdi_documents) | ^uuid es
a file’s name | update attachments set filename = 'otra.pdf' where id = 1 | attachments 1 | ^filename es «otra\.pdf»
a file’s bytes | update files set bytes = $1 where sha256 = (select sha256 from attachments where id = 1) | files (select sha256 from attachments where id = 1) | bytes
a supplier’s RFC | update suppliers set rfc = 'AAA010101AAA' where id = 1 | suppliers 1 | ^rfc es «AAA010101AAA»; .* nada$
a supplier’s days of credit | update suppliers set diascredito = 30 where id = (select max(id) from suppliers) | suppliers (select max(id) from suppliers) | ^diascredito es 30; .* 0$
an obra’s client | update jobs set "clientId" = 2 where id = 1 | jobs 1 | ^clientId es 2; .* 1$
a credit note’s total | update credit_notes set "totalCents" = "totalCents" + 1 where id = 1 | credit-notes 1 | ^totalCents es
a budget, and its history with it | update budgets set "amountCents" = 1 where id = 1; update budget_changes set "amountCents" = 1 where "budgetId" = 1 | budgets 1 | ^budget-changes \d+: amountCents es \$0\.01;
why a budget is what it is | update budget_changes set motivo = 'Porque sí' where "budgetId" = 2 | budgets 2 | motivo es «Porque sí»
what is in a petty cash | update petty_cash_funds set "topeCents" = 7 where id = 1 | petty-cash-funds 1 | ^topeCents es \$0\.07;
what came out of it | update petty_cash_movements set "importeCents" = 7, "subtotalCents" = 7 where id = 1 | petty-cash-movements 1 | importeCents es \$0\.07;
what a batch pays | update payment_batch_lines set "amountCents" = 7 where "batchId" = 2 and "invoiceId" = 2 | payment-batches 2 | ^payment-batch-lines \d+: amountCents es \$0\.07;
who signed a batch | delete from payment_batch_signatures where "batchId" = 2 | payment-batches 2 | ^payment-batch-signatures \d+: falta:
a batch’s source | update payment_batches set "origenderecursoId" = 2 where id = 1 | payment-batches 1 | ^origenderecursoId es 2;
a role given | insert into user_roles ("userId", "roleId") values (${user('eva')}, 3) | users ${user('eva')} | ^user-roles rol 3: está de más
a password replaced | update accounts set password = (select password from accounts where "userId" = ${user('eva')}) where "userId" = ${user('luz')} | users ${user('luz')} | ^accounts \d+: password 
a user let in again | update users set active = 0 where id = ${user('noe')} | users ${user('noe')} | ^active es 0; .* 1$
the closing date | update settings set value = '2020-01-01' where key = 'cierre' | settings cierre | ^value es «2020-01-01»; .* «2024-01-31»$
where an import came from | update imports set source = 'otra.csv' where id = 1 | imports 1 | ^source es «otra\.csv»
`
  .trim()
  .split('\n')
  .map((line) => line.split(' | ') as [what: string, statements: string, row: string, said: string]);

const dialects = IS_LONG_LANE ? DIALECTS : (['sqlite'] as const);

describe.each(dialects)('the deep check (%s)', (dialect) => {
  let database: FreshDatabase;
  let db: Db;
  beforeAll(async () => {
    database = await openFreshDatabase(dialect);
    ({ db } = database);
    await fill(db);
  });
  afterAll(() => database.close());

  it('finds nothing if everything stored has its entry', async () => {
    expect(await listDifferencesFromTrail(db)).toEqual([]);
    const { checks } = await checkDatabase(db, { deep: true });
    expect(checks.flatMap(({ problems }) => problems)).toEqual([]);
  });

  it(`names ${BY_HAND.length} changes made by hand, with the value in the trail and the stored one`, async () => {
    const fresh = { dialect, db, database } as Parameters<typeof damageDatabase>[0];
    await damageDatabase(fresh, ...(await seenIds(db)));
    await damageDatabase(
      fresh,
      ...BY_HAND.flatMap(([, statements]) => statements.split('; ')).map((text) =>
        text.replace('$1', dialect === 'sqlite' ? "x'00'" : "'\\x00'"),
      ),
    );
    const { checks } = await checkDatabase(db, { deep: true });
    const problems = checks.flatMap((check) =>
      ['replay', 'files'].includes(check.name) ? check.problems : [],
    );
    const missed: string[] = [];
    const named = new Set<unknown>();
    for (const [what, , row, message] of BY_HAND) {
      const [entity, ...rest] = row.split(' ');
      const { rows } = await sql<{
        id: string;
      }>`select ${sql.raw(rest[0]!.startsWith('(') ? rest.join(' ') : `'${rest[0]}'`)} as id`.execute(db);
      const found = problems.filter((one) => one.entity === entity && String(one.id) === String(rows[0]!.id));
      for (const one of found) named.add(one);
      if (!found.some(({ problem }) => new RegExp(message).test(problem)))
        missed.push(`${what}: ${found.map(({ problem }) => problem).join('; ')}`);
    }
    expect(missed).toEqual([]);
    expect(problems.filter((one) => !named.has(one))).toEqual([]);
  });

  it('names an entry whose archived rows have another list, table, ids or digest', async () => {
    const fresh = { dialect, db, database } as Parameters<typeof damageDatabase>[0];
    const changes = {
      entity: `'clients'`,
      table: `'clients'`,
      sha256: `'x'`,
      firstId: '"firstId" - 1',
      lastId: '"lastId" + 1',
    };
    const stored = await db
      .selectFrom('audit_rows')
      .selectAll()
      .where('lastId', '>', 0)
      .orderBy('id')
      .execute();
    const parts = REPLAYED_ENTITIES.filter(({ entity }) => entity !== 'clients').flatMap(
      ({ entity, tables: [{ table }] }) =>
        stored.filter((part) => part.entity === entity && part.table === table).slice(0, 1),
    );
    const ofTable = dialect === 'sqlite' ? '' : ' on audit_rows';
    await damageDatabase(
      fresh,
      `drop trigger if exists audit_rows_no_update${ofTable}`,
      ...Object.entries(changes).map(
        ([column, value], n) => `update audit_rows set "${column}" = ${value} where id = ${parts[n]!.id}`,
      ),
    );
    const { checks } = await checkDatabase(db, { deep: true });
    const problems = checks.flatMap((check) => check.problems).map(({ problem }) => problem);
    for (const { id, entity, table, sha256, firstId, lastId } of parts.slice(0, 5)) {
      expect(problems.some((text) => text.includes(`(parte ${id})`))).toBe(true);
      await db
        .updateTable('audit_rows')
        .set({ entity, table, sha256, firstId, lastId })
        .where('id', '=', id)
        .execute();
    }
  });

  it('names the entry whose own rows were changed, and one that was rewritten', async () => {
    const fresh = { dialect, db, database } as Parameters<typeof damageDatabase>[0];
    const part = await db
      .selectFrom('audit_rows')
      .select('id')
      .where('entity', '=', 'payments')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    const { id } = await db
      .selectFrom('audit')
      .select('id')
      .where('stored', 'like', `%[${part.id},%`)
      .executeTakeFirstOrThrow();
    const byte = dialect === 'sqlite' ? "x'78'" : "'\\x78'";
    await damageDatabase(
      fresh,
      'drop trigger if exists audit_rows_no_update'.concat(dialect === 'sqlite' ? '' : ' on audit_rows'),
      `update audit_rows set rows = ${byte} where id = ${part.id}`,
      `update audit set username = 'otra' where id = 3`,
    );
    const { checks } = await checkDatabase(db, { deep: true });
    const problems = checks.flatMap((check) => check.problems).filter(({ entity }) => entity === 'audit');
    expect(problems).toEqual([
      { entity: 'audit', id: 3, problem: 'su contenido cambió' },
      {
        entity: 'audit',
        id,
        problem: `los registros que guardó (parte ${part.id}) cambiaron o faltan`,
      },
    ]);
  });
});

describe.each(dialects)('a list that was deleted by hand (%s)', (dialect) => {
  it('has each of its rows named once, however many there were', async () => {
    const { db, close } = await openFreshDatabase(dialect);
    const entries = Array.from({ length: 2100 }, (_, n) => ({
      ...{
        id: 100 + n,
        at: NOW,
        userId: null,
        username: 'ana',
        origin: '',
        action: 'create',
        entity: 'rubros',
      },
      ...{ entityId: String(n + 1), after: JSON.stringify({ id: n + 1 }), prevHash: '', hash: '' },
      stored: JSON.stringify({ rows: { rubros: [{}] } }),
    }));
    await db.insertInto('audit').values(entries).execute();
    const message = entries.map(
      ({ id, entityId }) => `rubros ${entityId}: falta: el asiento ${id} dice que está`,
    );
    expect((await listDifferencesFromTrail(db)).sort()).toEqual(message.sort());
    await close();
  });
});

/** Stores fixtures with audit entries, then rows through the application. */
async function fill(db: Db): Promise<void> {
  await addSmallCompany(db);
  const ana = await addActor(db);
  await auditAllRows(db, ana);
  const people = { userfirstname: 'Eva', userlastname: 'Luna', roles: [4] };
  for (const username of ['eva', 'luz', 'noe'])
    await createUser(db, ana, { ...people, username, password: `cimbra y andamio ${username}` });
  await setTemporaryPassword(db, ana, (await idOf(db, 'luz')).id, 'ladrillo rojo 77');
  await createRow(db, ana, catalogOf('suppliers'), {
    suppliername: 'Cementos',
    suppliercontactperson: 'Leo',
    suppliercontactphone: '5550001001',
    suppliercontactemail: 'a@b.mx',
  });
  const { invoice } = await createInvoice(db, ana, {
    supplierId: 1,
    jobId: 1,
    numfactura: 'NUEVA',
    subtotalCents: 100_000,
  });
  const paying = { facturaproveedorId: invoice.id, amountCents: 5_000 };
  await createPayment(db, ana, { ...paying, checknum: 'NUEVO' });
  const { payment: gone } = await createPayment(db, ana, paying);
  await deletePayment(db, ana, gone.id);
  const { invoice: other } = await createInvoice(db, ana, { supplierId: 2, jobId: 1, subtotalCents: 100 });
  await deleteInvoice(db, ana, other.id);
  await changeSetting(db, ana, 'cierre', '2024-01-31');
  await importAll(db, ana);
}

async function importAll(db: Db, ana: Actor): Promise<void> {
  const source = { source: 'x.csv', sha256: 'a'.repeat(64) };
  const supplier = await readRow(db, 'suppliers', { id: 1 }, ['suppliername']);
  const numbers = Array.from({ length: 600 }, (_, n) => `T-${n}`);
  const rows = numbers.map((numfactura) => ({
    suppliername: supplier.suppliername,
    jobtitle: 'Torre Roble',
    numfactura,
    subtotal: '100',
    total: '116',
    fechaemision: '2026-11-02',
  }));
  expect(await importTable(db, ana, 'invoices', createParsedRows(rows), source)).toMatchObject({
    created: 600,
  });
  const paid = numbers.slice(0, 150).map((numfactura) => ({
    suppliername: supplier.suppliername,
    numfactura,
    paymentamount: '10',
    paymentdate: '2026-11-10',
  }));
  expect(await importTable(db, ana, 'payments', createParsedRows(paid), source)).toMatchObject({
    created: 150,
  });
  const files = [{ name: 'a.xml', bytes: bytesOf(buildCfdi()) }];
  const loaded = await importCfdi(db, ana, files, { jobId: 1, createSuppliers: true });
  expect(loaded).toMatchObject({ created: 1 });
}

const idOf = (db: Db, username: string) =>
  db.selectFrom('users').select('id').where('username', '=', username).executeTakeFirstOrThrow();

/** Ids of rows that a manipulation deletes. */
async function seenIds(db: Db): Promise<string[]> {
  const gone = await readLastRow(db, 'audit', { entity: 'payments', action: 'delete' }, ['entityId']);
  return [
    'create table seen_ids (name text, seen bigint)'.replace('bigint', 'integer'),
    `insert into seen_ids select 'pago', id from payments where "facturaproveedorId" = ${IMPORTED(7)}`,
    `insert into seen_ids select 'factura', id from invoices where id = (select max(id) from invoices where numfactura = 'T-9')`,
    `insert into seen_ids values ('eliminado', ${gone.entityId})`,
  ];
}

describe('the replay of the audit trail', () => {
  it('is defined for every entity that has entries', () => {
    expect(AUDITED_ENTITIES.filter((entity) => !Object.hasOwn(REPLAY_DEFINITIONS, entity))).toEqual([]);
    const without = AUDITED_ENTITIES.filter((entity) => REPLAY_DEFINITIONS[entity] === 'no rows');
    expect(without).toEqual(['document-relations', 'sat-documents', 'sat-69b', 'database']);
    // Import records are replayed too, though they are no entity.
    expect(REPLAYED_ENTITIES.length).toBe(AUDITED_ENTITIES.length - without.length + 1);
  });
});
