import { dayOfTimestamp, isOfThisCentury, isPlainDate, type PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { Cents } from '../../../shared/money.ts';
import { keysOf } from '../../../shared/record-fields.ts';
import { normalizeRfc } from '../../../shared/rfc.ts';
import { fold, isUuid, normalizeUuid } from '../../../shared/text.ts';
import { cleanValue, parseDecimal, toCents } from '../cfdi/attribute-values.ts';
import { CFDI_KIND_LABELS, type CfdiKind } from '../cfdi/kinds.ts';
import { decodeText, recognizeFormat } from '../tables/decode.ts';
import { BoundedZip, ZipError } from '../zip/reading.ts';

/** The amount is the total, in the document's own currency. */
export interface MetadataRow {
  uuid: string;
  rfcEmisor: string;
  nombreEmisor: string;
  rfcReceptor: string;
  fecha: PlainDate;
  montoCents: Cents;
  efecto: CfdiKind;
  isCancelled: boolean;
  fechaCancelacion: PlainDate | null;
}

export interface MetadataSummary {
  /** the latest day in the file, which says nothing about later days */
  latestDay: PlainDate | null;
  /** the first rows that are not understood, each with its line and the reason */
  problems: string[];
  problemCount: number;
}

export const MAX_METADATA_MB = 60;
const MAX_ROWS = 500_000;
const MAX_PROBLEMS = 20;
const MAX_NAME_LENGTH = 300;
/** Names may contain line breaks, but a row of more lines than this is not from the SAT's metadata. */
const MAX_BROKEN_LINES = 20;

const ZIP_LIMITS = {
  entries: 200,
  entryBytes: 150 * 1024 * 1024,
  totalBytes: 150 * 1024 * 1024,
  compressionRatio: 200,
  suspiciousBytes: 1024 * 1024,
};

/**
 * Reads the SAT's metadata of CFDI from a TXT, or from a zip of several. Rows that are not understood are reported and
 * left out.
 * @param onRows receives up to 500 rows at a time
 * @throws DomainError invalid bad_metadata where the file is something else, too-large
 */
export async function readMetadata(
  bytes: Uint8Array,
  onRows: (rows: MetadataRow[]) => void,
): Promise<MetadataSummary> {
  const summary: MetadataSummary = { latestDay: null, problems: [], problemCount: 0 };
  const count = { rows: 0 };
  for await (const { label, text } of readTexts(bytes)) {
    let part: MetadataRow[] = [];
    for (const read of parseMetadata(text)) {
      if ('problem' in read) {
        summary.problemCount += 1;
        if (summary.problems.length < MAX_PROBLEMS)
          summary.problems.push(`${label}línea ${read.line}: ${read.problem}`);
        continue;
      }
      count.rows += 1;
      if (count.rows > MAX_ROWS)
        throw new DomainError('too-large', `El archivo pasa de ${MAX_ROWS} CFDI. Pide uno por mes.`);
      for (const day of [read.row.fecha, read.row.fechaCancelacion])
        if (day !== null && day > (summary.latestDay ?? '')) summary.latestDay = day;
      part.push(read.row);
      if (part.length < ROWS_PER_CALL) continue;
      onRows(part);
      part = [];
    }
    if (part.length > 0) onRows(part);
  }
  if (count.rows === 0 && summary.problemCount > 0)
    throw badMetadataError(`Ningún renglón se entiende: ${summary.problems[0]}`);
  return summary;
}

const ROWS_PER_CALL = 500;

export const badMetadataError = (message: string): DomainError =>
  new DomainError('invalid', message, { code: 'bad_metadata', fields: { file: message } });

const NOT_METADATA_TEXT =
  'No son metadatos del SAT: falta el encabezado con Uuid~RfcEmisor~… Es el TXT, o el zip, que el SAT da al pedir metadatos de los CFDI recibidos.';

async function* readTexts(bytes: Uint8Array): AsyncGenerator<{ label: string; text: string }> {
  if (withMetadataRefusal(() => recognizeFormat(bytes)) === 'text') {
    yield { label: '', text: decodeOrRefuse(bytes) };
    return;
  }
  let zip: BoundedZip | undefined;
  try {
    zip = await BoundedZip.open(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), ZIP_LIMITS);
    // A zip of the SAT also contains a list of third parties, which has other columns.
    const entries = zip.entries.filter(
      ({ name }) => /\.(txt|csv)$/i.test(name) && !/_tercero\.txt$/i.test(name) && !/(^|\/)[._]/.test(name),
    );
    if (entries.length === 0)
      throw badMetadataError('El zip no tiene un TXT de metadatos. ¿Es el de los XML? Ese va en Cargar XML.');
    for (const entry of entries) {
      const chunks: Buffer[] = [];
      for await (const chunk of zip.read(entry)) chunks.push(chunk);
      yield { label: `${entry.name}, `, text: decodeOrRefuse(Buffer.concat(chunks)) };
    }
  } catch (error) {
    if (!(error instanceof ZipError)) throw error;
    throw badMetadataError(
      ['too-large', 'total', 'suspicious', 'too-many'].includes(error.fault)
        ? 'El zip es demasiado grande al descomprimirse. Pide los metadatos por mes.'
        : 'El zip está dañado, incompleto o cifrado.',
    );
  } finally {
    zip?.close();
  }
}

