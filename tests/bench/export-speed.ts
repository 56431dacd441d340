/**
 * What an export costs beside the bare libraries that it is made with, in one run on the same rows: CSV and
 * XLSX of 100,000 invoices against better-sqlite3 with a string join and with exceljs's streaming writer, and
 * a PDF table of 10,000 payments against pdf-lib's own drawing. Each runs in a process of its own, so that
 * its peak memory is its own; they take turns, and the median of the rounds counts, of the memory the most.
 * Ours may take 1.3 times the bare one at most, and 250 MB.
 *
 *   node tests/bench/export-speed.ts [invoices] [rounds]
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import Database from 'better-sqlite3';
import { migrate } from '../../db/migrate.ts';
import { openDatabase } from '../../db/open.ts';
import { invoiceList } from '../../server/lists/invoices.ts';
import { paymentList } from '../../server/lists/payments.ts';
import { readExport } from '../../server/lists/read-export.ts';
import { makeExport } from '../../server/services/exports/make-export.ts';
import { fillLedger } from '../support/ledger.ts';
import { NOW, TODAY } from '../support/rows.ts';

const TARGET = 1.3;
const TARGET_MB = 250;
const PDF_ROWS = 10_000;
const now = new Date(NOW);
const timeZone = 'America/Mexico_City';

const INVOICES_SQL = `select i.id, i.numfactura, i.uuid, s.suppliername, s.rfc, j.jobtitle, r.nombrerubro,
  i.fechaemision, i.fecharecepcion, i.fechavencimiento, i.metodopago, i."subtotalCents", i.tasa, i."ivaCents",
  i."otrosimpuestosCents", i."retencionesCents", i."totalCents", i."paidCents",
  i."totalCents" - i."paidCents" as "pendingCents", 'Pendiente' as status, i.comments
  from invoices i join suppliers s on s.id = i."supplierId" join jobs j on j.id = i."jobId"
  left join rubros r on r.id = i."rubroId" order by i.id`;
const PAYMENTS_SQL = `select p.id, p.checknum, i.numfactura, s.suppliername, s.rfc, j.jobtitle, p."amountCents",
  p.paymentdate, f.origenderecursonombre, p.comments from payments p
  join invoices i on i.id = p."facturaproveedorId" join suppliers s on s.id = i."supplierId"
  join jobs j on j.id = i."jobId" left join funding_sources f on f.id = p."origenderecursoId"
  order by p.id limit ${PDF_ROWS}`;

type Job = (url: string) => Promise<number>;

/** Each answers how many bytes it made. */
const jobs: Record<string, Job> = {
  'csv bare': async (url) => {
    let bytes = 0;
    for (const row of bareRows(url, INVOICES_SQL))
      bytes += Buffer.byteLength(`${Object.values(row).map(bareCsv).join(',')}\r\n`);
    return bytes;
  },
  'csv ours': (url) => ours(url, 'csv'),
  'xlsx bare': bareXlsx,
  'xlsx ours': (url) => ours(url, 'xlsx'),
  'pdf bare': barePdf,
  'pdf ours': (url) => ours(url, 'pdf'),
};

function* bareRows(url: string, sql: string): Generator<Record<string, string | number | null>> {
  const database = new Database(url.slice('file:'.length), { readonly: true });
  yield* database.prepare(sql).iterate() as Iterable<Record<string, string | number | null>>;
  database.close();
}

