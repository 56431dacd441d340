import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Command } from 'commander';
import {
  bankStatementTexts,
  describeBankStatementBalance,
  describeResolution,
  MOVEMENT_CLASSES,
} from '../shared/bank-statements.ts';
import { fundingSources } from '../shared/catalogs/funding-sources.ts';
import { parsePlainDate, plainDateIn } from '../shared/dates.ts';
import { DomainError } from '../shared/errors.ts';
import { formatMoney, parseMoney } from '../shared/money.ts';
import { mayEnter } from '../shared/roles.ts';
import {
  addExamples,
  type CommandOptions,
  createActingUserFlag,
  createRequiredOption,
  declareCommand,
  formatJson,
  formatTable,
  JSON_FLAG,
  truncate,
} from './command.ts';
import { getRowId } from './filter-options.ts';
import { type Runtime, withDatabase } from './runtime.ts';

type StatementLoadOptions = CommandOptions & { origen: string; cuenta?: string; saldoFinal?: string };

export function addBankStatementCommands(bank: Command, runtime: Runtime): void {
  const loading = 'saldo bank load noviembre.csv --origen "Banco 1234" --as ana.ruiz';
  addExamples(bank, loading, 'saldo bank list', 'saldo bank show 7');

  declareCommand(
    bank,
    'load <archivo>',
    'carga un CSV, TSV, TXT o XLSX del banco: lo que pagó de las programaciones queda pagado',
    [
      createRequiredOption('--origen <origen>', 'origen de recurso de la cuenta: nombre exacto o id'),
      ['--cuenta <número>', 'cuál, de un archivo que trae varias cuentas'],
      ['--saldo-final <cantidad>', 'con que termina, si el archivo no trae una columna de saldos'],
      createActingUserFlag('approval'),
      JSON_FLAG,
    ],
    loading,
  )
    .addHelpText('after', '\nUn movimiento cuenta una vez: repetir la carga no paga dos veces.')
    .action((file: string, { origen, cuenta, saldoFinal, json, as }: StatementLoadOptions) =>
      withDatabase(runtime, { as }, async ({ db, actor }) => {
        const { importBankStatementFile } = await import(
          '../server/services/bank-statements/import-statement.ts'
        );
        const { importedBankStatementAnswer } = await import('../server/shapes/bank-statements.ts');
        if (!mayEnter('approval', actor.roles))
          throw new DomainError(
            'forbidden',
            `${actor.username} no puede cargar estados de cuenta: lo hacen los roles 1 y 2.`,
            { remedy: 'act-as' },
          );
        const origenderecursoId = await getRowId(db, fundingSources, origen);
        const saldofinalCents = saldoFinal === undefined ? null : parseMoney(saldoFinal, 'Saldo final');
        const input = {
          origenderecursoId,
          cuenta,
          saldofinalCents,
          filename: basename(file),
          bytes: await readFile(file),
        };
        const outcome = await importBankStatementFile(db, actor, input);
        if (json) return runtime.print(formatJson(importedBankStatementAnswer.toJson(outcome)));
        const lines = [`${outcome.statementId}: ${bankStatementTexts.loaded(outcome)}`, ...outcome.warnings];
        runtime.print(`${lines.join('\n')}\n`);
      }),
    );

  declareCommand(
    bank,
    'list',
    'los que se cargaron, el último primero',
    [['--limit <cuántos>', 'cuántos de los últimos, hasta 1000; sin ella, 20'], JSON_FLAG],
    'saldo bank list --limit 100',
  ).action(({ json, limit: asked }: CommandOptions & { limit?: string }) =>
    withDatabase(runtime, {}, async ({ db, timeZone }) => {
      const { countBankStatements, listBankStatements } = await import(
        '../server/services/bank-statements/reading.ts'
      );
      const { bankStatementAnswer } = await import('../server/shapes/bank-statements.ts');
      const { limitField, parseShape } = await import('../server/shapes/fields.ts');
      const statements = await listBankStatements(db, parseShape(limitField, asked));
      const count = await countBankStatements(db);
      if (statements.length < count)
        runtime.log(`Se muestran los últimos ${statements.length} de ${count}; con --limit, más.`);
      if (json) return runtime.print(formatJson(statements.map(bankStatementAnswer.toJson)));
      const rows = statements.map(({ id, createdAt, username, origenderecursonombre, filename }) => [
        String(id),
        plainDateIn(new Date(createdAt), timeZone),
        truncate(username, 12),
        truncate(origenderecursonombre, 20),
        truncate(filename, 24),
      ]);
      const headings = ['Id', 'Cargado', 'Por', 'Origen de recurso', 'Archivo'];
      runtime.print(formatTable(headings, rows, new Set([0])));
    }),
  );

  declareCommand(
    bank,
    'show <id>',
    'uno, con sus movimientos y lo que resultó de cada uno',
    [JSON_FLAG],
    'saldo bank show 7',
  ).action((id: string, { json }: CommandOptions) =>
    withDatabase(runtime, {}, async ({ db }) => {
      const { getBankStatement } = await import('../server/services/bank-statements/reading.ts');
      const { parseId } = await import('../server/shapes/fields.ts');
      const { fullBankStatementAnswer } = await import('../server/shapes/bank-statements.ts');
      const statement = await getBankStatement(db, parseId(id));
      if (json) return runtime.print(formatJson(fullBankStatementAnswer.toJson(statement)));
      const balance = describeBankStatementBalance(statement);
      if (balance) runtime.print(`${balance}\n`);
      const rows = statement.movements.map((movement) => [
        movement.fecha,
        formatMoney(movement.amountCents),
        truncate(movement.referencia, 12),
        movement.outcome,
        String(movement.batchId ?? ''),
        truncate(movement.suppliername ?? '', 16),
      ]);
      const headings = ['Fecha', 'Importe', 'Referencia', 'Resultado', 'Programación', 'Proveedor'];
      runtime.print(formatTable(headings, rows, new Set([1, 4])));
    }),
  );

  declareCommand(
    bank,
    'movements',
    'los movimientos del banco, con lo que los resolvió',
    [
      ['--origen <origen>', 'origen de recurso de la cuenta: nombre exacto o id'],
      ['--from <fecha>', 'desde qué día'],
      ['--to <fecha>', 'hasta qué día'],
      ['--open', 'solo los abiertos'],
      JSON_FLAG,
    ],
    'saldo bank movements --origen "Banco 1234" --open',
  ).action(({ origen, from, to, open, json }: ListMovementsOptions) =>
    withDatabase(runtime, {}, async ({ db }) => {
      const { searchMovements } = await import('../server/services/bank-statements/reading.ts');
      const { movementAnswer } = await import('../server/shapes/bank-statements.ts');
      const { rows } = await searchMovements(db, {
        origenderecursoId: origen === undefined ? undefined : await getRowId(db, fundingSources, origen),
        desde: from === undefined ? undefined : parsePlainDate(from, '--from'),
        hasta: to === undefined ? undefined : parsePlainDate(to, '--to'),
        abierto: open,
        limit: MAX_LISTED_MOVEMENTS,
      });
      if (json) return runtime.print(formatJson(rows.map(movementAnswer.toJson)));
      const lines = rows.map((movement) => [
        String(movement.id),
        movement.fecha,
        formatMoney(movement.amountCents),
        truncate(`${movement.referencia} ${movement.descripcion}`.trim(), 32),
        truncate(describeResolution(movement), 28),
      ]);
      runtime.print(formatTable(['Id', 'Fecha', 'Importe', 'Dice', 'Resultado'], lines, new Set([0, 2])));
    }),
  );

  declareCommand(
    bank,
    'resolve <id>',
    'resuelve un movimiento abierto: con pagos, con facturas, o con lo que es',
    [
      ['--payments <ids>', 'los pagos ya capturados que suman lo que él, separados por comas'],
      ['--invoices <ids>', 'las facturas que pagó, separadas por comas: de cada una, lo que se debe'],
      ['--class <clase>', `qué es: ${MOVEMENT_CLASSES.join(', ')}`],
      ['--always <texto>', 'con --class: nombra así lo que lo diga en esta cuenta, ahora y en cada carga'],
      createActingUserFlag('approval'),
      JSON_FLAG,
    ],
    'saldo bank resolve 12 --class comision --always "COMISION" --as ana.ruiz',
  ).action((id: string, options: ResolveMovementOptions) =>
    withDatabase(runtime, options, async ({ db, actor }) => {
      const { resolveMovement } = await import('../server/services/bank-statements/resolving.ts');
      const { resolvedMovementAnswer, resolveMovementShape, toResolutionInput } = await import(
        '../server/shapes/bank-statements.ts'
      );
      const { parseId, parseShape } = await import('../server/shapes/fields.ts');
      const body = parseShape(resolveMovementShape, {
        pagos: options.payments?.split(','),
        facturas: options.invoices?.split(',').map((facturaproveedorId) => ({ facturaproveedorId })),
        clase: options.class,
        siempre: options.always,
      });
      const resolved = await resolveMovement(db, actor, parseId(id), toResolutionInput(body));
      if (options.json) return runtime.print(formatJson(resolvedMovementAnswer.toJson(resolved)));
      const lines = [
        bankStatementTexts.resolved(resolved.movement, resolved.classifiedCount),
        ...resolved.warnings,
      ];
      runtime.print(`${lines.join('\n')}\n`);
    }),
  );
}

