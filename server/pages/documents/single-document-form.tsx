import { MismatchAcceptance, NewSupplierCheckbox } from '../../../islands/forms/documentChecks.tsx';
import type { PickerFallback } from '../../../islands/pickers/picker.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { DomainError } from '../../../shared/errors.ts';
import { type InvoiceFormContext, MIXED_RATE } from '../../../shared/invoice-form-amounts.ts';
import { INVOICE_FIELDS, type InvoiceFieldTexts } from '../../../shared/invoices.ts';
import { formatRate, toDecimalText } from '../../../shared/money.ts';
import { Button } from '../../../shared/ui/Button.tsx';
import { pages } from '../../../shared/urls.ts';
import type { CfdiCandidate, SuccessfulReading } from '../../formats/cfdi/candidates.ts';
import type { AppContext } from '../../http/session.ts';
import type { KnownSupplier } from '../../services/documents/issuers.ts';
import type { DocumentPreview } from '../../services/documents/single-document.ts';
import { FORM_ID, renderInvoiceIsland } from '../invoices/form.tsx';
import { pickFieldTexts, shortenFieldErrors } from '../ui/record-fields.tsx';
import { ReasonField } from '../ui/refusal-reason.tsx';
import { REMEDY_CONTROL_LABELS } from '../ui/remedies.ts';
import { StepForm } from '../ui/step-form.tsx';
import { MISSING_JOB_TEXT, type PostedFormTexts } from './choice-fields.ts';
import { FundingSourceField, NextLinks, newSuppliersText } from './document-rows.tsx';

interface CfdiFormState {
  action: string;
  values: PostedFormTexts;
  isPosted: boolean;
  problem?: DomainError;
}

interface CfdiInvoiceState extends CfdiFormState {
  today: PlainDate;
  candidate: CfdiCandidate;
  supplier: KnownSupplier | undefined;
  proposed: ReadonlySet<string>;
}

export async function renderCfdiInvoiceForm(c: AppContext, state: CfdiInvoiceState) {
  const { action, today, candidate, supplier, values, proposed, problem } = state;
  const { draft } = candidate;
  const shown: InvoiceFieldTexts = {
    ...pickFieldTexts(INVOICE_FIELDS, values),
    supplierId: String(supplier?.id ?? ''),
    numfactura: draft.numfactura,
    fechaemision: draft.fechaemision,
    subtotal: toDecimalText(draft.subtotalCents),
    tasa: draft.rate === null ? MIXED_RATE : formatRate(draft.rate),
    otrosimpuestos: toDecimalText(draft.otrosimpuestosCents),
    retenciones: toDecimalText(draft.retencionesCents),
  };
  const { ivaCents, totalCents } = draft;
  const context: InvoiceFormContext = {
    isNew: true,
    creditDays: supplier?.diascredito ?? 0,
    fechacaptura: today,
    stored: { ...shown, ivaCents, totalCents },
  };
  const errors = shortenFieldErrors(problem, MISSING_JOB_TEXT, INVOICE_FIELDS, shown);
  const island = await renderInvoiceIsland(c, {
    form: { action, hidden: {}, next: 'Guardar y cargar otro', back: pages.invoices },
    context,
    fields: { values: { ...values, ...shown }, errors, focus: 'jobId', proposedFields: proposed },
    shown: { ivaCents, totalCents },
    notes: [],
    document: {
      supplier: {
        name: 'suppliername',
        label: 'Proveedor',
        value: supplier?.suppliername ?? candidate.suppliername,
        hint: `RFC ${candidate.detail.emisor.rfc}`,
        readOnly: true,
      },
      newSupplier: supplier ? undefined : newSupplierCheckboxProps(candidate, state),
      mismatch: mismatchCheckboxProps(candidate.totalMismatch, state),
    },
  });
  return (
    <>
      <ReasonField problem={problem} values={values} form={FORM_ID} />
      {island}
    </>
  );
}

