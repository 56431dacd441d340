import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Db, Schema } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import { toForeignCents } from '../../../shared/foreign-amounts.ts';
import type { Cents } from '../../../shared/money.ts';
import { monthPeriodOf, type Period } from '../../../shared/periods.ts';
import { keysOf } from '../../../shared/record-fields.ts';
import { normalizeRfc } from '../../../shared/rfc.ts';
import type { CfdiKind } from '../../formats/cfdi/kinds.ts';
import { Replacements } from '../document-relations.ts';
import type { Settings } from '../settings/definitions.ts';
import { readSettings } from '../settings/settings.ts';
import { CROSS_CHECK_GROUP_LABELS, type CrossCheckGroupName, type FiscalState } from './labels.ts';
import { matchInvoicesWithoutUuid } from './link-without-uuid.ts';
import { fiscalTexts as texts } from './texts.ts';

/** A document of the SAT, with the row of Saldo that has its UUID. */
export interface CrossCheckRow {
  uuid: string;
  rfc: string;
  nombre: string;
  fecha: PlainDate;
  efecto: CfdiKind;
  /** in the document's currency, as the SAT has it */
  montoSatCents: Cents;
  /** in the same currency, as captured in Saldo; null for a document that is not captured, and for a receipt (REP) */
  montoSaldoCents: Cents | null;
  estatus: 'vigente' | 'cancelado';
  fechaCancelacion: PlainDate | null;
  /** the captured row with the same UUID, or an invoice without UUID that matches */
  own: CapturedDocument | null;
  facturaproveedorId: number | null;
  /** how much of the invoice has been paid, in pesos; null if the row is no invoice */
  pagadoCents: Cents | null;
  sustituidoPor: string[];
}

interface CapturedDocument {
  noun: 'invoices' | 'credit-notes' | 'payment-receipts' | 'petty-cash';
  id: number;
  name: string;
  version?: number;
}

export interface CrossCheckGroup {
  cuenta: number;
  totalCents: Cents;
  rows: CrossCheckRow[];
}

export type CrossCheck = Record<CrossCheckGroupName, CrossCheckGroup> & {
  month: Period;
  /** the imported metadata files of the SAT whose days overlap the month, newest first */
  cortes: MetadataImport[];
  sat: Omit<CrossCheckGroup, 'rows'>;
};

export interface MetadataImport {
  id: number;
  archivo: string;
  cargado: string;
  filas: number;
  visto: PlainDate;
  isFinished: boolean;
}

const comparePaidFirst = (one: CrossCheckRow, other: CrossCheckRow): number =>
  Number((one.pagadoCents ?? 0) === 0) - Number((other.pagadoCents ?? 0) === 0);

/** Documents of any month that are captured in Saldo and cancelled at the SAT, those with payments first. */
export async function readDocumentsCancelledInSat(db: Db): Promise<CrossCheckGroup> {
  const documents = await readSatDocuments(
    db,
    sql`s."canceladoVisto" is not null and coalesce(i.id, n.id, r.id, m.id) is not null
      order by s."canceladoVisto", s.uuid`,
  );
  const replacements = await readReplacements(db, documents);
  return toGroup(documents.map((document) => toCrossCheckRow(document, replacements)).sort(comparePaidFirst));
}

/** Counts the invoices of `readDocumentsCancelledInSat`, of which `paid` have payments. */
export async function countCancelledInvoices(db: Db) {
  const { rows } = await sql<{
    count: number;
    paid: number;
    totalCents: Cents;
    day: PlainDate | null;
    id: number | null;
  }>`
    select count(*) as count, count(case when i."paidCents" > 0 then 1 end) as paid,
      coalesce(sum(i."totalCents"), 0) as "totalCents",
      cast(max(s."canceladoVisto") as text) as day, max(i.id) as id
    from sat_documents s join invoices i on i.uuid = s.uuid where s."canceladoVisto" is not null`.execute(db);
  const { count, paid, totalCents, day, id } = rows[0]!;
  return { count: Number(count), paid: Number(paid), totalCents, newest: { day: day ?? '', id: id ?? 0 } };
}

/** @throws DomainError conflict rfc_missing where the firm's own RFC is not known */
export async function requireSettingsWithRfc(db: Db): Promise<Settings> {
  const settings = await readSettings(db);
  if (!settings.rfc) throw new DomainError('conflict', texts.rfcMissing, { code: 'rfc_missing' });
  return settings;
}

/** @throws DomainError conflict rfc_missing */
export const requireCrossCheck = async (db: Db, month: Period): Promise<CrossCheck> =>
  readCrossCheck(db, month, await requireSettingsWithRfc(db));

/** @param mes 2026-11; without it, the month of today */
export const resolveMonth = (mes: string | undefined, today: PlainDate): Period =>
  monthPeriodOf(mes ? `${mes}-01` : today);

/**
 * Compares the documents of a month that the SAT has with the rows in Saldo, by UUID. Every document is in one of four
 * groups: `iguales` + `difieren` + `faltan` + `ajenos`. Without the firm's own RFC every document that is not stored is
 * among the `ajenos`.
 */
