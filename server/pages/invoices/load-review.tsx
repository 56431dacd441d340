import type { ReactNode } from 'react';
import type { Db } from '../../../db/schema.ts';
import type { Catalog } from '../../../shared/catalogs/catalog.ts';
import { fundingSources } from '../../../shared/catalogs/funding-sources.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { rubros } from '../../../shared/catalogs/rubros.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { Button, LinkButton } from '../../../shared/ui/Button.tsx';
import { Check } from '../../../shared/ui/Check.tsx';
import { DataTable } from '../../../shared/ui/DataTable.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { AppContext } from '../../http/session.ts';
import type { LoadedPreview } from '../../services/cfdi/loaded-documents.ts';
import type { Load } from '../../services/cfdi/loads.ts';
import { type Usual, usualOf } from '../../services/invoices/usual.ts';
import { fromRow } from '../ui/long-table.tsx';
import { catalogFallback, pickerParts } from '../ui/pickers.ts';
import { firstWrong, renderControls, type Texts } from '../ui/record-fields.tsx';
import { keyOf } from '../ui/record-form.tsx';
import { Source } from './cfdi-confirmation.tsx';
import { FoldedAlerts, foldWarnings } from './load-outcomes.tsx';
import {
  ASKED,
  BOXES,
  chosenBefore,
  DOCUMENTS_ON_PAGE,
  FROM,
  isTicked,
  OFFERED,
  OVER_PROPOSALS,
  type Sent,
} from './load-posted.ts';
import {
  canBeStored,
  columnsOf,
  isLeft,
  isNewInvoice,
  JOB_NAMES,
  nameOf,
  newSuppliers,
  RUBRO_NAMES,
  sayNew,
  sayWhat,
} from './load-rows.tsx';

/**
 * One form for the documents that are to be decided about. Where there are many it shows a part of them, by address,
 * and stores only documents of that part.
 */
export async function renderReview(
  c: AppContext,
  load: Load,
  previews: readonly LoadedPreview[],
  sent?: Sent,
): Promise<ReactNode> {
  const { db } = c.get('deps');
  const rows = previews.toSorted((a, b) => rankOf(load, a) - rankOf(load, b));
  const { from, shown, isPart } = partOf(c, rows);
  const errors = sent?.problem.fields ?? {};
  const before = chosenBefore(c);
  const values: Texts = sent?.form ?? before;
  const focus = firstWrong(ASKED, errors) ?? (sent ? undefined : 'jobId');
  const [job, rubro] = [
    await namedPicker(db, jobs, 'jobId', JOB_NAMES, values),
    await namedPicker(db, rubros, 'rubroId', RUBRO_NAMES, values),
  ];
  const pickers = { jobId: job.parts, rubroId: rubro.parts };
  const controls = await renderControls(db, ASKED, { values, errors, focus, pickers });
  const offered = shown.filter(canBeStored);
  const isAsked = shown.some(isNewInvoice);
  const { idempotencyKey, problem } = keyOf({
    values: { ...values } as Record<string, string>,
    problem: sent?.problem,
  });
  const fresh = newSuppliers(shown);
  const { sentences, isFolded } = foldWarnings(
    previews.map((preview) => [nameOf(preview), preview.outcome.warnings ?? []] as const),
  );
  const usual = await usualOfAll(db, shown);
  const boxes = [
    ...(usual.size > 0 ? [OVER_PROPOSALS] : []),
    ...(fresh.length > 0 ? ['createSupplier'] : []),
  ];
  const isUnsaved = load.outcomes.length > 0 || previews.some((preview) => !canBeStored(preview)) || isPart;
  const partAt = (row: number) => withQuery(pages.load(load.id), { ...before, [FROM]: row });
  return (
    <form
      method="post"
      action={isPart ? partAt(from) : pages.load(load.id)}
      className="stack load-review"
      data-busy=""
      noValidate
    >
      {problem && <Alert tone="error">{problem.message}</Alert>}
      <input type="hidden" name="idempotencyKey" value={idempotencyKey} />
      <input type="hidden" name={OFFERED} value={offered.map(({ upload }) => upload.id).join()} />
      <input type="hidden" name={BOXES} value={boxes.join()} />
      <FoldedAlerts sentences={sentences} />
      <p className="soft">{sayWhat(previews)}</p>
      {isPart && (
        <p>
          Aquí están del {from + 1} al {from + shown.length} de {previews.length}. Guardar guarda los que
          están marcados aquí; los demás siguen por guardar.
        </p>
      )}
      {offered.length > 0 && (
        <div className="fields">
          {isAsked && controls}
          {usual.size > 0 && (
            <div className="wide">
              <Check name={OVER_PROPOSALS} checked={isTicked(values[OVER_PROPOSALS])}>
                También donde se propone otra obra u otro rubro
              </Check>
            </div>
          )}
          {shown.some(({ reading }) => 'receipt' in reading) && (
            <Source
              sources={await catalogFallback(db, fundingSources, values[fundingSources.nameField])}
              values={values as Readonly<Record<string, string>>}
              error={errors.origenderecursoId}
            />
          )}
          {fresh.length > 0 && (
            <div className="wide">
              <Check name="createSupplier" checked={isTicked(values.createSupplier)}>
                {sayNew(fresh)}
              </Check>
            </div>
          )}
        </div>
      )}
      <DataTable
        caption="Documentos por guardar"
        columns={columnsOf({ load, sent, isAsked, isFolded, usual })}
        rows={shown}
        rowKey={({ upload }) => upload.id}
      />
      {isAsked && [job, rubro].map(({ id, names }) => <Names key={id} id={id} names={names} />)}
      <div className="form-actions">
        {offered.length > 0 && <Button look="primary">Guardar</Button>}
        {from > 0 && <LinkButton href={partAt(Math.max(0, from - DOCUMENTS_ON_PAGE))}>Anteriores</LinkButton>}
        {from + shown.length < previews.length && (
          <LinkButton href={partAt(from + shown.length)}>Siguientes</LinkButton>
        )}
        <LinkButton href={pages.loadInvoice} icon="load">
          Cargar más XML
        </LinkButton>
        {isUnsaved && (
          <LinkButton href={pages.loadRejects(load.id)} icon="export" download>
            Descargar lo que no se guarda
          </LinkButton>
        )}
        <LinkButton href={pages.invoices}>Regresar</LinkButton>
      </div>
    </form>
  );
}

