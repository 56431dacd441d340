import { DomainError } from '../../shared/errors.ts';
import { Turns } from '../../shared/turns.ts';
import type { AppContext } from './session.ts';

export interface SentFile {
  /** as it is called where it comes from */
  filename: string;
  bytes: Uint8Array;
}

interface SentForm {
  fields: Readonly<Record<string, string>>;
  /** those that were chosen, by the name of their control */
  files: Readonly<Record<string, SentFile>>;
}

const MB = 1024 * 1024;

/** The boundaries, the parts' headers and the few fields beside the files. */
const OVERHEAD = 64 * 1024;

/** More parts than any form with files of ours has. */
const MOST_PARTS = 20;

/** Each holds its files in memory, a few times over while they are taken apart. */
const turns = new Turns({
  atOnce: 4,
  waiting: 16,
  refusal: 'Se están recibiendo muchos archivos. Intenta de nuevo en un momento.',
  retryAfter: 5,
});

/**
 * A posted form with files, each name at most once. What says that it is too large is refused before any of
 * it is read, what does not say how large it is when the bound is reached. A form without files has none.
 * @param most megabytes of all files together
 * @throws DomainError too-large, malformed, busy
 */
export async function readSentForm(c: AppContext, most: number): Promise<SentForm> {
  const tooLarge = () => new DomainError('too-large', `El archivo pasa de ${most} MB.`);
  const type = c.req.header('content-type') ?? '';
  const limit = (/^multipart\//i.test(type) ? most * MB : 0) + OVERHEAD;
  if (Number(c.req.header('content-length') ?? 0) > limit) throw tooLarge();
  return turns.take(async () => {
    const sent = await takeApart(await readBounded(c.req.raw, limit, tooLarge), type);
    const size = Object.values(sent.files).reduce((sum, { bytes }) => sum + bytes.length, 0);
    if (size > most * MB) throw tooLarge();
    return sent;
  }, c.req.raw.signal);
}

async function readBounded(request: Request, limit: number, tooLarge: () => DomainError): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    // Leaving the loop early cancels the body.
    for await (const chunk of request.body ?? []) {
      size += chunk.length;
      if (size > limit) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof DomainError) throw error;
    // The stream fails alone where the sender goes away: no error of ours.
    throw malformed('El archivo no llegó completo.');
  }
  return Buffer.concat(chunks, size);
}

async function takeApart(bytes: Buffer, type: string): Promise<SentForm> {
  if (/^multipart\//i.test(type)) refuseManyParts(bytes, type);
  const body = new Response(new Uint8Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.length), {
    headers: { 'content-type': type },
  });
  const form = await body.formData().catch((error: unknown) => {
    if (error instanceof TypeError) throw malformed('El formulario no se puede leer.');
    throw error;
  });
  const fields: Record<string, string> = Object.create(null);
  const files: Record<string, SentFile> = Object.create(null);
  for (const [name, value] of form) {
    if (name in fields || name in files) throw malformed(`El campo «${name}» viene más de una vez.`);
    if (typeof value === 'string') {
      if (value.includes('\0')) throw malformed(`El campo «${name}» trae caracteres no permitidos.`);
      fields[name] = value;
    }
    // A control in which nothing was chosen sends a file without name and content.
    else if (value.name !== '' || value.size > 0)
      files[name] = { filename: value.name, bytes: new Uint8Array(await value.arrayBuffer()) };
  }
  return { fields, files };
}

/** Counted before the parser makes an object of each. */
function refuseManyParts(body: Buffer, type: string): void {
  const boundary = /;\s*boundary=(?:"([^"]{1,200})"|([^;\s]{1,200}))/i.exec(type);
  const mark = boundary?.[1] ?? boundary?.[2];
  if (!mark) throw malformed('El formulario no se puede leer.');
  let parts = -1; // the end has one too
  for (let at = body.indexOf(`--${mark}`); at >= 0; at = body.indexOf(`--${mark}`, at + mark.length)) {
    parts += 1;
    if (parts > MOST_PARTS) throw malformed(`El formulario trae más de ${MOST_PARTS} partes.`);
  }
}

const malformed = (message: string) => new DomainError('malformed', message);
