import { describe, expect, it } from 'vitest';
import { planTable } from '../../../../server/formats/tables/plan.ts';
import type { PlanOptions, TableKind } from '../../../../server/formats/tables/table.ts';
import { readTableBytes } from '../../../support/tables.ts';

const plan = async (kind: TableKind, text: string, options?: PlanOptions) =>
  planTable(await readTableBytes(text, { kind }), kind, options);
const fieldsOf = async (...given: Parameters<typeof plan>) =>
  Object.fromEntries((await plan(...given)).columns.map(({ header, field }) => [header, field]));

describe('columns', () => {
  it.each<[TableKind, Record<string, string | null>]>([
    [
      'invoices',
      {
        'Razón social': 'suppliername',
        'R.F.C.': 'rfc',
        'NO. FACTURA': 'numfactura',
        'Folio fiscal': 'uuid',
        Proyecto: 'jobtitle',
        Partida: 'nombrerubro',
        'Fecha de emisión': 'fechaemision',
        Vence: 'fechavencimiento',
        Importe: 'subtotal',
        '% IVA': 'tasa',
        'I.V.A.': 'iva',
        IEPS: 'ieps',
        'Total a pagar': 'total',
        Concepto: 'comments',
        Almacén: null,
      },
    ],
    [
      'payments',
      {
        'Cheque / transferencia': 'checknum',
        Factura: 'numfactura',
        'RFC proveedor': 'rfc',
        'Fecha de pago': 'paymentdate',
        Importe: 'paymentamount',
        Banco: 'origenderecursonombre',
        Notas: 'comments',
      },
    ],
    [
      'suppliers',
      {
        Nombre: 'suppliername',
        RFC: 'rfc',
        Contacto: 'suppliercontactperson',
        Teléfono: 'suppliercontactphone',
        'Correo electrónico': 'suppliercontactemail',
        'Días crédito': 'diascredito',
      },
    ],
    [
      'jobs',
      { Obra: 'jobtitle', Cliente: 'clientname', 'Fecha inicio': 'jobstartdate', 'Fecha fin': 'jobduedate' },
    ],
    ['clients', { Cliente: 'clientname', Contacto: 'clientcontactperson' }],
    ['rubros', { Rubro: 'nombrerubro', Descripción: 'descripcionrubro' }],
    ['origenes', { 'Origen de recurso': 'origenderecursonombre', Detalle: 'origenderecursodescripcion' }],
  ])('of %s are recognised by the words that people use', async (kind, expected) => {
    const headings = Object.keys(expected);
    expect(await fieldsOf(kind, `${headings.join(',')}\n${headings.map(() => 'x1').join(',')}\n`)).toEqual(
      expected,
    );
  });

  it('are recognised by our own names, and in spite of a misspelling', async () => {
    expect(await fieldsOf('rubros', 'nombrerubro,descripcionrubro\na1,b\n')).toEqual({
      nombrerubro: 'nombrerubro',
      descripcionrubro: 'descripcionrubro',
    });
    const { columns } = await plan('invoices', 'Proveedro,Obra,Subtotal\nUno,Torre,5\n');
    expect(columns[0]).toMatchObject({
      field: 'suppliername',
      why: 'por parecerse su encabezado a «Proveedor»',
    });
  });

  it('are what --map says, by heading or by position; --set replaces a column', async () => {
    const text = 'Supplier Name,Spend,Spend,Obra\nUno,5,6,Torre\n';
    const found = await plan('invoices', text, {
      map: { suppliername: 'supplier name', subtotal: '#3' },
      set: { jobtitle: 'Otra obra', tasa: '0' },
    });
    expect(found.columns.map(({ field, why }) => [field, why])).toEqual([
      ['suppliername', 'porque así se pidió'],
      [null, 'no se usa'],
      ['subtotal', 'porque así se pidió; decimales con punto'].map((one, index) =>
        index === 1 ? 'porque así se pidió' : one,
      ),
      [null, 'no se usa: se pidió el mismo valor de Obra para todos'],
    ]);
    expect(found).toMatchObject({
      set: { jobtitle: 'Otra obra', tasa: '0' },
      missingFields: [],
      questions: [],
    });
  });

  it('that do not exist are named, and so are fields', async () => {
    const text = 'Proveedor,Monto\nUno,5\n';
    const noField = /^No hay un campo «suplidor»\. Los campos son: suppliername, rfc/;
    for (const option of ['map', 'set'])
      await expect(plan('invoices', text, { [option]: { suplidor: 'Proveedor' } })).rejects.toMatchObject({
        message: expect.stringMatching(noField),
        fields: { [option]: expect.stringMatching(noField) },
      });
    const noColumn = 'El archivo no tiene una columna «Gran total». Tiene: «Proveedor», «Monto».';
    await expect(plan('invoices', text, { map: { total: 'Gran total' } })).rejects.toMatchObject({
      message: noColumn,
      fields: { map: noColumn },
    });
    await expect(plan('invoices', text, { dateFormat: 'hoy' })).rejects.toMatchObject({
      fields: { dateFormat: expect.stringMatching(/^«hoy» no es un formato de fecha/) },
    });
    expect((await plan('invoices', text)).missingFields).toEqual(['Obra']);
    expect((await plan('payments', text)).missingFields).toEqual(['Factura o UUID']);
  });

  it('with the same heading are one column if they are equal, and a question if not', async () => {
    const equal = await plan('invoices', 'Proveedor,Obra,Subtotal,Total,Total\nUno,Torre,5,6,6\n');
    expect(equal.questions).toEqual([]);
    expect(equal.columns[4]).toMatchObject({ field: null, why: 'no se usa: repite la columna 4' });
    const other = await plan('invoices', 'Proveedor,Obra,Subtotal,Total,Total\nUno,Torre,5,6,7\n');
    expect(other.questions).toMatchObject([
      { field: 'total', header: 'Total', answerOption: 'map', choices: ['#4', '#5'] },
    ]);
    expect(other.questions[0]?.question).not.toContain('--');
  });
});

