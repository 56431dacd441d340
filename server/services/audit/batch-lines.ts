import { formatMoney } from '../../../shared/money.ts';
import { CHECK_NAMES } from '../../../shared/payment-batches.ts';

export interface AuditChange {
  label: string;
  before: string;
  after: string;
}

/** Older entries have no names and no checks. */
interface AuditedBatchLine {
  invoiceId: number;
  suppliername?: string;
  numfactura?: string;
  amountCents: number;
  paymentId?: number | null;
  permittedBy?: string;
  codes?: readonly string[];
  reason?: string;
}

type Snapshot = Readonly<Record<string, unknown>> | null;

export function compareLines(before: Snapshot, after: Snapshot): AuditChange[] {
  const [linesBefore, linesAfter] = [indexLinesByInvoice(before), indexLinesByInvoice(after)];
  return [...new Map([...linesBefore, ...linesAfter])].flatMap(([invoiceId, line]) => {
    const [previous, current] = [linesBefore.get(invoiceId), linesAfter.get(invoiceId)];
    const name = lineLabel(line);
    return [
      changeIfDifferent(name, lineAmountText(previous), lineAmountText(current)),
      changeIfDifferent(`${name}, pago`, paymentText(previous), paymentText(current)),
      changeIfDifferent(
        `${name}, se autorizó de todos modos`,
        describeOverriddenChecks(previous),
        describeOverriddenChecks(current),
      ),
    ].flat();
  });
}

const indexLinesByInvoice = (snapshot: Snapshot): Map<number, AuditedBatchLine> =>
  new Map(((snapshot?.lines ?? []) as AuditedBatchLine[]).map((line) => [line.invoiceId, line]));

const lineLabel = ({ invoiceId, suppliername, numfactura }: AuditedBatchLine): string =>
  [suppliername, `factura ${numfactura || `con id ${invoiceId}`}`].filter(Boolean).join(', ');

const changeIfDifferent = (label: string, before: string, after: string): AuditChange[] =>
  before === after ? [] : [{ label, before, after }];

const lineAmountText = (line: AuditedBatchLine | undefined): string =>
  line ? formatMoney(line.amountCents) : NO_VALUE_TEXT;

const paymentText = (line: AuditedBatchLine | undefined): string => String(line?.paymentId ?? NO_VALUE_TEXT);

function describeOverriddenChecks(line: AuditedBatchLine | undefined): string {
  if (!line?.permittedBy) return NO_VALUE_TEXT;
  const checks = (line.codes ?? []).map((code) => CHECK_NAMES[code] ?? code);
  return [checks.join(', '), line.reason].filter(Boolean).join(': ');
}

const NO_VALUE_TEXT = '—';
