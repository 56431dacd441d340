import { formatCount, joinFirst } from './counts.ts';
import type { RemedyCode } from './remedies.ts';
import { oneLine } from './text.ts';

export type Remark = string | StructuredRemark;

interface StructuredRemark {
  text: string;
  /** stored rows that it names, in order: a terminal appends their ids, a page links them */
  named?: readonly RowMention[];
  code?: RemarkCode;
  remedy?: RemedyCode;
}

interface RowMention {
  id: number;
  /** the offset in the text at which the row's name ends */
  end: number;
}

type RemarkCode =
  /** the total of a CFDI is not the sum of its parts */
  | 'total_mismatch'
  /** payments that a stored receipt mentions were captured later, and are linked to it now */
  | 'receipt_completed';

/** Template tag that builds a remark from others, and keeps the ids of the rows that they name. */
export function createRemark(words: TemplateStringsArray, ...parts: readonly (Remark | number)[]): Remark {
  let text = words[0]!;
  const named: RowMention[] = [];
  for (const [index, part] of parts.entries()) {
    const inner = toStructuredRemark(typeof part === 'number' ? String(part) : part);
    for (const { id, end } of inner.named ?? []) named.push({ id, end: text.length + end });
    text += inner.text + words[index + 1]!;
  }
  return named.length > 0 ? { text, named } : text;
}

export const rowIdRemark = (id: number): StructuredRemark => ({ text: '', named: [{ id, end: 0 }] });

export const withCode = (remark: Remark, code: RemarkCode): StructuredRemark => ({
  ...toStructuredRemark(remark),
  code,
});
export const withRemedyCode = (remark: Remark, remedy: RemedyCode): StructuredRemark => ({
  ...toStructuredRemark(remark),
  remedy,
});

export const toStructuredRemark = (remark: Remark): StructuredRemark =>
  typeof remark === 'string' ? { text: remark } : remark;

export const toPlainText = (remark: Remark): string => toStructuredRemark(remark).text;

/** "la factura A-12 (id 7)" */
export function formatWithIds(remark: Remark): string {
  const { text, named = [] } = toStructuredRemark(remark);
  let shown = '';
  let from = 0;
  for (const { id, end } of named) {
    shown += `${text.slice(from, end)} (id ${id})`;
    from = end;
  }
  return shown + text.slice(from);
}

interface RemarkGroup {
  first: Remark;
  isSame: boolean;
  names: string[];
}

/** More remarks of one kind than this are combined into one sentence. */
export const MAX_UNGROUPED_REMARKS = 5;

const VARYING_PARTS_PATTERN =
  /«[^»]*»|[^\s(]*\d[^\s):;]*|\b(?:lunes|martes|jueves|viernes|domingo|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)\b|sábado|miércoles/g;

/** Returns a key that is equal for sentences that differ only in quoted names, numbers and dates. */
export const remarkKindKey = (remark: Remark): string =>
  toPlainText(remark).replace(VARYING_PARTS_PATTERN, '…');

export function groupRemarksByKind(
  remarks: Iterable<readonly [name: string, remark: Remark]>,
): ReadonlyMap<string, RemarkGroup> {
  const kinds = new Map<string, RemarkGroup>();
  for (const [name, one] of remarks) {
    const kind = kinds.get(remarkKindKey(one)) ?? { first: one, isSame: true, names: [] };
    if (kind.names.at(-1) !== name) kind.names.push(name);
    kind.isSame &&= toPlainText(one) === toPlainText(kind.first);
    kinds.set(remarkKindKey(one), kind);
  }
  return kinds;
}

const MAX_LISTED_NAMES = 6;

/** Returns "En 180 facturas (A-1, A-2 y 178 más): Es un CFDI 3.2."; `toText` words the remark. */
export function summarizeRemarkGroup(
  { first, isSame, names }: RemarkGroup,
  pluralNoun: string,
  toText: (item: Remark) => string = toPlainText,
): string {
  const where = `${formatCount(names.length)} ${pluralNoun} (${joinFirst(names, MAX_LISTED_NAMES)})`;
  const item = toText(first);
  if (item === '') return where;
  return `En ${where}${isSame ? '' : ', por ejemplo'}: ${item}`;
}
export const duplicateLineRemark = (line: number): Remark =>
  withRemedyCode(`Es igual al renglón ${line}: se guarda una vez.`, 'allow-duplicates');

export const similarLineRemark = (line: number): Remark =>
  withRemedyCode(
    `Es igual al renglón ${line}, y ninguno trae número ni fecha: pueden ser dos, o el mismo dos veces.`,
    'allow-duplicates',
  );

export const conflictRemark = (subject: Remark, label: string, stored: string, incoming: string): Remark =>
  createRemark`${subject} ya está con otros datos: es un conflicto (${label}: «${shorten(stored)}»; en este archivo «${shorten(incoming)}»).`;

const MAX_SHOWN_LENGTH = 80;

const shorten = (text: string): string => {
  const line = oneLine(text);
  return line.length > MAX_SHOWN_LENGTH ? `${line.slice(0, MAX_SHOWN_LENGTH - 1)}…` : line;
};
