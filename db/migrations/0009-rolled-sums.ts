import type { Migration } from './migration.ts';

/**
 * Sums of invoices and payments that are there before anybody asks. Triggers note what each statement changes, by
 * whomever it is run, as rows of differences; once there are some hundreds of them they are folded into the sums. So
 * a write costs a row or two at the end of a small table, and a sum is what its row says and what is noted since.
 * Frozen, and imports nothing of the application.
 */
export const rolledSums: Migration = {
  name: '0009-rolled-sums',
  async up(run, dialect) {
    const lite = dialect === 'sqlite';
    for (const log of LOGS) {
      await run(createLog(log, lite));
      for (const roll of log.rolls) {
        await run(createRoll(log, roll, lite));
        // Level by level: some are in the order of an index.
        for (const level of roll.levels ?? [namesOf(roll.keys)])
          await run(
            foldInto(log, { ...roll, levels: [level] }, `(${selectFrom(log, log.of, lite)}) changes`),
          );
      }
      for (const statement of lite ? sqliteTriggers(log) : postgresTriggers(log)) await run(statement);
    }
    // What was issued on no day counts from its capture on.
    await run('CREATE INDEX invoices_undated ON invoices ("createdAt") WHERE fechaemision IS NULL');
  },
};

/** Differences noted before they are folded: reading so many takes some 20 µs, folding them some milliseconds. */
const MOST_NOTED = 1000;

/** In a key: all of them. */
const ALL = -1;

/** PostgreSQL: whoever folds holds this until the end; another one leaves it for the next time. */
const FOLDING = 7_256_002;

interface Log {
  name: string;
  /** the table whose changes it notes */
  of: string;
  /** what is kept of a row */
  keys: readonly Column[];
  measures: readonly Column[];
  /** of the table: a change of no other one is noted */
  watched: readonly string[];
  rolls: readonly Roll[];
}

interface Column {
  name: string;
  type: 'text' | 'int';
  /** `row` is what the row is called */
  from(row: string, lite: boolean): string;
}

interface Roll {
  name: string;
  /** from the log's columns */
  keys: readonly (Pick<Column, 'type'> & { name: string; from: string })[];
  /** which keys are told apart; of several levels each has rows of its own */
  levels?: readonly (readonly string[])[];
  /** most of its rows come to nothing in the end, and are taken away then */
  passes?: boolean;
}

const text = (name: string, from: Column['from']): Column => ({ name, type: 'text', from });
const int = (name: string, from: Column['from']): Column => ({ name, type: 'int', from });
const plain = (name: string) => int(name, (row) => `${row}."${name}"`);
const orNone = (name: string) => int(name, (row) => `coalesce(${row}."${name}", 0)`);
const day = (name: string) =>
  text(name, (row, lite) => {
    const date = `${row}."${name}"`;
    return `coalesce(${lite ? date : `to_char(${date}, 'YYYY-MM-DD')`}, '')`;
  });

const LOGS: readonly Log[] = [
  {
    name: 'invoice_changes',
    of: 'invoices',
    keys: [
      plain('supplierId'),
      plain('jobId'),
      orNone('rubroId'),
      day('fechaemision'),
      text('pago', (row) => {
        const [paid, total] = [`${row}."paidCents"`, `${row}."totalCents"`];
        return `CASE WHEN ${paid} >= ${total} THEN 'todo' WHEN ${paid} > 0 THEN 'parte' ELSE 'nada' END`;
      }),
      day('vence'),
      int('estimado', (row) => `CASE WHEN ${row}.fechavencimiento IS NULL THEN 1 ELSE 0 END`),
    ],
    measures: [
      plain('totalCents'),
      plain('paidCents'),
      int('sinIvaCents', (row) => `(${row}."subtotalCents" + ${row}."otrosimpuestosCents")`),
    ],
    watched: [
      'supplierId',
      'jobId',
      'rubroId',
      'fechaemision',
      'fechavencimiento',
      'vence',
      'subtotalCents',
      'otrosimpuestosCents',
      'totalCents',
      'paidCents',
    ],
    rolls: [
      {
        name: 'invoice_sums',
        keys: [
          { name: 'supplierId', type: 'int', from: '"supplierId"' },
          { name: 'jobId', type: 'int', from: '"jobId"' },
        ],
        levels: [[], ['supplierId'], ['jobId'], ['supplierId', 'jobId']],
      },
      {
        name: 'invoice_day_sums',
        keys: [{ name: 'fechaemision', type: 'text', from: 'fechaemision' }],
      },
      {
        name: 'invoice_month_sums',
        keys: [
          { name: 'month', type: 'text', from: 'substr(fechaemision, 1, 7)' },
          { name: 'jobId', type: 'int', from: '"jobId"' },
          { name: 'rubroId', type: 'int', from: '"rubroId"' },
        ],
        levels: [
          ['month', 'jobId'],
          ['month', 'rubroId'],
        ],
      },
      {
        name: 'invoice_due_sums',
        keys: [
          { name: 'pago', type: 'text', from: 'pago' },
          { name: 'vence', type: 'text', from: 'vence' },
          { name: 'estimado', type: 'int', from: 'estimado' },
        ],
        passes: true,
      },
    ],
  },
  {
    name: 'payment_changes',
    of: 'payments',
    keys: [orNone('origenderecursoId'), day('paymentdate'), text('kind', (row) => `${row}.kind`)],
    measures: [
      plain('amountCents'),
      int('takenCents', (row) => `coalesce(${row}."importebancoCents", ${row}."amountCents")`),
    ],
    watched: ['origenderecursoId', 'paymentdate', 'kind', 'amountCents', 'importebancoCents'],
    rolls: [
      {
        name: 'payment_day_sums',
        keys: [
          { name: 'paymentdate', type: 'text', from: 'paymentdate' },
          { name: 'kind', type: 'text', from: 'kind' },
        ],
      },
      {
        name: 'payment_source_sums',
        keys: [
          { name: 'origenderecursoId', type: 'int', from: '"origenderecursoId"' },
          { name: 'paymentdate', type: 'text', from: 'paymentdate' },
        ],
      },
    ],
  },
];

