import { type Cents, toDecimalText } from '../../shared/money.ts';
import { oneLine } from '../../shared/text.ts';

interface Transaction {
  code: string;
  fecha: string;
  nombre: string;
  concepto: string;
  uuid: string | null;
  postings: readonly { account: string; cents: Cents }[];
}

/** A journal that hledger and ledger read. @param currency ISO 4217 */
export function writeHledger(
  { title, currency }: { title: string; currency: string },
  entries: readonly Transaction[],
): string {
  const names = new Set(entries.flatMap(({ postings }) => postings.map(({ account }) => account)));
  const declared = [...names].sort().map((account) => `account ${account}\n`);
  const head = `; ${stripReservedSigns(title)}\ndecimal-mark .\ncommodity 1000.00 ${currency}\n${declared.join('')}`;
  return head + entries.map((entry) => `\n${writeEntry(entry, currency)}`).join('');
}

function writeEntry(
  { code, fecha, nombre, concepto, uuid, postings }: Transaction,
  currency: string,
): string {
  const payee = stripReservedSigns(nombre);
  const lines = [
    `${fecha} (${code}) ${payee && `${payee} | `}${stripReservedSigns(concepto)}`,
    ...(uuid ? [`    ; uuid:${uuid}`] : []),
    ...postings.map(({ account, cents }) => `    ${account}  ${toDecimalText(cents)} ${currency}`),
  ];
  return `${lines.join('\n')}\n`;
}

/** A semicolon begins a comment, and a bar ends the payee. */
const stripReservedSigns = (text: string): string => oneLine(text.replace(/[;|]/g, ' '));
