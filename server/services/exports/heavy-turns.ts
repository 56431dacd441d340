import { Turns } from '../../../shared/turns.ts';

/** Twice that, one line after the other, is less than a connection may be silent. */
const MOST_SECONDS = 40;

/**
 * Books and documents are work for the only thread there is: of one user's a single one is made at a time,
 * and of all users' together so many as leave room to everything else.
 */
const everybody = new Turns({
  atOnce: 3,
  waiting: 24,
  seconds: MOST_SECONDS,
  refusal: 'Hay muchas exportaciones en preparación. Intenta de nuevo en unos segundos.',
  retryAfter: 10,
});

const byUser = new Map<number, Turns>();

/** @throws DomainError busy where too many wait; the signal's reason */
export async function enterHeavy(userId: number, signal?: AbortSignal): Promise<() => void> {
  const own = byUser.get(userId) ?? newTurns();
  byUser.set(userId, own);
  const leaveOwn = await own.enter(signal);
  const leave = (from?: () => void) => {
    from?.();
    leaveOwn();
    if (own.isIdle && byUser.get(userId) === own) byUser.delete(userId);
  };
  try {
    const leaveAll = await everybody.enter(signal);
    return () => leave(leaveAll);
  } catch (error) {
    leave();
    throw error;
  }
}

const newTurns = () =>
  new Turns({
    atOnce: 1,
    waiting: 3,
    seconds: MOST_SECONDS,
    refusal: 'Ya tienes otras exportaciones en preparación. Espera a que terminen.',
    retryAfter: 10,
  });
