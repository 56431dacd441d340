import Papa from 'papaparse';
import { accountNumberOf, bankCodeOf } from '../../../shared/banks.ts';
import { DomainError } from '../../../shared/errors.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import { neutralizeFormula } from '../sheets/csv.ts';
import { type BankLayout, filterFieldsByTransferKind, type LayoutField } from './layout.ts';
import { type BankOrder, type FieldContext, fieldTextOf, transferKindOf } from './write.ts';

/** @throws DomainError invalid bank_file_differs, with the place of the difference */
export function requireFileMatchesOrder(layout: BankLayout, bytes: Uint8Array, order: BankOrder): void {
  const rows = splitRows(layout, bytes);
  const { transfers } = order;
  if (rows.length !== transfers.length)
    throw mismatchError(`pide ${rows.length} transferencias y son ${transfers.length}`);
  for (const [index, transfer] of transfers.entries()) {
    const cells = splitCells(
      layout,
      rows[index]!,
      filterFieldsByTransferKind(layout, transferKindOf(order, transfer)),
    );
    if (!cells) throw mismatchError(`el renglón de ${transfer.suppliername} no se puede leer`);
    let hasAmount = false;
    for (const { field, text } of cells) {
      const read = text.trim();
      const detail = `en la transferencia a ${transfer.suppliername}, «${field.campo}» se lee como «${read}»`;
      if (field.origen === 'importe' || field.origen === 'importe.centavos') {
        if (parseCents(field, read) !== transfer.amountCents)
          throw mismatchError(`${detail} y son ${formatMoney(transfer.amountCents)}`);
        hasAmount = true;
      }
      if (!cellMatchesOrder(layout, { order, transfer, transferIndex: index, field }, read))
        throw mismatchError(detail);
    }
    if (!hasAmount) throw mismatchError(`la transferencia a ${transfer.suppliername} no dice cuánto es`);
  }
}

const mismatchError = (detail: string): DomainError => {
  const message = `El archivo no pide lo que dice la programación: ${detail}. No se generó; revisa la plantilla.`;
  return new DomainError('invalid', message, { code: 'bank_file_differs', fields: { plantilla: message } });
};

/** A file without separators has fields at byte positions, so it is decoded as Latin-1. */
function splitRows({ separador, encabezado }: BankLayout, bytes: Uint8Array): string[][] {
  const text = Buffer.from(bytes)
    .toString(separador ? 'utf8' : 'latin1')
    .replace(/^\ufeff/, '');
  if (!text.endsWith('\r\n')) throw mismatchError('su último renglón no termina');
  const body = text.slice(0, -2);
  if (!separador) return body.split('\r\n').map((line) => [line]);
  const { data } = Papa.parse<string[]>(body, { delimiter: separador, newline: '\r\n' });
  return encabezado ? data.slice(1) : data;
}

function splitCells({ separador }: BankLayout, row: readonly string[], fields: readonly LayoutField[]) {
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

function parseCents({ origen }: LayoutField, text: string): Cents | undefined {
  const [, pesos, cents] =
    (origen === 'importe' ? /^0*(\d+)\.(\d\d)$/ : /^0*(\d*?)(\d{1,2})$/).exec(text) ?? [];
  return cents === undefined ? undefined : Number(pesos) * 100 + Number(cents);
}

/** Ignores a number's leading zeros; its trailing zeros are part of the number. */
function cellMatchesOrder({ separador }: BankLayout, context: FieldContext, read: string): boolean {
  const { clabe } = context.transfer;
  const { origen, ancho } = context.field;
  const isSameNumber = (digits: string) =>
    /^\d+$/.test(read) && stripLeadingZeros(read) === stripLeadingZeros(digits);
  switch (origen) {
    case 'abono.clabe':
      return read.length >= clabe.length && isSameNumber(clabe);
    case 'abono.cuenta':
      return isSameNumber(accountNumberOf(clabe));
    case 'abono.banco':
      return isSameNumber(bankCodeOf(clabe));
    case 'titular':
    case 'proveedor':
    case 'rfc': {
      const value = fieldTextOf(context);
      const expected = [...value]
        .slice(0, ancho ?? value.length)
        .join('')
        .trim();
      return read === (separador ? neutralizeFormula(expected) : expected);
    }
    default:
      return true;
  }
}

const stripLeadingZeros = (digits: string): string => digits.replace(/^0+/, '');
