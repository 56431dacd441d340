import { useRef, useState } from 'react';
import { api, withQuery } from '../../shared/urls.ts';
import type { Proposal } from '../pickers/fieldProps.ts';
import type { PickerRow } from '../pickers/picker.ts';

interface Usual {
  job: { id: number; jobtitle: string } | null;
  rubro: { id: number; nombrerubro: string } | null;
}

/** A supplier's usual obra and rubro, asked for once it is chosen; without an answer nothing is proposed. */
export function useUsual() {
  const [proposals, setProposals] = useState<{ jobId?: Proposal | null; rubroId?: Proposal | null }>({});
  const latest = useRef(0);
  const ask = async (supplier: PickerRow | null) => {
    const mine = ++latest.current;
    const { job, rubro } = (supplier && (await usualOf(supplier.id))) ?? NONE;
    if (mine !== latest.current) return;
    setProposals({
      jobId: job && { id: job.id, name: job.jobtitle },
      rubroId: rubro && { id: rubro.id, name: rubro.nombrerubro },
    });
  };
  return { proposals, ask };
}

const NONE: Usual = { job: null, rubro: null };

const usualOf = (supplierId: number): Promise<Usual | null> =>
  fetch(withQuery(`${api.invoices}/usual/`, { supplierId })).then(
    (response) => (response.ok ? (response.json() as Promise<Usual>) : null),
    () => null,
  );
