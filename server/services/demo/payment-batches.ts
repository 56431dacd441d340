import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Trx } from '../../../db/schema.ts';
import { fundingSources } from '../../../shared/catalogs/funding-sources.ts';
import { addDays, HOME_ZONE, type PlainDate } from '../../../shared/dates.ts';
import { type FullBatch, isHeldLine } from '../../../shared/payment-batches.ts';
import type { Actor } from '../audit/audit.ts';
import { downloadFile, generateFileAndMarkSent } from '../bank-files/files.ts';
import { buildBankOrder } from '../bank-files/transfers.ts';
import { importBankStatement } from '../bank-statements/import-statement.ts';
import { resolveMovement } from '../bank-statements/resolving.ts';
import { updateRow } from '../catalogs/row-changes.ts';
import { payBatch } from '../payment-batches/paying.ts';
import { createBatch } from '../payment-batches/payment-batches.ts';
import { getBatch } from '../payment-batches/reading.ts';
import { permitLine, signBatch } from '../payment-batches/stages.ts';
import { createPayment } from '../payments/payments.ts';
import { updateAccount } from '../supplier-accounts/accounts.ts';
import type { DemoActorsByName } from './people.ts';
import { importCompanyTable } from './tables.ts';

/**
 * Adds one batch in each state. In the paid one an invoice is held, since it was partly paid by hand. Of the sent one's two
 * files the bank has only the first.
 */
export async function addBatches(
  trx: Trx,
  { gerardo: author, teresa: chief }: DemoActorsByName,
): Promise<void> {
  const { today } = author;
  const source = await trx.selectFrom('funding_sources').select('id').orderBy('id').executeTakeFirstOrThrow();
  const { rows } = await sql<{ id: number; supplierId: number }>`select id, "supplierId" from invoices
    where "totalCents" > "paidCents" and moneda is null order by vence, id limit ${LINES_PER_BATCH * 4}`.execute(
    trx,
  );
  const sooner = new Set(rows.slice(0, LINES_PER_BATCH * 3).map(({ supplierId }) => supplierId));
  const [changed, unconfirmed] = new Set(
    rows.flatMap(({ supplierId }) => (sooner.has(supplierId) ? [] : supplierId)),
  );
  await addSupplierAccounts(trx, { author, chief }, { changed, unconfirmed });
  await updateRow(trx, chief, fundingSources, source.id, { clabe: '012180000100079195' });
  const createDemoBatch = (part: number, fecha: PlainDate, comments: string): Promise<FullBatch> => {
    const lines = rows
      .slice(part * LINES_PER_BATCH, (part + 1) * LINES_PER_BATCH)
      .map(({ id }) => ({ invoiceId: id }));
    return createBatch(trx, author, { fecha, origenderecursoId: source.id, comments, lines });
  };
  const paid = await createDemoBatch(0, addDays(today, -1), 'Pagos de la semana');
  await signBatch(trx, chief, paid.id);
  await createPayment(trx, author, {
    facturaproveedorId: paid.lines.at(-1)!.invoiceId,
    origenderecursoId: source.id,
    amountCents: 100_000,
    comments: 'Anticipo en efectivo',
  });
  await payBatch(trx, chief, paid.id, { cheque: '002101' });
  const sent = await createDemoBatch(1, today, 'Transferencias del día');
  await signBatch(trx, chief, sent.id);
  const heldLine = sent.lines.find(isHeldLine);
  if (heldLine) {
    const reason = 'El proveedor manda su REP esta semana';
    await permitLine(trx, chief, sent.id, { invoiceId: heldLine.invoiceId, reason });
  }
  const { file } = await generateFileAndMarkSent(trx, chief, sent.id, { layout: 'bbva-mismo-banco' });
  await downloadFile(trx, chief, { batchId: sent.id, fileId: file.id }, HOME_ZONE);
  await generateFileAndMarkSent(trx, chief, sent.id, { layout: 'bbva-spei' });
  await addDemoBankStatement(trx, chief, await getBatch(trx, sent.id), today);
  await signBatch(trx, chief, (await createDemoBatch(2, addDays(today, 1), '')).id);
  await createDemoBatch(3, addDays(today, 5), 'Viernes');
}

const LINES_PER_BATCH = 6;

async function addDemoBankStatement(
  trx: Trx,
  chief: Actor,
  sent: FullBatch,
  today: PlainDate,
): Promise<void> {
  const { transfers } = await buildBankOrder(trx, sent);
  const madeTransfers = transfers.slice(0, Math.ceil(transfers.length / 2));
  const charges = madeTransfers.map(({ amountCents, referencia, titular }) => ({
    amountCents: -amountCents,
    referencia,
    descripcion: `SPEI ENVIADO ${titular}`,
  }));
  const statementRows = [
    ...charges,
    { amountCents: -1_044 * madeTransfers.length, referencia: '', descripcion: 'COMISION SPEI' },
    { amountCents: -100_000, referencia: '', descripcion: 'RETIRO EN VENTANILLA' },
    { amountCents: -23_200, referencia: '', descripcion: 'MANEJO DE CUENTA' },
    { amountCents: 48_500_000, referencia: '', descripcion: 'SPEI RECIBIDO ESTIMACION 7' },
  ];
  const movements = statementRows.map((one, index) => ({ line: index + 2, fecha: today, ...one }));
  await importBankStatement(trx, chief, {
    origenderecursoId: sent.origenderecursoId,
    filename: `movimientos-${today}.csv`,
    sha256: createHash('sha256').update(JSON.stringify(movements)).digest('hex'),
    movements,
    saldofinalCents: 520_000_000,
  });
  const { id: feeId } = await trx
    .selectFrom('bank_movements')
    .select('id')
    .where('descripcion', '=', 'COMISION SPEI')
    .executeTakeFirstOrThrow();
  await resolveMovement(trx, chief, feeId, { clase: 'comision', siempre: 'COMISION SPEI' });
}

const SUPPLIER_ACCOUNT_AGE_DAYS = 45;

async function addSupplierAccounts(
  trx: Trx,
  { author, chief }: Record<'author' | 'chief', Actor>,
  { changed, unconfirmed }: Record<'changed' | 'unconfirmed', number | undefined>,
): Promise<void> {
  await importCompanyTable(
    trx,
    { ...author, today: addDays(author.today, -SUPPLIER_ACCOUNT_AGE_DAYS) },
    'cuentas',
  );
  const accounts = await trx
    .selectFrom('supplier_accounts')
    .select(['id', 'supplierId'])
    .orderBy('id')
    .execute();
  for (const account of accounts) {
    if (account.supplierId === unconfirmed) continue;
    if (account.supplierId === changed)
      await updateAccount(trx, author, account, { clabe: '072180000818015737' });
    await updateAccount(trx, chief, account, { trusted: true });
  }
}
