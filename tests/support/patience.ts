import { availableParallelism, loadavg } from 'node:os';

/**
 * The factor by which something may take longer than on a quiet machine: as many as there are programs for each
 * processor. For full proofs the machine is quiet, and the bound its own.
 */
export const patience = (): number =>
  process.env.SALDO_FULL_PROOFS ? 1 : Math.max(1, loadavg()[0]! / availableParallelism());
