import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Command } from 'commander';
import { CROSS_CHECK_GROUP_LABELS } from '../server/services/fiscal/labels.ts';
import { formatCount } from '../shared/counts.ts';
import { formatMoney } from '../shared/money.ts';
import { keysOf } from '../shared/record-fields.ts';
import {
  addExamples,
  type CommandOptions,
  createActingUserFlag,
  declareCommand,
  formatJson,
  formatTable,
  JSON_FLAG,
} from './command.ts';
import { parseOutputPath, requireWritable, writeFileAtomically } from './output-file.ts';
import { type Runtime, withDatabase } from './runtime.ts';

/** Reading a file at a terminal may take longer than reading an uploaded file on the server. */
const MAX_READING_SECONDS = 300;

export function addFiscalCommands(fiscal: Command, runtime: Runtime): void {
  const loading = 'saldo fiscal load octubre.zip noviembre.zip --as ana.ruiz';
  const crossing = 'saldo fiscal cruce --mes 2026-11';
  const diot = 'saldo fiscal diot --mes 2026-11 --out diot.txt';
  const listing = 'saldo fiscal 69b Listado_completo_69-B.csv --as ana.ruiz';
  addExamples(fiscal, loading, crossing, listing, diot);

  declareCommand(
    fiscal,
    'load <archivos...>',
    'carga metadatos del SAT (TXT o zip); repetir la carga no cambia nada',
    [createActingUserFlag('fiscal'), JSON_FLAG],
    loading,
  ).action((files: string[], { as, json }: CommandOptions) =>
    withDatabase(runtime, { as, area: 'fiscal' }, async ({ db, actor }) => {
      const { importMetadata } = await import('../server/services/fiscal/import-metadata.ts');
      const { fiscalTexts } = await import('../server/services/fiscal/texts.ts');
      const { metadataOutcomeAnswer } = await import('../server/shapes/fiscal.ts');
      for (const file of files) {
        const sent = { filename: basename(file), bytes: await readFile(file) };
        const outcome = await importMetadata(db, actor, sent, { maxSeconds: MAX_READING_SECONDS });
        if (json) runtime.print(formatJson(metadataOutcomeAnswer.toJson(outcome)));
        else
          for (const text of [fiscalTexts.loaded(outcome), ...outcome.warnings])
            runtime.print(`${sent.filename}: ${text}\n`);
      }
    }),
  );

  declareCommand(
    fiscal,
    '69b <archivo>',
    'carga la lista 69-B del SAT (CSV); sustituye a la anterior si su corte es posterior',
    [createActingUserFlag('fiscal'), JSON_FLAG],
    listing,
  ).action((file: string, { as, json }: CommandOptions) =>
    withDatabase(runtime, { as, area: 'fiscal' }, async ({ db, actor }) => {
      const { importList69b } = await import('../server/services/fiscal/list-69b.ts');
      const { list69bAnswer } = await import('../server/shapes/list-69b.ts');
      const sent = { filename: basename(file), bytes: await readFile(file) };
      const listed = await importList69b(db, actor, sent, { maxSeconds: MAX_READING_SECONDS });
      if (json) return runtime.print(formatJson(list69bAnswer.toJson(listed)));
      const { corte, filas, proveedores, pagadoCents, warnings } = listed;
      const text = `${formatCount(filas)} renglones con corte ${corte}. Proveedores en la lista: ${proveedores.length}. Pagado a definitivos: ${formatMoney(pagadoCents)}.`;
      for (const line of [text, ...warnings]) runtime.print(`${line}\n`);
    }),
  );

  declareCommand(
    fiscal,
    'cruce',
    'los CFDI de un mes según el SAT, junto a lo que hay en Saldo; sus filas las da `saldo export cruce`',
    [['--mes <mes>', 'AAAA-MM; si falta, el de hoy'], JSON_FLAG],
    crossing,
  ).action(({ mes, json }: CommandOptions & { mes?: string }) =>
    withDatabase(runtime, {}, async ({ db, actor }) => {
      const { resolveMonth, requireCrossCheck } = await import('../server/services/fiscal/cross-check.ts');
      const { describeGroupSums } = await import('../server/services/exports/fiscal-cross-check.ts');
      const { monthField, parseShape } = await import('../server/shapes/fields.ts');
      const { crossCheckAnswer } = await import('../server/shapes/fiscal.ts');
      const month = resolveMonth(parseShape(monthField('mes'), mes), actor.today);
      const cross = await requireCrossCheck(db, month);
      if (json) return runtime.print(formatJson(crossCheckAnswer.toJson(cross)));
      const cells = keysOf(CROSS_CHECK_GROUP_LABELS).map((name) => [
        CROSS_CHECK_GROUP_LABELS[name],
        String(cross[name].cuenta),
        formatMoney(cross[name].totalCents),
      ]);
      runtime.print(formatTable(['Grupo', 'CFDI', 'Monto SAT'], cells, new Set([1, 2])));
      runtime.print(`${describeGroupSums(cross)}\n`);
    }),
  );

  declareCommand(
    fiscal,
    'diot',
    'el archivo de la DIOT de un mes; sus filas, y lo que no se reporta, las da `saldo export diot`',
    [
      ['--mes <mes>', 'AAAA-MM; si falta, el de hoy'],
      ['--out <archivo>', 'escribe ahí, entero o nada; sin ella o con -, en la salida'],
      JSON_FLAG,
    ],
    diot,
  ).action(async ({ mes, json, out: path }: CommandOptions & { mes?: string; out?: string }) => {
    const out = parseOutputPath('--out', path);
    if (out !== undefined) await requireWritable(out);
    await withDatabase(runtime, {}, async ({ db, actor }) => {
      const { resolveMonth } = await import('../server/services/fiscal/cross-check.ts');
      const { formatDiotFile, requireDiot } = await import('../server/services/fiscal/diot.ts');
      const { describeDiot } = await import('../server/services/exports/fiscal-diot.ts');
      const { monthField, parseShape } = await import('../server/shapes/fields.ts');
      const { diotAnswer } = await import('../server/shapes/fiscal-returns.ts');
      const read = await requireDiot(db, resolveMonth(parseShape(monthField('mes'), mes), actor.today));
      const text = json ? formatJson(diotAnswer.toJson(read)) : formatDiotFile(read).text;
      if (out === undefined) return runtime.print(text);
      await writeFileAtomically(out, [text]);
      runtime.log(`${out}: ${describeDiot(read)}`);
    });
  });
}