const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ');

const namesOf = (columns: readonly { name: string }[]) => columns.map(({ name }) => name);

const measuresOf = ({ measures }: Log) => ['count', ...namesOf(measures)];

const columnsOf = (log: Log) => [...namesOf(log.keys), ...measuresOf(log)];

function typed(lite: boolean, type: Column['type'], names: readonly string[]): string[] {
  const form = { int: lite ? 'INTEGER' : 'bigint', text: lite ? 'TEXT' : 'text COLLATE "C"' }[type];
  return names.map((name) => `"${name}" ${form} NOT NULL`);
}

function createLog(log: Log, lite: boolean): string {
  const columns = [
    // SQLite counts from one again whenever it is empty; PostgreSQL never looks for one of its rows.
    lite ? 'id INTEGER PRIMARY KEY' : 'id bigint GENERATED ALWAYS AS IDENTITY',
    ...log.keys.flatMap(({ name, type }) => typed(lite, type, [name])),
    ...typed(lite, 'int', measuresOf(log)),
  ];
  // What is gone is read past until it is swept up.
  const end = lite
    ? 'STRICT'
    : `WITH (autovacuum_vacuum_threshold = ${2 * MOST_NOTED}, autovacuum_vacuum_scale_factor = 0)`;
  return `CREATE TABLE ${log.name} (${columns.join(', ')}) ${end}`;
}

function createRoll(log: Log, { name, keys }: Roll, lite: boolean): string {
  const columns = [
    ...keys.flatMap((key) => typed(lite, key.type, [key.name])),
    ...typed(lite, 'int', measuresOf(log)),
    `PRIMARY KEY (${quoted(namesOf(keys))})`,
  ];
  // Room for a row's next form on its own page: then no index has to learn of it.
  const end = lite ? 'STRICT, WITHOUT ROWID' : 'WITH (fillfactor = 70)';
  return `CREATE TABLE ${name} (${columns.join(', ')}) ${end}`;
}

/** A row of the table as the log notes it; with a minus, that it is gone. */
const valuesOf = ({ keys, measures }: Log, row: string, lite: boolean, sign: '' | '-' = ''): string[] => [
  ...keys.map(({ from }) => from(row, lite)),
  `${sign}1`,
  ...measures.map(({ from }) => `${sign}${from(row, lite)}`),
];

/** The same of all rows of `table`. */
function selectFrom(log: Log, table: string, lite: boolean, sign: '' | '-' = ''): string {
  const names = columnsOf(log);
  const values = valuesOf(log, 'r', lite, sign).map((from, index) => `${from} AS "${names[index]}"`);
  return `SELECT ${values.join(', ')} FROM ${table} r`;
}

/** Adds differences, which stand in `from`, to a roll. */
function foldInto(log: Log, { name, keys, levels = [namesOf(keys)] }: Roll, from: string): string {
  const measures = measuresOf(log);
  const sums = measures.map((measure) => `sum("${measure}")`);
  const told = keys.map((key) => {
    const at = levels.flatMap((level, index) => (level.includes(key.name) ? [index] : []));
    if (at.length === levels.length) return key.from;
    if (at.length === 0) return String(ALL);
    return `CASE WHEN level IN (${at.join(', ')}) THEN ${key.from} ELSE ${ALL} END`;
  });
  const numbers = levels.map((_, index) => `SELECT ${index} AS level`).join(' UNION ALL ');
  const added = measures.map((measure) => `"${measure}" = ${name}."${measure}" + excluded."${measure}"`);
  return `INSERT INTO ${name} (${quoted([...namesOf(keys), ...measures])})
    SELECT ${[...told, ...sums].join(', ')}
    FROM ${from} ${levels.length > 1 ? `CROSS JOIN (${numbers}) levels` : ''} WHERE true
    GROUP BY ${told.map((_, index) => index + 1).join(', ')} HAVING ${anyOf(sums)}
    ON CONFLICT (${quoted(namesOf(keys))}) DO UPDATE SET ${added.join(', ')}`;
}

