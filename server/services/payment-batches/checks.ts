import { sql } from 'kysely';
import { isOneOf } from '../../../db/expressions.ts';
import type { Db } from '../../../db/schema.ts';
import { abbreviateClabe, bankNameOf } from '../../../shared/banks.ts';
import { addDays, addWorkdays, formatLongDate, type PlainDate } from '../../../shared/dates.ts';
import { NO_RUBRO, numberOrId } from '../../../shared/invoices.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import type { CheckedStep, CheckLevel, Finding, Payee, Verdict } from '../../../shared/payment-batches.ts';
import { lastDayWithReceiptDue, RECEIPT_DUE_DAY } from '../../../shared/payments.ts';
import { monthOf } from '../../../shared/periods.ts';
import { isRfc, normalizeRfc } from '../../../shared/rfc.ts';
import { payingAccountOf } from '../../../shared/supplier-accounts.ts';
import { fold } from '../../../shared/text.ts';
import { pages, withQuery } from '../../../shared/urls.ts';
import { describeSeal } from '../../formats/cfdi/warnings.ts';
import { describeUnseenWithholding, describeWithholdings } from '../../formats/cfdi/withholdings.ts';
import { SITUATION_LABELS, type Situation } from '../../formats/sat/list-69b.ts';
import { readBudgets } from '../budgets/reading.ts';
import { closedText, isClosed, lockAndReadClosing, lockClosingShared } from '../closing/closing.ts';
import { costAfterCredits, readCosts } from '../costs.ts';
import { Replacements } from '../document-relations.ts';
import { fiscalPaths } from '../fiscal/labels.ts';
import { readSituations } from '../fiscal/list-69b.ts';
import { readInvoiceFacts } from '../fiscal/paid.ts';
import { readRegimes } from '../fiscal/regimes.ts';
import { readSatStates } from '../fiscal/status.ts';
import { InvoiceBook, type InvoiceOnFile, lookalikeDays } from '../invoices/book.ts';
import { identityRows, readBook } from '../invoices/book-reading.ts';
import { readSeals } from '../invoices/seals.ts';
import { paymentAwaitsReceipt } from '../payments/reading.ts';
import type { SettingKey, Settings } from '../settings/definitions.ts';
import { distinctIds } from '../stored-rows.ts';
import { readAccountsBySupplier } from '../supplier-accounts/reading.ts';

export interface CheckedLine {
  invoiceId: number;
  amountCents: Cents;
  supplierId: number;
  /** the result of earlier checks; a line that has just been chosen has none */
  verdict?: Verdict;
  /** the payee as it was signed */
  payee: Payee;
  invoice: InvoiceOnFile & {
    rubroId: number | null;
    rfc: string | null;
    suppliername: string;
    pendingCents: Cents;
    /** what other batches at the bank pay of it, where this one is not there yet */
    sentCents: Cents;
    moneda: string | null;
    tipocambio: string | null;
    /** whether its CFDI came as a file */
    hasXml: boolean;
  };
}

interface CheckInput {
  db: Db;
  lines: readonly CheckedLine[];
  fecha: PlainDate;
  step: CheckedStep;
  today: PlainDate;
  settings: Settings;
}

/** `date` is today where absent. */
type Problem = Pick<Finding, 'reason' | 'remedy'> & Partial<Pick<Finding, 'date'>>;

/** A check reads what it needs for all lines in a fixed number of statements. A new one goes into CHECKS. */
interface Check {
  /** a check without a setting always blocks payment */
  level(settings: Settings): CheckLevel;
  source: string;
  read(checked: CheckInput): FindProblem | Promise<FindProblem>;
}

type FindProblem = (line: CheckedLine) => Problem | false | undefined;

/** Nobody may override such a check, since a rule of payments stands behind it. */
const mandatoryLevel = (): CheckLevel => 'impedir';

