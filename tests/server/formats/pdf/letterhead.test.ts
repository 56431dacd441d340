import { describe, expect, it } from 'vitest';
import { LETTER, Page, startPdf } from '../../../../server/formats/pdf/document.ts';
import { drawRunningHead, senderLines } from '../../../../server/formats/pdf/letterhead.ts';
import { widthOf } from '../../../../server/formats/pdf/text.ts';
import { readPdf } from '../../../support/pdf.ts';

const { fonts } = await startPdf('', new Date(0));
const sizes = { name: 11, address: 8 };
const empresa =
  'Constructora e Inmobiliaria Hermanos Villarreal Treviño del Noreste y Asociados, S.A.P.I. de C.V.';
const direccion =
  'Av. Lázaro Cárdenas 2400 Poniente, torre B, piso 14, San Pedro Garza García, Nuevo León, C.P. 66269';
const rfc = 'CIV010203AB1';

describe('the letterhead', () => {
  it('has a line for the name and one for the rest, as far as there are any', () => {
    const textsOf = (sender: Partial<Record<'empresa' | 'rfc' | 'direccion', string>>) =>
      senderLines({ empresa: '', rfc: '', direccion: '', ...sender }, fonts, 540, sizes).map(
        ({ text }) => text,
      );
    expect(textsOf({})).toEqual([]);
    expect(textsOf({ empresa: 'Roble' })).toEqual(['Roble']);
    expect(textsOf({ empresa: 'Roble', rfc, direccion: 'Av. 1' })).toEqual(['Roble', `RFC ${rfc} · Av. 1`]);
    expect(textsOf({ direccion: 'Av. 1' })).toEqual(['Av. 1']);
  });

  it('is whole where one line does not hold it', () => {
    const lines = senderLines({ empresa, rfc, direccion }, fonts, 400, sizes);
    expect(lines.map(({ isName }) => isName)).toEqual([true, true, false, false]);
    expect(lines.map(({ text }) => text).join(' ')).toBe(`${empresa} RFC ${rfc} · ${direccion}`);
    for (const { text, size, isName } of lines)
      expect(widthOf(text, isName ? fonts.bold : fonts.regular, size)).toBeLessThanOrEqual(400.01);
  });
});

describe('what stands above the pages after the first', () => {
  async function shown(title: string, empresa: string, right: number) {
    const pdf = await startPdf('', new Date(0));
    const page = new Page(pdf.fonts, { left: 0, right, size: 8, paper: LETTER });
    drawRunningHead(page, { title, empresa }, { left: 0, right }, 20, { size: 8 });
    const { runs } = (await readPdf(await pdf.write([page]))).pages[0]!;
    const [first, second] = runs;
    if (first && second) expect(second.x - widthOf(first.text, fonts.regular, 8)).toBeGreaterThan(8);
    return runs.map(({ text }) => text);
  }

  it('is whole where both find room beside one another, however long one of them is', async () => {
    expect(await shown('Proveedores', empresa, 440)).toEqual(['Proveedores', empresa]);
    expect(await shown(empresa, 'Roble', 440)).toEqual([empresa, 'Roble']);
    expect(await shown('Proveedores', '', 440)).toEqual(['Proveedores']);
  });

  it('is cut by half at most where they do not', async () => {
    const [title, name] = await shown(empresa, empresa, 440);
    for (const text of [title!, name!]) {
      expect(text).toMatch(/^Constructora e Inmobiliaria .*…$/);
      expect(widthOf(text, fonts.regular, 8)).toBeLessThanOrEqual(212.01);
    }
  });
});
