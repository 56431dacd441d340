import type { Migration } from './migration.ts';

/**
 * The one due day of each invoice, which statuses, lists and reports go by, and the day of its capture, by which an
 * invoice without any date is due. Frozen, and imports nothing of the application.
 */
export const invoicesDue: Migration = {
  name: '0008-invoices-due',
  async up(run, dialect, { timeZone }) {
    const lite = dialect === 'sqlite';
    for (const name of ['fechacaptura', 'vence'])
      await run(
        `ALTER TABLE invoices ADD COLUMN ${name} ${lite ? `TEXT CHECK (${name} IS date(${name}))` : 'date'}`,
      );
    await run('DROP INDEX invoices_open');
    for (const statement of (lite ? fillSqlite : fillPostgres)(dayIn(timeZone, '"createdAt"', lite)))
      await run(statement);
    // Few invoices are open at a time: what is due and the balance report are read from this index alone.
    await run(`CREATE INDEX invoices_open ON invoices (vence, id, "supplierId", "jobId", numfactura,
      "totalCents", "paidCents", "subtotalCents", "otrosimpuestosCents", fechaemision, fechavencimiento, "createdAt")
      WHERE "paidCents" < "totalCents"`);
    await run('CREATE INDEX invoices_vence ON invoices (vence, id)');
  },
};

const FROM = 'coalesce(fecharecepcion, fechaemision)';

const fillSqlite = (captured: string): string[] => [
  `UPDATE invoices SET fechacaptura = ${captured}, vence = coalesce(fechavencimiento,
    date(${FROM}, (SELECT s.diascredito FROM suppliers s WHERE s.id = invoices."supplierId") || ' days'),
    ${captured})`,
  'ALTER TABLE invoices ALTER COLUMN fechacaptura SET NOT NULL',
  'ALTER TABLE invoices ALTER COLUMN vence SET NOT NULL',
];

/**
 * Writes the table anew, with its indexes, in a third of the time in which its rows would be changed one by one; what
 * is looked up in another table has to stand in a function there.
 */
const fillPostgres = (captured: string): string[] => [
  `CREATE FUNCTION due_by_credit(day date, supplier bigint) RETURNS date LANGUAGE sql STABLE AS
    'SELECT day + diascredito::int FROM suppliers WHERE id = supplier'`,
  `ALTER TABLE invoices
    ALTER COLUMN fechacaptura TYPE date USING ${captured},
    ALTER COLUMN vence TYPE date USING coalesce(fechavencimiento,
      CASE WHEN ${FROM} IS NOT NULL THEN due_by_credit(${FROM}, "supplierId") END, ${captured}),
    ALTER COLUMN fechacaptura SET NOT NULL, ALTER COLUMN vence SET NOT NULL`,
  'DROP FUNCTION due_by_credit(date, bigint)',
];

/** The day of a moment in a time zone, as SQL: SQLite knows no zones, and both databases shall say the same. */
function dayIn(timeZone: string, moment: string, lite: boolean): string {
  const shifted = (minutes: number) =>
    lite ? `date(${moment}, '${minutes} minutes')` : `(${moment} + interval '${minutes} minutes')::date`;
  const literal = (at: number) => {
    const text = new Date(at).toISOString();
    return lite ? `'${text}'` : `timestamp '${text.slice(0, -1)}'`;
  };
  const changes = offsetsOf(timeZone);
  const [first] = changes.splice(0, 1);
  // The latest first: that is where most moments are.
  const cases = changes
    .toReversed()
    .map(({ at, minutes }) => `WHEN ${moment} >= ${literal(at)} THEN ${shifted(minutes)}`);
  return cases.length === 0
    ? shifted(first!.minutes)
    : `CASE ${cases.join(' ')} ELSE ${shifted(first!.minutes)} END`;
}

const MINUTE = 60_000;
const WEEK = 7 * 24 * 60 * MINUTE;
/** No invoice was captured before, and none to be migrated will be captured after. */
const [SINCE, UNTIL] = [Date.UTC(2000, 0, 1), Date.UTC(2060, 0, 1)];

/** How far ahead of UTC a zone's clocks are, in minutes, and from which moments on. */
function offsetsOf(timeZone: string): { at: number; minutes: number }[] {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  const minutesAt = (at: number): number => {
    const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign = '+', hours = '0', minutes = '0'] = /GMT([+-])(\d+):(\d+)/.exec(name) ?? [];
    return Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes));
  };
  const offsets = [{ at: SINCE, minutes: minutesAt(SINCE) }];
  for (let at = SINCE; at < UNTIL; at += WEEK) {
    const minutes = minutesAt(at + WEEK);
    if (minutes === offsets.at(-1)!.minutes) continue;
    // They changed between `at` and a week later, on some minute.
    let [before, after] = [at, at + WEEK];
    while (after - before > MINUTE) {
      const middle = before + Math.floor((after - before) / 2 / MINUTE) * MINUTE;
      if (minutesAt(middle) === minutes) after = middle;
      else before = middle;
    }
    offsets.push({ at: after, minutes });
  }
  return offsets;
}
