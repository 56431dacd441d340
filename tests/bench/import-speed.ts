/**
 * Measures how much more of the processor an import takes than storing the same rows with nothing but prepared inserts, into the
 * same tables with the same indexes: 75,000 invoices and 97,500 payments out of CSV files, with every check. Both in
 * one run, in turn, on SQLite.
 *
 *   node tests/bench/import-speed.ts [invoices] [rounds]
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../db/migrate.ts';
import { openDatabase } from '../../db/open.ts';
import { openSqliteFile } from '../../db/sqlite-file.ts';
import { readTable } from '../../server/formats/reading/read-table.ts';
import { parseRows } from '../../server/formats/tables/parse-rows.ts';
import { planTable } from '../../server/formats/tables/plan.ts';
import type { TableKind } from '../../server/formats/tables/table.ts';
import type { Actor } from '../../server/services/audit/audit.ts';
import { importTable } from '../../server/services/imports/import.ts';
import { cliUserId } from '../../server/services/users/cli-user.ts';
import { addDays } from '../../shared/dates.ts';
import { moneyText, taxOf } from '../../shared/money.ts';
import { fold, numberKey } from '../../shared/text.ts';

const INVOICES = Number(process.argv[2] ?? 75_000);
const ROUNDS = Number(process.argv[3] ?? 3);
const PAYMENTS = Math.round(INVOICES * 1.3);
const SUPPLIERS = 3000;
const JOBS = 500;
const RUBROS = 40;
const SOURCES = 8;
const TARGET = 5;
const AT = '2026-11-20T18:00:00.000Z';
const TODAY = '2026-11-20';

interface Invoice {
  supplier: number;
  job: number;
  rubro: number;
  number: string;
  issued: string;
  subtotal: number;
  total: number;
}

interface Payment {
  invoice: number;
  date: string;
  cents: number;
  check: string;
  source: number;
}

const folder = mkdtempSync(join(tmpdir(), 'saldo-import-speed-'));
/** Each invoice is paid in full, in part or not at all, some of them in several payments. */
function makeRows(): { invoices: Invoice[]; payments: Payment[] } {
  const random = makeRandom(7);
  const invoices = Array.from({ length: INVOICES }, (_, index): Invoice => {
    const subtotal = 100_000 + random(50_000_000);
    return {
      supplier: 1 + random(SUPPLIERS),
      job: 1 + random(JOBS),
      rubro: 1 + random(RUBROS),
      number: `FAC-${2020 + random(7)}-${String(index * 7919).padStart(6, '0')}`,
      issued: addDays('2020-01-01', random(2500)),
      subtotal,
      total: subtotal + taxOf(subtotal, 160_000),
    };
  });
  const payments = Array.from({ length: PAYMENTS }, (_, index): Payment => {
    const invoice = index % INVOICES;
    const { issued, total } = invoices[invoice]!;
    return {
      invoice,
      date: addDays(issued, 5 + random(60)),
      cents: Math.floor(total / (2 + random(3))),
      check: `CH-${String(index).padStart(6, '0')}`,
      source: 1 + random(SOURCES),
    };
  });
  return { invoices, payments };
}

/** Of ANSI C: the same numbers everywhere. */
function makeRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * below);
  };
}

const supplierName = (id: number) => `Proveedora de Materiales ${id}, S.A. de C.V.`;
const supplierRfc = (id: number) =>
  `PMA${String(100101 + (id % 28)).slice(-6)}${id.toString(36).toUpperCase().padStart(3, '0')}`;
const jobTitle = (id: number) => `Obra ${id} del Bajío`;
const comment = (index: number) => (index % 6 === 0 ? 'Entrega parcial, pendiente de remisión' : '');

