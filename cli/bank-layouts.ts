import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { Runtime } from './runtime.ts';
import { formatTable } from './table.ts';
import { withDatabase } from './with-database.ts';

export function addBankLayoutCommands(program: Command, runtime: Runtime): void {
  const layouts = program
    .command('layouts')
    .description('las plantillas de los archivos para el banco')
    .addHelpText(
      'after',
      '\nEjemplos:\n  $ saldo layouts list\n  $ saldo layouts get bbva-spei > bbva-spei.json\n  $ saldo layouts set bbva-spei.json',
    );

  layouts
    .command('list')
    .description('todas, y cuáles son propias')
    .option('--json', 'como un documento JSON')
    .addHelpText('after', '\nEjemplo:\n  $ saldo layouts list')
    .action(({ json }: { json?: boolean }) =>
      withDatabase(runtime, {}, async ({ db }) => {
        const { readLayouts } = await import('../server/services/bank-files/layouts.ts');
        const list = (await readLayouts(db)).map(
          ({ layout: { plantilla, nombre, banco, campos }, changedAt }) => ({
            plantilla,
            nombre,
            banco,
            campos: campos.length,
            propia: changedAt !== null,
          }),
        );
        if (json) return runtime.print(`${JSON.stringify(list, null, 2)}\n`);
        runtime.print(
          formatTable(
            ['Plantilla', 'Nombre', 'Banco', 'Campos', 'Versión'],
            list.map((one) => [
              one.plantilla,
              one.nombre,
              one.banco ?? 'cualquiera',
              String(one.campos),
              one.propia ? 'propia' : 'de fábrica',
            ]),
          ),
        );
      }),
    );

  layouts
    .command('get <plantilla>')
    .description('una plantilla como JSON, un campo por renglón')
    .addHelpText('after', '\nEjemplo:\n  $ saldo layouts get banorte > banorte.json')
    .action((code: string) =>
      withDatabase(runtime, {}, async ({ db }) => {
        const { getLayout } = await import('../server/services/bank-files/layouts.ts');
        const { layoutText } = await import('../server/formats/bank-files/layout.ts');
        runtime.print(layoutText(await getLayout(db, code)));
      }),
    );

  layouts
    .command('set <archivo>')
    .description('guarda una plantilla propia; con un nombre conocido toma el lugar de esa')
    .option('--as <quién>', 'en nombre de qué usuario')
    .addHelpText('after', '\nEjemplo:\n  $ saldo layouts set banorte.json')
    .action((file: string, options: { as?: string }) =>
      withDatabase(runtime, options, async ({ db, actor }) => {
        const { saveLayout } = await import('../server/services/bank-files/layouts.ts');
        const { plantilla } = await saveLayout(db, actor, await readFile(file, 'utf8'));
        runtime.print(`${plantilla}: propia\n`);
      }),
    );

  layouts
    .command('reset <plantilla>')
    .description('quita la versión propia de una plantilla')
    .option('--as <quién>', 'en nombre de qué usuario')
    .addHelpText('after', '\nEjemplo:\n  $ saldo layouts reset banorte')
    .action((code: string, options: { as?: string }) =>
      withDatabase(runtime, options, async ({ db, actor }) => {
        const { resetLayout } = await import('../server/services/bank-files/layouts.ts');
        await resetLayout(db, actor, code);
        runtime.print(`${code}: de fábrica\n`);
      }),
    );
}
