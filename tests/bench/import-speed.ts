/**
 * Compares the processor time of an import (75,000 invoices and 97,500 payments from CSV, with every check) with that
 * of inserting the same rows by prepared statements. Both run in turn, on SQLite.
 * node tests/bench/import-speed.ts [invoices] [rounds]
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
import { importTable } from '../../server/services/imports/import.ts';
import { findOrCreateCliUser } from '../../server/services/users/cli-user.ts';
import { addDays } from '../../shared/dates.ts';
import { computeTax, toDecimalText } from '../../shared/money.ts';
import { median } from '../security/timing.ts';
import { Random } from '../support/fuzz-values.ts';
import { addFundingSource, addJob, addRubro, addSupplier, createActor, NOW } from '../support/rows.ts';

const [INVOICES = 75_000, ROUNDS = 3] = process.argv.slice(2).map(Number);
const PAYMENTS = Math.round(INVOICES * 1.3);
const SUPPLIERS = 3000;
const JOBS = 500;
const RUBROS = 40;
const SOURCES = 8;
const TARGET = 5;
const KINDS = ['invoices', 'payments'] as const;

const folder = mkdtempSync(join(tmpdir(), 'saldo-import-speed-'));
const pathOf = (kind: (typeof KINDS)[number]) => join(folder, `${kind}.csv`);

const supplierName = (id: number) => `Proveedora de Materiales ${id}, S.A. de C.V.`;
const supplierRfc = (id: number) =>
  `PMA${String(100101 + (id % 28)).slice(-6)}${id.toString(36).toUpperCase().padStart(3, '0')}`;
const comment = (n: number) => (n % 6 === 0 ? 'Entrega parcial, pendiente de remisión' : '');

/** Each invoice is paid in full, in part or not at all, some of them in several payments. */
function writeFiles(): void {
  const random = new Random(7);
  const invoices = Array.from({ length: INVOICES }, (_, n) => {
    const [supplier, subtotal] = [random.int(1, SUPPLIERS), random.int(100_000, 50_000_000)];
    const number = `FAC-${random.int(2020, 2026)}-${String(n * 7919).padStart(6, '0')}`;
    const issued = addDays('2020-01-01', random.int(0, 2500));
    return { supplier, number, issued, subtotal, iva: computeTax(subtotal, 160_000) };
  });
  const write = (kind: (typeof KINDS)[number], headings: string, rows: unknown[][]) => {
    const lines = rows.map((cells) => cells.map((cell) => `"${cell}"`).join());
    writeFileSync(pathOf(kind), `\ufeff${headings}\r\n${lines.join('\r\n')}\r\n`);
  };
  write(
    'invoices',
    'Proveedor,RFC,Obra,Rubro,Factura,Emisión,Recepción,Vencimiento,Subtotal,Tasa,IVA,Total,Observaciones',
    invoices.map(({ supplier, number, issued, subtotal, iva }, n) => [
      ...[supplierName(supplier), supplierRfc(supplier)],
      ...[`Obra ${random.int(1, JOBS)} del Bajío`, `Rubro ${random.int(1, RUBROS)}`],
      ...[number, issued, issued, addDays(issued, 30)],
      ...[toDecimalText(subtotal), '16', toDecimalText(iva), toDecimalText(subtotal + iva), comment(n)],
    ]),
  );
  write(
    'payments',
    'Cheque,Factura,RFC,Proveedor,Fecha de pago,Cantidad pagada,Origen de recurso,Observaciones',
    Array.from({ length: PAYMENTS }, (_, n) => {
      const { supplier, number, issued, subtotal, iva } = invoices[n % INVOICES]!;
      return [
        ...[`CH-${String(n).padStart(6, '0')}`, number, supplierRfc(supplier), supplierName(supplier)],
        ...[
          addDays(issued, random.int(5, 64)),
          toDecimalText(Math.floor((subtotal + iva) / random.int(2, 4))),
        ],
        ...[`Cuenta ${random.int(1, SOURCES)}`, comment(n)],
      ];
    }),
  );
}

