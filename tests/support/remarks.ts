import { describeRemark } from '../../cli/remedies.ts';
import type { TableImportResult } from '../../server/formats/tables/table.ts';
import type { CfdiImportResult } from '../../server/services/documents/outcomes.ts';
import { formatWithIds, type Remark } from '../../shared/remarks.ts';

export const cfdiInWords = ({ files, ...result }: CfdiImportResult) => ({
  ...result,
  files: files.map(({ reason, warnings, ...file }) => ({
    ...file,
    ...(reason === undefined ? {} : { reason: describeRemark(reason) }),
    ...(warnings === undefined ? {} : { warnings: warnings.map(describeRemark) }),
  })),
});

/** Formats the result of a table's import; the remedy of a refusal is given once for all rows. */
export const tableInWords = ({ refused, warnings, ...result }: TableImportResult) => ({
  ...result,
  refused: [...refused].map(reasonInWords),
  warnings: [...warnings].map(reasonInWords),
});

const reasonInWords = <Answered extends { reason: Remark }>(answered: Answered) => ({
  ...answered,
  reason: formatWithIds(answered.reason),
});
