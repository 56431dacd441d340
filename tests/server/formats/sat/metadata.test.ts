import { describe, expect, it, test } from 'vitest';
import { type MetadataRow, readMetadata } from '../../../../server/formats/sat/metadata.ts';
import {
  createMetadataUuid,
  formatMetadata,
  formatMetadataLine,
  METADATA_HEADER,
  type MetadataLine,
} from '../../../support/metadata.ts';
import { buildZip } from '../../../support/zip.ts';

const uuid = createMetadataUuid(1);

async function read(bytes: Uint8Array) {
  const rows: MetadataRow[] = [];
  const summary = await readMetadata(bytes, (part) => rows.push(...part));
  return { rows, ...summary };
}

const readText = (text: string) => read(Buffer.from(text));
const readLines = (...lines: (MetadataLine | string)[]) => readText(formatMetadata(lines));

describe('a row of the metadata', () => {
  it('is read with its parties, day, amount, kind and state', async () => {
    const { rows, latestDay, problemCount } = await readLines(
      { uuid },
      { uuid: createMetadataUuid(2), efecto: 'P', monto: '0', fecha: '2026-10-31', cancelado: '2026-11-03' },
    );
    expect(problemCount).toBe(0);
    expect(latestDay).toBe('2026-11-03');
    expect(rows).toEqual([
      {
        uuid,
        rfcEmisor: 'ACE010203AB4',
        nombreEmisor: 'Aceros Tepeyac',
        rfcReceptor: 'CON150101AB1',
        fecha: '2026-10-05',
        montoCents: 116_000,
        efecto: 'I',
        isCancelled: false,
        fechaCancelacion: null,
      },
      expect.objectContaining({
        efecto: 'P',
        montoCents: 0,
        isCancelled: true,
        fechaCancelacion: '2026-11-03',
      }),
    ]);
  });

  it.each<[string, Partial<MetadataLine>, Partial<MetadataRow>]>([
    ['a UUID in small letters', { uuid: uuid.toLowerCase() }, { uuid }],
    ['an amount with six decimals', { monto: '1160.005000' }, { montoCents: 116_001 }],
    [
      'words instead of letters',
      { efecto: 'Nómina', estatus: 'Vigente' },
      { efecto: 'N', isCancelled: false },
    ],
    [
      'a cancellation without its day',
      { estatus: 'Cancelado' },
      { isCancelled: true, fechaCancelacion: null },
    ],
    ['an RFC with Ñ and &', { rfc: 'ñ&a010203ab4' }, { rfcEmisor: 'Ñ&A010203AB4' }],
  ])('may have %s', async (_title, line, expected) => {
    const { rows } = await readLines({ uuid, ...line });
    expect(rows).toEqual([expect.objectContaining(expected)]);
  });

  it.each<[string, Partial<MetadataLine>, string]>([
    ['a UUID that is none', { uuid: '1234' }, '«1234» no es un UUID.'],
    ['an RFC that is none', { receptor: 'NADIE' }, '«NADIE» no es un RFC.'],
    ['an amount that is none', { monto: '1,160.00' }, '«1,160.00» no es un monto.'],
    ['a negative amount', { monto: '-1' }, '«-1» no es un monto.'],
    ['an unknown kind', { efecto: 'X' }, '«X» no es un efecto que se conozca.'],
    ['an unknown state', { estatus: '2' }, '«2» no es un estatus que se conozca.'],
    ['no state', { estatus: '' }, '«» no es un estatus que se conozca.'],
    ['a day that does not exist', { fecha: '2026-02-30' }, '«2026-02-30 10:15:00» no es una fecha.'],
    ['a cancellation that is no day', { cancelado: 'ayer' }, '«ayer 09:00:00» no es una fecha.'],
    [
      'a cancellation of what is valid',
      { estatus: '1', cancelado: '2026-10-09' },
      'dice vigente y tiene fecha de cancelación.',
    ],
  ])('with %s is told and left out, and the others are read', async (_title, line, why) => {
    const { rows, problems } = await readLines({ uuid: createMetadataUuid(7) }, { uuid, ...line });
    expect(rows.map((row) => row.uuid)).toEqual([createMetadataUuid(7)]);
    expect(problems).toEqual([`línea 3: ${why}`]);
  });
});

