import type { Db } from '../../../db/schema.ts';
import { type CatalogNoun, catalogOf, catalogOfCommand } from '../../../shared/catalogs/all.ts';
import type { Cents } from '../../../shared/money.ts';
import { PackedList } from '../../formats/packed-list.ts';
import type {
  ParsedRow,
  RefusedRow,
  RowWarning,
  TableImport,
  TableKind,
} from '../../formats/tables/table.ts';
import type { Actor } from '../audit/audit.ts';
import { CatalogJudge } from './catalogs-rows.ts';
import type { NewInvoice } from './invoices-drafts.ts';
import { AMOUNTS, InvoiceJudge } from './invoices-rows.ts';
import { judgeSafely, type RowRefusal, type Verdict } from './judging.ts';
import type { ListEntry } from './known-catalogs.ts';
import { type NewPayment, PaymentJudge } from './payments-rows.ts';
import { NameRefusals } from './refusals.ts';
import { ROWS_BETWEEN_PAUSES, type Run, type TableImportOptions } from './run.ts';

type New = ListEntry | NewInvoice | NewPayment;

export interface Judged {
  result: TableImport;
  accepted: New[];
  /** what `createMissing` adds to other lists, by the catalog's noun, since an accepted row needs it */
  missing: Map<string, Set<ListEntry>>;
}

interface Judge {
  read(db: Db, rows: readonly ParsedRow[], pause: () => Promise<void>): Promise<void>;
  judge(row: ParsedRow, index: number): Verdict<New>;
}

/** Each row by what is on file and by the rows before it. */
export async function judgeAll(db: Db, { actor, kind, rows, options, progress }: Run): Promise<Judged> {
  const judge = judgeOf(kind, actor, options);
  await judge.read(db, rows, () => progress.pause());
  const name = new NameRefusals(kind, options.columns);
  const refused = new PackedList<RefusedRow>();
  const warnings = new PackedList<RowWarning>();
  const result: TableImport = {
    rows: rows.length,
    created: 0,
    unchanged: 0,
    refused,
    warnings,
    missingCreated: {},
    stored: false,
  };
  const accepted: New[] = [];
  const missing: Judged['missing'] = new Map();
  for (const [index, row] of rows.entries()) {
    if (index % ROWS_BETWEEN_PAUSES === 0) await progress.show('revisar', index / rows.length);
    const verdict = row.problems.length > 0 ? undefined : judgeSafely(row, (one) => judge.judge(one, index));
    if (!verdict || 'refused' in verdict) {
      refused.push(verdict ? name.ofRow(row, verdict.refused as RowRefusal) : name.ofCells(row));
      options.onJudged?.(row, 'refused');
      continue;
    }
    if ('unchanged' in verdict) options.onJudged?.(row, 'unchanged');
    else options.onJudged?.(asStored(row, verdict.accepted), 'stored');
    for (const reason of [...row.warnings, ...verdict.warnings]) warnings.push({ row: row.line, reason });
    if ('unchanged' in verdict) {
      result.unchanged += 1;
      continue;
    }
    result.created += 1;
    accepted.push(verdict.accepted);
    for (const [noun, entry] of namedBy(verdict.accepted)) addTo(missing, noun, entry);
  }
  for (const [noun, entries] of missing) result.missingCreated[catalogOf(noun).command] = entries.size;
  return { result, accepted, missing };
}

/** A row in another currency as it is stored: in the base one. */
function asStored(row: ParsedRow, accepted: New): ParsedRow {
  const { line, raw, values, problems, warnings } = row;
  if (!values.moneda) return row;
  const amounts: Record<string, Cents> = {};
  if ('invoice' in accepted) for (const [name, cents] of AMOUNTS) amounts[name] = accepted.invoice[cents];
  if ('payment' in accepted) amounts.paymentamount = accepted.payment.amountCents;
  return { line, raw, values: { ...values, ...amounts }, problems, warnings };
}

function judgeOf(kind: TableKind, actor: Actor, options: TableImportOptions): Judge {
  const { createMissing = false, allowDuplicates = false, set = {} } = options;
  const judging = { createMissing, allowDuplicates, set };
  if (kind === 'invoices') return new InvoiceJudge(judging);
  if (kind === 'payments') return new PaymentJudge({ ...judging, today: actor.today });
  return new CatalogJudge(catalogOfCommand(kind)!, judging);
}

/** The new rows of other lists that this one needs, theirs included. */
function* namedBy(accepted: New): Generator<[CatalogNoun, ListEntry]> {
  if ('invoice' in accepted) {
    const { supplier, job, rubro } = accepted;
    if (supplier.id < 0) yield ['suppliers', supplier];
    if (job.id < 0) yield ['jobs', job];
    if (job.parent && job.parent.id < 0) yield ['clients', job.parent];
    if (rubro && rubro.id < 0) yield ['rubros', rubro];
  } else if ('payment' in accepted) {
    if (accepted.source && accepted.source.id < 0) yield ['funding-sources', accepted.source];
  } else if (accepted.parent && accepted.parent.id < 0) yield ['clients', accepted.parent];
}

function addTo(missing: Judged['missing'], noun: CatalogNoun, entry: ListEntry): void {
  const entries = missing.get(noun);
  if (entries) entries.add(entry);
  else missing.set(noun, new Set([entry]));
}
