import { accountNumberOf } from '../../../shared/banks.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { Remedy } from '../../../shared/remedies.ts';
import { fold } from '../../../shared/text.ts';
import { cellText, withoutTextMark } from '../tables/cell-text.ts';
import type { RawCell } from '../tables/table.ts';

export interface WantedAccount {
  /** the one that is chosen of a file with several */
  cuenta?: string | undefined;
  /** of the source that the file is loaded for, where it is known */
  clabe?: string | undefined;
}

/**
 * Keeps what is of one account.
 * @throws DomainError invalid bad_statement where a file names several and none is chosen, one that it does not name is,
 * or it is another than the source's
 */
export function ofOneAccount<Row extends { line: number; account: string | undefined }>(
  rows: readonly Row[],
  { cuenta, clabe }: WantedAccount,
): readonly Row[] {
  const named: string[] = [];
  for (const { account } of rows)
    if (account !== undefined && !named.some((one) => isSameAccount(one, account))) named.push(account);
  const chosen = cuenta ? named.find((one) => isSameAccount(one, cuenta)) : named[0];
  const list = named.slice(0, 8).join(', ');
  if (cuenta && chosen === undefined)
    throw badStatement(
      named.length > 0
        ? `El archivo no trae la cuenta ${cuenta}. Trae: ${list}.`
        : `El archivo no dice de qué cuenta es: no se puede elegir la ${cuenta}.`,
    );
  if (!cuenta && named.length > 1)
    throw badStatement(
      `El archivo trae varias cuentas: ${list}. Carga cada una en su origen de recurso, y di cuál. Si eso no es la cuenta propia, escribe en Configuración, Archivos de bancos, el encabezado de la que lo es (estado.cuenta).`,
      'choose-account',
    );
  if (chosen !== undefined && clabe && !isSameAccount(chosen, clabe))
    throw badStatement(
      `El archivo es de la cuenta ${chosen}, y el origen de recurso, de la ${accountNumberOf(clabe)} (CLABE ${clabe}). Elige el origen de esa cuenta, o corrige su CLABE.`,
    );
  if (named.length < 2) return rows;
  const unsaid = rows.find(({ account }) => account === undefined);
  if (unsaid)
    throw badStatement(`Renglón ${unsaid.line}: no dice de qué cuenta es, y el archivo trae varias.`);
  return rows.filter(({ account }) => isSameAccount(account!, chosen!));
}

const TITLE =
  /^(?:n(?:o|um|umero)?\.? *(?:de )?)?(?:(?:cuenta|cta)(?: (?:clabe|de cheques|propia))?|clabe(?: interbancaria)?)\b[\s.:#]*/;

/** Digits in groups; a bank may hide the first ones. */
const NUMBER = /^[\d*x][\d*x ./-]*/;

/**
 * Finds the account that a line above or between the movements names: "Cuenta: 7001 9990001 Cheques".
 * @param within so many of its first cells
 */
export function accountInTitle(cells: readonly RawCell[], within = cells.length): string | undefined {
  const texts = cells.map(unmarked);
  for (const [index, text] of texts.slice(0, within).entries()) {
    const folded = fold(text);
    const title = TITLE.exec(folded)?.[0];
    if (title === undefined) continue;
    const rest = folded.slice(title.length) || fold(texts.slice(index + 1).find(Boolean) ?? '');
    const account = (NUMBER.exec(rest)?.[0] ?? '').replace(/[ ./-]/g, '');
    const isDay = /^\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}\b/.test(rest);
    if (!isDay && /\d{7}|[*x].*\d{3}$/.test(account)) return account;
  }
  return undefined;
}

/** Digits alone where it is a number; a bank may also give accounts by a name. */
export function accountInCell(cell: RawCell | undefined): string | undefined {
  const text = unmarked(cell);
  return (/^[\d*x][\d*x ./-]*$/i.test(text) ? text.replace(/[ ./-]/g, '') : text) || undefined;
}

/** Drops the apostrophes with which banks mark digits as text, before them or around them. */
export function unmarked(cell: RawCell | undefined): string {
  const text = cellText(cell).trim();
  const rest = withoutTextMark(text, false);
  return rest === text ? text : rest.replace(/'$/, '').trim();
}

/** A number is the same with zeros before it, without its branch's number, within its CLABE, or with its first digits hidden. */
function isSameAccount(one: string, other: string): boolean {
  const [a, b] = [numberOf(one), numberOf(other)];
  if (a === b) return !(isClabe(one) && isClabe(other)) || one === other;
  const hidden = /[*x](\d+)$/.exec(a) ?? /[*x](\d+)$/.exec(b);
  if (hidden) return a.endsWith(hidden[1]!) && b.endsWith(hidden[1]!);
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return /^\d{7,}$/.test(short) && long.endsWith(short);
}

function numberOf(account: string): string {
  const text = fold(account).replace(/[ ./-]/g, '');
  return (isClabe(text) ? accountNumberOf(text) : text).replace(/^0+/, '');
}

const isClabe = (account: string): boolean => /^\d{18}$/.test(account);

export const badStatement = (message: string, remedy?: Remedy): DomainError =>
  new DomainError('invalid', message, { code: 'bad_statement', fields: { file: message }, remedy });
