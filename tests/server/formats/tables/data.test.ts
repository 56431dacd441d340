import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readAmount } from '../../../../server/formats/tables/amounts.ts';
import { cellText, trimCell } from '../../../../server/formats/tables/cell-text.ts';
import { parseRows } from '../../../../server/formats/tables/parse-rows.ts';
import { planTable } from '../../../../server/formats/tables/plan.ts';
import { readTable } from '../../../../server/formats/tables/read-table.ts';
import type { ParsedRow, ReadTable, TableKind } from '../../../../server/formats/tables/table.ts';

/** Real and realistic tables that are kept beside the project, not in it; what they hold stands in their manifest. */
const folder = resolve(import.meta.dirname, '../../../../../shared/data/tables');
const manifest = join(folder, 'MANIFEST.tsv');
type Row = Record<string, string>;

function readTsv(file: string): Row[] {
  const [head = '', ...lines] = readFileSync(join(folder, file), 'utf8').trimEnd().split('\n');
  const names = head.split('\t');
  return lines.map((line) => {
    const values = line.split('\t');
    return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
  });
}

const KINDS: Record<string, TableKind> = {
  'ledgerA_libro.xlsx': 'invoices',
  'ledgerA_facturas_mx.csv': 'invoices',
  'ledgerA_facturas_eu.csv': 'invoices',
};
const ENCODINGS: Record<string, string> = { cp1252: 'windows-1252', 'utf-16-le+BOM': 'utf-16le' };
const DELIMITERS: Record<string, string> = { coma: ',', 'punto y coma': ';', tab: '\t' };

describe('the tables kept beside the project', () => {
  if (!existsSync(manifest)) {
    it.skip('skipped: ../shared/data/tables/MANIFEST.tsv is not on this machine, so its tables are not read', () =>
      undefined);
    return;
  }

  it.each(readTsv('MANIFEST.tsv').map((row) => [row.file!, row] as const))(
    'are read as the manifest has them: %s',
    async (file, row) => {
      const table = await readTable({ path: join(folder, file) }, { kind: KINDS[file] });
      expect(table.format).toBe(row.format);
      if (row.format === 'csv') {
        const encoding = row.encoding!;
        // What is ASCII alone is the same in all of them.
        const ascii = readFileSync(join(folder, file)).every((byte) => byte < 0x80);
        expect(table.encoding).toBe(ascii ? 'utf-8' : (ENCODINGS[encoding] ?? encoding.replace('+BOM', '')));
        expect(table.delimiter).toBe(DELIMITERS[row.delimiter!]);
      }
      expect(table.header.line).toBe(Number(row.header_line));
      expect(table.header.names).toHaveLength(Number(row.columns));
      expect(table.rows).toHaveLength(Number(row.data_rows));
      if (/^\d+$/.test(row.blank_rows!)) {
        const blank = table.skipped.filter(({ line, why }) => why === 'blank' && line > table.header.line);
        expect(blank).toHaveLength(Number(row.blank_rows));
      }
      const column = row.amount_column!.replace(/ \((hoja|dos) .*\)$/, '');
      if (column !== '-') expect(sumOf(table, column)).toBe(Math.round(Number(row.amount_sum) * 100));
    },
  );

  const INVOICE = {
    rfc: 'rfc',
    obra: 'jobtitle',
    rubro: 'nombrerubro',
    numfactura: 'numfactura',
    fechaemision: 'fechaemision',
    fecharecepcion: 'fecharecepcion',
    fechavencimiento: 'fechavencimiento',
    subtotal: 'subtotal',
    tasa: 'tasa',
    iva: 'iva',
    total: 'total',
    observaciones: 'comments',
  };
  const PAYMENT = {
    cheque: 'checknum',
    rfc: 'rfc',
    numfactura: 'numfactura',
    fecha: 'paymentdate',
    importe: 'paymentamount',
    origen: 'origenderecursonombre',
  };
  const SUPPLIER = {
    rfc: 'rfc',
    nombre: 'suppliername',
    contacto: 'suppliercontactperson',
    telefono: 'suppliercontactphone',
    correo: 'suppliercontactemail',
  };

  it.each<[string, TableKind, string, Record<string, string>]>([
    ['ledgerA_facturas_mx.csv', 'invoices', 'ledgerA_facturas.expected.tsv', INVOICE],
    ['ledgerA_facturas_eu.csv', 'invoices', 'ledgerA_facturas.expected.tsv', INVOICE],
    ['ledgerA_libro.xlsx', 'invoices', 'ledgerA_facturas.expected.tsv', INVOICE],
    ['ledgerA_pagos.csv', 'payments', 'ledgerA_pagos.expected.tsv', PAYMENT],
    ['ledgerA_libro.xlsx', 'payments', 'ledgerA_pagos.expected.tsv', PAYMENT],
    ['ledgerA_proveedores.csv', 'suppliers', 'ledgerA_proveedores.expected.tsv', SUPPLIER],
  ])('hold the values that are expected, to the cent: %s as %s', async (file, kind, expected, fields) => {
    const table = await readTable({ path: join(folder, file) }, { kind });
    const plan = planTable(table, kind);
    expect(plan.questions).toEqual([]);
    expect(plan.missing).toEqual([]);
    const rows = [...parseRows(table, plan)];
    const wanted = readTsv(expected);
    expect(rows).toHaveLength(wanted.length);
    const wrong = wanted.flatMap((want, index) => compare(rows[index]!, want, fields));
    expect(wrong).toEqual([]);
  });

  it('counts days from 1904 as the invoices they were taken from', async () => {
    const { rows } = await readTable({ path: join(folder, 'ledgerA_fechas1904.xlsx') });
    const days = new Map(
      readTsv('ledgerA_facturas.expected.tsv')
        .filter(({ fechaemision }) => fechaemision !== '')
        .map(({ numfactura, fechaemision }) => [numfactura, fechaemision]),
    );
    const known = [...rows].filter(({ cells }) => days.has(cellText(cells[0])));
    expect(known.length).toBeGreaterThan(90);
    for (const { cells } of known) expect(cells[1]).toEqual({ date: days.get(cellText(cells[0])) });
  });
});

