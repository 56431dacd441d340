/** Invisible characters by name: they come along with text that is copied from a web page, a PDF, a chat or a sheet. */
export const INVISIBLE_CHARACTERS: readonly (readonly [name: string, character: string])[] = [
  ['zero width space', '\u200b'],
  ['zero width non-joiner', '\u200c'],
  ['zero width joiner', '\u200d'],
  ['left-to-right mark', '\u200e'],
  ['right-to-left mark', '\u200f'],
  ['soft hyphen', '\u00ad'],
  ['byte order mark', '\ufeff'],
  ['word joiner', '\u2060'],
  ['invisible separator', '\u2063'],
  ['arabic letter mark', '\u061c'],
  ['mongolian vowel separator', '\u180e'],
  ['combining grapheme joiner', '\u034f'],
  ['hangul filler', '\u3164'],
  ['variation selector', '\ufe0f'],
  ['tag space', '\u{e0020}'],
  ['blank of Braille', '\u2800'],
];

export const GROUPING_SPACES: readonly (readonly [name: string, character: string])[] = [
  ['space', ' '],
  ['no-break space', '\u00a0'],
  ['narrow no-break space', '\u202f'],
  ['figure space', '\u2007'],
  ['tab', '\t'],
  ['dash', '-'],
  ['hyphen', '\u2010'],
  ['non-breaking hyphen', '\u2011'],
  ['en dash', '–'],
  ['em dash', '—'],
  ['minus', '−'],
];

export const insertCharacter = (text: string, character: string): readonly string[] => [
  character + text,
  text.slice(0, 4) + character + text.slice(4),
  text + character,
];

export const INVISIBLE_TEXT = INVISIBLE_CHARACTERS.map(([, character]) => character).join('');
