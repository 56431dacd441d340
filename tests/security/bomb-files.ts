import { deflateRawSync } from 'node:zlib';
import { buildWorkbookParts, formatSheetRow, type SheetParts } from '../support/tables.ts';
import { buildZip, type ZipEntry } from '../support/zip.ts';

export const MB = 1024 * 1024;
const HEAD = formatSheetRow(1, ['Proveedor', 'Folio', 'Subtotal']);
const SHEET = 'xl/worksheets/sheet1.xml';

/** A workbook whose sheet entry is malformed. */
const withSheet = (sheet: Partial<ZipEntry>): ZipEntry[] => [
  ...buildWorkbookParts([{ rows: '' }]).filter(({ name }) => name !== SHEET),
  { name: SHEET, ...sheet },
];
const withRows = (sheet: SheetParts, extra = {}): ZipEntry[] => buildWorkbookParts([sheet], extra);
const sheetOf = (rows: string) => `<worksheet><sheetData>${HEAD}${rows}</sheetData></worksheet>`;

/** Built on demand, because some take 100 MB. */
export const BOMBS: Record<string, () => Buffer> = {
  'one part of 400 MB': () => buildZip(withSheet({ data: Buffer.alloc(400 * MB, 0x20) })),
  'a part of 100 MB that says 1 KB': () =>
    buildZip(withSheet({ raw: deflateRawSync(Buffer.alloc(100 * MB, 0x20)), size: 1024 })),
  'a part that says 49 MB and is more': () =>
    buildZip(withSheet({ raw: deflateRawSync(Buffer.alloc(100 * MB, 0x20)), size: 49 * MB })),
  '10,000 entries': () =>
    buildZip([
      ...buildWorkbookParts([{ rows: HEAD }]),
      ...Array.from({ length: 10_000 }, (_, index) => ({ name: `xl/media/${index}.xml` })),
    ]),
  '150 parts of 1 MB each': () =>
    buildZip([
      ...buildWorkbookParts([{ rows: HEAD }]),
      ...Array.from({ length: 150 }, (_, index) => ({
        name: `xl/${index}.xml`,
        data: Buffer.alloc(MB, 0x20),
      })),
    ]),
  'zips within zips': () => {
    let inner = buildZip([{ name: 'a.xml', data: Buffer.alloc(10 * MB, 0x20) }]);
    for (let level = 0; level < 20; level++)
      inner = buildZip(Array.from({ length: 10 }, (_, index) => ({ name: `${index}.xlsx`, data: inner })));
    return inner;
  },
  'a zip where the sheet should be': () => buildZip(withSheet({ data: buildZip([{ name: 'a.xml' }]) })),
  'one row more than a table may have': () => {
    const rows = Array.from({ length: 100_001 }, (_, index) => `<row><c><v>${index}</v></c></row>`);
    return buildZip(withSheet({ data: sheetOf(rows.join('')) }));
  },
  'one long text in 100,000 cells': () => {
    const rows = Array.from(
      { length: 100_000 },
      (_, index) => `<row r="${index + 2}"><c t="s"><v>0</v></c></row>`,
    );
    return buildZip(
      withRows({ rows: HEAD + rows.join('') }, { sharedStrings: `<si><t>${'x'.repeat(32_767)}</t></si>` }),
    );
  },
  'a million shared texts': () =>
    buildZip(
      withRows(
        { rows: HEAD },
        {
          sharedStrings: Array.from({ length: 1_000_000 }, (_, index) => `<si><t>${index}</t></si>`).join(''),
        },
      ),
    ),
  'a billion laughs': () => {
    const entities = Array.from({ length: 10 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`);
    return buildZip(
      withSheet({
        data: `<!DOCTYPE a [<!ENTITY l0 "ja">${entities.join('')}]>${sheetOf('<row><c t="str"><v>&l10;</v></c></row>')}`,
      }),
    );
  },
  '200,000 levels': () => buildZip(withSheet({ data: sheetOf('<a>'.repeat(200_000)) })),
  'a cell in the last column of the last row': () =>
    buildZip(withRows({ rows: `${HEAD}<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>` })),
  'formats that take an expression back and forth': () =>
    buildZip(
      withRows(
        { rows: `${HEAD}<row r="2"><c><v>1</v></c></row>` },
        {
          styles: `<numFmts><numFmt numFmtId="164" formatCode="${'['.repeat(MB)}"/></numFmts><cellXfs><xf numFmtId="164"/></cellXfs>`,
        },
      ),
    ),
};
