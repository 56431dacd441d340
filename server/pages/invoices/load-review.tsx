import type { ReactNode } from 'react';
import type { Db } from '../../../db/schema.ts';
import { fundingSources } from '../../../shared/catalogs/funding-sources.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { rubros } from '../../../shared/catalogs/rubros.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { Button, LinkButton } from '../../../shared/ui/Button.tsx';
import { Check } from '../../../shared/ui/Check.tsx';
import { DataTable } from '../../../shared/ui/DataTable.tsx';
import { pages } from '../../../shared/urls.ts';
import type { AppContext } from '../../http/session.ts';
import { catalogNames } from '../../services/catalogs/reading.ts';
import type { LoadedPreview } from '../../services/cfdi/loading-many.ts';
import type { Load } from '../../services/cfdi/loads.ts';
import { type Usual, usualOf } from '../../services/invoices/usual.ts';
import { catalogFallback, MOST_OPTIONS } from '../ui/pickers.ts';
import { firstWrong, renderControls, type Texts } from '../ui/record-fields.tsx';
import { keyOf } from '../ui/record-form.tsx';
import { Source } from './cfdi-confirmation.tsx';
import { FoldedAlerts, foldWarnings } from './load-outcomes.tsx';
import { ASKED, OVER_PROPOSALS, type Sent } from './load-posted.ts';
import { columnsOf, JOB_NAMES, nameOf, RUBRO_NAMES } from './load-rows.tsx';
import { canBeStored, isNewInvoice, newSuppliers, sayNew, sayWhat } from './load-words.ts';

/** One form for all documents that are to be decided about: what each is, what will become of it, where its cost goes. */
export async function renderReview(
  c: AppContext,
  load: Load,
  previews: readonly LoadedPreview[],
  sent?: Sent,
): Promise<ReactNode> {
  const { db } = c.get('deps');
  const errors = sent?.problem.fields ?? {};
  const values: Texts = sent?.form ?? { fecharecepcion: c.get('today') };
  const focus = firstWrong(ASKED, errors) ?? (sent ? undefined : 'jobId');
  const controls = await renderControls(db, ASKED, { values, errors, focus });
  const rows = previews.toSorted((a, b) => rankOf(a) - rankOf(b));
  const isStorable = previews.filter(canBeStored);
  const isAsked = previews.some(isNewInvoice);
  const { idempotencyKey, problem } = keyOf({
    values: { ...values } as Record<string, string>,
    problem: sent?.problem,
  });
  const fresh = newSuppliers(previews);
  const { sentences, isFolded } = foldWarnings(
    previews.map((preview) => [nameOf(preview), preview.outcome.warnings ?? []] as const),
  );
  const usual = await usualOfAll(db, previews);
  const isUnsaved = load.outcomes.length > 0 || isStorable.length < previews.length;
  return (
    <form method="post" action={pages.load(load.id)} className="stack load-review" data-busy="" noValidate>
      {problem && <Alert tone="error">{problem.message}</Alert>}
      <input type="hidden" name="idempotencyKey" value={idempotencyKey} />
      <FoldedAlerts sentences={sentences} />
      <p className="soft">{sayWhat(previews)}</p>
      {isStorable.length > 0 && (
        <div className="fields">
          {isAsked && Object.values(controls)}
          {usual.size > 0 && (
            <div className="wide">
              <Check name={OVER_PROPOSALS} checked={values[OVER_PROPOSALS] !== undefined}>
                También donde se propone otra obra u otro rubro
              </Check>
            </div>
          )}
          {previews.some(({ reading }) => 'receipt' in reading) && (
            <Source
              sources={await catalogFallback(db, fundingSources, values[fundingSources.nameField])}
              values={values as Readonly<Record<string, string>>}
              error={errors.origenderecursoId}
            />
          )}
          {fresh.length > 0 && (
            <div className="wide">
              <Check name="createSupplier" checked={!sent || values.createSupplier !== undefined}>
                {sayNew(fresh)}
              </Check>
            </div>
          )}
        </div>
      )}
      <DataTable
        caption="Documentos por guardar"
        columns={columnsOf({ load, sent, isAsked, isFolded, usual })}
        rows={rows}
        rowKey={({ upload }) => upload.id}
      />
      {isAsked && (
        <>
          <Names id={JOB_NAMES} names={await catalogNames(db, jobs, MOST_OPTIONS)} />
          <Names id={RUBRO_NAMES} names={await catalogNames(db, rubros, MOST_OPTIONS)} />
        </>
      )}
      <div className="form-actions">
        {isStorable.length > 0 && <Button look="primary">Guardar</Button>}
        <LinkButton href={pages.loadInvoice} icon="load">
          Cargar más
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

/** What may be typed into a document's own field; beyond 500 the server alone knows the names. */
function Names({ id, names }: { id: string; names: readonly { label: string }[] | undefined }) {
  if (!names) return null;
  return (
    <datalist id={id}>
      {[...new Set(names.map(({ label }) => label))].map((label) => (
        <option key={label} value={label} />
      ))}
    </datalist>
  );
}

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

/** What wants a look comes first. */
function rankOf(preview: LoadedPreview): number {
  const { outcome, linked } = preview.outcome;
  if (outcome === 'refused') return 0;
  if (outcome === 'unchanged') return 4;
  if (linked) return 1;
  return outcome === 'warned' ? 2 : 3;
}
