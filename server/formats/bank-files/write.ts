import { accountNumberOf, bankCodeOf, bankNameOf } from '../../../shared/banks.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import { type Cents, toDecimalText } from '../../../shared/money.ts';
import { neutralizeFormula } from '../sheets/csv.ts';
import {
  type BankLayout,
  filterFieldsByTransferKind,
  type LayoutField,
  type TransferKind,
} from './layout.ts';

export interface Transfer {
  suppliername: string;
  rfc: string | null;
  email: string;
  clabe: string;
  titular: string;
  amountCents: Cents;
  /** The reference has at most seven digits. */
  referencia: string;
  concepto: string;
}

export interface BankOrder {
  clabe: string;
  rfc: string;
  fecha: PlainDate;
  transfers: readonly Transfer[];
}

interface WrittenBankFile {
  text: string;
  cuts: string[];
}

const isSameBank = (order: Pick<BankOrder, 'clabe'>, { clabe }: Pick<Transfer, 'clabe'>): boolean =>
  order.clabe !== '' && bankCodeOf(order.clabe) === bankCodeOf(clabe);

export const transferKindOf = (
  order: Pick<BankOrder, 'clabe'>,
  transfer: Pick<Transfer, 'clabe'>,
): TransferKind => (isSameBank(order, transfer) ? 'mismo' : 'otro');

export const isLayoutForBank = ({ banco }: BankLayout, { clabe }: Pick<BankOrder, 'clabe'>): boolean =>
  banco === null || (clabe !== '' && bankCodeOf(clabe) === banco);

export const acceptsTransfer = (
  { destino }: BankLayout,
  order: Pick<BankOrder, 'clabe'>,
  transfer: Pick<Transfer, 'clabe'>,
) => destino === 'todos' || destino === transferKindOf(order, transfer);

/** Lines end with CR LF. Long texts are cut and reported; digits are never cut. @throws DomainError invalid */
export function writeBankFile(layout: BankLayout, order: BankOrder): WrittenBankFile {
  const { separador, encabezado, campos } = layout;
  const cuts: string[] = [];
  const lines = order.transfers.map((transfer, index) => {
    const cells = filterFieldsByTransferKind(layout, transferKindOf(order, transfer)).map((field) => {
      const { text, cut } = writeField(layout, { order, transfer, transferIndex: index, field });
      if (cut) cuts.push(`${transfer.suppliername}, ${field.campo}: «${cut}» quedó como «${text.trim()}».`);
      return separador ? quoteCell(text, separador) : text;
    });
    return cells.join(separador);
  });
  const names = [...new Set(campos.map(({ campo }) => campo))];
  const all = encabezado
    ? [names.map((name) => quoteCell(name, separador)).join(separador), ...lines]
    : lines;
  return { text: all.map((line) => `${line}\r\n`).join(''), cuts };
}

export interface FieldContext {
  order: BankOrder;
  transfer: Transfer;
  transferIndex: number;
  field: LayoutField;
}

type FieldSource = LayoutField['origen'];

const TEXT_GETTERS: Partial<Record<FieldSource, (context: FieldContext) => string>> = {
  titular: ({ transfer }) => transfer.titular,
  proveedor: ({ transfer }) => transfer.suppliername,
  rfc: ({ transfer }) => transfer.rfc ?? '',
  banco: ({ transfer }) => bankNameOf(transfer.clabe),
  concepto: ({ transfer }) => transfer.concepto,
  correo: ({ transfer }) => transfer.email,
  'empresa.rfc': ({ order }) => order.rfc,
};

/** These values are never cut, because a number that loses a digit is another number. */
const NUMBER_GETTERS: Partial<Record<FieldSource, (context: FieldContext) => string>> = {
  constante: ({ field }) => field.valor ?? '',
  'cargo.clabe': ({ order }) => requireFundingSourceClabe(order),
  'cargo.cuenta': ({ order }) => accountNumberOf(requireFundingSourceClabe(order)),
  'cargo.banco': ({ order }) => bankCodeOf(requireFundingSourceClabe(order)),
  'abono.clabe': ({ transfer }) => transfer.clabe,
  'abono.cuenta': ({ transfer }) => accountNumberOf(transfer.clabe),
  'abono.banco': ({ transfer }) => bankCodeOf(transfer.clabe),
  importe: ({ transfer }) => toDecimalText(transfer.amountCents),
  'importe.centavos': ({ transfer }) => String(transfer.amountCents),
  referencia: ({ transfer }) => transfer.referencia,
  'fecha.ddmmaaaa': ({ order }) => order.fecha.replace(/^(\d+)-(\d+)-(\d+)$/, '$3$2$1'),
  'fecha.aaaammdd': ({ order }) => order.fecha.replaceAll('-', ''),
  'fecha.aaaa-mm-dd': ({ order }) => order.fecha,
  consecutivo: ({ transferIndex }) => String(transferIndex + 1),
};

function requireFundingSourceClabe({ clabe }: BankOrder): string {
  if (clabe) return clabe;
  const message = 'El origen de recurso no tiene CLABE: sin ella el banco no sabe de qué cuenta cargar.';
  throw new DomainError('invalid', message, { fields: { origenderecursoId: message } });
}

function writeField({ separador }: BankLayout, context: FieldContext): { text: string; cut?: string } {
  const { origen, campo, ancho } = context.field;
  const text = TEXT_GETTERS[origen];
  const full = fieldTextOf(context);
  if (ancho === undefined) return { text: full };
  const fitted = text ? [...full].slice(0, ancho).join('').trimEnd() : dropExcessZeros(full, ancho);
  if (fitted.length > ancho) {
    const message = `«${campo}» no cabe en ${ancho} lugares: ${full}.`;
    throw new DomainError('invalid', message, { fields: { plantilla: message } });
  }
  const filled = padField(separador, context.field, fitted);
  return text && fitted !== full ? { text: filled, cut: full } : { text: filled };
}

export function padField(
  separator: BankLayout['separador'],
  { ancho = 0, relleno, alinea }: LayoutField,
  text: string,
): string {
  const padding = relleno ?? (separator ? '' : ' ');
  return alinea === 'derecha' ? text.padStart(ancho, padding) : text.padEnd(ancho, padding);
}

export function fieldTextOf(context: FieldContext): string {
  const { origen, caracteres = 'mayusculas' } = context.field;
  const text = TEXT_GETTERS[origen];
  return text ? restrictCharacters(text(context), caracteres) : NUMBER_GETTERS[origen]!(context);
}

function dropExcessZeros(digits: string, width: number): string {
  let text = digits;
  while (text.length > width && text.startsWith('0')) text = text.slice(1);
  return text;
}

function restrictCharacters(text: string, characters: NonNullable<LayoutField['caracteres']>): string {
  if (characters === 'libre') return text;
  const plain = text.normalize('NFD').replace(/\p{Mn}/gu, '');
  if (characters === 'correo') return plain.replace(/[^\w.@+-]/g, '');
  return plain
    .toUpperCase()
    .replace(/[.'’`-]/g, '')
    .replace(/[^A-Z0-9]+/g, ' ')
    .trim();
}

/** A separator inside a cell would split it, and a spreadsheet would run a formula. */
function quoteCell(text: string, separator: string): string {
  const safe = neutralizeFormula(text);
  return safe.includes(separator) || /["\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