/** The documents of one page; where nothing stands at the address any more, the last ones. */
function partOf(c: AppContext, rows: readonly LoadedPreview[]) {
  const isPart = rows.length > DOCUMENTS_ON_PAGE;
  const last = rows.length - 1;
  const from = isPart ? Math.min(fromRow(c, FROM), last - (last % DOCUMENTS_ON_PAGE)) : 0;
  return { from, shown: rows.slice(from, from + DOCUMENTS_ON_PAGE), isPart };
}

/** Letters of names that are offered beside each other: of more, the server alone knows them. */
const MOST_LETTERS = 20_000;

/** A picker that is without script a text field, as those of the documents are: the names stand on the page once. */
async function namedPicker(db: Db, catalog: Catalog, field: string, list: string, values: Texts) {
  const parts = await pickerParts(db, catalog, field, values);
  const { noscript, chosen } = parts;
  const all = 'options' in noscript ? [...new Set(noscript.options.map(({ label }) => label))] : [];
  const names = all.join('').length > MOST_LETTERS ? [] : all;
  const text = { name: catalog.nameField, value: chosen ?? values[catalog.nameField] ?? '', list };
  return { id: list, names, parts: { ...parts, noscript: { ...text, placeholder: catalog.texts.filter } } };
}

const Names = ({ id, names }: { id: string; names: readonly string[] }) => (
  <datalist id={id}>
    {names.map((name) => (
      <option key={name} value={name} />
    ))}
  </datalist>
);

/** By supplier: the obra and rubro that are usual with those that have any. */
async function usualOfAll(db: Db, previews: readonly LoadedPreview[]): Promise<ReadonlyMap<number, Usual>> {
  const usual = new Map<number, Usual>();
  const ids = new Set(previews.filter(isNewInvoice).map(({ supplier }) => supplier?.id));
  for (const id of ids) {
    const found = id === undefined ? undefined : await usualOf(db, id);
    if (found?.job || found?.rubro) usual.set(id!, found);
  }
  return usual;
}

/** Refused documents come first. Notes and receipts come after invoices, so that no part needs a later one. */
function rankOf(load: Load, preview: LoadedPreview): number {
  const { outcome, linked, kind } = preview.outcome;
  if (outcome === 'refused') return 0;
  if (outcome === 'unchanged') return 5;
  if (isLeft(load, preview)) return 6;
  if (kind !== 'I') return 4;
  if (linked) return 1;
  return outcome === 'warned' ? 2 : 3;
}