function writeFiles(invoices: Invoice[], payments: Payment[]): Record<'invoices' | 'payments', string> {
  const paths = { invoices: join(folder, 'facturas.csv'), payments: join(folder, 'pagos.csv') };
  writeCsv(
    paths.invoices,
    'Proveedor,RFC,Obra,Rubro,Factura,Emisión,Recepción,Vencimiento,Subtotal,Tasa,IVA,Total,Observaciones',
    invoices.map((one, index) =>
      [
        `"${supplierName(one.supplier)}"`,
        supplierRfc(one.supplier),
        jobTitle(one.job),
        `Rubro ${one.rubro}`,
        one.number,
        one.issued,
        one.issued,
        addDays(one.issued, 30),
        moneyText(one.subtotal),
        '16',
        moneyText(one.total - one.subtotal),
        moneyText(one.total),
        comment(index) && `"${comment(index)}"`,
      ].join(','),
    ),
  );
  writeCsv(
    paths.payments,
    'Cheque,Factura,RFC,Proveedor,Fecha de pago,Cantidad pagada,Origen de recurso,Observaciones',
    payments.map((one, index) => {
      const { supplier, number } = invoices[one.invoice]!;
      return [
        one.check,
        number,
        supplierRfc(supplier),
        `"${supplierName(supplier)}"`,
        one.date,
        moneyText(one.cents),
        `Cuenta ${one.source}`,
        comment(index) && `"${comment(index)}"`,
      ].join(',');
    }),
  );
  return paths;
}

function writeCsv(path: string, header: string, lines: string[]): void {
  writeFileSync(path, `\ufeff${header}\r\n${lines.join('\r\n')}\r\n`);
}

async function prepare(name: string): Promise<string> {
  const file = join(folder, `${name}.db`);
  const opened = openDatabase(`file:${file}`, { root: folder, create: true });
  await migrate(opened);
  await cliUserId(opened.db, AT);
  await opened.close();
  const database = openSqliteFile(file);
  const insert = (table: string, names: string[]) =>
    database.prepare(
      `insert into ${table} (${[...names, 'createdAt', 'updatedAt'].join(', ')}) values (${[...names, 1, 2].map(() => '?').join(', ')})`,
    );
  database.exec('begin');
  const supplier = insert('suppliers', [
    ...['suppliername', 'suppliernameFold', 'rfc'],
    ...['suppliercontactperson', 'suppliercontactphone', 'suppliercontactemail'],
  ]);
  for (let id = 1; id <= SUPPLIERS; id++)
    supplier.run(supplierName(id), fold(supplierName(id)), supplierRfc(id), 'Ana', '', '', AT, AT);
  insert('clients', [
    ...['clientname', 'clientnameFold', 'clientcontactperson', 'clientcontactphone', 'clientcontactemail'],
  ]).run('C', 'c', 'Ana', '', '', AT, AT);
  const job = insert('jobs', ['jobtitle', 'jobtitleFold', 'jobdescription', 'clientId']);
  for (let id = 1; id <= JOBS; id++) job.run(jobTitle(id), fold(jobTitle(id)), '', 1, AT, AT);
  const rubro = insert('rubros', ['nombrerubro', 'nombrerubroFold', 'descripcionrubro']);
  for (let id = 1; id <= RUBROS; id++) rubro.run(`Rubro ${id}`, `rubro ${id}`, '', AT, AT);
  const source = insert('funding_sources', [
    ...['origenderecursonombre', 'origenderecursonombreFold', 'origenderecursodescripcion'],
  ]);
  for (let id = 1; id <= SOURCES; id++) source.run(`Cuenta ${id}`, `cuenta ${id}`, '', AT, AT);
  database.exec('commit');
  database.close();
  return file;
}

