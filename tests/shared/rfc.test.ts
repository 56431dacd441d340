import { describe, expect, it } from 'vitest';
import { hasRfcCheckDigit, isGenericRfc, isRfc, normalizeRfc } from '../../shared/rfc.ts';
import { GROUPING_SPACES, INVISIBLE_CHARACTERS, insertCharacter } from '../support/invisible.ts';

describe('an RFC', () => {
  it.each([
    'CVI100512AB1',
    'GODE561231GR8',
    'Ñ&A010203AB1',
    'XAXX010101000',
    'XEXX010101000',
    'ABC000229XY9',
  ])('is %s', (rfc) => {
    expect(isRfc(rfc)).toBe(true);
  });

  it.each([
    '',
    'ABC',
    'CVI100512AB',
    'CVI100512AB12',
    'CVI101312AB1',
    'CVI100230AB1',
    '1VI100512AB1',
    'cvi100512ab1',
    'ABCDE100512AB1',
    'CVI100512A-1',
  ])('is not «%s»', (rfc) => {
    expect(isRfc(rfc)).toBe(false);
  });

  it('is stored in capitals, without spaces and dashes', () => {
    expect(normalizeRfc(' cvi-100512 ab1 ')).toBe('CVI100512AB1');
    expect(normalizeRfc('ñ&a-010203-ab1')).toBe('Ñ&A010203AB1');
  });

  it.each([...GROUPING_SPACES, ...INVISIBLE_CHARACTERS])(
    'is the same with a %s in it',
    (_name, character) => {
      for (const rfc of ['CVI100512AB1', 'Ñ&A010203AB1', 'XEXX010101000'])
        expect(insertCharacter(rfc, character).map(normalizeRfc)).toEqual([rfc, rfc, rfc]);
    },
  );

  it('is the same with its Ñ composed or not', () => {
    expect(normalizeRfc('N\u0303&A010203AB1')).toBe('Ñ&A010203AB1');
  });

  it('identifies nobody if it is one of the two generic ones', () => {
    expect(['XAXX010101000', 'XEXX010101000', 'CVI100512AB1'].map(isGenericRfc)).toEqual([true, true, false]);
  });

  it.each([
    ['GODE561231GR8', true], // the SAT's own example of a person
    ['GODE561231GR9', false],
    ['EKU9003173C9', true], // the SAT's test company
    ['XIA190128J61', true],
    ['EKU9003173C8', false],
  ])('%s has its check digit: %s', (rfc, expected) => {
    expect(hasRfcCheckDigit(rfc)).toBe(expected);
  });
});
