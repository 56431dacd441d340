import type { Db } from '../../db/schema.ts';
import { type AuditFault, findAuditFaults } from '../../server/services/audit/audit.ts';

export async function verifyAuditChain(db: Db): Promise<{ entries: number; broken?: AuditFault }> {
  let entries = 0;
  for await (const broken of findAuditFaults(db, (verified) => {
    entries = verified;
  })) {
    return { entries, broken };
  }
  return { entries };
}
