import './restrict-process.ts'; // must precede every import that could read a file
import { setBusinessZoneSource } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import { readCandidate } from '../cfdi/candidates.ts';
import { readCfdi } from '../cfdi/document.ts';
import type { CfdiFile } from '../cfdi/zip.ts';
import type { CfdiInput, FileInput, ReadingAnswer, ReadingJob } from './isolated-reader.ts';

/** The reading process has no access to the database and its settings, so the job states the time zone. */
process.on('message', (job: ReadingJob) => {
  setBusinessZoneSource(() => job.timeZone);
  answerJob(job).catch((error: unknown) => {
    if (!(error instanceof DomainError)) return sendAnswer({ broken: describeErrorStack(error) });
    const { kind, message, code, extra, remedy } = error;
    sendAnswer({ refused: { kind, message, code, extra, remedy } });
  });
});
process.on('disconnect', () => process.exit());
// Ctrl-C reaches the whole process group; the parent decides whether the reading ends.
process.on('SIGINT', () => undefined);

async function answerJob(job: ReadingJob): Promise<void> {
  if (job.task === 'cfdi') {
    sendAnswer({ result: readCfdiCandidate(job.input) });
    return;
  }
  if (job.task === 'zip') {
    sendAnswer({ result: await readZipFiles(job.input) });
    return;
  }
  if (job.task === 'sheet') {
    sendAnswer({ result: readCfdi(job.input.bytes) });
    return;
  }
  if (job.task === 'code') {
    const { readQrFromPhoto } = await import('../photo-qr.ts');
    sendAnswer({ result: readQrFromPhoto(job.input.bytes) });
    return;
  }
  if (job.task === 'metadata') {
    const { readMetadata } = await import('../sat/metadata.ts');
    sendAnswer({ result: await readMetadata(job.input.bytes, (rows) => sendAnswer({ rows })) });
    return;
  }
  if (job.task === 'list69b') {
    const { readList69b } = await import('../sat/list-69b.ts');
    const { rows, ...list } = readList69b(job.input.bytes);
    for (let from = 0; from < rows.length; from += ROWS_PER_MESSAGE)
      sendAnswer({ rows: rows.slice(from, from + ROWS_PER_MESSAGE) });
    sendAnswer({ result: list });
    return;
  }
  const { parseTable } = await import('../tables/parse-table.ts');
  const { rows, ...table } = await parseTable(job.input);
  for (let from = 0; from < rows.length; from += ROWS_PER_MESSAGE)
    sendAnswer({ rows: rows.slice(from, from + ROWS_PER_MESSAGE) });
  sendAnswer({ result: table });
}

/** Messages are limited because each is held twice in memory while it is sent. */
const ROWS_PER_MESSAGE = 500;

/** Passes on only the error's name and the places of its stack, because its message may quote the file. */
function describeErrorStack(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const places = error.stack?.split('\n').filter((line) => /^ {4}at /.test(line)) ?? [];
  return [error.name, ...places].join('\n');
}

function readCfdiCandidate({ name, bytes, options }: CfdiInput) {
  return readCandidate(
    { name, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) },
    { baseCurrency: 'MXN', ownRfc: '', ...options },
  );
}

async function readZipFiles({ name, bytes }: FileInput): Promise<CfdiFile[]> {
  const { readZip, UPLOADED_ZIP_LIMITS } = await import('../cfdi/zip.ts');
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const files: CfdiFile[] = [];
  for await (const file of readZip(zip, name, UPLOADED_ZIP_LIMITS, true)) files.push(file);
  return files;
}

function sendAnswer(message: ReadingAnswer): void {
  process.send?.(message);
}
