import { PROPOSED } from '../../../islands/forms/FormControl.tsx';
import type { Catalog } from '../../../shared/catalogs/catalog.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { rubros } from '../../../shared/catalogs/rubros.ts';
import { formatMoney } from '../../../shared/money.ts';
import type { Remark } from '../../../shared/remarks.ts';
import { Chip } from '../../../shared/ui/Chip.tsx';
import type { Column } from '../../../shared/ui/DataTable.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import { factsOf } from '../../services/cfdi/documents.ts';
import type { LoadedPreview } from '../../services/cfdi/loaded-documents.ts';
import type { Load } from '../../services/cfdi/loads.ts';
import type { Usual } from '../../services/invoices/usual.ts';
import { KINDS, OutcomeChip, reasonOf, sayCount, shorten, Warnings } from './load-outcomes.tsx';
import { CHOSEN, jobOf, proposedIn, rubroOf, type Sent } from './load-posted.ts';

export const JOB_NAMES = 'obras';
export const RUBRO_NAMES = 'rubros';

interface ReviewState {
  load: Load;
  sent: Sent | undefined;
  isAsked: boolean;
  usual: ReadonlyMap<number, Usual>;
  isFolded: (warning: Remark) => boolean;
}

/** The documents with what will become of each, and its own job and rubro. */
export function columnsOf({
  load,
  sent,
  isAsked,
  isFolded,
  usual,
}: ReviewState): readonly Column<LoadedPreview>[] {
  const own = (
    preview: LoadedPreview,
    catalog: Catalog,
    field: string,
    list: string,
    proposed: string | undefined,
  ) => {
    const value = sent ? sent.form[field] : proposed;
    const isProposal = proposed !== undefined && value === proposed;
    const label = capitalized(catalog.texts.one.replace(/^(el|la) /, ''));
    const error = sent?.problem.fields?.[field];
    return (
      <div>
        <input
          name={field}
          list={list}
          className="control"
          defaultValue={value}
          placeholder={`${label}: como arriba`}
          aria-label={`${label} de ${nameOf(preview)}`}
          aria-invalid={error ? true : undefined}
          autoComplete="off"
        />
        {proposed !== undefined && <input type="hidden" name={proposedIn(field)} value={proposed} />}
        {isProposal && !error && <div className="hint proposal">{PROPOSED}</div>}
        {error && <div className="field-error">{error}</div>}
      </div>
    );
  };
  const usualIn = ({ supplier }: LoadedPreview) => (supplier ? usual.get(supplier.id) : undefined);
  return [
    {
      key: 'chosen',
      label: 'Guardar',
      card: 'corner',
      render: (preview) =>
        canBeStored(preview) && (
          <input
            type="checkbox"
            name={CHOSEN}
            value={preview.upload.id}
            defaultChecked={sent ? sent.listed.includes(preview.upload.id) : !isLeft(load, preview)}
            aria-label={`Guardar ${nameOf(preview)}`}
          />
        ),
    },
    {
      key: 'document',
      label: 'Documento',
      card: 'title',
      render: (preview) => (
        <>
          <Name preview={preview} />
          <About preview={preview} />
        </>
      ),
    },
    {
      key: 'supplier',
      label: 'Proveedor',
      card: 'line',
      className: 'wraps',
      render: (preview) => {
        const name = preview.supplier?.suppliername ?? factsOf(preview.reading).emisor ?? '';
        return isNewSupplier(preview) ? (
          <>
            {name} <Chip tone="accent">Alta</Chip>
          </>
        ) : (
          name
        );
      },
    },
    {
      key: 'total',
      label: 'Total',
      align: 'end',
      render: ({ reading }) => {
        const { totalCents } = factsOf(reading);
        return totalCents !== undefined && formatMoney(totalCents);
      },
    },
    {
      key: 'outcome',
      label: 'Qué pasará',
      card: 'line',
      className: 'wraps',
      render: (preview) => <Fate {...{ load, preview, isFolded }} />,
    },
    ...(isAsked
      ? [
          {
            key: 'place',
            label: 'Obra y rubro',
            card: 'line' as const,
            render: (preview: LoadedPreview) =>
              isNewInvoice(preview) && (
                <div className="field">
                  {own(preview, jobs, jobOf(preview.upload.id), JOB_NAMES, usualIn(preview)?.job?.jobtitle)}
                  {own(
                    preview,
                    rubros,
                    rubroOf(preview.upload.id),
                    RUBRO_NAMES,
                    usualIn(preview)?.rubro?.nombrerubro,
                  )}
                </div>
              ),
          },
        ]
      : []),
  ];
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** By which a person knows it. */
export const nameOf = ({ upload, reading }: LoadedPreview): string =>
  factsOf(reading).numero || upload.filename;

/** Leads to the document alone, where what holds it back may be allowed. */
function Name({ preview }: { preview: LoadedPreview }) {
  const { upload, reading } = preview;
  if ('refused' in reading) return upload.filename;
  const alone = withQuery(pages.newInvoice, { cfdi: upload.id, pdf: upload.pdf?.id });
  return (
    <a href={alone} title={upload.filename}>
      {nameOf(preview)}
    </a>
  );
}

function About({ preview: { outcome, reading } }: { preview: LoadedPreview }) {
  const { fecha } = factsOf(reading);
  return (
    <div className="hint">
      {outcome.kind && KINDS[outcome.kind]}
      {fecha && (
        <>
          {' · '}
          <DateText date={fecha} />
        </>
      )}
    </div>
  );
}

function Fate({
  load,
  preview,
  isFolded,
}: Pick<ReviewState, 'load' | 'isFolded'> & { preview: LoadedPreview }) {
  const { outcome, upload } = preview;
  const { invoiceId } = outcome;
  const last = load.outcomes.find(({ name }) => name === upload.filename);
  return (
    <div>
      <OutcomeChip {...outcome} />{' '}
      {outcome.outcome === 'refused' && shorten(reasonOf(load, upload.filename, outcome))}
      {outcome.outcome !== 'refused' && last?.reason && shorten(`La vez pasada no se guardó: ${last.reason}`)}
      {invoiceId !== undefined && <a href={pages.editInvoice(invoiceId)}>Ver factura</a>}
      <Warnings warnings={outcome.warnings ?? []} isFolded={isFolded} />
      {upload.pdf && <div className="hint">Con su PDF, {upload.pdf.filename}.</div>}
    </div>
  );
}

export const canBeStored = ({ outcome }: LoadedPreview) =>
  outcome.outcome === 'created' || outcome.outcome === 'warned';
export const isNewInvoice = (preview: LoadedPreview) =>
  canBeStored(preview) && 'candidate' in preview.reading && !preview.outcome.linked;

/** Seen once and not ticked. */
export const isLeft = ({ outcomes }: Load, { upload }: LoadedPreview): boolean =>
  outcomes.some(({ name, outcome }) => outcome === 'left' && name === upload.filename);

const isNewSupplier = (preview: LoadedPreview) =>
  canBeStored(preview) && !preview.supplier && !('refused' in preview.reading);

export const newSuppliers = (previews: readonly LoadedPreview[]): string[] => [
  ...new Set(previews.filter(isNewSupplier).map(({ reading }) => factsOf(reading).emisor ?? '')),
];

const MOST_NAMED = 6;

export function sayNew(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  const listed = `${names.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` y ${more} más` : ''}`;
  return names.length === 1
    ? `No está en la lista de proveedores: se dará de alta ${listed}`
    : `No están en la lista de proveedores: se darán de alta ${names.length} (${listed})`;
}

/** "40 documentos: 36 facturas nuevas, por $1,160.50; 2 se ligan a facturas capturadas a mano; 1 ya estaba." */
export function sayWhat(previews: readonly LoadedPreview[]): string {
  const fresh = previews.filter(isNewInvoice);
  const sum = fresh.reduce((total, { reading }) => total + (factsOf(reading).totalCents ?? 0), 0);
  const storable = previews.filter(canBeStored);
  const count = (test: (preview: LoadedPreview) => boolean) => previews.filter(test).length;
  const linked = storable.filter(({ outcome }) => outcome.linked && outcome.kind === 'I').length;
  const notes = storable.filter(({ outcome }) => outcome.kind === 'E').length;
  const receipts = storable.filter(({ outcome }) => outcome.kind === 'P').length;
  const known = count(({ outcome }) => outcome.outcome === 'unchanged');
  const refused = count(({ outcome }) => outcome.outcome === 'refused');
  const parts = [
    fresh.length > 0 &&
      `${sayCount(fresh.length, 'factura nueva', 'facturas nuevas')} por ${formatMoney(sum)}`,
    linked > 0 && sayCount(linked, 'se liga a una factura que ya está', 'se ligan a facturas que ya están'),
    notes > 0 && sayCount(notes, 'nota de crédito', 'notas de crédito'),
    receipts > 0 && sayCount(receipts, 'recibo de pago', 'recibos de pago'),
    known > 0 && sayCount(known, 'ya estaba', 'ya estaban'),
    refused > 0 && sayCount(refused, 'no se guarda', 'no se guardan'),
  ];
  return `${sayCount(previews.length, 'documento', 'documentos')}: ${parts.filter(Boolean).join('; ')}.`;
}
