import { expect } from 'vitest';
import type { Db } from '../../db/schema.ts';
import {
  buildCfdi,
  buildNote,
  buildReceipt,
  bytesOf,
  concepto,
  conceptos,
  related,
  replacing,
  traslado,
  traslados,
  uuidOf,
} from './cfdi.ts';
import type { openOffice } from './cfdi-office.ts';
import { problemsOf } from './problems.ts';

export interface File {
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

export const OTHER = { Rfc: 'CVI100512AB1', Nombre: 'Otra' };
const amountsOf = (pesos: number) => ({
  SubTotal: `${pesos}.00`,
  Total: `${(pesos * 1.16).toFixed(2)}`,
});
const taxOf = (pesos: number) => traslados(traslado('002', '0.160000', (pesos * 0.16).toFixed(2)));

/** Builds an invoice of so many pesos before IVA. */
export const invoice = (
  n: number,
  replaces: number[] = [],
  pesos = 1000,
  emisor?: Record<string, string>,
): File => ({
  name: `${n}.xml`,
  bytes: bytesOf(
    buildCfdi({
      uuid: uuidOf(n),
      ...(emisor ? { emisor } : {}),
      relacionados: replaces.length > 0 ? replacing(...replaces.map(uuidOf)) : '',
      conceptos: conceptos(concepto(`${pesos}.00`)),
      impuestos: taxOf(pesos),
      root: {
        Folio: String(n),
        Fecha: `2024-03-${String(n + 1).padStart(2, '0')}T09:00:00`,
        ...amountsOf(pesos),
      },
    }),
  ),
});

export const note = (
  n: number,
  of: number,
  replaces: number[] = [],
  pesos = 100,
  emisor?: Record<string, string>,
): File => ({
  name: `${n}.xml`,
  bytes: bytesOf(
    buildNote([], {
      uuid: uuidOf(n),
      ...(emisor ? { emisor } : {}),
      relacionados: `${related('01', uuidOf(of))}${replaces.length > 0 ? replacing(...replaces.map(uuidOf)) : ''}`,
      conceptos: conceptos(concepto(`${pesos}.00`)),
      impuestos: taxOf(pesos),
      root: {
        Folio: String(n),
        Fecha: `2024-04-${String(n % 20).padStart(2, '0')}T09:00:00`,
        ...amountsOf(pesos),
      },
    }),
  ),
});

export const receipt = (
  n: number,
  lines: [of: number, pesos: number][],
  replaces: number[] = [],
  day = 12,
  emisor?: Record<string, string>,
): File => {
  const doctos = lines.map(([of, pesos]) => ({ amount: `${pesos}.00`, of: uuidOf(of) }));
  const xml = buildReceipt({ uuid: uuidOf(n), doctos, fecha: `2024-05-${day}`, emisor })
    .replace('Folio="1"', `Folio="${n}"`)
    .replace(
      '<cfdi:Emisor',
      `${replaces.length > 0 ? replacing(...replaces.map(uuidOf)).replaceAll('{p}', 'cfdi:') : ''}<cfdi:Emisor`,
    );
  return { name: `${n}.xml`, bytes: bytesOf(xml) };
};

/** Only documents that count are listed, with their totals and what is paid or applied of them. */
export interface Rows {
  invoices: [n: number, total: number, paid: number][];
  notes?: [n: number, applied: number][];
  receipts?: number[];
  payments?: [pesos: number, day: string][];
}

const numberOf = (uuid: string | null) => Number(uuid!.slice(-12));

/** @param problems what the check of the database is expected to find */
export async function rowsOf(
  { db }: Pick<Awaited<ReturnType<typeof openOffice>>, 'db'>,
  problems: readonly string[] = [],
): Promise<Required<Rows>> {
  const invoices = await db.selectFrom('invoices').select(['uuid', 'totalCents', 'paidCents']).execute();
  const notes = await db.selectFrom('credit_notes').select(['uuid', 'appliedCents']).execute();
  const receipts = await db.selectFrom('payment_receipts').select('uuid').execute();
  const payments = await db.selectFrom('payments').selectAll().where('kind', '=', 'pago').execute();
  expect((await problemsOf(db)).map(({ problem }) => problem)).toEqual(problems);
  return {
    invoices: invoices
      .map((one): [number, number, number] => [numberOf(one.uuid), one.totalCents / 100, one.paidCents / 100])
      .sort((a, b) => a[0] - b[0]),
    notes: notes
      .map((one): [number, number] => [numberOf(one.uuid), one.appliedCents / 100])
      .sort((a, b) => a[0] - b[0]),
    receipts: receipts.map(({ uuid }) => numberOf(uuid)).sort((a, b) => a - b),
    payments: payments
      .map((one): [number, string] => [one.amountCents / 100, one.paymentdate.slice(8)])
      .sort((a, b) => a[0] - b[0]),
  };
}
