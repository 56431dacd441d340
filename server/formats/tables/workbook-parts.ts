import { type NumberFormat, readFormatCode } from './number-formats.ts';
import { parseXml } from './workbook-xml.ts';
import { damaged, type WorkbookZip } from './workbook-zip.ts';

export interface SheetPart {
  name: string;
  hidden: boolean;
  /** of the part in the zip */
  path: string;
}

export interface Workbook {
  /** without charts and macros */
  sheets: readonly SheetPart[];
  dates1904: boolean;
  /** by a cell's style */
  formats: readonly NumberFormat[];
  /** by their place, as cells name them */
  sharedTexts: readonly string[];
}

/** All of a workbook but its cells. */
export async function readWorkbook(zip: WorkbookZip): Promise<Workbook> {
  const targets = await readTargets(zip);
  const sheets: SheetPart[] = [];
  let dates1904 = false;
  await parseXml(zip.read('xl/workbook.xml'), {
    open(name, { date1904, name: title = '', state, id = '' }) {
      if (name === 'workbookPr') dates1904 = date1904 === '1' || date1904 === 'true';
      const target = targets.get(id);
      if (name !== 'sheet' || !target || !/worksheet$/.test(target.type)) return;
      sheets.push({ name: title, hidden: (state ?? 'visible') !== 'visible', path: target.path });
    },
  });
  if (sheets.length === 0) throw damaged();
  return {
    sheets,
    dates1904,
    formats: await readFormats(zip, partOf(targets, 'styles')),
    sharedTexts: await readSharedTexts(zip, partOf(targets, 'sharedStrings')),
  };
}

interface Target {
  type: string;
  path: string;
}

async function readTargets(zip: WorkbookZip): Promise<Map<string, Target>> {
  const targets = new Map<string, Target>();
  await parseXml(zip.read('xl/_rels/workbook.xml.rels'), {
    open(name, { Id = '', Type = '', Target = '', TargetMode }) {
      if (name !== 'Relationship' || TargetMode === 'External') return;
      const path = Target.startsWith('/') ? Target : `xl/${Target.replace(/^\.\//, '')}`;
      targets.set(Id, { type: Type, path });
    },
  });
  return targets;
}

const partOf = (targets: ReadonlyMap<string, Target>, type: string): string | undefined =>
  [...targets.values()].find((target) => target.type.endsWith(`/${type}`))?.path;

async function readFormats(zip: WorkbookZip, path: string | undefined): Promise<NumberFormat[]> {
  const formats: NumberFormat[] = [];
  if (!path || !zip.has(path)) return formats;
  const codes = new Map<string, string>();
  let inCells = false;
  await parseXml(zip.read(path), {
    open(name, { numFmtId = '0', formatCode = '' }) {
      if (name === 'numFmt') codes.set(numFmtId, formatCode);
      if (name === 'cellXfs') inCells = true;
      if (name === 'xf' && inCells) formats.push(readFormatCode(Number(numFmtId), codes.get(numFmtId)));
    },
    close(name) {
      if (name === 'cellXfs') inCells = false;
    },
  });
  return formats;
}

async function readSharedTexts(zip: WorkbookZip, path: string | undefined): Promise<string[]> {
  const texts: string[] = [];
  if (!path || !zip.has(path)) return texts;
  const reader = new RichText();
  await parseXml(zip.read(path), {
    open(name) {
      if (name === 'si') reader.start();
      else reader.open(name);
    },
    text: (text) => reader.text(text),
    close(name) {
      reader.close(name);
      if (name === 'si') texts.push(reader.end());
    },
  });
  return texts;
}

/** The text of a shared or inline string: of all its runs, without what only says how it is pronounced. */
export class RichText {
  #text = '';
  #inText = false;
  #inPhonetic = false;

  start(): void {
    this.#text = '';
  }

  open(name: string): void {
    if (name === 'rPh') this.#inPhonetic = true;
    if (name === 't' && !this.#inPhonetic) this.#inText = true;
  }

  text(text: string): void {
    if (this.#inText) this.#text += text;
  }

  close(name: string): void {
    if (name === 't') this.#inText = false;
    if (name === 'rPh') this.#inPhonetic = false;
  }

  end(): string {
    return unescapeText(this.#text);
  }
}

/** `_x000D_` is how a workbook writes a character that XML cannot hold. */
export const unescapeText = (text: string): string =>
  (text.includes('_x')
    ? text.replace(/_x([0-9a-fA-F]{4})_/g, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      )
    : text
  ).replace(/\r\n?/g, '\n');
