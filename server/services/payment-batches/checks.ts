import { sql } from 'kysely';
import { isOneOf } from '../../../db/expressions.ts';
import type { Db } from '../../../db/schema.ts';
import { bankOf, lastOfClabe } from '../../../shared/banks.ts';
import { addDays, addWorkdays, type PlainDate, sayDate } from '../../../shared/dates.ts';
import { NO_RUBRO, numberOrId } from '../../../shared/invoices.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import type { BatchStep, CheckLevel, Finding, Verdict } from '../../../shared/payment-batches.ts';
import { RECEIPT_DAY, receiptsDueUntil } from '../../../shared/payments.ts';
import { monthOf } from '../../../shared/periods.ts';
import { isRfc } from '../../../shared/rfc.ts';
import { payingAccountOf, type SupplierAccount } from '../../../shared/supplier-accounts.ts';
import { pages, withQuery } from '../../../shared/urls.ts';
import { readBudgets } from '../budgets/reading.ts';
import { holdClosing, isClosed, sayClosed } from '../closing/closing.ts';
import { netOf, readCosts } from '../costs.ts';
import { daysAbout, InvoiceBook, type InvoiceOnFile } from '../invoices/book.ts';
import { identityRows, readBook } from '../invoices/book-reading.ts';
import { awaitsReceipt } from '../payments/reading.ts';
import type { SettingKey, Settings } from '../settings/definitions.ts';
import { distinct } from '../stored-rows.ts';
import { accountsOf } from '../supplier-accounts/reading.ts';

/** A line with the facts of its invoice that the checks ask about. */
export interface CheckedLine {
  invoiceId: number;
  amountCents: Cents;
  /** the supplier for whom the line was chosen */
  supplierId: number;
  /** Earlier checks gave this result; a line that has just been chosen has none. */
  verdict?: Verdict;
  invoice: InvoiceOnFile & {
    rubroId: number | null;
    rfc: string | null;
    suppliername: string;
    pendingCents: Cents;
    /** whether its CFDI came as a file */
    hasXml: boolean;
  };
}

interface CheckedBatch {
  /** the day of its payments */
  fecha: PlainDate;
  step: BatchStep;
  today: PlainDate;
  settings: Settings;
}

/** Findings by invoice id. */
type Found = Map<number, Omit<Finding, 'code' | 'level'>>;

/** The findings of a check that looks at each line by itself. */
const eachOf = (
  lines: readonly CheckedLine[],
  find: (line: CheckedLine) => Omit<Finding, 'code' | 'level'> | undefined,
): Found =>
  new Map(
    lines.flatMap((line) => {
      const found = find(line);
      return found ? [[line.invoiceId, found] as const] : [];
    }),
  );

const UNTRUSTED = 'clabe_no_confiable';

/**
 * Money goes to an account that a second person has confirmed, some days after its last change. A supplier without
 * accounts is paid in another way and passes; but deleting the account does not release a line that was held for it.
 */
async function untrustedAccounts(
  db: Db,
  lines: readonly CheckedLine[],
  { today, settings }: CheckedBatch,
): Promise<Found> {
  const suppliers = [...new Set(lines.map(({ invoice }) => invoice.supplierId))];
  const accounts = await accountsOf(db, suppliers);
  const wait = Number(settings['cuenta.espera']);
  return eachOf(lines, ({ verdict, invoice: { supplierId } }) => {
    const remedy = `${pages.editSupplier}/${supplierId}#cuentas`;
    const own = accounts.get(supplierId);
    if (!own) {
      const before = verdict?.findings.find(({ code }) => code === UNTRUSTED);
      return before && { reason: DELETED, source: SOURCE, date: before.date, remedy };
    }
    const paying = payingAccountOf(own);
    const account = paying ?? own.at(-1)!;
    const since = addWorkdays(account.changedOn, wait);
    if (paying && today >= since) return undefined;
    return {
      reason: paying
        ? `La cuenta ${nameOf(account)} es nueva: se le puede pagar desde el ${sayDate(since)}.`
        : `Nadie ha confirmado la cuenta ${nameOf(account)}.`,
      source: SOURCE,
      date: account.changedOn,
      remedy,
    };
  });
}

