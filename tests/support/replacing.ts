import { expect } from 'vitest';
import type { Db } from '../../db/schema.ts';
import {
  buildCfdi,
  buildConcepto,
  buildConceptos,
  buildCreditNote,
  buildImpuestos,
  buildReceipt,
  buildRelations,
  buildReplacements,
  buildTraslado,
  bytesOf,
  uuidOfNumber,
} from './cfdi.ts';
import type { createCfdiImporter } from './cfdi-office.ts';
import { findDatabaseProblems } from './problems.ts';

export interface NamedFile {
  name: string;
  bytes: Buffer;
}

export const LATER_UUID = 'BBBBBBBB-1111-4222-8333-000000000001';

export const replaceDocument = (
  db: Db,
  replacedUuid: string,
  rfc = 'EKU9003173C9',
  successor: { kind: 'I' | 'E'; numero: string } = { kind: 'I', numero: 'A-2' },
) =>
  db
    .insertInto('document_relations')
    .values({ uuid: LATER_UUID, replacedUuid, rfc, ...successor })
    .onConflict((conflict) => conflict.doNothing())
    .execute();

export const OTHER_ISSUER = { Rfc: 'CVI100512AB1', Nombre: 'Otra' };
const amountsOf = (pesos: number) => ({
  SubTotal: `${pesos}.00`,
  Total: `${(pesos * 1.16).toFixed(2)}`,
});
const buildIva = (pesos: number) =>
  buildImpuestos(buildTraslado('002', '0.160000', (pesos * 0.16).toFixed(2)));

/** Builds an invoice of so many pesos before IVA. */
export const invoiceFileOf = (
  n: number,
  replacedNumbers: number[] = [],
  pesos = 1000,
  emisor?: Record<string, string>,
): NamedFile => ({
  name: `${n}.xml`,
  bytes: bytesOf(
    buildCfdi({
      uuid: uuidOfNumber(n),
      ...(emisor ? { emisor } : {}),
      relacionados: replacedNumbers.length > 0 ? buildReplacements(...replacedNumbers.map(uuidOfNumber)) : '',
      conceptos: buildConceptos(buildConcepto(`${pesos}.00`)),
      impuestos: buildIva(pesos),
      root: {
        Folio: String(n),
        Fecha: `2024-03-${String(n + 1).padStart(2, '0')}T09:00:00`,
        ...amountsOf(pesos),
      },
    }),
  ),
});

export const noteFileOf = (
  n: number,
  of: number,
  replacedNumbers: number[] = [],
  pesos = 100,
  emisor?: Record<string, string>,
): NamedFile => ({
  name: `${n}.xml`,
  bytes: bytesOf(
    buildCreditNote([], {
      uuid: uuidOfNumber(n),
      ...(emisor ? { emisor } : {}),
      relacionados: `${buildRelations('01', uuidOfNumber(of))}${replacedNumbers.length > 0 ? buildReplacements(...replacedNumbers.map(uuidOfNumber)) : ''}`,
      conceptos: buildConceptos(buildConcepto(`${pesos}.00`)),
      impuestos: buildIva(pesos),
      root: {
        Folio: String(n),
        Fecha: `2024-04-${String(n % 20).padStart(2, '0')}T09:00:00`,
        ...amountsOf(pesos),
      },
    }),
  ),
});

export const receiptFileOf = (
  n: number,
  lines: [of: number, pesos: number][],
  replacedNumbers: number[] = [],
  day = 12,
  emisor?: Record<string, string>,
): NamedFile => {
  const doctos = lines.map(([of, pesos]) => ({ amount: `${pesos}.00`, of: uuidOfNumber(of) }));
  const xml = buildReceipt({ uuid: uuidOfNumber(n), doctos, fecha: `2024-05-${day}`, emisor })
    .replace('Folio="1"', `Folio="${n}"`)
    .replace(
      '<cfdi:Emisor',
      `${replacedNumbers.length > 0 ? buildReplacements(...replacedNumbers.map(uuidOfNumber)).replaceAll('{p}', 'cfdi:') : ''}<cfdi:Emisor`,
    );
  return { name: `${n}.xml`, bytes: bytesOf(xml) };
};

/** Only documents that count are listed, with their totals and what is paid or applied of them. */
export interface StoredDocumentRows {
  invoices: [n: number, total: number, paid: number][];
  notes?: [n: number, applied: number][];
  receipts?: number[];
  payments?: [pesos: number, day: string][];
}

const numberOfUuid = (uuid: string | null) => Number(uuid!.slice(-12));

/** @param expectedProblems what the check of the database is expected to find */
export async function readDocumentRows(
  { db }: Pick<Awaited<ReturnType<typeof createCfdiImporter>>, 'db'>,
  expectedProblems: readonly string[] = [],
): Promise<Required<StoredDocumentRows>> {
  const invoices = await db.selectFrom('invoices').select(['uuid', 'totalCents', 'paidCents']).execute();
  const notes = await db.selectFrom('credit_notes').select(['uuid', 'appliedCents']).execute();
  const receipts = await db.selectFrom('payment_receipts').select('uuid').execute();
  const payments = await db.selectFrom('payments').selectAll().where('kind', '=', 'pago').execute();
  expect((await findDatabaseProblems(db)).map(({ problem }) => problem)).toEqual(expectedProblems);
  return {
    invoices: invoices
      .map((one): [number, number, number] => [
        numberOfUuid(one.uuid),
        one.totalCents / 100,
        one.paidCents / 100,
      ])
      .sort((a, b) => a[0] - b[0]),
    notes: notes
      .map((one): [number, number] => [numberOfUuid(one.uuid), one.appliedCents / 100])
      .sort((a, b) => a[0] - b[0]),
    receipts: receipts.map(({ uuid }) => numberOfUuid(uuid)).sort((a, b) => a - b),
    payments: payments
      .map((one): [number, string] => [one.amountCents / 100, one.paymentdate.slice(8)])
      .sort((a, b) => a[0] - b[0]),
  };
}
