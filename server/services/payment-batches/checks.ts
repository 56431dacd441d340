import { sql } from 'kysely';
import { isOneOf } from '../../../db/expressions.ts';
import { mayLackReceiptCondition } from '../../../db/payments-without-receipt.ts';
import { abbreviateClabe, bankNameOf } from '../../../shared/banks.ts';
import { addDays, addWorkdays, formatLongDate, type PlainDate } from '../../../shared/dates.ts';
import { invoiceNumberOrId, NO_RUBRO } from '../../../shared/invoices.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import type { Payee } from '../../../shared/payment-batches.ts';
import { lastPaymentDayWithRepDue, REP_DUE_DAY } from '../../../shared/payments.ts';
import { monthPeriodOf } from '../../../shared/periods.ts';
import { isRfc } from '../../../shared/rfc.ts';
import { payingAccountOf } from '../../../shared/supplier-accounts.ts';
import { fold } from '../../../shared/text.ts';
import { pages, withQuery } from '../../../shared/urls.ts';
import { readBudgetsOfJobs } from '../budgets/reading.ts';
import { closedPeriodText, isClosed, lockAndReadClosing, lockClosingShared } from '../closing/closing.ts';
import { computeCostAfterCredits, readCosts } from '../costs.ts';
import { InvoiceBook, lookalikePeriod, type StoredInvoiceIdentity } from '../invoices/invoice-book.ts';
import { fillInvoiceBook, identityRowMapping } from '../invoices/read-invoice-book.ts';
import { paymentAwaitsReceiptCondition } from '../payments/reading.ts';
import { distinctIds } from '../stored-rows.ts';
import { readAccountsBySupplier } from '../supplier-accounts/reading.ts';
import {
  alwaysBlockingLevel,
  type Check,
  type CheckInput,
  levelFromSetting,
  type ProblemFinder,
  supplierIdsOf,
} from './check-types.ts';
import { FISCAL_CHECKS } from './fiscal-checks.ts';

const UNTRUSTED_ACCOUNT_CODE = 'clabe_no_confiable';

