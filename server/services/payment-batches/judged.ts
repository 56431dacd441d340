import type { PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import type { BatchStep, Finding, Verdict } from '../../../shared/payment-batches.ts';
import type { InvoiceOnFile } from '../invoices/book.ts';
import type { Settings } from '../settings/definitions.ts';

/** A line, and what the checks ask of its invoice. */
export interface JudgedLine {
  invoiceId: number;
  amountCents: Cents;
  /** for whom the line was chosen */
  supplierId: number;
  /** what was found before; a line that is just chosen has none */
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

export interface JudgedBatch {
  /** the day of its payments */
  fecha: PlainDate;
  step: BatchStep;
  today: PlainDate;
  settings: Settings;
}

/** What is found about some of the lines, by their invoices. */
export type Found = Map<number, Omit<Finding, 'code' | 'level'>>;

/** The findings of one test that looks at a line by itself. */
export const eachOf = (
  lines: readonly JudgedLine[],
  find: (line: JudgedLine) => Omit<Finding, 'code' | 'level'> | undefined,
): Found =>
  new Map(
    lines.flatMap((line) => {
      const found = find(line);
      return found ? [[line.invoiceId, found] as const] : [];
    }),
  );