const levelFromSetting =
  (key: Extract<SettingKey, `semaforo.${string}` | 'presupuesto'>) =>
  (settings: Settings): CheckLevel =>
    settings[key] as CheckLevel;

const METADATA_SOURCE = 'Metadatos del SAT';
const UNTRUSTED_ACCOUNT = 'clabe_no_confiable';

const LIST_69B = 'Lista 69-B del SAT';

/** Codes never change, because verdicts and permits are stored with them. */
export const CHECKS: Readonly<Record<string, Check>> = {
  excede_pendiente: {
    level: mandatoryLevel,
    source: 'Pagos de la factura',
    read:
      () =>
      ({ invoiceId, amountCents, invoice: { pendingCents, sentCents } }) =>
        amountCents > pendingCents - sentCents && {
          reason: `Se pagarían ${formatMoney(amountCents)} y se deben ${formatMoney(pendingCents)}${sentCents > 0 ? `, de los que el banco ya tiene ${formatMoney(sentCents)} en otra programación` : ''}.`,
          remedy: pages.editInvoice(invoiceId),
        },
  },

  /** At the step of paying, the rules of payments check this themselves, and know who may override it with a reason. */
  periodo_cerrado: {
    level: mandatoryLevel,
    source: 'Fecha de cierre',
    async read({ db, fecha, step }) {
      if (step === 'pagar') return lockClosingShared(db).then(() => () => false);
      const closing = await lockAndReadClosing(db);
      const finding = { reason: closedText(fecha, closing), date: closing, remedy: pages.paymentBatches };
      return () => isClosed(fecha, closing) && finding;
    },
  },

  /** An invoice that was given to another supplier after it was chosen would take the money along. */
  proveedor_cambiado: {
    level: mandatoryLevel,
    source: 'Factura',
    read:
      () =>
      ({ invoiceId, supplierId, invoice }) =>
        supplierId !== invoice.supplierId && {
          reason: `La factura es ahora de ${invoice.suppliername}: quítala y vuelve a elegirla.`,
          remedy: pages.editInvoice(invoiceId),
        },
  },

  /** The signers read a name, and cheques and bank files carry it; an RFC learned later makes no other payee. */
  beneficiario_cambiado: {
    level: () => 'impedir',
    source: 'Proveedor',
    read:
      () =>
      ({ payee, invoice: { suppliername, rfc, supplierId } }) =>
        (fold(payee.suppliername) !== fold(suppliername) || (payee.rfc !== '' && payee.rfc !== rfc)) && {
          reason: `Se firmó para ${formatPayee(payee)} y el proveedor es ahora ${formatPayee({ suppliername, rfc: rfc ?? '' })}.`,
          remedy: `${pages.editSupplier}/${supplierId}`,
        },
  },

  cancelado: {
    level: levelFromSetting('semaforo.cancelado'),
    source: METADATA_SOURCE,
    read: readCancelledDocuments,
  },
  sin_verificar: {
    level: levelFromSetting('semaforo.sin_verificar'),
    source: METADATA_SOURCE,
    read: readUnverified,
  },
  duplicada: { level: levelFromSetting('semaforo.duplicada'), source: 'Facturas', read: readLookalikes },
  presupuesto_excedido: {
    level: levelFromSetting('presupuesto'),
    source: 'Presupuesto',
    read: readOverrunBudgets,
  },
  rep_pendiente: {
    level: levelFromSetting('semaforo.rep'),
    source: 'Recibos de pago (REP)',
    read: readOverdueReceipts,
  },
  [UNTRUSTED_ACCOUNT]: {
    level: levelFromSetting('semaforo.cuenta'),
    source: 'Cuentas bancarias',
    read: readUntrustedAccounts,
  },

  lista69b: {
    level: levelFromSetting('semaforo.lista69b'),
    source: LIST_69B,
    read: (checked) => readListed(checked, 'definitivo'),
  },
  /** Its supplier may still prove what it did, so that it never blocks. */
  lista69b_presunto: {
    level: (settings) => (settings['semaforo.lista69b'] === 'ignorar' ? 'ignorar' : 'avisar'),
    source: LIST_69B,
    read: (checked) => readListed(checked, 'presunto'),
  },

  /** The bank pays it at a rate that nobody knows before, so that no file orders an amount for it. */
  moneda: {
    level: () => 'avisar',
    source: 'Factura',
    read:
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
    source: 'Proveedor',
    read:
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
    source: 'Adjuntos',
    read:
      () =>
      ({ invoiceId, invoice }) =>
        !invoice.hasXml && {
          reason: 'Falta el XML de la factura.',
          date: null,
          remedy: pages.editInvoice(invoiceId),
        },
  },

  /** Without its XML, an invoice says nothing of what it withholds. */
  retencion: {
    level: levelFromSetting('semaforo.retencion'),
    source: 'XML de la factura',
    async read({ db, lines, settings }) {
      const facts = await readInvoiceFacts(db, withXml(lines));
      const regimes = await readRegimes(db, supplierIdsOf(lines));
      const ownRfc = normalizeRfc(settings.rfc);
      return ({ invoiceId, invoice: { rfc, supplierId } }) => {
        const cfdi = facts.get(invoiceId);
        const problems = cfdi
          ? describeWithholdings(cfdi, ownRfc)
          : describeUnseenWithholding(rfc ?? '', regimes.get(supplierId) ?? '', ownRfc);
        return (
          problems.length > 0 && {
            reason: problems.join(' '),
            date: cfdi?.fecha ?? null,
            remedy: pages.editInvoice(invoiceId),
          }
        );
      };
    },
  },

  /** A document without a seal passes. */
  sello: {
    level: levelFromSetting('semaforo.sello'),
    source: 'XML de la factura',
    async read({ db, lines }) {
      const seals = await readSeals(db, withXml(lines));
      return ({ invoiceId, invoice: { fechaemision } }) => {
        const problem = describeSeal(seals.get(invoiceId));
        return (
          problem !== undefined && {
            reason: `${problem}: pide al proveedor otra vez el XML.`,
            date: fechaemision,
            remedy: pages.editInvoice(invoiceId),
          }
        );
      };
    },
  },
};

