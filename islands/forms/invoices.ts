import {
  dueDateFrom,
  type KnownOfInvoice,
  type StoredAmounts,
  typedAmounts,
} from '../../shared/invoices-typing.ts';
import { formatMoney } from '../../shared/money.ts';
import type { PickerRow } from '../pickers/picker.ts';
import { followAmounts } from './amounts.ts';

const AMOUNTS = ['subtotal', 'tasa', 'otrosimpuestos', 'retenciones'] as const;

/** An invoice's form: IVA, total and due date follow what is typed, also what was typed before this came. */
export function startInvoice(form: HTMLFormElement): void {
  const { isNew, stored, ...known } = JSON.parse(form.dataset.known ?? '{}') as KnownOfInvoice;
  let { creditDays } = known;
  const field = (name: string) => form.elements.namedItem(name) as HTMLInputElement;

  const compute = () => {
    const typed = Object.fromEntries(AMOUNTS.map((name) => [name, textOf(name)])) as unknown as StoredAmounts;
    const shown = typedAmounts(typed, stored);
    for (const [name, cents] of [
      ['iva', shown?.ivaCents],
      ['total', shown?.totalCents],
    ] as const) {
      const text = cents === undefined ? '–' : formatMoney(cents);
      const output = form.elements.namedItem(name) as HTMLOutputElement;
      if (output.value !== text) output.value = text;
    }
  };
  const textOf = followAmounts(form, AMOUNTS, compute);

  const due = field('fechavencimiento');
  const computedDue = () =>
    dueDateFrom(
      { fechaemision: field('fechaemision').value, fecharecepcion: field('fecharecepcion').value },
      creditDays,
    ) ?? '';
  /** An empty due date follows the other dates and the supplier's credit days, until somebody types one. */
  let filledDue = isNew ? computedDue() : '';
  const fillDue = () => {
    if (due.value !== '' && due.value !== filledDue) return;
    filledDue = computedDue();
    due.value = filledDue;
  };

  form.addEventListener('input', (event) => {
    const { name } = event.target as HTMLInputElement;
    if (name === 'supplierId' && event instanceof CustomEvent)
      creditDays = Number((event.detail as PickerRow | null)?.diascredito) || 0;
    if (name === 'supplierId' || name === 'fechaemision' || name === 'fecharecepcion') fillDue();
  });
  compute();
  if (isNew) fillDue();
}
