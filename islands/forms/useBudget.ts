import { type RefObject, useEffect, useRef, useState } from 'react';
import type { InvoiceCost } from '../../shared/invoices-typing.ts';
import { textIn } from './workingOut.ts';

/** What decides whether an invoice goes beyond a budget. */
const DECIDING = ['jobId', 'rubroId', 'subtotal', 'otrosimpuestos'] as const;

/**
 * Says while it is typed what an invoice would exceed the budget of its obra by.
 * @param held to budgets at all; `former`: what it cost as it is stored
 */
export function useBudget(
  form: RefObject<HTMLFormElement | null>,
  held: { former?: InvoiceCost } | undefined,
) {
  const [warning, setWarning] = useState('');
  const latest = useRef(0);

  const follow = async () => {
    if (!held || !form.current) return;
    const mine = ++latest.current;
    const typed = Object.fromEntries(DECIDING.map((name) => [name, textIn(form.current, name)]));
    // Without a connection the server says it when the form is sent.
    const module = await import('./budgetWarning.ts').catch(() => undefined);
    const text = await module?.budgetWarning(typed as Record<(typeof DECIDING)[number], string>, held.former);
    if (mine === latest.current) setWarning(text ?? '');
  };

  // What was chosen before this came counts too.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, at hydration
  useEffect(() => void follow(), []);

  const onInput = ({ target }: { target: EventTarget }) => {
    if (DECIDING.some((name) => name === (target as HTMLInputElement).name)) void follow();
  };
  return { warning, onInput };
}
