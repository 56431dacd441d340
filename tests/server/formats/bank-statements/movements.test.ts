import { describe, expect, it } from 'vitest';
import {
  type BankStatementOptions,
  readMovements,
} from '../../../../server/formats/bank-statements/movements.ts';
import { buildWorkbook, formatSheetRow, readTableBytes } from '../../../support/tables.ts';

const read = async (text: string | Uint8Array, options?: BankStatementOptions) =>
  readMovements(await readTableBytes(text), options);

/** Reads a file's amounts in cents, negative for money that leaves; or the refusal. */
const cents = (text: string | Uint8Array, options?: BankStatementOptions) =>
  read(text, options).then(
    (movements) => movements.map(({ amountCents }) => amountCents),
    (error) => {
      expect(error).toMatchObject({ kind: 'invalid', code: 'bad_statement' });
      return (error as Error).message;
    },
  );

/** Reads unsigned amounts 1.00, 2.00 and so on, with a column that states their direction. */
const withSigns = (heading: string, signs: readonly string[]) =>
  [
    `Fecha,Concepto,Importe,${heading},Saldo`,
    ...signs.map((sign, index) => `0${index + 1}/11/2026,SPEI,${index + 1}.00,"${sign}",9.00`),
  ].join('\n');

it('charges and credits are read under the headings that banks use, days first', async () => {
  const text = [
    'Fecha Operación;Concepto;Referencia;Cargo;Abono;Saldo',
    '05/11/2026;SPEI ENVIADO BANORTE;0012003;"1,160.00";;50000.00',
    '06/11/2026;DEVOLUCION SPEI;12003;;1160.00;51160.00',
    '06/11/2026;SALDO;;;;51160.00',
  ].join('\n');
  expect(await read(text)).toEqual([
    {
      line: 2,
      fecha: '2026-11-05',
      amountCents: -116_000,
      referencia: '0012003',
      saldoCents: 5_000_000,
      descripcion: 'SPEI ENVIADO BANORTE',
    },
    {
      line: 3,
      fecha: '2026-11-06',
      amountCents: 116_000,
      referencia: '12003',
      saldoCents: 5_116_000,
      descripcion: 'DEVOLUCION SPEI',
    },
  ]);
});

it('one amount is read with its sign, or with a column for its direction', async () => {
  const signed = await read('Fecha,Descripción,Importe\n2026-11-05,PAGO,-5.00\n2026-11-05,DEPOSITO,7.00\n');
  expect(signed.map(({ amountCents }) => amountCents)).toEqual([-500, 700]);
  const named = await read(
    'Fecha,Descripción,Monto,Cargo/Abono\n5/11/2026,X,5.00,Cargo\n5/11/2026,Y,7.00,Abono\n',
  );
  expect(named.map(({ amountCents }) => amountCents)).toEqual([-500, 700]);
});

it.each([
  ['Ninguna columna es la fecha', 'Nombre,Importe\nAna,5.00\n'],
  ['Faltan las columnas de cargos y abonos', 'Fecha,Nombre\n05/11/2026,Ana\n'],
  ['Renglón 2, fecha «ayer»', 'Fecha,Concepto,Importe\nayer,X,5.00\n'],
  ['Renglón 2, importe «mucho»', 'Fecha,Concepto,Importe\n05/11/2026,X,mucho\n'],
  ['cargo y abono a la vez', 'Fecha,Concepto,Cargo,Abono\n05/11/2026,X,5.00,6.00\n'],
  ['ningún movimiento con importe', 'Fecha,Concepto,Cargo,Abono\n05/11/2026,SALDO,,\n'],
])('a file without movements is refused with a reason: %s', async (message, text) => {
  await expect(read(text)).rejects.toThrow(message);
});

