import type { ReactNode } from 'react';
import type { Db } from '../../../db/schema.ts';
import { fundingSources } from '../../../shared/catalogs/funding-sources.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { rubros } from '../../../shared/catalogs/rubros.ts';
import { counted } from '../../../shared/counts.ts';
import { formatMoney } from '../../../shared/money.ts';
import { plainText } from '../../../shared/remarks.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { Button, LinkButton } from '../../../shared/ui/Button.tsx';
import { Check } from '../../../shared/ui/Check.tsx';
import { DataTable } from '../../../shared/ui/DataTable.tsx';
import { Leave } from '../../../shared/ui/Leave.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { AppContext } from '../../http/session.ts';
import type { Load } from '../../services/documents/loads.ts';
import type { LoadedPreview } from '../../services/documents/many.ts';
import type { CfdiOutcome } from '../../services/documents/outcomes.ts';
import { type Usual, usualOf } from '../../services/invoices/usual.ts';
import { fromRow } from '../ui/long-table.tsx';
import { catalogFallback } from '../ui/pickers.ts';
import { firstWrong, renderControls, type Texts } from '../ui/record-fields.tsx';
import { keyOf } from '../ui/record-form.tsx';
import { HiddenFields } from '../ui/step-form.tsx';
import { Names, namedPicker, type PlacedDocument, placeColumn } from './many-places.tsx';
import {
  ASKED_OF_MANY,
  CHOSEN,
  chosenBefore,
  DOCUMENTS_ON_PAGE,
  FROM,
  OFFERED,
  OVER_PROPOSALS,
  type Sent,
} from './posted.ts';
import { documentColumns, nameOf, Source, sayNewSuppliers, sharedRemarks, Warnings } from './rows.tsx';

/** A document to be decided about. */
interface Row extends PlacedDocument {
  canBeStored: boolean;
  /** seen once and not ticked */
  isLeft: boolean;
}

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
  const rows = (await rowsOf(db, load, previews)).toSorted((a, b) => rankOf(a) - rankOf(b));
  const { from, shown, isPart } = partOf(c, rows);
  const errors = sent?.problem.fields ?? {};
  const before = chosenBefore(c);
  const values: Texts = sent?.form ?? before;
  const focus = firstWrong(ASKED_OF_MANY, errors) ?? (sent ? undefined : 'jobId');
  const job = await namedPicker(db, jobs, 'jobId', values);
  const rubro = await namedPicker(db, rubros, 'rubroId', values);
  const pickers = { jobId: job.parts, rubroId: rubro.parts };
  const controls = await renderControls(db, ASKED_OF_MANY, { values, errors, focus, pickers });
  const offered = shown.filter(({ canBeStored }) => canBeStored);
  const fresh = new Set(shown.flatMap(({ isNewSupplier, emisor = '' }) => (isNewSupplier ? emisor : [])));
  const asks = {
    place: shown.some(({ isNewInvoice }) => isNewInvoice),
    over: shown.some(({ usual }) => usual),
    supplier: fresh.size > 0,
    source: shown.some(({ kind, canBeStored }) => kind === 'P' && canBeStored),
  };
  const { idempotencyKey, problem } = keyOf({
    values: { ...values } as Record<string, string>,
    problem: sent?.problem,
  });
  const shared = sharedRemarks(rows);
  const isUnsaved = load.outcomes.length > 0 || isPart || rows.some(({ canBeStored }) => !canBeStored);
  const partAt = (row: number) => withQuery(pages.load(load.id), { ...before, [FROM]: row });
  return (
    <form
      method="post"
      action={isPart ? partAt(from) : pages.load(load.id)}
      className="stack across load-review"
      data-busy=""
      noValidate
    >
      {problem && <Alert tone="error">{problem.message}</Alert>}
      <HiddenFields
        fields={{
          idempotencyKey,
          [OFFERED]: offered.map(({ id }) => id).join(),
          ...notAsked(values, asks),
        }}
      />
      <div className="section-head">
        <div>
          <p>{sayWhat(rows)}</p>
          {isPart && (
            <p className="soft">
              Aquí están del {from + 1} al {from + shown.length} de {rows.length}. Al guardar siguen los
              demás.
            </p>
          )}
        </div>
        {isUnsaved && (
          <LinkButton href={pages.loadRejects(load.id)} icon="export" download>
            Descargar lo que no se guarda
          </LinkButton>
        )}
      </div>
      {offered.length > 0 && (
        <div className="fields">
          {asks.place && controls}
          {asks.over && (
            <div className="wide">
              <Check name={OVER_PROPOSALS} checked={values[OVER_PROPOSALS] !== undefined}>
                Aplicar también a los que ya traen otra obra o rubro
              </Check>
            </div>
          )}
          {asks.source && (
            <Source
              sources={await catalogFallback(db, fundingSources, values[fundingSources.nameField])}
              values={values}
              error={errors.origenderecursoId}
            />
          )}
          {asks.supplier && (
            <div className="wide">
              <Check name="createSupplier" checked={values.createSupplier !== undefined}>
                {sayNewSuppliers([...fresh])}
              </Check>
            </div>
          )}
        </div>
      )}
      <Warnings {...shared} />
      <DataTable
        caption="Documentos por guardar"
        columns={[
          {
            key: 'chosen',
            label: 'Guardar',
            card: 'corner',
            render: (row: Row) =>
              row.canBeStored && (
                <label className="tick">
                  <input
                    type="checkbox"
                    name={CHOSEN}
                    value={row.id}
                    defaultChecked={sent ? sent.listed.includes(row.id) : !row.isLeft}
                    aria-label={`Guardar ${nameOf(row)}`}
                  />
                </label>
              ),
          },
          ...documentColumns<Row>('Qué pasará', shared),
          ...(asks.place ? [placeColumn(sent)] : []),
        ]}
        rows={shown}
        rowKey={({ id }) => id}
      />
      {asks.place && [job, rubro].map(({ id, names }) => <Names key={id} id={id} names={names} />)}
      <div className="form-actions">
        {offered.length > 0 && <Button look="primary">Guardar</Button>}
        {from > 0 && <LinkButton href={partAt(Math.max(0, from - DOCUMENTS_ON_PAGE))}>Anteriores</LinkButton>}
        {from + shown.length < rows.length && (
          <LinkButton href={partAt(from + shown.length)}>Siguientes</LinkButton>
        )}
        <Leave href={pages.invoices} closes />
      </div>
    </form>
  );
}

