import { describe, expect, it } from 'vitest';
import { buildWorkbook, formatSheetRow, importText } from '../../../support/tables.ts';

const HEAD = 'Proveedor,Obra,Subtotal,Observaciones';
const seen = async (text: string) =>
  (await importText('invoices', `${HEAD}\n${text}`)).map(({ problems, warnings }) => [
    ...problems.map(({ column }) => column),
    ...warnings,
  ]);

describe('cells beyond the headings', () => {
  it('refuse a row that a comma shifted to the right, and no other', async () => {
    expect(await seen('Uno,T,1,160.50,nota\nUno,T,1,160.50,\nUno,T,"1,160.50",\nUno,T,5\n')).toEqual([
      ['#5'],
      ['#5'],
      [],
      [],
    ]);
  });

  it('are ignored if every row ends in a comma, or their text says that there is nothing', async () => {
    expect(await seen('Uno,T,1,a,\nUno,T,2,b,\nUno,T,3,c,\n')).toEqual([[], [], []]);
    expect(await seen('Uno,T,1,a\nUno,T,2,b,#N/A,N/A\nUno,T,3,c\n')).toEqual([[], [], []]);
  });

  it("far from the table are somebody's note, with a remark", async () => {
    expect(await seen('Uno,T,1,a\nUno,T,2,b,,,5682\n')).toEqual([
      [],
      ['La columna 7 no tiene encabezado: «5682» no se importa.'],
    ]);
  });

  it('are ignored in a workbook, whose cells do not shift', async () => {
    const rows = formatSheetRow(1, HEAD.split(',')) + formatSheetRow(2, ['Uno', 'T', 5, 'a', 'pagada', 7]);
    const [row] = await importText('invoices', buildWorkbook([{ rows }]));
    expect([row?.problems, row?.warnings]).toEqual([[], []]);
  });
});

it('withholdings under their usual headings are not a misspelling of their sum', async () => {
  const [row] = await importText(
    'invoices',
    'Proveedor,Obra,Subtotal,Retención IVA,Ret. ISR\nUno,T,100,10.67,1.25\n',
  );
  expect(row?.values).toMatchObject({ retenciones: null, retencioniva: 1067, retencionisr: 125 });
});
