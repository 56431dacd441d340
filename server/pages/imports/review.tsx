import type { ReactNode } from 'react';
import type { Db } from '../../../db/schema.ts';
import { pluralize } from '../../../shared/counts.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { pages } from '../../../shared/urls.ts';
import { fieldsOf } from '../../formats/tables/fields.ts';
import { describeHiddenRowsAndColumns, type RawTable } from '../../formats/tables/table.ts';
import { type AppContext, actorOf } from '../../http/session.ts';
import { readCatalogOptions } from '../../services/catalogs/reading.ts';
import type { RowResult } from '../../services/imports/import-run.ts';
import { MAX_SELECT_OPTIONS } from '../ui/pickers.ts';
import { ColumnsForm } from './columns.tsx';
import { findReferencedCatalog, ROW_NOUN } from './kinds.ts';
import type { NameOptionsByField } from './missing-fields.tsx';
import { hasOpenQuestions, importUpload, type PlannedUpload } from './plan.ts';
import { ImportPreview, MAX_PREVIEW_ROWS } from './preview.tsx';
import type { ImportQuery } from './query.ts';

export async function renderReviewBody(
  c: AppContext,
  plannedUpload: PlannedUpload,
  query: ImportQuery,
): Promise<ReactNode> {
  const { db } = c.get('deps');
  const { upload, table, plan } = plannedUpload;
  return (
    <>
      <p className="note">
        {[describeFile(table), ...describeHiddenRowsAndColumns(table, plan)].join(' · ')}
      </p>
      <OpenQuestions plannedUpload={plannedUpload} />
      <ColumnsForm
        plannedUpload={plannedUpload}
        query={query}
        action={pages.importUpload(upload.id)}
        optionsByField={await readChoicesByField(db, plannedUpload)}
      />
      {!hasOpenQuestions(plannedUpload) && (
        <ImportPreview
          id={upload.id}
          query={query}
          {...(await runDryImport(c, plannedUpload, query))}
          idempotencyKey={crypto.randomUUID()}
        />
      )}
    </>
  );
}

function OpenQuestions({ plannedUpload: { plan, duplicateLabels } }: { plannedUpload: PlannedUpload }) {
  const open = plan.questions.length + plan.missingFields.length + duplicateLabels.length;
  if (open === 0) return null;
  return (
    <Alert tone="warning" isDismissible={false} heading="Falta decidir">
      <ul>
        {plan.missingFields.map((label) => (
          <li key={label}>{`Ninguna columna trae «${label}», y cada fila lo necesita.`}</li>
        ))}
        {plan.questions.map(({ field, question }) => (
          <li key={field + question}>{question}</li>
        ))}
        {duplicateLabels.map((label) => (
          <li key={label}>{`Dos columnas se toman como «${label}»: deja una.`}</li>
        ))}
      </ul>
    </Alert>
  );
}

/** "584 filas · CSV, UTF-8, separado por punto y coma · no son datos: 2 renglones en blanco, 1 total". */
function describeFile({ format, encoding, delimiter, sheet, rows, skipped }: RawTable): string {
  const how =
    format === 'xlsx'
      ? ['Excel', sheet && `hoja «${sheet}»`]
      : ['CSV', encoding && ENCODINGS[encoding], delimiter && `separado por ${DELIMITERS[delimiter]}`];
  const counts = new Map<string, number>();
  for (const { why } of skipped) if (why !== 'hidden') counts.set(why, (counts.get(why) ?? 0) + 1);
  const skippedTexts = [...counts].map(([why, count]) => {
    const [one, many] = SKIPPED_ROW_NOUNS[why as keyof typeof SKIPPED_ROW_NOUNS];
    return pluralize(count, one, many);
  });
  return [
    pluralize(rows.length, ...ROW_NOUN),
    how.filter(Boolean).join(', '),
    skippedTexts.length > 0 && `no son datos: ${skippedTexts.join(', ')}`,
  ]
    .filter(Boolean)
    .join(' · ');
}

const ENCODINGS = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
  'windows-1252': 'Windows-1252',
};
const DELIMITERS = { ',': 'coma', ';': 'punto y coma', '\t': 'tabulador', '|': 'barra' };
const SKIPPED_ROW_NOUNS = {
  blank: ['renglón en blanco', 'renglones en blanco'],
  total: ['renglón de totales', 'renglones de totales'],
  title: ['renglón de título', 'renglones de título'],
  header: ['encabezado repetido', 'encabezados repetidos'],
  note: ['nota al pie', 'notas al pie'],
} as const;

async function readChoicesByField(db: Db, { plan }: PlannedUpload): Promise<NameOptionsByField> {
  const mapped = new Set(plan.columns.map(({ field }) => field));
  const choices: Record<string, readonly string[]> = {};
  for (const { name } of fieldsOf(plan.kind)) {
    const catalog = mapped.has(name) ? undefined : findReferencedCatalog(plan.kind, name);
    if (!catalog) continue;
    const names = await readCatalogOptions(db, catalog, MAX_SELECT_OPTIONS);
    if (names && names.length > 0) choices[name] = [...new Set(names.map(({ label }) => label))];
  }
  return choices;
}

async function runDryImport(c: AppContext, plannedUpload: PlannedUpload, query: ImportQuery) {
  const { db } = c.get('deps');
  const first: RowResult[] = [];
  const outcome = await importUpload(db, actorOf(c), plannedUpload, query, {
    dryRun: true,
    signal: c.req.raw.signal,
    onResult: (row) => {
      if (first.length < MAX_PREVIEW_ROWS) first.push(row);
    },
  });
  return { outcome, first };
}
