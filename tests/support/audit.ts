import type { Db } from '../../db/schema.ts';
import { type AuditFault, findAuditFaults } from '../../server/services/audit/audit.ts';

/** Counts the entries of the audit trail up to the first broken one. */
export async function verifyAudit(db: Db): Promise<{ entries: number; broken?: AuditFault }> {
  let entries = 0;
  for await (const broken of findAuditFaults(db, (verified) => {
    entries = verified;
  })) {
    return { entries, broken };
  }
  return { entries };
}
