import type { PlainFields } from '../../../shared/invoices.ts';
import type { BrokenRule } from '../../../shared/refusal.ts';
import type { Remark } from '../../../shared/remarks.ts';
import type { ReadDocument } from '../../formats/cfdi/candidates.ts';

export interface CostPlace {
  jobId: number;
  rubroId?: number | null;
}

/** The fields of an invoice that its document does not say; comments replace those that follow from it. */
export interface CfdiImportOptions extends Partial<Omit<PlainFields, 'fechaemision'>>, CostPlace {
  /** by file: of those that go elsewhere */
  places?: ReadonlyMap<string, CostPlace>;
  /** create the suppliers that are not there; otherwise their documents are refused */
  createSuppliers?: boolean;
  /** take documents whose total is not the sum of their parts */
  allowMismatch?: boolean;
  /** capture the missing payments of receipts, as made from this source */
  fundingSourceId?: number | null;
  /** take what goes beyond the budget of its obra */
  allowExcess?: boolean;
  /** a document that replaces another one (TipoRelacion 04) takes its place; otherwise it is held back */
  replace?: boolean;
  /** say what would come of it, and store nothing */
  dryRun?: boolean;
  /** where the files come from, for the record of the import */
  source?: string;
  /** how many files, and bytes of them, are stored in one transaction */
  filesAtOnce?: number;
  bytesAtOnce?: number;
  /** aborted: what is stored stays, complete; the rest is left */
  signal?: AbortSignal;
}

export interface CfdiOutcome {
  file: string;
  outcome: 'created' | 'unchanged' | 'warned' | 'refused';
  /** why it was refused */
  reason?: Remark;
  /** the rule of invoices that refused it */
  refused?: BrokenRule;
  /** of a document that was stored all the same */
  warnings?: Remark[];
  /** what it is: an invoice, a credit note, a receipt of payments; none where it could not be read */
  kind?: ReadDocument['kind'];
  /** it went to what was on file: an invoice captured by hand, or one that it replaced; not counted as created */
  linked?: true;
  /** it takes the place of a document on file */
  replaces?: true;
  /** of the invoice that holds it; none in a dry run */
  invoiceId?: number;
  creditNoteId?: number;
  receiptId?: number;
  uuid?: string;
}

export type Outcome = Omit<CfdiOutcome, 'file' | 'uuid' | 'kind'>;

export const refused = (reason: Remark): Outcome => ({ outcome: 'refused', reason });

export const warnedOf = ({ warnings = [], ...outcome }: Outcome): Outcome =>
  warnings.length > 0 ? { ...outcome, outcome: 'warned', warnings } : outcome;

export interface CfdiImport {
  files: CfdiOutcome[];
  /** warned documents included, linked ones not */
  created: number;
  linked: number;
  /** the created ones by what they are */
  kinds: { invoices: number; creditNotes: number; receipts: number };
  unchanged: number;
  warned: number;
  refused: number;
  suppliersCreated: number;
  /** the signal came; `files` are those that were finished */
  interrupted: boolean;
}

export function summarize(files: CfdiOutcome[]) {
  const count = (outcome: CfdiOutcome['outcome']) => files.filter((file) => file.outcome === outcome).length;
  const created = files.filter(
    ({ outcome, linked }) => !linked && (outcome === 'created' || outcome === 'warned'),
  );
  const ofKind = (kind: CfdiOutcome['kind']) => created.filter((file) => file.kind === kind).length;
  return {
    files,
    created: created.length,
    linked: files.filter(({ linked }) => linked).length,
    kinds: { invoices: ofKind('I'), creditNotes: ofKind('E'), receipts: ofKind('P') },
    unchanged: count('unchanged'),
    warned: count('warned'),
    refused: count('refused'),
  };
}