const decodeOrRefuse = (bytes: Uint8Array) => withMetadataRefusal(() => decodeText(bytes).text);

/** Runs `read` and replaces its error about a table file by one that says that the file contains no metadata. */
function withMetadataRefusal<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind !== 'invalid') throw error;
    throw badMetadataError(NOT_METADATA_TEXT);
  }
}

type RowReading = { row: MetadataRow } | { line: number; problem: string };

const COLUMN_NAMES = [
  'uuid',
  'rfcemisor',
  'nombreemisor',
  'rfcreceptor',
  'fechaemision',
  'monto',
  'efectocomprobante',
  'estatus',
  'fechacancelacion',
] as const;
type ColumnName = (typeof COLUMN_NAMES)[number];

/** Columns are found by their names, because newer files have more columns. */
function* parseMetadata(text: string): Generator<RowReading> {
  const lines = iterateLines(text);
  const header = requireHeader(lines);
  const names = header.text.split('~').map((name) => fold(name).replace(/[^a-z]/g, ''));
  const places = {} as Record<ColumnName, number>;
  for (const name of COLUMN_NAMES) {
    places[name] = names.indexOf(name);
    if (places[name] < 0 || places[name] !== names.lastIndexOf(name))
      throw badMetadataError(`${NOT_METADATA_TEXT} Le falta la columna ${name}, o la tiene dos veces.`);
  }
  for (const { line, fields } of joinBrokenLines(lines, names.length))
    yield fields.length === names.length
      ? readRow(fields, places, line)
      : { line, problem: `tiene ${fields.length} columnas y el encabezado ${names.length}.` };
}

interface Line {
  line: number;
  text: string;
}

function* iterateLines(text: string): Generator<Line> {
  let line = 0;
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at);
    const stop = end < 0 ? text.length : end;
    line += 1;
    if (stop > at) yield { line, text: text.slice(at, stop) };
    at = stop + 1;
  }
}

function requireHeader(lines: Generator<Line>): Line {
  for (let tries = 0; tries < 5; tries++) {
    const { value, done } = lines.next();
    if (done) break;
    if (/^\W*uuid\W*~/i.test(value.text)) return value;
  }
  throw badMetadataError(NOT_METADATA_TEXT);
}

/** The SAT does not escape line breaks in names, so lines are joined until the row has all columns. */
function* joinBrokenLines(
  lines: Generator<Line>,
  columns: number,
): Generator<{ line: number; fields: string[] }> {
  let open: { line: number; fields: string[]; joined: number } | undefined;
  for (const { line, text } of lines) {
    const fields = text.split('~');
    if (open && !isUuid(normalizeUuidFast(fields[0]!)) && open.joined < MAX_BROKEN_LINES) {
      open.fields.push(`${open.fields.pop()} ${fields[0]}`, ...fields.slice(1));
      open.joined += 1;
    } else {
      if (open) yield open;
      open = { line, fields, joined: 1 };
    }
    if (open.fields.length < columns) continue;
    yield open;
    open = undefined;
  }
  if (open) yield open;
}