/** Effects of storing a document that creates no new invoice. The user confirms the effect first. */
export type ConfirmedEffect = 'save' | 'link' | 'replace' | 'complete';

/** @returns undefined where the document needs a form or cannot be stored */
export function findEffectToConfirm(preview: DocumentPreview): ConfirmedEffect | undefined {
  const { document, outcome, receiptLines } = preview;
  if (receiptLines.some(({ isMissing }) => isMissing)) return 'complete';
  if (outcome.outcome === 'unchanged' || outcome.outcome === 'refused') return undefined;
  if (outcome.replaces) return 'replace';
  if (outcome.linked) return 'link';
  return document.kind === 'I' ? undefined : 'save';
}

interface CfdiConfirmationProps extends CfdiFormState {
  preview: DocumentPreview;
  confirmed: ConfirmedEffect;
  hasPdf: boolean;
  /** for a receipt: the funding sources to choose from for payments that are not recorded yet */
  sources?: PickerFallback;
}

export function CfdiConfirmation(props: CfdiConfirmationProps) {
  const { preview, confirmed, action, values, hasPdf, sources, problem } = props;
  const { document, supplier, outcome, invoices } = preview;
  const { kind, issued } = document;
  const mismatch = kind === 'P' ? undefined : mismatchCheckboxProps(issued.totalMismatch, props);
  return (
    <StepForm
      action={action}
      hidden={{ confirmed }}
      buttons={
        <>
          <Button look="primary">{BUTTON_LABELS[confirmed]}</Button>
          <NextLinks />
        </>
      }
    >
      {(confirmed === 'replace' || confirmed === 'link') && (
        <p>
          {confirmed === 'link'
            ? 'Esta factura ya está, sin UUID: el CFDI se liga a ella.'
            : kind === 'I'
              ? 'Este CFDI sustituye al de una factura que ya está: al sustituirlo, la factura toma su UUID y sus importes.'
              : 'Esta nota sustituye a una que ya está: al sustituirla, se aplica esta en lugar de aquella.'}{' '}
          {outcome.invoiceId && <a href={pages.editInvoice(outcome.invoiceId)}>Ver esa factura</a>}
        </p>
      )}
      {hasPdf && kind !== 'I' && (
        <p className="soft">
          {describePdfAttachment(invoices.map(({ numfactura, id }) => numfactura || `#${id}`))}
        </p>
      )}
      {!supplier && <NewSupplierCheckbox {...newSupplierCheckboxProps(issued, props)} />}
      {mismatch && <MismatchAcceptance {...mismatch} />}
      {sources && (
        <FundingSourceField
          sourceOptions={sources}
          values={values}
          isRequired={confirmed === 'complete'}
          error={problem?.fields?.origenderecursoId}
        />
      )}
    </StepForm>
  );
}

const BUTTON_LABELS: Record<ConfirmedEffect, string> = {
  save: 'Guardar',
  link: 'Ligar a esa factura',
  replace: REMEDY_CONTROL_LABELS['replace-former'],
  complete: 'Registrar los pagos que faltan',
};

function describePdfAttachment(numbers: readonly string[]): string {
  if (numbers.length === 0) return 'Su PDF no se guarda: no está registrada la factura con la que iría.';
  if (numbers.length === 1) return `Su PDF se guarda con la factura ${numbers[0]}.`;
  return `Su PDF se guarda con las ${numbers.length} facturas que nombra.`;
}

const newSupplierCheckboxProps = (
  { suppliername, detail }: SuccessfulReading['issued'],
  { isPosted, values }: CfdiFormState,
) => ({
  text: newSuppliersText([`${suppliername} (${detail.emisor.rfc})`]),
  checked: !isPosted || values.createSupplier !== undefined,
});

const mismatchCheckboxProps = (text: string | undefined, { values }: CfdiFormState) =>
  text ? { text, checked: values.allowMismatch !== undefined } : undefined;
