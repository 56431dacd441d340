import { fold } from '../../../shared/text.ts';
import {
  type BankLayout,
  BUILT_IN_LAYOUTS,
  fieldsFor,
  type LayoutField,
  type TransferKind,
} from './layout.ts';
import { filledUp } from './write.ts';

/** The order decides these, and no layout may: who gets how much, and where. */
const DECIDED = {
  'la cuenta': ['abono.clabe', 'abono.cuenta', 'abono.banco'],
  'el importe': ['importe', 'importe.centavos'],
  'el beneficiario': ['titular', 'proveedor', 'rfc'],
} as const satisfies Record<string, readonly LayoutField['origen'][]>;

type Decided = keyof typeof DECIDED;

/** People type these, so they may contain the digits of an account. */
const TYPED: readonly LayoutField['origen'][] = ['titular', 'proveedor', 'rfc', 'concepto', 'correo'];

/** The shortest account number of a bank; fewer digits send a payment nowhere. */
const FEWEST_DIGITS = 10;
/** A field this wide keeps digits before and after it apart: an account number has at most twenty. */
const KEEPS_APART = 11;

interface LayoutProblem {
  /** index in `campos` */
  at?: number;
  message: string;
}

/** Says why a layout could pay something other than what was ordered. Each written file is also read back (read.ts). */
export function layoutProblem(layout: BankLayout): LayoutProblem | undefined {
  const { destino, campos } = layout;
  const wide = campos.findIndex(({ campo }) => digitsIn(campo) >= FEWEST_DIGITS);
  if (wide >= 0) return { at: wide, message: TOO_MANY_DIGITS };
  for (const kind of destino === 'todos' ? KINDS : [destino]) {
    const found =
      lackingIn(layout, kind) ??
      unevenIn(layout, kind) ??
      spelledOutIn(layout, kind) ??
      displacingIn(layout, kind) ??
      touchingIn(layout, kind);
    if (found) return found;
  }
  return undefined;
}

const KINDS: readonly TransferKind[] = ['mismo', 'otro'];
const TOO_MANY_DIGITS = 'tiene diez dígitos o más, y las cuentas salen de la programación';

/** An account number alone means nothing at another bank; at the own one it identifies the account. */
function lackingIn(layout: BankLayout, kind: TransferKind): LayoutProblem | undefined {
  const origins = fieldsFor(layout, kind).map(({ origen }) => origen);
  const has = (...wanted: LayoutField['origen'][]) => wanted.some((one) => origins.includes(one));
  const lacks =
    (!(has('abono.clabe') || (kind === 'mismo' && has('abono.cuenta'))) && 'del abono') ||
    (!has('importe', 'importe.centavos') && 'del importe') ||
    (kind === 'otro' && !has('titular', 'proveedor') && 'del beneficiario');
  if (!lacks) return undefined;
  const which = kind === 'mismo' ? 'al mismo banco' : 'a otros bancos';
  return { message: `ningún campo es ${lacks}, en las transferencias ${which}` };
}

/** A file with headings has one for each column, whatever the transfer; two-byte letters would shift what follows. */
function unevenIn(layout: BankLayout, kind: TransferKind): LayoutProblem | undefined {
  const { campos, encabezado, separador } = layout;
  const free = campos.findIndex(({ caracteres }) => caracteres === 'libre' && !separador);
  if (free >= 0) return { at: free, message: 'los caracteres «libre» piden un separador' };
  const all = [...new Set(campos.map(({ campo }) => campo))];
  const own = fieldsFor(layout, kind).map(({ campo }) => campo);
  return encabezado && all.join('\n') !== own.join('\n')
    ? { message: 'con encabezado, cada transferencia lleva una vez cada campo' }
    : undefined;
}

/** Digits of consecutive constants are counted together, padding included. */
function spelledOutIn(layout: BankLayout, kind: TransferKind): LayoutProblem | undefined {
  let digits = 0;
  for (const field of fieldsFor(layout, kind)) {
    if (field.origen === 'constante') digits += digitsIn(constantIn(layout, field));
    else if (layout.separador || (field.ancho ?? 0) >= KEEPS_APART) digits = 0;
    if (digits >= FEWEST_DIGITS) return { at: layout.campos.indexOf(field), message: TOO_MANY_DIGITS };
  }
  return undefined;
}

const digitsIn = (text: string): number => text.match(/\p{Nd}/gu)?.length ?? 0;

const constantIn = ({ separador }: BankLayout, field: LayoutField): string =>
  filledUp(separador, field, field.valor ?? '');

/**
 * The bank reads payee, account and amount at the places of the program's own layout: no constant may be there or have
 * such a field's name, and nothing that people type may be in place of account or amount.
 */
function displacingIn(layout: BankLayout, kind: TransferKind): LayoutProblem | undefined {
  for (const known of counterpartsOf(layout, kind)) {
    for (const { field: own, decided, from, to } of placed(known, kind)) {
      if (!decided) continue;
      const intruder = placed(layout, kind).find(({ field, ...place }) => {
        const isThere = place.from < to && from < place.to;
        if (field.origen !== 'constante')
          return isThere && known.banco && decided !== 'el beneficiario' && TYPED.includes(field.origen);
        return constantIn(layout, field).trim() !== '' && (isThere || fold(field.campo) === fold(own.campo));
      });
      if (intruder)
        return {
          at: layout.campos.indexOf(intruder.field),
          message: `está donde la plantilla de fábrica tiene ${decided}, que sale de la programación`,
        };
    }
  }
  return undefined;
}

/** Without a separator, a digit beside an account or amount extends it, unless the bank's own layout has it there. */
function touchingIn(layout: BankLayout, kind: TransferKind): LayoutProblem | undefined {
  if (layout.separador) return undefined;
  const usual = new Set(
    counterpartsOf(layout, kind).flatMap((known) => touches(known, kind).map(({ key }) => key)),
  );
  const wrong = touches(layout, kind).find(({ key }) => !usual.has(key));
  return (
    wrong && {
      at: layout.campos.indexOf(wrong.constant),
      message: `sus dígitos quedan junto a los de ${wrong.decided}`,
    }
  );
}

function touches(layout: BankLayout, kind: TransferKind) {
  const fields = placed(layout, kind);
  return fields.flatMap(({ field, decided }, index) => {
    if (!decided || decided === 'el beneficiario' || field.origen === 'abono.banco') return [];
    return [-1, 1].flatMap((side) => {
      const constant = fields[index + side]?.field;
      if (constant?.origen !== 'constante') return [];
      const text = constantIn(layout, constant);
      if (!/\d/.test(text.at(side < 0 ? -1 : 0) ?? '')) return [];
      return [{ constant, decided, key: [side, text, field.origen].join('|') }];
    });
  });
}

/** Finds the program's own layouts that say how the same bank reads such a line. */
const counterpartsOf = ({ plantilla, banco, separador }: BankLayout, kind: TransferKind): BankLayout[] =>
  BUILT_IN_LAYOUTS.filter(
    (known) =>
      known.separador === separador &&
      (known.destino === 'todos' || known.destino === kind) &&
      (known.plantilla === plantilla || (known.banco !== null && (banco ?? known.banco) === known.banco)),
  );

function placed(layout: BankLayout, kind: TransferKind) {
  let at = 0;
  return fieldsFor(layout, kind).map((field) => {
    const from = at;
    at += layout.separador ? 1 : (field.ancho ?? 0);
    const decided = (Object.keys(DECIDED) as Decided[]).find((one) =>
      (DECIDED[one] as readonly string[]).includes(field.origen),
    );
    return { field, decided, from, to: at };
  });
}
