import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { bankAmountExpression } from '../../../db/expressions.ts';
import type { Db, Schema } from '../../../db/schema.ts';
import { formatRate, MAX_CENTS, RATE_SCALE } from '../../../shared/money.ts';
import { dueDayExpression } from '../due-day.ts';
import { cashEffectExpression } from '../petty-cash/fund-cash.ts';
import { PETTY_CASH_INVARIANTS } from './check-petty-cash.ts';
import { formatCheckedMoney, type Invariant, type Rule } from './check-rules.ts';

const paymentsSumSubquery = sql<number>`(select coalesce(sum("amountCents"), 0) from payments
  where "facturaproveedorId" = invoices.id)`;

const creditsSumSubquery = sql<number>`(select coalesce(sum(${bankAmountExpression('payments')}), 0) from payments
  where "creditNoteId" = credit_notes.id)`;

const lastBudgetAmountSubquery = sql<number>`(select changes."amountCents" from budget_changes changes
  where changes."budgetId" = budgets.id order by changes.id desc limit 1)`;

/** subtotal × tasa, rounded half up to the cent, in integers of at most 2 × 10¹⁸. */
const expectedTaxExpression = sql<number>`(2 * "subtotalCents" * tasa + ${sql.raw(String(100 * RATE_SCALE))})
  / ${sql.raw(String(2 * 100 * RATE_SCALE))}`;

/** The amounts were typed: they come neither from a CFDI, linked or unlinked since, nor from another currency. */
const capturedByHandCondition = sql<SqlBool>`uuid is null and "formerUuid" is null and moneda is null
  and not exists (select 1 from cfdi_documents where "invoiceId" = invoices.id)`;

export const createDueDayRule = (db: Db): Rule => ({
  table: 'invoices',
  brokenWhen: sql`vence <> ${dueDayExpression(db)}`,
  computedValues: { due: dueDayExpression(db) },
  problem: (row) => `vence (${row.vence}) no es el día que le toca (${row.due})`,
});

const fileExceedsBatchCondition = (
  file: string,
) => sql`(${sql.ref(`${file}.totalCents`)} > (select coalesce(sum(l."amountCents"), 0)
    from payment_batch_lines l where l."batchId" = ${sql.ref(`${file}.batchId`)})
  or ${sql.ref(`${file}.transfers`)} > (select count(*) from payment_batch_lines l
    where l."batchId" = ${sql.ref(`${file}.batchId`)}))`;

const sameTransferCondition = (movement: string) =>
  sql`${sql.ref(`${movement}.batchId`)} = bank_movements."batchId"
    and ${sql.ref(`${movement}.supplierId`)} = bank_movements."supplierId"
    and ${sql.ref(`${movement}.origenderecursoId`)} = bank_movements."origenderecursoId"`;

const hasLinkedPaymentsCondition = (receipts: string) => sql`exists (select 1 from payment_receipt_lines lines
  where lines."receiptId" = ${sql.ref(`${receipts}.id`)} and lines."paymentId" is not null)`;

const successorsClause = (table: string) => sql`with recursive later (uuid, rfc) as (
    select r.uuid, r.rfc from document_relations r where r."replacedUuid" = ${sql.ref(`${table}.uuid`)}
    union select r.uuid, r.rfc from later
      join document_relations r on r."replacedUuid" = later.uuid and r.rfc = later.rfc)`;

