import { setImmediate } from 'node:timers/promises';
import { DomainError } from '../../shared/errors.ts';
import { FairLimiter } from '../../shared/limiter.ts';
import { type AppContext, requireSession } from './session.ts';

export interface UploadedFile {
  filename: string;
  bytes: Uint8Array;
}

interface UploadForm {
  fields: Readonly<Record<string, string>>;
  files: Readonly<Record<string, UploadedFile>>;
  several: readonly UploadedFile[];
}

interface MultiFileField {
  name: string;
  maxFiles: number;
}

const MB = 1024 * 1024;

/** Allowed size of boundaries, headers, and fields that are not files. */
const MAX_OVERHEAD_BYTES = 64 * 1024;

const MAX_PARTS = 20;

const BUSY_TEXT = 'Se están recibiendo muchos archivos. Intenta de nuevo en un momento.';

/** Limits how many forms are parsed at once, because parsing holds several copies of a form in memory. */
const parsingLimiter = new FairLimiter({
  perUser: { concurrent: 1, waiting: 20, refusal: BUSY_TEXT, retryAfter: 5 },
  all: { concurrent: 2, waiting: 60, refusal: BUSY_TEXT, retryAfter: 5 },
});

/** Limits of received bytes that wait to be parsed, per user and in all. */
const MAX_PENDING_BYTES_PER_USER = 100 * MB;
const MAX_PENDING_BYTES = 200 * MB;
const pendingBytesByUser = new Map<number, number>();

/**
 * Reads a posted form, with or without files. Only the field that `multiFileField` names may be repeated. A form that declares
 * too large a size is refused before it is read, any other once it exceeds the limit.
 * @param max megabytes of all files together
 * @throws DomainError too-large, malformed, busy
 */
