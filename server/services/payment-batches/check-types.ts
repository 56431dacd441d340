import type { Db } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import type { CheckedStep, CheckLevel, Finding, Payee, Verdict } from '../../../shared/payment-batches.ts';
import type { StoredInvoiceIdentity } from '../invoices/invoice-book.ts';
import type { SettingKey, Settings } from '../settings/definitions.ts';

export interface LineWithFacts {
  invoiceId: number;
  amountCents: Cents;
  supplierId: number;
  /** the result of earlier checks; a line that has just been chosen has none */
  verdict?: Verdict;
  /** the payee that the signers saw */
  payee: Payee;
  invoice: StoredInvoiceIdentity & {
    rubroId: number | null;
    rfc: string | null;
    suppliername: string;
    /** The regime is that of the supplier's latest CFDI. */
    regimenFiscal: string | null;
    pendingCents: Cents;
    /** what other batches at the bank will pay of the invoice; 0 if this batch is at the bank too */
    sentCents: Cents;
    moneda: string | null;
    tipocambio: string | null;
    hasXml: boolean;
  };
}

export interface CheckInput {
  db: Db;
  lines: readonly LineWithFacts[];
  fecha: PlainDate;
  step: CheckedStep;
  today: PlainDate;
  settings: Settings;
}

/** `date` is today where absent. */
type Problem = Pick<Finding, 'reason' | 'remedy'> & Partial<Pick<Finding, 'date'>>;

/** A check is prepared for all lines with a fixed number of queries. New checks are added to CHECKS. */
export interface Check {
  level(settings: Settings): CheckLevel;
  sourceLabel: string;
  prepareFinder(checked: CheckInput): ProblemFinder | Promise<ProblemFinder>;
}

export type ProblemFinder = (line: LineWithFacts) => Problem | false | undefined;

/** Nobody may override a check of this level, since the rules of payments would refuse the payment anyway. */
export const alwaysBlockingLevel = (): CheckLevel => 'impedir';

export const levelFromSetting =
  (key: Extract<SettingKey, `semaforo.${string}` | 'presupuesto'>) =>
  (settings: Settings): CheckLevel =>
    settings[key] as CheckLevel;

export const supplierIdsOf = (lines: readonly LineWithFacts[]): number[] => [
  ...new Set(lines.map(({ invoice }) => invoice.supplierId)),
];