export const INVARIANTS: readonly Invariant[] = [
  {
    name: 'paid-sum',
    description: 'Lo pagado de cada factura es la suma de sus pagos',
    table: 'invoices',
    brokenWhen: sql`"paidCents" <> ${paymentsSumSubquery}`,
    computedValues: { payments: paymentsSumSubquery },
    problem: (row) =>
      `lo pagado (${formatCheckedMoney(row.paidCents)}) no es la suma de sus pagos (${formatCheckedMoney(row.payments)})`,
  },
  {
    name: 'paid-range',
    description: 'Ninguna factura está pagada de más ni por debajo de cero',
    table: 'invoices',
    brokenWhen: sql`"paidCents" < 0 or "paidCents" > "totalCents"`,
    problem: (row) =>
      `lo pagado (${formatCheckedMoney(row.paidCents)}) no está entre cero y el total (${formatCheckedMoney(row.totalCents)})`,
  },
  {
    name: 'total',
    description: 'Cada total es subtotal + IVA + otros impuestos − retenciones',
    table: 'invoices',
    brokenWhen: sql`"totalCents" <> "subtotalCents" + "ivaCents" + "otrosimpuestosCents" - "retencionesCents"`,
    computedValues: {
      sum: sql`"subtotalCents" + "ivaCents" + "otrosimpuestosCents" - "retencionesCents"`,
    },
    problem: (row) =>
      `el total (${formatCheckedMoney(row.totalCents)}) no es la suma de sus partes (${formatCheckedMoney(row.sum)})`,
  },
  {
    name: 'iva',
    description: 'El IVA de cada factura capturada es subtotal × tasa, al centavo',
    table: 'invoices',
    brokenWhen: sql`${capturedByHandCondition} and (tasa is null or "ivaCents" <> ${expectedTaxExpression})`,
    computedValues: { tax: expectedTaxExpression },
    problem: (row) =>
      row.tasa === null
        ? 'no tiene tasa ni CFDI del que venga su IVA'
        : `el IVA (${formatCheckedMoney(row.ivaCents)}) no es el ${formatRate(Number(row.tasa))} % del subtotal (${formatCheckedMoney(row.tax)})`,
  },
  {
    name: 'invoice-amounts',
    description: 'Los importes de las facturas son mayores que cero',
    table: 'invoices',
    brokenWhen: sql`"subtotalCents" < 0 or "ivaCents" < 0 or "retencionesCents" < 0 or "totalCents" < 0
      or "totalCents" > ${MAX_CENTS}
      or (${capturedByHandCondition} and ("subtotalCents" = 0 or "totalCents" = 0 or "otrosimpuestosCents" < 0))`,
    problem: (row) =>
      `subtotal ${formatCheckedMoney(row.subtotalCents)}, total ${formatCheckedMoney(row.totalCents)}: fuera de rango`,
  },
  {
    name: 'invoice-currency',
    description: 'Cada factura en moneda extranjera tiene su tipo de cambio, y es la moneda de su CFDI',
    table: 'invoices',
    brokenWhen: sql`(moneda is null) <> (tipocambio is null) or exists (select 1 from cfdi_documents d
      where d."invoiceId" = invoices.id and d.moneda <> invoices.moneda)`,
    problem: (row) =>
      `está en ${row.moneda ?? 'ninguna moneda'} a ${row.tipocambio ?? 'ningún tipo de cambio'}`,
  },
  {
    name: 'payment-amounts',
    description: 'Los pagos son mayores que cero',
    table: 'payments',
    brokenWhen: sql`"amountCents" < 1 or "amountCents" > ${MAX_CENTS}`,
    problem: (row) => `su cantidad es ${formatCheckedMoney(row.amountCents)}`,
  },
  {
    name: 'payment-bank',
    description: 'Lo que salió del banco es mayor que cero, y se guarda solo donde difiere de lo abonado',
    table: 'payments',
    brokenWhen: sql`"importebancoCents" < 1 or "importebancoCents" > ${MAX_CENTS} or "importebancoCents" = "amountCents"`,
    problem: (row) =>
      `abona ${formatCheckedMoney(row.amountCents)} y del banco salieron ${formatCheckedMoney(row.importebancoCents)}`,
  },
  {
    name: 'payment-currency',
    description: 'Solo el pago de una factura en moneda extranjera tiene un importe en ella',
    table: 'payments',
    brokenWhen: sql`"importemonedaCents" is not null and (kind <> 'pago' or exists (select 1 from invoices i
      where i.id = payments."facturaproveedorId" and i.moneda is null))`,
    problem: (row) => `dice ${formatCheckedMoney(row.importemonedaCents)} en otra moneda`,
  },
  {
    name: 'payment-kinds',
    description: 'Un crédito aplicado es parte de una nota de crédito, sin cheque ni origen',
    table: 'payments',
    brokenWhen: sql`kind not in ('pago', 'credito') or ("creditNoteId" is null) <> (kind = 'pago')
      or (kind = 'credito' and ("origenderecursoId" is not null or checknum <> ''))`,
    problem: (row) => `es de tipo ${row.kind}, con la nota de crédito ${row.creditNoteId ?? '(ninguna)'}`,
  },
  {
    name: 'credit-suppliers',
    description: 'Cada crédito se aplicó a una factura de su proveedor, con la fecha de su nota',
    table: 'payments',
    brokenWhen: sql`"creditNoteId" is not null and not exists (select 1 from credit_notes n, invoices i
      where n.id = payments."creditNoteId" and i.id = payments."facturaproveedorId"
        and n."supplierId" = i."supplierId" and n.fecha = payments.paymentdate)`,
    problem: (row) =>
      `la nota ${row.creditNoteId} no es del proveedor, o no tiene la fecha, de la factura ${row.facturaproveedorId}`,
  },
  {
    name: 'applied-sum',
    description: 'Lo aplicado de cada nota de crédito es la suma de sus créditos',
    table: 'credit_notes',
    brokenWhen: sql`"appliedCents" <> ${creditsSumSubquery} or "appliedCents" < 0 or "appliedCents" > "totalCents"`,
    computedValues: { credits: creditsSumSubquery },
    problem: (row) =>
      `lo aplicado (${formatCheckedMoney(row.appliedCents)} de ${formatCheckedMoney(row.totalCents)}) no es la suma de sus créditos (${formatCheckedMoney(row.credits)})`,
  },
  {
    name: 'receipt-lines',
    description: 'Cada pago de un recibo es de la factura que el recibo nombra, y de un solo renglón',
    table: 'payment_receipt_lines',
    brokenWhen: sql`"paymentId" is not null and (not exists (select 1 from payments p
        where p.id = "paymentId" and p."facturaproveedorId" = "invoiceId" and p.kind = 'pago')
      or exists (select 1 from payment_receipt_lines other
        where other."paymentId" = payment_receipt_lines."paymentId" and other.id < payment_receipt_lines.id))`,
    problem: (row) =>
      `el pago ${row.paymentId} no es de la factura ${row.invoiceId}, o ya es de otro renglón`,
  },
  {
    name: 'receipt-chains',
    description: 'Ningún pago de un recibo sustituido cuenta junto a los del que lo sustituye',
    table: 'payment_receipts',
    brokenWhen: sql`${hasLinkedPaymentsCondition('payment_receipts')} and exists (${successorsClause('payment_receipts')}
      select 1 from later join payment_receipts own on own.uuid = later.uuid
      where own."supplierId" = payment_receipts."supplierId" and own.id <> payment_receipts.id and ${hasLinkedPaymentsCondition('own')})`,
    problem: (row) => `el recibo de pago ${row.numero} está sustituido, y sus pagos cuentan todavía`,
  },
  {
    name: 'expense-chains',
    description:
      'Ningún gasto con un CFDI sustituido cuenta junto a la factura o al gasto del que lo sustituye',
    table: 'petty_cash_movements',
    brokenWhen: sql`exists (${successorsClause('petty_cash_movements')} select 1 from later
      where exists (select 1 from invoices own where own.uuid = later.uuid)
        or exists (select 1 from petty_cash_movements own where own.uuid = later.uuid))`,
    problem: (row) => `su CFDI ${row.uuid} está sustituido, y el que lo sustituye cuenta también`,
  },
  {
    name: 'cfdi-link',
    description: 'Cada CFDI guardado es de una factura ligada a él',
    table: 'invoices',
    // An imported document without a stamp has no UUID. Unlinking a stamped document deletes its data. Imported tables
    // (such as our own export) and the SAT's metadata state UUIDs without documents.
    brokenWhen: sql`case when exists (select 1 from cfdi_documents where "invoiceId" = invoices.id)
      then uuid is null and ("formerUuid" is not null or "importId" is null)
      else uuid is not null and not exists (select 1 from imports
        where imports.id = invoices."importId" and imports.kind = 'invoices')
        and not exists (select 1 from sat_documents where sat_documents.uuid = invoices.uuid) end`,
    problem: (row) =>
      row.uuid === null
        ? 'tiene los datos de un CFDI y no está ligada a él'
        : `faltan los datos de su CFDI ${row.uuid}`,
  },
  {
    name: 'batch-amounts',
    description: 'Cada factura de una programación de pagos lleva un importe mayor que cero',
    table: 'payment_batch_lines',
    brokenWhen: sql`"amountCents" < 1 or "amountCents" > ${MAX_CENTS}`,
    problem: (row) => `su importe es ${formatCheckedMoney(row.amountCents)}`,
  },
  {
    name: 'batch-payments',
    description:
      'Los pagos de una programación son de sus facturas, por su importe, y solo una enviada o pagada los tiene',
    table: 'payment_batch_lines',
    brokenWhen: sql`exists (select 1 from payments p, payment_batches b
      where p.id = payment_batch_lines."paymentId" and b.id = payment_batch_lines."batchId"
        and (b.estado not in ('enviada', 'pagada') or p."facturaproveedorId" <> payment_batch_lines."invoiceId"
          or p."amountCents" <> payment_batch_lines."amountCents" or p.kind <> 'pago'))`,
    problem: (row) =>
      `el pago ${row.paymentId} no es lo que dice la programación ${row.batchId} (${formatCheckedMoney(row.amountCents)})`,
  },
  {
    name: 'bank-payments',
    description: 'Lo que el banco pagó de una programación tiene sus pagos, por lo que suma su movimiento',
    table: 'payment_batch_lines',
    brokenWhen: sql`"movementId" is not null and (not exists (select 1 from payments p
        where p.id = payment_batch_lines."paymentId")
      or not exists (select 1 from bank_movements m, payment_batches b
        where m.id = payment_batch_lines."movementId" and m.outcome = 'pagado'
          and b.id = payment_batch_lines."batchId" and m."batchId" = b.id
          and m."supplierId" = payment_batch_lines."supplierId"
          and m."origenderecursoId" = b."origenderecursoId"
          and (-m."amountCents" = (select sum(l."amountCents") from payment_batch_lines l
              where l."movementId" = m.id)
            or -m."amountCents" = (select sum(${bankAmountExpression('p')}) from payment_batch_lines l
              join payments p on p.id = l."paymentId" join invoices i on i.id = l."invoiceId"
              where l."movementId" = m.id and i.moneda is not null))))`,
    problem: (row) =>
      `el movimiento ${row.movementId} del banco la pagó, y su pago no existe o no es lo que él dice`,
  },
  {
    name: 'bank-movements',
    description: 'Ningún movimiento del banco paga lo que otro pagó, ni quedó pagado sin sus pagos',
    table: 'bank_movements',
    // A transfer that the bank returned leaves two movements and no payment.
    brokenWhen: sql`outcome = 'pagado' and not exists (select 1 from payment_batch_lines l
        where l."movementId" = bank_movements.id)
      and (select count(*) from bank_movements m where ${sameTransferCondition('m')} and m.outcome = 'pagado'
          and not exists (select 1 from payment_batch_lines l where l."movementId" = m.id))
        > (select count(*) from bank_movements m where ${sameTransferCondition('m')} and m.outcome = 'devuelto'
          and m."amountCents" > 0)`,
    problem: (row) =>
      `dice que pagó ${formatCheckedMoney(-Number(row.amountCents))} de la programación ${row.batchId}, y nada quedó pagado por él`,
  },
  {
    name: 'bank-settlements',
    description:
      'Un movimiento del banco resuelto con pagos o con caja chica suma lo que ellos, del mismo origen',
    table: 'bank_movements',
    brokenWhen: sql`(coalesce(resolution, '') in ('ligado', 'capturado')) <> exists (select 1 from bank_movement_payments t
        where t."movementId" = bank_movements.id)
      or (resolution in ('ligado', 'capturado') and -"amountCents" <> (select coalesce(sum(${bankAmountExpression('p')}), 0)
        from bank_movement_payments t join payments p on p.id = t."paymentId"
        where t."movementId" = bank_movements.id and p."origenderecursoId" = bank_movements."origenderecursoId"))
      or (resolution = 'reposicion' and not exists (select 1 from petty_cash_movements c
        where c.id = bank_movements."cashMovementId" and ${cashEffectExpression('c')} = -bank_movements."amountCents"
          and c."origenderecursoId" = bank_movements."origenderecursoId"))`,
    problem: (row) =>
      `${formatCheckedMoney(row.amountCents)} está resuelto, y lo que lo resuelve no suma eso`,
  },
  {
    name: 'batch-states',
    description: 'Una programación tiene quién y cuándo la mandó y la pagó solo en el estado que lo dice',
    table: 'payment_batches',
    brokenWhen: sql`(estado = 'pagada') <> ("paidBy" is not null) or ("paidBy" is null) <> ("paidAt" is null)
      or ("sentBy" is null) <> ("sentOn" is null) or ("sentOn" is not null and estado in ('borrador', 'autorizada'))`,
    problem: (row) => `está ${row.estado}, y quien la mandó o la pagó no corresponde`,
  },
  {
    name: 'batch-files',
    description: 'Lo que se mandó al banco de una programación no pasa de lo que ella suma',
    table: 'payment_batch_files',
    // A file from before a change of the batch may exceed the batch, if another file was sent afterwards.
    brokenWhen: sql`${fileExceedsBatchCondition('payment_batch_files')} and exists (select 1 from payment_batches b
        where b.id = payment_batch_files."batchId" and b.estado in ('enviada', 'pagada'))
      and not exists (select 1 from payment_batch_files other where other."batchId" = payment_batch_files."batchId"
        and not ${fileExceedsBatchCondition('other')})`,
    problem: (row) =>
      `pide ${row.transfers} transferencias por ${formatCheckedMoney(row.totalCents)}, más que la programación ${row.batchId}`,
  },
  ...PETTY_CASH_INVARIANTS,
  {
    name: 'budgets',
    description: 'Cada presupuesto es el último importe que se le puso, y es de cero o más',
    table: 'budgets',
    brokenWhen: sql`"amountCents" < 0 or "amountCents" > ${MAX_CENTS} or coalesce(${lastBudgetAmountSubquery}, -1) <> "amountCents"`,
    computedValues: { last: lastBudgetAmountSubquery },
    problem: (row) =>
      `el presupuesto (${formatCheckedMoney(row.amountCents)}) no es el último de su historia (${formatCheckedMoney(row.last)})`,
  },
  {
    name: 'account-trust',
    description: 'Cada cuenta bancaria confiable la confirmó otra persona que quien la capturó o la cambió',
    table: 'supplier_accounts',
    brokenWhen: sql`("trustedBy" is null) <> ("trustedAt" is null)
      or "trustedBy" in ("createdBy", "editedBy") or length(clabe) <> 18
      or exists (select 1 from supplier_account_editors e
        where e."accountId" = supplier_accounts.id and e.confirmed = 0 and e."userId" = "trustedBy")`,
    problem: (row) =>
      `la cuenta que termina en ${String(row.clabe).slice(-4)} (confirmada por ${row.trustedBy})`,
  },
  {
    name: 'layout-confirmation',
    description: 'Cada plantilla de banco propia la confirmó otra persona que quien la cambió',
    table: 'bank_layouts',
    brokenWhen: sql`("confirmedBy" is null) <> ("confirmedAt" is null) or "confirmedBy" = "userId"`,
    problem: (row) => `la plantilla ${row.code} (confirmada por ${row.confirmedBy})`,
  },
  {
    name: 'job-dates',
    description: 'Ninguna obra termina antes de empezar',
    table: 'jobs',
    brokenWhen: sql`jobduedate < jobstartdate`,
    problem: (row) => `termina el ${row.jobduedate} y empieza el ${row.jobstartdate}`,
  },
];

