import { useState } from 'react';
import { useSearch } from '../hooks/useSearch.ts';
import type { DestinationGroup } from './destinations.ts';
import { type Finder, invoiceFinder, jobFinder, supplierFinder } from './found.ts';

/** A letter alone would find nearly everything. */
const SHORTEST = 2;

/** Of each kind. */
const MOST_FOUND = 5;

/** Suppliers, jobs and invoices that match what is typed, each as soon as its answer is there. */
export function useFound() {
  const finders = [useFinder(supplierFinder), useFinder(jobFinder), useFinder(invoiceFinder)];
  return {
    found: finders.map(({ group }) => group),
    busy: finders.some(({ busy }) => busy),
    error: finders.find(({ error }) => error)?.error ?? '',
    dismissError: () => {
      for (const finder of finders) finder.dismissError();
    },
    search: (typed: string) => {
      for (const finder of finders) finder.find(typed.trim());
    },
  };
}

function useFinder<Row>({ title, address, lead }: Finder<Row>) {
  const [group, setGroup] = useState<DestinationGroup>({ title, entries: [] });
  const { search, stop, busy, error, dismissError } = useSearch<Row[]>({
    read: (response) => response.json() as Promise<Row[]>,
    onAnswer: (rows) => setGroup({ title, entries: rows.slice(0, MOST_FOUND).flatMap(lead) }),
  });
  const find = (text: string) => {
    // What was found for other words would be led to by mistake.
    setGroup({ title, entries: [] });
    dismissError();
    if (text.length < SHORTEST) stop();
    else search(address(text));
  };
  return { group, busy, error, dismissError, find };
}