const formatPayee = ({ suppliername, rfc }: Payee): string =>
  rfc ? `${suppliername} (${rfc})` : suppliername;

export const isMandatory = (code: string): boolean => CHECKS[code]?.level === mandatoryLevel;

/**
 * Money goes to an account that a second person has confirmed, some days after its last change. A supplier without
 * accounts is paid in another way and passes; but deleting the account does not release a line that was held for it.
 */
async function readUntrustedAccounts({ db, lines, today, settings }: CheckInput): Promise<FindProblem> {
  const accounts = await readAccountsBySupplier(db, supplierIdsOf(lines));
  const waitDays = Number(settings['cuenta.espera']);
  return ({ verdict, invoice: { supplierId } }) => {
    const remedy = pages.accountsOfSupplier(supplierId);
    const supplierAccounts = accounts.get(supplierId);
    if (!supplierAccounts) {
      const before = verdict?.findings.find(({ code }) => code === UNTRUSTED_ACCOUNT);
      return before && { reason: DELETED_ACCOUNT, date: before.date, remedy };
    }
    const payingAccount = payingAccountOf(supplierAccounts);
    const { clabe, changedOn: date } = payingAccount ?? supplierAccounts.at(-1)!;
    const payableFrom = addWorkdays(date, waitDays);
    if (payingAccount && today >= payableFrom) return undefined;
    const account = `${bankNameOf(clabe)} ${abbreviateClabe(clabe)}`;
    const reason = payingAccount
      ? `La cuenta ${account} es nueva: se le puede pagar desde el ${formatLongDate(payableFrom)}.`
      : `La cuenta ${account}, capturada el ${formatLongDate(date)}, está sin confirmar.`;
    return { reason, date, remedy };
  };
}