describe('rows whose names have line breaks', () => {
  it('are joined until they have all columns', async () => {
    const broken = formatMetadataLine({ uuid, nombre: 'ACEROS\n\nTEPEYAC\nSA' });
    const { rows, problems } = await readLines(broken, { uuid: createMetadataUuid(2) });
    expect(problems).toEqual([]);
    expect(rows.map(({ nombreEmisor }) => nombreEmisor)).toEqual(['ACEROS TEPEYAC SA', 'Aceros Tepeyac']);
  });

  it('that are cut off take nothing from the next one', async () => {
    const cut = formatMetadataLine({ uuid }).split('~').slice(0, 5).join('~');
    const { rows, problems } = await readLines(cut, { uuid: createMetadataUuid(2) });
    expect(rows.map((row) => row.uuid)).toEqual([createMetadataUuid(2)]);
    expect(problems).toEqual(['línea 2: tiene 5 columnas y el encabezado 12.']);
  });
});

test('columns are found by their names, whichever there are beside them', async () => {
  const columns = METADATA_HEADER.split('~');
  const [first, ...rest] = columns;
  const values = Object.fromEntries(
    columns.map((name, at) => [name, formatMetadataLine({ uuid }).split('~')[at]]),
  );
  const order = [first!, 'RfcACuentaTerceros', ...rest.reverse(), 'NombreACuentaTerceros'];
  const line = order.map((name) => values[name] ?? 'x').join('~');
  const { rows } = await readText([order.join('~'), line].join('\n'));
  expect(rows).toEqual([
    expect.objectContaining({ uuid, montoCents: 116_000, nombreEmisor: 'Aceros Tepeyac' }),
  ]);
});

describe('a file', () => {
  const TEXT = formatMetadata([{ uuid, nombre: 'Cimbra y Ñandú' }]);

  it.each<[string, Uint8Array]>([
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${TEXT}`)],
    ['Windows-1252', Buffer.from(TEXT, 'latin1')],
    ['UTF-16', Buffer.from(`\uFEFF${TEXT}`, 'utf16le')],
    ['a zip', buildZip([{ name: '2026-10.txt', data: TEXT }])],
  ])('in %s is read', async (_title, bytes) => {
    expect((await read(bytes)).rows).toEqual([expect.objectContaining({ nombreEmisor: 'Cimbra y Ñandú' })]);
  });

  it('that is a zip may have several files, and a list of third parties that is passed over', async () => {
    const { rows, problems } = await read(
      buildZip([
        { name: 'a.txt', data: TEXT },
        { name: 'a_tercero.txt', data: 'Uuid~RfcACuentaTerceros~NombreACuentaTerceros\r\nX~Y~Z' },
        { name: '__MACOSX/._a.txt', data: 'noise' },
        { name: 'b.txt', data: formatMetadata([{ uuid: createMetadataUuid(2) }, { uuid: 'x' }]) },
      ]),
    );
    expect(rows.map((row) => row.uuid)).toEqual([uuid, createMetadataUuid(2)]);
    expect(problems).toEqual(['b.txt, línea 3: «x» no es un UUID.']);
  });

  const NOISE = Buffer.alloc(20 * 1024 * 1024, Buffer.from('una línea que no dice nada\n'));

  it.each<[string, Uint8Array, RegExp]>([
    ['20 MB of noise', NOISE, /^No son metadatos del SAT/],
    [
      'a web page',
      Buffer.from('<!doctype html><html><body>Uuid~RfcEmisor</body></html>'),
      /^No son metadatos/,
    ],
    ['nothing', new Uint8Array(), /^No son metadatos/],
    ['a zip of XML', buildZip([{ name: 'a.xml', data: '<x/>' }]), /^El zip no tiene un TXT/],
    ['half a zip', buildZip([{ name: 'a.txt', data: TEXT }]).subarray(0, 90), /^El zip está dañado/],
    ['the metadata of third parties', Buffer.from('Uuid~RfcACuentaTerceros\r\nX~Y'), /columna rfcemisor/],
    ['a column twice', Buffer.from(`${METADATA_HEADER}~Monto\r\nx`), /columna monto, o la tiene dos veces/],
    [
      'rows of which none is understood',
      Buffer.from(formatMetadata(['x~y', 'z'])),
      /^Ningún renglón se entiende/,
    ],
  ])('of %s is refused', async (_title, bytes, message) => {
    await expect(read(bytes)).rejects.toMatchObject({
      code: 'bad_metadata',
      message: expect.stringMatching(message),
    });
  });

  it('names the first twenty rows that are not understood, and counts all', async () => {
    const lines = Array.from({ length: 50 }, () => ({ uuid: 'x' }));
    const { rows, problems, problemCount } = await readLines({ uuid }, ...lines);
    expect([rows.length, problems.length, problemCount]).toEqual([1, 20, 50]);
  });
});
