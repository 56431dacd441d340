/**
 * Measures exports: CSV and XLSX of 100,000 invoices and a PDF of 10,000 payments, each in a separate process, so that
 * its peak memory is its own. Prints the median time and the largest peak of all rounds.
 * node tests/bench/export-speed.ts [invoices] [rounds]
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../db/migrate.ts';
import { openDatabase } from '../../db/open.ts';
import { invoiceList } from '../../server/lists/invoices.ts';
import { paymentList } from '../../server/lists/payments.ts';
import { readExport } from '../../server/lists/read-export.ts';
import { makeExport } from '../../server/services/exports/make-export.ts';
import { fillLedger } from '../support/ledger.ts';
import { NOW, TODAY } from '../support/rows.ts';

const MOST_MS = 8000;
const MOST_MB = 300;
const PDF_ROWS = 10_000;
const now = new Date(NOW);
const timeZone = 'America/Mexico_City';

const FORMATS = ['csv', 'xlsx', 'pdf'] as const;
type Format = (typeof FORMATS)[number];

/** @returns the number of bytes */
async function exportAs(format: Format, url: string): Promise<number> {
  const database = openDatabase(url, { root: '/', createIfMissing: false });
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
const chosen = FORMATS.find((format) => format === first);
if (chosen) {
  const began = performance.now();
  const bytes = await exportAs(chosen, second);
  const ms = performance.now() - began;
  const mb = process.resourceUsage().maxRSS / 1024;
  console.log(JSON.stringify({ ms, mb, bytes } satisfies Measured));
} else process.exitCode = await measure(Number(first || 100_000), Number(second || 3));

async function measure(invoices: number, rounds: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'saldo-exports-'));
  try {
    const url = `file:${join(folder, 'saldo.db')}`;
    const database = openDatabase(url, { root: folder, createIfMissing: true });
    await migrate(database);
    await fillLedger(database.db, { invoiceCount: invoices });
    await database.close();
    let missed = 0;
    for (const format of FORMATS) {
      const all = Array.from({ length: rounds }, () => {
        const output = execFileSync(process.execPath, [self, format, url], { encoding: 'utf8' });
        return JSON.parse(output) as Measured;
      }).toSorted((a, b) => a.ms - b.ms);
      const { ms, bytes } = all[rounds >> 1]!;
      const mb = Math.max(...all.map((one) => one.mb));
      const isMet = ms <= MOST_MS && mb <= MOST_MB;
      if (!isMet) missed++;
      console.log(
        `${format}: ${ms.toFixed(0)} ms, ${mb.toFixed(0)} MB at the most, ${(bytes / 1e6).toFixed(1)} MB made: ${isMet ? 'met' : 'MISSED'}`,
      );
    }
    return missed > 0 ? 1 : 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
