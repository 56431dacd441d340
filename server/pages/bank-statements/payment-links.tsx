import type { BankMovement } from '../../../shared/bank-statements.ts';
import { formatMoney } from '../../../shared/money.ts';
import { Button } from '../../../shared/ui/Button.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { Field } from '../../../shared/ui/Field.tsx';
import { pages } from '../../../shared/urls.ts';
import type { LinkablePayment } from '../../services/bank-statements/proposals.ts';
import { dateColumn, moneyColumn } from '../ui/columns.tsx';
import { RowCheckbox } from '../ui/row-checkbox.tsx';
import { HiddenFields } from '../ui/step-form.tsx';

interface PaymentLinkFormProps {
  movement: BankMovement;
  payments: readonly LinkablePayment[];
  /** ids of payments that were ticked before the search or a refusal */
  tickedPaymentIds: readonly number[];
  action: string;
  hidden: Record<string, string>;
  search?: string;
  isSearchFocused: boolean;
}

/** A search keeps the ticked payments, also without script. */
export const PaymentLinkForm = ({
  movement,
  payments,
  tickedPaymentIds,
  action,
  hidden,
  search,
  isSearchFocused,
}: PaymentLinkFormProps) => (
  <form method="post" action={action} className="stack" data-busy="" data-sums="">
    <HiddenFields fields={hidden} />
    <div className="filters">
      <Field
        name="busca"
        label="Proveedor, importe, referencia o número de pago"
        value={search}
        autoComplete="off"
        focus={isSearchFocused}
      />
      <Button formMethod="get" formAction={pages.bankMovement(movement.id)}>
        Buscar
      </Button>
    </div>
    <DataTable
      caption="Pagos de esta cuenta que ningún movimiento del banco tiene"
      columns={linkablePaymentColumns(tickedPaymentIds)}
      rows={payments}
      rowKey={({ id }) => id}
    />
    <div className="actions">
      <Button>Ligar lo marcado</Button>
      <span className="needs-script">
        Marcado <strong data-sum="">{formatMoney(0)}</strong> de {formatMoney(-movement.amountCents)}
      </span>
    </div>
  </form>
);

const linkablePaymentColumns = (tickedPaymentIds: readonly number[]): Column<LinkablePayment>[] => [
  {
    ...{ key: 'pagos', label: 'Ligar', card: 'side' },
    render: ({ id, cents, suppliername }) => (
      <RowCheckbox
        name="pagos"
        value={id}
        checked={tickedPaymentIds.includes(id)}
        label={`Ligar el pago ${id} a ${suppliername}`}
        cents={cents}
      />
    ),
  },
  { key: 'suppliername', label: 'Proveedor', className: 'wraps names', card: 'title' },
  dateColumn('paymentdate', 'Fecha', { card: 'half', cardLabel: () => '' }),
  { key: 'checknum', label: 'Referencia', card: 'half' },
  {
    ...{ key: 'id', label: 'Pago', card: 'foot' },
    render: ({ id }) => <a href={pages.editPayment(id)}>Pago {id}</a>,
  },
  moneyColumn('importe', 'Importe', ({ cents }) => cents, { card: 'corner' }),
];
