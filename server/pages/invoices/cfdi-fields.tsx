import type { Db } from '../../../db/schema.ts';
import { MismatchAcceptance, NewSupplierCheck } from '../../../islands/forms/documentChecks.tsx';
import InvoiceForm from '../../../islands/InvoiceForm.tsx';
import type { PlainDate } from '../../../shared/dates.ts';
import type { DomainError } from '../../../shared/errors.ts';
import { INVOICE_FIELDS, type InvoiceTexts } from '../../../shared/invoices.ts';
import { sayDue } from '../../../shared/invoices-due.ts';
import { type KnownOfInvoice, MIXED_RATE } from '../../../shared/invoices-typing.ts';
import { moneyText, rateText } from '../../../shared/money.ts';
import { pages } from '../../../shared/urls.ts';
import type { CfdiCandidate } from '../../formats/cfdi/candidates.ts';
import type { KnownSupplier } from '../../services/cfdi/suppliers.ts';
import { Island } from '../../shell/island.tsx';
import { Reason } from '../ui/closed-period.tsx';
import { fieldErrors, typedTexts } from '../ui/record-fields.tsx';

import { budgetOf, describeInvoiceFields, FORM } from './form.tsx';

interface CfdiFormState {
  action: string;
  today: PlainDate;
  candidate: CfdiCandidate;
  supplier: KnownSupplier | undefined;
  values: Readonly<Record<string, string>>;
  isPosted: boolean;
  /** references that hold a proposal */
  proposed: ReadonlySet<string>;
  problem?: DomainError;
}

export const MISSING_JOB = 'Elige la obra de la factura.';

/** An invoice's form in which the document has filled in, once and for all, what it says. */
export async function renderCfdiForm(db: Db, state: CfdiFormState) {
  const { action, today, candidate, supplier, values, isPosted, proposed, problem } = state;
  const { draft } = candidate;
  const shown: InvoiceTexts = {
    ...typedTexts(INVOICE_FIELDS, values),
    supplierId: String(supplier?.id ?? ''),
    numfactura: draft.numfactura,
    fechaemision: draft.fechaemision,
    subtotal: moneyText(draft.subtotalCents),
    tasa: draft.rate === null ? MIXED_RATE : rateText(draft.rate),
    otrosimpuestos: moneyText(draft.otrosimpuestosCents),
    retenciones: moneyText(draft.retencionesCents),
  };
  const { ivaCents, totalCents } = draft;
  const known: KnownOfInvoice = {
    isNew: true,
    creditDays: supplier?.diascredito ?? 0,
    fechacaptura: today,
    stored: { ...shown, ivaCents, totalCents },
  };
  const errors = fieldErrors(problem, MISSING_JOB, INVOICE_FIELDS, shown);
  const fields = await describeInvoiceFields(db, {
    values: { ...values, ...shown },
    errors,
    focus: errors.jobId || !shown.jobId ? 'jobId' : undefined,
    isDocument: true,
    proposed,
  });
  const asked = { issued: candidate, supplier, isPosted, values };
  return (
    <>
      <Reason problem={problem} values={values} form={FORM} />
      <Island
        of={InvoiceForm}
        on="idle"
        props={{
          form: { id: FORM, action, hidden: {}, next: 'Guardar y cargar otro', back: pages.invoices },
          known,
          due: sayDue(shown, known),
          ...fields,
          shown: { ivaCents, totalCents },
          notes: [],
          budget: await budgetOf(db),
          document: {
            supplier: {
              name: 'suppliername',
              label: 'Proveedor',
              value: supplier?.suppliername ?? candidate.suppliername,
              hint: `RFC ${candidate.detail.emisor.rfc}`,
              readOnly: true,
            },
            newSupplier: newSupplierOf(asked),
            mismatch: mismatchOf({ text: candidate.mismatch, values }),
          },
        }}
      />
    </>
  );
}

interface NewSupplierProps {
  issued: Pick<CfdiCandidate, 'suppliername'> & { detail: { emisor: { rfc: string } } };
  supplier: KnownSupplier | undefined;
  isPosted: boolean;
  values: Readonly<Record<string, string>>;
}

/** The question before a supplier comes into the list; none where it is there. */
function newSupplierOf({ issued, supplier, isPosted, values }: NewSupplierProps) {
  if (supplier) return undefined;
  return {
    text: `No está en la lista de proveedores: se dará de alta ${issued.suppliername} (${issued.detail.emisor.rfc})`,
    checked: !isPosted || values.createSupplier !== undefined,
  };
}

export function NewSupplier(props: NewSupplierProps) {
  const asked = newSupplierOf(props);
  return asked && <NewSupplierCheck {...asked} />;
}

interface MismatchProps {
  text?: string;
  values: Readonly<Record<string, string>>;
}

const mismatchOf = ({ text, values }: MismatchProps) =>
  text ? { text, checked: values.allowMismatch !== undefined } : undefined;

export function Mismatch(props: MismatchProps) {
  const asked = mismatchOf(props);
  return asked && <MismatchAcceptance {...asked} />;
}
