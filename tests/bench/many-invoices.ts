import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '../../db/schema.ts';

const SUPPLIERS = 400;
const JOBS = 60;

/**
 * Inserts invoices of 400 suppliers and 60 obras over three years by SQL; all but the newest twelfth are paid. For
 * benchmarks on SQLite.
 */
export async function insertInvoices(
  trx: Trx,
  count: number,
  { userId, at }: { userId: number; at: string },
): Promise<void> {
  const series = (name: string, last: number) =>
    sql.raw(`with recursive ${name}(n) as (select 1 union all select n + 1 from ${name} where n < ${last})`);
  const kept = sql`${at}, ${at}`;
  await sql`insert into clients (clientname, clientnameFold, clientcontactperson, clientcontactphone, clientcontactemail, createdAt, updatedAt)
    values ('Cliente', 'cliente', '', '', '', ${kept})`.execute(trx);
  await sql`insert into suppliers (suppliername, suppliernameFold, suppliercontactperson, suppliercontactphone, suppliercontactemail, createdAt, updatedAt)
    ${series('s', SUPPLIERS)} select printf('Proveedor %04d', n), printf('proveedor %04d', n), '', '', '', ${kept} from s`.execute(
    trx,
  );
  await sql`insert into jobs (jobtitle, jobtitleFold, jobdescription, clientId, createdAt, updatedAt)
    ${series('s', JOBS)} select printf('Obra %02d', n), printf('obra %02d', n), '', 1, ${kept} from s`.execute(
    trx,
  );
  const issued = sql`date('2023-11-20', (n * 1096 / ${count}) || ' days')`;
  // Captured on their days, each at a different moment.
  const moment = (day: RawBuilder<unknown>, n: RawBuilder<unknown>) =>
    sql`${day} || printf('T%02d:%02d:%02d.%03dZ', 15 + ${n} % 8, ${n} * 7 % 60, ${n} * 13 % 60, ${n} % 1000)`;
  const captured = moment(issued, sql`n`);
  const paid = moment(sql`fechavencimiento`, sql`id`);
  const due = sql`date('2023-12-20', (n * 1096 / ${count}) || ' days')`;
  // Issued evenly over the three years before 20 November 2026, due thirty days later.
  await sql`insert into invoices (supplierId, jobId, numfactura, numfacturaFold, numfacturaKey, fechaemision, fecharecepcion,
      fechavencimiento, vence, fechacaptura, subtotalCents, tasa, ivaCents, totalCents, paidCents, comments, userId,
      createdAt, updatedAt)
    ${series('s', count)} select 1 + n % ${SUPPLIERS}, 1 + n % ${JOBS}, 'A-' || n, 'a-' || n, 'a' || n,
      ${issued}, ${issued}, ${due}, ${due}, ${issued}, 100 * (1 + n % 9973), 160000, 16 * (1 + n % 9973),
      116 * (1 + n % 9973), iif(n * 12 < ${count} * 11, 116 * (1 + n % 9973), 0), '', ${userId}, ${captured}, ${captured} from s`.execute(
    trx,
  );
  await sql`insert into payments (facturaproveedorId, checknum, checknumFold, paymentdate, amountCents, comments, userId, createdAt, updatedAt)
    select id, 'CH-' || id, 'ch-' || id, fechavencimiento, paidCents, '', ${userId}, ${paid}, ${paid}
    from invoices where paidCents > 0`.execute(trx);
}
