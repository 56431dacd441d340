import type { Db } from '../../../db/schema.ts';
import type { ExportFormat } from '../../../shared/urls.ts';
import { writeListsPdf } from '../../formats/pdf/list-pdf.ts';
import { generateCsvChunks } from '../../formats/sheets/csv.ts';
import { generateJsonChunks } from '../../formats/sheets/json.ts';
import type { Letterhead, ListExport } from '../../formats/sheets/sheet.ts';
import { generateXlsxChunks } from '../../formats/sheets/xlsx.ts';
import { readLogo } from '../settings/logo.ts';
import { readSettings } from '../settings/settings.ts';
import { formatMoment } from './export-texts.ts';

interface LetterheadContext {
  db: Db;
  format: ExportFormat;
  now: Date;
  timeZone: string;
}

interface ExportContext extends LetterheadContext {
  signal?: AbortSignal;
}

export interface ExportFile {
  /** with its extension */
  name: string;
  mediaType: string;
  chunks: AsyncGenerator<string | Uint8Array>;
}

export const EXPORT_MEDIA_TYPES: Record<ExportFormat, string> = {
  pdf: 'application/pdf',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
};

/** The file is generated while its chunks are read. @throws (with the first chunk) DomainError too-large */
export function makeExport<Row>(context: ExportContext, list: ListExport<Row>): ExportFile {
  const { format } = context;
  const name = format === 'pdf' && list.pdfForm ? list.pdfForm.file : list.file;
  return {
    name: `${name}.${format}`,
    mediaType: EXPORT_MEDIA_TYPES[format],
    chunks: generateChunks(context, list),
  };
}

async function* generateChunks<Row>(request: ExportContext, list: ListExport<Row>): ExportFile['chunks'] {
  const { format, now: at, signal } = request;
  if (format === 'csv') yield* generateCsvChunks(list.sheet);
  else if (format === 'json') yield* generateJsonChunks(list);
  else if (format === 'pdf' && list.pdfForm) yield await list.pdfForm.draw(signal);
  else {
    const head = await readLetterhead(request, list);
    if (format === 'xlsx') yield* generateXlsxChunks(list, head, at);
    else yield await writeListsPdf([[list as ListExport<unknown>, head]], { title: head.title, at, signal });
  }
}

export async function readLetterhead(
  { db, format, now, timeZone }: LetterheadContext,
  { title, filters }: Pick<Letterhead, 'title' | 'filters'>,
): Promise<Letterhead> {
  const { empresa, rfc, direccion } = await readSettings(db);
  const generated = `Generado el ${formatMoment(now, timeZone)}`;
  return {
    empresa,
    rfc,
    direccion,
    logo: format === 'pdf' ? await readLogo(db) : undefined,
    title,
    filters,
    generatedText: generated,
  };
}

export function joinExportsIntoPdf(
  context: LetterheadContext,
  { file, title, noun }: Pick<ListExport<never>, 'file' | 'title' | 'noun'>,
  parts: readonly ListExport<unknown>[],
): ListExport<never> {
  const drawPdf = async (signal?: AbortSignal) => {
    const heads = await Promise.all(parts.map((part) => readLetterhead(context, part)));
    const lists = parts.map((part, index) => [part, heads[index]!] as const);
    return writeListsPdf(lists, { title, at: context.now, signal });
  };
  return {
    file,
    title,
    filters: [],
    noun,
    sheet: { columns: [], pages: [] },
    pdfForm: { file, draw: drawPdf },
  };
}
