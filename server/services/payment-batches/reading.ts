import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import {
  expandJsonColumnList,
  foldedNameSubquery,
  foldedSortExpression,
  isOneOf,
} from '../../../db/expressions.ts';
import {
  createUnindexedSort,
  type Page,
  type PagingOptions,
  type SortColumn,
  searchPage,
} from '../../../db/paging.ts';
import type { Db, Schema } from '../../../db/schema.ts';
import { fundingSources } from '../../../shared/catalogs/funding-sources.ts';
import type { Instant, PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import { convertPaymentToForeign, toForeignCents } from '../../../shared/foreign-amounts.ts';
import type { Cents } from '../../../shared/money.ts';
import {
  BATCH_STATES,
  type BatchFile,
  type BatchLine,
  type BatchSignature,
  type BatchSort,
  type BatchState,
  type FullBatch,
  type PaymentBatch,
  type Verdict,
} from '../../../shared/payment-batches.ts';
import { AREA_ROLES } from '../../../shared/roles.ts';
import { lineUnpaidCondition } from '../payments/committed-amounts.ts';
import { readRemainingForeign } from '../payments/foreign-currency.ts';
import { loadSignatureNoteLookup } from '../signatures/second-person.ts';
import { idsOf } from '../stored-rows.ts';

interface BatchFilter {
  id?: number;
  estado?: BatchState;
  origenderecursoId?: number | null;
  supplierId?: number | null;
  facturaproveedorId?: number | null;
  fechaDesde?: PlainDate | null;
  fechaHasta?: PlainDate | null;
}

export interface BatchQuery extends BatchFilter, PagingOptions {
  sort?: BatchSort;
}

type BatchQueryBuilder = SelectQueryBuilder<Schema, 'payment_batches', object>;

export function searchBatches(db: Db, query: BatchQuery): Promise<Page<PaymentBatch>> {
  const by = { id: 'payment_batches.id', ...SORT_COLUMNS[query.sort ?? 'id'] };
  return searchPage(buildBatchQuery(db, query), by, query, (ids) =>
    selectBatchColumns(db, buildBatchQuery(db, {}).where(isOneOf(db, 'payment_batches.id', ids))).execute(),
  );
}

export const sumBatches = (db: Db, filter: BatchFilter) =>
  buildBatchQuery(db, filter)
    .leftJoin('payment_batch_lines as lines', 'lines.batchId', 'payment_batches.id')
    .select(sql<number>`count(distinct payment_batches.id)`.as('count'))
    .select(sql<Cents>`coalesce(sum(lines."amountCents"), 0)`.as('totalCents'))
    .select(
      sql<Cents>`coalesce(sum(case when ${sql.raw(linePaidCondition)} then lines."amountCents" end), 0)`.as(
        'paidCents',
      ),
    )
    .executeTakeFirstOrThrow();

/** @param knownPeopleAndFiles data that was read before and has not changed @throws DomainError not-found */
export async function getBatch(
  db: Db,
  id: number,
  knownPeopleAndFiles?: BatchPeopleAndFiles,
): Promise<FullBatch> {
  const batch = await selectBatchColumns(
    db,
    db.selectFrom('payment_batches').where('payment_batches.id', '=', id),
  ).executeTakeFirst();
  if (!batch) throw new DomainError('not-found', `No existe la programación de pagos ${id}.`);
  const lines = await readLines(db, id);
  const { editors, signatures, files } = knownPeopleAndFiles ?? {
    editors: await readEditors(db, id),
    signatures: await readSignatures(db, id),
    files: await readFiles(db, id),
  };
  return { ...batch, lines, editors, signatures, files };
}

export type BatchPeopleAndFiles = Pick<FullBatch, 'editors' | 'signatures' | 'files'>;

function buildBatchQuery(db: Db, filter: BatchFilter): BatchQueryBuilder {
  const { id, estado, origenderecursoId, supplierId, facturaproveedorId, fechaDesde, fechaHasta } = filter;
  const selectBatchIdsWith = (column: 'supplierId' | 'invoiceId', value: number) =>
    db.selectFrom('payment_batch_lines').select('batchId').where(column, '=', value);
  return db
    .selectFrom('payment_batches')
    .$if(id !== undefined, (query) => query.where('payment_batches.id', '=', id!))
    .$if(estado !== undefined, (query) => query.where('estado', '=', estado!))
    .$if(Boolean(origenderecursoId), (query) =>
      query.where('payment_batches.origenderecursoId', '=', origenderecursoId!),
    )
    .$if(Boolean(supplierId), (query) =>
      query.where('payment_batches.id', 'in', selectBatchIdsWith('supplierId', supplierId!)),
    )
    .$if(Boolean(facturaproveedorId), (query) =>
      query.where('payment_batches.id', 'in', selectBatchIdsWith('invoiceId', facturaproveedorId!)),
    )
    .$if(Boolean(fechaDesde), (query) => query.where('payment_batches.fecha', '>=', fechaDesde!))
    .$if(Boolean(fechaHasta), (query) =>
      query.where('payment_batches.fecha', '<=', fechaHasta!),
    ) as BatchQueryBuilder;
}

const linesExpression = (value: string | RawBuilder<unknown>) =>
  sql<number>`(select ${typeof value === 'string' ? sql.raw(value) : value}
    from payment_batch_lines lines where lines."batchId" = payment_batches.id)`;

const SORT_COLUMNS: Record<BatchSort, Omit<SortColumn, 'id'>> = {
  id: { column: 'payment_batches.id', kind: 'number' },
  fecha: { column: 'payment_batches.fecha', kind: 'date' },
  estado: createUnindexedSort(
    'number',
    sql`case payment_batches.estado ${sql.join(
      BATCH_STATES.map((state, index) => sql`when ${sql.lit(state)} then ${sql.lit(index)}`),
      sql` `,
    )} end`,
  ),
  origenderecursonombre: createUnindexedSort(
    'text',
    foldedNameSubquery(fundingSources, 'payment_batches.origenderecursoId'),
  ),
  author: createUnindexedSort(
    'text',
    sql`(select username from users where users.id = payment_batches."createdBy")`,
  ),
  comments: createUnindexedSort('text', foldedSortExpression('payment_batches.comments')),
  count: createUnindexedSort('number', linesExpression('count(*)')),
  suppliers: createUnindexedSort('number', linesExpression('count(distinct "supplierId")')),
  total: createUnindexedSort('number', linesExpression('coalesce(sum("amountCents"), 0)')),
};

/** This is isHeldLine (shared/payment-batches.ts) in SQL. @param linesAlias the table's name in the query */
export const lineHeldCondition = (db: Db, linesAlias: string) => sql<SqlBool>`(
  ${sql.ref(`${linesAlias}.verdict`)} like '%"impedir"%' and exists (
    select 1 from ${expandJsonColumnList(db, `${linesAlias}.verdict`, 'findings')} where item.value ->> 'level' = 'impedir'
      and ',' || coalesce(${sql.ref(`${linesAlias}.permittedFor`)}, '') || ',' not like '%,' || (item.value ->> 'code') || ',%'))`;

const linePaidCondition = 'exists (select 1 from payments where payments.id = lines."paymentId")';

/** Sums the lines of a sent batch that are neither paid nor returned by the bank. */
const sumOpenSentLines = (condition: RawBuilder<unknown>) =>
  linesExpression(sql`coalesce(sum(case when payment_batches.estado = 'enviada' and lines."movementId" is null
    and ${lineUnpaidCondition('lines')} and ${condition} then lines."amountCents" end), 0)`);

const selectBatchColumns = (db: Db, query: BatchQueryBuilder) =>
  query
    .innerJoin('funding_sources', 'funding_sources.id', 'payment_batches.origenderecursoId')
    .innerJoin('users as authors', 'authors.id', 'payment_batches.createdBy')
    .innerJoin('users as editors', 'editors.id', 'payment_batches.editedBy')
    .leftJoin('users as senders', 'senders.id', 'payment_batches.sentBy')
    .leftJoin('users as payers', 'payers.id', 'payment_batches.paidBy')
    .select([
      'payment_batches.id',
      'payment_batches.fecha',
      'payment_batches.origenderecursoId',
      'funding_sources.origenderecursonombre',
      'payment_batches.estado',
      'payment_batches.comments',
      'payment_batches.createdBy',
      'authors.username as author',
      'payment_batches.editedBy',
      'editors.username as editor',
      'payment_batches.sentBy',
      'senders.username as sender',
      'payment_batches.sentOn',
      'payment_batches.paidAt',
      'payers.username as payer',
      'payment_batches.createdAt',
      'payment_batches.updatedAt',
      'payment_batches.version',
    ])
    .select([
      linesExpression('count(*)').as('count'),
      linesExpression('count(distinct "supplierId")').as('suppliers'),
      linesExpression('coalesce(sum("amountCents"), 0)').as('totalCents'),
      linesExpression(`coalesce(sum(case when ${linePaidCondition} then "amountCents" end), 0)`).as(
        'paidCents',
      ),
      linesExpression(
        sql`coalesce(sum(case when ${lineHeldCondition(db, 'lines')} then lines."amountCents" end), 0)`,
      ).as('heldCents'),
      linesExpression('coalesce(sum(case when "refusedAt" is not null then "amountCents" end), 0)').as(
        'refusedCents',
      ),
      sumOpenSentLines(sql`"sentAt" is not null`).as('atBankCents'),
      sumOpenSentLines(sql`"sentAt" is null and not ${lineHeldCondition(db, 'lines')}`).as('unsentCents'),
    ])
    .$castTo<PaymentBatch>();

type LineRow = Omit<BatchLine, 'verdict' | 'permit' | 'foreign'> & {
  verdict: string;
  moneda: string | null;
  tipocambio: string | null;
  paidForeignCents: Cents | null;
  bankCents: Cents | null;
  permittedBy: number | null;
  permitter: string | null;
  permittedAt: Instant | null;
  permittedFor: string | null;
  permitReason: string | null;
};

async function readLines(db: Db, batchId: number): Promise<BatchLine[]> {
  const { rows } = await sql<LineRow>`
    select lines."invoiceId", lines."supplierId", suppliers.suppliername, suppliers.rfc, invoices.numfactura,
      jobs.jobtitle, invoices.vence, invoices."totalCents",
      invoices."totalCents" - invoices."paidCents" as "pendingCents", lines."amountCents",
      invoices.moneda, invoices.tipocambio, payments."importemonedaCents" as "paidForeignCents",
      coalesce(payments."importebancoCents", payments."amountCents") as "bankCents",
      payments.id as "paymentId", coalesce(payments.checknum, '') as checknum, lines."movementId",
      lines."refusedAt", lines."sentAt", lines.verdict,
      lines."permittedBy", users.username as permitter, lines."permittedAt", lines."permittedFor", lines."permitReason"
    from payment_batch_lines lines
    join invoices on invoices.id = lines."invoiceId"
    join suppliers on suppliers.id = lines."supplierId"
    join jobs on jobs.id = invoices."jobId"
    left join payments on payments.id = lines."paymentId"
    left join users on users.id = lines."permittedBy"
    where lines."batchId" = ${batchId}
    order by suppliers."suppliernameFold", lines."supplierId", invoices.vence, lines."invoiceId"`.execute(db);
  const owed = rows.map(({ invoiceId: id, totalCents, pendingCents, moneda, tipocambio }) => ({
    ...{ id, totalCents, moneda, tipocambio },
    paidCents: totalCents - pendingCents,
  }));
  const remaining = await readRemainingForeign(db, owed);
  return rows.map((row) => toLine(row, remaining.get(row.invoiceId) ?? 0));
}

function toLine(row: LineRow, remainingCents: Cents): BatchLine {
  const { moneda, tipocambio, paidForeignCents, bankCents, ...stored } = row;
  const { verdict, permittedBy, permitter, permittedAt, permittedFor, permitReason, ...line } = stored;
  const { amountCents, pendingCents } = line;
  const permit =
    permittedBy === null
      ? null
      : {
          userId: permittedBy,
          username: permitter!,
          at: permittedAt!,
          codes: permittedFor!.split(','),
          reason: permitReason!,
        };
  const computeForeignCents = () =>
    line.paymentId === null
      ? convertPaymentToForeign(amountCents, { pendingCents, remainingCents }, tipocambio!).cents
      : (paidForeignCents ?? toForeignCents(amountCents, tipocambio!));
  const foreign =
    moneda === null ? null : { moneda, tipocambio: tipocambio!, cents: computeForeignCents(), bankCents };
  return { ...line, foreign, verdict: JSON.parse(verdict) as Verdict, permit };
}

async function readEditors(db: Db, batchId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('payment_batch_editors')
    .select('userId')
    .where('batchId', '=', batchId)
    .execute();
  return rows.map(({ userId }) => userId);
}

async function readSignatures(db: Db, batchId: number): Promise<BatchSignature[]> {
  const rows = await db
    .selectFrom('payment_batch_signatures')
    .innerJoin('users', 'users.id', 'payment_batch_signatures.userId')
    .select(['payment_batch_signatures.userId', 'users.username', 'users.active', 'at'])
    .select(({ selectFrom, exists }) =>
      exists(
        selectFrom('user_roles')
          .select('roleId')
          .whereRef('user_roles.userId', '=', 'users.id')
          .where('roleId', 'in', AREA_ROLES.approval),
      ).as('mayApprove'),
    )
    .where('batchId', '=', batchId)
    .orderBy('at')
    .orderBy('payment_batch_signatures.userId')
    .execute();
  const noteOf = await loadSignatureNoteLookup(db, 'payment-batches', rows.length > 0 ? [batchId] : []);
  return rows.map(({ active, mayApprove, ...signature }) => ({
    ...signature,
    isCurrent: active === 1 && Boolean(mayApprove),
    note: noteOf(batchId, signature.userId, signature.at),
  }));
}

/** Finds which of these batches have a signature with a note: see `loadSignatureNoteLookup`. */
export async function readIdsWithSignatureNotes(db: Db, ids: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<{ batchId: number }>`
    select distinct s."batchId" from payment_batch_signatures s join audit on entity = 'payment-batches'
      and "entityId" = cast(s."batchId" as text) and action = 'sign' and audit."userId" = s."userId" and audit.at = s.at
    where ${isOneOf(db, 's.batchId', ids)}`.execute(db);
  return new Set(rows.map(({ batchId }) => batchId));
}

async function readFiles(db: Db, batchId: number): Promise<BatchFile[]> {
  const files = await db
    .selectFrom('payment_batch_files as files')
    .innerJoin('users', 'users.id', 'files.userId')
    .select(['files.id', 'layout', 'filename', 'sha256', 'transfers', 'totalCents'])
    .select(['users.username', 'files.createdAt', 'layoutSha256'])
    .leftJoin('users as authors', 'authors.id', 'files.layoutBy')
    .leftJoin('users as confirmers', 'confirmers.id', 'files.layoutConfirmedBy')
    .select(['authors.username as layoutAuthor', 'confirmers.username as layoutConfirmer'])
    .where('batchId', '=', batchId)
    .orderBy('files.id')
    .execute();
  if (files.length === 0) return [];
  const downloads = await db
    .selectFrom('payment_batch_downloads as downloads')
    .innerJoin('users', 'users.id', 'downloads.userId')
    .select(['downloads.fileId', 'users.username', 'downloads.at'])
    .where('fileId', 'in', idsOf(files))
    .orderBy('downloads.id')
    .execute();
  const byFile = Map.groupBy(downloads, ({ fileId }) => fileId);
  return files.map((file) => ({
    ...file,
    downloads: (byFile.get(file.id) ?? []).map(({ username, at }) => ({ username, at })),
  }));
}
