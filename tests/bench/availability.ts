/**
 * Runs 20 reports, 20 exports, 10 uploads and an import of 60,000 rows at once for one user, over 200,000 invoices,
 * while four others use lists and payments. Exits with 1 if 99 of 100 of their answers take longer than 250 ms, anybody
 * is refused, or the server takes more than 700 MB. For SQLite on Linux.
 * npm run build && node tests/bench/availability.ts [invoices] [rows]
 */
import { quantile } from '../security/timing.ts';
import { measureAvailability } from '../support/availability.ts';

const [invoices = 200_000, rows = 60_000] = process.argv.slice(2).map(Number);
const P99_MS = 250;
const RSS_MB = 700;

const result = await measureAvailability({ invoices, reports: 20, exports: 20, uploads: 10, rows });
const describeCounts = (counts: ReadonlyMap<unknown, number>) =>
  [...counts].map(([what, count]) => `${count} × ${what}`).join(', ');
const p99 = quantile(result.waitsDuringMs, 0.99);
console.log(`others, alone: median ${quantile(result.waitsBeforeMs, 0.5).toFixed(0)} ms`);
console.log(
  `others, beside it: ${result.waitsDuringMs.length} answers (${describeCounts(result.userStatusCounts)}), median ${quantile(result.waitsDuringMs, 0.5).toFixed(0)} ms, ` +
    `p99 ${p99.toFixed(0)} ms, slowest ${Math.max(...result.waitsDuringMs).toFixed(0)} ms`,
);
console.log(
  `the heavy one: ${describeCounts(result.loadStatusCounts)} in ${result.seconds.toFixed(1)} s, the import in ${result.importSeconds.toFixed(1)} s`,
);
console.log(
  `RSS ${result.rssMb.toFixed(0)} MB, with the processes that read files ${result.rssWithReadersMb.toFixed(0)} MB`,
);
const isRefused =
  [...result.userStatusCounts.keys()].some((status) => status >= 300) ||
  [...result.loadStatusCounts.keys()].some((what) => !/ (200|303)$/.test(what));
process.exitCode = p99 <= P99_MS && !isRefused && result.rssMb <= RSS_MB ? 0 : 1;
