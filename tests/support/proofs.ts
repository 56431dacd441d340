/** Set, the tests send, kill and read as much as their proof asks for; else the same with smaller counts. */
export const IN_FULL = Boolean(process.env.SALDO_FULL_PROOFS);