const set = { tasa: '16' };

describe('decimals', () => {
  const decimal = async (cells: string[], options?: PlanOptions) => {
    const rows = cells.map((cell) => `Uno;Torre;${cell}`).join('\n');
    const found = await plan('invoices', `Proveedor;Obra;Subtotal\n${rows}\n`, { set, ...options });
    return found.questions[0]?.choices ?? found.columns[2]?.decimal;
  };

  it.each([
    ['a comma in one cell', ['1.234', '12,50'], ','],
    ['a point in one cell, in a file separated by semicolons', ['1,234', '12.50'], '.'],
    ['both marks', ['1.234,56', '1.234'], ','],
    ['thousands twice', ['1.234.567', '1.234'], ','],
    ['four digits before the mark', ['1234.567'], '.'],
    ['a zero before the mark', ['0,125'], ','],
    ['no mark at all', ['1500'], '.'],
    ['one typing error among many cells', [...Array.from({ length: 99 }, () => '1,234.50'), '1.234,50'], '.'],
  ])('are determined by %s', async (_, cells, mark) => {
    expect(await decimal(cells)).toBe(mark);
  });

  it('are a question if every cell could be read both ways, or cells contradict each other', async () => {
    expect(await decimal(['1.234', '5.678'])).toEqual(['.', ',']);
    expect(await decimal(['1,234.50', '1.234,50'])).toEqual(['.', ',']);
    expect(await decimal(['1.234'], { decimal: ',' })).toBe(',');
  });

  it('of an ambiguous column follow the other columns', async () => {
    const { columns, questions } = await plan(
      'invoices',
      'Proveedor;Obra;Subtotal;Total\nUno;Torre;1.234;1.431,44\n',
    );
    expect(questions).toEqual([]);
    expect(columns[2]).toMatchObject({ decimal: ',', why: expect.stringContaining('como en las demás') });
  });
});

describe('days', () => {
  const order = async (cells: string[], options?: PlanOptions) => {
    const rows = cells.map((cell) => `Uno,Torre,5,${cell}`).join('\n');
    const found = await plan('invoices', `Proveedor,Obra,Subtotal,Fecha\n${rows}\n`, {
      set,
      ...options,
    });
    return found.questions[0]?.choices ?? found.columns[3]?.dateFormat;
  };

  it('are read day first if they could be month first, and are a question if some cannot', async () => {
    expect(await order(['01/02/2024', '3/4/24', '2024-05-06'])).toBe('dd/mm/yyyy');
    expect(await order(['25/12/2024', '31/02/2024'])).toBe('dd/mm/yyyy');
    expect(await order(['01/02/2024', '12/25/2024'])).toEqual(['dd/mm/yyyy', 'mm/dd/yyyy']);
    expect(await order(['12/25/2024'], { dateFormat: 'mm/dd/yyyy' })).toBe('mm/dd/yyyy');
    expect(await order(['12/25/2024'], { dateFormat: 'D-M-AA' })).toBe('dd/mm/yyyy');
  });
});

