/**
 * How long the command line takes beside the least that Node can do: `saldo --version` against `node -e 0`, and
 * the weekly balances of 100,000 invoices as CSV against a script that reads the same rows with better-sqlite3,
 * sums them by supplier and week, and writes CSV.
 *
 *   npm run build && node tests/bench/cli-start.ts [invoices] [rounds]
 *
 * Contenders take turns; medians are compared.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../db/migrate.ts';
import { openDatabase } from '../../db/open.ts';
import { inTransaction } from '../../db/transaction.ts';
import { addUser, NOW } from '../support/rows.ts';
import { insertInvoices } from './many-invoices.ts';

const [count = '100000', turns = '15'] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'saldo-bench-'));
const file = join(folder, 'saldo.db');
const saldo = join(import.meta.dirname, '../../cli/saldo.mjs');
const report = ['report', 'balances', '--corte', '2026-11-20', '--format', 'csv'];

try {
  const database = openDatabase(`file:${file}`, { root: '/', create: true });
  await migrate(database);
  const { id } = await addUser(database.db, { roles: [3] });
  await inTransaction(database.db, (trx) => insertInvoices(trx, Number(count), { userId: id, at: NOW }));
  await database.close();
  const floor = join(folder, 'floor.mjs');
  writeFileSync(floor, floorScript());

  const [ours, theirs] = [run([saldo, ...report]), run([floor])];
  const total = /^Total general,.*?([\d.]+)\r?$/m;
  const sums = [ours, theirs].map((text) => total.exec(text)?.[1]);
  if (!sums[0] || sums[0] !== sums[1]) throw new Error(`they disagree: ${sums.join(' and ')}`);
  console.log(`${count} invoices, ${ours.trim().split('\n').length} lines, Total general ${sums[0]}`);

  compare('--version', { 'node -e 0': ['-e', '0'], 'saldo --version': [saldo, '--version'] });
  compare('report balances --format csv', { floor: [floor], saldo: [saldo, ...report] });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function run(args: string[]): string {
  const env = { ...process.env, DATABASE_URL: `file:${file}` };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    env,
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

function compare(what: string, contenders: Record<string, string[]>): void {
  const times = Object.keys(contenders).map((): number[] => []);
  for (let turn = 0; turn < Number(turns); turn++) {
    for (const [index, args] of Object.values(contenders).entries()) {
      const began = performance.now();
      run(args);
      times[index]!.push(performance.now() - began);
    }
  }
  const medians = times.map((list) => list.sort((a, b) => a - b)[list.length >> 1]!);
  const said = Object.keys(contenders).map((name, index) => `${name} ${medians[index]!.toFixed(0)} ms`);
  console.log(`${what}: ${said.join(', ')}: ${(medians[1]! / medians[0]!).toFixed(2)} times`);
}

/** What a week's balances come to, at the least: one query, sums in memory, text. */
function floorScript(): string {
  const driver = createRequire(import.meta.url).resolve('better-sqlite3');
  return `
import { createRequire } from 'node:module';
const Database = createRequire(import.meta.url)(${JSON.stringify(driver)});
const db = new Database(${JSON.stringify(file)}, { readonly: true });
const rows = db.prepare(\`select i.id, i.supplierId, s.suppliername, j.jobtitle, i.numfactura, i.fechavencimiento as due,
  i.totalCents - coalesce((select sum(amountCents) from payments p where p.facturaproveedorId = i.id and p.paymentdate <= '2026-11-20'), 0) as left
  from invoices i join suppliers s on s.id = i.supplierId join jobs j on j.id = i.jobId
  where i.paidCents < i.totalCents and i.fechaemision <= '2026-11-20'
  order by s.suppliernameFold, s.id, j.jobtitleFold, due, i.numfactura\`).all();
const money = (cents) => (cents / 100).toFixed(2);
const monday = Date.parse('2026-11-16');
const weekOf = (due) => { const days = (Date.parse(due) - monday) / 86400000; return days < 0 ? 0 : Math.min(13, 1 + Math.floor(days / 7)); };
const line = (cells) => cells.map((cell) => (/[",\\r\\n]/.test(cell) ? '"' + cell.replaceAll('"', '""') + '"' : cell)).join(',') + '\\r\\n';
let text = '', sums = new Array(14).fill(0), all = new Array(14).fill(0), of;
const flush = (name, list) => { text += line([name, '', '', ...list.map(money), money(list.reduce((a, b) => a + b, 0))]); };
for (const row of rows) {
  if (of && of.supplierId !== row.supplierId) { flush('Total ' + of.suppliername, sums); sums = new Array(14).fill(0); }
  of = row;
  const cells = new Array(14).fill('');
  const week = weekOf(row.due);
  cells[week] = money(row.left); sums[week] += row.left; all[week] += row.left;
  text += line([row.suppliername, row.jobtitle, row.numfactura, ...cells, money(row.left)]);
}
if (of) flush('Total ' + of.suppliername, sums);
flush('Total general', all);
process.stdout.write(text);
`;
}
