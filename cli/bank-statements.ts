import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Command } from 'commander';
import { fundingSources } from '../shared/catalogs/funding-sources.ts';
import { DomainError } from '../shared/errors.ts';
import { mayEnter } from '../shared/roles.ts';
import { idOf } from './filter-options.ts';
import type { Runtime } from './runtime.ts';
import { formatTable } from './table.ts';
import { withDatabase } from './with-database.ts';

interface LoadOptions {
  origen: string;
  json?: boolean;
  as?: string;
}

export function addBankStatementCommands(program: Command, runtime: Runtime): void {
  const statements = program
    .command('bank')
    .description('los estados de cuenta del banco')
    .addHelpText(
      'after',
      '\nEjemplos:\n  $ saldo bank load noviembre.csv --origen "Banco 1234" --as ana.ruiz\n  $ saldo bank list\n  $ saldo bank show 7',
    );

  statements
    .command('load <archivo>')
    .description('carga un CSV, TSV o XLSX del banco: lo que pagó de las programaciones queda pagado')
    .requiredOption('--origen <origen>', 'origen de recurso de la cuenta: nombre exacto o id')
    .option('--as <quién>', 'en nombre de qué usuario; con el rol 1 o 2')
    .option('--json', 'como un documento JSON')
    .addHelpText('after', LOAD_HELP)
    .action((file: string, options: LoadOptions) => load(runtime, file, options));

  statements
    .command('list')
    .description('los que se cargaron, el último primero')
    .option('--json', 'como un documento JSON')
    .addHelpText('after', '\nEjemplo:\n  $ saldo bank list')
    .action(({ json }: { json?: boolean }) => list(runtime, json));

  statements
    .command('show <id>')
    .description('uno, con sus movimientos y lo que resultó de cada uno')
    .option('--json', 'como un documento JSON')
    .addHelpText('after', '\nEjemplo:\n  $ saldo bank show 7')
    .action((id: string, { json }: { json?: boolean }) => show(runtime, id, json));
}

const LOAD_HELP = `
Ejemplo:
  $ saldo bank load noviembre.csv --origen "Banco 1234" --as ana.ruiz

Un movimiento cuenta una vez: repetir la carga no paga dos veces.`;

const asJson = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

const load = (runtime: Runtime, file: string, { origen, json, as }: LoadOptions): Promise<void> =>
  withDatabase(runtime, { as }, async ({ db, actor }) => {
    const { loadStatementFile } = await import('../server/services/bank-statements/loading.ts');
    const { toLoadedJson } = await import('../server/shapes/bank-statements.ts');
    const { statementTexts } = await import('../shared/bank-statements.ts');
    if (!mayEnter('approval', actor.roles))
      throw new DomainError(
        'forbidden',
        `${actor.username} no puede cargar estados de cuenta: lo hacen los roles 1 y 2.`,
        { remedy: 'act-as' },
      );
    const origenderecursoId = await idOf(db, fundingSources, origen);
    const sent = { origenderecursoId, filename: basename(file), bytes: await readFile(file) };
    const outcome = await loadStatementFile(db, actor, sent);
    if (json) return runtime.print(asJson(toLoadedJson(outcome)));
    runtime.print(`${outcome.statementId}: ${statementTexts.loaded(outcome)}\n`);
  });

const list = (runtime: Runtime, json: boolean | undefined): Promise<void> =>
  withDatabase(runtime, {}, async ({ db, timeZone }) => {
    const { listStatements } = await import('../server/services/bank-statements/reading.ts');
    const { toStatementJson } = await import('../server/shapes/bank-statements.ts');
    const { plainDateIn } = await import('../shared/dates.ts');
    const statements = await listStatements(db);
    if (json) return runtime.print(asJson(statements.map(toStatementJson)));
    runtime.print(
      formatTable(
        ['Id', 'Cargado', 'Por', 'Origen de recurso', 'Archivo'],
        statements.map(({ id, createdAt, username, origenderecursonombre, filename }) => [
          String(id),
          plainDateIn(new Date(createdAt), timeZone),
          fitting(username, 12),
          fitting(origenderecursonombre, 20),
          fitting(filename, 24),
        ]),
        new Set([0]),
      ),
    );
  });

const show = (runtime: Runtime, id: string, json: boolean | undefined): Promise<void> =>
  withDatabase(runtime, {}, async ({ db }) => {
    const { getStatement } = await import('../server/services/bank-statements/reading.ts');
    const { parseId } = await import('../server/shapes/fields.ts');
    const { toFullStatementJson } = await import('../server/shapes/bank-statements.ts');
    const statement = await getStatement(db, parseId(id));
    if (json) return runtime.print(asJson(toFullStatementJson(statement)));
    const { formatMoney } = await import('../shared/money.ts');
    runtime.print(
      formatTable(
        ['Fecha', 'Importe', 'Referencia', 'Resultado', 'Programación', 'Proveedor'],
        statement.movements.map(({ fecha, amountCents, referencia, outcome, batchId, suppliername }) => [
          fecha,
          formatMoney(amountCents),
          fitting(referencia, 12),
          outcome,
          batchId === null ? '' : String(batchId),
          fitting(suppliername ?? '', 16),
        ]),
        new Set([1, 4]),
      ),
    );
  });

/** A line of a table stays within 80 columns; all of a text is in the JSON. */
const fitting = (text: string, width: number): string => {
  const letters = [...text];
  return letters.length > width ? `${letters.slice(0, width - 1).join('')}…` : text;
};