/** What the parser refuses by itself; the other states are seen against what is on file. */
const REFUSED =
  /^(fecha_invalida|importe_no_numerico|negativa|falta_obra|folio_|contacto_vacio|correo_invalido)/;

function compare(row: ParsedRow, want: Row, fields: Record<string, string>): string[] {
  const state = want.estado ?? '';
  if (REFUSED.test(state) !== row.problems.length > 0)
    return [`${row.line} (${state}): ${JSON.stringify(row.problems)}`];
  if (REFUSED.test(state)) return [];
  if (state === 'rfc_invalido' && row.warnings.length === 0) return [`${row.line} (${state}): nothing said`];
  return Object.entries(fields).flatMap(([name, field]) => {
    if (/^rfc_|duplicado_por_rfc/.test(state) && /^(rfc|suppliername)$/.test(field)) return [];
    const value = row.values[field];
    const wanted = plainValue(field, want[name]!.replaceAll('\\n', '\n').trim());
    return value === wanted
      ? []
      : [`${row.line}, ${field}: ${JSON.stringify(value)}, not ${JSON.stringify(wanted)}`];
  });
}

function plainValue(field: string, text: string): string | number | null {
  if (text === '') return null;
  if (['subtotal', 'iva', 'total', 'paymentamount'].includes(field)) return Math.round(Number(text) * 100);
  return field === 'tasa' ? Number(text) * 10_000 : text;
}

/** Of the cells that are amounts, as the manifest counts them: in cents, exactly. */
function sumOf(table: ReadTable, column: string): number {
  const index = table.header.names.indexOf(column);
  const comma = DECIMAL_COMMA.test([...table.rows].map(({ cells }) => cellText(cells[index])).join('\n'));
  let sum = 0;
  for (const { cells } of table.rows) {
    const cell = cells[index];
    if (typeof cell === 'number') sum += Math.round(cell * 100);
    else {
      const amount = readAmount(trimCell(cellText(cell)), comma ? ',' : '.');
      if ('cents' in amount) sum += amount.cents;
      else sum += roundedCents(cellText(cell));
    }
  }
  return sum;
}

const DECIMAL_COMMA = /,\d{2}\s*€?$/m;

/** Public lists hold amounts beyond our largest, and with more decimals. */
function roundedCents(text: string): number {
  const number = Number(text.replace(/[$,\s]/g, ''));
  return Number.isFinite(number) ? Math.round(number * 100) : 0;
}
