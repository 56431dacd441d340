import { sql } from 'kysely';
import type { Trx } from '../../../db/schema.ts';
import { fundingSources } from '../../../shared/catalogs/funding-sources.ts';
import { addDays, type PlainDate } from '../../../shared/dates.ts';
import { type FullBatch, isHeld } from '../../../shared/payment-batches.ts';
import type { Actor } from '../audit/audit.ts';
import { makeFile } from '../bank-files/files.ts';
import { updateRow } from '../catalogs/catalogs.ts';
import { payBatch } from '../payment-batches/paying.ts';
import { createBatch } from '../payment-batches/payment-batches.ts';
import { authorizeBatch, permitLine } from '../payment-batches/stages.ts';
import { createPayment } from '../payments/payments.ts';
import { addDemoAccounts, demoClabe } from './supplier-accounts.ts';

/**
 * A batch of payments in each state, prepared by the accountant and signed by the direction. Of the paid one an invoice
 * was partly paid by hand meanwhile, and so is held; in another one somebody let a line through.
 */
export async function addDemoBatches(trx: Trx, by: Actor, today: PlainDate): Promise<void> {
  const author = { ...by, ...(await somebodyWith(trx, 2)) };
  const chief = { ...by, ...(await somebodyWith(trx, 1)) };
  const source = await trx.selectFrom('funding_sources').select('id').orderBy('id').executeTakeFirstOrThrow();
  const { rows } = await sql<{ id: number; supplierId: number }>`select id, "supplierId" from invoices
    where "totalCents" > "paidCents" and moneda is null order by vence, id limit ${LINES * 4}`.execute(trx);
  const sooner = new Set(rows.slice(0, LINES * 3).map(({ supplierId }) => supplierId));
  const [changed, unconfirmed] = new Set(
    rows.flatMap(({ supplierId }) => (sooner.has(supplierId) ? [] : supplierId)),
  );
  await addDemoAccounts(trx, { author, chief }, { today, changed, unconfirmed });
  await updateRow(trx, chief, fundingSources, source.id, { clabe: demoClabe('012', 1) });
  const prepare = (part: number, fecha: PlainDate, comments: string): Promise<FullBatch> => {
    const lines = rows.slice(part * LINES, (part + 1) * LINES).map(({ id }) => ({ invoiceId: id }));
    return createBatch(trx, author, { fecha, origenderecursoId: source.id, comments, lines });
  };
  const paid = await prepare(0, addDays(today, -1), 'Pagos de la semana');
  await authorizeBatch(trx, chief, paid.id);
  await createPayment(trx, author, {
    facturaproveedorId: paid.lines.at(-1)!.invoiceId,
    origenderecursoId: source.id,
    amountCents: 100_000,
    comments: 'Anticipo en efectivo',
  });
  await payBatch(trx, chief, paid.id, { cheque: '002101' });
  const sent = await prepare(1, today, 'Transferencias del día');
  await authorizeBatch(trx, chief, sent.id);
  const held = sent.lines.find(isHeld);
  if (held) {
    const reason = 'El proveedor manda su REP esta semana';
    await permitLine(trx, chief, sent.id, { invoiceId: held.invoiceId, reason });
  }
  await makeFile(trx, chief, sent.id, { layout: 'bbva-spei' });
  await authorizeBatch(trx, chief, (await prepare(2, addDays(today, 1), '')).id);
  await prepare(3, addDays(today, 5), 'Viernes');
}

const LINES = 6;

async function somebodyWith(trx: Trx, roleId: number) {
  const { id: userId, username } = await trx
    .selectFrom('users')
    .innerJoin('user_roles', 'user_roles.userId', 'users.id')
    .select(['users.id', 'users.username'])
    .where('roleId', '=', roleId)
    .orderBy('users.id', 'desc')
    .executeTakeFirstOrThrow();
  return { userId, username, roles: [roleId] };
}
