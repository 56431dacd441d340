import Papa from 'papaparse';
import { accountNumberOf, bankCodeOf } from '../../../shared/banks.ts';
import { DomainError } from '../../../shared/errors.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import { neutralizeFormula } from '../sheets/csv.ts';
import { type BankLayout, fieldsFor, type LayoutField } from './layout.ts';
import { type BankOrder, kindOf, type Placed, wholeText } from './write.ts';

/** @throws DomainError invalid bank_file_differs, saying where */
export function requireOrdered(layout: BankLayout, bytes: Uint8Array, order: BankOrder): void {
  const rows = rowsOf(layout, bytes);
  const { transfers } = order;
  if (rows.length !== transfers.length)
    throw differs(`pide ${rows.length} transferencias y son ${transfers.length}`);
  for (const [index, transfer] of transfers.entries()) {
    const cells = cellsOf(layout, rows[index]!, fieldsFor(layout, kindOf(order, transfer)));
    if (!cells) throw differs(`el renglón de ${transfer.suppliername} no se puede leer`);
    let saysAmount = false;
    for (const { field, text } of cells) {
      const read = text.trim();
      const what = `en la transferencia a ${transfer.suppliername}, «${field.campo}» se lee como «${read}»`;
      if (field.origen === 'importe' || field.origen === 'importe.centavos') {
        if (centsIn(field, read) !== transfer.amountCents)
          throw differs(`${what} y son ${formatMoney(transfer.amountCents)}`);
        saysAmount = true;
      }
      if (!isSame(layout, { order, transfer, index, field }, read)) throw differs(what);
    }
    if (!saysAmount) throw differs(`la transferencia a ${transfer.suppliername} no dice cuánto es`);
  }
}

const differs = (what: string): DomainError => {
  const message = `El archivo no pide lo que dice la programación: ${what}. No se generó; revisa la plantilla.`;
  return new DomainError('invalid', message, { code: 'bank_file_differs', fields: { plantilla: message } });
};

/** Without a separator a bank counts bytes in lines; otherwise it reads records. */
function rowsOf({ separador, encabezado }: BankLayout, bytes: Uint8Array): string[][] {
  const text = Buffer.from(bytes)
    .toString(separador ? 'utf8' : 'latin1')
    .replace(/^\ufeff/, '');
  if (!text.endsWith('\r\n')) throw differs('su último renglón no termina');
  const whole = text.slice(0, -2);
  if (!separador) return whole.split('\r\n').map((line) => [line]);
  const { data } = Papa.parse<string[]>(whole, { delimiter: separador, newline: '\r\n' });
  return encabezado ? data.slice(1) : data;
}

function cellsOf({ separador }: BankLayout, row: readonly string[], fields: readonly LayoutField[]) {
  if (separador)
    return row.length === fields.length
      ? fields.map((field, index) => ({ field, text: row[index]! }))
      : undefined;
  const [line = ''] = row;
  let at = 0;
  const cells = fields.map((field) => {
    const from = at;
    at += field.ancho ?? 0;
    return { field, text: line.slice(from, at) };
  });
  return line.length === at ? cells : undefined;
}

function centsIn({ origen }: LayoutField, text: string): Cents | undefined {
  const [, pesos, cents] =
    (origen === 'importe' ? /^0*(\d+)\.(\d\d)$/ : /^0*(\d*?)(\d{1,2})$/).exec(text) ?? [];
  return cents === undefined ? undefined : Number(pesos) * 100 + Number(cents);
}

/** Zeros before a number mean nothing, but after it they are a part of it. */
function isSame({ separador }: BankLayout, placed: Placed, read: string): boolean {
  const { clabe } = placed.transfer;
  const { origen, ancho } = placed.field;
  const is = (digits: string) => /^\d+$/.test(read) && withoutZeros(read) === withoutZeros(digits);
  switch (origen) {
    case 'abono.clabe':
      return read.length >= clabe.length && is(clabe);
    case 'abono.cuenta':
      return is(accountNumberOf(clabe));
    case 'abono.banco':
      return is(bankCodeOf(clabe));
    case 'titular':
    case 'proveedor':
    case 'rfc': {
      const value = wholeText(placed);
      const ordered = [...value]
        .slice(0, ancho ?? value.length)
        .join('')
        .trim();
      return read === (separador ? neutralizeFormula(ordered) : ordered);
    }
    default:
      return true;
  }
}

const withoutZeros = (digits: string): string => digits.replace(/^0+/, '');
