import { composed } from '../../../shared/text.ts';
import { type Reading, refuse } from './cell-reading.ts';
import type { TableField } from './table-field.ts';

/** As a folio fiscal is written, in braces or not. */
export function readUuid(text: string): Reading {
  const uuid = text.replace(/^\{|\}$/g, '').toUpperCase();
  return /^[\dA-F]{8}(-[\dA-F]{4}){3}-[\dA-F]{12}$/.test(uuid)
    ? { value: uuid }
    : refuse('No tiene la forma de un UUID (folio fiscal).');
}

export function readWhole(text: string, field: TableField): Reading {
  const days = /^(\d{1,4})(?:[.,]0{1,2})?(?:\s*d[ií]as?)?$/i.exec(text)?.[1];
  if (days === undefined) return refuse('No es un número entero.');
  return Number(days) > field.max ? refuse(`No puede pasar de ${field.max}.`) : { value: Number(days) };
}

export function readId(text: string, field: TableField): Reading {
  const id = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  return id > 0 && id <= field.max ? { value: id } : refuse('No es un id: un número entero mayor que 0.');
}

/** Either mark is that of its decimals: no currency is worth thousands of pesos. */
export function readExchange(text: string): Reading {
  const rate = /^\$?\s*(\d{1,6}(?:[.,]\d{1,12})?)$/.exec(text)?.[1];
  return rate === undefined ? refuse('No es un tipo de cambio.') : { value: rate.replace(',', '.') };
}

export function readPaymentMethod(text: string): Reading {
  const method = /^(PUE|PPD)\b/i.exec(text)?.[1];
  if (method) return { value: method.toUpperCase() };
  return {
    value: null,
    warning: `El método de pago «${text.slice(0, 40)}» no es PUE ni PPD, y no se guarda.`,
  };
}

/** Text on one line: what breaks it becomes a space. */
export function readLine(text: string, field: TableField): Reading {
  return readLong(PLAIN.test(text) ? text : text.replace(/[\s\u200b\u2060]+/g, ' '), field);
}

export function readLong(text: string, field: TableField): Reading {
  const clean = PLAIN.test(text) ? text : composed(text.slice(0, 4 * field.max + 1).replace(/\u00a0/g, ' '));
  if (clean.length > field.max && [...clean].length > field.max)
    return refuse(`Pasa de ${field.max} caracteres.`);
  return CONTROL.test(clean) ? refuse('Tiene caracteres que no se permiten.') : { value: clean };
}

/** Letters of Latin-1 and single spaces: nothing to compose, nothing hidden. */
const PLAIN = /^(?:[\x21-\x7e\u00a1-\u00ac\u00ae-\u00ff]| (?! ))*$/;

// C0 and C1 controls but tab and line feed, and the bidirectional overrides that make text lie.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffd]|\p{Cs}/u;
