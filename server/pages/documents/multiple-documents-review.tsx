import type { ReactNode } from 'react';
import type { Db } from '../../../db/schema.ts';
import { fundingSources } from '../../../shared/catalogs/funding-sources.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { rubros } from '../../../shared/catalogs/rubros.ts';
import { pluralize } from '../../../shared/counts.ts';
import { formatMoney } from '../../../shared/money.ts';
import { toPlainText } from '../../../shared/remarks.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { Button, LinkButton } from '../../../shared/ui/Button.tsx';
import { Checkbox } from '../../../shared/ui/Checkbox.tsx';
import { DataTable } from '../../../shared/ui/DataTable.tsx';
import { LeaveLink } from '../../../shared/ui/LeaveLink.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { AppContext } from '../../http/session.ts';
import type { LoadedDocumentPreview } from '../../services/documents/loaded-documents.ts';
import type { DocumentLoad } from '../../services/documents/loads.ts';
import type { CfdiOutcome } from '../../services/documents/outcomes.ts';
import { readUsualJobAndRubro, type UsualJobAndRubro } from '../../services/invoices/usual-job-and-rubro.ts';
import { readFirstRowIndex } from '../ui/long-table.tsx';
import { readPickerFallback } from '../ui/pickers.ts';
import { type FieldTexts, findFirstWrongField, renderControls } from '../ui/record-fields.tsx';
import { prepareIdempotencyKey } from '../ui/record-form.tsx';
import { RowCheckbox } from '../ui/row-checkbox.tsx';
import { HiddenFields } from '../ui/step-form.tsx';
import {
  CHOSEN_CONTROL_NAME,
  DOCUMENTS_PER_PAGE,
  FIRST_DOCUMENT_PARAMETER,
  MULTI_DOCUMENT_FIELDS,
  OFFERED_IDS_FIELD,
  REPLACE_PROPOSALS_FIELD,
  type RefusedReview,
  readChoicesFromQuery,
} from './choice-fields.ts';
import {
  collectSharedRemarks,
  documentColumns,
  documentNameOf,
  FundingSourceField,
  newSuppliersText,
  WarningAlert,
} from './document-rows.tsx';
import {
  jobAndRubroColumn,
  NameDatalist,
  type ReviewedDocument,
  readDatalistPicker,
} from './job-rubro-inputs.tsx';

interface ReviewRow extends ReviewedDocument {
  canBeStored: boolean;
  /** whether the form was posted before with this document's checkbox not ticked */
  isDeselected: boolean;
}

