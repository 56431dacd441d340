import type { DateAndNoteFields } from '../../../shared/invoices.ts';
import type { BrokenRule } from '../../../shared/refusal.ts';
import type { Remark } from '../../../shared/remarks.ts';
import type { SuccessfulReading } from '../../formats/cfdi/candidates.ts';

export interface JobAndRubro {
  jobId: number;
  rubroId?: number | null;
}

/** Values that apply to all documents of an import. `comments` replace those that a document would give. */
export interface CfdiImportOptions extends Partial<Omit<DateAndNoteFields, 'fechaemision'>>, JobAndRubro {
  /** By file, where obra and rubro differ from those of the others. */
  jobAndRubroByFile?: ReadonlyMap<string, JobAndRubro>;
  createSuppliers?: boolean;
  allowMismatch?: boolean;
  /** Missing payments of receipts are captured as made from this source. */
  fundingSourceId?: number | null;
  allowExcess?: boolean;
  /** A replacing document (TipoRelacion 04) takes the place of one that has payments; without this it is refused. */
  replace?: boolean;
  dryRun?: boolean;
  source?: string;
  filesPerPart?: number;
  bytesPerPart?: number;
  /** When aborted, the parts stored so far remain, and the rest is skipped. */
  signal?: AbortSignal;
}

export interface CfdiOutcome {
  file: string;
  outcome: 'created' | 'unchanged' | 'warned' | 'refused';
  reason?: Remark;
  refused?: BrokenRule;
  warnings?: Remark[];
  /** Undefined where the document could not be read. */
  kind?: SuccessfulReading['kind'];
  /** The document was linked to an invoice on file, or replaced the document of one; it does not count as created. */
  linked?: true;
  replaces?: true;
  /** The invoice it was stored as or linked to; undefined in a dry run. */
  invoiceId?: number;
  creditNoteId?: number;
  receiptId?: number;
  uuid?: string;
}

export type CfdiOutcomeWithoutFile = Omit<CfdiOutcome, 'file' | 'uuid' | 'kind'>;

export const createRefusedOutcome = (reason: Remark): CfdiOutcomeWithoutFile => ({
  outcome: 'refused',
  reason,
});

export const toWarnedOutcome = ({
  warnings = [],
  ...outcome
}: CfdiOutcomeWithoutFile): CfdiOutcomeWithoutFile =>
  warnings.length > 0 ? { ...outcome, outcome: 'warned', warnings } : outcome;

export interface CfdiImportResult {
  files: CfdiOutcome[];
  created: number;
  linked: number;
  kinds: { invoices: number; creditNotes: number; receipts: number };
  unchanged: number;
  warned: number;
  refused: number;
  suppliersCreated: number;
  interrupted: boolean;
}

export function summarizeOutcomes(outcomes: CfdiOutcome[]) {
  const countOutcome = (outcome: CfdiOutcome['outcome']) =>
    outcomes.filter((file) => file.outcome === outcome).length;
  const created = outcomes.filter(
    ({ outcome, linked }) => !linked && (outcome === 'created' || outcome === 'warned'),
  );
  const countCreatedOf = (kind: CfdiOutcome['kind']) => created.filter((file) => file.kind === kind).length;
  return {
    files: outcomes,
    created: created.length,
    linked: outcomes.filter(({ linked }) => linked).length,
    kinds: { invoices: countCreatedOf('I'), creditNotes: countCreatedOf('E'), receipts: countCreatedOf('P') },
    unchanged: countOutcome('unchanged'),
    warned: countOutcome('warned'),
    refused: countOutcome('refused'),
  };
}
