import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { parseRows } from '../../../../server/formats/tables/parse-rows.ts';
import { parseTable } from '../../../../server/formats/tables/parse-table.ts';
import { planTable } from '../../../../server/formats/tables/plan.ts';
import type { PlanOptions, TableKind } from '../../../../server/formats/tables/table.ts';
import type { Actor } from '../../../../server/services/audit/audit.ts';
import { importTable } from '../../../../server/services/imports/import.ts';
import type { TableImportOptions } from '../../../../server/services/imports/import-run.ts';
import { formatRate, parseMoney, toDecimalText } from '../../../../shared/money.ts';
import { documentNumberKey } from '../../../../shared/text.ts';
import { findDatabaseProblems } from '../../../support/problems.ts';
import { describeOneDatabase, IS_LONG_LANE } from '../../../support/proofs.ts';
import { tableInWords } from '../../../support/remarks.ts';
import { addActor } from '../../../support/rows.ts';

/** Real and realistic lists, kept outside the repository with their expected outcomes. */
const folder = resolve(import.meta.dirname, '../../../../../shared/data/tables');

/** The states of the ledger's rows, by the outcome that each should have. */
const UNCHANGED = ['duplicada_exacta', 'duplicado_exacto', 'duplicado_por_rfc'];
const STORED = ['ok', 'rfc_generico', 'rfc_invalido'];

/** The answers that a user would give for each public list: columns, and values for all rows. */
const PUBLIC_LISTS = `
oxford_apr_jun_2014.csv invoices: suppliername Supplier Name, numfactura Trans No, subtotal Amount, nombrerubro Type; jobtitle Oxford, tasa 0
compranet_2013.csv invoices: suppliername PROVEEDOR_CONTRATISTA, jobtitle TITULO_CONTRATO, nombrerubro TIPO_CONTRATACION, numfactura CODIGO_CONTRATO, fechaemision FECHA_CELEBRACION, subtotal IMPORTE_CONTRATO; tasa 16
opa_2019_anual_intermedia.csv jobs: jobtitle NOMBRE_PPI, jobdescription DESCRIPCION_PPI, jobstartdate FECHA_INICIO_CAL_FF, jobduedate FECHA_FIN_CAL_FF, clientname DESCRIPCION_UR
opa_2019_anual_intermedia.csv invoices: suppliername DESCRIPCION_UR, jobtitle NOMBRE_PPI, numfactura CVE_CARTERA, fechaemision FECHA_INICIO_CAL_FF, subtotal MONTO_TOTAL_INVERSION, comments BENEFICIOS_ESPERADOS; tasa 0
madrid_contratos_menores_2026.xlsx invoices: suppliername RAZON SOCIAL ADJUDICATARIO, jobtitle CENTRO - SECCION, nombrerubro TIPO DE CONTRATO, numfactura N. DE REGISTRO DE CONTRATO, fechaemision FECHA DE ADJUDICACION, subtotal IMPORTE ADJUDICACION IVA INC., comments OBJETO DEL CONTRATO; tasa 0, tipocambio 20.15
darlington_2013_05.csv invoices: suppliername Supplier, jobtitle Service, nombrerubro Account, subtotal Invoice Line Value (net of VAT); tasa 20
gateshead_2016_12.csv invoices: suppliername Supplier ID(T), nombrerubro Cipfsubj(T), numfactura TransNo, fechaemision Updated, subtotal Amount; jobtitle Gateshead, tasa 0
salford_2015_08.csv invoices: suppliername Supplier Name, jobtitle Directorate, numfactura SAP Document Number, fechaemision Date of Payment, subtotal Net, iva VAT, total Gross
sheffield_2012_10.csv invoices: suppliername Supplier Name, numfactura Invoice No, fechaemision GL Date, subtotal Invoiced Value; jobtitle Sheffield, tasa 0
networkrail_B.csv invoices: suppliername Supplier Name, fechaemision Invoice GL Date, subtotal Spend; jobtitle Vía, tasa 0`
  .trim()
  .split('\n')
  .map((line) => {
    const [, file = '', kind, map = '', set] = /^(\S+) (\w+): ([^;]*)(?:; (.*))?$/.exec(line)!;
    const pairs = (text: string) =>
      Object.fromEntries(text.split(', ').map((pair) => [pair.split(' ')[0]!, pair.replace(/^\S+ /, '')]));
    return { file, kind: kind as TableKind, plan: { map: pairs(map), set: set ? pairs(set) : undefined } };
  });

