import { shownNumber } from '../../../shared/invoices.ts';
import {
  creditLabel,
  type Payment,
  type PaymentSort,
  RECEIPT_LABELS,
  takenBy,
} from '../../../shared/payments.ts';
import { Button, LinkButton } from '../../../shared/ui/Button.tsx';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { type Column, LONGEST_NUMBER } from '../../../shared/ui/DataTable.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { pages } from '../../../shared/urls.ts';
import { paymentList } from '../../lists/payments.ts';
import type { QueryOf } from '../../lists/shapes.ts';
import { moneyColumn } from '../ui/columns.tsx';
import { listAddress } from '../ui/list-filters.tsx';

/** The list's columns, their headings sorting it. */
export function paymentColumns(
  sort: (field: PaymentSort) => Column<Payment>['sort'],
  query: QueryOf<typeof paymentList>,
): Column<Payment>[] {
  return [
    { key: 'id', label: 'ID', align: 'end', link: true, card: 'corner', sort: sort('id') },
    {
      key: 'checknum',
      label: 'Cheque',
      cardLabel: howPaidLabel('Cheque'),
      clip: LONGEST_NUMBER,
      card: 'half',
      render: howPaid,
    },
    { key: 'facturaproveedorId', label: 'ID de factura', align: 'end', card: 'none', className: 'hide-mid' },
    {
      key: 'numfactura',
      label: 'Factura',
      clip: LONGEST_NUMBER,
      text: ({ numfactura }) => numfactura,
      card: 'half',
      render: ({ facturaproveedorId, numfactura }) => (
        <a href={pages.editInvoice(facturaproveedorId)}>{shownNumber(numfactura)}</a>
      ),
    },
    { key: 'suppliername', label: 'Proveedor', clip: true, line: 'over', card: 'title' },
    { key: 'jobtitle', label: 'Obra', clip: true, line: 'under', card: 'line' },
    moneyColumn('paymentamount', 'Cantidad pagada', (payment) => payment.amountCents, { line: 'over' }),
    BANK_COLUMN,
    {
      key: 'paymentdate',
      label: 'Fecha de pago',
      line: 'over',
      card: 'foot',
      sort: sort('paymentdate'),
      render: (payment) => <DateText date={payment.paymentdate} />,
    },
    {
      key: 'origenderecursonombre',
      label: 'Origen',
      clip: true,
      line: 'under',
      card: 'line',
      render: (payment) => payment.origenderecursonombre ?? '',
    },
    { key: 'rep', label: 'REP', card: 'line', render: ({ rep }) => <ReceiptChip rep={rep} /> },
    {
      key: 'actions',
      label: 'Acciones',
      card: 'actions',
      render: ({ id }) => (
        <>
          <LinkButton href={pages.editPayment(id)} icon="edit" tip={`Editar el pago ${id}`} />
          <form method="post" action={pages.deletePayment(id)} data-busy="">
            <input type="hidden" name="next" value={listAddress(paymentList, query, {})} />
            <Button look="danger" icon="trash" tip={`Eliminar el pago ${id}`} />
          </form>
        </>
      ),
    },
  ];
}

/** What left the bank, of payments at another rate than their invoice's. */
export const BANK_COLUMN: Column<Payment> = {
  key: 'importebanco',
  label: 'Importe del banco',
  align: 'end',
  line: 'under',
  card: 'line',
  render: (payment) => isExchanged(payment) && <Money cents={takenBy(payment)} />,
};

const isExchanged = ({ kind, importebancoCents }: Payment): boolean =>
  kind === 'pago' && importebancoCents !== null;

/** Without a word of receipts where none is due, and of the bank where it paid no other amount. */
export const withNews = (
  columns: readonly Column<Payment>[],
  payments: readonly Payment[],
): readonly Column<Payment>[] => {
  const left = new Set<string>();
  if (!payments.some(({ rep }) => rep)) left.add('rep');
  if (!payments.some(isExchanged)) left.add(BANK_COLUMN.key);
  return columns.filter(({ key }) => !left.has(key));
};

/** The cheque, or the credit note in its place. */
export const howPaid = ({ kind, checknum, creditNumero }: Payment) =>
  kind === 'credito' ? creditLabel(creditNumero) : checknum;

/** A credit note is no cheque: beside its label on a card it would read as the number of one. */
export const howPaidLabel =
  (cheque: string) =>
  ({ kind }: Payment): string =>
    kind === 'credito' ? 'Pagado con' : cheque;

/** Whether the supplier's receipt has come; nothing where none is due. */
export const ReceiptChip = ({ rep }: Pick<Payment, 'rep'>) =>
  rep && <Chip tone={rep === 'con' ? 'done' : 'warn'}>{RECEIPT_LABELS[rep]}</Chip>;