/** Codes never change, because verdicts and permits are stored with them. */
export const CHECKS: Readonly<Record<string, Check>> = {
  excede_pendiente: {
    level: alwaysBlockingLevel,
    sourceLabel: 'Pagos de la factura',
    prepareFinder:
      () =>
      ({ invoiceId, amountCents, invoice: { pendingCents, sentCents } }) =>
        amountCents > pendingCents - sentCents && {
          reason: `Se pagarían ${formatMoney(amountCents)} y se deben ${formatMoney(pendingCents)}${sentCents > 0 ? `, de los que el banco ya tiene ${formatMoney(sentCents)} en otra programación` : ''}.`,
          remedy: pages.editInvoice(invoiceId),
        },
  },

  /** At the step of paying, the rules of payments check the closing date, because they know who may override it. */
  periodo_cerrado: {
    level: alwaysBlockingLevel,
    sourceLabel: 'Fecha de cierre',
    async prepareFinder({ db, fecha, step }) {
      if (step === 'pagar') return lockClosingShared(db).then(() => () => false);
      const closing = await lockAndReadClosing(db);
      const finding = {
        reason: closedPeriodText(fecha, closing),
        date: closing,
        remedy: pages.paymentBatches,
      };
      return () => isClosed(fecha, closing) && finding;
    },
  },

  /** If the invoice was moved to another supplier after it was chosen, that supplier would get the money. */
  proveedor_cambiado: {
    level: alwaysBlockingLevel,
    sourceLabel: 'Factura',
    prepareFinder:
      () =>
      ({ invoiceId, supplierId, invoice }) =>
        supplierId !== invoice.supplierId && {
          reason: `La factura es ahora de ${invoice.suppliername}: quítala y vuelve a elegirla.`,
          remedy: pages.editInvoice(invoiceId),
        },
  },

  /** Signers approve a payee by its name, as on cheques and in bank files. A payee may get its first RFC later. */
  beneficiario_cambiado: {
    level: () => 'impedir',
    sourceLabel: 'Proveedor',
    prepareFinder:
      () =>
      ({ payee, invoice: { suppliername, rfc, supplierId } }) =>
        (fold(payee.suppliername) !== fold(suppliername) || (payee.rfc !== '' && payee.rfc !== rfc)) && {
          reason: `Se firmó para ${formatPayee(payee)} y el proveedor es ahora ${formatPayee({ suppliername, rfc: rfc ?? '' })}.`,
          remedy: `${pages.editSupplier}/${supplierId}`,
        },
  },

  cancelado: FISCAL_CHECKS.cancelado,
  sin_verificar: FISCAL_CHECKS.sin_verificar,
  duplicada: {
    level: levelFromSetting('semaforo.duplicada'),
    sourceLabel: 'Facturas',
    prepareFinder: prepareLookalikeCheck,
  },
  presupuesto_excedido: {
    level: levelFromSetting('presupuesto'),
    sourceLabel: 'Presupuesto',
    prepareFinder: prepareBudgetCheck,
  },
  rep_pendiente: {
    level: levelFromSetting('semaforo.rep'),
    sourceLabel: 'Recibos de pago (REP)',
    prepareFinder: prepareOverdueReceiptCheck,
  },
  [UNTRUSTED_ACCOUNT_CODE]: {
    level: levelFromSetting('semaforo.cuenta'),
    sourceLabel: 'Cuentas bancarias',
    prepareFinder: preparePayingAccountCheck,
  },

  lista69b: FISCAL_CHECKS.lista69b,
  lista69b_presunto: FISCAL_CHECKS.lista69b_presunto,

  /** Bank files leave out an invoice in another currency, because the bank's rate is not known beforehand. */
  moneda: {
    level: () => 'avisar',
    sourceLabel: 'Factura',
    prepareFinder:
      () =>
      ({ invoiceId, invoice: { moneda, tipocambio } }) =>
        moneda !== null && {
          reason: `Se debe en ${moneda}, aquí a ${Number(tipocambio)}: no va en archivos para el banco, y al pagarla se dice cuánto salió.`,
          date: null,
          remedy: pages.editInvoice(invoiceId),
        },
  },

  /** A supplier without an RFC passes: not all have given theirs. */
  rfc_mal_formado: {
    level: levelFromSetting('semaforo.rfc'),
    sourceLabel: 'Proveedor',
    prepareFinder:
      () =>
      ({ invoice: { rfc, supplierId } }) =>
        Boolean(rfc) &&
        !isRfc(rfc!) && {
          reason: `El RFC ${rfc} del proveedor no está bien formado.`,
          date: null,
          remedy: `${pages.editSupplier}/${supplierId}`,
        },
  },

  xml_faltante: {
    level: levelFromSetting('semaforo.xml'),
    sourceLabel: 'Adjuntos',
    prepareFinder:
      () =>
      ({ invoiceId, invoice }) =>
        !invoice.hasXml && {
          reason: 'Falta el XML de la factura.',
          date: null,
          remedy: pages.editInvoice(invoiceId),
        },
  },

  retencion: FISCAL_CHECKS.retencion,
  sello: FISCAL_CHECKS.sello,
};

const formatPayee = ({ suppliername, rfc }: Payee): string =>
  rfc ? `${suppliername} (${rfc})` : suppliername;

export const isMandatory = (code: string): boolean => CHECKS[code]?.level === alwaysBlockingLevel;

/**
 * Money goes only to an account that a second person has confirmed, and only some days after its last change. While the
 * batch is prepared and signed, these days have to pass before the batch's day; once the money leaves, before today,
 * since the bank may pay a file as soon as it gets it. A supplier without accounts is paid in another way and passes,
 * but a line that is held because of its account stays held if that account is deleted.
 */
async function preparePayingAccountCheck(input: CheckInput): Promise<ProblemFinder> {
  const { db, lines, today, fecha, step, settings } = input;
  const isPrepared = step === 'elegir' || step === 'autorizar';
  const paymentDay = isPrepared && fecha > today ? fecha : today;
  const accounts = await readAccountsBySupplier(db, supplierIdsOf(lines));
  const waitDays = Number(settings['cuenta.espera']);
  return ({ verdict, invoice: { supplierId } }) => {
    const remedy = pages.accountsOfSupplier(supplierId);
    const supplierAccounts = accounts.get(supplierId);
    if (!supplierAccounts) {
      const before = verdict?.findings.find(({ code }) => code === UNTRUSTED_ACCOUNT_CODE);
      return before && { reason: DELETED_ACCOUNT_REASON, date: before.date, remedy };
    }
    const payingAccount = payingAccountOf(supplierAccounts);
    const { clabe, changedOn: date } = payingAccount ?? supplierAccounts.at(-1)!;
    const payableFrom = addWorkdays(date, waitDays);
    if (payingAccount && paymentDay >= payableFrom) return undefined;
    const account = `${bankNameOf(clabe)} ${abbreviateClabe(clabe)}`;
    const reason = payingAccount
      ? `La cuenta ${account} es nueva: se le puede pagar desde el ${formatLongDate(payableFrom)}.`
      : `La cuenta ${account}, capturada el ${formatLongDate(date)}, está sin confirmar.`;
    return { reason, date, remedy };
  };
}

