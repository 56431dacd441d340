import { describe, expect, it } from 'vitest';
import {
  type BankLayout,
  BUILT_IN_LAYOUTS,
  formatLayout,
  type LayoutField,
} from '../../../../server/formats/bank-files/layout.ts';
import { findLayoutProblem } from '../../../../server/formats/bank-files/layout-rules.ts';
import { parseLayout } from '../../../../server/services/bank-files/layout-shape.ts';

const layoutNamed = (name: string): BankLayout =>
  BUILT_IN_LAYOUTS.find(({ plantilla }) => plantilla === name)!;

type Field = Partial<LayoutField> & Pick<LayoutField, 'origen'>;

const fieldOf = (field: Field): LayoutField => ({ campo: field.origen, ...field }) as LayoutField;
const constant = (valor: string, more: Partial<LayoutField> = {}): LayoutField =>
  fieldOf({ origen: 'constante', campo: 'fijo', valor, ancho: valor.length, ...more });

/** A built-in layout with other fields. */
const changed = (name: string, change: (fields: LayoutField[]) => LayoutField[]): BankLayout => {
  const layout = layoutNamed(name);
  return { ...layout, campos: change(structuredClone([...layout.campos])) };
};

/** A layout of a bank that has no built-in one. */
const ofOtherBank = (campos: LayoutField[], more: Partial<BankLayout> = {}): BankLayout => ({
  ...layoutNamed('bbva-spei'),
  plantilla: 'la-nuestra',
  banco: '021',
  campos,
  ...more,
});

const CLABE = fieldOf({ origen: 'abono.clabe', ancho: 18 });
const AMOUNT = fieldOf({ origen: 'importe', ancho: 16, relleno: '0', alinea: 'derecha' });
const PAYEE = fieldOf({ origen: 'titular', ancho: 30 });

const DIGITS = 'tiene diez dígitos o más';
const replace = (campo: string, by: LayoutField) => (fields: LayoutField[]) =>
  fields.map((field) => (field.campo === campo ? { ...by, campo } : field));

