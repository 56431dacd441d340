import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { projectRoot } from '../server/root.ts';
import type { Anchor, AnchorsCheckResult } from '../server/services/audit/anchors.ts';
import type { DatabaseCheckReport } from '../server/services/database/check.ts';
import { formatCount } from '../shared/counts.ts';
import { DomainError } from '../shared/errors.ts';
import { addBackupCommands } from './backups.ts';
import { addExamples, declareCommand, formatJson, JSON_FLAG, joinLines } from './command.ts';
import { runWithProgressCallback } from './progress.ts';
import { loadConfig, type Runtime, withDatabase } from './runtime.ts';

interface AnchorOptions {
  check?: string;
  send?: boolean;
  json?: boolean;
}

export function addDatabaseCommands(database: Command, runtime: Runtime): void {
  addExamples(database, 'saldo db check', 'saldo db backup /respaldos/saldo.db');

  declareCommand(
    database,
    'migrate',
    'crea la base de datos o la pone al día',
    [JSON_FLAG],
    'saldo db migrate',
  ).action(async ({ json }: { json?: boolean }) => {
    const { runAndClose, openDatabase } = await import('../db/open.ts');
    const { migrate, migrations } = await import('../db/migrate.ts');
    const config = await loadConfig(runtime);
    const database = openDatabase(config.databaseUrl, { root: projectRoot, createIfMissing: true });
    const ran = await runAndClose(database, (opened) =>
      runWithProgressCallback(runtime, (report) => migrate(opened, migrations, { ...config, report })),
    );
    if (json) runtime.print(`${JSON.stringify({ migrations: ran })}\n`);
    else runtime.log(ran.length > 0 ? `Migraciones: ${ran.join(', ')}` : 'La base de datos está al día.');
  });

  declareCommand(
    database,
    'check',
    'revisa cada regla del dinero, las referencias, la búsqueda y la bitácora',
    [['--deep', 'además compara cada registro con lo que la bitácora dice de él'], JSON_FLAG],
    'saldo db check',
    'saldo db check --deep',
    'saldo db check --json > revision.json',
  )
    .addHelpText('after', CHECK_HELP)
    .action(({ deep, json }: { deep?: boolean; json?: boolean }) =>
      withDatabase(runtime, { readOnly: true }, async ({ db }) => {
        const { checkDatabase } = await import('../server/services/database/check.ts');
        const result = await runWithProgressCallback(runtime, (report) =>
          checkDatabase(db, { deep, report }),
        );
        runtime.print(json ? formatJson(result) : describeCheck(result, runtime));
        if (!result.ok) runtime.setExitCode(1);
      }),
    );

  declareCommand(
    database,
    'anchor',
    'dice cómo termina la bitácora, para anotarlo fuera de la máquina, o compara lo anotado',
    [
      ['--check <archivo>', 'compara la bitácora con las anclas de un archivo'],
      ['--send', 'la pone además donde dice SALDO_ANCHOR'],
      JSON_FLAG,
    ],
    'saldo db anchor',
    'saldo db anchor --json >> /media/usb/anclas.jsonl',
    'saldo db anchor --check /media/usb/anclas.jsonl',
  )
    .addHelpText('after', ANCHOR_HELP)
    .action((options: AnchorOptions) => printOrCheckAnchor(runtime, options));

  addBackupCommands(database, runtime);
}

const CHECK_HELP = `
Solo lee, también mientras el servidor trabaja. Nombra cada registro que rompe una regla.
Termina con 0; con 1 si alguna regla se rompe.`;

const ANCHOR_HELP = `
Con SALDO_ANCHOR (un archivo o una dirección) el servidor la anota cada noche por sí mismo.
Quien tiene la base de datos en sus manos puede rehacer toda la bitácora, pero no de modo que
coincida con lo que se anotó fuera. Termina con 1 donde ya no coincide.`;

function describeCheck(
  { ok, checks, audit, notices }: DatabaseCheckReport,
  { styleOutput }: Runtime,
): string {
  const found = checks.flatMap(({ description, problems }) => [
    `${problems.length === 0 ? styleOutput('green', '✓') : styleOutput('red', '✗')} ${description}`,
    ...problems.map(({ entity, id, problem }) => `    ${[entity, id].filter(Boolean).join(' ')}: ${problem}`),
  ]);
  const count = checks.reduce((sum, { problems }) => sum + problems.length, 0);
  const summary = count === 1 ? 'Se encontró un problema.' : `Se encontraron ${count} problemas.`;
  const entries = formatCount(audit.entries);
  return joinLines(
    ...found,
    '',
    `Bitácora: ${entries} asientos; el último, ${audit.lastHash || 'ninguno'}`,
    ...notices.map((notice) => `${styleOutput('yellow', '!')} ${notice}`),
    ok ? 'Todo está en orden.' : summary,
  );
}

const printOrCheckAnchor = (runtime: Runtime, { check, send, json }: AnchorOptions): Promise<void> =>
  withDatabase(runtime, { readOnly: true }, async ({ db }) => {
    const { checkAnchors, parseAnchors, buildCurrentAnchor } = await import(
      '../server/services/audit/anchors.ts'
    );
    if (check !== undefined) {
      const result = await checkAnchors(db, parseAnchors(readFileSync(check, 'utf8')));
      runtime.print(json ? formatJson(result) : describeAnchorCheck(result));
      if (result.mismatch || result.fault) runtime.setExitCode(1);
      return;
    }
    const anchor = await buildCurrentAnchor(db, runtime.now().toISOString());
    if (send) await writeAnchorToTarget(runtime, anchor);
    const summary = `${anchor.entries} asientos; el último, ${anchor.hash || 'ninguno'}`;
    runtime.print(`${json ? JSON.stringify(anchor) : summary}\n`);
  });

async function writeAnchorToTarget(runtime: Runtime, anchor: Anchor): Promise<void> {
  const { writeAnchor } = await import('../server/services/audit/anchors.ts');
  const { auditAnchor: target } = await loadConfig(runtime);
  if (!target)
    throw new DomainError('invalid', 'SALDO_ANCHOR no dice dónde: se espera un archivo o una dirección.', {
      code: 'bad_configuration',
    });
  const problem = await writeAnchor(target, anchor);
  const where = 'file' in target ? target.file : target.url;
  if (problem !== null) throw new DomainError('conflict', `El ancla no llegó a ${where}: ${problem}.`);
  runtime.log(`Anotada en ${where}.`);
}

function describeAnchorCheck({ matching, last, mismatch, fault }: AnchorsCheckResult): string {
  const { entries, at, hash, now } = mismatch ?? {};
  return joinLines(
    matching === 1 ? 'Una ancla coincide con la bitácora.' : `${matching} anclas coinciden con la bitácora.`,
    last && `Hasta el asiento ${last.entries} es la que se anotó el ${last.at}.`,
    mismatch &&
      (now === null
        ? `Faltan asientos: el ${at} eran ${entries}.`
        : `El asiento ${entries} ya no es el que se anotó el ${at} (${hash}): hoy es ${now}.`),
    mismatch &&
      `La bitácora se rehízo ${last ? `después del asiento ${last.entries}` : 'desde su principio'}.`,
    fault && `La cadena se rompe en el asiento ${fault.id}: ${fault.problem}.`,
  );
}
