import { hasRfcCheckDigit } from '../../shared/rfc.ts';
import { fold } from '../../shared/text.ts';
import { type DemoRubroKey, demoContacts, demoSuppliers } from './names.ts';
import type { Random } from './random.ts';

export interface DemoSupplier {
  suppliername: string;
  suppliercontactperson: string;
  suppliercontactphone: string;
  suppliercontactemail: string;
  rfc: string;
  diascredito: number;
  rubro: DemoRubroKey;
  /** a natural person: clients withhold part of the taxes */
  isPerson: boolean;
  /** its share of its rubro's invoices */
  weight: number;
  /** how its invoices are numbered */
  numbering: 'letter' | 'year' | 'plain' | 'uuid';
  firstNumber: number;
}

const CREDIT_DAYS = [0, 7, 15, 15, 30, 30, 30, 45];
const AREAS = ['81', '81', '81', '844', '867', '55'];

export function makeSuppliers(random: Random): DemoSupplier[] {
  const keys = Object.keys(demoSuppliers) as DemoRubroKey[];
  const made = keys.flatMap((rubro) =>
    demoSuppliers[rubro].split('|').map((text, rank): DemoSupplier => {
      const isPerson = text.startsWith('· ');
      const suppliername = text.replace(/^· /, '');
      return {
        suppliername: isPerson ? suppliername : `${suppliername}${legalForm(random)}`,
        suppliercontactperson: isPerson ? suppliername : random.pick(demoContacts.split('|')),
        suppliercontactphone: phone(random),
        suppliercontactemail: random.chance(0.9)
          ? `${isPerson ? 'contacto' : random.pick(['ventas', 'cobranza', 'facturacion'])}@${domain(suppliername)}.test`
          : '',
        rfc: makeRfc(random, suppliername, isPerson),
        diascredito: isPerson ? random.pick([0, 7, 15]) : random.pick(CREDIT_DAYS),
        rubro,
        isPerson,
        weight: 1 / (rank + 1),
        numbering: random.pick(['letter', 'letter', 'year', 'plain', 'uuid'] as const),
        firstNumber: random.whole(12, 9800),
      };
    }),
  );
  return random.shuffled(made);
}

const legalForm = (random: Random): string =>
  random.pick([', S.A. de C.V.', ', S.A. de C.V.', ' S. de R.L. de C.V.', ' S.A.P.I. de C.V.', '']);

function phone(random: Random): string {
  const area = random.pick(AREAS);
  const digits = `${random.whole(5000, 5999)}${String(random.whole(0, 9999)).padStart(4, '0')}`;
  const local = digits.slice(0, 10 - area.length);
  const extension = random.chance(0.15) ? ` ext. ${random.whole(100, 480)}` : '';
  return `(${area}) ${local.slice(0, -4)}-${local.slice(-4)}${extension}`;
}

/** Of the name's first two words: "acerostepeyac". */
const domain = (name: string): string =>
  fold(name)
    .split(/[^a-z]+/)
    .filter((word) => word.length > 2)
    .slice(0, 2)
    .join('');

/** Initials, a date, two characters of homoclave and the check digit that belongs to them. */
function makeRfc(random: Random, name: string, isPerson: boolean): string {
  const words = name
    .toUpperCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word.length > 3)
    .map((word) => [...word].map((one) => (one === 'Ñ' ? one : fold(one).toUpperCase())).join(''));
  const initials = words.map((word) => word[0]).join('') + words[0]!.slice(1);
  const year = isPerson ? random.whole(58, 95) : random.whole(0, 19);
  const date = [year, random.whole(1, 12), random.whole(1, 28)]
    .map((part) => String(part).padStart(2, '0'))
    .join('');
  const homoclave = `${random.pick([...'ABCDEFGHJKLMNPQRSTUVWXYZ123456789'])}${random.pick([...'0123456789ABC'])}`;
  return withCheckDigit(`${initials.slice(0, isPerson ? 4 : 3)}${date}${homoclave}`);
}

export const withCheckDigit = (rfc: string): string =>
  [...'0123456789A'].map((digit) => rfc + digit).find(hasRfcCheckDigit)!;
