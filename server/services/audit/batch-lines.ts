import { formatMoney } from '../../../shared/money.ts';
import { CHECK_NAMES } from '../../../shared/payment-batches.ts';

export interface AuditChange {
  label: string;
  before: string;
  after: string;
}

/** A line as entries about its batch keep it; older ones have no names and no checks. */
interface KeptLine {
  invoiceId: number;
  suppliername?: string;
  numfactura?: string;
  amountCents: number;
  /** who let it through, the findings at that time, and why */
  permittedBy?: string;
  codes?: readonly string[];
  reason?: string;
}

type Snapshot = Readonly<Record<string, unknown>> | null;

export function lineChanges(before: Snapshot, after: Snapshot): AuditChange[] {
  const [was, is] = [linesOf(before), linesOf(after)];
  return [...new Map([...was, ...is])].flatMap(([invoiceId, line]) => {
    const [former, present] = [was.get(invoiceId), is.get(invoiceId)];
    const name = nameOf(line);
    return [
      changed(name, amountOf(former), amountOf(present)),
      changed(`${name}, se autorizó de todos modos`, permitOf(former), permitOf(present)),
    ].flat();
  });
}

const linesOf = (snapshot: Snapshot): Map<number, KeptLine> =>
  new Map(((snapshot?.lines ?? []) as KeptLine[]).map((line) => [line.invoiceId, line]));

const nameOf = ({ invoiceId, suppliername, numfactura }: KeptLine): string =>
  [suppliername, `factura ${numfactura || `con id ${invoiceId}`}`].filter(Boolean).join(', ');

const changed = (label: string, before: string, after: string): AuditChange[] =>
  before === after ? [] : [{ label, before, after }];

const amountOf = (line: KeptLine | undefined): string => (line ? formatMoney(line.amountCents) : NOTHING);

function permitOf(line: KeptLine | undefined): string {
  if (!line?.permittedBy) return NOTHING;
  const checks = (line.codes ?? []).map((code) => CHECK_NAMES[code] ?? code);
  return [checks.join(', '), line.reason].filter(Boolean).join(': ');
}

const NOTHING = '—';