/** Many documents are shown and stored one part at a time; the address states the part. */
export async function renderReview(
  c: AppContext,
  documentLoad: DocumentLoad,
  previews: readonly LoadedDocumentPreview[],
  refusedReview?: RefusedReview,
): Promise<ReactNode> {
  const { db } = c.get('deps');
  const rows = (await readReviewRows(db, documentLoad, previews)).toSorted(
    (a, b) => reviewOrderRank(a) - reviewOrderRank(b),
  );
  const { from, shown, isPart } = selectShownRows(c, rows);
  const errors = refusedReview?.problem.fields ?? {};
  const previousReason = readChoicesFromQuery(c);
  const values: FieldTexts = refusedReview?.form ?? previousReason;
  const focus = findFirstWrongField(MULTI_DOCUMENT_FIELDS, errors) ?? (refusedReview ? undefined : 'jobId');
  const job = await readDatalistPicker(db, jobs, 'jobId', values);
  const rubro = await readDatalistPicker(db, rubros, 'rubroId', values);
  const pickers = { jobId: job.parts, rubroId: rubro.parts };
  const controls = await renderControls(db, MULTI_DOCUMENT_FIELDS, { values, errors, focus, pickers });
  const offered = shown.filter(({ canBeStored }) => canBeStored);
  const newSuppliers = new Set(
    shown.flatMap(({ isNewSupplier, emisor = '' }) => (isNewSupplier ? emisor : [])),
  );
  const shownControls = {
    place: shown.some(({ isNewInvoice }) => isNewInvoice),
    over: shown.some(({ usualJobAndRubro }) => usualJobAndRubro),
    supplier: newSuppliers.size > 0,
    source: shown.some(({ kind, canBeStored }) => kind === 'P' && canBeStored),
  };
  const { idempotencyKey, problem } = prepareIdempotencyKey({
    values: { ...values } as Record<string, string>,
    problem: refusedReview?.problem,
  });
  const shared = collectSharedRemarks(rows);
  const isUnsaved =
    documentLoad.outcomes.length > 0 || isPart || rows.some(({ canBeStored }) => !canBeStored);
  const partAddress = (row: number) =>
    withQuery(pages.load(documentLoad.id), { ...previousReason, [FIRST_DOCUMENT_PARAMETER]: row });
  return (
    <form
      method="post"
      action={isPart ? partAddress(from) : pages.load(documentLoad.id)}
      className="stack across load-review"
      data-busy=""
      noValidate
    >
      {problem && <Alert tone="error">{problem.message}</Alert>}
      <HiddenFields
        fields={{
          idempotencyKey,
          [OFFERED_IDS_FIELD]: offered.map(({ id }) => id).join(),
          ...pickChoicesWithoutControl(values, shownControls),
        }}
      />
      <div className="section-head">
        <div>
          <p>{summarizeReview(rows)}</p>
          {isPart && (
            <p className="soft">
              Aquí están del {from + 1} al {from + shown.length} de {rows.length}. Al guardar siguen los
              demás.
            </p>
          )}
        </div>
        {isUnsaved && (
          <LinkButton href={pages.loadRejects(documentLoad.id)} icon="export" download>
            Descargar lo que no se guarda
          </LinkButton>
        )}
      </div>
      {offered.length > 0 && (
        <div className="fields">
          {shownControls.place && controls}
          {shownControls.over && (
            <div className="wide">
              <Checkbox
                name={REPLACE_PROPOSALS_FIELD}
                checked={values[REPLACE_PROPOSALS_FIELD] !== undefined}
              >
                Aplicar también a los que ya traen otra obra o rubro
              </Checkbox>
            </div>
          )}
          {shownControls.source && (
            <FundingSourceField
              sourceOptions={await readPickerFallback(db, fundingSources, values[fundingSources.nameField])}
              values={values}
              error={errors.origenderecursoId}
            />
          )}
          {shownControls.supplier && (
            <div className="wide">
              <Checkbox name="createSupplier" checked={values.createSupplier !== undefined}>
                {newSuppliersText([...newSuppliers])}
              </Checkbox>
            </div>
          )}
        </div>
      )}
      <WarningAlert {...shared} />
      <DataTable
        caption="Documentos por guardar"
        columns={[
          {
            key: 'chosen',
            label: 'Guardar',
            card: 'corner',
            render: (row: ReviewRow) =>
              row.canBeStored && (
                <RowCheckbox
                  name={CHOSEN_CONTROL_NAME}
                  value={row.id}
                  checked={refusedReview ? refusedReview.offeredIds.includes(row.id) : !row.isDeselected}
                  label={`Guardar ${documentNameOf(row)}`}
                />
              ),
          },
          ...documentColumns<ReviewRow>('Qué pasará', shared),
          ...(shownControls.place ? [jobAndRubroColumn(refusedReview)] : []),
        ]}
        rows={shown}
        rowKey={({ id }) => id}
      />
      {shownControls.place &&
        [job, rubro].map(({ id, names }) => <NameDatalist key={id} id={id} names={names} />)}
      <div className="form-actions">
        {offered.length > 0 && <Button look="primary">Guardar</Button>}
        {from > 0 && (
          <LinkButton href={partAddress(Math.max(0, from - DOCUMENTS_PER_PAGE))}>Anteriores</LinkButton>
        )}
        {from + shown.length < rows.length && (
          <LinkButton href={partAddress(from + shown.length)}>Siguientes</LinkButton>
        )}
        <LeaveLink href={pages.invoices} savesNothing />
      </div>
    </form>
  );
}

function pickChoicesWithoutControl(
  values: FieldTexts,
  shownControls: Record<'place' | 'over' | 'supplier' | 'source', boolean>,
): FieldTexts {
  const names = [
    ...(shownControls.place ? [] : ['jobId', 'rubroId', 'fecharecepcion']),
    ...(shownControls.over ? [] : [REPLACE_PROPOSALS_FIELD]),
    ...(shownControls.supplier ? [] : ['createSupplier']),
    ...(shownControls.source ? [] : ['origenderecursoId']),
  ];
  return Object.fromEntries(names.flatMap((name) => (values[name] ? [[name, values[name]]] : [])));
}

