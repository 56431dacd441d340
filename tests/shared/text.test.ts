import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cleanLine,
  cleanText,
  documentNumberKey,
  fold,
  isEmail,
  isWithinOneEdit,
  normalizeLoginName,
  normalizeUuid,
  oneLine,
  soundsLike,
} from '../../shared/text.ts';
import { GROUPING_SPACES, INVISIBLE_CHARACTERS, insertCharacter } from '../support/invisible.ts';

describe('folding', () => {
  it.each([
    ['Ñandú', 'nandu'],
    ['ÁÉÍÓÚ Ü', 'aeiou u'],
    ['  Materiales   del\tNorte ', 'materiales del norte'],
    ['ÇÅØ', 'caø'],
    ['100%_"', '100%_"'],
    ['', ''],
  ])('makes «%s» «%s»', (text, folded) => {
    expect(fold(text)).toBe(folded);
  });

  it('gives the same for composed and decomposed text, and for folded text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(fold(text.normalize('NFD'))).toBe(fold(text.normalize('NFC')));
        expect(fold(fold(text))).toBe(fold(text));
      }),
    );
  });
});

describe('plain ASCII text', () => {
  it('is folded in the same way next to other letters', () => {
    const plain = fc.string({
      unit: fc.integer({ min: 33, max: 126 }).map((code) => String.fromCharCode(code)),
    });
    fc.assert(
      fc.property(plain, (text) => {
        expect(fold(`ñu ${text}`)).toBe(`nu ${fold(text)}`.trim());
        expect(documentNumberKey(`ñu ${text}`)).toBe(`nu${documentNumberKey(text)}`);
      }),
    );
  });
});

describe('a document number', () => {
  it('is compared by letters and digits alone', () => {
    for (const text of ['A-100', 'a 100', 'Á_1.0.0', ' a/100 ']) expect(documentNumberKey(text)).toBe('a100');
    expect(documentNumberKey('A-100')).not.toBe(documentNumberKey('A-1000'));
    expect(documentNumberKey(' - / ')).toBe('');
  });
});

