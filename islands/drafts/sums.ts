import { formatMoney } from '../../shared/money.ts';

const sumElement = document.querySelector('[data-sum]')!;
const showSum = () => {
  const controls = [...document.querySelectorAll<HTMLInputElement>('[data-sums] input[data-cents]')];
  const cents = controls.map(
    ({ type, checked, value, dataset }) =>
      Number(dataset.cents) * (type === 'checkbox' ? Number(checked) : Math.trunc(Number(value)) || 0),
  );
  sumElement.textContent = formatMoney(cents.reduce((total, one) => total + one, 0));
};
addEventListener('input', showSum);
showSum(); // the browser may have restored some input
