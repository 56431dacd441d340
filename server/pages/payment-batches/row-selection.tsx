import RowSelection from '../../../islands/RowSelection.tsx';
import type { Cents } from '../../../shared/money.ts';
import { pages } from '../../../shared/urls.ts';
import type { InvoiceSelection } from '../../services/payment-batches/offered-invoices.ts';
import { parseId } from '../../shapes/fields.ts';
import { Island } from '../../shell/island.tsx';
import { RowCheckbox } from '../ui/row-checkbox.tsx';

/** Names of checkboxes: they select an invoice, or everything that is owed to a supplier. */
export const CHOSEN_INVOICE_FIELD = 'facturaproveedorId';
export const CHOSEN_SUPPLIER_FIELD = 'supplierId';

/** Name and value of the button that posts the selection to the next page, which shows the rows and stores nothing. */
export const STEP_FIELD = 'paso';
export const CHOOSE_STEP_BUTTON = { name: STEP_FIELD, value: 'elegir' } as const;
/** The value of a button that only shows the form again. */
export const SHOW_STEP = 'mostrar';

const SELECTION_FORM_ID = 'programar';

interface SelectionCheckboxProps extends Omit<Parameters<typeof RowCheckbox>[0], 'name' | 'children'> {
  name: typeof CHOSEN_INVOICE_FIELD | typeof CHOSEN_SUPPLIER_FIELD;
  /** the amount that is still owed */
  cents: Cents;
}

export const SelectionCheckbox = ({ form = SELECTION_FORM_ID, ...props }: SelectionCheckboxProps) => (
  <RowCheckbox form={form} {...props} />
);

/** Has no name, so it is not posted; phones have the button of RowSelection instead. */
export const SelectAllCheckbox = () => (
  <label className="tick needs-script hide-sm">
    <input type="checkbox" form={SELECTION_FORM_ID} aria-label="Marcar todas las de la página" />
  </label>
);

/** The value is "3" for a supplier, and "3-7" for a supplier in one job. */
export const supplierCheckboxValue = (supplierId: number, jobId?: number | null): string =>
  jobId ? `${supplierId}-${jobId}` : String(supplierId);

/** @throws DomainError malformed */
export const parseSelection = (
  invoices: readonly string[],
  suppliers: readonly string[],
): InvoiceSelection => ({
  invoiceIds: invoices.map((id) => parseId(id, 'Factura')),
  suppliers: suppliers.map((value) => {
    const [supplierId = '', jobId] = value.split('-');
    return {
      supplierId: parseId(supplierId, 'Proveedor'),
      jobId: jobId === undefined ? undefined : parseId(jobId, 'Obra'),
    };
  }),
});

export const PaymentSelectionBar = ({ other }: Pick<Parameters<typeof RowSelection>[0], 'other'>) => (
  <Island
    component={RowSelection}
    props={{
      form: SELECTION_FORM_ID,
      label: 'Programar pago',
      post: { action: pages.newPaymentBatch, step: CHOOSE_STEP_BUTTON },
      other,
    }}
    on="visible"
  />
);