describe('a column of signs', () => {
  const OUT = [
    ...[
      'Cargo',
      'CARGOS',
      'Cargo SPEI',
      'Retiro',
      'Retiros',
      'Retiro en cajero',
      'Débito',
      'DEBITOS',
      'Débito automático',
    ],
    ...[
      'Debe',
      'Egreso',
      'Egresos',
      'Salida',
      'Salidas',
      'Pago',
      'Pagos',
      'Pago a proveedor',
      'D',
      'DR',
      'Dr.',
      'DB',
    ],
    ...['DBIT', '-', '−', '(-)', 'Cargo (-)'],
  ];
  const IN = [
    ...[
      'Abono',
      'ABONOS',
      'Abono SPEI',
      'Depósito',
      'DEPOSITOS',
      'Depósito en efectivo',
      'Crédito',
      'CREDITOS',
      'Haber',
    ],
    ...['Haberes', 'Ingreso', 'Ingresos', 'Entrada', 'Entradas', 'CR', 'Cr.', 'CRDT', '+', '(+)'],
  ];

  it.each(OUT)('reads «%s» as money out', async (word) => {
    expect(await cents(withSigns('Cargo/Abono', [word, word]))).toEqual([-100, -200]);
  });

  it.each(IN)('reads «%s» as money in', async (word) => {
    expect(await cents(withSigns('Cargo/Abono', [word, word]))).toEqual([100, 200]);
  });

  it.each([
    ['D', 'C', -100, 200],
    ['C', 'A', -100, 200],
    ['D', 'A', -100, 200],
    ['S', 'H', -100, 200],
    ['DR', 'CR', -100, 200],
    ['−', '+', -100, 200],
    ['Egreso', 'Ingreso', -100, 200],
    ['cargo ', ' ABONO', -100, 200],
  ])('reads a letter together with its partner: %s and %s', async (out, into, first, second) => {
    expect(await cents(withSigns('D/C', [out, into]))).toEqual([first, second]);
  });

  it.each(
    [
      'C',
      'A',
      'S',
      'H',
      'E',
      'X',
      '',
      '1',
      'Traspaso',
      'SPEI',
      'Comisión',
      'Reverso de cargo',
      'Cargo reversado',
    ].concat([
      'Devolución',
      'Abono cancelado',
      'Cargo devuelto',
      'Pago recibido',
      'Pago de cliente',
      'Cargo y abono',
      'D/C',
      '±',
    ]),
  )('refuses an unknown word and names it: «%s»', async (word) => {
    const message = await cents(withSigns('Naturaleza', [word, 'Depósito']));
    expect(message).toContain(`«${word || '(vacío)'}» en «Naturaleza»`);
    expect(message).toMatch(/estado\.cargos.*estado\.abonos.*estado\.signo/);
  });

  it('refuses C if both of its partners occur', async () => {
    expect(await cents(withSigns('D/C', ['C', 'D', 'A']))).toContain('«C» en «D/C»');
  });

  it.each([
    ...[
      'D/C',
      'C/D',
      'C/A',
      'Debe/Haber',
      'Débito/Crédito',
      'Tipo movimiento',
      'Tipo de movimiento',
      'Tipo',
      'Naturaleza',
    ],
    ...['Cargo o abono', 'Signo', 'Tipo de operación', 'Flujo', 'Clase'],
  ])('is found under «%s»', async (heading) => {
    expect(await cents(withSigns(heading, ['Cargo', 'Abono']))).toEqual([-100, 200]);
  });

  it('is the one whose words are known, if another one states the kind of operation', async () => {
    const text = 'Fecha,Tipo,Naturaleza,Importe\n1/11/2026,SPEI,Cargo,5.00\n1/11/2026,SPEI,Abono,7.00\n';
    expect(await cents(text)).toEqual([-500, 700]);
    expect(await cents(text.replace('Naturaleza', 'Flujo'))).toEqual([-500, 700]);
  });

  it('knows additional words of the firm', async () => {
    const words = { out: ['Erogación', 'E', '1'], in: ['Percepción', 'Pago de cliente', '2'] };
    expect(await cents(withSigns('Tipo', ['EROGACION', 'Perceptor']), { signWords: words })).toContain(
      '«Perceptor»',
    );
    expect(await cents(withSigns('Tipo', ['Erogación SPEI', 'percepción']), { signWords: words })).toEqual([
      -100, 200,
    ]);
    expect(await cents(withSigns('Tipo', ['e', 'Pago de cliente', 'Pago']), { signWords: words })).toEqual([
      -100, 200, -300,
    ]);
    expect(await cents(withSigns('Tipo', ['1', '2']), { signWords: words })).toEqual([-100, 200]);
  });

  it.each([
    ['negative charges next to their word', 'Importe', ['-5.00,Cargo', '7.00,Abono'], [-500, 700]],
    ['all of them negative', 'Importe', ['-5.00,Cargo', '-7.00,Abono'], [-500, 700]],
    ['some negative charges', 'Importe', ['-5.00,Cargo', '7.00,Cargo'], 'dice «Cargo» con importe negativo'],
    [
      'some negative deposits',
      'Importe',
      ['5.00,Cargo', '7.00,Abono', '-1.00,Abono'],
      'Renglón 4: dice «Abono»',
    ],
  ] as const)('together with signed amounts: %s', async (_, heading, rows, expected) => {
    const text = [`Fecha,${heading},Naturaleza`, ...rows.map((row) => `5/11/2026,${row}`)].join('\n');
    const found = await cents(text);
    if (typeof expected === 'string') expect(found).toContain(expected);
    else expect(found).toEqual(expected);
  });
});

