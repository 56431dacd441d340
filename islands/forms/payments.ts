import { type Cents, formatMoney, moneyText, parseMoney } from '../../shared/money.ts';
import type { KnownOfPayment } from '../../shared/payments.ts';
import { typedExchange } from '../../shared/payments-typing.ts';
import { memberOf, type PickerRow } from '../pickers/picker.ts';
import { followAmounts } from './amounts.ts';

/** A payment's form: the facts and sums of the invoice that was picked, and "Pagar todo". */
export function startPayment(form: HTMLFormElement): void {
  const { former, ...known } = JSON.parse(form.dataset.known ?? '{}') as KnownOfPayment;
  let { payable } = known;
  const amount = form.elements.namedItem('paymentamount') as HTMLInputElement;
  const payAll = form.querySelector<HTMLButtonElement>('[data-pay-all]') as HTMLButtonElement;
  const note = form.querySelector<HTMLElement>('[data-former]');
  const foreign = form.querySelector<HTMLElement>('[data-foreign]') as HTMLElement;
  const bank = form.elements.namedItem('importebanco') as HTMLInputElement;
  const compute = () =>
    write(
      'exchange',
      typedExchange({ paymentamount: textOf('paymentamount'), importebanco: textOf('importebanco') }),
    );
  const textOf = followAmounts(form, ['paymentamount', 'importebanco'], () => compute());

  const show = (row: PickerRow | null) => {
    for (const fact of form.querySelectorAll<HTMLElement>('[data-fact]'))
      fact.textContent = String((row && memberOf(row, fact.dataset.fact ?? '')) || '–');
    const total = row ? parseMoney(row.total, 'total') : undefined;
    const paid = row ? parseMoney(row.totalamountpaid, 'totalamountpaid') : undefined;
    const pending = total === undefined || paid === undefined ? undefined : total - paid;
    write('total', total);
    write('totalamountpaid', paid);
    write('pending', pending);
    const isFormer = row !== null && row.id === former?.invoiceId;
    if (note) note.hidden = !isFormer;
    payable = (pending ?? 0) + (isFormer ? former.amountCents : 0);
    payAll.disabled = payable <= 0;
    // What was typed for one invoice is not another one's.
    foreign.hidden = !row?.moneda;
    if (foreign.hidden) bank.value = '';
    compute();
  };
  const write = (name: string, cents: Cents | undefined) => {
    const output = form.elements.namedItem(name) as HTMLOutputElement;
    output.value = cents === undefined ? '–' : formatMoney(cents);
  };

  form.addEventListener('input', (event) => {
    const { name } = event.target as HTMLInputElement;
    if (name === 'facturaproveedorId' && event instanceof CustomEvent) show(event.detail as PickerRow | null);
  });
  payAll.addEventListener('click', () => {
    amount.value = moneyText(payable);
    amount.focus();
    amount.dispatchEvent(new Event('input', { bubbles: true }));
  });
  payAll.disabled = payable <= 0; // not before: until now nothing would have come of it
}
