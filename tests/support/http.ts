import { type IncomingHttpHeaders, request } from 'node:http';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  /** names and values, in the order in which they were received */
  rawHeaders: string[];
  body: string;
  json(): Record<string, unknown>;
  cookies: string[];
}

export interface AskOptions {
  method?: string;
  headers?: Record<string, string>;
  json?: unknown;
  form?: Record<string, string>;
  /** the loopback address that the request comes from, such as 127.0.0.9 */
  from?: string;
}

/** No redirect is followed, and no header is added except the body's own. */
export function ask(
  url: string,
  { method, headers = {}, json, form, from }: AskOptions = {},
): Promise<Answer> {
  const body = form ? new URLSearchParams(form).toString() : json === undefined ? '' : JSON.stringify(json);
  const type = form ? 'application/x-www-form-urlencoded' : 'application/json';
  const sends = form !== undefined || json !== undefined;
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method: method ?? (sends ? 'POST' : 'GET'),
        localAddress: from,
        headers: {
          ...(sends ? { 'content-type': type, 'content-length': String(Buffer.byteLength(body)) } : {}),
          ...headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            rawHeaders: response.rawHeaders,
            body: text,
            json: () => JSON.parse(text),
            cookies: response.headers['set-cookie'] ?? [],
          });
        });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

export async function runInParallel<T>(
  count: number,
  concurrency: number,
  work: (index: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: Math.min(concurrency, count) }, async () => {
      for (let index = next++; index < count; index = next++) results[index] = await work(index);
    }),
  );
  return results;
}
