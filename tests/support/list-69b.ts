interface ListLine {
  rfc: string;
  nombre?: string;
  situacion?: string;
  presunto?: string;
  desvirtuado?: string;
  definitivo?: string;
  favorable?: string;
}

const HEADER_LINES = [
  'No,RFC,Nombre del Contribuyente,Situación del contribuyente',
  ...['presunción', 'contribuyentes que desvirtuaron', 'definitivos', 'sentencia favorable'].map((block) => {
    const [, word] = /(presun|desvirtua|definitiv|sentencia favorable)/.exec(block)!;
    const place = { presun: 'presuntos', desvirtua: 'desvirtuados', definitiv: 'definitivos' }[word!] ?? word;
    return `Número y fecha de oficio global de ${block} SAT,Publicación página SAT ${place},Número y fecha de oficio global de ${block} DOF,Publicación DOF ${place}`;
  }),
].join(',');

const quoteCsvCell = (cell: string) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

const createFillerRfc = (n: number) =>
  `AAA${100_101 + Math.floor(n / 1000)}${String(n % 1000).padStart(3, '0')}`;

/** Builds the SAT's CSV in Windows-1252, filled up with other taxpayers. */
export function buildList69bFile(
  lines: readonly ListLine[],
  { corte = '31 de octubre de 2026', rows = 5_000, header = HEADER_LINES, before = '' } = {},
) {
  const all = [
    ...lines,
    ...Array.from({ length: Math.max(0, rows - lines.length) }, (_, n) => ({
      // The SAT replaces the RFC of taxpayers whom a court protects with this text.
      ...{ rfc: n < 3 ? 'XXXXXXXXXXXX' : createFillerRfc(n), situacion: 'Presunto', presunto: '01/02/2020' },
    })),
  ];
  const text = [
    quoteCsvCell(`Información actualizada al ${corte}`),
    'Listado completo de contribuyentes (Artículo 69-B del Código Fiscal de la Federación)',
    ...(before ? [before] : []),
    header,
    ...all.map((line: ListLine, index) => {
      const { rfc, nombre = 'Comercializadora Peña', situacion = 'Presunto' } = line;
      const blocks = [line.presunto, line.desvirtuado, line.definitivo, line.favorable].flatMap(
        (day = '') => [...['500-05-2019-1234 de fecha 1', day, '', day]],
      );
      return [String(index + 1), rfc, nombre, situacion, ...blocks].map(quoteCsvCell).join(',');
    }),
  ].join('\r\n');
  return { filename: 'Listado_completo_69-B.csv', bytes: Buffer.from(text, 'latin1') };
}