export async function readCrossCheck(
  db: Db,
  month: Period,
  { rfc }: Pick<Settings, 'rfc'>,
): Promise<CrossCheck> {
  const groups = Object.fromEntries(
    keysOf(CROSS_CHECK_GROUP_LABELS).map((name) => [name, { cuenta: 0, totalCents: 0, rows: [] }]),
  ) as unknown as Record<CrossCheckGroupName, CrossCheckGroup>;
  const sat = { cuenta: 0, totalCents: 0 };
  const add = (name: CrossCheckGroupName, row: CrossCheckRow) => {
    const group = groups[name];
    group.rows.push(row);
    group.cuenta += 1;
    group.totalCents += row.montoSatCents;
  };
  const ownRfc = normalizeRfc(rfc);
  const documents = await readSatDocuments(
    db,
    sql`s.fecha >= ${month.from} and s.fecha <= ${month.to} order by s.fecha, s.uuid`,
  );
  const replacements = await readReplacements(db, documents);
  for (const document of documents) {
    const row = toCrossCheckRow(document, replacements);
    sat.cuenta += 1;
    sat.totalCents += row.montoSatCents;
    add(classifyDocument(document, row, ownRfc), row);
    if (row.own && row.estatus === 'cancelado') add('cancelados', row);
  }
  groups.cancelados.rows.sort(comparePaidFirst);
  for (const { row, invoice } of await matchInvoicesWithoutUuid(db, month, groups.faltan.rows)) {
    const { id, numfactura: name, version, paidCents } = invoice;
    const own = { noun: 'invoices', id, name, version } as const;
    const found = { montoSaldoCents: row.montoSatCents, facturaproveedorId: id, pagadoCents: paidCents };
    add('sinUuid', { ...row, ...found, own });
  }
  return { month, cortes: await readMetadataImports(db, month), sat, ...groups };
}

interface SatDocument extends Omit<Selectable<Schema['sat_documents']>, 'vigenteVisto'> {
  noun: CapturedDocument['noun'] | null;
  ownId: number;
  ownName: string;
  ownRfc: string | null;
  ownCents: Cents;
  paidCents: Cents | null;
  tipocambio: string | null;
  /** JSON with the total in the document's currency; null: the row is in pesos, or was captured without its XML */
  detail: string | null;
}

/** At most one invoice, note, receipt or expense has the UUID of a document: the rules of each ensure it. */
async function readSatDocuments(db: Db, chosen: RawBuilder<unknown>): Promise<SatDocument[]> {
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

function toCrossCheckRow(document: SatDocument, replacements: Replacements): CrossCheckRow {
  const { uuid, rfcEmisor: rfc, noun, ownId: id, ownName: name } = document;
  return {
    ...{ uuid, rfc, nombre: document.nombreEmisor, fecha: document.fecha, efecto: document.efecto },
    montoSatCents: document.montoCents,
    montoSaldoCents:
      noun === null || noun === 'payment-receipts' ? null : ownCentsInDocumentCurrency(document),
    estatus: document.canceladoVisto === null ? 'vigente' : 'cancelado',
    fechaCancelacion: document.fechaCancelacion,
    own: noun && { noun, id, name },
    facturaproveedorId: noun === 'invoices' ? id : null,
    pagadoCents: document.paidCents,
    sustituidoPor: replacements.findSuccessors({ uuid, rfc }).map((one) => one.uuid),
  };
}

/** The SAT states its amount in the document's currency. */
function ownCentsInDocumentCurrency({ detail, ownCents, tipocambio }: SatDocument): Cents {
  const stated = detail && (JSON.parse(detail) as { totalCents?: Cents }).totalCents;
  if (typeof stated === 'number') return stated;
  return tipocambio ? toForeignCents(ownCents, tipocambio) : ownCents;
}

/** Payroll (nómina) and transport documents (traslado) are not captured: nothing is paid for them. */
const UNCAPTURED_KINDS: ReadonlySet<CfdiKind> = new Set(['N', 'T']);

function classifyDocument(document: SatDocument, row: CrossCheckRow, ownRfc: string): CrossCheckGroupName {
  if (!row.own)
    return document.rfcReceptor !== ownRfc || UNCAPTURED_KINDS.has(document.efecto) ? 'ajenos' : 'faltan';
  const isOtherIssuer = document.ownRfc !== null && normalizeRfc(document.ownRfc) !== document.rfcEmisor;
  const isOtherAmount = row.montoSaldoCents !== null && row.montoSaldoCents !== row.montoSatCents;
  return isOtherIssuer || isOtherAmount ? 'difieren' : 'iguales';
}

async function readMetadataImports(db: Db, { from, to }: Period): Promise<MetadataImport[]> {
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

/** The most urgent group comes first. */
export const PENDING_GROUPS = [
  'cancelados',
  'difieren',
  'sinUuid',
  'faltan',
] as const satisfies readonly CrossCheckGroupName[];

/** Leaves out of `faltan` the documents that `sinUuid` lists too, because they are to be linked, not imported. */
export function excludeRepeatedDocuments(crossCheck: CrossCheck, name: CrossCheckGroupName): CrossCheckGroup {
  if (name !== 'faltan') return crossCheck[name];
  const fitting = new Set(crossCheck.sinUuid.rows.map(({ uuid }) => uuid));
  const rows = crossCheck.faltan.rows.filter(({ uuid }) => !fitting.has(uuid));
  return toGroup(rows);
}

const toGroup = (rows: CrossCheckRow[]): CrossCheckGroup => ({
  cuenta: rows.length,
  totalCents: rows.reduce((sum, { montoSatCents }) => sum + montoSatCents, 0),
  rows,
});

/** There is nothing to do about a document that was cancelled and never captured. */
const isPendingDocument = ({ own, estatus }: CrossCheckRow): boolean => own !== null || estatus === 'vigente';

export function crossCheckStateOf(crossCheck: CrossCheck): FiscalState {
  if (crossCheck.cortes.length === 0 || crossCheck.cortes.some(({ isFinished }) => !isFinished))
    return 'abierto';
  return PENDING_GROUPS.some((name) => crossCheck[name].rows.some(isPendingDocument))
    ? 'pendientes'
    : 'cuadrado';
}
