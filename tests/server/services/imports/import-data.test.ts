import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { parseRows } from '../../../../server/formats/tables/parse-rows.ts';
import { parseTable } from '../../../../server/formats/tables/parse-table.ts';
import { planTable } from '../../../../server/formats/tables/plan.ts';
import type { PlanOptions, TableKind } from '../../../../server/formats/tables/table.ts';
import type { Actor } from '../../../../server/services/audit/audit.ts';
import { checkDatabase } from '../../../../server/services/database/check.ts';
import { importTable } from '../../../../server/services/imports/import.ts';
import type { TableImportOptions } from '../../../../server/services/imports/run.ts';
import { moneyText, parseMoney, rateText } from '../../../../shared/money.ts';
import { numberKey } from '../../../../shared/text.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { tableInWords } from '../../../support/remarks.ts';
import { addActor } from '../../../support/rows.ts';

/** Real and realistic lists that are kept beside the project, not in it; what each should come to stands with them. */
const folder = resolve(import.meta.dirname, '../../../../../shared/data/tables');

/** What a row of the ledger is, and what must come of it. */
const UNCHANGED = ['duplicada_exacta', 'duplicado_exacto', 'duplicado_por_rfc'];
const STORED = ['ok', 'rfc_generico', 'rfc_invalido'];

/** What somebody would say of each public list; those without an obra, or a rate, are given one. */
const PUBLIC_LISTS: { file: string; kind: TableKind; plan: PlanOptions }[] = [
  {
    file: 'oxford_apr_jun_2014.csv',
    kind: 'invoices',
    plan: {
      map: { suppliername: 'Supplier Name', numfactura: 'Trans No', subtotal: 'Amount', nombrerubro: 'Type' },
      set: { jobtitle: 'Oxford', tasa: '0' },
    },
  },
  {
    file: 'compranet_2013.csv',
    kind: 'invoices',
    plan: {
      map: {
        suppliername: 'PROVEEDOR_CONTRATISTA',
        jobtitle: 'TITULO_CONTRATO',
        nombrerubro: 'TIPO_CONTRATACION',
        numfactura: 'CODIGO_CONTRATO',
        fechaemision: 'FECHA_CELEBRACION',
        subtotal: 'IMPORTE_CONTRATO',
      },
      set: { tasa: '16' },
    },
  },
  {
    file: 'opa_2019_anual_intermedia.csv',
    kind: 'jobs',
    plan: {
      map: {
        jobtitle: 'NOMBRE_PPI',
        jobdescription: 'DESCRIPCION_PPI',
        jobstartdate: 'FECHA_INICIO_CAL_FF',
        jobduedate: 'FECHA_FIN_CAL_FF',
        clientname: 'DESCRIPCION_UR',
      },
    },
  },
  {
    file: 'opa_2019_anual_intermedia.csv',
    kind: 'invoices',
    plan: {
      map: {
        suppliername: 'DESCRIPCION_UR',
        jobtitle: 'NOMBRE_PPI',
        numfactura: 'CVE_CARTERA',
        fechaemision: 'FECHA_INICIO_CAL_FF',
        subtotal: 'MONTO_TOTAL_INVERSION',
        comments: 'BENEFICIOS_ESPERADOS',
      },
      set: { tasa: '0' },
    },
  },
  {
    file: 'madrid_contratos_menores_2026.xlsx',
    kind: 'invoices',
    plan: {
      map: {
        suppliername: 'RAZON SOCIAL ADJUDICATARIO',
        jobtitle: 'CENTRO - SECCION',
        nombrerubro: 'TIPO DE CONTRATO',
        numfactura: 'N. DE REGISTRO DE CONTRATO',
        fechaemision: 'FECHA DE ADJUDICACION',
        subtotal: 'IMPORTE ADJUDICACION IVA INC.',
        comments: 'OBJETO DEL CONTRATO',
      },
      set: { tasa: '0', tipocambio: '20.15' }, // its amounts are in euros
    },
  },
  {
    file: 'darlington_2013_05.csv',
    kind: 'invoices',
    plan: {
      map: {
        suppliername: 'Supplier',
        jobtitle: 'Service',
        nombrerubro: 'Account',
        subtotal: 'Invoice Line Value (net of VAT)',
      },
      set: { tasa: '20' },
    },
  },
  {
    file: 'gateshead_2016_12.csv',
    kind: 'invoices',
    plan: {
      map: {
        suppliername: 'Supplier ID(T)',
        nombrerubro: 'Cipfsubj(T)',
        numfactura: 'TransNo',
        fechaemision: 'Updated',
        subtotal: 'Amount',
      },
      set: { jobtitle: 'Gateshead', tasa: '0' },
    },
  },
  {
    file: 'salford_2015_08.csv',
    kind: 'invoices',
    plan: {
      map: {
        suppliername: 'Supplier Name',
        jobtitle: 'Directorate',
        numfactura: 'SAP Document Number',
        fechaemision: 'Date of Payment',
        subtotal: 'Net',
        iva: 'VAT',
        total: 'Gross',
      },
    },
  },
  {
    file: 'sheffield_2012_10.csv',
    kind: 'invoices',
    plan: {
      map: {
        suppliername: 'Supplier Name',
        numfactura: 'Invoice No',
        fechaemision: 'GL Date',
        subtotal: 'Invoiced Value',
      },
      set: { jobtitle: 'Sheffield', tasa: '0' },
    },
  },
  {
    file: 'networkrail_B.csv',
    kind: 'invoices',
    plan: {
      map: { suppliername: 'Supplier Name', fechaemision: 'Invoice GL Date', subtotal: 'Spend' },
      set: { jobtitle: 'Vía', tasa: '0' },
    },
  },
];

