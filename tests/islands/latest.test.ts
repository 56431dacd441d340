import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { fetchOrSignIn, SERVER_ERROR_CAUSE } from '../../islands/hooks/ask.ts';
import { createLatestSearch, SEARCH_TIMEOUT_MS, TYPING_PAUSE_MS } from '../../islands/hooks/latestSearch.ts';

interface Request {
  address: string;
  signal: AbortSignal;
  answer: (text: string) => void;
  fail: (error: Error) => void;
}

/** A search whose answers the test resolves, in any order. */
function searchByHand() {
  const requests: Request[] = [];
  const shown: string[] = [];
  const errors: string[] = [];
  const busy: boolean[] = [];
  const search = createLatestSearch<string>(
    (address, signal) =>
      new Promise((answer, fail) => {
        requests.push({ address, signal, answer, fail });
      }),
    {
      onBusy: (is) => busy.push(is),
      onAnswer: (answer, address) => shown.push(`${address}: ${answer}`),
      onError: (message) => errors.push(message),
    },
  );
  return { search, requests, shown, errors, busy };
}

const settle = () => vi.advanceTimersByTimeAsync(0);

describe('search as you type', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('asks once, after the pause, for what was typed last', async () => {
    const { search, requests } = searchByHand();
    for (const text of ['a', 'ac', 'ace']) search.search(text);
    await vi.advanceTimersByTimeAsync(TYPING_PAUSE_MS - 1);
    expect(requests).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(requests.map(({ address }) => address)).toEqual(['ace']);
  });

  test('is busy from the first letter, so that nobody is told about results of an earlier text', async () => {
    const { search, requests, busy } = searchByHand();
    search.search('a');
    expect(busy.at(-1)).toBe(true);
    await vi.advanceTimersByTimeAsync(TYPING_PAUSE_MS);
    requests[0]?.answer('x');
    await settle();
    expect(busy.at(-1)).toBe(false);
    search.search('ab');
    search.stop();
    expect(busy.at(-1)).toBe(false);
  });

  test('asks at once on Enter, and not a second time after the pause', async () => {
    const { search, requests } = searchByHand();
    search.search('ace');
    search.searchNow('aceros');
    await vi.advanceTimersByTimeAsync(TYPING_PAUSE_MS * 2);
    expect(requests.map(({ address }) => address)).toEqual(['aceros']);
  });

  test('shows the newest of five answers, in whatever order they arrive', async () => {
    for (const order of permutations([0, 1, 2, 3, 4])) {
      const { search, requests, shown } = searchByHand();
      for (let index = 0; index < 5; index++) search.searchNow(`q${index}`);
      for (const index of order) requests[index]?.answer(String(index));
      await settle();
      expect(shown).toEqual(['q4: 4']);
    }
  });

  test('does not show an answer once something newer is being typed', async () => {
    const { search, requests, shown } = searchByHand();
    search.searchNow('a');
    search.search('ab');
    requests[0]?.answer('old');
    await settle();
    expect(shown).toEqual([]);
    expect(requests[0]?.signal.aborted).toBe(true);
  });

  test('reports a failure once, and the failure of a replaced search not at all', async () => {
    const { search, requests, errors, busy } = searchByHand();
    search.searchNow('a');
    search.searchNow('b');
    requests[0]?.fail(new Error('la primera'));
    requests[1]?.fail(new Error('la segunda'));
    await settle();
    expect(errors).toEqual(['la segunda']);
    expect(busy.at(-1)).toBe(false);
  });

  test('treats a search without an answer after half a minute as failed', async () => {
    const { search, requests, errors, busy } = searchByHand();
    search.searchNow('a');
    const { signal, fail } = requests[0]!;
    signal.addEventListener('abort', () => fail(signal.reason)); // as fetch does
    await vi.advanceTimersByTimeAsync(SEARCH_TIMEOUT_MS);
    expect(errors).toEqual(['El servidor tarda demasiado. Intenta de nuevo.']);
    expect(busy.at(-1)).toBe(false);
  });

  test('neither asks nor answers after it was stopped', async () => {
    const { search, requests, shown } = searchByHand();
    search.searchNow('a');
    search.stop();
    requests[0]?.answer('x');
    search.search('b');
    search.stop();
    await vi.advanceTimersByTimeAsync(TYPING_PAUSE_MS);
    expect(shown).toEqual([]);
    expect(requests).toHaveLength(1);
  });
});

function permutations(items: number[]): number[][] {
  if (items.length < 2) return [items];
  return items.flatMap((item) =>
    permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
  );
}

afterEach(() => void vi.unstubAllGlobals());

function answerWith(response: Response | Error, current = '/invoices?numfactura=A+1') {
  const assign = vi.fn();
  const { pathname, search } = new URL(current, 'http://saldo.test');
  vi.stubGlobal('location', { pathname, search, assign });
  vi.stubGlobal('fetch', async () => {
    if (response instanceof Error) throw response;
    return response;
  });
  return assign;
}

const moment = () => new Promise((resolve) => setTimeout(resolve, 5)).then(() => 'still waiting');

describe('a request to our own server', () => {
  test('counts a redirect to the sign-in as an ended session', async () => {
    const response = new Response('<h1>Bienvenido</h1>');
    Object.defineProperties(response, {
      redirected: { value: true },
      url: { value: 'http://saldo.test/login?next=%2Fsuppliers' },
    });
    const assign = answerWith(response, '/suppliers');
    expect(await Promise.race([fetchOrSignIn('/suppliers'), moment()])).toBe('still waiting');
    expect(assign).toHaveBeenCalledExactlyOnceWith('/login?next=%2Fsuppliers');
  });

  test('reports a refusal in the words of the server', async () => {
    answerWith(Response.json({ message: 'No existe el proveedor 7.' }, { status: 404 }));
    const refusal = { message: 'No existe el proveedor 7.', cause: SERVER_ERROR_CAUSE };
    await expect(fetchOrSignIn('/api/suppliers/7')).rejects.toMatchObject(refusal);
  });

  test('reports an error page with a plain sentence', async () => {
    answerWith(new Response('<h1>500</h1>', { status: 500 }));
    const plain = { message: 'Ocurrió un error. Intenta de nuevo.', cause: undefined };
    await expect(fetchOrSignIn('/suppliers')).rejects.toMatchObject(plain);
  });

  test('remains aborted if it was aborted', async () => {
    answerWith(new DOMException('aborted', 'AbortError'));
    await expect(fetchOrSignIn('/suppliers', AbortSignal.abort())).rejects.toThrow('aborted');
  });
});
