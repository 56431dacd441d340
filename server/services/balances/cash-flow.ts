import { sql } from 'kysely';
import { valuesTable } from '../../../db/bulk.ts';
import { bankAmountExpression } from '../../../db/expressions.ts';
import type { Db } from '../../../db/schema.ts';
import { inSnapshot } from '../../../db/transaction.ts';
import {
  type BalanceColumn,
  buildBalanceColumns,
  getColumnOfDay,
  resolveFirstWeek,
} from '../../../shared/balances.ts';
import { formatDate, isPlainDate, type PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import { type Cents, formatMoney, parseMoney } from '../../../shared/money.ts';
import type { PaymentBatch } from '../../../shared/payment-batches.ts';
import { createRefusal, throwIfRefused } from '../../../shared/refusal.ts';
import { compareByName, readAllNamesById } from '../by-name.ts';
import { readInvoices } from '../invoices/reading.ts';
import { lineHeldCondition } from '../payment-batches/reading.ts';
import { committedLineCondition } from '../payments/committed-amounts.ts';
import { readSettings } from '../settings/settings.ts';

export interface CashFlowQuery {
  semanas?: number;
  /** what-if changes: `mover` "12:2026-12-11" pays an invoice on that day, `sin` "7" postpones a supplier */
  mover?: readonly string[];
  sin?: readonly string[];
  /** "3:150000.00": today's account balance of funding source 3 */
  saldo?: readonly string[];
}

/**
 * A future outflow: what is owed of an invoice outside open batches (`vence`) or within one (`programado`), or a
 * payment that is dated after today (`fechado`).
 */
export interface CashFlowItem {
  kind: 'vence' | 'programado' | 'fechado';
  day: PlainDate;
  cents: Cents;
  invoiceId: number;
  supplierId: number;
  batchId?: number;
  paymentId?: number;
}

export interface CashFlowFundingSource {
  id: number;
  name: string;
  saldoCents: Cents;
  fecha: PlainDate | null;
  fuente: 'estado' | 'capturado' | null;
  statementId: number | null;
  movements: readonly LaterMovement[];
  /** what left the account since `fecha`, in three parts; `despuesCents` is their sum */
  paidCents: Cents;
  toFundsCents: Cents;
  otherMovementsCents: Cents;
  despuesCents: Cents;
  disponibleCents: Cents;
}

export interface CashFlowColumn {
  column: BalanceColumn;
  venceCents: Cents;
  programadoCents: Cents;
  fechadoCents: Cents;
  saleCents: Cents;
  quedaCents: Cents;
}

export type CashFlow = Awaited<ReturnType<typeof readCashFlow>>;

/**
 * Computes how much leaves each account in each week, and until when the account's balance suffices. Every figure of a
 * week is the sum of some of `items`.
 * @throws DomainError malformed (a what-if change cannot be read), invalid (a change names something that is missing)
 */
export const readCashFlow = (db: Db, query: CashFlowQuery, today: PlainDate) =>
  inSnapshot(db, async (snapshot) => {
    const whatIfChanges = parseWhatIfChanges(query);
    const { semanas = Number((await readSettings(snapshot)).semanas) } = query;
    if (semanas < 1 || semanas > 53)
      throw malformedFieldError('semanas', 'semanas: debe estar entre 1 y 53.');
    const sources = await readSources(snapshot, whatIfChanges.balances, today);
    const { items, postponed } = await readItems(snapshot, whatIfChanges, today);
    const disponibleCents = sources.reduce((sum, source) => sum + source.disponibleCents, 0);
    const columns = buildCashFlowColumns(items, semanas, { today, disponibleCents });
    return {
      today,
      whatIfChanges: await describeWhatIfChanges(snapshot, query, whatIfChanges, sources),
      sources,
      disponibleCents,
      columns,
      alcanzaHasta: columns.findLast(({ quedaCents }) => quedaCents >= 0)?.column.key ?? null,
      postponed,
      postponedCents: postponed.reduce((sum, { cents }) => sum + cents, 0),
      items,
    };
  });

interface WhatIfChanges {
  days: Map<number, PlainDate>;
  suppliers: Set<number>;
  balances: Map<number, Cents>;
}

function parseWhatIfChanges({ mover = [], sin = [], saldo = [] }: CashFlowQuery): WhatIfChanges {
  const parseIdValuePairs = (
    name: string,
    texts: readonly string[],
    like: string,
    isValue: (text: string) => boolean,
  ) => {
    const pairs = texts.map((text): [number, string] => {
      const [, id, value = ''] = /^([1-9]\d{0,14})(?::(.*))?$/.exec(text.trim()) ?? [];
      if (!id || !isValue(value))
        throw malformedFieldError(name, `${name}: se espera como ${like}, no «${text}».`);
      return [Number(id), value];
    });
    if (new Map(pairs).size < pairs.length)
      throw malformedFieldError(name, `${name}: hay dos del mismo registro.`);
    return new Map(pairs);
  };
  return {
    days: parseIdValuePairs('mover', mover, '12:2026-12-11', isPlainDate),
    suppliers: new Set(parseIdValuePairs('sin', sin, '7', (value) => value === '').keys()),
    balances: new Map(
      [...parseIdValuePairs('saldo', saldo, '3:150000.00', Boolean)].map(([id, value]) => [
        id,
        parseMoney(value, 'saldo'),
      ]),
    ),
  };
}

export const malformedFieldError = (field: string, message: string) =>
  new DomainError('malformed', message, { fields: { [field]: message } });

async function readItems(db: Db, { days, suppliers }: WhatIfChanges, today: PlainDate) {
  const { rows: open } = await sql<{ id: number; supplierId: number; vence: PlainDate; cents: Cents }>`
    select id, "supplierId", vence, "totalCents" - "paidCents" as cents
    from invoices where "paidCents" < "totalCents"`.execute(db);
  const remaining = new Map(open.map(({ id, cents }) => [id, cents]));
  const items: CashFlowItem[] = [];
  for (const { invoiceId, supplierId, batchId, fecha, amountCents } of await readPayableBatchLines(db)) {
    const pending = remaining.get(invoiceId) ?? 0;
    const cents = Math.min(pending, amountCents);
    if (cents === 0 || suppliers.has(supplierId)) continue;
    remaining.set(invoiceId, pending - cents);
    items.push({
      kind: 'programado',
      day: fecha < today ? today : fecha,
      cents,
      invoiceId,
      supplierId,
      batchId,
    });
  }
  const unmovable = [...days.keys()].find((id) => !remaining.get(id));
  if (unmovable !== undefined)
    throwIfRefused(
      createRefusal(
        `La factura ${unmovable} no debe nada fuera de las programaciones: no hay qué mover.`,
        'mover',
      ),
    );
  const postponed = [...suppliers].map((supplierId) => ({ supplierId, cents: 0 }));
  for (const { id, supplierId, vence } of open) {
    const cents = remaining.get(id)!;
    if (suppliers.has(supplierId)) postponed.find((one) => one.supplierId === supplierId)!.cents += cents;
    else if (cents > 0)
      items.push({ kind: 'vence', day: days.get(id) ?? vence, cents, invoiceId: id, supplierId });
  }
  const { rows: dated } = await sql<Omit<CashFlowItem, 'kind'>>`
    select p.paymentdate as day, ${bankAmountExpression('p')} as cents, p.id as "paymentId",
      p."facturaproveedorId" as "invoiceId", invoices."supplierId"
    from payments p join invoices on invoices.id = p."facturaproveedorId"
    where p.paymentdate > ${today} and p.kind = 'pago'
      and not exists (select 1 from ${paymentMovementPairsSubquery} t where t."paymentId" = p.id)`.execute(
    db,
  );
  items.push(...dated.map((one) => ({ kind: 'fechado' as const, ...one })));
  return { items, postponed };
}

/**
 * Reads what open batches still have to pay, without the lines that a check holds.
 * @param batch limits the result to the other batches that pay from the same account
 */
async function readPayableBatchLines(db: Db, batch?: BatchAndSource) {
  const others = batch
    ? sql`and batches.id <> ${batch.id} and batches."origenderecursoId" = ${batch.origenderecursoId}`
    : sql``;
  const { rows } = await sql<{
    invoiceId: number;
    supplierId: number;
    batchId: number;
    sourceId: number;
    fecha: PlainDate;
    amountCents: Cents;
  }>`
    select lines."invoiceId", invoices."supplierId", batches.id as "batchId", batches."origenderecursoId" as "sourceId",
      batches.fecha, lines."amountCents"
    from payment_batch_lines lines
    join payment_batches batches on batches.id = lines."batchId" and ${committedLineCondition}
    join invoices on invoices.id = lines."invoiceId"
    where not ${lineHeldCondition(db, 'lines')} ${others}
    order by batches.fecha, batches.id, lines.id`.execute(db);
  return rows;
}

function buildCashFlowColumns(
  items: readonly CashFlowItem[],
  weeks: number,
  { today, disponibleCents }: { today: PlainDate; disponibleCents: Cents },
): CashFlowColumn[] {
  const sums = new Map<PlainDate, Record<CashFlowItem['kind'], Cents>>();
  let last: PlainDate | undefined;
  for (const { kind, day, cents } of items) {
    const sum = sums.get(day) ?? { vence: 0, programado: 0, fechado: 0 };
    sum[kind] += cents;
    sums.set(day, sum);
    if (last === undefined || day > last) last = day;
  }
  const columns = buildBalanceColumns(resolveFirstWeek(today), last, weeks);
  const rows = columns.map((column) => ({ column, venceCents: 0, programadoCents: 0, fechadoCents: 0 }));
  for (const [day, { vence, programado, fechado }] of sums) {
    const row = rows[columns.indexOf(getColumnOfDay(columns, day))]!;
    row.venceCents += vence;
    row.programadoCents += programado;
    row.fechadoCents += fechado;
  }
  let quedaCents = disponibleCents;
  return rows.map((row) => {
    const saleCents = row.venceCents + row.programadoCents + row.fechadoCents;
    quedaCents -= saleCents;
    return { ...row, saleCents, quedaCents };
  });
}

const paymentMovementPairsSubquery = sql`(select "paymentId", "movementId" from bank_movement_payments
  union all select "paymentId", "movementId" from payment_batch_lines where "movementId" is not null)`;

/**
 * Reads what is available in each account for a payment batch: today's balance, as in the cash flow, less what the
 * other open batches still have to pay from the account. Accounts without a known balance are left out.
 * @param batch limits the result to the batch's account, and leaves the batch's own lines out of the subtraction
 */
export const readAvailableBySource = (db: Db, today: PlainDate, batch?: BatchAndSource) =>
  inSnapshot(db, async (snapshot) => {
    const sources = await readSources(snapshot, new Map(), today);
    const planned = await readPayableBatchLines(snapshot, batch);
    return sources.flatMap(({ id, fecha, disponibleCents }) => {
      if (fecha === null || (batch && id !== batch.origenderecursoId)) return [];
      const plannedCents = planned.reduce(
        (sum, line) => sum + (line.sourceId === id ? line.amountCents : 0),
        0,
      );
      return [{ id, fecha, cents: disponibleCents - plannedCents, plannedCents }];
    });
  });

type BatchAndSource = Pick<PaymentBatch, 'id' | 'origenderecursoId'>;

type BalanceDayBySource = ReadonlyMap<number, PlainDate>;

/** Uses the balance of the account's last statement or the typed one, whichever is newer; if equal, the statement's. */
async function readSources(
  db: Db,
  tried: WhatIfChanges['balances'],
  today: PlainDate,
): Promise<CashFlowFundingSource[]> {
  const stored = await db
    .selectFrom('funding_sources')
    .select(['id', 'origenderecursonombre as name', 'saldobancoCents', 'saldobancofecha'])
    .execute();
  const unknown = [...tried.keys()].find((id) => !stored.some((source) => source.id === id));
  if (unknown !== undefined)
    throwIfRefused(createRefusal(`No existe el origen de recurso ${unknown}.`, 'saldo'));
  const statements = await db
    .selectFrom('bank_statements')
    .select(['id', 'origenderecursoId', 'saldofinalCents', 'saldofecha'])
    .where('saldofecha', 'is not', null)
    .orderBy('saldofecha')
    .orderBy('id')
    .execute();
  const latest = new Map(statements.map((one) => [one.origenderecursoId, one]));
  const balances = stored.sort(compareByName).map(({ id, name, saldobancoCents, saldobancofecha }) => {
    const statement = latest.get(id);
    const toSourceBalance = (
      saldoCents: Cents,
      fecha: PlainDate | null,
      fuente: CashFlowFundingSource['fuente'],
    ) => ({
      ...{ id, name, saldoCents, fecha, fuente },
      statementId: fuente === 'estado' ? statement!.id : null,
    });
    if (tried.has(id)) return toSourceBalance(tried.get(id)!, today, 'capturado');
    if (statement && (saldobancofecha === null || saldobancofecha <= statement.saldofecha!))
      return toSourceBalance(statement.saldofinalCents!, statement.saldofecha, 'estado');
    return saldobancofecha === null
      ? toSourceBalance(0, null, null)
      : toSourceBalance(saldobancoCents!, saldobancofecha, 'capturado');
  });
  const since: BalanceDayBySource = new Map(
    balances.flatMap(({ id, fecha }) => (fecha === null ? [] : [[id, fecha]])),
  );
  const paid = await sumPaidSince(db, since, today);
  const later = await readMovementsSince(db, since, today);
  const bySource = Map.groupBy(later, ({ origenderecursoId }) => origenderecursoId);
  return balances.map((balance) => {
    const movements = bySource.get(balance.id) ?? [];
    const sumOf = (kind: LaterMovement['kind']) =>
      movements.reduce((sum, one) => (one.kind === kind ? sum + one.cents : sum), 0);
    const [paidCents, toFundsCents, otherMovementsCents] = [
      paid.get(balance.id) ?? 0,
      sumOf('caja'),
      sumOf('banco'),
    ];
    const despuesCents = paidCents + toFundsCents + otherMovementsCents;
    const disponibleCents = balance.saldoCents - despuesCents;
    return {
      ...balance,
      movements,
      paidCents,
      toFundsCents,
      otherMovementsCents,
      despuesCents,
      disponibleCents,
    };
  });
}

const balanceDaysTable = (db: Db, since: BalanceDayBySource) =>
  valuesTable(
    db,
    { id: 'bigint', fecha: 'date' },
    [...since].map(([id, fecha]) => ({ id, fecha })),
  );

async function sumPaidSince(
  db: Db,
  since: BalanceDayBySource,
  today: PlainDate,
): Promise<Map<number, Cents>> {
  const found = await sql<{ id: number; cents: Cents }>`
    select since.id, cast(sum(${bankAmountExpression('p')}) as bigint) as cents
    from ${balanceDaysTable(db, since)} as since
    cross join payments p
    where p."origenderecursoId" = since.id and p.paymentdate > since.fecha and p.paymentdate <= ${today}
    group by since.id`.execute(db);
  return new Map(found.rows.map(({ id, cents }) => [id, cents]));
}

/** Such money left or entered an account, but not by a payment. */
interface LaterMovement {
  kind: 'caja' | 'banco';
  id: number;
  origenderecursoId: number;
  statementId: number | null;
  fecha: PlainDate;
  texto: string;
  /** negative for money that came in */
  cents: Cents;
}

/**
 * Reads cash that was put into petty cash funds or given back, and classified bank movements. A payment counts on the
 * day of its bank movement, but `sumPaidSince` sums payments by their own days. The last two parts of the query correct
 * that sum where only one of the two days is in the period.
 */
async function readMovementsSince(
  db: Db,
  since: BalanceDayBySource,
  today: PlainDate,
): Promise<LaterMovement[]> {
  const list = balanceDaysTable(db, since);
  const [earliest = today] = [...since.values()].sort();
  const { rows } = await sql<LaterMovement>`
    select 'caja' as kind, m.id, m."origenderecursoId", null as "statementId", m.fecha, m.concepto as texto,
      case when m.tipo = 'devolucion' then -m."importeCents" else m."importeCents" end as cents
    from petty_cash_funds funds cross join petty_cash_movements m
    where m."fundId" = funds.id and m.fecha > ${earliest} and m.fecha <= ${today}
      and m."origenderecursoId" is not null
      and not exists (select 1 from bank_movements b where b."cashMovementId" = m.id)
    union all
    select case m.resolution when 'nombrado' then 'banco' else 'caja' end, m.id, m."origenderecursoId",
      m."statementId", m.fecha, m.descripcion, -m."amountCents"
    from ${list} as since cross join bank_movements m
    where m."origenderecursoId" = since.id and m.fecha > since.fecha and m.fecha <= ${today}
      and m.resolution in ('nombrado', 'reposicion')
    union all
    select 'banco', p.id, m."origenderecursoId", m."statementId", p.paymentdate,
      'Lo pagó antes el banco: pago ' || p.id, -${bankAmountExpression('p')}
    from ${list} as since cross join payments p cross join ${paymentMovementPairsSubquery} t cross join bank_movements m
    where p."origenderecursoId" = since.id and p.paymentdate > since.fecha and p.paymentdate <= ${today}
      and t."paymentId" = p.id and m.id = t."movementId" and m.fecha <= since.fecha
    union all
    select 'banco', p.id, m."origenderecursoId", m."statementId", m.fecha,
      'Lo pagó ese día el banco: pago ' || p.id, ${bankAmountExpression('p')}
    from ${list} as since cross join bank_movements m cross join ${paymentMovementPairsSubquery} t cross join payments p
    where m."origenderecursoId" = since.id and m.fecha > since.fecha and m.fecha <= ${today}
      and t."movementId" = m.id and p.id = t."paymentId"
      and (p.paymentdate <= since.fecha or p.paymentdate > ${today})
    order by 5, 2`.execute(db);
  return rows.filter(({ origenderecursoId, fecha }) => fecha > (since.get(origenderecursoId) ?? today));
}

interface WhatIfDescription {
  name: 'mover' | 'sin' | 'saldo';
  /** the value of the parameter in the page's address */
  text: string;
  label: string;
}

/** @throws DomainError invalid (no such supplier) */
async function describeWhatIfChanges(
  db: Db,
  { mover = [], sin = [], saldo = [] }: CashFlowQuery,
  { days, suppliers, balances }: WhatIfChanges,
  sources: readonly CashFlowFundingSource[],
): Promise<WhatIfDescription[]> {
  const nameOrId = (kind: string, id: number, names: ReadonlyMap<number, string>) => {
    if (!names.has(id)) throwIfRefused(createRefusal(`No existe ${kind} ${id}.`, 'sin'));
    return names.get(id) || `#${id}`;
  };
  const invoices = await readInvoices(db, [...days.keys()]);
  const numbers = new Map(invoices.map(({ id, numfactura }) => [id, numfactura]));
  const names = suppliers.size > 0 ? await readAllNamesById(db, 'suppliers', 'suppliername') : new Map();
  const ofSources = new Map(sources.map(({ id, name }) => [id, name]));
  return [
    ...[...days].map(([id, day], index) => ({
      ...{ name: 'mover' as const, text: mover[index]! },
      label: `La factura ${nameOrId('la factura', id, numbers)} se paga el ${formatDate(day)}`,
    })),
    ...[...suppliers].map((id, index) => ({
      ...{ name: 'sin' as const, text: sin[index]! },
      label: `A ${nameOrId('el proveedor', id, names)} no se le paga`,
    })),
    ...[...balances].map(([id, cents], index) => ({
      ...{ name: 'saldo' as const, text: saldo[index]! },
      label: `${nameOrId('el origen de recurso', id, ofSources)} tiene hoy ${formatMoney(cents)}`,
    })),
  ];
}
