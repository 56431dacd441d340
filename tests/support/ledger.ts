import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';
import { addFundingSource, addInvoice, addJob, addRubro, addSupplier, addUser } from './rows.ts';

/** SQL inside SQLite makes the rows, which is fast; one invoice in five has a payment. */
export async function fillLedger(
  db: Db,
  {
    invoiceCount,
    supplierCount = 200,
    jobCount = 20,
  }: { invoiceCount: number; supplierCount?: number; jobCount?: number },
): Promise<void> {
  const { id: userId } = await addUser(db, { roles: [1] });
  const supplierIds: number[] = [];
  for (let n = 0; n < supplierCount; n++)
    supplierIds.push(
      await addSupplier(db, {
        suppliername: `${SUPPLIER_NAMES[n % SUPPLIER_NAMES.length]} ${n} del Bajío, S.A. de C.V.`,
      }),
    );
  const jobIds: number[] = [];
  for (let n = 0; n < jobCount; n++)
    jobIds.push(await addJob(db, { jobtitle: `Torre ${n}, etapa ${n % 3}` }));
  const rubroIds = [
    await addRubro(db, { nombrerubro: 'Acero' }),
    await addRubro(db, { nombrerubro: 'Concreto' }),
  ];
  const source = await addFundingSource(db, { origenderecursonombre: 'BBVA 0102' });
  const first = await addInvoice(db, { supplierId: supplierIds[0], jobId: jobIds[0], numfactura: 'N-0' });
  const issued = sql`date('2024-01-01', '+' || (i % 1000) || ' days')`;
  const due = sql`date('2024-02-01', '+' || (i % 1100) || ' days')`;
  await sql`
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${invoiceCount - 1})
    insert into invoices ("supplierId", "jobId", "rubroId", numfactura, "numfacturaFold", "numfacturaKey",
      fechaemision, fecharecepcion, fechavencimiento, "subtotalCents", tasa, "ivaCents", "totalCents", comments,
      uuid, vence, fechacaptura, "createdAt", "updatedAt")
    select ${supplierIds[0]} + i % ${supplierCount}, ${jobIds[0]} + i % ${jobCount},
      case i % 3 when 0 then null when 1 then ${rubroIds[0]} else ${rubroIds[1]} end,
      'N-' || i, 'n-' || i, 'n' || i, ${issued}, null,
      case when i % 7 then ${due} end,
      100000 + i * 37, 160000, (100000 + i * 37) * 16 / 100, 100000 + i * 37 + (100000 + i * 37) * 16 / 100,
      case when i % 11 then '' else 'Entregada en obra, revisó el residente' end,
      case when i % 2 then lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4000-8000-' || hex(randomblob(6))) end,
      iif(i % 7, ${due}, ${issued}), fechacaptura, "createdAt", "updatedAt" from invoices, n
    where invoices.id = ${first}`.execute(db);
  await sql`
    insert into payments ("facturaproveedorId", "origenderecursoId", checknum, "checknumFold", paymentdate,
      "amountCents", comments, "userId", "createdAt", "updatedAt")
    select id, ${source}, 'CH-' || id, 'ch-' || id, date(fechaemision, '+20 days'), 10000 + id, '', ${userId},
      "createdAt", "updatedAt" from invoices where id % 5 = 0`.execute(db);
  await sql`
    update invoices set "paidCents" = (select sum("amountCents") from payments
      where "facturaproveedorId" = invoices.id) where id % 5 = 0`.execute(db);
}

const SUPPLIER_NAMES = 'Aceros Concretos Ferretera Materiales Maquinaria Tuberías Pinturas Fletes'.split(' ');
