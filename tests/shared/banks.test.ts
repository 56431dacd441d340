import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  abbreviateClabe,
  accountNumberOf,
  bankNameOf,
  computeClabeCheckDigit,
  findClabeProblem,
  formatClabe,
  normalizeClabe,
} from '../../shared/banks.ts';
import { GROUPING_SPACES, INVISIBLE_CHARACTERS, insertCharacter } from '../support/invisible.ts';

it.each(['032180000118359719', '002010077777777771', '012180004643051249', '002000000000000008'])(
  'the CLABE %s is valid',
  (clabe) => {
    expect(findClabeProblem(clabe)).toBeUndefined();
  },
);

it.each([
  ['646180157034181230', 'El último dígito de la CLABE no corresponde'],
  ['03218000011835971', 'lleva 18 dígitos; tiene 17'],
  ['0321800001183597190', 'lleva 18 dígitos; tiene 19'],
  ['', 'lleva 18 dígitos; tiene 0'],
  ['03218000011835971A', 'lleva solo dígitos'],
  ['٠٣٢١٨٠٠٠٠١١٨٣٥٩٧١٩', 'lleva solo dígitos'],
])('the CLABE %s is refused with a reason', (clabe, why) => {
  expect(findClabeProblem(clabe)).toContain(why);
});

it.each([...GROUPING_SPACES, ...INVISIBLE_CHARACTERS, ['point', '.'] as const])(
  'a CLABE is the same with a %s in it',
  (_name, character) => {
    const clabe = '032180000118359719';
    expect(insertCharacter(clabe, character).map(normalizeClabe)).toEqual([clabe, clabe, clabe]);
  },
);

it('a wrong digit, and two neighbours exchanged, are found wherever their weights differ', () => {
  const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 17, maxLength: 17 });
  fc.assert(
    fc.property(digits, fc.nat(17), fc.integer({ min: 1, max: 9 }), (own, place, by) => {
      const clabe = own + computeClabeCheckDigit(own);
      expect(findClabeProblem(clabe)).toBeUndefined();
      const wrong = String((Number(clabe[place]) + by) % 10);
      expect(findClabeProblem(clabe.slice(0, place) + wrong + clabe.slice(place + 1))).toBeDefined();
    }),
  );
});

it('a CLABE contains its bank and its account', () => {
  const clabe = normalizeClabe(' 012 180 00464305124-9 ');
  expect(clabe).toBe('012180004643051249');
  expect([bankNameOf(clabe), accountNumberOf(clabe), abbreviateClabe(clabe), formatClabe(clabe)]).toEqual([
    'BBVA',
    '00464305124',
    '··· 1249',
    '012 180 00464305124 9',
  ]);
  expect(bankNameOf('999180004643051249')).toBe('Desconocido (999)');
});
