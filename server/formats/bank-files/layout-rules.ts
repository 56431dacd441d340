import { fold } from '../../../shared/text.ts';
import {
  type BankLayout,
  BUILT_IN_LAYOUTS,
  filterFieldsByTransferKind,
  type LayoutField,
  type TransferKind,
} from './layout.ts';
import { padField } from './write.ts';

/** Values that only the payment order may decide: their names in messages, and the field sources that supply them. */
const ORDER_DECIDED_FIELDS = {
  'la cuenta': ['abono.clabe', 'abono.cuenta', 'abono.banco'],
  'el importe': ['importe', 'importe.centavos'],
  'el beneficiario': ['titular', 'proveedor', 'rfc'],
} as const satisfies Record<string, readonly LayoutField['origen'][]>;

type OrderDecidedField = keyof typeof ORDER_DECIDED_FIELDS;

/** People type these texts, so they may contain the digits of an account. */
const FREE_TEXT_SOURCES: readonly LayoutField['origen'][] = [
  'titular',
  'proveedor',
  'rfc',
  'concepto',
  'correo',
];

/** A bank's shortest account number has ten digits, so fewer digits cannot redirect a payment. */
const MIN_ACCOUNT_DIGITS = 10;
/** In characters. Account numbers have at most 20 digits, so constants this far apart hold at most 9 of them. */
const MIN_GAP_BETWEEN_CONSTANTS = 11;

interface LayoutProblem {
  at?: number;
  message: string;
}

/** @returns why a file in this layout could pay something other than its order; verify.ts checks each file again. */
export function findLayoutProblem(layout: BankLayout): LayoutProblem | undefined {
  const { destino, campos } = layout;
  const wide = campos.findIndex(({ campo }) => countDigits(campo) >= MIN_ACCOUNT_DIGITS);
  if (wide >= 0) return { at: wide, message: TOO_MANY_DIGITS_TEXT };
  for (const kind of destino === 'todos' ? TRANSFER_KINDS : [destino]) {
    const found =
      findMissingField(layout, kind) ??
      findHeadingOrWidthProblem(layout, kind) ??
      findAccountInConstants(layout, kind) ??
      findFieldInReservedPlace(layout, kind) ??
      findForbiddenAdjacentDigits(layout, kind);
    if (found) return found;
  }
  return undefined;
}

const TRANSFER_KINDS: readonly TransferKind[] = ['mismo', 'otro'];
const TOO_MANY_DIGITS_TEXT = 'tiene diez dígitos o más, y las cuentas salen de la programación';

/** An account number identifies the account within its own bank; a transfer to another bank needs the CLABE. */
function findMissingField(layout: BankLayout, kind: TransferKind): LayoutProblem | undefined {
  const origins = filterFieldsByTransferKind(layout, kind).map(({ origen }) => origen);
  const hasSource = (...wanted: LayoutField['origen'][]) => wanted.some((one) => origins.includes(one));
  const missing =
    (!(hasSource('abono.clabe') || (kind === 'mismo' && hasSource('abono.cuenta'))) && 'del abono') ||
    (!hasSource('importe', 'importe.centavos') && 'del importe') ||
    (kind === 'otro' && !hasSource('titular', 'proveedor') && 'del beneficiario');
  if (!missing) return undefined;
  const destination = kind === 'mismo' ? 'al mismo banco' : 'a otros bancos';
  return { message: `ningún campo es ${missing}, en las transferencias ${destination}` };
}

/** All transfers share one row of headings. Without a separator, letters of two bytes would shift later fields. */
function findHeadingOrWidthProblem(layout: BankLayout, kind: TransferKind): LayoutProblem | undefined {
  const { campos, encabezado, separador } = layout;
  const free = campos.findIndex(({ caracteres }) => caracteres === 'libre' && !separador);
  if (free >= 0) return { at: free, message: 'los caracteres «libre» piden un separador' };
  const all = [...new Set(campos.map(({ campo }) => campo))];
  const used = filterFieldsByTransferKind(layout, kind).map(({ campo }) => campo);
  return encabezado && all.join('\n') !== used.join('\n')
    ? { message: 'con encabezado, cada transferencia lleva una vez cada campo' }
    : undefined;
}

