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
      '\nEjemplos:\n  $ saldo layouts list\n  $ saldo layouts get bbva-spei > bbva-spei.json\n  $ saldo layouts set bbva-spei.json\n  $ saldo layouts confirm bbva-spei 412 --as beto.paz',
    );

  layouts
    .command('list')
    .description('todas, y cuáles son propias')
    .option('--json', 'como un documento JSON')
    .addHelpText('after', '\nEjemplo:\n  $ saldo layouts list')
    .action(({ json }: { json?: boolean }) =>
      withDatabase(runtime, {}, async ({ db }) => {
        const { isConfirmed, readLayouts } = await import('../server/services/bank-files/layouts.ts');
        const list = (await readLayouts(db)).map((stored) => ({
          plantilla: stored.layout.plantilla,
          nombre: stored.layout.nombre,
          banco: stored.layout.banco,
          campos: stored.layout.campos.length,
          propia: stored.own !== undefined,
          sirve: isConfirmed(stored),
          version: stored.own?.version ?? null,
          sha256: stored.sha256,
          autor: stored.own?.author ?? null,
          confirmo: stored.own?.confirmer ?? null,
        }));
        if (json) return runtime.print(`${JSON.stringify(list, null, 2)}\n`);
        runtime.print(
          formatTable(
            ['Plantilla', 'Nombre', 'Banco', 'Campos', 'Versión'],
            list.map((one) => [
              one.plantilla,
              one.nombre,
              one.banco ?? 'cualquiera',
              String(one.campos),
              one.propia ? `propia ${one.version}${one.sirve ? '' : ', espera'}` : 'de fábrica',
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
        runtime.print(layoutText((await getLayout(db, code)).layout));
      }),
    );

  layouts
    .command('set <archivo>')
    .description('guarda una plantilla propia, que sirve cuando otra persona la confirma')
    .option('--as <quién>', 'en nombre de qué usuario; con el rol 3')
    .addHelpText('after', '\nEjemplo:\n  $ saldo layouts set banorte.json')
    .action((file: string, options: { as?: string }) =>
      withDatabase(runtime, options, async ({ db, actor }) => {
        const { isConfirmed, saveLayout } = await import('../server/services/bank-files/layouts.ts');
        const stored = await saveLayout(db, actor, await readFile(file, 'utf8'));
        const waits = isConfirmed(stored) ? '' : `, espera que la confirmen (versión ${stored.own?.version})`;
        runtime.print(`${stored.layout.plantilla}: propia${waits}\n`);
      }),
    );

  layouts
    .command('confirm <plantilla> <version>')
    .description('confirma la versión que «layouts list» dice de una plantilla, cambiada por otra persona')
    .option('--as <quién>', 'en nombre de qué usuario; con el rol 1 o 2')
    .addHelpText('after', '\nEjemplo:\n  $ saldo layouts confirm banorte 412 --as beto.paz')
    .action((code: string, version: string, options: { as?: string }) =>
      withDatabase(runtime, options, async ({ db, actor }) => {
        const { confirmLayout } = await import('../server/services/bank-files/layouts.ts');
        const { parseId } = await import('../server/shapes/fields.ts');
        await confirmLayout(db, actor, { code, version: parseId(version, 'Versión') });
        runtime.print(`${code}: confirmada\n`);
      }),
    );

  layouts
    .command('reset <plantilla>')
    .description('quita la versión propia de una plantilla')
    .option('--as <quién>', 'en nombre de qué usuario; con el rol 3')
    .addHelpText('after', '\nEjemplo:\n  $ saldo layouts reset banorte')
    .action((code: string, options: { as?: string }) =>
      withDatabase(runtime, options, async ({ db, actor }) => {
        const { resetLayout } = await import('../server/services/bank-files/layouts.ts');
        await resetLayout(db, actor, code);
        runtime.print(`${code}: de fábrica\n`);
      }),
    );
}
