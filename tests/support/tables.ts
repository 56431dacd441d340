import type { TableHints } from '../../server/formats/tables/header.ts';
import { parseRows } from '../../server/formats/tables/parse-rows.ts';
import { parseTable } from '../../server/formats/tables/parse-table.ts';
import { planTable } from '../../server/formats/tables/plan.ts';
import type { ParsedRow, PlanOptions, RawTable, TableKind } from '../../server/formats/tables/table.ts';
import { buildZip, type ZipEntry } from './zip.ts';

export const readTableBytes = (
  bytes: Uint8Array | string,
  hints: TableHints & { sheet?: string } = {},
): Promise<RawTable> => parseTable({ bytes: Buffer.from(bytes), filename: 'tabla', ...hints });

/** Parses text to rows; the plan must have no open question about how a cell is read or what a column is. */
export async function importText(
  kind: TableKind,
  text: string | Uint8Array,
  options: PlanOptions = {},
): Promise<ParsedRow[]> {
  const table = await readTableBytes(text, { kind });
  const plan = planTable(table, kind, options);
  const open = plan.questions.filter(
    ({ answerOption }) => answerOption !== 'amount' && answerOption !== 'set',
  );
  if (open.length > 0 || plan.missingFields.length > 0)
    throw new Error(JSON.stringify([open, plan.missingFields]));
  return [...parseRows(table, plan)];
}

export interface SheetParts {
  name?: string;
  state?: string;
  before?: string;
  rows: string;
  after?: string;
}

const MAIN_NAMESPACE = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const REL = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** Makes the parts of a workbook, as XML by hand, so that they may also be wrong. */
export function buildWorkbookParts(
  sheets: SheetParts[],
  extraParts: { workbookPr?: string; styles?: string; sharedStrings?: string } = {},
): ZipEntry[] {
  const targets = [
    ...sheets.map((_, index) => ['worksheet', `worksheets/sheet${index + 1}.xml`]),
    ...(extraParts.styles === undefined ? [] : [['styles', 'styles.xml']]),
    ...(extraParts.sharedStrings === undefined ? [] : [['sharedStrings', 'sharedStrings.xml']]),
  ];
  const entries = sheets.map(
    ({ name, state }, index) =>
      `<sheet name="${name ?? `Hoja${index + 1}`}" sheetId="${index + 1}" ${state ? `state="${state}" ` : ''}r:id="rId${index + 1}"/>`,
  );
  const relations = targets.map(
    ([type, target], index) =>
      `<Relationship Id="rId${index + 1}" Type="${REL}/${type}" Target="${target}"/>`,
  );
  return [
    {
      name: 'xl/workbook.xml',
      data: `<workbook xmlns="${MAIN_NAMESPACE}" xmlns:r="${REL}">${extraParts.workbookPr ?? ''}<sheets>${entries.join('')}</sheets></workbook>`,
    },
    { name: 'xl/_rels/workbook.xml.rels', data: `<Relationships>${relations.join('')}</Relationships>` },
    ...(extraParts.styles === undefined
      ? []
      : [
          {
            name: 'xl/styles.xml',
            data: `<styleSheet xmlns="${MAIN_NAMESPACE}">${extraParts.styles}</styleSheet>`,
          },
        ]),
    ...(extraParts.sharedStrings === undefined
      ? []
      : [
          {
            name: 'xl/sharedStrings.xml',
            data: `<sst xmlns="${MAIN_NAMESPACE}">${extraParts.sharedStrings}</sst>`,
          },
        ]),
    ...sheets.map(({ before = '', rows, after = '' }, index) => ({
      name: `xl/worksheets/sheet${index + 1}.xml`,
      data: `<worksheet xmlns="${MAIN_NAMESPACE}">${before}<sheetData>${rows}</sheetData>${after}</worksheet>`,
    })),
  ];
}

export const buildWorkbook = (...parts: Parameters<typeof buildWorkbookParts>): Buffer =>
  buildZip(buildWorkbookParts(...parts));

/** Makes cells by their reference: text inline, numbers as such, or XML by hand. */
export function formatSheetRow(
  row: number,
  cells: readonly (string | number | { xml: string } | null)[],
): string {
  const written = cells.map((cell, index) => {
    const reference = `r="${String.fromCharCode(65 + index)}${row}"`;
    if (cell === null) return '';
    if (typeof cell === 'number') return `<c ${reference}><v>${cell}</v></c>`;
    if (typeof cell === 'object') return cell.xml.replace('<c', `<c ${reference}`);
    return `<c ${reference} t="inlineStr"><is><t>${cell}</t></is></c>`;
  });
  return `<row r="${row}">${written.join('')}</row>`;
}
