import { sql } from 'kysely';
import type { Db } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { addDays, daysBetween, type PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import { toForeignCents } from '../../../shared/foreign-amounts.ts';
import type { Invoice } from '../../../shared/invoices.ts';
import type { Cents } from '../../../shared/money.ts';
import type { Period } from '../../../shared/periods.ts';
import { normalizeRfc } from '../../../shared/rfc.ts';
import { normalizeUuid } from '../../../shared/text.ts';
import type { CfdiKind } from '../../formats/cfdi/kinds.ts';
import { requireArea } from '../area-access.ts';
import type { Actor } from '../audit/audit.ts';
import { linkCfdi } from '../invoices/invoices.ts';
import { getInvoice } from '../invoices/reading.ts';
import { appendToMapEntry, lockRow } from '../stored-rows.ts';
import { fiscalTexts as texts } from './texts.ts';

/** An invoice may be captured under another day than that of its document. */
const MAX_DAYS_APART = 10;

interface MissingDocument {
  rfc: string;
  fecha: PlainDate;
  efecto: CfdiKind;
  montoSatCents: Cents;
  estatus: 'vigente' | 'cancelado';
}

interface UnstampedInvoice {
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
 * Links an invoice without UUID to a SAT document with its supplier's RFC, its total and a day within ten of its own.
 * @throws DomainError not-found, stale, invalid (bad_value: no match any more), conflict (uuid_taken, closed_period)
 */
export async function linkDocument(
  db: Db,
  actor: Actor,
  link: { uuid?: string | undefined; facturaproveedorId?: number | null; version?: number | undefined },
): Promise<Invoice> {
  requireArea(actor, 'fiscal');
  const { facturaproveedorId: id, version } = link;
  const uuid = normalizeUuid(link.uuid ?? '');
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
      computeTotalInInvoiceCurrency(invoice) === montoCents &&
      fechaemision !== null &&
      areDaysNear(fechaemision, fecha);
    if (!fits) throw new DomainError('invalid', texts.doesNotFit, { code: 'bad_value' });
    return linkCfdi(trx, actor, id, uuid, version);
  });
}

const areDaysNear = (one: PlainDate, other: PlainDate): boolean =>
  Math.abs(daysBetween(one, other)) <= MAX_DAYS_APART;

/** Matches invoices without UUID with documents by RFC, total and day, only where one invoice fits one document. */
export async function matchInvoicesWithoutUuid<Document extends MissingDocument>(
  db: Db,
  { from, to }: Period,
  missingDocuments: readonly Document[],
): Promise<{ row: Document; invoice: UnstampedInvoice }[]> {
  const wanted = missingDocuments.filter(({ efecto, estatus }) => efecto === 'I' && estatus === 'vigente');
  if (wanted.length === 0) return [];
  const { rows: unstamped } = await sql<UnstampedInvoice>`
    select i.id, i.numfactura, i.version, s.rfc, i.fechaemision, i."totalCents", i."paidCents", i.tipocambio
    from invoices i join suppliers s on s.id = i."supplierId"
    where i.uuid is null and s.rfc <> '' and i.fechaemision >= ${addDays(from, -MAX_DAYS_APART)}
      and i.fechaemision <= ${addDays(to, MAX_DAYS_APART)}`.execute(db);
  const byKey = new Map<string, UnstampedInvoice[]>();
  for (const invoice of unstamped)
    appendToMapEntry(
      byKey,
      matchKey(normalizeRfc(invoice.rfc), computeTotalInInvoiceCurrency(invoice)),
      invoice,
    );
  const found = wanted.flatMap((row) => {
    const near = (byKey.get(matchKey(row.rfc, row.montoSatCents)) ?? []).filter(({ fechaemision }) =>
      areDaysNear(fechaemision, row.fecha),
    );
    return near.length === 1 ? [{ row, invoice: near[0]! }] : [];
  });
  const uses = new Map<number, number>();
  for (const { invoice } of found) uses.set(invoice.id, (uses.get(invoice.id) ?? 0) + 1);
  return found.filter(({ invoice }) => uses.get(invoice.id) === 1);
}

const computeTotalInInvoiceCurrency = ({
  totalCents,
  tipocambio,
}: Pick<UnstampedInvoice, 'totalCents' | 'tipocambio'>): Cents =>
  tipocambio ? toForeignCents(totalCents, tipocambio) : totalCents;

const matchKey = (rfc: string, cents: Cents): string => `${rfc} ${cents}`;
