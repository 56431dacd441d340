import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { isOneOf, isOneOfTexts } from '../../../db/expressions.ts';
import type { Db } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import { catchDomainError } from '../../../shared/errors.ts';
import type { Cents } from '../../../shared/money.ts';
import { bankAmountOf } from '../../../shared/payments.ts';
import type { Period } from '../../../shared/periods.ts';
import { pages } from '../../../shared/urls.ts';
import { toCents } from '../../formats/cfdi/attribute-values.ts';
import { type CfdiDocument, readCfdi } from '../../formats/cfdi/document.ts';
import { readTaxParts, type TaxParts, type TaxPartsProblem } from '../../formats/cfdi/tax-parts.ts';
import { assessWithholdings, type Withholding } from '../../formats/cfdi/withholdings.ts';

export interface CfdiFacts
  extends Pick<CfdiDocument, 'uuid' | 'emisor' | 'receptor' | 'regimenFiscal' | 'fecha' | 'moneda'> {
  totalCents: Cents;
  taxParts: TaxParts | TaxPartsProblem;
  withholdings: Withholding[];
}

/** A payment, an applied credit note or an expense of petty cash, with the CFDI that it is for. */
export interface PaymentWithCfdi {
  tipo: 'pago' | 'nota' | 'gasto';
  id: number;
  fecha: PlainDate;
  proveedor: string;
  rfc: string | null;
  /** null for an expense of petty cash, which has no supplier */
  supplierId: number | null;
  /** the tax regime stored with the supplier */
  regimenFiscal: string | null;
  /** the number of the invoice, or what the expense was for */
  documento: string;
  href: string;
  /** in Mexican pesos, unless `lacksPesoAmount`; for a payment, the amount that left the bank */
  importeCents: Cents;
  uuid: string | null;
  isCancelled: boolean;
  /** the payment was in another currency, and nobody stated how many pesos left the bank */
  lacksPesoAmount: boolean;
  /** absent if the XML is not stored */
  cfdi?: CfdiFacts;
  creditNote?: CfdiFacts;
}

/** First payments and applied credit notes by their day, then petty cash expenses by theirs. */
export async function readPaymentsWithCfdi(db: Db, { from, to }: Period): Promise<PaymentWithCfdi[]> {
  const { rows: payments } = await sql<PaymentRow>`
    select p.id, p.kind, p.paymentdate as fecha, p."amountCents", p."importebancoCents",
      i.id as "invoiceId", i.numfactura as documento, i.uuid, i.moneda, s.suppliername as proveedor, s.rfc, s.id as "supplierId",
      s."regimenFiscal", d.detail, n.sha256 as "noteSha256", x."canceladoVisto"
    from payments p join invoices i on i.id = p."facturaproveedorId" join suppliers s on s.id = i."supplierId"
    left join cfdi_documents d on d."invoiceId" = i.id left join credit_notes n on n.id = p."creditNoteId"
    left join sat_documents x on x.uuid = i.uuid
    where p.paymentdate >= ${from} and p.paymentdate <= ${to} order by p.paymentdate, p.id`.execute(db);
  const { rows: expenses } = await sql<ExpenseRow>`
    select m.id, m.fecha, m.concepto as documento, m.beneficiario as proveedor, m."importeCents", m.uuid,
      x."canceladoVisto", (select max(a.sha256) from attachments a where a."movementId" = m.id and a.kind = 'cfdi')
        as sha256
    from petty_cash_movements m left join sat_documents x on x.uuid = m.uuid
    where m.tipo = 'gasto' and m.fecha >= ${from} and m.fecha <= ${to} order by m.fecha, m.id`.execute(db);
  const hashes = payments.map(({ detail }) => parseDetailSha256(detail));
  const facts = await readCfdiFacts(
    db,
    [...hashes, ...payments.map((one) => one.noteSha256), ...expenses.map((one) => one.sha256)].flatMap(
      (sha256) => sha256 ?? [],
    ),
  );
  const of = (sha256: string | null | undefined, uuid?: string | null) => {
    const found = facts.get(sha256 ?? '');
    return found && (uuid === undefined || found.uuid === uuid) ? found : undefined;
  };
  return [
    ...payments.map((row, index): PaymentWithCfdi => {
      const { kind, invoiceId, moneda, importebancoCents, canceladoVisto, noteSha256, ...rest } = row;
      const isNote = kind === 'credito';
      return {
        ...{ id: rest.id, fecha: rest.fecha, proveedor: rest.proveedor, rfc: rest.rfc, uuid: rest.uuid },
        ...{ supplierId: rest.supplierId, regimenFiscal: rest.regimenFiscal },
        ...{ tipo: isNote ? 'nota' : 'pago', documento: rest.documento, href: pages.editInvoice(invoiceId) },
        importeCents: isNote ? rest.amountCents : bankAmountOf(row),
        isCancelled: canceladoVisto !== null,
        lacksPesoAmount: isNote
          ? (moneda ?? importebancoCents) !== null
          : moneda !== null && importebancoCents === null,
        cfdi: of(hashes[index], rest.uuid),
        creditNote: of(noteSha256),
      };
    }),
    ...expenses.map(
      ({ canceladoVisto, sha256, ...rest }): PaymentWithCfdi => ({
        ...rest,
        ...{
          tipo: 'gasto',
          rfc: null,
          supplierId: null,
          regimenFiscal: null,
          href: pages.pettyCashMovement(rest.id),
          lacksPesoAmount: false,
        },
        isCancelled: canceladoVisto !== null,
        cfdi: of(sha256, rest.uuid),
      }),
    ),
  ];
}

