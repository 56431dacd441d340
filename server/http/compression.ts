import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from './session.ts';

/** Below it the headers of a packet weigh more than what is saved. */
const SMALLEST = 1024;

/** Packed a tenth of it, as texts are. */
const LARGEST_KEPT = 500_000;

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/**
 * What packs a whole text, the better first. A list of 109 KB takes Brotli's 3 two thirds of the processor that gzip's 4
 * takes, and is a fifteenth smaller; its 5 would take twice that for another eighth. gzip's 6 is half as slow again.
 */
const PACKERS = {
  br: (text: Bytes) =>
    brotli(text, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 3, [constants.BROTLI_PARAM_SIZE_HINT]: text.length },
    }),
  gzip: (text: Bytes) => gzipped(text, { level: 4 }),
};

/** Texts that are asked for again and again, as a list while nothing is written, are packed once; the oldest goes. */
const KEPT = 64;
const keptTexts = new Map<string, Promise<Bytes>>();

function packedOnce(coding: keyof typeof PACKERS, text: Bytes): Promise<Bytes> {
  const key = coding + hash('sha256', text, 'base64');
  const kept = keptTexts.get(key);
  if (kept) return kept;
  const packed = PACKERS[coding](text);
  if (text.length <= LARGEST_KEPT) keep(key, packed);
  return packed;
}

function keep(key: string, packed: Promise<Bytes>): void {
  keptTexts.set(key, packed);
  packed.catch(() => keptTexts.delete(key));
  const [oldest] = keptTexts.keys();
  if (keptTexts.size > KEPT) keptTexts.delete(oldest!);
}

const TEXT =
  /^(text\/(?!event-stream)|application\/(json|javascript|xml)\b|application\/[\w.-]+\+(json|xml)\b|image\/svg\+xml)/i;

/**
 * Texts of more than a kilobyte are packed for whoever takes it. What is made as it is sent is packed as it is
 * sent, by gzip. Hono's own turns every answer into a stream, also for those who take none.
 */
export const compresses: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  const { headers, status } = c.res;
  if (status < 200 || status === 204 || status === 206 || status === 304) return;
  if (!TEXT.test(headers.get('content-type') ?? '') || headers.has('content-encoding')) return;
  if (/\bno-transform\b/i.test(headers.get('cache-control') ?? '')) return;
  const vary = headers.get('vary') ?? '';
  if (!/\baccept-encoding\b|^\*$/i.test(vary)) headers.append('Vary', 'Accept-Encoding');
  const accepted = c.req.header('accept-encoding') ?? '';
  const coding = (['br', 'gzip'] as const).find((one) => accepts(accepted, one));
  if (!coding) return;
  if (headers.has('content-length') && Number(headers.get('content-length')) < SMALLEST) return;
  const { body } = c.res;
  if (!body) return;
  const { start, rest } = await begin(body);
  const answer = (content: BodyInit | null) => {
    c.res = undefined; // Hono would copy the former answer's headers over these
    c.res = new Response(content, { status, headers });
  };
  if (!rest) {
    if (start.length < SMALLEST) return answer(start);
    const packed = await packedOnce(coding, start);
    headers.set('Content-Encoding', coding);
    headers.set('Content-Length', String(packed.length));
    return answer(packed);
  }
  if (!accepts(accepted, 'gzip')) return answer(resumed(start, rest));
  headers.set('Content-Encoding', 'gzip');
  headers.delete('Content-Length');
  if (c.req.method === 'HEAD') {
    await rest.reader.cancel(); // nobody asks for the rest
    return answer(null);
  }
  answer(resumed(start, rest).pipeThrough(new CompressionStream('gzip')));
};

/** Whether an Accept-Encoding header takes `name` (RFC 9110, 12.5.3): `;q=0` says no, `*` stands for the rest. */
export function accepts(header: string, name: string): boolean {
  if (header === '') return false;
  const codings = header.split(',').map((part) => {
    const [coding = '', quality = ''] = part.trim().toLowerCase().split(';');
    return { coding: coding.trim(), isTaken: !/^\s*q=0(\.0*)?\s*$/.test(quality) };
  });
  const named = codings.find(({ coding }) => coding === name) ?? codings.find(({ coding }) => coding === '*');
  return named?.isTaken ?? false;
}

type Bytes = Uint8Array<ArrayBuffer>;
type Reader = ReadableStreamDefaultReader<Bytes>;

interface Begun {
  start: Bytes;
  /** where more is to come */
  rest?: { reader: Reader; next: Promise<ReadableStreamReadResult<Bytes>> };
}

/** A text that is there already is one piece and at its end within this turn; all else is a stream. */
async function begin(body: ReadableStream<Bytes>): Promise<Begun> {
  const reader = body.getReader();
  const { done, value } = await reader.read();
  if (done) return { start: new Uint8Array() };
  const next = reader.read();
  const isOver = await Promise.race([
    next.then(
      (result) => result.done,
      () => false, // whoever reads on meets the error
    ),
    new Promise<false>((resolve) => setImmediate(resolve, false)),
  ]);
  return isOver ? { start: value } : { start: value, rest: { reader, next } };
}

/** What was read already and what is to come, read when the reader asks and no further once it has gone. */
function resumed(start: Bytes, { reader, next }: NonNullable<Begun['rest']>): ReadableStream<Bytes> {
  let coming: typeof next | undefined = next;
  return new ReadableStream<Bytes>(
    {
      start: (controller) => controller.enqueue(start),
      async pull(controller) {
        const { done, value } = await (coming ?? reader.read());
        coming = undefined;
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
