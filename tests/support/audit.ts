import type { Db } from '../../db/schema.ts';
import { type AuditFault, auditFaults } from '../../server/services/audit/audit.ts';

/** How many entries the audit trail has, up to the first one that is broken. */
export async function verifyAudit(db: Db): Promise<{ entries: number; broken?: AuditFault }> {
  let entries = 0;
  for await (const broken of auditFaults(db, (verified) => {
    entries = verified;
  })) {
    return { entries, broken };
  }
  return { entries };
}
