import type { ReactNode } from 'react';
import type { Db } from '../../../db/schema.ts';
import type { DomainError } from '../../../shared/errors.ts';
import { INVOICE_FIELDS, type InvoiceTexts } from '../../../shared/invoices.ts';
import { dueDateFrom, type KnownOfInvoice, MIXED_RATE } from '../../../shared/invoices-typing.ts';
import { moneyText, rateText } from '../../../shared/money.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { Field } from '../../../shared/ui/Field.tsx';
import { pages } from '../../../shared/urls.ts';
import type { CfdiCandidate } from '../../formats/cfdi/candidates.ts';
import type { KnownSupplier } from '../../services/cfdi/known-invoices.ts';
import { AmountsForm, fieldErrors } from '../ui/amounts.tsx';
import { typedTexts } from '../ui/record-fields.tsx';
import { renderInvoiceFields } from './fields.tsx';
import { FORM } from './form.tsx';

interface CfdiFormState {
  action: string;
  candidate: CfdiCandidate;
  supplier: KnownSupplier | undefined;
  /** what stands in the fields that people fill in */
  values: Readonly<Record<string, string>>;
  isPosted: boolean;
  problem?: DomainError;
}

export const MISSING_JOB = 'Elige la obra de la factura.';

/** An invoice's form in which the document has filled in, once and for all, what it says. */
export async function renderCfdiForm(db: Db, state: CfdiFormState) {
  const { action, candidate, supplier, values, isPosted, problem } = state;
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
  const creditDays = supplier?.diascredito ?? 0;
  shown.fechavencimiento ||= dueDateFrom(shown, creditDays) ?? '';
  const { ivaCents, totalCents } = draft;
  const known: KnownOfInvoice = { isNew: true, creditDays, stored: { ...shown, ivaCents, totalCents } };
  const errors = fieldErrors(problem, MISSING_JOB, shown);
  return (
    <AmountsForm
      id={FORM}
      action={action}
      hidden={{}}
      live="invoice"
      data={known}
      next="Guardar y cargar otro"
      back={pages.invoices}
    >
      {
        await renderInvoiceFields(db, {
          values: { ...values, ...shown },
          errors,
          focus: errors.jobId || !shown.jobId ? 'jobId' : undefined,
          shown: { ivaCents, totalCents },
          document: {
            supplier: (
              <>
                <Field
                  name="suppliername"
                  label="Proveedor"
                  value={supplier?.suppliername ?? candidate.suppliername}
                  hint={`RFC ${candidate.detail.emisor.rfc}`}
                  readOnly
                />
                <NewSupplier issued={candidate} supplier={supplier} isPosted={isPosted} values={values} />
              </>
            ),
            acceptance: <Mismatch text={candidate.mismatch} values={values} />,
          },
        })
      }
    </AmountsForm>
  );
}

interface NewSupplierProps {
  issued: Pick<CfdiCandidate, 'suppliername'> & { detail: { emisor: { rfc: string } } };
  supplier: KnownSupplier | undefined;
  isPosted: boolean;
  values: Readonly<Record<string, string>>;
}

/** Asks before a supplier comes into the list; not asked for where there is one. */
export function NewSupplier({ issued, supplier, isPosted, values }: NewSupplierProps) {
  if (supplier) return null;
  return (
    <Check name="createSupplier" checked={!isPosted || values.createSupplier !== undefined}>
      No está en la lista de proveedores: se dará de alta {issued.suppliername} ({issued.detail.emisor.rfc})
    </Check>
  );
}

/** A total that is not the sum of its parts is taken only by whoever says so. */
export function Mismatch({ text, values }: { text?: string; values: Readonly<Record<string, string>> }) {
  if (!text) return null;
  return (
    <div className="acceptance">
      <Alert tone="warning" dismissible={false}>
        {text}
      </Alert>
      <Check name="allowMismatch" checked={values.allowMismatch !== undefined}>
        Acepto el total del documento
      </Check>
    </div>
  );
}

/** A box to tick, with what it means. */
export const Check = ({
  name,
  checked,
  children,
}: {
  name: string;
  checked: boolean;
  children: ReactNode;
}) => (
  <label className="check">
    <input type="checkbox" name={name} defaultChecked={checked} />
    <span>{children}</span>
  </label>
);
