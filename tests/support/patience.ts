import { availableParallelism, loadavg } from 'node:os';

/**
 * The factor by which a time limit is extended on a busy machine: the number of programs for each processor. Full
 * proofs need a quiet machine and use the limit unchanged.
 */
export const patience = (): number =>
  process.env.SALDO_FULL_PROOFS ? 1 : Math.max(1, loadavg()[0]! / availableParallelism());