/** Makes a database with the rows that the files refer to. */
async function prepare(name: string): Promise<string> {
  const file = join(folder, `${name}.db`);
  const database = openDatabase(`file:${file}`, { root: folder, createIfMissing: true });
  await migrate(database);
  await findOrCreateCliUser(database.db, NOW);
  await database.db.transaction().execute(async (trx) => {
    for (let id = 1; id <= SUPPLIERS; id++)
      await addSupplier(trx, { suppliername: supplierName(id), rfc: supplierRfc(id) });
    for (let id = 1; id <= JOBS; id++) await addJob(trx, { jobtitle: `Obra ${id} del Bajío` });
    for (let id = 1; id <= RUBROS; id++) await addRubro(trx, { nombrerubro: `Rubro ${id}` });
    for (let id = 1; id <= SOURCES; id++)
      await addFundingSource(trx, { origenderecursonombre: `Cuenta ${id}` });
  });
  await database.close();
  return file;
}

/** Imports a file as the command line does. */
async function importFiles(file: string): Promise<number[]> {
  const { db, close } = openDatabase(`file:${file}`, { root: folder, createIfMissing: false });
  const times: number[] = [];
  for (const kind of KINDS) {
    const from = processorMs();
    const table = await readTable({ path: pathOf(kind) }, { kind });
    const plan = planTable(table, kind);
    const options = { source: kind, sha256: table.sha256, columns: plan.columns };
    const by = createActor({ userId: 1, username: 'cli', origin: 'cli' });
    const result = await importTable(db, by, kind, parseRows(table, plan), options);
    if (result.created !== table.rows.length)
      throw new Error(
        `${kind}: ${result.created} stored, refused: ${JSON.stringify([...result.refused][0])}`,
      );
    times.push(processorMs() - from);
  }
  await close();
  return times;
}

/** The lower bound: inserts the rows of `imported` by prepared statements, in two transactions. */
function storeBare(file: string, imported: string): number[] {
  const source = openSqliteFile(imported);
  const database = openSqliteFile(file);
  database.exec('pragma foreign_keys = off');
  const times = KINDS.map((kind) => {
    const rows = source.prepare(`select * from ${kind} order by id`).all() as Record<string, unknown>[];
    if (kind === 'invoices') for (const row of rows) row.paidCents = 0;
    const names = Object.keys(rows[0]!);
    const values = names.map((name) => `@${name}`).join();
    const insert = database.prepare(`insert into ${kind} ("${names.join('", "')}") values (${values})`);
    const from = processorMs();
    database.exec('begin immediate');
    for (const row of rows) insert.run(row);
    database.exec('commit');
    return processorMs() - from;
  });
  for (const one of [database, source]) one.close();
  return times;
}

/** Processor time so far, in ms: elapsed time would include other programs. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const sum = (times: number[]) => times.reduce((total, time) => total + time, 0);

const shown = (times: number[]) =>
  `${(sum(times) / 1000).toFixed(1)} s (${times.map((time) => (time / 1000).toFixed(1)).join(' + ')})`;

try {
  writeFiles();
  const ratios: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const imported = await prepare(`import-${round}`);
    const ours = await importFiles(imported);
    const bare = storeBare(await prepare(`bare-${round}`), imported);
    ratios.push(sum(ours) / sum(bare));
    console.log(
      `round ${round}: inserts ${shown(bare)}, import ${shown(ours)}, ratio ${ratios.at(-1)!.toFixed(2)}`,
    );
  }
  const middle = median(ratios);
  const rows = `${INVOICES} invoices and ${PAYMENTS} payments`;
  console.log(`${rows}: ${middle.toFixed(2)} times the bare inserts (target ${TARGET})`);
  if (middle > TARGET) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
