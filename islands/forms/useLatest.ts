import { useRef, useState } from 'react';

/** `follow` shows an answer unless a newer request was made; `show` sets a value and cancels pending answers. */
export function useLatestAnswer<Value>(initialValue: Value) {
  const [value, setValue] = useState(initialValue);
  const latest = useRef(0);
  const setAndCancelPending = (next: Value) => {
    latest.current++;
    setValue(next);
  };
  const showUnlessOutdated = async (answer: Promise<Value>) => {
    const request = ++latest.current;
    const next = await answer;
    if (request === latest.current) setValue(next);
  };
  return { value, show: setAndCancelPending, follow: showUnlessOutdated };
}