describe('an account’s name', () => {
  it.each([
    'Ana@x.mx',
    ' ana@x.mx ',
    'ana＠x.mx',
    'ａｎａ@x.mx',
    'ana\u200b@x.mx',
    '\ufeffana@x.mx',
    'ana@x.mx\u00a0',
  ])('«%s» is ana@x.mx', (text) => {
    expect(normalizeLoginName(text)).toBe('ana@x.mx');
  });

  it.each(['begon\u0303a', 'begon\u200d\u0303a', 'BEGON\u034f\u0303A', 'begoña\ufe0f', '\u115fbegoña'])(
    'has its accents composed, whatever invisible characters are between: %j',
    (text) => {
      expect(normalizeLoginName(text)).toBe('begoña');
    },
  );

  it('stays unchanged once normalised', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const once = normalizeLoginName(text);
        expect(normalizeLoginName(once)).toBe(once);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('stored text', () => {
  const clean = (text: string, max = 10) => cleanText(text, 'Nombre', 'nombre', max);

  it('is composed, trimmed, with plain line breaks', () => {
    expect(clean('  n\u0303u\r\nx\ry\t ')).toBe('ñu\nx\ny');
    expect(oneLine(' a \n\u00a0 b ')).toBe('a b');
  });

  it.each(INVISIBLE_CHARACTERS)('on one line is the same with a %s in it', (_name, character) => {
    const line = (text: string) => cleanLine(text, 'Nombre', 'nombre', 20);
    expect(insertCharacter('Aceros', character).map(line)).toEqual(['Aceros', 'Aceros', 'Aceros']);
  });

  it('on one line stays unchanged once cleaned', () => {
    const odd = fc.constantFrom(
      'a',
      ' ',
      '🚧',
      '❤',
      '🏽',
      ...INVISIBLE_CHARACTERS.map(([, character]) => character),
    );
    fc.assert(
      fc.property(
        fc.array(odd).map((some) => some.join('')),
        (text) => {
          expect(oneLine(oneLine(text))).toBe(oneLine(text));
        },
      ),
    );
  });

  it.each(['👨‍👩‍👧 Obra', '❤️‍🔥', '👋🏽', '🏴󠁧󠁢󠁥󠁮󠁧󠁿 Torre'])(
    'keeps the characters that join the emoji in %s',
    (text) => {
      expect(oneLine(text)).toBe(text);
    },
  );

  it.each(['a\0b', 'a\u0007', 'a\u001b[0m', 'a\u009f', 'a\u202eb', 'a\u2066b', 'a\ud800b', '\udc00'])(
    'contains no control characters, nor half characters (%j)',
    (text) => {
      expect(() => clean(text)).toThrow('Nombre: tiene caracteres no permitidos.');
    },
  );

  it('is counted in characters, as readers see code points', () => {
    expect(clean('😀'.repeat(10))).toHaveLength(20);
    expect(() => clean('😀'.repeat(11))).toThrow('Nombre: máximo 10 caracteres.');
  });
});

describe('a UUID', () => {
  const uuid = 'AAAAAAAA-1111-4222-8333-BBBBBBBBBBBB';

  it.each([...GROUPING_SPACES, ...INVISIBLE_CHARACTERS])(
    'is the same with a %s in it',
    (_name, character) => {
      for (const text of [
        ...insertCharacter(uuid, character),
        uuid.replaceAll('-', character),
        uuid.toLowerCase(),
      ])
        expect(normalizeUuid(text)).toBe(uuid);
    },
  );

  it.each(['', 'FOLIO-12', 'AAAAAAAA-1111-4222-8333-BBBBBBBBBBB', 'GAAAAAAA-1111-4222-8333-BBBBBBBBBBBB'])(
    'that is invalid stays as written (%j)',
    (text) => {
      expect(normalizeUuid(` ${text}\u200b`)).toBe(text);
    },
  );
});

describe('an e-mail address', () => {
  it.each(['a@b.mx', 'ana.ruiz+x@correo.obras.com.mx', 'josé@peña.mx', "o'hara@x.io"])('is %s', (text) => {
    expect(isEmail(text)).toBe(true);
  });

  it.each([
    '',
    'ana',
    '@x.mx',
    'ana@',
    'ana@x',
    'ana@x.',
    'ana@.mx',
    'a@b@c.mx',
    'ana @x.mx',
    'ana@x..mx',
    'ana@x.mx\n',
    'a\0@x.mx',
    'a\u200b@x.mx',
    `${'a'.repeat(250)}@x.mx`,
  ])('is not %j', (text) => {
    expect(isEmail(text)).toBe(false);
  });
});

describe('one edit', () => {
  it.each([
    ['', '', true],
    ['a100', 'a100', true],
    ['a100', 'a10', true],
    ['a100', '100', true],
    ['a100', 'a1000', true],
    ['a100', 'a0100', true],
    ['a100', 'a110', true],
    ['a100', 'b10', false],
    ['a100', 'a001', false],
    ['ab', 'ba', false],
    ['', 'a', true],
    ['', 'ab', false],
  ])('between «%s» and «%s»: %s', (one, other, expected) => {
    expect([isWithinOneEdit(one, other), isWithinOneEdit(other, one)]).toEqual([expected, expected]);
  });
});

describe('a name that sounds like a text', () => {
  it.each([
    ['Aceros Tepeyac', 'asero tepeyac', true],
    ['Aceros Tepeyac', 'Tepeyac acero', true],
    ['Aceros Tepeyac', 'acreos', false],
    ['Herrería Villarreal', 'erreria biyareal', true],
    ['Quezada Hnos.', 'kesada', true],
    ['Cementos Gil', 'sementos jil', true],
    ['Banco del Bajío', 'bbva', false],
    ['Banco del Bajío', 'bajo', false],
    ['Concretos del Norte', 'concretes', true],
    ['Concretos del Norte', 'concretos del sur', false],
    ['Concretos del Norte', 'de', false],
    ['Concretos del Norte', '', false],
  ])('«%s» and «%s»: %s', (name, text, expected) => {
    expect(soundsLike(name, text)).toBe(expected);
  });
});
