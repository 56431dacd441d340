import { describe, expect, it } from 'vitest';
import { importTable } from '../../../../server/services/imports/import.ts';
import { toDecimalText } from '../../../../shared/money.ts';
import { useImports } from '../../../support/import-rows.ts';
import { tableInWords } from '../../../support/remarks.ts';
import { createParsedRows } from '../../../support/table-rows.ts';
import { importText } from '../../../support/tables.ts';

const UUID = 'AAAAAAAA-1111-4222-8333-000000000001';

describe('the taxes of a report', () => {
  const imports = useImports();

  /** Imports a report of one CFDI, given as `Heading value; Heading value`. */
  async function store(amounts: string, uuid = UUID) {
    const pairs = amounts.split('; ').map((pair) => /^(.*) (\S+)$/.exec(pair)!.slice(1));
    const head = ['Proveedor', 'Obra', 'UUID', ...pairs.map(([heading]) => heading)];
    const text = `${head.join(',')}\nAceros,Torre,${uuid},${pairs.map(([, value]) => value).join(',')}\n`;
    const rows = await importText('invoices', text);
    const options = { source: 'x.csv', sha256: 'a'.repeat(64) };
    const all = { ...createParsedRows([{}]), [Symbol.iterator]: () => rows[Symbol.iterator](), length: 1 };
    const result = tableInWords(await importTable(imports.fresh.db, imports.actor, 'invoices', all, options));
    if (result.refused[0]) return result.refused[0].reason;
    const stored = await imports.fresh.db.selectFrom('invoices').selectAll().executeTakeFirstOrThrow();
    const { subtotalCents, ivaCents, otrosimpuestosCents, retencionesCents, totalCents } = stored;
    return [subtotalCents, ivaCents, otrosimpuestosCents, retencionesCents, totalCents]
      .map(toDecimalText)
      .join(' ');
  }

  it.each([
    ['SubTotal 1000; IVA 16% 160; Total 1160', '1000.00 160.00 0.00 0.00 1160.00'],
    ['SubTotal 1000; Descuento 100; IVA 16% 144; Total 1044', '900.00 144.00 0.00 0.00 1044.00'],
    ['SubTotal 1000; IVA 16% 80; IVA 8% 40; Total 1120', '1000.00 120.00 0.00 0.00 1120.00'],
    ['SubTotal 1000; IVA 16% 80; IVA 0% 0; IVA 80; Total 1080', '1000.00 80.00 0.00 0.00 1080.00'],
    // Some reports write the base taxed at 0 % there.
    ['SubTotal 1000; IVA 16% 80; IVA 0% 500; Total 1080', '1000.00 80.00 0.00 0.00 1080.00'],
    ['SubTotal 1000; IVA Tasa 16% 160; ISH 30; Total 1190', '1000.00 160.00 30.00 0.00 1190.00'],
    [
      'SubTotal 1000; IVA 160; ISH 30; Total LocalTrasladado 30; Total 1190',
      '1000.00 160.00 30.00 0.00 1190.00',
    ],
    ['SubTotal 1000; IVA 160; Impuestos locales 30; Total 1190', '1000.00 160.00 30.00 0.00 1190.00'],
    ['SubTotal 1000; Total Trasladados 160; ISH 30; Total 1190', '1000.00 160.00 30.00 0.00 1190.00'],
    [
      'SubTotal 1000; IVA 16% 160; Total Trasladados 190; ISH 30; Total 1190',
      '1000.00 160.00 30.00 0.00 1190.00',
    ],
    [
      'SubTotal 1000; IVA 16% 173; IEPS 8% 80; Total IEPS 80; Total 1253',
      '1000.00 173.00 80.00 0.00 1253.00',
    ],
    ['SubTotal 1000; IEPS 3% 30; IEPS 8% 80; IVA 16% 160; Total 1270', '1000.00 160.00 110.00 0.00 1270.00'],
    [
      'SubTotal 1000; IVA 16% 160; Retenido IVA 106.67; Retenido ISR 100; Total Retenidos 206.67; Total 953.33',
      '1000.00 160.00 0.00 206.67 953.33',
    ],
    [
      'SubTotal 1000; IVA 16% 160; Ret IVA 10.67% 106.70; Ret ISR 1.25% 12.50; Total 1040.80',
      '1000.00 160.00 0.00 119.20 1040.80',
    ],
    ['SubTotal 1000; IVA 16% 160; 5 al millar 5; Total 1155', '1000.00 160.00 0.00 5.00 1155.00'],
    [
      'SubTotal 1000; IVA 16% 160; Retenido ISR 100; Total LocalRetenido 5; Total Retenidos 105; Total 1055',
      '1000.00 160.00 0.00 105.00 1055.00',
    ],
    [
      'SubTotal 1000; IVA 16% 160; Total Retenidos 100; Total LocalRetenido 5; Total 1055',
      '1000.00 160.00 0.00 105.00 1055.00',
    ],
    ['SubTotal 1000; Total 1160', '1000.00 160.00 0.00 0.00 1160.00'],
  ])('add up to its total: %s', async (amounts, stored) => {
    expect(await store(amounts)).toBe(stored);
  });

  it.each([
    ['SubTotal 1000; IVA 16% 160; Total 1190', 'El total debe ser 1160.00.'],
    ['SubTotal 1000; IVA 16% 160; ISH 30; Total 1160', 'El total debe ser 1190.00.'],
    ['SubTotal 1000; Descuento 100; IVA 16% 160; Total 1059', 'El total debe ser 1060.00.'],
    [
      'SubTotal 1000; Total 1190',
      'No dice su IVA, y lo que falta para el total ($190.00) no es 0, 8 ni 16 % del subtotal: agrega la columna del IVA y las de los demás impuestos.',
    ],
    [
      'SubTotal 1000; IVA 160; IVA 16% 80; Total 1160',
      'El IVA no cuadra: el archivo dice $160.00; sus partes suman $80.00.',
    ],
    [
      'SubTotal 1000; IVA 160; ISH 30; Total LocalTrasladado 40; Total 1190',
      'Los locales no cuadran: el archivo dice $40.00; sus partes suman $30.00.',
    ],
    [
      'SubTotal 1000; IVA 160; IEPS 8% 80; Total IEPS 90; Total 1240',
      'El IEPS no cuadra: el archivo dice $90.00; sus partes suman $80.00.',
    ],
    [
      'SubTotal 1000; IVA 160; Total Trasladados 200; Total 1160',
      'Los impuestos trasladados no cuadran: el archivo dice $200.00; IVA e IEPS suman $160.00.',
    ],
    [
      'SubTotal 1000; IVA 160; Retenido ISR 100; Total Retenidos 90; Total 1060',
      'Las retenciones no cuadran: el archivo dice $90.00; las de IVA e ISR suman $100.00.',
    ],
    ['SubTotal 1000; IVA 160; Retenido IVA 16% -100; Total 1060', 'Las retenciones no pueden ser negativas.'],
    [
      'SubTotal 1000; IVA 16% 160; IVA 0% 500',
      'Al 0 % no hay IVA: si es la base, agrega el total para comprobarlo.',
    ],
  ])('are refused if they do not add up to its total: %s', async (amounts, reason) => {
    expect(await store(amounts)).toBe(reason);
  });

  it('are not converted if they may be in pesos already', async () => {
    const usd = 'SubTotal 1000; IVA 16% 160; Total 1160; Moneda USD; Tipo de cambio 17.5';
    expect(await store(`${usd}; TotalOriginal 66.28`)).toMatch(/no se sabe si el renglón ya está en pesos/);
    expect(await store(`${usd}; TotalOriginal 1160`)).toBe('17500.00 2800.00 0.00 0.00 20300.00');
  });
});
