import { formatMoney } from '../../shared/money.ts';

/**
 * The bar of a form says what it comes to while it is filled in: each control's [data-cents] counts as often as the
 * control says, a tick being once.
 */
export function startSums(form: HTMLFormElement): void {
  const sum = document.querySelector('[data-sum]');
  if (!sum) return;
  const say = () => {
    const controls = [...form.querySelectorAll<HTMLInputElement>('input[data-cents]')];
    const cents = controls.map(
      ({ type, checked, value, dataset }) =>
        Number(dataset.cents) * (type === 'checkbox' ? Number(checked) : Math.trunc(Number(value)) || 0),
    );
    sum.textContent = formatMoney(cents.reduce((total, one) => total + one, 0));
  };
  form.addEventListener('input', say);
  say(); // the browser may have filled it in again
}
