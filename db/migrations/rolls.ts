/**
 * What migrations make rolled sums with (0009, 0023): triggers note what each statement changes, by whomever it is run,
 * as rows of differences; once there are some hundreds of them they are folded into the sums. So a write costs a row
 * or two at the end of a small table, and a sum is what its row says and what is noted since. Frozen with them, and
 * imports nothing of the application.
 */

/** Differences noted before they are folded: reading so many takes some 20 µs, folding them some milliseconds. */
const MOST_NOTED = 1000;

/** In a key: all of them. */
const ALL = -1;

/** PostgreSQL: whoever folds holds this until the end; another one leaves it for the next time. */
const FOLDING = 7_256_002;

export interface Log {
  name: string;
  /** the table whose changes it notes */
  of: string;
  /** what is kept of a row */
  keys: readonly Column[];
  measures: readonly Column[];
  /** of the table: a change of no other one is noted */
  watched: readonly string[];
  /** the row that a row refers to, of which something is kept with it, and what of that is watched */
  beside?: { table: string; by: string; watched: readonly string[] };
  /** SQLite: while this holds nobody notes what changes of the table */
  unless?: string;
  rolls: readonly Roll[];
}

export interface Column {
  name: string;
  type: 'text' | 'int';
  /** `row` is what the row is called, `beside` the one that it refers to */
  from(row: string, lite: boolean, beside: string): string;
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

export const text = (name: string, from: Column['from']): Column => ({ name, type: 'text', from });
export const int = (name: string, from: Column['from']): Column => ({ name, type: 'int', from });
export const plain = (name: string) => int(name, (row) => `${row}."${name}"`);
export const orNone = (name: string) => int(name, (row) => `coalesce(${row}."${name}", 0)`);
export const day = (name: string) =>
  text(name, (row, lite) => {
    const date = `${row}."${name}"`;
    return `coalesce(${lite ? date : `to_char(${date}, 'YYYY-MM-DD')`}, '')`;
  });

/** Tables and triggers of a log and its rolls, and what the rows add up to now. */
export async function createRolls(
  run: (statement: string) => Promise<void>,
  log: Log,
  lite: boolean,
): Promise<void> {
  await run(createLog(log, lite));
  for (const roll of log.rolls) {
    await run(createRoll(log, roll, lite));
    // Level by level: some are in the order of an index.
    for (const level of roll.levels ?? [namesOf(roll.keys)])
      await run(foldInto(log, { ...roll, levels: [level] }, `(${selectFrom(log, log.of, lite)}) changes`));
  }
  for (const statement of lite ? sqliteTriggers(log) : postgresTriggers(log)) await run(statement);
}

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

type Sign = '' | '-';

/** A row of the table as the log notes it; with a minus, that it is gone. */
const valuesOf = ({ keys, measures }: Log, row: string, lite: boolean, sign: Sign = '', beside = 'i') => [
  ...keys.map(({ from }) => from(row, lite, beside)),
  `${sign}1`,
  ...measures.map(({ from }) => `${sign}${from(row, lite, beside)}`),
];

/** The row that `row` refers to, by the name i; that of what is damaged may be missing. */
const joined = ({ beside }: Log, row: string): string =>
  beside ? ` LEFT JOIN ${beside.table} i ON i.id = ${row}."${beside.by}"` : '';

/** The same of all rows of `table`. @param beside what they refer to, where that is not looked up */
function selectFrom(log: Log, table: string, lite: boolean, sign: Sign = '', beside?: string): string {
  const names = columnsOf(log);
  const values = valuesOf(log, 'r', lite, sign, beside).map((from, index) => `${from} AS "${names[index]}"`);
  return `SELECT ${values.join(', ')} FROM ${table} r${beside ? '' : joined(log, 'r')}`;
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
  const into = `INSERT INTO ${log.name} (${quoted(columnsOf(log))})`;
  const only = log.unless ? ` WHEN NOT EXISTS (${log.unless})` : '';
  const note = (event: string, suffix: string, rows: readonly ['old' | 'new', Sign][]) => {
    const told = rows.map(([row, sign]) => ({ row, values: valuesOf(log, row, true, sign).join(', ') }));
    const values = log.beside
      ? told
          .map(({ row, values }) => `SELECT ${values} FROM (SELECT 1)${joined(log, row)}`)
          .join(' UNION ALL ')
      : `VALUES ${told.map(({ values }) => `(${values})`).join(', ')}`;
    // To the letter what the migrations wrote from the start: a database's schema is compared by it.
    const between = log.beside ? ' ' : '\n      ';
    return `CREATE TRIGGER ${log.name}_${suffix} AFTER ${event} ON ${log.of}${only} BEGIN
      ${into}${between}${values}; END`;
  };
  return [
    note('INSERT', 'insert', [['new', '']]),
    note('DELETE', 'delete', [['old', '-']]),
    note(`UPDATE OF ${quoted(log.watched)}`, 'update', [
      ['old', '-'],
      ['new', ''],
    ]),
    ...(log.beside
      ? [`${onMoved(log, log.beside, 'IS NOT')} BEGIN ${into} ${moved(log, log.beside, true)}; END`]
      : []),
    `CREATE TRIGGER ${log.name}_fold AFTER INSERT ON ${log.name} WHEN new.id >= ${MOST_NOTED} BEGIN
      ${log.rolls.map((roll) => `${foldInto(log, roll, log.name)};`).join('\n')}
      ${forgetPassed(log)}
      DELETE FROM ${log.name}; END`,
  ];
}

type Beside = NonNullable<Log['beside']>;

/** After a row that others refer to was changed in what is kept with them. */
const onMoved = ({ name }: Log, { table, watched }: Beside, differs: string): string =>
  `CREATE TRIGGER ${name}_moved AFTER UPDATE OF ${quoted(watched)} ON ${table} FOR EACH ROW
    WHEN (${watched.map((column) => `old."${column}" ${differs} new."${column}"`).join(' OR ')})`;

/** Those that refer to it as they were, and as they are. */
const moved = (log: Log, { by }: Beside, lite: boolean): string =>
  (
    [
      ['old', '-'],
      ['new', ''],
    ] as const
  )
    .map(([beside, sign]) => `${selectFrom(log, log.of, lite, sign, beside)} WHERE r."${by}" = new.id`)
    .join(' UNION ALL ');

/**
 * Many write at a time: each only adds to the log, a few rows for a whole statement, and waits for nobody. Who comes
 * to a full number folds what is committed and its own, unless somebody is at it, or it would not see all of it.
 */
function postgresTriggers(log: Log): string[] {
  const { name, of, rolls, beside } = log;
  const added = selectFrom(log, 'new_rows', false);
  const gone = selectFrom(log, 'old_rows', false, '-');
  const note = (changes: string) => `INSERT INTO ${name} (${quoted(columnsOf(log))})
        SELECT ${quoted(namesOf(log.keys))}, ${measuresOf(log)
          .map((measure) => `sum("${measure}")`)
          .join(', ')}
        FROM (${changes}) changes GROUP BY ${quoted(namesOf(log.keys))}
        HAVING ${anyOf(measuresOf(log).map((measure) => `sum("${measure}")`))};`;
  const folds = rolls.map((roll) => foldInto(log, roll, 'gone'));
  const foldWhereFull = `GET DIAGNOSTICS noted = ROW_COUNT;
      IF noted > 0 THEN
        last := currval(pg_get_serial_sequence('${name}', 'id'));
        IF last / ${MOST_NOTED} <> (last - noted) / ${MOST_NOTED} THEN PERFORM fold_${name}(); END IF;
      END IF;`;
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
      ${foldWhereFull}
      RETURN NULL;
    END $$`,
    // Taken so, the row waits for whoever refers to it and has not committed, and what comes then sees it as it is now.
    ...(beside
      ? [
          `CREATE FUNCTION move_${name}() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE noted bigint; last bigint; BEGIN
      PERFORM FROM ${beside.table} WHERE id = new.id FOR UPDATE;
      ${note(moved(log, beside, false))}
      ${foldWhereFull}
      RETURN NULL;
    END $$`,
          `${onMoved(log, beside, 'IS DISTINCT FROM')} EXECUTE FUNCTION move_${name}()`,
        ]
      : []),
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