/** `npm test` reads only these, one of each kind. */
const FILES = ['compranet_2013.csv', 'madrid_contratos_menores_2026.xlsx'];

describeOneDatabase('the collected tables', (fresh) => {
  if (!existsSync(join(folder, 'MANIFEST.tsv'))) {
    it.skip('is skipped without the external files of tables', () => undefined);
    return;
  }

  const runner =
    (actor: Actor) =>
    async (
      kind: TableKind,
      file: string,
      more: Partial<TableImportOptions> = {},
      asked: PlanOptions = {},
    ) => {
      const table = await parseTable({ path: join(folder, file), kind });
      const plan = planTable(table, kind, asked);
      expect([file, plan.questions, plan.missingFields]).toEqual([file, [], []]);
      const options = { onError: 'skip', sha256: table.sha256, columns: plan.columns, ...more } as const;
      const all = { source: file, ...options };
      const result = tableInWords(await importTable(fresh.db, actor, kind, parseRows(table, plan), all));
      const bad = result.refused.filter(({ reason }) => !/^[\p{Lu}«\d].*\.$/su.test(reason));
      expect(bad).toEqual([]);
      return { ...result, lines: table.rows.map(({ line }) => line) };
    };

  const readInvoices = async () => {
    const rows = await fresh.db
      .selectFrom('invoices')
      .innerJoin('suppliers', 'suppliers.id', 'supplierId')
      .innerJoin('jobs', 'jobs.id', 'jobId')
      .leftJoin('rubros', 'rubros.id', 'rubroId')
      .select(['suppliername', 'jobtitle', 'nombrerubro', 'numfactura', 'fechaemision', 'fecharecepcion'])
      .select(['fechavencimiento', 'subtotalCents', 'tasa', 'ivaCents', 'totalCents', 'invoices.comments'])
      .execute();
    return rows
      .map((row) => ({
        ...row,
        suppliername: documentNumberKey(row.suppliername),
        tasa: formatRate(row.tasa ?? -1),
      }))
      .sort(compare);
  };

  it('give the figures of the ledger, row by row and to the cent', async () => {
    const actor = await addActor(fresh.db);
    const run = runner(actor);
    const suppliers = await run('suppliers', 'ledgerA_proveedores.csv');
    expectStates(suppliers, 'ledgerA_proveedores.expected.tsv');
    expect(await run('clients', 'ledgerA_clientes.txt')).toMatchObject({ created: 7, refused: [] });
    const jobs = await run('jobs', 'ledgerA_obras.csv');
    expect(jobs).toMatchObject({ created: 13 });
    expect(jobs.refused.map(({ column }) => column)).toEqual(['Fecha fin', 'Cliente']);
    const rubros = await run('rubros', 'ledgerA_rubros_utf16.txt');
    expect(rubros).toMatchObject({ created: 14, refused: [{ value: 'duplicado por mayúsculas y espacio' }] });

    const invoices = await run('invoices', 'ledgerA_facturas_mx.csv', { createMissing: true });
    const expected = readTsv('ledgerA_facturas.expected.tsv');
    expectStates(invoices, 'ledgerA_facturas.expected.tsv');
    const kept = expected.filter(({ estado }) => STORED.includes(estado!));
    expect(invoices.created).toBe(kept.length);
    expect(kept.filter(({ estado }) => estado === 'ok')).toHaveLength(584);
    expect(await readInvoices()).toEqual(kept.map(toInvoice).sort(compare));

    for (const file of ['ledgerA_facturas_eu.csv', 'ledgerA_libro.xlsx'])
      expect({ file, ...(await run('invoices', file, { createMissing: true })) }).toMatchObject({
        file,
        created: 0,
        unchanged: invoices.created + invoices.unchanged,
        refused: invoices.refused.map(({ reason }) => ({ reason: withoutPlace(reason) })),
      });

    const payments = await run('payments', 'ledgerA_pagos.csv', { createMissing: true });
    expectStates(payments, 'ledgerA_pagos.expected.tsv');
    expect(payments.created).toBe(941);
    const { sum } = await fresh.db
      .selectFrom('payments')
      .select((eb) => eb.fn.sum<number>('amountCents').as('sum'))
      .executeTakeFirstOrThrow();
    expect(Number(sum)).toBe(11_035_138_900);
    expect(await findDatabaseProblems(fresh.db)).toEqual([]);
  });

  it.each(PUBLIC_LISTS.filter(({ file }) => IS_LONG_LANE || FILES.includes(file)))(
    'are validated row by row, without a row left over: $file as $kind',
    async ({ file, kind, plan }) => {
      const run = runner(await addActor(fresh.db));
      const result = await run(kind, file, { createMissing: true, dryRun: true }, plan);
      expect(result.rows).toBe(Number(manifestOf(file).data_rows));
      expect(result.created + result.unchanged + result.refused.length).toBe(result.rows);
      expect(result.created).toBeGreaterThan(0);
      const lines = new Set(result.lines);
      expect(result.refused.filter(({ row }) => !lines.has(row))).toEqual([]);
      expect(await fresh.db.selectFrom('imports').select('id').execute()).toEqual([]);
    },
  );
});