async function readReviewRows(
  db: Db,
  load: DocumentLoad,
  previews: readonly LoadedDocumentPreview[],
): Promise<ReviewRow[]> {
  const usual = new Map<number, UsualJobAndRubro>();
  const rows: ReviewRow[] = [];
  for (const { upload, reading, outcome, supplier, ...facts } of previews) {
    const canBeStored = outcome.outcome === 'created' || outcome.outcome === 'warned';
    const isNewInvoice = canBeStored && reading.kind === 'I' && !outcome.linked;
    if (isNewInvoice && supplier && !usual.has(supplier.id))
      usual.set(supplier.id, await readUsualJobAndRubro(db, supplier.id));
    const found = isNewInvoice && supplier ? usual.get(supplier.id) : undefined;
    const last = load.outcomes.find(({ name }) => name === upload.filename);
    const previousReason = outcome.outcome !== 'refused' && last?.reason;
    rows.push({
      ...facts,
      ...outcome,
      emisor: supplier?.suppliername ?? facts.emisor,
      id: upload.id,
      name: upload.filename,
      pdf: upload.pdf?.filename,
      // A document that cannot be stored here may be accepted on its own page.
      href: reading.kind && withQuery(pages.newInvoice, { cfdi: upload.id, pdf: upload.pdf?.id }),
      isNewSupplier: canBeStored && !supplier && reading.kind !== undefined,
      canBeStored,
      isNewInvoice,
      isDeselected: last?.outcome === 'left',
      usualJobAndRubro: found?.job || found?.rubro ? found : undefined,
      remarks: [
        ...(outcome.outcome === 'refused' ? [getNotStoredReason(load, upload.filename, outcome)] : []),
        ...(previousReason ? [`La vez pasada no se guardó: ${previousReason}`] : []),
        ...(outcome.warnings ?? []),
      ],
    });
  }
  return rows;
}

export function getNotStoredReason(
  documentLoad: DocumentLoad,
  name: string,
  { reason }: Pick<CfdiOutcome, 'reason'>,
): string {
  if (reason) return toPlainText(reason);
  return documentLoad.outcomes.find((one) => one.name === name)?.reason ?? 'No se ha guardado.';
}

/** Documents that can be stored come first, invoices before the credit notes and receipts that may refer to them. */
function reviewOrderRank({ outcome, linked, kind, canBeStored, isDeselected }: ReviewRow): number {
  if (outcome === 'unchanged') return 6;
  if (!canBeStored) return 5;
  if (isDeselected) return 4;
  if (kind !== 'I') return 3;
  if (linked) return 0;
  return outcome === 'warned' ? 1 : 2;
}

/** If the part that the address names no longer exists, the last part is shown. */
function selectShownRows(c: AppContext, rows: readonly ReviewRow[]) {
  const isPart = rows.length > DOCUMENTS_PER_PAGE;
  const last = rows.length - 1;
  const from = isPart
    ? Math.min(readFirstRowIndex(c, FIRST_DOCUMENT_PARAMETER), last - (last % DOCUMENTS_PER_PAGE))
    : 0;
  return { from, shown: rows.slice(from, from + DOCUMENTS_PER_PAGE), isPart };
}

/** "40 documentos: 36 facturas nuevas por $1,160.50; 2 se ligan a facturas que ya están; 1 ya estaba." */
function summarizeReview(rows: readonly ReviewRow[]): string {
  const newInvoices = rows.filter(({ isNewInvoice }) => isNewInvoice);
  const sum = newInvoices.reduce((total, { totalCents = 0 }) => total + totalCents, 0);
  const countKind = (kind: ReviewRow['kind']) =>
    rows.filter((one) => one.canBeStored && one.kind === kind).length;
  const countOutcome = (outcome: ReviewRow['outcome']) =>
    rows.filter((one) => one.outcome === outcome).length;
  const pluralizeIfAny = (count: number, one: string, many: string) =>
    count > 0 && pluralize(count, one, many);
  const parts = [
    newInvoices.length > 0 &&
      `${pluralize(newInvoices.length, 'factura nueva', 'facturas nuevas')} por ${formatMoney(sum)}`,
    pluralizeIfAny(
      countKind('I') - newInvoices.length,
      'se liga a una factura que ya está',
      'se ligan a facturas que ya están',
    ),
    pluralizeIfAny(countKind('E'), 'nota de crédito', 'notas de crédito'),
    pluralizeIfAny(countKind('P'), 'recibo de pago', 'recibos de pago'),
    pluralizeIfAny(countOutcome('unchanged'), 'ya estaba', 'ya estaban'),
    pluralizeIfAny(countOutcome('refused'), 'no se guarda', 'no se guardan'),
  ];
  return `${pluralize(rows.length, 'documento', 'documentos')}: ${parts.filter(Boolean).join('; ')}.`;
}
