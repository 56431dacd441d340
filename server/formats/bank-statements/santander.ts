import type { RawRow } from '../tables/table.ts';
import { badBankStatementError } from './accounts.ts';
import type { BankStatementTable } from './movements.ts';

/**
 * Santander's record in fixed widths: account 16, day 8, hour 4, branch 4, text 40, sign, amount and balance of 14
 * digits in cents, reference 8, concept 90, bank 40, account of the payee 20, name 40. The file of Enlace has a key of
 * four characters before the text, and writes the month before the day. The tracking key comes somewhere after these
 * fields.
 */
const RECORD_PATTERN =
  /^(?<cuenta>\d{7,16} *)(?<=^.{16})(?<a>\d\d)(?<b>\d\d)(?<year>\d{4})\d{4}.{4}(?<key>.{4})?(?<text>.{40})(?<sign>[+-])(?<cents>\d{14})(?<balance>[\d+-]\d{13})(?<reference>.{8})(?<concept>.{90}).{40}(?<clabe>.{20})(?<name>.{40})(?<rest>.*)$/;

const MIN_LINE_LENGTH = 303;

const HEADER_LINE =
  'Cuenta,Fecha,Descripcion,Cargo/Abono,Importe,Saldo,Referencia,Concepto,Clabe Beneficiario,Nombre Beneficiario,Clave de Rastreo';

/**
 * @returns the same table that Santander's CSV has; undefined where the file is of another kind
 * @throws DomainError invalid bad_statement, naming the first line that differs from the others
 */
export function readSantanderTable(bytes: Uint8Array): BankStatementTable | undefined {
  // The widths count bytes of Latin-1. In a file that was saved again as UTF-8, they count characters after decoding.
  const decodeStrictly = (encoding: string) => new TextDecoder(encoding, { fatal: true }).decode(bytes);
  let text: string;
  try {
    text = decodeStrictly('utf-8');
  } catch {
    text = decodeStrictly('windows-1252');
  }
  // Editors may cut trailing spaces, and DOS ends a file with U+001A.
  const lines = text.split(/\r?\n/).map((line) => line.replaceAll('\u001a', '').padEnd(MIN_LINE_LENGTH));
  if (!lines.some((line) => RECORD_PATTERN.test(line))) return undefined;
  const rows = lines.flatMap((line, index): RawRow[] => {
    if (line.trim() === '') return [];
    const parts = RECORD_PATTERN.exec(line)?.groups;
    if (!parts)
      throw badBankStatementError(
        `Renglón ${index + 1}: no tiene la forma de los demás del archivo de Santander.`,
      );
    const { cuenta, a, b, year, key, text, sign, reference, concept, clabe, name, rest } = parts;
    const day = key === undefined ? `${a}/${b}/${year}` : `${b}/${a}/${year}`;
    const [amount, balance] = [parts.cents!, parts.balance!].map((cents) =>
      cents.replace(/^([+-]?)0*(\d+)(\d\d)$/, '$1$2.$3'),
    );
    const tracking =
      /\S{14,}/.exec(key === undefined ? rest!.slice(122, 152) : rest!.slice(80, 197))?.[0] ?? '';
    const cells = [cuenta, day, text, sign, amount, balance, reference, concept, clabe, name, tracking];
    return [{ line: index + 1, cells: cells.map((cell) => cell!.trim()) }];
  });
  return { header: { line: 0, names: HEADER_LINE.split(',') }, rows };
}
