import { sql } from 'kysely';
import { valuesTable } from '../../../db/bulk.ts';
import { isOneOf } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { CheckedStep, Finding, FullBatch, Verdict } from '../../../shared/payment-batches.ts';
import type { Actor } from '../audit/audit.ts';
import { IDENTITY_COLUMNS, qualifyInvoiceColumns } from '../invoices/read-invoice-book.ts';
import { committedExpression } from '../payments/committed-amounts.ts';
import type { Settings } from '../settings/definitions.ts';
import { readSettings } from '../settings/settings.ts';
import type { LineWithFacts } from './check-types.ts';
import { CHECKS, isMandatory } from './checks.ts';

type LineToCheck = Pick<LineWithFacts, 'invoiceId' | 'supplierId' | 'amountCents' | 'verdict'>;

interface CheckContext {
  step: CheckedStep;
  fecha: PlainDate;
  /** the settings that hold for the batch; the current ones by default */
  rules?: Settings;
  mandatoryOnly?: boolean;
  batch: Pick<FullBatch, 'id' | 'estado' | 'signatures'>;
}

/** @returns verdicts by invoice id */
export async function checkLines(
  db: Db,
  actor: Actor,
  lines: readonly LineToCheck[],
  { step, fecha, rules, mandatoryOnly = false, batch }: CheckContext,
): Promise<Map<number, Verdict>> {
  const settings = rules ?? (await readSettings(db));
  const checkedLines = await readLinesWithFacts(db, lines, batch);
  const findings = new Map<number, Finding[]>(lines.map(({ invoiceId }) => [invoiceId, []]));
  const { today } = actor;
  const input = { db, lines: checkedLines, fecha, step, today, settings };
  for (const [code, { level: findLevel, sourceLabel, prepareFinder }] of Object.entries(CHECKS)) {
    const level = findLevel(settings);
    if (level === 'ignorar' || (mandatoryOnly && !isMandatory(code))) continue;
    const findProblem = await prepareFinder(input);
    for (const line of checkedLines) {
      const found = findProblem(line);
      if (found)
        findings.get(line.invoiceId)!.push({ code, level, source: sourceLabel, date: today, ...found });
    }
  }
  return new Map(
    checkedLines.map(({ invoiceId, payee }) => [
      invoiceId,
      { step, at: actor.at, findings: findings.get(invoiceId)!, payee },
    ]),
  );
}

export async function storeVerdicts(
  trx: Trx,
  batchId: number,
  verdicts: ReadonlyMap<number, Verdict>,
): Promise<void> {
  // Each row has the batch's id too: without it SQLite scans all lines of all batches for each row.
  const rows = [...verdicts].map(([line, verdict]) => ({
    batch: batchId,
    line,
    verdict: JSON.stringify(verdict),
  }));
  await sql`update payment_batch_lines set verdict = w.verdict
    from ${valuesTable(trx, { batch: 'bigint', line: 'bigint', verdict: 'text' }, rows)} as w
    where payment_batch_lines."batchId" = w.batch and payment_batch_lines."invoiceId" = w.line`.execute(trx);
}

async function readLinesWithFacts(
  db: Db,
  lines: readonly LineToCheck[],
  { id, estado, signatures }: CheckContext['batch'],
): Promise<LineWithFacts[]> {
  const ids = lines.map(({ invoiceId }) => invoiceId);
  const { rows } = await sql<Omit<LineWithFacts['invoice'], 'hasXml'> & { hasXml: number }>`
    select ${qualifyInvoiceColumns([...IDENTITY_COLUMNS, 'rubroId', 'moneda', 'tipocambio'])}, suppliers.rfc, suppliers.suppliername,
      suppliers."regimenFiscal",
      invoices."totalCents" - invoices."paidCents" as "pendingCents",
      ${estado === 'enviada' ? sql`0` : committedExpression(id, true)} as "sentCents",
      case when exists (select 1 from attachments where attachments."invoiceId" = invoices.id
        and attachments.kind = 'cfdi') then 1 else 0 end as "hasXml"
    from invoices join suppliers on suppliers.id = invoices."supplierId"
    where ${isOneOf(db, 'invoices.id', ids)}`.execute(db);
  const byId = new Map(rows.map((row) => [row.id, { ...row, hasXml: row.hasXml === 1 }]));
  return lines.map((line) => {
    const invoice = byId.get(line.invoiceId)!;
    const currentPayee = { suppliername: invoice.suppliername, rfc: invoice.rfc ?? '' };
    return { ...line, invoice, payee: (signatures.length > 0 && line.verdict?.payee) || currentPayee };
  });
}
