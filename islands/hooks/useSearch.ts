import { useEffect, useRef, useState } from 'react';
import { fetchOrSignIn, GENERIC_ERROR_TEXT } from './ask.ts';
import { createLatestSearch, type LatestSearch } from './latestSearch.ts';

interface Search extends LatestSearch {
  isBusy: boolean;
  /** The message is in Spanish; '' means that there is no error. */
  error: string;
  dismissError: () => void;
}

interface UseSearchOptions<Answer> {
  read: (response: Response) => Promise<Answer>;
  onAnswer: (answer: Answer, address: string) => void;
  onError?: (message: string) => void;
}

export function useSearch<Answer>(options: UseSearchOptions<Answer>): Search {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState('');
  const current = useRef(options);
  current.current = options;
  const [search] = useState(() =>
    createLatestSearch(
      async (address, signal) => {
        const response = await fetchOrSignIn(address, signal);
        return current.current.read(response).catch(() => {
          throw new Error(GENERIC_ERROR_TEXT); // the error of an unparsable answer has an English message
        });
      },
      {
        onBusy: setBusy,
        onAnswer: (answer, address) => {
          setError('');
          current.current.onAnswer(answer, address);
        },
        onError: (message) => {
          setError(message);
          current.current.onError?.(message);
        },
      },
    ),
  );
  useEffect(() => search.stop, [search]);
  return { ...search, isBusy: busy, error, dismissError: () => setError('') };
}