describe('a layout of a bank file', () => {
  it.each(BUILT_IN_LAYOUTS.map((layout) => [layout.plantilla, layout] as const))(
    'breaks no rule as shipped: %s',
    (_, layout) => expect(findLayoutProblem(layout)).toBeUndefined(),
  );

  it.each<[string, BankLayout, string]>([
    [
      'a constant CLABE instead of the payee’s',
      changed('bbva-spei', (fields) => [
        constant('646180111122223333', { campo: 'abono' }),
        ...fields.slice(1, -1),
        CLABE,
      ]),
      DIGITS,
    ],
    [
      'a CLABE in one constant, with punctuation between its digits',
      ofOtherBank([CLABE, AMOUNT, PAYEE, constant('646-180-11-112-222')]),
      DIGITS,
    ],
    [
      'a CLABE in two constants side by side',
      ofOtherBank([constant('646180111'), constant('122223333'), PAYEE, CLABE, AMOUNT]),
      DIGITS,
    ],
    [
      'a CLABE in two constants with a narrow field between',
      ofOtherBank([
        constant('646180111'),
        fieldOf({ origen: 'consecutivo', ancho: 1 }),
        constant('22223333'),
        PAYEE,
        CLABE,
        AMOUNT,
      ]),
      DIGITS,
    ],
    [
      'a constant that is padded with zeros to an account',
      ofOtherBank([
        constant('64618011', { ancho: 18, relleno: '0', alinea: 'izquierda' }),
        PAYEE,
        CLABE,
        AMOUNT,
      ]),
      DIGITS,
    ],
    [
      'constants in adjacent cells',
      ofOtherBank(
        [
          CLABE,
          AMOUNT,
          PAYEE,
          constant('64618', { ancho: undefined }),
          constant('01111', { ancho: undefined }),
        ],
        { separador: ';' },
      ),
      DIGITS,
    ],
    [
      'a heading that is an account number',
      ofOtherBank([{ ...CLABE, campo: '646180111122223333' }, AMOUNT, PAYEE], {
        separador: ';',
        encabezado: true,
      }),
      DIGITS,
    ],
    [
      'a short constant where the bank reads the account',
      changed('bbva-spei', (fields) => [
        constant('123456789', { campo: 'x', ancho: 18 }),
        ...fields.slice(1, -1),
        CLABE,
      ]),
      'tiene la cuenta',
    ],
    [
      'a constant where the bank reads the amount',
      changed('bbva-spei', (fields) => [
        ...replace('importe', constant('9999.00', { ancho: 16 }))(fields),
        AMOUNT,
      ]),
      'tiene el importe',
    ],
    [
      'a constant where the bank reads the payee',
      changed('bbva-spei', (fields) => [
        ...replace('titular', constant('OTRO SA', { ancho: 30 }))(fields),
        PAYEE,
      ]),
      'tiene el beneficiario',
    ],
    [
      'the same, in a layout with another name for any source',
      {
        ...changed('santander-spei', (fields) => [
          ...replace('abono', constant('99', { ancho: 20 }))(fields),
          CLABE,
        ]),
        plantilla: 'otra',
        banco: null,
      },
      'tiene la cuenta',
    ],
    [
      'a constant in a column with the heading of the account',
      changed('csv', (fields) => [
        ...fields.map((field) => (field.campo === 'CLABE' ? { ...field, campo: 'Cuenta' } : field)),
        constant('123', { campo: 'Clabe', ancho: undefined }),
      ]),
      'tiene la cuenta',
    ],
    [
      'a constant in the column of the payee’s id',
      changed('banorte', (fields) => [
        ...replace('clave', constant('ABC', { ancho: 13 }))(fields),
        fieldOf({ origen: 'rfc', ancho: 13 }),
      ]),
      'tiene el beneficiario',
    ],
    [
      'typed text where the bank reads the account',
      changed('santander-spei', (fields) => [
        ...replace('abono', fieldOf({ origen: 'titular', ancho: 20 }))(fields),
        CLABE,
      ]),
      'tiene la cuenta',
    ],
    [
      'a digit right before the amount',
      ofOtherBank([CLABE, PAYEE, constant('9'), AMOUNT]),
      'junto a los de el importe',
    ],
    [
      'a digit right after the amount',
      ofOtherBank([CLABE, PAYEE, AMOUNT, constant('0')]),
      'junto a los de el importe',
    ],
    [
      'a digit right before the account',
      ofOtherBank([constant('1'), CLABE, PAYEE, AMOUNT]),
      'junto a los de la cuenta',
    ],
    [
      'only the code of the bank instead of an account',
      ofOtherBank([{ ...CLABE, origen: 'abono.banco' }, AMOUNT, PAYEE]),
      'del abono',
    ],
    [
      'an account number without its bank, for another bank',
      ofOtherBank([{ ...CLABE, origen: 'abono.cuenta' }, AMOUNT, PAYEE]),
      'del abono, en las transferencias a otros bancos',
    ],
    [
      'an account only in transfers of one kind',
      ofOtherBank([{ ...CLABE, solo: 'mismo' }, AMOUNT, PAYEE], { destino: 'todos' }),
      'del abono, en las transferencias a otros bancos',
    ],
    ['no amount', ofOtherBank([CLABE, PAYEE]), 'del importe'],
    ['no payee', ofOtherBank([CLABE, AMOUNT]), 'del beneficiario'],
    [
      'letters of two bytes in fields of fixed width',
      ofOtherBank([{ ...PAYEE, caracteres: 'libre' }, CLABE, AMOUNT]),
      '«libre» piden un separador',
    ],
    [
      'fewer headings than columns',
      ofOtherBank([{ ...PAYEE, campo: 'a' }, { ...CLABE, campo: 'a' }, AMOUNT], {
        separador: ';',
        encabezado: true,
      }),
      'con encabezado',
    ],
  ])('is refused with %s', (_, layout, message) => {
    expect(findLayoutProblem(layout)?.message).toContain(message);
    expect(() => parseLayout(formatLayout(layout))).toThrow(message);
  });

  it('may contain whatever else its bank changes', () => {
    const sound = [
      changed('bbva-spei', replace('divisa', constant('MXN'))),
      changed('bbva-spei', (fields) => [...fields, constant('12345', { campo: 'convenio' })]),
      changed('banorte', (fields) =>
        fields.map((field) => (field.valor === '04' ? { ...field, valor: '05' } : field)),
      ),
      changed('csv', (fields) => [...fields, constant('MXN', { campo: 'Divisa', ancho: undefined })]),
      ofOtherBank([constant('SPEI'), CLABE, PAYEE, AMOUNT, constant('MXP01')]),
      ofOtherBank([constant('01', { ancho: undefined }), AMOUNT, CLABE, PAYEE], { separador: '|' }),
    ];
    for (const layout of sound) expect(findLayoutProblem(layout)).toBeUndefined();
  });
});