function readRow(fields: readonly string[], places: Record<ColumnName, number>, line: number): RowReading {
  const getFieldValue = (name: ColumnName) => cleanFieldText(fields[places[name]]!);
  const quoteField = (name: ColumnName) => `«${getFieldValue(name).slice(0, 40)}»`;
  const uuid = normalizeUuidFast(getFieldValue('uuid'));
  if (!isUuid(uuid)) return { line, problem: `${quoteField('uuid')} no es un UUID.` };
  const [rfcEmisor, rfcReceptor] = [
    normalizeRfcFast(getFieldValue('rfcemisor')),
    normalizeRfcFast(getFieldValue('rfcreceptor')),
  ];
  for (const [rfc, name] of [
    [rfcEmisor, 'rfcemisor'],
    [rfcReceptor, 'rfcreceptor'],
  ] as const)
    if (!RFC_PATTERN.test(rfc)) return { line, problem: `${quoteField(name)} no es un RFC.` };
  const monto = parseDecimal(getFieldValue('monto'));
  if (monto === undefined || monto < 0n) return { line, problem: `${quoteField('monto')} no es un monto.` };
  const efecto = KINDS_BY_EFFECT.get(fold(getFieldValue('efectocomprobante')));
  if (!efecto) return { line, problem: `${quoteField('efectocomprobante')} no es un efecto que se conozca.` };
  const isCancelled = CANCELLED_BY_STATUS.get(fold(getFieldValue('estatus')));
  if (isCancelled === undefined)
    return { line, problem: `${quoteField('estatus')} no es un estatus que se conozca.` };
  const fecha = readDay(dropTimeOfDay(getFieldValue('fechaemision')));
  if (!fecha) return { line, problem: `${quoteField('fechaemision')} no es una fecha.` };
  const cancelled = getFieldValue('fechacancelacion');
  const fechaCancelacion = cancelled === '' ? null : readDay(dropTimeOfDay(cancelled));
  if (fechaCancelacion === undefined)
    return { line, problem: `${quoteField('fechacancelacion')} no es una fecha.` };
  if (!isCancelled && fechaCancelacion !== null)
    return { line, problem: 'dice vigente y tiene fecha de cancelación.' };
  const nombreEmisor = cleanName(fields[places.nombreemisor]!);
  const montoCents = toCents(monto);
  const parties = { rfcEmisor, nombreEmisor, rfcReceptor };
  return { row: { uuid, ...parties, fecha, montoCents, efecto, isCancelled, fechaCancelacion } };
}

// Fast paths: a file may have hundreds of thousands of rows, nearly all well-formed, and few different days and names.
const normalizeUuidFast = (text: string) =>
  isUuid(text.toUpperCase()) ? text.toUpperCase() : normalizeUuid(text);
const normalizeRfcFast = (text: string) => (RFC_PATTERN.test(text) ? text : normalizeRfc(text));
const cleanFieldText = (text: string) => (/^[ -~]*$/.test(text) ? text.trim() : cleanValue(text));
const cleanName = memoize((text) => cleanValue(text).slice(0, MAX_NAME_LENGTH));
const readDay = memoize(parseDay);
/** Drops a time without a zone, which cannot change the day. */
const dropTimeOfDay = (text: string) => (/^.{10}[ T][\d:]{5,8}$/.test(text) ? text.slice(0, 10) : text);

function memoize<Result>(compute: (text: string) => Result): (text: string) => Result {
  const computed = new Map<string, Result>();
  return (text) => {
    if (computed.size > MAX_MEMOIZED_TEXTS) computed.clear();
    if (!computed.has(text)) computed.set(text, compute(text));
    return computed.get(text)!;
  };
}

const MAX_MEMOIZED_TEXTS = 10_000;

/** The date within the RFC need not exist, because the SAT has stamped such documents. */
const RFC_PATTERN = /^[A-ZÑ&]{3,4}\d{6}[A-Z0-9]{3}$/;

/** Keys are the SAT's codes, and the words that other tools write. */
const KINDS_BY_EFFECT: ReadonlyMap<string, CfdiKind> = new Map(
  keysOf(CFDI_KIND_LABELS).flatMap((kind) => [
    [kind.toLowerCase(), kind],
    [fold(CFDI_KIND_LABELS[kind]), kind],
  ]),
);

const CANCELLED_BY_STATUS: ReadonlyMap<string, boolean> = new Map([
  ['1', false],
  ['vigente', false],
  ['0', true],
  ['cancelado', true],
]);

function parseDay(text: string): PlainDate | undefined {
  const day = dayOfTimestamp(text.slice(0, 10), text.slice(11));
  return isPlainDate(day) && isOfThisCentury(day) ? day : undefined;
}
