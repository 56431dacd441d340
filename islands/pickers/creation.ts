import { language } from '../../shared/language.ts';
import { GENERIC_ERROR } from '../hooks/ask.ts';
import type { PickerRow } from './picker.ts';

export interface Created {
  row: PickerRow;
  /** stored all the same, but its author should know */
  warnings: readonly string[];
}

export interface Refused {
  message: string;
  fields: Readonly<Record<string, string>>;
  needsSignIn?: boolean;
  /** the key stands for a row that was created; sent again, under a new one, a second row is meant */
  isKeyUsed?: boolean;
}

/**
 * Posts a new row to the API. It never leaves the page and never fails: what was typed, here and in the form
 * behind the dialog, stays where it is.
 * @param key the same for each attempt of one form, so that an answer lost on the way creates nothing twice
 */
export async function sendCreation(
  url: string,
  key: string,
  values: Readonly<Record<string, string>>,
): Promise<Created | Refused> {
  let response: Response;
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
      body: JSON.stringify(values),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
  } catch (error) {
    const isSlow = error instanceof DOMException && error.name === 'TimeoutError';
    const reason = isSlow ? 'El servidor tarda demasiado.' : 'No hay conexión con el servidor.';
    return { message: `${reason} Lo escrito sigue aquí: intenta de nuevo.`, fields: {} };
  }
  const body = (await response.json().catch(() => undefined)) as Answer | undefined;
  if (response.status === 401) {
    const message = 'Tu sesión terminó. Inicia sesión en otra pestaña y guarda de nuevo.';
    return { message, fields: {}, needsSignIn: true };
  }
  if (response.ok && typeof body?.id === 'number') {
    return { row: body as PickerRow, warnings: body.warnings ?? [] };
  }
  const said = await translator();
  return {
    message: said(body?.message || GENERIC_ERROR),
    fields: Object.fromEntries(
      Object.entries(body?.fields ?? {}).map(([name, message]) => [name, said(message)]),
    ),
    isKeyUsed: body?.code === 'idempotency_key_reused',
  };
}

/** The API answers in the specification's words; people read them in the page's language. */
async function translator(): Promise<(text: string) => string> {
  const asSaid = (text: string) => text;
  if (language() === 'mixto') return asSaid;
  return import('../../shared/spanish.ts').then(
    ({ inSpanish }) => inSpanish,
    () => asSaid,
  );
}

/** Of random bytes: crypto.randomUUID is missing where a page comes over plain http from another machine. */
export const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** Leaves empty fields out; the API reads an empty field and an absent one alike. */
export function valuesOf(form: FormData, fields: readonly { name: string }[]): Record<string, string> {
  const entries = fields.map(({ name }) => [name, String(form.get(name) ?? '').trim()]);
  return Object.fromEntries(entries.filter(([, value]) => value));
}

const PATIENCE_MS = 30_000;

interface Answer {
  id?: number;
  warnings?: string[];
  message?: string;
  fields?: Record<string, string>;
  code?: string;
}
