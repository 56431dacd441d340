import type { Db } from '../../../db/schema.ts';
import type { DomainError } from '../../../shared/errors.ts';
import { moneyText } from '../../../shared/money.ts';
import { toError } from '../../../shared/refusal.ts';
import { isGenericRfc } from '../../../shared/rfc.ts';
import { readPrintedCode } from '../../formats/cfdi/printed-code.ts';
import { ownershipWarnings } from '../../formats/cfdi/warnings.ts';
import { readSettings } from '../settings/settings.ts';
import { checkReceipt } from './uuids.ts';

interface PrintedExpense {
  fields: Record<'comprobante' | 'uuid' | 'beneficiario' | 'importe' | 'comprobarAntes', string>;
  warnings: string[];
  /** where the CFDI is on file already, or another one replaces it */
  problem?: DomainError;
}

/**
 * Reads the QR code of a printed CFDI as an expense, and looks for what is on file about it.
 * @param movementId of the expense that is edited, whose own receipt it may be
 * @throws DomainError invalid where it is not such a code
 */
export async function readPrintedExpense(db: Db, code: string, movementId?: number): Promise<PrintedExpense> {
  const { uuid, emisor, receptor, totalCents } = readPrintedCode(code);
  const { rfc } = await readSettings(db);
  const refused = await checkReceipt(db, uuid, movementId);
  return {
    fields: {
      comprobante: 'cfdi',
      uuid,
      beneficiario: await nameIssuer(db, emisor),
      importe: moneyText(totalCents),
      comprobarAntes: '',
    },
    warnings: ownershipWarnings(emisor, receptor, rfc),
    problem: refused && toError(refused),
  };
}

/** @returns the RFC itself where no supplier, or more than one, has it */
async function nameIssuer(db: Db, rfc: string): Promise<string> {
  if (isGenericRfc(rfc)) return rfc;
  const found = await db
    .selectFrom('suppliers')
    .select('suppliername')
    .where('rfc', '=', rfc)
    .limit(2)
    .execute();
  return found.length === 1 ? found[0]!.suppliername.slice(0, 200) : rfc;
}