const DELETED_ACCOUNT = 'Se eliminó la cuenta por la que estaba retenida.';

async function readLookalikes({ db, lines }: CheckInput): Promise<FindProblem> {
  const book = new InvoiceBook<InvoiceOnFile>();
  const keys = lines.map(({ invoice }) => ({ ...invoice, uuid: null }));
  const days = lines.flatMap(({ invoice }) => invoice.fechaemision ?? []);
  await readBook(db, book, identityRows, keys, {
    issuedBetween: days.length > 0 ? lookalikeDays(days) : undefined,
  });
  return ({ invoice }) => {
    const { id, supplierId, numfacturaKey } = invoice;
    const numbered = numfacturaKey ? book.withSupplierAndNumber(supplierId, numfacturaKey) : [];
    const sameNumber = numbered.find((one) => one.id !== id);
    const similar = sameNumber ?? book.findLookalikes(invoice)[0];
    if (!similar) return undefined;
    const same = sameNumber ? 'mismo proveedor y número' : 'mismo proveedor y total, en días cercanos';
    return {
      reason: `Se parece a la factura ${numberOrId(similar.numfactura, similar.id)}${similar.fechaemision ? ` del ${formatLongDate(similar.fechaemision)}` : ''}: ${same}.`,
      date: similar.fechaemision,
      remedy: pages.editInvoice(similar.id),
    };
  };
}

/** An obra without a budget passes. */
async function readOverrunBudgets({ db, lines }: CheckInput): Promise<FindProblem> {
  const jobs = [...new Set(lines.map(({ invoice }) => invoice.jobId))];
  const budgets = (await readBudgets(db, jobs)).filter(({ amountCents }) => amountCents > 0);
  const query = { jobId: distinctIds(budgets.map(({ jobId }) => jobId)), skipsSettled: true } as const;
  const costs = budgets.length > 0 ? await readCosts(db, query, ['jobId', 'rubroId']) : [];
  return ({ invoice: { jobId, rubroId } }) => {
    const cost = costs.find((one) => one.jobId === jobId && one.rubroId === (rubroId ?? NO_RUBRO));
    if (!cost) return undefined;
    const budget = budgets.find((one) => one.jobId === jobId && one.rubroId === rubroId);
    const [budgetCents, spentCents] = [budget?.amountCents ?? 0, costAfterCredits(cost)];
    return (
      spentCents > budgetCents && {
        reason: `Su obra y rubro tienen un presupuesto de ${formatMoney(budgetCents)} y llevan ${formatMoney(spentCents)}: excede ${formatMoney(spentCents - budgetCents)}.`,
        remedy: withQuery(pages.budgets, { jobId }),
      }
    );
  };
}

async function readCancelledDocuments(input: CheckInput): Promise<FindProblem> {
  const { db, lines } = input;
  const states = await readSatStatesOfLines(input);
  const cancelled = uuidsOf(lines).filter((uuid) => states.get(uuid)?.estatus === 'cancelado');
  const replacements = await Replacements.read(db, cancelled);
  return ({ invoiceId, invoice: { uuid, rfc } }) => {
    const state = uuid === null ? undefined : states.get(uuid);
    if (state?.estatus !== 'cancelado') return undefined;
    const since = state.fechaCancelacion ? ` desde el ${formatLongDate(state.fechaCancelacion)}` : '';
    const successors = replacements.findSuccessors({ uuid, rfc }).map((one) => one.uuid);
    return {
      reason: `El SAT tiene su CFDI por cancelado${since}.${successors.length > 0 ? ` Lo sustituye ${successors.join(', ')}.` : ''}`,
      date: state.visto,
      remedy: pages.editInvoice(invoiceId),
    };
  };
}