describe('one column of amounts', () => {
  const column = (amounts: readonly string[], more = '') =>
    [`Fecha,Concepto,Importe${more && ',Tipo'}`, ...amounts.map((one) => `5/11/2026,X,"${one}"${more}`)].join(
      '\n',
    );

  it.each([
    [
      ['-5.00', '7.00'],
      [-500, 700],
    ],
    [
      ['5.00-', '7.00'],
      [-500, 700],
    ],
    [
      ['(5.00)', '7.00'],
      [-500, 700],
    ],
    [
      ['−$5.00', '$7.00'],
      [-500, 700],
    ],
    [
      ['-$1,234.50', '+$7.00'],
      [-123_450, 700],
    ],
    [
      ['-5.00', '-7.00'],
      [-500, -700],
    ],
    [
      ['+5.00', '+7.00'],
      [500, 700],
    ],
    [
      ["'-5.00", "'7.00"],
      [-500, 700],
    ],
  ])('is read by its signs: %j', async (amounts, expected) => {
    expect(await cents(column(amounts))).toEqual(expected);
  });

  it.each([[['5.00', '7.00']], [['5.00']], [['+5.00', '7.00']], [['$5.00', '0.00', '7']]])(
    'is refused without signs: %j',
    async (amounts) => {
      const message = await cents(column(amounts));
      expect(message).toContain('Nada dice cuáles de «Importe» son cargos y cuáles abonos');
      expect(message).toContain('El encabezado dice: Fecha, Concepto, Importe.');
      expect(message).toContain('estado.signo');
    },
  );

  it('may stand next to the kind of operation, but not next to words that contradict it', async () => {
    expect(await cents(column(['-5.00', '7.00'], ',SPEI'))).toEqual([-500, 700]);
    const two = (first: string, second: string) =>
      `Fecha,Importe,Tipo\n1/11/2026,-5.00,${first}\n1/11/2026,7.00,${second}\n`;
    expect(await cents(two('Comisión', 'Depósito'))).toEqual([-500, 700]);
    expect(await cents(two('Depósito', 'Comisión'))).toContain('«Comisión»');
    expect(await cents(two('X', 'Y').replace('Tipo', 'Naturaleza'))).toContain('«X», «Y» en «Naturaleza»');
  });
});

describe('two columns of amounts', () => {
  const columns = (rows: readonly string[], heading = 'Cargo,Abono') =>
    [`Fecha,Concepto,${heading},Saldo`, ...rows.map((row) => `5/11/2026,X,${row},1.00`)].join('\n');

  it.each([
    ['a reversal among charges', ['500.00,', '-500.00,'], [-50_000, 50_000]],
    ['in brackets', ['500.00,', '(500.00),'], [-50_000, 50_000]],
    ['the sign after the amount', ['500.00,', '500.00-,'], [-50_000, 50_000]],
    ['negative charges', ['-500.00,', '-7.00,', ',3.00'], [-50_000, -700, 300]],
    ['one negative charge', ['-500.00,', ',3.00'], [-50_000, 300]],
    ['a reversal among deposits', [',500.00', ',-500.00'], [50_000, -50_000]],
    ['negative deposits', [',-500.00', '7.00,'], [50_000, -700]],
    ['both reversed', ['5.00,', '-5.00,', ',7.00', ',-7.00'], [-500, 500, 700, -700]],
    ['zeros in the other column', ['5.00,0.00', '0,7.00', '-,8.00'], [-500, 700, 800]],
    ['quoted as text', ["'5.00,", ",'7.00"], [-500, 700]],
  ])('with %s', async (_, rows, expected) => {
    expect(await cents(columns(rows))).toEqual(expected);
  });

  it.each(
    [
      'Debe,Haber',
      'Retiros,Depósitos',
      'Débito,Crédito',
      'Egresos,Ingresos',
      'Importe Cargo,Importe Abono',
    ].concat([
      'Importe del débito,Importe de crédito',
      'Monto del retiro,Monto del depósito',
      'Debit,Credit',
      'Withdrawals,Deposits',
    ]),
  )('headed %s', async (heading) => {
    expect(await cents(columns(['5.00,', ',7.00'], heading))).toEqual([-500, 700]);
  });

  it('refuse a line without an amount in either', async () => {
    const text = 'Fecha,Cargo,Abono,Importe\n5/11/2026,5.00,,5.00\n6/11/2026,,,7.00\n';
    expect(await cents(text)).toContain('Renglón 3: tiene importe, y ni cargo ni abono.');
    expect(await cents('Fecha,Concepto,Cargo,Importe\n5/11/2026,X,5.00,5.00\n')).toContain(
      'Faltan las columnas',
    );
  });
});

