/** Who waits for a step, in the order of asking. */
const waiting: Array<() => void> = [];
let isScheduled = false;

/**
 * Between two steps of an export. Of all exports under way together one goes on in each turn of the event
 * loop, so that however many there are, no other request waits for more than one step.
 */
export function nextStep(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    schedule();
  });
}

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(() => {
    isScheduled = false;
    waiting.shift()?.();
    if (waiting.length > 0) schedule();
  });
}