const SOURCE = 'Cuentas bancarias';
const DELETED = 'Se eliminó la cuenta por la que estaba retenida.';

const nameOf = ({ clabe }: SupplierAccount): string => `${bankOf(clabe)} ${lastOfClabe(clabe)}`;

/**
 * A check before money leaves. One function checks all lines at once, in as many statements whatever their number. To
 * add a check, write its function and name it in CHECKS.
 */
interface Check {
  /** a check without a setting always keeps its lines from being paid */
  level(settings: Settings): CheckLevel;
  find(db: Db, lines: readonly CheckedLine[], batch: CheckedBatch): Promise<Found>;
}

/** Nobody may override such a check: a rule of payments stands behind it. */
const firm = (): CheckLevel => 'impedir';

const set =
  (key: Extract<SettingKey, `semaforo.${string}` | 'presupuesto'>) =>
  (settings: Settings): CheckLevel =>
    settings[key] as CheckLevel;

/** Codes never change, because verdicts and permits are stored with them. */
export const CHECKS: Readonly<Record<string, Check>> = {
  excede_pendiente: { level: firm, find: async (_db, lines, batch) => beyondPending(lines, batch) },
  periodo_cerrado: { level: firm, find: closedPeriod },
  proveedor_cambiado: { level: firm, find: async (_db, lines, batch) => otherSupplier(lines, batch) },
  duplicada: { level: set('semaforo.duplicada'), find: lookalikes },
  presupuesto_excedido: { level: set('presupuesto'), find: overBudget },
  rep_pendiente: { level: set('semaforo.rep'), find: overdueReceipts },
  [UNTRUSTED]: { level: set('semaforo.cuenta'), find: untrustedAccounts },
  rfc_mal_formado: { level: set('semaforo.rfc'), find: async (_db, lines) => malformedRfcs(lines) },
  xml_faltante: { level: set('semaforo.xml'), find: async (_db, lines) => missingXml(lines) },
};

export const isFirm = (code: string): boolean => CHECKS[code]?.level === firm;

const beyondPending = (lines: readonly CheckedLine[], { today }: CheckedBatch): Found =>
  eachOf(lines, ({ invoiceId, amountCents, invoice: { pendingCents } }) =>
    amountCents <= pendingCents
      ? undefined
      : {
          reason: `Se pagarían ${formatMoney(amountCents)} y se deben ${formatMoney(pendingCents)}.`,
          source: 'Pagos de la factura',
          date: today,
          remedy: pages.editInvoice(invoiceId),
        },
  );

/** An invoice that was given to another supplier after it was chosen would take the money along. */
const otherSupplier = (lines: readonly CheckedLine[], { today }: CheckedBatch): Found =>
  eachOf(lines, ({ invoiceId, supplierId, invoice }) =>
    supplierId === invoice.supplierId
      ? undefined
      : {
          reason: `La factura es ahora de ${invoice.suppliername}: quítala y vuelve a elegirla.`,
          source: 'Factura',
          date: today,
          remedy: pages.editInvoice(invoiceId),
        },
  );

/** At the step of paying, the rules of payments ask this themselves, and know who may with a reason. */
async function closedPeriod(
  db: Db,
  lines: readonly CheckedLine[],
  { fecha, step }: CheckedBatch,
): Promise<Found> {
  const closing = await holdClosing(db);
  if (step === 'pagar' || !isClosed(fecha, closing)) return new Map();
  const [reason, remedy] = [sayClosed(fecha, closing), pages.paymentBatches];
  return eachOf(lines, () => ({ reason, source: 'Fecha de cierre', date: closing, remedy }));
}

async function lookalikes(db: Db, lines: readonly CheckedLine[]): Promise<Found> {
  const book = new InvoiceBook<InvoiceOnFile>();
  const keys = lines.map(({ invoice }) => ({ ...invoice, uuid: null }));
  const days = lines.flatMap(({ invoice }) => invoice.fechaemision ?? []);
  await readBook(db, book, identityRows, keys, { issued: days.length > 0 ? daysAbout(days) : undefined });
  return eachOf(lines, ({ invoice }) => {
    const { id, supplierId, numfacturaKey } = invoice;
    const [twin] = numfacturaKey
      ? book.numbered(supplierId, numfacturaKey).filter((one) => one.id !== id)
      : [];
    const alike = twin ?? book.lookalikes(invoice)[0];
    if (!alike) return undefined;
    const same = twin ? 'mismo proveedor y número' : 'mismo proveedor y total, en días cercanos';
    return {
      reason: `Se parece a la factura ${numberOrId(alike.numfactura, alike.id)}: ${same}.`,
      source: 'Facturas',
      date: alike.fechaemision,
      remedy: pages.editInvoice(alike.id),
    };
  });
}