async function readUnverified(input: CheckInput): Promise<FindProblem> {
  const states = await readSatStatesOfLines(input);
  return ({ invoiceId, invoice: { uuid, fechaemision } }) =>
    (uuid === null || !states.has(uuid)) && {
      reason:
        uuid === null
          ? 'No tiene UUID: no se sabe si el SAT la tiene.'
          : 'Ningún archivo del SAT trae su CFDI.',
      date: null,
      remedy: fechaemision
        ? withQuery(fiscalPaths.cross, { mes: fechaemision.slice(0, 7) })
        : pages.editInvoice(invoiceId),
    };
}

const uuidsOf = (lines: readonly CheckedLine[]): string[] =>
  lines.flatMap(({ invoice }) => invoice.uuid ?? []);

async function readOverdueReceipts({ db, lines, today }: CheckInput): Promise<FindProblem> {
  const { rows } = await sql<{ supplierId: number; count: number; oldest: PlainDate; cents: Cents }>`
    select invoices."supplierId", count(*) as count, min(payments.paymentdate) as oldest,
      cast(sum(payments."amountCents") as bigint) as cents
    from invoices join payments on payments."facturaproveedorId" = invoices.id
    where ${isOneOf(db, 'invoices.supplierId', supplierIdsOf(lines))} and invoices.metodopago = 'PPD'
      and payments.paymentdate <= ${lastDayWithReceiptDue(today)} and ${paymentAwaitsReceipt}
    group by invoices."supplierId"`.execute(db);
  const overdue = new Map(rows.map((row) => [row.supplierId, row]));
  return ({ invoice: { supplierId } }) => {
    const supplierReceipts = overdue.get(supplierId);
    if (!supplierReceipts) return undefined;
    const { count, cents, oldest } = supplierReceipts;
    const paymentsText = count === 1 ? 'un pago anterior' : `${count} pagos anteriores`;
    return {
      reason: `Falta el REP de ${paymentsText} (${formatMoney(Number(cents))}, desde el ${formatLongDate(oldest)}).`,
      date: addDays(monthOf(oldest).to, RECEIPT_DUE_DAY + 1),
      remedy: withQuery(pages.payments, { supplierId, rep: 'sin' }),
    };
  };
}

async function readListed(input: CheckInput, situacion: Situation): Promise<FindProblem> {
  const listed = await readSituationsOfLines(input);
  return ({ invoice: { rfc, supplierId } }) => {
    const found = listed.get(rfc ?? '');
    if (found?.situacion !== situacion) return undefined;
    const since = found[situacion as 'definitivo' | 'presunto'];
    return {
      reason: `El proveedor está como ${SITUATION_LABELS[situacion]} en la lista 69-B${since ? ` desde el ${formatLongDate(since)}` : ''}, con corte del ${formatLongDate(found.corte)}: pídele que acredite sus operaciones, o no le pagues.`,
      date: found.corte,
      remedy: `${pages.editSupplier}/${supplierId}`,
    };
  };
}

/** Several checks of the same lines share one read. */
function sharedRead<Value>(read: (input: CheckInput) => Promise<Value>) {
  const reads = new WeakMap<CheckInput, Promise<Value>>();
  return (input: CheckInput): Promise<Value> => {
    const value = reads.get(input) ?? read(input);
    reads.set(input, value);
    return value;
  };
}

const readSituationsOfLines = sharedRead(({ db, lines }) =>
  readSituations(db, [...new Set(lines.flatMap(({ invoice: { rfc } }) => rfc ?? []))]),
);
const readSatStatesOfLines = sharedRead(({ db, lines }) => readSatStates(db, uuidsOf(lines)));

const withXml = (lines: readonly CheckedLine[]): number[] =>
  lines.flatMap(({ invoiceId, invoice }) => (invoice.hasXml ? invoiceId : []));

const supplierIdsOf = (lines: readonly CheckedLine[]): number[] => [
  ...new Set(lines.map(({ invoice }) => invoice.supplierId)),
];
