import { type FormEvent, type RefObject, useEffect, useRef } from 'react';
import { dueDateFrom, type KnownOfInvoice } from '../../shared/invoices-typing.ts';
import type { PickerRow } from '../pickers/picker.ts';

/** An empty due date follows the other dates and the supplier's credit days, until somebody types one. */
export function useDueDate(form: RefObject<HTMLFormElement | null>, { isNew, creditDays }: KnownOfInvoice) {
  const days = useRef(creditDays);
  /** what was filled in last, and may be replaced */
  const filled = useRef('');
  const field = (name: string) => form.current?.elements.namedItem(name) as HTMLInputElement;
  const computed = () => {
    const [fechaemision, fecharecepcion] = [field('fechaemision').value, field('fecharecepcion').value];
    return dueDateFrom({ fechaemision, fecharecepcion }, days.current) ?? '';
  };
  const fill = () => {
    const due = field('fechavencimiento');
    if (due.value !== '' && due.value !== filled.current) return;
    filled.current = computed();
    due.value = filled.current;
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, at hydration
  useEffect(() => {
    if (!isNew) return;
    filled.current = computed();
    fill();
  }, []);

  return {
    onInput: ({ target }: FormEvent<HTMLFormElement>) => {
      if (/^fecha(emision|recepcion)$/.test((target as HTMLInputElement).name)) fill();
    },
    onSupplier: (row: PickerRow | null) => {
      days.current = Number(row?.diascredito) || 0;
      fill();
    },
  };
}