const withoutPlace = (reason: string) => expect.stringContaining(reason.split(' (')[0]!);

type Row = Record<string, string>;

function readTsv(file: string): Row[] {
  const [header = '', ...lines] = readFileSync(join(folder, file), 'utf8').trimEnd().split(/\r?\n/);
  const names = header.split('\t');
  return lines.map((line) => {
    const cells = line.split('\t');
    return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? '']));
  });
}

const manifestOf = (file: string): Row => readTsv('MANIFEST.tsv').find((row) => row.file === file)!;

/** Each row is refused or stored as its state says; repeated ones are counted and reported. */
function expectStates(result: ReturnType<typeof tableInWords> & { lines: number[] }, file: string): void {
  const rows = readTsv(file);
  expect(result.rows).toBe(rows.length);
  const refused = new Set(result.refused.map(({ row }) => row));
  const wrong = rows.flatMap(({ fila, estado }, index) => {
    const wanted = !STORED.includes(estado!) && !UNCHANGED.includes(estado!);
    return refused.has(result.lines[index]!) === wanted ? [] : [{ fila, estado, wanted }];
  });
  expect(wrong).toEqual([]);
  expect(result.unchanged).toBe(rows.filter(({ estado }) => UNCHANGED.includes(estado!)).length);
  expect(result.warnings.filter(({ reason }) => reason.startsWith('Es igual'))).toHaveLength(
    result.unchanged,
  );
}

const toInvoice = (row: Row) => ({
  suppliername: documentNumberKey(row.proveedor!),
  jobtitle: row.obra!.trim(),
  nombrerubro: row.rubro || null,
  numfactura: row.numfactura!,
  fechaemision: row.fechaemision || null,
  fecharecepcion: row.fecharecepcion || null,
  fechavencimiento: row.fechavencimiento || null,
  subtotalCents: parseMoney(row.subtotal, 'subtotal'),
  tasa: row.tasa!,
  ivaCents: parseMoney(row.iva, 'iva'),
  totalCents: parseMoney(row.total, 'total'),
  comments: row.observaciones!.replaceAll('\\n', '\n'),
});

const keyOf = (row: { suppliername: string; numfactura: string; totalCents: number }) =>
  `${row.suppliername}|${row.numfactura}|${toDecimalText(row.totalCents)}`;
const compare = (a: Parameters<typeof keyOf>[0], b: Parameters<typeof keyOf>[0]) =>
  keyOf(a) < keyOf(b) ? -1 : 1;
