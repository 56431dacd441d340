import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { sayDue } from '../../shared/invoices-due.ts';
import type { KnownOfInvoice } from '../../shared/invoices-typing.ts';
import type { PickerRow } from '../pickers/picker.ts';
import { textIn } from './workingOut.ts';

/**
 * When the invoice is due while its field is empty, by the other dates and the supplier's credit days. It is said, not
 * filled in: a later change of the credit days moves every invoice whose paper states no day.
 */
export function useDueDay(
  form: RefObject<HTMLFormElement | null>,
  { creditDays, fechacaptura }: KnownOfInvoice,
  shown: string,
) {
  const days = useRef(creditDays);
  const [said, setSaid] = useState(shown);
  const say = () => {
    const typed = (name: string) => textIn(form.current, name);
    const dates = {
      fechavencimiento: typed('fechavencimiento'),
      fecharecepcion: typed('fecharecepcion'),
      fechaemision: typed('fechaemision'),
    };
    setSaid(sayDue(dates, { creditDays: days.current, fechacaptura }));
  };

  // What was typed before this came counts too.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, at hydration
  useEffect(say, []);

  return {
    said,
    onInput: ({ target }: FormEvent<HTMLFormElement>) => {
      if ((target as HTMLInputElement).name.startsWith('fecha')) say();
    },
    onSupplier: (row: PickerRow | null) => {
      days.current = Number(row?.diascredito) || 0;
      say();
    },
  };
}