/** The cost of its obra and rubro, this invoice included, exceeds their budget; an obra without a budget passes. */
async function overBudget(db: Db, lines: readonly CheckedLine[], { today }: CheckedBatch): Promise<Found> {
  const jobs = [...new Set(lines.map(({ invoice }) => invoice.jobId))];
  const budgets = (await readBudgets(db, jobs)).filter(({ amountCents }) => amountCents > 0);
  const query = { jobId: distinct(budgets.map(({ jobId }) => jobId)), isUnsettled: true } as const;
  const costs = budgets.length > 0 ? await readCosts(db, query, ['jobId', 'rubroId']) : [];
  return eachOf(lines, ({ invoice: { jobId, rubroId } }) => {
    const cost = costs.find((one) => one.jobId === jobId && one.rubroId === (rubroId ?? NO_RUBRO));
    if (!cost) return undefined;
    const budget = budgets.find((one) => one.jobId === jobId && one.rubroId === rubroId);
    const [may, has] = [budget?.amountCents ?? 0, netOf(cost)];
    if (has <= may) return undefined;
    return {
      reason: `Su obra y rubro tienen un presupuesto de ${formatMoney(may)} y llevan ${formatMoney(has)}: excede ${formatMoney(has - may)}.`,
      source: 'Presupuesto',
      date: today,
      remedy: withQuery(pages.budgets, { jobId }),
    };
  });
}

async function overdueReceipts(
  db: Db,
  lines: readonly CheckedLine[],
  { today }: CheckedBatch,
): Promise<Found> {
  const suppliers = [...new Set(lines.map(({ invoice }) => invoice.supplierId))];
  const { rows } = await sql<{ supplierId: number; count: number; oldest: PlainDate; cents: Cents }>`
    select invoices."supplierId", count(*) as count, min(payments.paymentdate) as oldest,
      cast(sum(payments."amountCents") as bigint) as cents
    from invoices join payments on payments."facturaproveedorId" = invoices.id
    where ${isOneOf(db, 'invoices.supplierId', suppliers)} and invoices.metodopago = 'PPD'
      and payments.paymentdate <= ${receiptsDueUntil(today)} and ${awaitsReceipt}
    group by invoices."supplierId"`.execute(db);
  const overdue = new Map(rows.map((row) => [row.supplierId, row]));
  return eachOf(lines, ({ invoice }) => {
    const owed = overdue.get(invoice.supplierId);
    if (!owed) return undefined;
    const { count, cents, oldest } = owed;
    const of = count === 1 ? 'un pago anterior' : `${count} pagos anteriores`;
    return {
      reason: `Falta el REP de ${of} (${formatMoney(Number(cents))}, desde el ${sayDate(oldest)}).`,
      source: 'Recibos de pago (REP)',
      date: addDays(monthOf(oldest).to, RECEIPT_DAY + 1),
      remedy: withQuery(pages.payments, { supplierId: invoice.supplierId, rep: 'sin' }),
    };
  });
}

/** A supplier without an RFC passes: not all have given theirs. */
const malformedRfcs = (lines: readonly CheckedLine[]): Found =>
  eachOf(lines, ({ invoice: { rfc, supplierId } }) =>
    !rfc || isRfc(rfc)
      ? undefined
      : {
          reason: `El RFC ${rfc} del proveedor no está bien formado.`,
          source: 'Proveedor',
          date: null,
          remedy: `${pages.editSupplier}/${supplierId}`,
        },
  );

const missingXml = (lines: readonly CheckedLine[]): Found =>
  eachOf(lines, ({ invoiceId, invoice }) =>
    invoice.hasXml
      ? undefined
      : {
          reason: 'Falta el XML de la factura.',
          source: 'Adjuntos',
          date: null,
          remedy: pages.editInvoice(invoiceId),
        },
  );
