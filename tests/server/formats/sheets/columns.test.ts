import { expect, it } from 'vitest';
import { columnsOf, type SheetColumn } from '../../../../server/formats/sheets/sheet.ts';
import type { PlainDate } from '../../../../shared/dates.ts';
import { type RecordField, toDraft } from '../../../../shared/record-fields.ts';

const FIELDS = [
  { name: 'folio', label: 'Número de folio', short: 'Folio', kind: 'text', maxLength: 60 },
  { name: 'importe', label: 'Importe', kind: 'money', cents: 'amountCents' },
  { name: 'dia', label: 'Día', kind: 'date' },
] as const satisfies readonly RecordField[];

interface Row {
  folio: string;
  amountCents: number;
  restCents: number | null;
  dia: PlainDate | null;
}

it('a column is a field under its short label, a member of its row, or a cell of its own', () => {
  const columns: readonly SheetColumn<Row>[] = columnsOf(
    [
      'folio',
      'importe',
      'dia',
      { name: 'rest', heading: 'Resta', kind: 'money', sum: false },
      { name: 'doble', heading: 'Doble', cell: ({ amountCents }) => ({ cents: amountCents * 2 }) },
    ],
    FIELDS,
  );
  expect(columns.map(({ heading }) => heading)).toEqual(['Folio', 'Importe', 'Día', 'Resta', 'Doble']);
  const cells = (row: Row) => columns.map(({ cell }) => cell(row));
  expect(cells({ folio: 'A-1', amountCents: 150, restCents: 0, dia: '2026-11-20' })).toEqual([
    ...['A-1', { cents: 150 }, { date: '2026-11-20' }],
    ...[{ cents: 0 }, { cents: 300 }],
  ]);
  expect(cells({ folio: '', amountCents: 0, restCents: null, dia: null })).toEqual([
    ...['', { cents: 0 }, null],
    ...[null, { cents: 0 }],
  ]);
});

it('a draft has the members that were sent, amounts under the names of their cents', () => {
  const sent = { importe: 150, dia: null, folio: undefined, version: 3 };
  expect(toDraft(FIELDS, sent)).toEqual({ amountCents: 150, dia: null });
  expect(Object.keys(toDraft(FIELDS, sent))).toEqual(['amountCents', 'dia']);
});