describe('lines that are no movements', () => {
  const around = (line: string) =>
    `Fecha,Concepto,Referencia,Cargo,Abono,Saldo\n05/11/2026,PAGO,12,5.00,,95.00\n${line}\n06/11/2026,OTRO,13,,7.00,102.00\n`;

  it.each([
    ...[
      'TOTAL,,,5.00,7.00,',
      ',TOTALES,,5.00,7.00,',
      ',Total de movimientos,,5.00,7.00,102.00',
      'Total:,,,5.00,7.00,102.00',
    ],
    ...[
      ',Total de cargos,,5.00,,',
      ',Subtotal,,5.00,7.00,',
      ',Suma,,5.00,7.00,',
      'Sumas iguales,,,5.00,7.00,',
    ],
    ...[
      '30/11/2026,TOTAL DEL PERIODO,,5.00,7.00,102.00',
      '30/11/2026,Totales,,5.00,7.00,',
      ',Saldo final,,,102.00,',
    ],
    ...[
      '01/11/2026,SALDO INICIAL,,,100.00,100.00',
      '30/11/2026,Saldo al corte,,,102.00,',
      '01/11/2026,SALDO ANTERIOR,0,100.00,,',
    ],
    ...[
      'Saldo al 30/11/2026,,,,102.00,',
      '05/11/2026,SALDO,,,,95.00',
      ',,,,,',
      'Movimientos sujetos a revisión,,,,,',
    ],
  ])('are skipped: %s', async (line) => {
    expect(await cents(around(line))).toEqual([-500, 700]);
  });

  it.each([
    ['06/11/2026,TOTAL PLAY,14,3.00,,', -300],
    ['06/11/2026,SALDO FACTURA 123,14,3.00,,', -300],
    ['06/11/2026,PAGO SALDO FINAL,14,3.00,,', -300],
    ['06/11/2026,TOTAL,14,3.00,,', -300],
  ])('do not include a movement with a day: %s', async (line, amount) => {
    expect(await cents(around(line))).toEqual([-500, amount, 700]);
  });

  it('do not include one without a day, which is refused', async () => {
    expect(await cents(around(',PAGO,14,3.00,,'))).toContain('Renglón 3, fecha «»');
  });
});

describe('days', () => {
  const ofDays = (...days: string[]) =>
    read(['Fecha,Concepto,Cargo,Abono', ...days.map((day) => `"${day}",X,5.00,`)].join('\n')).then(
      (movements) => movements.map(({ fecha }) => fecha),
    );

  it.each([
    ...[
      '02/11/2026',
      '2/11/2026',
      '02-11-26',
      '02.11.2026',
      '2026-11-02',
      '2026/11/02',
      '02112026',
      '2112026',
      '20261102',
    ],
    ..."'02112026' '02112026 '20261102 02NOV2026 02NOV26 2nov2026 02-NOV-2026 02/nov/26 '02/11/2026'".split(
      ' ',
    ),
    ...['02 NOV 2026', '02 de noviembre de 2026', '02112026 12:26', '02/11/2026 05:04', '02NOV2026 12:26'],
  ])('are read as banks write them: %s', async (text) => {
    expect(await ofDays(text)).toEqual(['2026-11-02']);
  });

  it.each([
    [
      ['20112026', '20261120'],
      ['2026-11-20', '2026-11-20'],
    ],
    [
      ['20102011', '20111020'],
      ['2011-10-20', '2011-10-20'],
    ],
    [
      ['11022026', '11202026'],
      ['2026-11-02', '2026-11-20'],
    ],
    [
      ['11/02/2026', '11/20/2026'],
      ['2026-11-02', '2026-11-20'],
    ],
  ])('follow the only order that the column permits: %j', async (texts, expected) => {
    expect(await ofDays(...texts)).toEqual(expected);
  });

  it.each([
    ['32112026'],
    ['31022026'],
    ['021126'],
    ['02112126'],
    ['ayer'],
    ['20112026', '11202026'],
    ['02NOX2026'],
  ])('are refused with a list of the accepted ones: %s %s', async (...texts) => {
    await expect(ofDays(...texts.filter(Boolean))).rejects.toThrow(
      /Renglón \d, fecha «.*Se leen fechas como/,
    );
  });

  it('are read from a workbook as days, as texts, and as numbers that lost their zero', async () => {
    const rows = [
      ['Fecha', 'Concepto', 'Cargo', 'Abono'],
      ['02112026', 'A', 5.5, null],
      [2112026, 'B', null, 7],
      [46328, 'C', 1, null],
    ];
    const book = buildWorkbook([
      { rows: rows.map((cells, index) => formatSheetRow(index + 1, cells)).join('') },
    ]);
    expect((await read(book)).map(({ fecha, amountCents }) => [fecha, amountCents])).toEqual([
      ['2026-11-02', -550],
      ['2026-11-02', 700],
      ['2026-11-02', -100],
    ]);
  });
});

