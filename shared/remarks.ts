import { firstOf, grouped } from './counts.ts';
import type { Remedy } from './remedies.ts';
import { oneLine } from './text.ts';

/** A remark on a row or a document of an import: a plain sentence, or one with what an edge may add to it. */
export type Remark = string | Note;

interface Note {
  /** whole by itself, at every edge */
  text: string;
  /** rows of ours that it names, in their order: a terminal says their ids there, a page has links */
  named?: readonly NamedRow[];
  /** what it is about, for an edge that treats it apart */
  code?: RemarkCode;
  remedy?: Remedy;
}

interface NamedRow {
  id: number;
  /** where its name ends in the text */
  end: number;
}

type RemarkCode =
  /** of a CFDI: its total is not the sum of its parts */
  | 'total_mismatch'
  /** of a receipt that was on file: payments that it tells of are captured now */
  | 'receipt_completed';

/** A sentence of words and remarks, which keep the ids of the rows that they name. */
export function remark(words: TemplateStringsArray, ...parts: readonly (Remark | number)[]): Remark {
  let text = words[0]!;
  const named: NamedRow[] = [];
  for (const [index, part] of parts.entries()) {
    const inner = noteOf(typeof part === 'number' ? String(part) : part);
    for (const { id, end } of inner.named ?? []) named.push({ id, end: text.length + end });
    text += inner.text + words[index + 1]!;
  }
  return named.length > 0 ? { text, named } : text;
}

/** Stands after the name of a row, for edges that say its id. */
export const rowId = (id: number): Note => ({ text: '', named: [{ id, end: 0 }] });

export const withCode = (said: Remark, code: RemarkCode): Note => ({ ...noteOf(said), code });
export const withRemedy = (said: Remark, remedy: Remedy): Note => ({ ...noteOf(said), remedy });

export const noteOf = (said: Remark): Note => (typeof said === 'string' ? { text: said } : said);

/** "la factura A-12" */
export const plainText = (said: Remark): string => noteOf(said).text;

/** "la factura A-12 (id 7)" */
export function textWithIds(said: Remark): string {
  const { text, named = [] } = noteOf(said);
  let shown = '';
  let from = 0;
  for (const { id, end } of named) {
    shown += `${text.slice(from, end)} (id ${id})`;
    from = end;
  }
  return shown + text.slice(from);
}

/** Remarks of one kind: sentences that differ only in what they name, count or date. */
interface RemarkKind {
  first: Remark;
  /** they are the same sentence, word for word */
  isSame: boolean;
  /** of what each was said, in the order in which it was */
  names: string[];
}

/** Beyond so many of one kind, one sentence says it for all of them. */
export const MOST_ALONE = 5;

const OWN =
  /«[^»]*»|[^\s(]*\d[^\s):;]*|\b(?:lunes|martes|jueves|viernes|domingo|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)\b|sábado|miércoles/g;

/** By which a sentence is known among others that differ only in names in quotes, numbers and dates. */
export const kindOf = (said: Remark): string => plainText(said).replace(OWN, '…');

/** @returns the kinds by `kindOf`, in the order in which each comes first */
export function groupByKind(
  said: Iterable<readonly [name: string, remark: Remark]>,
): ReadonlyMap<string, RemarkKind> {
  const kinds = new Map<string, RemarkKind>();
  for (const [name, one] of said) {
    const kind = kinds.get(kindOf(one)) ?? { first: one, isSame: true, names: [] };
    if (kind.names.at(-1) !== name) kind.names.push(name);
    kind.isSame &&= plainText(one) === plainText(kind.first);
    kinds.set(kindOf(one), kind);
  }
  return kinds;
}

const MOST_NAMED = 6;

/**
 * "En 180 facturas (A-1, A-2 y 178 más): Es un CFDI 3.2."
 * @param sayOne the remark in the words of the edge
 */
export function sayOfAll(
  { first, isSame, names }: RemarkKind,
  many: string,
  sayOne: (said: Remark) => string = plainText,
): string {
  const where = `${grouped(names.length)} ${many} (${firstOf(names, MOST_NAMED)})`;
  const said = sayOne(first);
  if (said === '') return where;
  return `En ${where}${isSame ? '' : ', por ejemplo'}: ${said}`;
}
/** A row that says what an earlier one of the file has said. */
export const sameAsLine = (line: number): Remark =>
  withRemedy(`Es igual al renglón ${line}: se guarda una vez.`, 'allow-duplicates');

/** One that says the same as another of the file, and nothing by which two could be told apart. */
export const alikeAsLine = (line: number): Remark =>
  withRemedy(
    `Es igual al renglón ${line}, y ninguno trae número ni fecha: pueden ser dos, o el mismo dos veces.`,
    'allow-duplicates',
  );

/** "ya está con X; aquí dice Y": both values of what differs. */
export const conflictText = (what: Remark, label: string, stored: string, here: string): Remark =>
  remark`${what} ya está con otros datos: es un conflicto (${label}: «${short(stored)}»; en este archivo «${short(here)}»).`;

const LONGEST = 80;

const short = (text: string): string => {
  const line = oneLine(text);
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
};