interface PaymentRow
  extends Pick<
    PaymentWithCfdi,
    'id' | 'fecha' | 'proveedor' | 'rfc' | 'supplierId' | 'regimenFiscal' | 'documento' | 'uuid'
  > {
  kind: 'pago' | 'credito';
  amountCents: Cents;
  importebancoCents: Cents | null;
  invoiceId: number;
  moneda: string | null;
  detail: string | null;
  noteSha256: string | null;
  canceladoVisto: PlainDate | null;
}

interface ExpenseRow
  extends Pick<PaymentWithCfdi, 'id' | 'fecha' | 'proveedor' | 'documento' | 'importeCents' | 'uuid'> {
  sha256: string | null;
  canceladoVisto: PlainDate | null;
}

/** Keyed by invoice id. Invoices whose XML is not stored are left out. */
export async function readInvoiceCfdiFacts(db: Db, ids: readonly number[]): Promise<Map<number, CfdiFacts>> {
  if (ids.length === 0) return new Map();
  const documents = db.selectFrom('cfdi_documents').select(['invoiceId', 'detail']);
  const rows = await documents.where(isOneOf(db, 'invoiceId', ids)).execute();
  const hashes = rows.map(({ detail }) => parseDetailSha256(detail) ?? '');
  const facts = await readCfdiFacts(db, hashes);
  return new Map(
    rows.flatMap(({ invoiceId }, index) => {
      const found = facts.get(hashes[index]!);
      return found ? [[invoiceId, found] as const] : [];
    }),
  );
}

const parseDetailSha256 = (detail: string | null) =>
  detail && (JSON.parse(detail) as { sha256?: string }).sha256;

/** Keyed by the SHA-256 of the file, so that an entry never becomes outdated. */
const cfdiFactsCache = new Map<string, CfdiFacts>();
const MAX_CACHED_FACTS = 20_000;
/** After this many files, other requests get their turn. */
const FILES_PER_READ = 25;

/** Leaves out documents that are not on file, or cannot be read. */
async function readCfdiFacts(db: Db, hashes: readonly string[]): Promise<Map<string, CfdiFacts>> {
  const found = new Map<string, CfdiFacts>();
  const unread: string[] = [];
  for (const sha256 of new Set(hashes)) {
    const known = cfdiFactsCache.get(sha256);
    if (known) found.set(sha256, known);
    else unread.push(sha256);
  }
  for (let from = 0; from < unread.length; from += FILES_PER_READ) {
    const part = unread.slice(from, from + FILES_PER_READ);
    if (from > 0) await setImmediate();
    const files = db
      .selectFrom('files')
      .select(['sha256', 'bytes'])
      .where(isOneOfTexts(db, 'sha256', part));
    for (const { sha256, bytes } of await files.execute()) {
      const facts = parseCfdiFacts(bytes);
      if (facts) found.set(sha256, facts);
    }
  }
  if (cfdiFactsCache.size + unread.length > MAX_CACHED_FACTS) cfdiFactsCache.clear();
  for (const sha256 of unread.slice(0, MAX_CACHED_FACTS)) {
    const facts = found.get(sha256);
    if (facts) cfdiFactsCache.set(sha256, facts);
  }
  return found;
}

function parseCfdiFacts(bytes: Uint8Array): CfdiFacts | undefined {
  return catchDomainError(() => {
    const document = readCfdi(bytes);
    const { uuid, emisor, receptor, regimenFiscal, fecha, moneda } = document;
    const facts = {
      uuid,
      emisor,
      receptor,
      regimenFiscal,
      fecha,
      moneda,
      totalCents: toCents(document.total),
    };
    return { ...facts, taxParts: readTaxParts(document), withholdings: assessWithholdings(document) };
  });
}
