import { FairTurns } from '../../../shared/turns.ts';

/** Twice that, one line after the other, is less than a connection may be silent. */
const MOST_SECONDS = 40;

/**
 * Books and documents, where they are made by the thread that answers everybody: of one user's a single one at a
 * time, and of all users' together so many as leave room to everything else.
 */
export const heavyTurns = new FairTurns({
  own: {
    atOnce: 1,
    waiting: 3,
    seconds: MOST_SECONDS,
    refusal: 'Ya tienes otras exportaciones en preparación. Espera a que terminen.',
    retryAfter: 10,
  },
  all: {
    atOnce: 3,
    waiting: 24,
    seconds: MOST_SECONDS,
    refusal: 'Hay muchas exportaciones en preparación. Intenta de nuevo en unos segundos.',
    retryAfter: 10,
  },
});