describe('the account', () => {
  const [ONE, TWO] = ['65509990001', '65509990002'];
  const CLABE = '014180655099900015';
  const rows = (...accounts: string[]) =>
    [
      'Cuenta,Fecha,Concepto,Cargo,Abono',
      ...accounts.map((one, index) => `${one},05/11/2026,X,${index + 1}.00,`),
    ].join('\n');
  const titled = (...titles: string[]) =>
    titles
      .map((title, index) => `${title}\n\nFecha,Concepto,Cargo,Abono\n05/11/2026,X,${index + 1}.00,\n`)
      .join('\n');

  it.each([
    ['a column', rows(ONE!, TWO!)],
    ['titles of sections', titled(`Cuenta: ${ONE}`, `Cuenta: ${TWO}`)],
    ['titles in two cells', titled(`No. de cuenta,'${ONE}`, `No. de cuenta,'${TWO}`)],
    ['CLABEs', titled(`CLABE: 014180655099900015`, `CLABE: 014180655099900028`)],
    ['hidden digits', titled('Cuenta: *******0001', 'Cuenta: *******0002')],
    ['a title and a column', `Cuenta: ${ONE}\n${rows(TWO!, '')}`],
  ])('is asked for if a file names several by %s', async (_, text) => {
    expect(await cents(text)).toMatch(/El archivo trae varias cuentas: .*\d, .*\d\. Carga cada una/);
  });

  it('that is chosen is the only one that is read', async () => {
    const text = rows(ONE!, `'${TWO}'`, ONE!);
    expect(await cents(text, { cuenta: ONE })).toEqual([-100, -300]);
    expect(await cents(text, { cuenta: '6550 9990 002' })).toEqual([-200]);
    expect(await cents(text, { cuenta: CLABE })).toEqual([-100, -300]);
    expect(await cents(text, { cuenta: '65509990003' })).toContain(
      `no trae la cuenta 65509990003. Trae: ${ONE}, ${TWO}.`,
    );
    expect(await cents(text, { cuenta: TWO, clabe: CLABE })).toContain(`es de la cuenta ${TWO}`);
    expect(await cents(rows(ONE!, TWO!, ''), { cuenta: ONE })).toContain(
      'Renglón 4: no dice de qué cuenta es',
    );
    expect(await cents('Fecha,Concepto,Cargo,Abono\n05/11/2026,X,5.00,\n', { cuenta: ONE })).toContain(
      'no dice de qué cuenta es',
    );
    expect(await cents(titled(`Cuenta: ${ONE}`, `Cuenta: ${TWO}`), { cuenta: TWO })).toEqual([-200]);
  });

  it.each([
    ...[
      rows(ONE!),
      rows(`'${ONE}`),
      rows('065509990001'),
      rows(CLABE),
      rows('6550-999-0001'),
      rows('*****0001'),
    ],
    ...[
      titled(`Cuenta: ${ONE} Cheques Moneda Nacional`),
      titled('Número de cuenta: 6550 9990001'),
      titled(`Cuenta CLABE: ${CLABE}`),
    ],
    ...[
      titled(`Cuenta: ${ONE},CLABE: ${CLABE}`),
      titled('Cuenta,Nómina'),
      titled('Estado de cuenta 05/11/2026'),
    ],
    ...[
      titled('Cuenta: 05/11/2026'),
      'Fecha,Concepto,Cargo,Abono\n05/11/2026,CTA 002180009990001232,1.00,\n,CUENTA 012180009990000126,,\n',
    ],
  ])('may be written in any way, or be omitted: %s', async (text) => {
    expect(await cents(text, { clabe: CLABE })).toEqual([-100]);
  });

  it.each([rows(TWO!), titled(`Cuenta: ${TWO}`), rows('*****0002'), rows('012180655099900015')])(
    'of another source is refused, and both are named: %s',
    async (text) => {
      const message = await cents(text, { clabe: CLABE });
      expect(message).toMatch(
        /^El archivo es de la cuenta [\d*]+, y el origen de recurso, de la 65509990001 \(CLABE 014180655099900015\)/,
      );
    },
  );
});