describe('rates', () => {
  it('are fractions of one only if all of them are', async () => {
    const fraction = async (cells: string[]) =>
      (
        await plan(
          'invoices',
          `Proveedor,Obra,Subtotal,Tasa\n${cells.map((cell) => `Uno,Torre,5,${cell}`).join('\n')}\n`,
        )
      ).columns[3]?.fraction;
    expect(await fraction(['0.16', '0', '0.08'])).toBe(true);
    expect(await fraction(['16', '0.16'])).toBeUndefined();
    expect(await fraction(['0', '0'])).toBeUndefined();
    expect(await fraction(['0.16%', '0'])).toBeUndefined();
  });
});

describe('one amount and no tax', () => {
  const HEAD = 'Proveedor,Obra,';
  const questionsOf = async (headings: string, options?: PlanOptions) => {
    const cells = headings.split(',').map(() => '2900.00');
    const { questions, missingFields } = await plan(
      'invoices',
      `${HEAD}${headings}\nUno,Torre,${cells.join(',')}\n`,
      options,
    );
    return [...missingFields, ...questions.map(({ answerOption }) => answerOption)];
  };
  const fieldOf = async (heading: string, options: PlanOptions) =>
    (await fieldsOf('invoices', `${HEAD}${heading}\nUno,Torre,2900.00\n`, options))[heading];

  it('causes a question about its meaning and its rate', async () => {
    const { questions } = await plan('invoices', `${HEAD}Importe\nUno,Torre,2900.00\n`);
    expect(questions).toEqual([
      {
        field: 'subtotal',
        header: 'Importe',
        question:
          '«Importe» (línea 2: «2900.00») es el único importe, sin IVA, tasa ni total a su lado: ¿es el subtotal, antes de IVA, o el total, con IVA?',
        answerOption: 'amount',
        choices: ['subtotal', 'total'],
      },
      {
        field: 'tasa',
        header: 'Importe',
        question: 'Ninguna columna dice el IVA ni su tasa: ¿qué tasa llevan todas las filas?',
        answerOption: 'set',
        choices: ['16', '8', '0'],
      },
    ]);
    for (const heading of ['Importe', 'Monto', 'Neto', 'Amount', 'Subtotl', 'Importe,Retenciones'])
      expect([heading, await questionsOf(heading)]).toEqual([heading, ['amount', 'set']]);
  });

  it('causes no question if that was answered, or if the heading and the given rate answer it', async () => {
    expect(await questionsOf('Importe', { set })).toEqual(['amount']);
    expect(await questionsOf('Importe', { amount: 'total' })).toEqual(['set']);
    expect(await questionsOf('Importe', { amount: 'total', set })).toEqual([]);
    expect(await questionsOf('Importe', { map: { subtotal: 'Importe' }, set })).toEqual([]);
    for (const heading of ['Subtotal', 'Importe sin IVA', 'Total', 'Importe con IVA']) {
      expect([heading, await questionsOf(heading)]).toEqual([heading, ['set']]);
      expect([heading, await questionsOf(heading, { set })]).toEqual([heading, []]);
    }
    expect(await questionsOf('Folio', { set: { subtotal: '5' } })).toEqual(['set']);
  });

  it('causes no question if the file has the tax or a second amount', async () => {
    for (const headings of ['Importe,IVA', 'Importe,Tasa', 'Importe,Total', 'Total,IVA', 'Subtotal,Total'])
      expect([headings, await questionsOf(headings)]).toEqual([headings, []]);
  });

  it('causes a question if the columns for the rest are empty in every row', async () => {
    const text = `${HEAD}Importe,IVA,Tasa,Total\nUno,Torre,2900.00,, ,-\nUno,Torre,1.00,N/A,,\n`;
    const { questions } = await plan('invoices', text);
    expect(questions.map(({ answerOption }) => answerOption)).toEqual(['amount', 'set']);
    const one = await plan('invoices', text.replace('N/A', '0.16'));
    expect(one.questions).toEqual([]);
  });

  it('is the field that was chosen', async () => {
    expect(await fieldOf('Importe', { amount: 'total', set })).toBe('total');
    expect(await fieldOf('Total', { amount: 'subtotal', set })).toBe('subtotal');
    const options = { map: { subtotal: 'Importe' }, amount: 'total', set } as const;
    await expect(fieldOf('Importe', options)).rejects.toMatchObject({
      fields: { amount: 'La columna «Importe» ya se pidió como Subtotal.' },
    });
  });
});