/** The least that an import does: each row, ready as it is, by a prepared insert, in two transactions. */
async function storeBare(round: number, invoices: Invoice[], payments: Payment[]): Promise<number[]> {
  const database = openSqliteFile(await prepare(`bare-${round}`));
  const invoice = database.prepare(`insert into invoices ("supplierId", "jobId", "rubroId", numfactura,
    "numfacturaFold", "numfacturaKey", fechaemision, fecharecepcion, fechavencimiento, "subtotalCents", tasa,
    "ivaCents", "totalCents", comments, "userId", "createdAt", "updatedAt", vence, fechacaptura)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const payment = database.prepare(`insert into payments ("facturaproveedorId", "origenderecursoId", checknum,
    "checknumFold", paymentdate, "amountCents", comments, "userId", "createdAt", "updatedAt")
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const invoiceRows = invoices.map((one, index) => [
    ...[one.supplier, one.job, one.rubro, one.number, fold(one.number), numberKey(one.number)],
    ...[one.issued, one.issued, addDays(one.issued, 30), one.subtotal, 160_000, one.total - one.subtotal],
    ...[one.total, comment(index), 1, AT, AT, addDays(one.issued, 30), AT.slice(0, 10)],
  ]);
  const paymentRows = payments.map((one, index) => [
    ...[
      one.invoice + 1,
      one.source,
      one.check,
      fold(one.check),
      one.date,
      one.cents,
      comment(index),
      1,
      AT,
      AT,
    ],
  ]);
  const times = [];
  for (const [statement, rows] of [
    [invoice, invoiceRows],
    [payment, paymentRows],
  ] as const) {
    const from = worked();
    database.exec('begin immediate');
    for (const row of rows) statement.run(...row);
    database.exec('commit');
    times.push(worked() - from);
  }
  database.close();
  return times;
}

/** As the command line does it: read, decide, parse, judge, store. */
async function importFiles(round: number, files: Record<'invoices' | 'payments', string>): Promise<number[]> {
  const opened = openDatabase(`file:${await prepare(`import-${round}`)}`, { root: folder, create: false });
  const actor: Actor = { userId: 1, username: 'cli', roles: [], origin: 'cli', at: AT, today: TODAY };
  const times: number[] = [];
  for (const kind of ['invoices', 'payments'] as const satisfies TableKind[]) {
    const from = worked();
    const table = await readTable({ path: files[kind] }, { kind });
    const read = worked();
    const plan = planTable(table, kind);
    let storing = 0;
    const result = await importTable(
      opened.db,
      actor,
      kind,
      parseRows(table, plan),
      { source: files[kind], sha256: table.sha256, columns: plan.columns },
      (step) => {
        if (step === 'guardar') storing ||= worked();
      },
    );
    if (result.created !== table.rows.length)
      throw new Error(
        `${kind}: ${result.created} stored, refused: ${JSON.stringify(result.refused.slice(0, 1))}`,
      );
    const end = worked();
    times.push(end - from);
    if (process.env.DETAIL)
      console.log(
        kind,
        'read',
        Math.round(read - from),
        'judge',
        Math.round(storing - read),
        'store',
        Math.round(end - storing),
      );
  }
  await opened.close();
  return times;
}

/** Milliseconds of the processor so far, since others may work on the machine. */
function worked(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const sum = (times: number[]) => times.reduce((total, time) => total + time, 0);

const shown = (times: number[]) =>
  `${(sum(times) / 1000).toFixed(1)} s (${times.map((time) => (time / 1000).toFixed(1)).join(' + ')})`;

try {
  const { invoices, payments } = makeRows();
  const files = writeFiles(invoices, payments);
  const ratios: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const bare = await storeBare(round, invoices, payments);
    const ours = await importFiles(round, files);
    const ratio = sum(ours) / sum(bare);
    ratios.push(ratio);
    console.log(`round ${round}: inserts ${shown(bare)}, import ${shown(ours)}, ratio ${ratio.toFixed(2)}`);
  }
  const median = ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)]!;
  console.log(
    `${INVOICES} invoices and ${PAYMENTS} payments: ${median.toFixed(2)} times the bare inserts (target ${TARGET})`,
  );
  if (median > TARGET) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
