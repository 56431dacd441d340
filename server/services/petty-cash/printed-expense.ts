import type { Db } from '../../../db/schema.ts';
import type { DomainError } from '../../../shared/errors.ts';
import { toDecimalText } from '../../../shared/money.ts';
import { toDomainError } from '../../../shared/refusal.ts';
import { isGenericRfc } from '../../../shared/rfc.ts';
import { parseCfdiQr } from '../../formats/cfdi/cfdi-qr.ts';
import { partyWarnings } from '../../formats/cfdi/warnings.ts';
import { readSettings } from '../settings/settings.ts';
import { findVoucherUuidRefusal } from './voucher-uuids.ts';

interface ExpenseOfScannedCfdi {
  fields: Record<'comprobante' | 'uuid' | 'beneficiario' | 'importe' | 'comprobarAntes', string>;
  warnings: string[];
  /** why the CFDI cannot be used: it is stored already, or another one replaces it */
  problem?: DomainError;
}

/**
 * Reads the QR code of a printed CFDI as an expense, and checks whether the CFDI is stored already.
 * @param movementId the expense that is edited, which may have this CFDI already
 * @throws DomainError invalid where `code` is not the QR code of a CFDI
 */
export async function readPrintedExpense(
  db: Db,
  code: string,
  movementId?: number,
): Promise<ExpenseOfScannedCfdi> {
  const { uuid, emisor, receptor, totalCents } = parseCfdiQr(code);
  const { rfc } = await readSettings(db);
  const refused = await findVoucherUuidRefusal(db, uuid, movementId);
  return {
    fields: {
      comprobante: 'cfdi',
      uuid,
      beneficiario: await findIssuerName(db, emisor),
      importe: toDecimalText(totalCents),
      comprobarAntes: '',
    },
    warnings: partyWarnings(emisor, receptor, rfc),
    problem: refused && toDomainError(refused),
  };
}

/** @returns the RFC itself where no supplier, or more than one, has it */
async function findIssuerName(db: Db, rfc: string): Promise<string> {
  if (isGenericRfc(rfc)) return rfc;
  const found = await db
    .selectFrom('suppliers')
    .select('suppliername')
    .where('rfc', '=', rfc)
    .limit(2)
    .execute();
  return found.length === 1 ? found[0]!.suppliername.slice(0, 200) : rfc;
}
