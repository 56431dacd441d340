import { describe, expect, it } from 'vitest';
import { readList69b } from '../../../../server/formats/sat/list-69b.ts';
import { buildList69bFile } from '../../../support/list-69b.ts';

type Lines = Parameters<typeof buildList69bFile>[0];
const read = (lines: Lines, options: Parameters<typeof buildList69bFile>[1] = {}) =>
  readList69b(buildList69bFile(lines, { rows: 0, ...options }).bytes);
const RFC = 'ACE010203AB4';

describe('the SAT’s list of 69-B', () => {
  it('is read with its cut date, in its own encoding, wherever its headings stand', () => {
    const nombre = 'Peña y Muñoz,\nS.A. "El Güero"';
    const line = {
      rfc: RFC,
      nombre,
      situacion: 'Definitivo',
      presunto: '05/03/2021',
      definitivo: '10/09/2022',
    };
    const list = read([line, { rfc: 'XXXXXXXXXXXX' }, { rfc: 'nada' }], { before: ',,,\r\nNota' });
    expect(list).toEqual({
      ...{ corte: '2026-10-31', filas: 3, unreadLines: [9] },
      rows: [
        {
          ...{ rfc: RFC, nombre: 'Peña y Muñoz, S.A. "El Güero"', situacion: 'definitivo' },
          ...{ presunto: '2021-03-05', definitivo: '2022-09-10' },
        },
      ],
    });
  });

  it.each<[string, Lines, string]>([
    [
      'the worst situation',
      [
        { rfc: RFC, situacion: 'Presunto', presunto: '01/01/2022' },
        { rfc: RFC, situacion: 'Definitivo', definitivo: '01/01/2022' },
      ],
      'definitivo',
    ],
    [
      'a better one of a later day',
      [
        { rfc: RFC, situacion: 'Definitivo', definitivo: '01/01/2020' },
        { rfc: RFC, situacion: 'Sentencia Favorable', favorable: '02/01/2020\n03/05/2023' },
      ],
      'favorable',
    ],
    [
      'the worst where the other one has no day',
      [
        { rfc: RFC, situacion: 'Desvirtuado' },
        { rfc: RFC, situacion: 'Presunto', presunto: '01/01/2020' },
      ],
      'presunto',
    ],
  ])('has of an RFC that stands twice %s', (_title, lines, situacion) => {
    for (const order of [lines, [...lines].reverse()])
      expect(read(order).rows.map((row) => row.situacion)).toEqual([situacion]);
  });

  it('has the first of several days in a cell', () => {
    const [row] = read([{ rfc: RFC, presunto: '07/08/2021 y 05/03/2021, 31/02/2020' }]).rows;
    expect(row!.presunto).toBe('2021-03-05');
  });

  it.each<[string, Buffer, string]>([
    ['something else', Buffer.from('a,b\r\n1,2'), 'No es la lista 69-B'],
    [
      'a list without its cut date',
      buildList69bFile([{ rfc: RFC }], { corte: 'ayer', rows: 0 }).bytes,
      'fecha de corte',
    ],
    [
      'a situation that nobody knows',
      buildList69bFile([{ rfc: RFC, situacion: 'Dudoso' }], { rows: 0 }).bytes,
      '«dudoso»',
    ],
  ])('is refused where it is %s', (_title, bytes, message) => {
    expect(() => readList69b(bytes)).toThrow(message);
  });
});
