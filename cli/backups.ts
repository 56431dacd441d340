import { resolve } from 'node:path';
import type { Command } from 'commander';
import { projectRoot } from '../server/root.ts';
import type { BackupResult } from '../server/services/database/backup.ts';
import type { RestoreReport } from '../server/services/database/restore.ts';
import type { DatabaseStats } from '../server/services/database/stats.ts';
import { formatCount } from '../shared/counts.ts';
import { formatMoney } from '../shared/money.ts';
import { formatFileSize } from '../shared/text.ts';
import {
  createActingUserFlag,
  declareCommand,
  formatJson,
  formatTable,
  JSON_FLAG,
  joinLines,
} from './command.ts';
import { runWithProgressCallback } from './progress.ts';
import { createCliSystemActor, loadConfig, type Runtime, withDatabase } from './runtime.ts';

interface BackupFlags {
  portable?: boolean;
  force?: boolean;
  json?: boolean;
  as?: string;
}

export function addBackupCommands(database: Command, runtime: Runtime): void {
  declareCommand(
    database,
    'backup <archivo>',
    'guarda una copia de la base de datos, también mientras el servidor trabaja',
    [
      ['--portable', 'zip de líneas JSON, que se restaura en SQLite y en PostgreSQL'],
      ['--force', 'reemplaza el archivo si ya existe'],
      JSON_FLAG,
      createActingUserFlag('admin'),
    ],
    'saldo db backup /respaldos/saldo-$(date +%F).db',
    'saldo db backup mudanza.zip --portable',
  )
    .addHelpText('after', BACKUP_HELP)
    .action((file: string, flags: BackupFlags) => runBackup(runtime, resolve(file), flags));

  declareCommand(
    database,
    'restore <archivo>',
    'pone una copia en el lugar de la base de datos, o crea una con ella',
    [['--force', 'aunque la copia rompa reglas del dinero; nunca si está dañada'], JSON_FLAG],
    'saldo db restore /respaldos/saldo-2026-11-20.db',
    'DATABASE_URL=postgres://saldo@servidor/saldo saldo db restore mudanza.zip',
  )
    .addHelpText('after', RESTORE_HELP)
    .action((file: string, flags: BackupFlags) => runRestore(runtime, resolve(file), flags));

  declareCommand(
    database,
    'stats',
    'qué hay en la base de datos y cuánto ocupa',
    [
      ['--digest', 'también la huella SHA-256 de todos los datos, para compararla con la de otra base'],
      JSON_FLAG,
    ],
    'saldo db stats',
    'saldo db stats --digest --json',
  ).action((flags: { digest?: boolean; json?: boolean }) =>
    withDatabase(runtime, { readOnly: true }, async (opened) => {
      const { readStats } = await import('../server/services/database/stats.ts');
      const stats = await runWithProgressCallback(runtime, (report) => readStats(opened, flags, report));
      runtime.print(flags.json ? formatJson(stats) : describeStats(stats));
    }),
  );
}

const BACKUP_HELP = `
De SQLite es un archivo de base de datos; con --portable, y siempre de PostgreSQL, un zip de líneas JSON.
La copia es de un solo momento, se verifica antes de darle su nombre y no lleva sesiones.
Termina con 0; con 1 si no se pudo, o si lo copiado rompe alguna regla (véase saldo db check).`;

const RESTORE_HELP = `
El servidor tiene que estar detenido. La copia se verifica antes de reemplazar nada, las de versiones
anteriores se ponen al día, y lo que había queda en backups/ de la carpeta de datos. Todos tienen que
volver a entrar.`;

async function runBackup(runtime: Runtime, file: string, flags: BackupFlags): Promise<void> {
  const done = await withDatabase(runtime, { as: flags.as, area: 'admin' }, async (opened) => {
    const { backupDatabase } = await import('../server/services/database/backup.ts');
    return runWithProgressCallback(runtime, (report) =>
      backupDatabase(opened, opened.actor, file, flags, report),
    );
  });
  runtime.print(flags.json ? formatJson(done) : describeBackup(done));
  if (done.unrecorded !== undefined)
    runtime.log(`La copia está en su lugar, pero no se pudo anotar en la bitácora: ${done.unrecorded}`);
  if (done.problems.length > 0) runtime.setExitCode(1);
}

