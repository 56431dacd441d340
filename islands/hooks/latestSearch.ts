interface SearchCallbacks<Answer> {
  onBusy: (busy: boolean) => void;
  onAnswer: (answer: Answer, address: string) => void;
  /** gets the text for the user, once per search, and never for a search that a newer one has replaced */
  onError: (message: string, cause: unknown, address: string) => void;
}

export interface LatestSearch {
  search: (address: string) => void;
  searchNow: (address: string) => void;
  isRequesting: (address: string) => boolean;
  stop: () => void;
}

/** Shorter than the time between two fast keystrokes, so that the results follow every keystroke. */
export const TYPING_PAUSE_MS = 40;
export const SEARCH_TIMEOUT_MS = 30_000;

const TIMEOUT_TEXT = 'El servidor tarda demasiado. Intenta de nuevo.';

/** The latest search wins. Aborting the others is not enough, because `ask` may already have their answer. */
export function createLatestSearch<Answer>(
  ask: (address: string, signal: AbortSignal) => Promise<Answer>,
  { onBusy, onAnswer, onError }: SearchCallbacks<Answer>,
): LatestSearch {
  let latest = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: { address: string; controller: AbortController } | undefined;

  const stopSearch = () => {
    latest += 1;
    clearTimeout(timer);
    onBusy(false);
    running?.controller.abort();
    running = undefined;
  };

  const searchNow = async (address: string) => {
    stopSearch();
    const searchNumber = latest;
    const controller = new AbortController();
    running = { address, controller };
    onBusy(true);
    const timeout = setTimeout(() => controller.abort(new Error(TIMEOUT_TEXT)), SEARCH_TIMEOUT_MS);
    let report: () => void;
    try {
      const answer = await ask(address, controller.signal);
      report = () => onAnswer(answer, address);
    } catch (reason) {
      const { message, cause } = reason as Error;
      report = () => onError(message, cause, address);
    }
    clearTimeout(timeout);
    if (searchNumber !== latest) return;
    running = undefined;
    onBusy(false);
    report();
  };

  return {
    search: (address) => {
      stopSearch();
      onBusy(true); // what is shown already belongs to an earlier text
      timer = setTimeout(searchNow, TYPING_PAUSE_MS, address);
    },
    searchNow,
    isRequesting: (address) => running?.address === address,
    stop: stopSearch,
  };
}

export function describeResultCount(count: number): string {
  if (count === 0) return 'Sin resultados';
  return count === 1 ? '1 resultado' : `${count} resultados`;
}
