import { accountNumberOf } from '../../../shared/banks.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { RemedyCode } from '../../../shared/remedies.ts';
import { fold } from '../../../shared/text.ts';
import { cellText, dropTextApostrophe } from '../tables/cell-text.ts';
import type { RawCell } from '../tables/table.ts';

export interface AccountSelection {
  cuenta?: string | undefined;
  clabe?: string | undefined;
}

/**
 * @throws DomainError invalid bad_statement: the file names several accounts and none is chosen, it does not name the
 * chosen one, or its account is not that of the funding source
 */
export function selectAccountRows<Row extends { line: number; account: string | undefined }>(
  rows: readonly Row[],
  { cuenta, clabe }: AccountSelection,
): readonly Row[] {
  const namedAccounts: string[] = [];
  for (const { account } of rows)
    if (account !== undefined && !namedAccounts.some((one) => isSameAccount(one, account)))
      namedAccounts.push(account);
  const chosen = cuenta ? namedAccounts.find((one) => isSameAccount(one, cuenta)) : namedAccounts[0];
  const list = namedAccounts.slice(0, 8).join(', ');
  if (cuenta && chosen === undefined)
    throw badBankStatementError(
      namedAccounts.length > 0
        ? `El archivo no trae la cuenta ${cuenta}. Trae: ${list}.`
        : `El archivo no dice de qué cuenta es: no se puede elegir la ${cuenta}.`,
    );
  if (!cuenta && namedAccounts.length > 1)
    throw badBankStatementError(
      `El archivo trae varias cuentas: ${list}. Carga cada una en su origen de recurso, y di cuál. Si eso no es la cuenta propia, escribe en Configuración, Archivos de bancos, el encabezado de la que lo es (estado.cuenta).`,
      'choose-account',
    );
  if (chosen !== undefined && clabe && !isSameAccount(chosen, clabe))
    throw badBankStatementError(
      `El archivo es de la cuenta ${chosen}, y el origen de recurso, de la ${accountNumberOf(clabe)} (CLABE ${clabe}). Elige el origen de esa cuenta, o corrige su CLABE.`,
    );
  if (namedAccounts.length < 2) return rows;
  const rowWithoutAccount = rows.find(({ account }) => account === undefined);
  if (rowWithoutAccount)
    throw badBankStatementError(
      `Renglón ${rowWithoutAccount.line}: no dice de qué cuenta es, y el archivo trae varias.`,
    );
  return rows.filter(({ account }) => isSameAccount(account!, chosen!));
}

const ACCOUNT_TITLE_PATTERN =
  /^(?:n(?:o|um|umero)?\.? *(?:de )?)?(?:(?:cuenta|cta)(?: (?:clabe|de cheques|propia))?|clabe(?: interbancaria)?)\b[\s.:#]*/;

/** Account numbers are digits in groups; a bank may hide the first ones behind asterisks. */
const ACCOUNT_NUMBER_PATTERN = /^[\d*x][\d*x ./-]*/;

/** Finds the account number in a title line above or between the movements: "Cuenta: 7001 9990001 Cheques". */
export function findAccountInTitle(cells: readonly RawCell[], maxCells = cells.length): string | undefined {
  const texts = cells.map(cellTextWithoutApostrophe);
  for (const [index, text] of texts.slice(0, maxCells).entries()) {
    const folded = fold(text);
    const title = ACCOUNT_TITLE_PATTERN.exec(folded)?.[0];
    if (title === undefined) continue;
    const rest = folded.slice(title.length) || fold(texts.slice(index + 1).find(Boolean) ?? '');
    const account = (ACCOUNT_NUMBER_PATTERN.exec(rest)?.[0] ?? '').replace(/[ ./-]/g, '');
    const isDay = /^\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}\b/.test(rest);
    if (!isDay && /\d{7}|[*x].*\d{3}$/.test(account)) return account;
  }
  return undefined;
}

export function readAccountCell(cell: RawCell | undefined): string | undefined {
  const text = cellTextWithoutApostrophe(cell);
  return (/^[\d*x][\d*x ./-]*$/i.test(text) ? text.replace(/[ ./-]/g, '') : text) || undefined;
}

export function cellTextWithoutApostrophe(cell: RawCell | undefined): string {
  const text = cellText(cell).trim();
  const rest = dropTextApostrophe(text, false);
  return rest === text ? text : rest.replace(/'$/, '').trim();
}

/** Either number may have leading zeros, omit the branch, be part of a CLABE, or have its first digits hidden. */
function isSameAccount(one: string, other: string): boolean {
  const [a, b] = [normalizeAccount(one), normalizeAccount(other)];
  if (a === b) return !(isClabe(one) && isClabe(other)) || one === other;
  const hidden = /[*x](\d+)$/.exec(a) ?? /[*x](\d+)$/.exec(b);
  if (hidden) return a.endsWith(hidden[1]!) && b.endsWith(hidden[1]!);
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return /^\d{7,}$/.test(short) && long.endsWith(short);
}

function normalizeAccount(account: string): string {
  const text = fold(account).replace(/[ ./-]/g, '');
  return (isClabe(text) ? accountNumberOf(text) : text).replace(/^0+/, '');
}

const isClabe = (account: string): boolean => /^\d{18}$/.test(account);

export const badBankStatementError = (message: string, remedy?: RemedyCode): DomainError =>
  new DomainError('invalid', message, { code: 'bad_statement', fields: { file: message }, remedy });
