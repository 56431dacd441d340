import { createHash } from 'node:crypto';
import type { PDFContext, PDFRef } from 'pdf-lib';
import { addStream } from './stream.ts';
import { subsetOf } from './subset.ts';
import type { Font } from './text.ts';
import type { TrueType } from './truetype.ts';

/** A font in one document, which gets those of its characters that were drawn. */
export interface EmbeddedFont extends Font {
  ref: PDFRef;
  /** the string object of a content stream, in hexadecimal */
  encode(text: string): string;
  /** once all is drawn */
  finish(): Promise<void>;
}

/** What a text holds that is not printable shows as. */
const UNKNOWN = '?';

export function embedFont(context: PDFContext, font: TrueType): EmbeddedFont {
  const ref = context.nextRef();
  const drawn: string[] = [];
  const codes: string[] = [];
  const codeOf = (character: string): string => {
    const known = codes[character.charCodeAt(0)];
    if (known !== undefined) return known;
    if (!font.has(character)) return codeOf(UNKNOWN);
    const code = hex(drawn.push(character));
    codes[character.charCodeAt(0)] = code;
    return code;
  };
  return {
    ref,
    has: font.has,
    widthOf: font.widthOf,
    encode(text) {
      let string = '<';
      for (let index = 0; index < text.length; index++) string += codeOf(text[index]!);
      return `${string}>`;
    },
    finish: () => writeFont(context, ref, font, drawn),
  };
}

const hex = (number: number): string => number.toString(16).padStart(4, '0');

/** Glyphs are told by their number in the subset, and readers tell by `ToUnicode` which character each is. */
async function writeFont(
  context: PDFContext,
  ref: PDFRef,
  font: TrueType,
  characters: readonly string[],
): Promise<void> {
  const { PDFString } = await import('pdf-lib');
  const name = `${markOf(characters)}+${font.name}`;
  const file = subsetOf(font, characters);
  const descriptor = context.register(
    context.obj({
      Type: 'FontDescriptor',
      FontName: name,
      Flags: 4, // no encoding of its own
      FontBBox: [...font.box],
      ItalicAngle: 0,
      Ascent: font.ascent,
      Descent: font.descent,
      CapHeight: font.capHeight,
      StemV: font.weight / 5, // asked for, and used where a reader has to do without the file
      FontFile2: addStream(context, file, { Length1: file.length }),
    }),
  );
  const glyphs = context.register(
    context.obj({
      Type: 'Font',
      Subtype: 'CIDFontType2',
      BaseFont: name,
      CIDSystemInfo: { Registry: PDFString.of('Adobe'), Ordering: PDFString.of('Identity'), Supplement: 0 },
      FontDescriptor: descriptor,
      W: [1, characters.map(font.widthOf)],
      CIDToGIDMap: 'Identity',
    }),
  );
  context.assign(
    ref,
    context.obj({
      Type: 'Font',
      Subtype: 'Type0',
      BaseFont: name,
      Encoding: 'Identity-H',
      DescendantFonts: [glyphs],
      ToUnicode: addStream(context, unicodesOf(characters)),
    }),
  );
}

/** Six capitals that tell one subset from another. */
function markOf(characters: readonly string[]): string {
  const digest = createHash('sha256').update(characters.join('')).digest();
  return String.fromCharCode(...digest.subarray(0, 6).map((byte) => 65 + (byte % 26)));
}

/** At most so many may stand in one section. */
const A_SECTION = 100;

function unicodesOf(characters: readonly string[]): string {
  const lines = characters.map((character, index) => `<${hex(index + 1)}> <${hex(character.charCodeAt(0))}>`);
  const sections: string[] = [];
  for (let from = 0; from < lines.length; from += A_SECTION) {
    const section = lines.slice(from, from + A_SECTION);
    sections.push(`${section.length} beginbfchar`, ...section, 'endbfchar');
  }
  return [
    '/CIDInit /ProcSet findresource begin',
    '12 dict begin',
    'begincmap',
    '/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def',
    '/CMapName /Adobe-Identity-UCS def',
    '/CMapType 2 def',
    '1 begincodespacerange',
    '<0000> <ffff>',
    'endcodespacerange',
    ...sections,
    'endcmap',
    'CMapName currentdict /CMap defineresource pop',
    'end',
    'end',
  ].join('\n');
}