/** Choices of other parts that this one does not ask for, which it carries on. */
function notAsked(values: Texts, asks: Record<'place' | 'over' | 'supplier' | 'source', boolean>): Texts {
  const names = [
    ...(asks.place ? [] : ['jobId', 'rubroId', 'fecharecepcion']),
    ...(asks.over ? [] : [OVER_PROPOSALS]),
    ...(asks.supplier ? [] : ['createSupplier']),
    ...(asks.source ? [] : ['origenderecursoId']),
  ];
  return Object.fromEntries(names.flatMap((name) => (values[name] ? [[name, values[name]]] : [])));
}

async function rowsOf(db: Db, load: Load, previews: readonly LoadedPreview[]): Promise<Row[]> {
  const usual = new Map<number, Usual>();
  const rows: Row[] = [];
  for (const { upload, reading, outcome, supplier, ...facts } of previews) {
    const canBeStored = outcome.outcome === 'created' || outcome.outcome === 'warned';
    const isNewInvoice = canBeStored && reading.kind === 'I' && !outcome.linked;
    if (isNewInvoice && supplier && !usual.has(supplier.id))
      usual.set(supplier.id, await usualOf(db, supplier.id));
    const found = isNewInvoice && supplier ? usual.get(supplier.id) : undefined;
    const last = load.outcomes.find(({ name }) => name === upload.filename);
    const before = outcome.outcome !== 'refused' && last?.reason;
    rows.push({
      ...facts,
      ...outcome,
      emisor: supplier?.suppliername ?? facts.emisor,
      id: upload.id,
      name: upload.filename,
      pdf: upload.pdf?.filename,
      // Alone, what holds it back may be allowed.
      href: reading.kind && withQuery(pages.newInvoice, { cfdi: upload.id, pdf: upload.pdf?.id }),
      isNewSupplier: canBeStored && !supplier && reading.kind !== undefined,
      canBeStored,
      isNewInvoice,
      isLeft: last?.outcome === 'left',
      usual: found?.job || found?.rubro ? found : undefined,
      remarks: [
        ...(outcome.outcome === 'refused' ? [reasonOf(load, upload.filename, outcome)] : []),
        ...(before ? [`La vez pasada no se guardó: ${before}`] : []),
        ...(outcome.warnings ?? []),
      ],
    });
  }
  return rows;
}

export function reasonOf(load: Load, name: string, { reason }: Pick<CfdiOutcome, 'reason'>): string {
  if (reason) return plainText(reason);
  return load.outcomes.find((one) => one.name === name)?.reason ?? 'No se ha guardado.';
}

/** What can be stored comes first. Notes and receipts come after invoices, so that no part needs a later one. */
function rankOf({ outcome, linked, kind, canBeStored, isLeft }: Row): number {
  if (outcome === 'unchanged') return 6;
  if (!canBeStored) return 5;
  if (isLeft) return 4;
  if (kind !== 'I') return 3;
  if (linked) return 0;
  return outcome === 'warned' ? 1 : 2;
}

/** The documents of one page; where nothing stands at the address any more, the last ones. */
function partOf(c: AppContext, rows: readonly Row[]) {
  const isPart = rows.length > DOCUMENTS_ON_PAGE;
  const last = rows.length - 1;
  const from = isPart ? Math.min(fromRow(c, FROM), last - (last % DOCUMENTS_ON_PAGE)) : 0;
  return { from, shown: rows.slice(from, from + DOCUMENTS_ON_PAGE), isPart };
}

/** "40 documentos: 36 facturas nuevas por $1,160.50; 2 se ligan a facturas que ya están; 1 ya estaba." */
function sayWhat(rows: readonly Row[]): string {
  const fresh = rows.filter(({ isNewInvoice }) => isNewInvoice);
  const sum = fresh.reduce((total, { totalCents = 0 }) => total + totalCents, 0);
  const ofKind = (kind: Row['kind']) => rows.filter((one) => one.canBeStored && one.kind === kind).length;
  const came = (outcome: Row['outcome']) => rows.filter((one) => one.outcome === outcome).length;
  const say = (count: number, one: string, many: string) => count > 0 && counted(count, one, many);
  const parts = [
    fresh.length > 0 &&
      `${counted(fresh.length, 'factura nueva', 'facturas nuevas')} por ${formatMoney(sum)}`,
    say(ofKind('I') - fresh.length, 'se liga a una factura que ya está', 'se ligan a facturas que ya están'),
    say(ofKind('E'), 'nota de crédito', 'notas de crédito'),
    say(ofKind('P'), 'recibo de pago', 'recibos de pago'),
    say(came('unchanged'), 'ya estaba', 'ya estaban'),
    say(came('refused'), 'no se guarda', 'no se guardan'),
  ];
  return `${counted(rows.length, 'documento', 'documentos')}: ${parts.filter(Boolean).join('; ')}.`;
}
