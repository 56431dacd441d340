import RowSelection from '../../../islands/RowSelection.tsx';
import type { Cents } from '../../../shared/money.ts';
import { pages } from '../../../shared/urls.ts';
import type { Ticked } from '../../services/payment-batches/choosing.ts';
import { parseId } from '../../shapes/fields.ts';
import { Island } from '../../shell/island.tsx';

/** The box that chooses an invoice, and the one that chooses all that is owed to a supplier, wherever they stand. */
export const CHOSEN = 'facturaproveedorId';
export const CHOSEN_SUPPLIER = 'supplierId';

/** The step of the selection's button: what was ticked elsewhere comes to be looked at, nothing is stored yet. */
export const LOOK = { name: 'paso', value: 'elegir' } as const;

/** id of the form that boxes in rows belong to, unless another one is named */
const SELECTION = 'programar';

interface TickProps {
  name: typeof CHOSEN | typeof CHOSEN_SUPPLIER;
  value: number | string;
  /** what is pending of it */
  cents: Cents;
  /** whose it is, for whoever hears it */
  label: string;
  /** the form that the box belongs to; else the selection's own */
  form?: string;
  checked?: boolean;
}

/** A box in a row, of a form that adds up what is ticked. */
export const Tick = ({ name, value, cents, label, form = SELECTION, checked }: TickProps) => (
  <label className="tick">
    <input
      type="checkbox"
      form={form}
      name={name}
      value={value}
      data-cents={cents}
      defaultChecked={checked}
      aria-label={label}
    />
  </label>
);

/** The rows' supplier, or what it is owed in one obra. */
export const supplierValue = (supplierId: number, jobId?: number | null): string =>
  jobId ? `${supplierId}-${jobId}` : String(supplierId);

/** What was ticked, as a form posts it. @throws DomainError malformed */
export const readTicks = (invoices: readonly string[], suppliers: readonly string[]): Ticked => ({
  invoiceIds: invoices.map((id) => parseId(id, 'Factura')),
  suppliers: suppliers.map((value) => {
    const [supplierId = '', jobId] = value.split('-');
    return {
      supplierId: parseId(supplierId, 'Proveedor'),
      jobId: jobId === undefined ? undefined : parseId(jobId, 'Obra'),
    };
  }),
});

/** The form that sums what is ticked on the page, and leads to its payment. */
export const PaymentSelection = () => (
  <Island
    of={RowSelection}
    props={{
      form: SELECTION,
      label: 'Programar pago',
      post: { action: pages.newPaymentBatch, step: LOOK },
    }}
    on="visible"
  />
);
