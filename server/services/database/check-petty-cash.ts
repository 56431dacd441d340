import { sql } from 'kysely';
import { bankAmountExpression } from '../../../db/expressions.ts';
import { MAX_CENTS } from '../../../shared/money.ts';
import { cashEffectExpression } from '../petty-cash/fund-cash.ts';
import { formatCheckedMoney, type Invariant } from './check-rules.ts';

const MOVEMENTS_TABLE = 'petty_cash_movements';

const fundCashExpression = sql<number>`(coalesce((select sum(${cashEffectExpression('m')}) from petty_cash_movements m
    where m."fundId" = petty_cash_funds.id), 0)
  - coalesce((select sum(${bankAmountExpression('p')}) from payments p where p."origenderecursoId" = petty_cash_funds."pagosOrigenId"
    and p.paymentdate >= petty_cash_funds."openedOn"), 0))`;

const replenishmentSumSubquery = (tipo: 'gasto' | 'reposicion') => sql<number>`(select sum(m."importeCents")
  from petty_cash_movements m where m."replenishmentId" = petty_cash_replenishments.id and m.tipo = ${sql.lit(tipo)})`;

const replenishmentPaidExpression = sql<number>`coalesce(${replenishmentSumSubquery('reposicion')}, (select m."importeCents" from petty_cash_movements m
  where m.id = petty_cash_replenishments."ownMovementId" and m.tipo = petty_cash_replenishments.tipo
    and m."fundId" = petty_cash_replenishments."fundId"), 0)`;
const replenishmentRequestedExpression = sql<number>`coalesce("ownCents", ${replenishmentSumSubquery('gasto')}, 0)`;

export const PETTY_CASH_INVARIANTS: readonly Invariant[] = [
  {
    name: 'petty-cash-funds',
    description: 'Las cajas chicas tienen nombre, y sus pagos salen de otro origen que el suyo',
    table: 'petty_cash_funds',
    brokenWhen: sql`nombre = '' or "origenderecursoId" = "pagosOrigenId"`,
    problem: (row) => `«${row.nombre}», sin nombre, o sus pagos salen de su propio origen`,
  },
  {
    name: 'petty-cash-balances',
    description: 'Lo que hay en cada caja chica, la suma de sus movimientos, es de cero o más',
    table: 'petty_cash_funds',
    brokenWhen: sql`${fundCashExpression} < 0`,
    computedValues: { cash: fundCashExpression },
    problem: (row) => `en «${row.nombre}» hay ${formatCheckedMoney(row.cash)}`,
  },
  {
    name: 'petty-cash-amounts',
    description: 'Cada movimiento de caja chica es subtotal más IVA, y mayor que cero si no es un ajuste',
    table: MOVEMENTS_TABLE,
    brokenWhen: sql`"importeCents" = 0 or abs("importeCents") > ${MAX_CENTS} or "importeCents" <> "subtotalCents" + "ivaCents"
      or (tipo <> 'ajuste' and ("importeCents" < 0 or "subtotalCents" < 0)) or "ivaCents" < 0
      or (tipo <> 'gasto' and "ivaCents" <> 0)
      or tipo not in ('apertura', 'gasto', 'reposicion', 'devolucion', 'ajuste')`,
    problem: (row) =>
      `${row.tipo} de ${formatCheckedMoney(row.importeCents)}, con subtotal ${formatCheckedMoney(row.subtotalCents)} e IVA ${formatCheckedMoney(row.ivaCents)}`,
  },
  {
    name: 'petty-cash-dates',
    description: 'Ningún movimiento de caja chica es anterior a la apertura de su caja',
    table: MOVEMENTS_TABLE,
    brokenWhen: sql`exists (select 1 from petty_cash_funds where petty_cash_funds.id = "fundId"
      and petty_cash_movements.fecha < petty_cash_funds."openedOn")`,
    problem: (row) => `es del ${row.fecha}, antes de que abriera su caja`,
  },
  {
    name: 'petty-cash-costs',
    description: 'Solo los gastos de caja chica van a una obra o a un rubro, y tienen comprobante',
    table: MOVEMENTS_TABLE,
    brokenWhen: sql`(tipo <> 'gasto' and ("jobId" is not null or "rubroId" is not null or comprobante <> 'ninguno'))
      or (uuid is not null and comprobante <> 'cfdi')
      or ("comprobarAntes" is not null and (tipo <> 'gasto' or comprobante <> 'ninguno'))`,
    problem: (row) =>
      `es de tipo ${row.tipo} con comprobante ${row.comprobante}, y va a una obra, tiene UUID o plazo`,
  },
  {
    name: 'petty-cash-uuids',
    description: 'Ningún CFDI es a la vez una factura y el comprobante de un gasto de caja chica',
    table: MOVEMENTS_TABLE,
    brokenWhen: sql`uuid is not null and exists (select 1 from invoices i where i.uuid = petty_cash_movements.uuid)`,
    problem: (row) => `su CFDI ${row.uuid} es también una factura`,
  },
  {
    name: 'petty-cash-groups',
    description: 'Lo que se repone es de la misma caja que sus gastos',
    table: MOVEMENTS_TABLE,
    brokenWhen: sql`"replenishmentId" is not null and (tipo not in ('gasto', 'reposicion')
      or exists (select 1 from petty_cash_replenishments r where r.id = "replenishmentId"
        and r."fundId" <> petty_cash_movements."fundId"))`,
    problem: (row) => `es de tipo ${row.tipo}, o de otra caja que la reposición ${row.replenishmentId}`,
  },
  {
    name: 'petty-cash-replenishments',
    description:
      'Cada reposición es la suma de los gastos que repone, y lo demás que se autorizó es lo que se pidió',
    table: 'petty_cash_replenishments',
    // Imported replenishments have no `authorizedBy`: nobody authorized them in Saldo.
    brokenWhen: sql`("authorizedBy" is not null and ${replenishmentPaidExpression} <> ${replenishmentRequestedExpression})
      or ("authorizedBy" is null and "ownMovementId" is not null)`,
    computedValues: { given: replenishmentPaidExpression, spent: replenishmentRequestedExpression },
    problem: (row) =>
      `entraron ${formatCheckedMoney(row.given)} y se pidieron ${formatCheckedMoney(row.spent)}`,
  },
  {
    name: 'petty-cash-counts',
    description: 'Cada ajuste de un arqueo es su diferencia, de la misma caja',
    table: MOVEMENTS_TABLE,
    brokenWhen: sql`"countId" is not null and (tipo <> 'ajuste' or not exists (select 1 from petty_cash_counts c
      where c.id = "countId" and c."fundId" = petty_cash_movements."fundId"
        and c."contadoCents" - c."esperadoCents" = "importeCents"))`,
    problem: (row) =>
      `ajusta ${formatCheckedMoney(row.importeCents)}, que no es la diferencia del arqueo ${row.countId}`,
  },
];
