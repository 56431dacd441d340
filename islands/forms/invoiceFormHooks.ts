import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { InvoiceCost, InvoiceFormContext } from '../../shared/invoice-form-amounts.ts';
import { describeDue } from '../../shared/invoices-due.ts';
import { api, withQuery } from '../../shared/urls.ts';
import type { PickerRow, ProposedRow } from '../pickers/picker.ts';
import { readEvaluatedFields } from './evaluation.ts';
import { useLatestAnswer } from './useLatest.ts';

type FormRef = RefObject<HTMLFormElement | null>;

/** The date is not filled in, so that a later change of the supplier's credit days applies to the invoice. */
export function useDueDateHint(
  form: FormRef,
  { creditDays, fechacaptura }: InvoiceFormContext,
  initialHint: string,
) {
  const days = useRef(creditDays);
  const [hint, setHint] = useState(initialHint);
  const updateDueHint = () => {
    const dates = readEvaluatedFields(form.current, ['fechavencimiento', 'fecharecepcion', 'fechaemision']);
    setHint(describeDue(dates, { creditDays: days.current, fechacaptura }));
  };

  // Dates may have been typed before hydration.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, at hydration
  useEffect(updateDueHint, []);

  return {
    said: hint,
    onInput: ({ target }: FormEvent<HTMLFormElement>) => {
      if ((target as HTMLInputElement).name.startsWith('fecha')) updateDueHint();
    },
    onSupplier: (row: PickerRow | null) => {
      days.current = Number(row?.diascredito) || 0;
      updateDueHint();
    },
  };
}

const BUDGET_FIELDS = ['jobId', 'rubroId', 'subtotal', 'otrosimpuestos'] as const;

export function useBudgetWarning(form: FormRef, budget: { previous?: InvoiceCost } | undefined) {
  const warning = useLatestAnswer('');
  const fetchAndShowWarning = () => {
    if (!budget || !form.current) return;
    const typed = readEvaluatedFields(form.current, BUDGET_FIELDS);
    // If this code cannot be loaded, only the server warns, after the submit.
    const answer = import('./budgetWarning.ts').then(
      (module) => module.findBudgetWarning(typed, budget.previous),
      () => '',
    );
    void warning.follow(answer);
  };

  // An obra may have been chosen before hydration.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, at hydration
  useEffect(fetchAndShowWarning, []);

  const onInput = ({ target }: { target: EventTarget }) => {
    const { name } = target as HTMLInputElement;
    if ((BUDGET_FIELDS as readonly string[]).includes(name)) fetchAndShowWarning();
  };
  return { warning: warning.value, onInput };
}

interface UsualProposalsAnswer {
  job: { id: number; jobtitle: string } | null;
  rubro: { id: number; nombrerubro: string } | null;
}

export function useUsualProposals() {
  const proposals = useLatestAnswer<{ jobId?: ProposedRow | null; rubroId?: ProposedRow | null }>({});
  const ask = (supplier: PickerRow | null) => void proposals.follow(fetchProposals(supplier));
  return { proposals: proposals.value, ask };
}

async function fetchProposals(supplier: PickerRow | null) {
  const address = withQuery(`${api.invoices}/usual/`, { supplierId: supplier?.id });
  const response = supplier && (await fetch(address).catch(() => null));
  const answer: Partial<UsualProposalsAnswer> = response?.ok ? await response.json() : {};
  const { job, rubro } = answer;
  return {
    jobId: job && { id: job.id, name: job.jobtitle },
    rubroId: rubro && { id: rubro.id, name: rubro.nombrerubro },
  };
}