const MAX_LISTED_MOVEMENTS = 100_000;

interface ListMovementsOptions extends CommandOptions {
  origen?: string;
  from?: string;
  to?: string;
  open?: boolean;
}

interface ResolveMovementOptions extends CommandOptions {
  payments?: string;
  invoices?: string;
  class?: string;
  always?: string;
}

export function addBankLayoutCommands(layouts: Command, runtime: Runtime): void {
  const confirming = 'saldo layouts confirm bbva-spei 412 --as beto.paz';
  addExamples(
    layouts,
    'saldo layouts list',
    'saldo layouts get bbva-spei > bbva-spei.json',
    'saldo layouts set bbva-spei.json',
    confirming,
  );
  declareCommand(layouts, 'list', 'todas, y cuáles son propias', [JSON_FLAG], 'saldo layouts list').action(
    ({ json }: CommandOptions) =>
      withDatabase(runtime, {}, async ({ db }) => {
        const { isConfirmed, readLayouts } = await import('../server/services/bank-files/layouts.ts');
        const list = (await readLayouts(db)).map((stored) => ({
          plantilla: stored.layout.plantilla,
          nombre: stored.layout.nombre,
          banco: stored.layout.banco,
          campos: stored.layout.campos.length,
          propia: stored.customization !== undefined,
          sirve: isConfirmed(stored),
          version: stored.customization?.version ?? null,
          sha256: stored.sha256,
          autor: stored.customization?.author ?? null,
          confirmo: stored.customization?.confirmer ?? null,
        }));
        if (json) return runtime.print(formatJson(list));
        const rows = list.map((one) => [
          one.plantilla,
          one.nombre,
          one.banco ?? 'cualquiera',
          String(one.campos),
          one.propia ? `propia ${one.version}${one.sirve ? '' : ', espera'}` : 'de fábrica',
        ]);
        runtime.print(formatTable(['Plantilla', 'Nombre', 'Banco', 'Campos', 'Versión'], rows));
      }),
  );

  declareCommand(
    layouts,
    'get <plantilla>',
    'una plantilla como JSON, un campo por renglón',
    [],
    'saldo layouts get banorte > banorte.json',
  ).action((code: string) =>
    withDatabase(runtime, {}, async ({ db }) => {
      const { getLayout } = await import('../server/services/bank-files/layouts.ts');
      const { formatLayout } = await import('../server/formats/bank-files/layout.ts');
      runtime.print(formatLayout((await getLayout(db, code)).layout));
    }),
  );

  declareCommand(
    layouts,
    'set <archivo>',
    'guarda una plantilla propia, que sirve cuando otra persona la confirma',
    [createActingUserFlag('admin')],
    'saldo layouts set banorte.json',
  ).action((file: string, options: CommandOptions) =>
    withDatabase(runtime, options, async ({ db, actor }) => {
      const { isConfirmed, saveLayout } = await import('../server/services/bank-files/layouts.ts');
      const stored = await saveLayout(db, actor, await readFile(file, 'utf8'));
      const status = isConfirmed(stored)
        ? ''
        : `, espera que la confirmen (versión ${stored.customization?.version})`;
      runtime.print(`${stored.layout.plantilla}: propia${status}\n`);
    }),
  );

  declareCommand(
    layouts,
    'confirm <plantilla> <version>',
    'confirma la versión que «layouts list» dice de una plantilla, cambiada por otra persona',
    [createActingUserFlag('approval')],
    'saldo layouts confirm banorte 412 --as beto.paz',
  ).action((code: string, version: string, options: CommandOptions) =>
    withDatabase(runtime, options, async ({ db, actor }) => {
      const { confirmLayout } = await import('../server/services/bank-files/layouts.ts');
      const { parseId } = await import('../server/shapes/fields.ts');
      await confirmLayout(db, actor, { code, version: parseId(version, 'Versión') });
      runtime.print(`${code}: confirmada\n`);
    }),
  );

  declareCommand(
    layouts,
    'reset <plantilla>',
    'quita la versión propia de una plantilla',
    [createActingUserFlag('admin')],
    'saldo layouts reset banorte',
  ).action((code: string, options: CommandOptions) =>
    withDatabase(runtime, options, async ({ db, actor }) => {
      const { resetLayout } = await import('../server/services/bank-files/layouts.ts');
      await resetLayout(db, actor, code);
      runtime.print(`${code}: de fábrica\n`);
    }),
  );
}
