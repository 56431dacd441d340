import { setImmediate } from 'node:timers/promises';

/** A turn of the event loop lets signals be heard and others be served between two steps of an export. */
export const nextStep = (): Promise<void> => setImmediate();
