import { useRef, useState } from 'react';
import type { BatchState, Programmed } from '../../shared/payment-batches.ts';
import { api } from '../../shared/urls.ts';

/** Which open batches are to pay an invoice, asked for once it is picked; without an answer none are shown. */
export function useProgrammed(known: readonly Programmed[]) {
  const [programmed, setProgrammed] = useState(known);
  const latest = useRef(0);
  const ask = async (invoiceId: number | undefined) => {
    const mine = ++latest.current;
    setProgrammed([]);
    const found = invoiceId === undefined ? [] : await programmedOf(invoiceId);
    if (mine === latest.current) setProgrammed(found);
  };
  return { programmed, ask };
}

const programmedOf = (invoiceId: number): Promise<Programmed[]> =>
  fetch(`${api.invoices}/${invoiceId}`)
    .then(async (response) => {
      if (!response.ok) return [];
      const { programaciones } = (await response.json()) as Answer;
      return programaciones.map(({ id, estado }) => ({ batchId: id, estado }));
    })
    .catch(() => []);

interface Answer {
  programaciones: { id: number; estado: BatchState }[];
}