/** Consecutive constants are counted together, with their padding, since they could spell out an account number. */
function findAccountInConstants(layout: BankLayout, kind: TransferKind): LayoutProblem | undefined {
  let digits = 0;
  for (const field of filterFieldsByTransferKind(layout, kind)) {
    if (field.origen === 'constante') digits += countDigits(padConstant(layout, field));
    else if (layout.separador || (field.ancho ?? 0) >= MIN_GAP_BETWEEN_CONSTANTS) digits = 0;
    if (digits >= MIN_ACCOUNT_DIGITS)
      return { at: layout.campos.indexOf(field), message: TOO_MANY_DIGITS_TEXT };
  }
  return undefined;
}

const countDigits = (text: string): number => text.match(/\p{Nd}/gu)?.length ?? 0;

const padConstant = ({ separador }: BankLayout, field: LayoutField): string =>
  padField(separador, field, field.valor ?? '');

/**
 * The bank reads payee, account and amount where its built-in layout has them. No constant may be at such a place or
 * have the name of such a field, and no text that people type may replace account or amount.
 */
function findFieldInReservedPlace(layout: BankLayout, kind: TransferKind): LayoutProblem | undefined {
  for (const counterpart of findCounterpartLayouts(layout, kind)) {
    for (const { field: used, decided: orderField, from, to } of computeFieldPositions(counterpart, kind)) {
      if (!orderField) continue;
      const intruder = computeFieldPositions(layout, kind).find(({ field, ...place }) => {
        const isInPlace = place.from < to && from < place.to;
        if (field.origen !== 'constante')
          return (
            isInPlace &&
            counterpart.banco &&
            orderField !== 'el beneficiario' &&
            FREE_TEXT_SOURCES.includes(field.origen)
          );
        return (
          padConstant(layout, field).trim() !== '' && (isInPlace || fold(field.campo) === fold(used.campo))
        );
      });
      if (intruder)
        return {
          at: layout.campos.indexOf(intruder.field),
          message: `está donde la plantilla de fábrica tiene ${orderField}, que sale de la programación`,
        };
    }
  }
  return undefined;
}

/** Without a separator, a digit next to an account or amount extends it, unless the built-in layout has that digit. */
function findForbiddenAdjacentDigits(layout: BankLayout, kind: TransferKind): LayoutProblem | undefined {
  if (layout.separador) return undefined;
  const builtInKeys = new Set(
    findCounterpartLayouts(layout, kind).flatMap((counterpart) =>
      listAdjacentDigits(counterpart, kind).map(({ key }) => key),
    ),
  );
  const wrong = listAdjacentDigits(layout, kind).find(({ key }) => !builtInKeys.has(key));
  return (
    wrong && {
      at: layout.campos.indexOf(wrong.constant),
      message: `sus dígitos quedan junto a los de ${wrong.decided}`,
    }
  );
}

function listAdjacentDigits(layout: BankLayout, kind: TransferKind) {
  const fields = computeFieldPositions(layout, kind);
  return fields.flatMap(({ field, decided: orderField }, index) => {
    if (!orderField || orderField === 'el beneficiario' || field.origen === 'abono.banco') return [];
    return [-1, 1].flatMap((side) => {
      const constant = fields[index + side]?.field;
      if (constant?.origen !== 'constante') return [];
      const text = padConstant(layout, constant);
      if (!/\d/.test(text.at(side < 0 ? -1 : 0) ?? '')) return [];
      return [{ constant, decided: orderField, key: [side, text, field.origen].join('|') }];
    });
  });
}

const findCounterpartLayouts = (
  { plantilla, banco, separador }: BankLayout,
  kind: TransferKind,
): BankLayout[] =>
  BUILT_IN_LAYOUTS.filter(
    (counterpart) =>
      counterpart.separador === separador &&
      (counterpart.destino === 'todos' || counterpart.destino === kind) &&
      (counterpart.plantilla === plantilla ||
        (counterpart.banco !== null && (banco ?? counterpart.banco) === counterpart.banco)),
  );

function computeFieldPositions(layout: BankLayout, kind: TransferKind) {
  let at = 0;
  return filterFieldsByTransferKind(layout, kind).map((field) => {
    const from = at;
    at += layout.separador ? 1 : (field.ancho ?? 0);
    const orderField = (Object.keys(ORDER_DECIDED_FIELDS) as OrderDecidedField[]).find((one) =>
      (ORDER_DECIDED_FIELDS[one] as readonly string[]).includes(field.origen),
    );
    return { field, decided: orderField, from, to: at };
  });
}
