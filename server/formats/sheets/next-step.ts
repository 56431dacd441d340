import { setImmediate } from 'node:timers/promises';

/** Between two steps of an export signals are heard and others are served: that takes a turn of the event loop. */
export const nextStep = (): Promise<void> => setImmediate();
