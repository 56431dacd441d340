import { formatMoney } from '../../shared/money.ts';

/*
 * The bar of a form shows its running sum: each control's [data-cents] counts as often as the control's value says, a
 * tick being once.
 */
const sum = document.querySelector('[data-sum]')!;
const say = () => {
  const controls = [...document.querySelectorAll<HTMLInputElement>('[data-sums] input[data-cents]')];
  const cents = controls.map(
    ({ type, checked, value, dataset }) =>
      Number(dataset.cents) * (type === 'checkbox' ? Number(checked) : Math.trunc(Number(value)) || 0),
  );
  sum.textContent = formatMoney(cents.reduce((total, one) => total + one, 0));
};
addEventListener('input', say);
say(); // the browser may have restored it
