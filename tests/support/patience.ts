import { availableParallelism, loadavg } from 'node:os';

/**
 * How many times as long as on a quiet machine something may take: as many as there are programs for each
 * processor. For full proofs the machine is quiet, and the bound its own.
 */
export const patience = (): number =>
  process.env.SALDO_FULL_PROOFS ? 1 : Math.max(1, loadavg()[0]! / availableParallelism());