export async function readUploadForm(
  c: AppContext,
  max: number,
  multiFileField?: MultiFileField,
): Promise<UploadForm> {
  const createTooLargeError = () => uploadTooLargeError(max, multiFileField && 'El conjunto de archivos');
  const type = c.req.header('content-type') ?? '';
  const limit = (/^multipart\//i.test(type) ? max * MB : 0) + MAX_OVERHEAD_BYTES;
  if (readDeclaredLength(c) > limit) throw createTooLargeError();
  // The form waits for parsing only once it has arrived completely, so that a slow sender delays nobody else.
  const { bytes, releaseBytes } = await receiveBody(c, limit, createTooLargeError);
  const { userId } = requireSession(c);
  const parseInTurn = async () => {
    const sent = await parseReceivedForm(bytes, type, multiFileField);
    const sizes = [...Object.values(sent.files), ...sent.several].map((file) => file.bytes.length);
    if (sizes.reduce((sum, size) => sum + size, 0) > max * MB) throw createTooLargeError();
    await setImmediate(); // lets other requests run before the caller's work
    return sent;
  };
  return parsingLimiter.run(userId, parseInTurn, c.req.raw.signal).finally(releaseBytes);
}

const MAX_JOB_FORM_MB = 20;
const MAX_JOB_FORM_BYTES = MAX_JOB_FORM_MB * MB + MAX_OVERHEAD_BYTES;

/** A form that is sent in chunks declares no size. */
export const exceedsJobLimit = (c: AppContext): boolean => readDeclaredLength(c) > MAX_JOB_FORM_BYTES;

/** Receives a form unparsed, to pass it to a job. @throws DomainError too-large, malformed, busy */
export const receiveForm = (c: AppContext): Promise<ReceivedBody> =>
  receiveBody(c, MAX_JOB_FORM_BYTES, () => uploadTooLargeError(MAX_JOB_FORM_MB));

export const readDeclaredLength = (c: AppContext): number => Number(c.req.header('content-length') ?? 0);

/** A complete body. It counts against its user's limit until `releaseBytes` is called, which must happen exactly once. */
interface ReceivedBody {
  bytes: Uint8Array<ArrayBuffer>;
  releaseBytes: () => void;
}

async function receiveBody(
  c: AppContext,
  limit: number,
  createTooLargeError: () => DomainError,
): Promise<ReceivedBody> {
  const { userId } = requireSession(c);
  const chunks: Uint8Array[] = [];
  let size = 0;
  const releaseBytes = () => changePendingBytes(userId, -size);
  try {
    // Leaving the loop early cancels the stream.
    for await (const chunk of c.req.raw.body ?? []) {
      if (size + chunk.length > limit) throw createTooLargeError();
      changePendingBytes(userId, chunk.length);
      size += chunk.length;
      chunks.push(chunk);
    }
  } catch (error) {
    releaseBytes();
    if (error instanceof DomainError) throw error;
    // The stream fails only where the sender goes away.
    throw malformedFormError('El archivo no llegó completo.');
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return { bytes, releaseBytes };
}

/** @throws DomainError busy where the user's or the common limit is exceeded */
function changePendingBytes(userId: number, bytes: number): void {
  const ofUser = (pendingBytesByUser.get(userId) ?? 0) + bytes;
  const ofAll = [...pendingBytesByUser.values()].reduce((sum, one) => sum + one, bytes);
  if (bytes > 0 && (ofUser > MAX_PENDING_BYTES_PER_USER || ofAll > MAX_PENDING_BYTES))
    throw new DomainError('busy', BUSY_TEXT, { retryAfter: 5 });
  if (ofUser > 0) pendingBytesByUser.set(userId, ofUser);
  else pendingBytesByUser.delete(userId);
}

async function parseReceivedForm(
  bytes: Uint8Array<ArrayBuffer>,
  type: string,
  multiFileField: MultiFileField | undefined,
): Promise<UploadForm> {
  if (/^multipart\//i.test(type))
    requirePartCount(Buffer.from(bytes.buffer), type, MAX_PARTS + (multiFileField?.maxFiles ?? 0));
  const body = new Response(bytes, { headers: { 'content-type': type } });
  const form = await body.formData().catch((error: unknown) => {
    if (error instanceof TypeError) throw malformedFormError('El formulario no se puede leer.');
    throw error;
  });
  const fields: Record<string, string> = Object.create(null);
  const files: Record<string, UploadedFile> = Object.create(null);
  const many: UploadedFile[] = [];
  for (const [name, value] of form) {
    if (name in fields || name in files) throw malformedFormError(`El campo «${name}» viene más de una vez.`);
    if (typeof value === 'string') {
      if (value.includes('\0')) throw malformedFormError(`El campo «${name}» trae caracteres no permitidos.`);
      fields[name] = value;
    }
    // Browsers send an unnamed empty file for a control without a chosen file.
    else if (value.name !== '' || value.size > 0) {
      const file = { filename: value.name, bytes: new Uint8Array(await value.arrayBuffer()) };
      if (name === multiFileField?.name) many.push(file);
      else files[name] = file;
    }
  }
  return { fields, files, several: many };
}

/** Counts a form's fields before parsing, because parsing makes an object of each. */
function requirePartCount(body: Buffer, type: string, max: number): void {
  const boundary = /;\s*boundary=(?:"([^"]{1,200})"|([^;\s]{1,200}))/i.exec(type);
  const mark = boundary?.[1] ?? boundary?.[2];
  if (!mark) throw malformedFormError('El formulario no se puede leer.');
  let parts = -1; // the final boundary is not a part
  for (let at = body.indexOf(`--${mark}`); at >= 0; at = body.indexOf(`--${mark}`, at + mark.length)) {
    parts += 1;
    if (parts > max) throw malformedFormError(`El formulario trae más de ${max} partes.`);
  }
}

const uploadTooLargeError = (max: number, subject = 'El archivo') =>
  new DomainError('too-large', `${subject} pasa de ${max} MB.`);

const malformedFormError = (message: string) => new DomainError('malformed', message);