const bareCsv = (value: string | number | null): string => {
  const text = String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

async function bareXlsx(url: string): Promise<number> {
  const { default: ExcelJS } = await import('exceljs');
  const stream = new PassThrough();
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  const workbook = new ExcelJS.stream.xlsx.WorkbookWriter({
    stream,
    useStyles: true,
    useSharedStrings: false,
  });
  const sheet = workbook.addWorksheet('Facturas');
  let columns: string[] | undefined;
  let count = 0;
  for (const row of bareRows(url, INVOICES_SQL)) {
    if (!columns) {
      columns = Object.keys(row);
      sheet.columns = columns.map((key) => ({ header: key, key, style: bareStyle(key) }));
    }
    sheet.addRow(columns.map((key) => bareCell(key, row[key] ?? null))).commit();
    if (++count % 500 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await workbook.commit();
  return bytes;
}

const bareStyle = (key: string) =>
  key.endsWith('Cents') ? { numFmt: '"$"#,##0.00' } : key.startsWith('fecha') ? { numFmt: 'dd/mm/yyyy' } : {};

const bareCell = (key: string, value: string | number | null) => {
  if (value === null) return value;
  if (key.endsWith('Cents')) return Number(value) / 100;
  return key.startsWith('fecha') ? new Date(`${value}T00:00:00Z`) : value;
};

async function barePdf(url: string): Promise<number> {
  const { PDFDocument, StandardFonts } = await import('pdf-lib');
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  const size = 7;
  let page = document.addPage([792, 612]);
  let y = 580;
  for (const row of bareRows(url, PAYMENTS_SQL)) {
    if (y < 40) {
      page = document.addPage([792, 612]);
      y = 580;
    }
    for (const [index, value] of Object.values(row).entries())
      page.drawText(String(value ?? '').slice(0, 22), { x: 30 + index * 74, y, size, font });
    y -= 11;
  }
  return (await document.save()).length;
}

async function ours(url: string, format: 'csv' | 'xlsx' | 'pdf'): Promise<number> {
  const database = openDatabase(url, { root: '/', create: false });
  const { db } = database;
  const request = { db, format, now, timeZone };
  const around = { db, today: TODAY, timeZone, now };
  const { chunks } =
    format === 'pdf'
      ? makeExport(request, await readExport(paymentList, { limit: PDF_ROWS }, around))
      : makeExport(request, await readExport(invoiceList, {}, around));
  let bytes = 0;
  for await (const chunk of chunks)
    bytes += typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length;
  await database.close();
  return bytes;
}

interface Measured {
  ms: number;
  mb: number;
  bytes: number;
}

const [, self = '', first = '', second = ''] = process.argv;
if (Object.hasOwn(jobs, first)) {
  const began = performance.now();
  const bytes = await jobs[first]!(second);
  const ms = performance.now() - began;
  const mb = process.resourceUsage().maxRSS / 1024;
  console.log(JSON.stringify({ ms, mb, bytes } satisfies Measured));
} else {
  process.exitCode = await compare(Number(first || 100_000), Number(second || 3));
}

async function compare(invoices: number, count: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'saldo-exports-'));
  try {
    const url = `file:${join(folder, 'saldo.db')}`;
    const database = openDatabase(url, { root: folder, create: true });
    await migrate(database);
    await fillLedger(database.db, { invoices });
    await database.close();
    const rounds = new Map(Object.keys(jobs).map((name): [string, Measured[]] => [name, []]));
    for (let round = 0; round < count; round++) {
      for (const [name, all] of rounds)
        all.push(
          JSON.parse(execFileSync(process.execPath, [self, name, url], { encoding: 'utf8' })) as Measured,
        );
    }
    const measured = new Map([...rounds].map(([name, all]) => [name, middleOf(all)]));
    const said = [...measured].map(
      ([name, { ms, mb, bytes }]) =>
        `${name.padEnd(10)} ${ms.toFixed(0).padStart(6)} ms ${mb.toFixed(0).padStart(5)} MB peak ${(bytes / 1e6).toFixed(1).padStart(6)} MB made`,
    );
    console.log(said.join('\n'));
    let failed = 0;
    for (const format of ['csv', 'xlsx', 'pdf']) {
      const { ms, mb } = measured.get(`${format} ours`)!;
      const ratio = ms / measured.get(`${format} bare`)!.ms;
      const isMet = ratio <= TARGET && mb <= TARGET_MB;
      if (!isMet) failed++;
      console.log(
        `${format}: ${ratio.toFixed(2)} times the bare one, ${mb.toFixed(0)} MB: ${isMet ? 'met' : 'MISSED'}`,
      );
    }
    return failed > 0 ? 1 : 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function middleOf(all: readonly Measured[]): Measured {
  const mb = Math.max(...all.map((one) => one.mb));
  return { ...all.toSorted((a, b) => a.ms - b.ms)[Math.floor(all.length / 2)]!, mb };
}