const DELETED_ACCOUNT_REASON = 'Se eliminó la cuenta por la que estaba retenida.';

async function prepareLookalikeCheck({ db, lines }: CheckInput): Promise<ProblemFinder> {
  const book = new InvoiceBook<StoredInvoiceIdentity>();
  const keys = lines.map(({ invoice }) => ({ ...invoice, uuid: null }));
  const days = lines.flatMap(({ invoice }) => invoice.fechaemision ?? []);
  await fillInvoiceBook(db, book, identityRowMapping, keys, {
    totalsIssuedBetween: days.length > 0 ? lookalikePeriod(days) : undefined,
  });
  return ({ invoice }) => {
    const { id, supplierId, numfacturaKey } = invoice;
    const numbered = numfacturaKey ? book.withSupplierAndNumber(supplierId, numfacturaKey) : [];
    const sameNumber = numbered.find((one) => one.id !== id);
    const similar = sameNumber ?? book.findLookalikes(invoice)[0];
    if (!similar) return undefined;
    const same = sameNumber ? 'mismo proveedor y número' : 'mismo proveedor y total, en días cercanos';
    return {
      reason: `Se parece a la factura ${invoiceNumberOrId(similar.numfactura, similar.id)}${similar.fechaemision ? ` del ${formatLongDate(similar.fechaemision)}` : ''}: ${same}.`,
      date: similar.fechaemision,
      remedy: pages.editInvoice(similar.id),
    };
  };
}

async function prepareBudgetCheck({ db, lines }: CheckInput): Promise<ProblemFinder> {
  const jobs = [...new Set(lines.map(({ invoice }) => invoice.jobId))];
  const budgets = (await readBudgetsOfJobs(db, jobs)).filter(({ amountCents }) => amountCents > 0);
  const query = { jobId: distinctIds(budgets.map(({ jobId }) => jobId)), skipsSettled: true } as const;
  const costs = budgets.length > 0 ? await readCosts(db, query, ['jobId', 'rubroId']) : [];
  return ({ invoice: { jobId, rubroId } }) => {
    const cost = costs.find((one) => one.jobId === jobId && one.rubroId === (rubroId ?? NO_RUBRO));
    if (!cost) return undefined;
    const budget = budgets.find((one) => one.jobId === jobId && one.rubroId === rubroId);
    const [budgetCents, spentCents] = [budget?.amountCents ?? 0, computeCostAfterCredits(cost)];
    return (
      spentCents > budgetCents && {
        reason: `Su obra y rubro tienen un presupuesto de ${formatMoney(budgetCents)} y llevan ${formatMoney(spentCents)}: excede ${formatMoney(spentCents - budgetCents)}.`,
        remedy: withQuery(pages.budgets, { jobId }),
      }
    );
  };
}

async function prepareOverdueReceiptCheck({ db, lines, today }: CheckInput): Promise<ProblemFinder> {
  const { rows } = await sql<{ supplierId: number; count: number; oldest: PlainDate; cents: Cents }>`
    select invoices."supplierId", count(*) as count, min(payments.paymentdate) as oldest,
      cast(sum(payments."amountCents") as bigint) as cents
    from invoices join payments on payments."facturaproveedorId" = invoices.id
    where ${isOneOf(db, 'invoices.supplierId', supplierIdsOf(lines))} and invoices.metodopago = 'PPD'
      and payments.paymentdate <= ${lastPaymentDayWithRepDue(today)}
      and ${mayLackReceiptCondition('payments')} and ${paymentAwaitsReceiptCondition}
    group by invoices."supplierId"`.execute(db);
  const overdue = new Map(rows.map((row) => [row.supplierId, row]));
  return ({ invoice: { supplierId } }) => {
    const supplierReceipts = overdue.get(supplierId);
    if (!supplierReceipts) return undefined;
    const { count, cents, oldest } = supplierReceipts;
    const paymentsText = count === 1 ? 'un pago anterior' : `${count} pagos anteriores`;
    return {
      reason: `Falta el REP de ${paymentsText} (${formatMoney(Number(cents))}, desde el ${formatLongDate(oldest)}).`,
      date: addDays(monthPeriodOf(oldest).to, REP_DUE_DAY + 1),
      remedy: withQuery(pages.payments, { supplierId, rep: 'sin' }),
    };
  };
}
