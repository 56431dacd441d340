import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { Anchor, AnchorCheck } from '../server/services/audit/anchors.ts';
import type { Runtime } from './runtime.ts';
import { withDatabase } from './with-database.ts';

interface AnchorOptions {
  check?: string;
  send?: boolean;
  json?: boolean;
}

export function addAnchorCommand(database: Command, runtime: Runtime): void {
  database
    .command('anchor')
    .description('dice cómo termina la bitácora, para anotarlo fuera de la máquina, o compara lo anotado')
    .option('--check <archivo>', 'compara la bitácora con las anclas de un archivo')
    .option('--send', 'la pone además donde dice SALDO_ANCHOR')
    .option('--json', 'como un documento JSON')
    .addHelpText('after', ANCHOR_HELP)
    .action((options: AnchorOptions) =>
      withDatabase(runtime, { reading: true }, async ({ db }) => {
        const { checkAnchors, parseAnchors, readAnchor } = await import(
          '../server/services/audit/anchors.ts'
        );
        if (options.check !== undefined) {
          const result = await checkAnchors(db, parseAnchors(readFileSync(options.check, 'utf8')));
          runtime.print(options.json ? `${JSON.stringify(result, null, 2)}\n` : describe(result));
          if (result.departing || result.fault) runtime.setExitCode(1);
          return;
        }
        const anchor = await readAnchor(db, runtime.now().toISOString());
        if (options.send) await sendAnchor(runtime, anchor);
        runtime.print(
          options.json
            ? `${JSON.stringify(anchor)}\n`
            : `${anchor.entries} asientos; el último, ${anchor.hash || 'ninguno'}\n`,
        );
      }),
    );
}

const ANCHOR_HELP = `
Ejemplos:
  $ saldo db anchor
  $ saldo db anchor --json >> /media/usb/anclas.jsonl
  $ saldo db anchor --check /media/usb/anclas.jsonl

Con SALDO_ANCHOR (un archivo o una dirección) el servidor la anota cada noche por sí mismo.
Quien tiene la base de datos en sus manos puede rehacer toda la bitácora, pero no de modo que
coincida con lo que se anotó fuera. Termina con 1 donde ya no coincide.`;

async function sendAnchor(runtime: Runtime, anchor: Anchor): Promise<void> {
  const { readConfig } = await import('../server/config.ts');
  const { projectRoot } = await import('../server/root.ts');
  const { putAnchor } = await import('../server/services/audit/anchoring.ts');
  const { DomainError } = await import('../shared/errors.ts');
  const { anchor: place } = readConfig(runtime.env, projectRoot, { secret: false });
  if (!place)
    throw new DomainError('invalid', 'SALDO_ANCHOR no dice dónde: se espera un archivo o una dirección.', {
      code: 'bad_configuration',
    });
  const problem = await putAnchor(place, anchor);
  const where = 'file' in place ? place.file : place.url;
  if (problem !== null) throw new DomainError('conflict', `El ancla no llegó a ${where}: ${problem}.`);
  runtime.log(`Anotada en ${where}.`);
}

function describe({ agreeing, last, departing, fault }: AnchorCheck): string {
  const lines = [
    agreeing === 1 ? 'Una ancla coincide con la bitácora.' : `${agreeing} anclas coinciden con la bitácora.`,
  ];
  if (last) lines.push(`Hasta el asiento ${last.entries} es la que se anotó el ${last.at}.`);
  if (departing) {
    const { entries, at, hash, now } = departing;
    const since = last ? `después del asiento ${last.entries}` : 'desde su principio';
    lines.push(
      now === null
        ? `Faltan asientos: el ${at} eran ${entries}.`
        : `El asiento ${entries} ya no es el que se anotó el ${at} (${hash}): hoy es ${now}.`,
      `La bitácora se rehízo ${since}.`,
    );
  }
  if (fault) lines.push(`La cadena se rompe en el asiento ${fault.id}: ${fault.problem}.`);
  return `${lines.join('\n')}\n`;
}
