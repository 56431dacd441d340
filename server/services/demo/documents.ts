import { createHash } from 'node:crypto';
import type { Trx } from '../../../db/schema.ts';
import { addDays } from '../../../shared/dates.ts';
import { moneyText } from '../../../shared/money.ts';
import { plainText } from '../../../shared/remarks.ts';
import { attachFile } from '../attachments.ts';
import type { Actor } from '../audit/audit.ts';
import { importCfdi } from '../cfdi/import.ts';
import { companyFile } from './files.ts';

/** In the order in which they come: of an invoice the rubro of what it brings, and the day on which it came. */
const DOCUMENTS: readonly (readonly [name: string, rubro?: string, received?: number])[] = [
  ['NC-104'],
  ['CP-7741', 'Concreto', -11],
  ['MC-30218', 'Cemento y agregados', -5],
  ['V-1187', 'Instalación eléctrica', -3],
  ['AT-5520', 'Acero', -2],
  ['NC-88'],
  ['P-902'],
];

/**
 * What the last days brought as CFDI, for the newest work that is under way: an invoice paid in parts with its PDF and
 * the receipt of its first payment, one with several rates, one in dollars, one with a credit note. An older credit note
 * is applied to nothing.
 */
export async function loadDocuments(trx: Trx, actor: Actor): Promise<void> {
  const { today } = actor;
  const jobs = trx.selectFrom('jobs').select('id').where('jobstartdate', '<=', today);
  const { id: jobId } = await jobs.orderBy('jobstartdate', 'desc').limit(1).executeTakeFirstOrThrow();
  const rubros = await trx.selectFrom('rubros').select(['id', 'nombrerubro']).execute();
  const source = await trx.selectFrom('funding_sources').select('id').orderBy('id').executeTakeFirstOrThrow();
  for (const [name, rubro, received] of DOCUMENTS) {
    const [invoiceId] = await load(trx, actor, [[`${name}.xml`, companyFile(`${name}.xml`, today)]], {
      jobId,
      rubroId: rubros.find(({ nombrerubro }) => nombrerubro === rubro)?.id,
      fecharecepcion: received === undefined ? undefined : addDays(today, received),
      fundingSourceId: source.id,
    });
    const filename = `${name}.pdf`;
    if (name === 'CP-7741')
      await attachFile(trx, actor, invoiceId!, {
        filename,
        bytes: Buffer.from(companyFile(filename, today)),
      });
  }
}

/** Suppliers send their receipts some weeks after a payment: those of the last twenty days have not come. */
const DAYS_UNTIL_RECEIPT = 20;

/** The receipt of each payment of an invoice that was paid in parts, but of the latest. */
export async function loadReceipts(trx: Trx, actor: Actor): Promise<void> {
  const paid = await trx
    .selectFrom('payments')
    .innerJoin('invoices', 'invoices.id', 'facturaproveedorId')
    .innerJoin('suppliers', 'suppliers.id', 'invoices.supplierId')
    .select(['suppliername', 'suppliers.rfc', 'invoices.uuid as invoiceUuid', 'paymentdate', 'amountCents'])
    .where('metodopago', '=', 'PPD')
    .where('kind', '=', 'pago')
    .where('paymentdate', '<=', addDays(actor.today, -DAYS_UNTIL_RECEIPT))
    .orderBy('payments.id')
    .execute();
  const blank = companyFile('recibo.xml', actor.today);
  const receipts = paid.map(({ amountCents, ...payment }, index) => {
    const name = `P-${501 + index}`;
    const values: Record<string, string | null> = {
      ...payment,
      folio: String(501 + index),
      uuid: uuidOf(name),
      fecha: addDays(payment.paymentdate, 5),
      pagado: moneyText(amountCents),
    };
    return [`${name}.xml`, blank.replace(/\{(\w+)\}/g, (_, key) => values[key]!)] as const;
  });
  // A receipt goes to no obra; it is asked for all the same.
  await load(trx, actor, receipts, { jobId: 0 });
}

/** Always the same one for the same name. */
function uuidOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex').toUpperCase();
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** @returns the ids of the invoices, 0 where a document is none */
async function load(
  trx: Trx,
  actor: Actor,
  files: readonly (readonly [name: string, xml: string])[],
  options: Parameters<typeof importCfdi>[3],
): Promise<number[]> {
  const documents = files.map(([name, xml]) => ({ name, bytes: Buffer.from(xml) }));
  const source = files.length === 1 ? files[0]![0] : 'empresa de demostración';
  const { files: outcomes } = await importCfdi(trx, actor, documents, { ...options, source });
  return outcomes.map(({ file, outcome, reason = '', invoiceId = 0 }) => {
    if (outcome === 'refused') throw new Error(`${file}: ${plainText(reason)}`);
    return invoiceId;
  });
}