describeOneDatabase('the tables of the data', (fresh) => {
  if (!existsSync(join(folder, 'MANIFEST.tsv'))) {
    it.skip('skipped: ../shared/data/tables/MANIFEST.tsv is not on this machine, so its tables are not imported', () =>
      undefined);
    return;
  }

  const runner =
    (actor: Actor) =>
    async (
      kind: TableKind,
      file: string,
      options: Partial<TableImportOptions> = {},
      asked: PlanOptions = {},
    ) => {
      const table = await parseTable({ path: join(folder, file), kind });
      const plan = planTable(table, kind, asked);
      expect({ file, questions: plan.questions, missing: plan.missing }).toEqual({
        file,
        questions: [],
        missing: [],
      });
      const all = {
        source: file,
        sha256: table.sha256,
        columns: plan.columns,
        onError: 'skip' as const,
        ...options,
      };
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
      .map((row) => ({ ...row, suppliername: numberKey(row.suppliername), tasa: rateText(row.tasa ?? -1) }))
      .sort(compare);
  };

  it('come to what the ledger expects, row by row and to the cent', async () => {
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
    const expected = readExpected('ledgerA_facturas.expected.tsv');
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
    expect((await checkDatabase(fresh.db)).checks.flatMap(({ problems }) => problems)).toEqual([]);
  });

  it.each(PUBLIC_LISTS)(
    'are judged row by row, none left over: $file as $kind',
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

const readExpected = readTsv;

const manifestOf = (file: string): Row => readTsv('MANIFEST.tsv').find((row) => row.file === file)!;

/** Each row of the file is refused or not as its state says; equal ones are counted, and said. */
function expectStates(result: ReturnType<typeof tableInWords> & { lines: number[] }, file: string): void {
  const rows = readExpected(file);
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
  suppliername: numberKey(row.proveedor!),
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
  `${row.suppliername}|${row.numfactura}|${moneyText(row.totalCents)}`;
const compare = (a: Parameters<typeof keyOf>[0], b: Parameters<typeof keyOf>[0]) =>
  keyOf(a) < keyOf(b) ? -1 : 1;
