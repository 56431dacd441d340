import { availableParallelism, loadavg } from 'node:os';

/** Time limits grow with the number of programs per processor. Full proofs need a quiet machine. */
export const timeLimitFactor = (): number =>
  process.env.SALDO_FULL_PROOFS ? 1 : Math.max(1, loadavg()[0]! / availableParallelism());
