import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { useFreshDatabase } from '../support/databases.ts';

const FILES = ['uploads', 'attachments', 'credit_notes', 'payment_receipts', 'payment_batch_files', 'mails'];
const inOrder = (table: string, column: string) =>
  `select id from ${table} order by "${column}", id limit 50`;
const since = (column: string) => `select at from signin_attempts where ${column} = ? and at > ?`;
const used = (table: string) => `delete from files where not exists
  (select 1 from ${table} where ${table}.sha256 = files.sha256)`;

/** The query that each index serves; unique indexes are rules and need none. */
const QUESTIONS: Record<string, string> = {
  sessions_user: 'select token from sessions where "userId" = ?',
  signin_attempts_account: since('account'),
  signin_attempts_address: since('address'),
  signin_attempts_name: since('name'),
  audit_entity: 'select before from audit where entity = ? and "entityId" = ? order by id desc limit 1',
  audit_user: 'select id from audit where "userId" = ? order by id desc limit 50',
  audit_at: 'select count(*) from audit where at >= ? and at < ?',
  ...Object.fromEntries(
    FILES.map((table) => [`${table}_${/_files$|^mails$/.test(table) ? 'sha256' : 'file'}`, used(table)]),
  ),
  mails_due: `select id from mails where estado = 'espera' order by proximo, id limit 1`,
  mails_supplier: 'select id from mails where "supplierId" = ? order by id desc limit 5',
  sat_documents_day: 'select * from sat_documents where fecha >= ? and fecha <= ? order by fecha, uuid',
  sat_documents_cancelled: 'select uuid from sat_documents where "canceladoVisto" is not null',
  suppliers_name: inOrder('suppliers', 'suppliernameFold'),
  suppliers_contact: inOrder('suppliers', 'suppliercontactpersonFold'),
  clients_name: inOrder('clients', 'clientnameFold'),
  jobs_title: inOrder('jobs', 'jobtitleFold'),
  rubros_name: inOrder('rubros', 'nombrerubroFold'),
  funding_sources_name: inOrder('funding_sources', 'origenderecursonombreFold'),
  supplier_accounts_clabe: 'select "supplierId" from supplier_accounts where clabe = ?',
  budget_changes_budget:
    'select "amountCents" from budget_changes where "budgetId" = ? order by id desc limit 1',
  document_relations_replaced: 'select uuid from document_relations where "replacedUuid" = ?',
  invoices_former_uuid: 'select id from invoices where "formerUuid" = ?',
  invoices_number: 'select id from invoices where "supplierId" = ? and "numfacturaKey" = ?',
  invoices_supplier: 'select id from invoices where "supplierId" = ? order by fechavencimiento, id limit 50',
  invoices_due: 'select id from invoices order by fechavencimiento, id limit 50',
  invoices_issued: 'select id from invoices order by fechaemision, id limit 50',
  invoices_job_cost: `select "rubroId", sum("subtotalCents" + "otrosimpuestosCents") from invoices
    where "jobId" = ? and fechaemision >= ? group by "rubroId"`,
  invoices_total: inOrder('invoices', 'totalCents'),
  invoices_created: 'select count(*), sum("totalCents") from invoices where "createdAt" >= ?',
  invoices_open: `select "supplierId", "totalCents" - "paidCents" from invoices
    where "paidCents" < "totalCents" and vence < ?`,
  credit_notes_number: 'select id from credit_notes where "supplierId" = ? and "numeroKey" = ?',
  credit_notes_open: `select id from credit_notes where "supplierId" = ? and "appliedCents" < "totalCents" order by id`,
  payments_invoice:
    'select sum("amountCents") from payments where "facturaproveedorId" = ? and paymentdate <= ?',
  payments_date: inOrder('payments', 'paymentdate'),
  payments_source_date:
    'select id from payments where "origenderecursoId" = ? order by paymentdate, id limit 50',
  payments_check: 'select id from payments where "checknumFold" = ?',
  payments_credit: 'select id from payments where "creditNoteId" = ?',
  payments_bank: 'select 1 from payments where "importebancoCents" is not null order by id limit 1',
  payment_receipts_day: 'select id from payment_receipts where fecha > ?',
  payment_receipt_lines_receipt: 'select id from payment_receipt_lines where "receiptId" = ?',
  payment_receipt_lines_uuid: 'select "receiptId" from payment_receipt_lines where "invoiceUuid" = ?',
  payment_receipt_lines_invoice: 'select id from payment_receipt_lines where "invoiceId" = ?',
  payment_receipt_lines_payment: 'select id from payment_receipt_lines where "paymentId" = ?',
  payment_batches_open: 'select id from payment_batches where estado = ? order by id desc limit 50',
  payment_batch_lines_invoice: 'select "batchId" from payment_batch_lines where "invoiceId" = ?',
  bank_movements_statement: 'select id from bank_movements where "statementId" = ? order by id',
  bank_movements_batch: 'select id from bank_movements where "batchId" = ? and "supplierId" = ?',
  bank_movements_day: `select id from bank_movements where "origenderecursoId" = ? and fecha >= ? order by fecha, id`,
  bank_movements_open: `select count(*) from bank_movements
    where resolution is null and outcome in ('ambiguo', 'sin-partida')`,
  bank_movement_payments_movement: 'select "paymentId" from bank_movement_payments where "movementId" = ?',
  petty_cash_replenishments_fund:
    'select id from petty_cash_replenishments where "fundId" = ? order by id desc',
  petty_cash_counts_fund: 'select id from petty_cash_counts where "fundId" = ? order by id desc',
  petty_cash_movements_date: 'select id from petty_cash_movements where "fundId" = ? order by fecha, id',
  petty_cash_movements_job: 'select sum("subtotalCents") from petty_cash_movements where "jobId" = ?',
  petty_cash_movements_rubro: 'select sum("subtotalCents") from petty_cash_movements where "rubroId" = ?',
  petty_cash_movements_replenished:
    'select sum("importeCents") from petty_cash_movements where "replenishmentId" = ?',
  petty_cash_movements_due: 'select sum("importeCents") from petty_cash_movements where "comprobarAntes" < ?',
};

describe('a new database', () => {
  const fresh = useFreshDatabase('sqlite');

  it('has an index for each of these questions, and no other index', async () => {
    const { rows: indexes } = await sql<{ name: string }>`
    select name from sqlite_master where type = 'index' and sql not like 'CREATE UNIQUE%'`.execute(fresh.db);
    expect(indexes.map(({ name }) => name).sort()).toEqual(Object.keys(QUESTIONS).sort());
    for (const [name, question] of Object.entries(QUESTIONS)) {
      const text = sql.raw(`explain query plan ${question.replaceAll('?', '1')}`);
      const { rows } = await text.execute(fresh.db);
      expect(JSON.stringify(rows), name).toContain(`INDEX ${name}`);
    }
  });

  it('has few indexes, few triggers and few searchable texts', async () => {
    const { rows } = await sql<{ indexes: number; triggers: number; searched: number; ofInvoices: number }>`
    select count(case when type = 'index' then 1 end) as indexes,
      count(case when type = 'trigger' then 1 end) as triggers,
      count(case when sql like 'CREATE VIRTUAL TABLE%' then 1 end) as searched,
      count(case when type = 'index' and tbl_name = 'invoices' then 1 end) as "ofInvoices"
    from sqlite_master`.execute(fresh.db);
    expect(rows).toEqual([{ indexes: 103, triggers: 28, searched: 2, ofInvoices: 10 }]);
  });
});