/** What of the log's keys has come to nothing. */
const forgetPassed = ({ name, rolls }: Log) =>
  rolls
    .filter(({ passes }) => passes)
    .map((roll) => {
      const keys = quoted(namesOf(roll.keys));
      return `DELETE FROM ${roll.name} WHERE count = 0 AND (${keys}) IN (SELECT ${keys} FROM ${name});`;
    })
    .join(' ');

const anyOf = (sums: readonly string[]) => sums.map((sum) => `${sum} <> 0`).join(' OR ');

/** One writes at a time, so that what is noted is folded then and there. */
function sqliteTriggers(log: Log): string[] {
  const note = (event: string, suffix: string, rows: readonly string[][]) =>
    `CREATE TRIGGER ${log.name}_${suffix} AFTER ${event} ON ${log.of} BEGIN
      INSERT INTO ${log.name} (${quoted(columnsOf(log))})
      VALUES ${rows.map((values) => `(${values.join(', ')})`).join(', ')}; END`;
  const added = valuesOf(log, 'new', true);
  const gone = valuesOf(log, 'old', true, '-');
  return [
    note('INSERT', 'insert', [added]),
    note('DELETE', 'delete', [gone]),
    note(`UPDATE OF ${quoted(log.watched)}`, 'update', [gone, added]),
    `CREATE TRIGGER ${log.name}_fold AFTER INSERT ON ${log.name} WHEN new.id >= ${MOST_NOTED} BEGIN
      ${log.rolls.map((roll) => `${foldInto(log, roll, log.name)};`).join('\n')}
      ${forgetPassed(log)}
      DELETE FROM ${log.name}; END`,
  ];
}

/**
 * Many write at a time: each only adds to the log, a few rows for a whole statement, and waits for nobody. Who comes
 * to a full number folds what is committed and its own, unless somebody is at it, or it would not see all of it.
 */
function postgresTriggers(log: Log): string[] {
  const { name, of, rolls } = log;
  const added = selectFrom(log, 'new_rows', false);
  const gone = selectFrom(log, 'old_rows', false, '-');
  const note = (changes: string) => `INSERT INTO ${name} (${quoted(columnsOf(log))})
        SELECT ${quoted(namesOf(log.keys))}, ${measuresOf(log)
          .map((measure) => `sum("${measure}")`)
          .join(', ')}
        FROM (${changes}) changes GROUP BY ${quoted(namesOf(log.keys))}
        HAVING ${anyOf(measuresOf(log).map((measure) => `sum("${measure}")`))};`;
  const folds = rolls.map((roll) => foldInto(log, roll, 'gone'));
  const sees = (rows: readonly ('OLD' | 'NEW')[]) =>
    rows.map((which) => `${which} TABLE AS ${which.toLowerCase()}_rows`).join(' ');
  const on = (event: 'INSERT' | 'DELETE' | 'UPDATE', rows: readonly ('OLD' | 'NEW')[]) =>
    `CREATE TRIGGER ${name}_${event.toLowerCase()} AFTER ${event} ON ${of} REFERENCING ${sees(rows)}
      FOR EACH STATEMENT EXECUTE FUNCTION note_${name}()`;
  return [
    // One statement, so that what is added to the sums is what is taken off the log.
    `CREATE FUNCTION fold_${name}() RETURNS void LANGUAGE plpgsql AS $$ BEGIN
      IF current_setting('transaction_isolation') <> 'read committed'
        OR NOT pg_try_advisory_xact_lock(${FOLDING}) THEN RETURN; END IF;
      WITH gone AS (DELETE FROM ${name} RETURNING *)
        ${folds
          .slice(1)
          .map((fold, index) => `, fold${index} AS (${fold})`)
          .join('\n')}
      ${folds[0]};
      ${rolls
        .filter(({ passes }) => passes)
        .map((roll) => `DELETE FROM ${roll.name} WHERE count = 0;`)
        .join(' ')}
    END $$`,
    `CREATE FUNCTION note_${name}() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE noted bigint; last bigint; BEGIN
      IF TG_OP = 'INSERT' THEN ${note(added)}
      ELSIF TG_OP = 'DELETE' THEN ${note(gone)}
      ELSE ${note(`${gone} UNION ALL ${added}`)} END IF;
      GET DIAGNOSTICS noted = ROW_COUNT;
      IF noted > 0 THEN
        last := currval(pg_get_serial_sequence('${name}', 'id'));
        IF last / ${MOST_NOTED} <> (last - noted) / ${MOST_NOTED} THEN PERFORM fold_${name}(); END IF;
      END IF;
      RETURN NULL;
    END $$`,
    `CREATE FUNCTION forget_${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      PERFORM pg_advisory_xact_lock(${FOLDING});
      ${[name, ...namesOf(rolls)].map((table) => `DELETE FROM ${table};`).join(' ')}
      RETURN NULL;
    END $$`,
    on('INSERT', ['NEW']),
    on('DELETE', ['OLD']),
    on('UPDATE', ['OLD', 'NEW']),
    `CREATE TRIGGER ${name}_truncate AFTER TRUNCATE ON ${of} FOR EACH STATEMENT EXECUTE FUNCTION forget_${name}()`,
  ];
}