/** Values that no two rows of a table may share; many rows may have none. */
export const UNIQUE_VALUES: ReadonlyArray<{
  name: string;
  description: string;
  table: keyof Schema;
  value: RawBuilder<unknown>;
}> = [
  {
    name: 'uuids',
    description: 'Ningún UUID de CFDI está en dos facturas',
    table: 'invoices',
    value: sql`lower(uuid)`,
  },
  {
    name: 'credit-note-uuids',
    description: 'Ningún UUID está en dos notas de crédito',
    table: 'credit_notes',
    value: sql`lower(uuid)`,
  },
  {
    name: 'rfcs',
    description: 'Ningún RFC es de dos proveedores',
    table: 'suppliers',
    value: sql`nullif(nullif(rfc, 'XAXX010101000'), 'XEXX010101000')`,
  },
  {
    name: 'funds-of-sources',
    description: 'Los pagos de ningún origen salen de dos cajas chicas',
    table: 'petty_cash_funds',
    value: sql`"pagosOrigenId"`,
  },
  {
    name: 'expense-uuids',
    description: 'Ningún UUID es de dos gastos de caja chica',
    table: 'petty_cash_movements',
    value: sql`lower(uuid)`,
  },
  {
    name: 'budgets-of-places',
    description: 'Ninguna obra tiene dos presupuestos del mismo rubro',
    table: 'budgets',
    value: sql`"jobId" || '/' || coalesce("rubroId", 0)`,
  },
  {
    name: 'accounts-of-suppliers',
    description: 'Ningún proveedor tiene dos veces la misma CLABE',
    table: 'supplier_accounts',
    value: sql`"supplierId" || '/' || clabe`,
  },
];
