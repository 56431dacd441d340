import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Db, Schema } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { addDays, daysBetween, type PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import { toForeignCents } from '../../../shared/foreign-amounts.ts';
import type { Invoice } from '../../../shared/invoices.ts';
import type { Cents } from '../../../shared/money.ts';
import { monthOf, type Period } from '../../../shared/periods.ts';
import { keysOf } from '../../../shared/record-fields.ts';
import { normalizeRfc } from '../../../shared/rfc.ts';
import { normalizeUuid } from '../../../shared/text.ts';
import type { CfdiKind } from '../../formats/sat/kinds.ts';
import type { Actor } from '../audit/audit.ts';
import { Replacements } from '../document-relations.ts';
import { linkCfdi } from '../invoices/invoices.ts';
import { getInvoice } from '../invoices/reading.ts';
import { requireArea } from '../may-act.ts';
import type { Settings } from '../settings/definitions.ts';
import { readSettings } from '../settings/settings.ts';
import { append, lockRow } from '../stored-rows.ts';
import { CROSS_LABELS, type CrossGroupName } from './labels.ts';
import { fiscalTexts as texts } from './texts.ts';

/** A document of the SAT beside the row of ours that has its UUID. */
export interface CrossRow {
  uuid: string;
  rfc: string;
  nombre: string;
  fecha: PlainDate;
  efecto: CfdiKind;
  /** in the document's currency, as the SAT has it */
  montoSatCents: Cents;
  /** in the same currency, as it is here; null: it is not on file, or a receipt of payments, which has no amount */
  montoSaldoCents: Cents | null;
  estatus: 'vigente' | 'cancelado';
  fechaCancelacion: PlainDate | null;
  /** the row that it is here, or which fits it */
  own: OwnDocument | null;
  facturaproveedorId: number | null;
  /** what has been paid of the invoice, in pesos; null: it is no invoice */
  pagadoCents: Cents | null;
  /** the documents that state that they replace it */
  sustituidoPor: string[];
}

interface OwnDocument {
  noun: 'invoices' | 'credit-notes' | 'payment-receipts' | 'petty-cash';
  id: number;
  name: string;
  version?: number;
}

export interface CrossGroup {
  cuenta: number;
  totalCents: Cents;
  rows: CrossRow[];
}

export type Cross = Record<CrossGroupName, CrossGroup> & {
  month: Period;
  /** the files with documents of the month, newest first */
  cortes: MetadataLoad[];
  sat: Omit<CrossGroup, 'rows'>;
};

export interface MetadataLoad {
  id: number;
  archivo: string;
  cargado: string;
  filas: number;
  visto: PlainDate;
  isFinished: boolean;
}

/** An invoice may be captured under another day than that of its document. */
const MAX_DAYS_APART = 10;

const byPaidFirst = (one: CrossRow, other: CrossRow): number =>
  Number((one.pagadoCents ?? 0) === 0) - Number((other.pagadoCents ?? 0) === 0);

/** The documents of any month that are on file here and cancelled there, the paid ones first. */
export async function readCancelled(db: Db): Promise<CrossGroup> {
  const documents = await readDocuments(
    db,
    sql`s."canceladoVisto" is not null and coalesce(i.id, n.id, r.id, m.id) is not null
      order by s."canceladoVisto", s.uuid`,
  );
  const replacements = await readReplacements(db, documents);
  const rows = documents.map((document) => toCrossRow(document, replacements)).sort(byPaidFirst);
  return {
    cuenta: rows.length,
    totalCents: rows.reduce((sum, { montoSatCents }) => sum + montoSatCents, 0),
    rows,
  };
}

/** Counts the invoices of `readCancelled`, of which `paid` have payments. */
export async function countCancelledInvoices(db: Db) {
  const { rows } = await sql<{ count: number; paid: number; day: PlainDate | null; id: number | null }>`
    select count(*) as count, count(case when i."paidCents" > 0 then 1 end) as paid,
      cast(max(s."canceladoVisto") as text) as day, max(i.id) as id
    from sat_documents s join invoices i on i.uuid = s.uuid where s."canceladoVisto" is not null`.execute(db);
  const { count, paid, day, id } = rows[0]!;
  return { count: Number(count), paid: Number(paid), newest: { day: day ?? '', id: id ?? 0 } };
}

/** @throws DomainError conflict rfc_missing where the firm's own RFC is not known */
export async function requireCross(db: Db, month: Period): Promise<Cross> {
  const settings = await readSettings(db);
  if (!settings.rfc) throw new DomainError('conflict', texts.rfcMissing, { code: 'rfc_missing' });
  return readCross(db, month, settings);
}

/** @param mes 2026-11; without it, the month of today */
export const monthIn = (mes: string | undefined, today: PlainDate): Period =>
  monthOf(mes ? `${mes}-01` : today);

/**
 * Compares the documents of a month that the SAT has with the rows here, by UUID. Every document is in one of four
 * groups: `iguales` + `difieren` + `faltan` + `ajenos`.
 * Without the firm's own RFC no document is known to be the firm's.
 */
export async function readCross(db: Db, month: Period, { rfc }: Pick<Settings, 'rfc'>): Promise<Cross> {
  const groups = Object.fromEntries(
    keysOf(CROSS_LABELS).map((name) => [name, { cuenta: 0, totalCents: 0, rows: [] }]),
  ) as unknown as Record<CrossGroupName, CrossGroup>;
  const sat = { cuenta: 0, totalCents: 0 };
  const add = (name: CrossGroupName, row: CrossRow) => {
    const group = groups[name];
    group.rows.push(row);
    group.cuenta += 1;
    group.totalCents += row.montoSatCents;
  };
  const ownRfc = normalizeRfc(rfc);
  const documents = await readDocuments(
    db,
    sql`s.fecha >= ${month.from} and s.fecha <= ${month.to} order by s.fecha, s.uuid`,
  );
  const replacements = await readReplacements(db, documents);
  for (const document of documents) {
    const row = toCrossRow(document, replacements);
    sat.cuenta += 1;
    sat.totalCents += row.montoSatCents;
    add(groupOf(document, row, ownRfc), row);
    if (row.own && row.estatus === 'cancelado') add('cancelados', row);
  }
  groups.cancelados.rows.sort(byPaidFirst);
  for (const row of await fitWithoutUuid(db, month, groups.faltan.rows)) add('sinUuid', row);
  return { month, cortes: await readLoads(db, month), sat, ...groups };
}

interface SatDocument extends Omit<Selectable<Schema['sat_documents']>, 'vigenteVisto'> {
  noun: OwnDocument['noun'] | null;
  ownId: number;
  ownName: string;
  ownRfc: string | null;
  ownCents: Cents;
  paidCents: Cents | null;
  tipocambio: string | null;
  /** total as the document states it, in its currency; null: it is in pesos, or came without its document */
  detail: string | null;
}

/** A UUID stands in one of these tables at most, as the rules of each see to. */
async function readDocuments(db: Db, chosen: RawBuilder<unknown>): Promise<SatDocument[]> {
  const { rows } = await sql<SatDocument>`
    select s.uuid, s."rfcEmisor", s."nombreEmisor", s."rfcReceptor", s.fecha, s."montoCents", s.efecto,
      s."canceladoVisto", s."fechaCancelacion",
      case when i.id is not null then 'invoices' when n.id is not null then 'credit-notes'
        when r.id is not null then 'payment-receipts' when m.id is not null then 'petty-cash' end as noun,
      coalesce(i.id, n.id, r.id, m.id) as "ownId",
      coalesce(i.numfactura, n.numero, r.numero, m.concepto) as "ownName",
      coalesce(si.rfc, sn.rfc, sr.rfc) as "ownRfc",
      coalesce(i."totalCents", n."totalCents", m."importeCents") as "ownCents",
      i."paidCents", coalesce(i.tipocambio, n.tipocambio) as tipocambio,
      case when i.tipocambio is not null then d.detail when n.tipocambio is not null then n.detail end as detail
    from sat_documents s
    left join invoices i on i.uuid = s.uuid
    left join suppliers si on si.id = i."supplierId"
    left join cfdi_documents d on d."invoiceId" = i.id
    left join credit_notes n on n.uuid = s.uuid
    left join suppliers sn on sn.id = n."supplierId"
    left join payment_receipts r on r.uuid = s.uuid
    left join suppliers sr on sr.id = r."supplierId"
    left join petty_cash_movements m on m.uuid = s.uuid
    where ${chosen}`.execute(db);
  return rows;
}

const readReplacements = (db: Db, documents: readonly SatDocument[]): Promise<Replacements> =>
  Replacements.read(
    db,
    documents.flatMap(({ uuid, canceladoVisto }) => (canceladoVisto ? uuid : [])),
  );

function toCrossRow(document: SatDocument, replacements: Replacements): CrossRow {
  const { uuid, rfcEmisor: rfc, noun, ownId: id, ownName: name } = document;
  return {
    ...{ uuid, rfc, nombre: document.nombreEmisor, fecha: document.fecha, efecto: document.efecto },
    montoSatCents: document.montoCents,
    montoSaldoCents: noun === null || noun === 'payment-receipts' ? null : statedCents(document),
    estatus: document.canceladoVisto === null ? 'vigente' : 'cancelado',
    fechaCancelacion: document.fechaCancelacion,
    own: noun && { noun, id, name },
    facturaproveedorId: noun === 'invoices' ? id : null,
    pagadoCents: document.paidCents,
    sustituidoPor: replacements.findSuccessors({ uuid, rfc }).map((one) => one.uuid),
  };
}

/** In the document's own currency, as the SAT has it. */
function statedCents({ detail, ownCents, tipocambio }: SatDocument): Cents {
  const stated = detail && (JSON.parse(detail) as { totalCents?: Cents }).totalCents;
  if (typeof stated === 'number') return stated;
  return tipocambio ? toForeignCents(ownCents, tipocambio) : ownCents;
}

/** Nothing is captured of nómina and traslado, which pay for nothing. */
const NOT_CAPTURED: ReadonlySet<CfdiKind> = new Set(['N', 'T']);

function groupOf(document: SatDocument, row: CrossRow, ownRfc: string): CrossGroupName {
  if (!row.own)
    return document.rfcReceptor !== ownRfc || NOT_CAPTURED.has(document.efecto) ? 'ajenos' : 'faltan';
  const isOtherIssuer = document.ownRfc !== null && normalizeRfc(document.ownRfc) !== document.rfcEmisor;
  const isOtherAmount = row.montoSaldoCents !== null && row.montoSaldoCents !== row.montoSatCents;
  return isOtherIssuer || isOtherAmount ? 'difieren' : 'iguales';
}

interface Unstamped {
  id: number;
  numfactura: string;
  version: number;
  rfc: string;
  fechaemision: PlainDate;
  totalCents: Cents;
  paidCents: Cents;
  tipocambio: string | null;
}

/**
 * Links an invoice without UUID to the document that it fits: of its supplier's RFC and total, within ten days.
 * @throws DomainError not-found, stale, invalid (bad_value: it fits no longer), conflict (uuid_taken, closed_period)
 */
export async function linkDocument(
  db: Db,
  actor: Actor,
  sent: { uuid?: string | undefined; facturaproveedorId?: number | null; version?: number | undefined },
): Promise<Invoice> {
  requireArea(actor, 'fiscal');
  const { facturaproveedorId: id, version } = sent;
  const uuid = normalizeUuid(sent.uuid ?? '');
  if (!uuid || !id) throw new DomainError('invalid', texts.incompleteLink);
  return inTransaction(db, async (trx) => {
    await lockRow(trx, 'invoices', id);
    const invoice = await getInvoice(trx, id);
    const document = await trx
      .selectFrom('sat_documents')
      .selectAll()
      .where('uuid', '=', uuid)
      .executeTakeFirst();
    if (!document) throw new DomainError('not-found', texts.unknownUuid(uuid));
    const { efecto, canceladoVisto, rfcEmisor, montoCents, fecha } = document;
    const { rfc, fechaemision } = invoice;
    const fits =
      efecto === 'I' &&
      canceladoVisto === null &&
      rfc !== null &&
      normalizeRfc(rfc) === rfcEmisor &&
      ownCurrencyCents(invoice) === montoCents &&
      fechaemision !== null &&
      isNear(fechaemision, fecha);
    if (!fits) throw new DomainError('invalid', texts.doesNotFit, { code: 'bad_value' });
    return linkCfdi(trx, actor, id, uuid, version);
  });
}

const isNear = (one: PlainDate, other: PlainDate): boolean =>
  Math.abs(daysBetween(one, other)) <= MAX_DAYS_APART;

/** Which invoice without UUID is which document: only where one fits one, by RFC, total and day. */
async function fitWithoutUuid(
  db: Db,
  { from, to }: Period,
  missing: readonly CrossRow[],
): Promise<CrossRow[]> {
  const wanted = missing.filter(({ efecto, estatus }) => efecto === 'I' && estatus === 'vigente');
  if (wanted.length === 0) return [];
  const { rows: unstamped } = await sql<Unstamped>`
    select i.id, i.numfactura, i.version, s.rfc, i.fechaemision, i."totalCents", i."paidCents", i.tipocambio
    from invoices i join suppliers s on s.id = i."supplierId"
    where i.uuid is null and s.rfc <> '' and i.fechaemision >= ${addDays(from, -MAX_DAYS_APART)}
      and i.fechaemision <= ${addDays(to, MAX_DAYS_APART)}`.execute(db);
  const byKey = new Map<string, Unstamped[]>();
  for (const invoice of unstamped)
    append(byKey, keyOf(normalizeRfc(invoice.rfc), ownCurrencyCents(invoice)), invoice);
  const found = wanted.flatMap((row) => {
    const near = (byKey.get(keyOf(row.rfc, row.montoSatCents)) ?? []).filter(({ fechaemision }) =>
      isNear(fechaemision, row.fecha),
    );
    return near.length === 1 ? [{ row, invoice: near[0]! }] : [];
  });
  const uses = new Map<number, number>();
  for (const { invoice } of found) uses.set(invoice.id, (uses.get(invoice.id) ?? 0) + 1);
  return found
    .filter(({ invoice }) => uses.get(invoice.id) === 1)
    .map(({ row, invoice: { id, numfactura: name, version, paidCents } }) => ({
      ...row,
      montoSaldoCents: row.montoSatCents,
      own: { noun: 'invoices', id, name, version },
      facturaproveedorId: id,
      pagadoCents: paidCents,
    }));
}

const ownCurrencyCents = ({ totalCents, tipocambio }: Pick<Unstamped, 'totalCents' | 'tipocambio'>): Cents =>
  tipocambio ? toForeignCents(totalCents, tipocambio) : totalCents;

const keyOf = (rfc: string, cents: Cents): string => `${rfc} ${cents}`;

async function readLoads(db: Db, { from, to }: Period): Promise<MetadataLoad[]> {
  const rows = await db
    .selectFrom('sat_loads')
    .selectAll()
    .where('desde', '<=', to)
    .where('hasta', '>=', from)
    .orderBy('id', 'desc')
    .limit(20)
    .execute();
  return rows.map(({ id, filename, createdAt, filas, visto, finishedAt }) => ({
    ...{ id, archivo: filename, cargado: createdAt, filas, visto },
    isFinished: finishedAt !== null,
  }));
}

export interface SatState {
  estatus: 'vigente' | 'cancelado';
  /** the day of the file that says so: the latest that has it as valid, or the first that has it as cancelled */
  visto: PlainDate;
  fechaCancelacion: PlainDate | null;
}

/** @returns null where no file that was loaded has it */
export async function readSatState(db: Db, uuid: string | null): Promise<SatState | null> {
  if (uuid === null) return null;
  const found = await db
    .selectFrom('sat_documents')
    .select(['vigenteVisto', 'canceladoVisto', 'fechaCancelacion'])
    .where('uuid', '=', uuid)
    .executeTakeFirst();
  if (!found) return null;
  const { vigenteVisto, canceladoVisto, fechaCancelacion } = found;
  return canceladoVisto === null
    ? { estatus: 'vigente', visto: vigenteVisto!, fechaCancelacion }
    : { estatus: 'cancelado', visto: canceladoVisto, fechaCancelacion };
}