async function runRestore(runtime: Runtime, file: string, flags: BackupFlags): Promise<void> {
  const { restoreDatabase } = await import('../server/services/database/restore.ts');
  const config = await loadConfig(runtime);
  const target = { ...config, root: projectRoot };
  const actor = createCliSystemActor(runtime, config.timeZone);
  const done = await runWithProgressCallback(runtime, (report) =>
    restoreDatabase(target, actor, file, flags, report),
  );
  runtime.print(flags.json ? formatJson(done) : describeRestore(done));
}

function describeBackup({ file, format, bytes, sha256, rows, problems }: BackupResult): string {
  const total = Object.values(rows).reduce((sum, one) => sum + one, 0);
  const kind = format === 'sqlite' ? 'base de datos SQLite' : 'copia portable';
  return joinLines(
    file,
    `  ${kind}, ${formatFileSize(bytes)}, ${formatCount(total)} filas, verificada`,
    `  sha256 ${sha256}`,
    problems.length > 0 &&
      `  La base de datos rompe ${formatCount(problems.length)} reglas: saldo db check dice cuáles.`,
  );
}

const describeRestore = ({ kept, migrations, audit, problems }: RestoreReport): string =>
  joinLines(
    'La copia está en su lugar; todos tienen que volver a entrar.',
    kept && `Lo que había quedó en ${kept}`,
    migrations.length > 0 && `Migraciones: ${migrations.join(', ')}`,
    `Bitácora de la copia: ${formatCount(audit.entries)} asientos; el último, ${audit.lastHash || 'ninguno'}`,
    problems.length > 0 && `Rompe ${formatCount(problems.length)} reglas: saldo db check dice cuáles.`,
  );

function describeStats(stats: DatabaseStats): string {
  const describeCountAndPeriod = ({ count: rows, first, last }: DatabaseStats['invoices']) =>
    `${formatCount(rows)}${first ? `, del ${first} al ${last}` : ''}`;
  const { lastImport, audit, attachments } = stats;
  const facts = [
    ['Base de datos', stats.file ?? 'PostgreSQL'],
    ['Tamaño', formatFileSize(stats.bytes)],
    ...(stats.file ? [['Registro de escritura (WAL)', formatFileSize(stats.walBytes)]] : []),
    ['Migraciones', stats.migrations.join(', ')],
    ['Facturas', describeCountAndPeriod(stats.invoices)],
    ['Pagos', describeCountAndPeriod(stats.payments)],
    ['Total', formatMoney(stats.totalCents)],
    ['Pagado', formatMoney(stats.paidCents)],
    ['Pendiente', formatMoney(stats.pendingCents)],
    ['Archivos', `${formatCount(attachments.files)}, ${formatFileSize(attachments.bytes)}`],
    [
      'Última importación',
      lastImport ? `${lastImport.at}  ${lastImport.kind}: ${lastImport.source}` : 'ninguna',
    ],
    ['Bitácora', `${formatCount(audit.entries)} asientos; el último, ${audit.lastHash || 'ninguno'}`],
    ...(stats.digest ? [['Huella de los datos', stats.digest]] : []),
  ];
  const width = Math.max(...facts.map(([name = '']) => name.length));
  const lines = facts.map(([name = '', value]) => `${name.padEnd(width)}  ${value}\n`).join('');
  const rows = stats.tables.map((table) => [
    table.name,
    formatCount(table.rows),
    formatFileSize(table.bytes),
  ]);
  const other = ['(búsqueda y sesiones)', '', formatFileSize(stats.otherBytes)];
  return `${lines}\n${formatTable(['Tabla', 'Filas', 'Ocupa'], [...rows, other], new Set([1, 2]))}`;
}
