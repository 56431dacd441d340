import type { PickerFallback } from '../../../islands/pickers/picker.ts';
import type { DomainError } from '../../../shared/errors.ts';
import { Button, LinkButton } from '../../../shared/ui/Button.tsx';
import { Field } from '../../../shared/ui/Field.tsx';
import { pages } from '../../../shared/urls.ts';
import { issuedOf } from '../../formats/cfdi/candidates.ts';
import type { DocumentPreview } from '../../services/cfdi/documents.ts';
import { CONTROLS } from '../ui/remedies.ts';
import { Mismatch, NewSupplier } from './cfdi-fields.tsx';

/** The step that is confirmed where a document makes no new invoice. */
export type Confirmed = 'save' | 'link' | 'replace' | 'complete';

/** None where the document needs a form, or can't be stored. */
export function confirmationOf({
  document,
  outcome,
  replaces,
  lines,
}: DocumentPreview): Confirmed | undefined {
  if (lines.some(({ isMissing }) => isMissing)) return 'complete';
  if (outcome.outcome === 'unchanged' || outcome.outcome === 'refused') return undefined;
  if (replaces) return 'replace';
  if (outcome.linked) return 'link';
  return 'candidate' in document ? undefined : 'save';
}

interface CfdiConfirmationProps {
  preview: DocumentPreview;
  confirmed: Confirmed;
  action: string;
  values: Readonly<Record<string, string>>;
  isPosted: boolean;
  hasPdf: boolean;
  /** of a receipt: where payments may have come from that nobody has captured */
  sources?: PickerFallback;
  problem?: DomainError;
}

/** A credit note, a receipt of payments, or an invoice that is on file: shown, and stored with one button. */
export function CfdiConfirmation(props: CfdiConfirmationProps) {
  const { preview, confirmed, action, values, isPosted, hasPdf, sources, problem } = props;
  const { document, supplier, outcome } = preview;
  const mismatch = 'receipt' in document ? undefined : issuedMismatch(preview);
  return (
    <form method="post" action={action} className="form" data-busy="" noValidate>
      <input type="hidden" name="confirmed" value={confirmed} />
      {(confirmed === 'replace' || confirmed === 'link') && (
        <p>
          {confirmed === 'replace'
            ? 'Este CFDI sustituye al de una factura que ya está: al sustituirlo, la factura toma su UUID y sus importes.'
            : 'Esta factura ya está, sin UUID: el CFDI se liga a ella.'}{' '}
          {outcome.invoiceId && <a href={pages.editInvoice(outcome.invoiceId)}>Ver esa factura</a>}
        </p>
      )}
      {hasPdf && !('candidate' in document) && (
        <p className="soft">{sayPdf(preview.named.map(({ numfactura, id }) => numfactura || `#${id}`))}</p>
      )}
      <NewSupplier issued={issuedOf(document)} supplier={supplier} isPosted={isPosted} values={values} />
      <Mismatch text={mismatch} values={values} />
      {sources && (
        <Source
          {...{ sources, values }}
          isNeeded={confirmed === 'complete'}
          error={problem?.fields?.origenderecursoId}
        />
      )}
      <div className="form-actions">
        <Button look="primary">{BUTTONS[confirmed]}</Button>
        <WaysOn />
      </div>
    </form>
  );
}

function sayPdf(numbers: readonly string[]): string {
  if (numbers.length === 0) return 'Su PDF no se guarda: no está registrada la factura con la que iría.';
  if (numbers.length === 1) return `Su PDF se guarda con la factura ${numbers[0]}.`;
  return `Su PDF se guarda con las ${numbers.length} facturas que nombra.`;
}

interface SourceProps {
  /** nothing comes of it without one */
  isNeeded?: boolean;
  sources: PickerFallback;
  values: Readonly<Record<string, string>>;
  error?: string;
}

/** With a source, the payments of a receipt that nobody has captured are; without one they stay a warning. */
export function Source({ sources, values, isNeeded = false, error }: SourceProps) {
  const shared = {
    label: isNeeded ? 'Origen de recurso' : 'Origen de recurso de los pagos que falten',
    hint: isNeeded ? 'De dónde salieron los pagos que faltan.' : 'Vacío: los que falten no se registran.',
    error,
    required: isNeeded,
    focus: error !== undefined,
  };
  if (!('options' in sources))
    return <Field {...shared} name={sources.name} value={sources.value} placeholder={sources.placeholder} />;
  const options = [
    { value: '', label: isNeeded ? 'Seleccionar origen de recurso' : 'Ninguno' },
    ...sources.options,
  ];
  const name = 'origenderecursoId';
  return <Field {...shared} kind="select" name={name} value={values[name]} options={options} />;
}

export const WaysOn = () => (
  <>
    <LinkButton href={pages.loadInvoice} icon="load">
      Cargar otro XML
    </LinkButton>
    <LinkButton href={pages.invoices}>Regresar</LinkButton>
  </>
);

const BUTTONS: Record<Confirmed, string> = {
  save: 'Guardar',
  link: 'Ligar a esa factura',
  replace: CONTROLS['replace-former'],
  complete: 'Registrar los pagos que faltan',
};

const issuedMismatch = ({ document }: DocumentPreview): string | undefined =>
  'candidate' in document
    ? document.candidate.mismatch
    : 'note' in document
      ? document.note.mismatch
      : undefined;
