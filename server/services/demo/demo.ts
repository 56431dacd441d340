import { insertDemo } from '../../../db/demo/demo.ts';
import { demoCompany } from '../../../db/demo/names.ts';
import { withCheckDigit } from '../../../db/demo/suppliers.ts';
import type { OpenDatabase } from '../../../db/open.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { lastMonths } from '../../../shared/periods.ts';
import { type Actor, audit } from '../audit/audit.ts';
import { CLOSING } from '../closing/closing.ts';
import { changeSetting } from '../settings/settings.ts';
import { loadDemoDocuments } from './documents.ts';
import { addDemoBatches } from './payment-batches.ts';
import { addDemoBoxes } from './petty-cash.ts';

/**
 * Fills an empty database with a believable company, the same one for the actor's day: all of it or nothing,
 * with one entry in the audit trail for each list, as imports have. A few CFDI come in as users load them.
 */
export async function fillDemo({ db }: OpenDatabase, actor: Actor): Promise<void> {
  const { today } = actor;
  await inTransaction(db, async (trx) => {
    for (const { entity, importId, source, sha256, ids } of await insertDemo(trx, { today, at: actor.at })) {
      audit(trx, actor, {
        action: 'import',
        entity,
        entityId: importId,
        after: { source, sha256, count: ids.length, ids },
        also: importId === undefined ? {} : { imports: [importId] },
      });
    }
    const { empresa, rfc, direccion } = demoCompany;
    const settings = { empresa, rfc: withCheckDigit(rfc), direccion, idioma: 'es', ...SEMAPHORE };
    for (const [key, value] of Object.entries(settings)) {
      await changeSetting(trx, actor, key, value);
    }
    await loadDemoDocuments(trx, actor, today);
    await addDemoBatches(trx, actor, today);
    await addDemoBoxes(trx, actor, today);
    // As an office has it at the middle of a month: the one before is still to be closed.
    await changeSetting(trx, actor, CLOSING, lastMonths(today, 3)[0]!.to);
  });
}

/** Most of its invoices came without their XML, which would be said of each; missing receipts hold a payment. */
const SEMAPHORE = { 'semaforo.xml': 'ignorar', 'semaforo.rep': 'impedir' };
