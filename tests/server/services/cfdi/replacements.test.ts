import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { Db } from '../../../../db/schema.ts';
import { type CfdiParts, replacing, uuidOf } from '../../../support/cfdi.ts';
import { invoiceFile, noteFile, openOffice, receiptFile } from '../../../support/cfdi-office.ts';
import { openFresh } from '../../../support/databases.ts';
import { howMany } from '../../../support/proofs.ts';

/** One supplier's invoices, notes and receipts; each list is a chain in which each document replaces the one before it. */
interface Documents {
  /** numbers of the documents of each chain, the last one counts */
  invoices: number[][];
  notes: { chain: number[]; of: number }[];
  receipts: { chain: number[]; of: number; pesos: number[] }[];
}

const FIRST_NOTE = 100;
const FIRST_RECEIPT = 200;
const INVOICE_CENTS = 116_000;
const NOTE_CENTS = 11_600;

/** Chains of one to three documents, whose notes and receipts name any document of the chain that they are of. */
const sets: fc.Arbitrary<Documents> = fc
  .record({
    lengths: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 2 }),
    notes: fc.array(
      fc.record({
        chain: fc.integer({ min: 0, max: 9 }),
        length: fc.integer({ min: 1, max: 3 }),
        named: fc.nat(2),
      }),
      {
        maxLength: 2,
      },
    ),
    receipts: fc.array(
      fc.record({
        chain: fc.integer({ min: 0, max: 9 }),
        named: fc.nat(2),
        pesos: fc.array(fc.integer({ min: 1, max: 250 }), { minLength: 1, maxLength: 3 }),
      }),
      { maxLength: 2 },
    ),
  })
  .map(({ lengths, notes, receipts }) => {
    let next = 1;
    const numbers = (length: number) => Array.from({ length }, () => next++);
    const invoices = lengths.map(numbers);
    const invoiceOf = (chain: number, named: number) => {
      const all = invoices[chain % invoices.length]!;
      return all[named % all.length]!;
    };
    next = FIRST_NOTE;
    const ownNotes = notes.map(({ chain, length, named }) => ({
      chain: numbers(length),
      of: invoiceOf(chain, named),
    }));
    next = FIRST_RECEIPT;
    const ownReceipts = receipts.map(({ chain, named, pesos }) => ({
      chain: numbers(pesos.length),
      of: invoiceOf(chain, named),
      pesos,
    }));
    return { invoices, notes: ownNotes, receipts: ownReceipts };
  });

function filesOf({ invoices, notes, receipts }: Documents) {
  const parts = (chain: readonly number[], index: number): CfdiParts =>
    index === 0 ? {} : { relacionados: replacing(uuidOf(chain[index - 1]!)) };
  const note = (number: number, of: number, former: number | undefined) => {
    const file = noteFile(number, [of]);
    if (former === undefined) return file;
    const xml = file.bytes
      .toString()
      .replace(
        '<cfdi:CfdiRelacionados',
        `${replacing(uuidOf(former)).replaceAll('{p}', 'cfdi:')}<cfdi:CfdiRelacionados`,
      );
    return { ...file, bytes: Buffer.from(xml) };
  };
  const receipt = (number: number, of: number, pesos: number, former: number | undefined, day: number) => {
    const fecha = `2024-04-${String(day).padStart(2, '0')}`;
    const file = receiptFile(number, { doctos: [{ amount: `${pesos}.00`, of: uuidOf(of) }], fecha });
    if (former === undefined) return file;
    const xml = file.bytes
      .toString()
      .replace('<cfdi:Emisor', `${replacing(uuidOf(former)).replaceAll('{p}', 'cfdi:')}<cfdi:Emisor`);
    return { ...file, bytes: Buffer.from(xml) };
  };
  return [
    ...invoices.flatMap((chain) => chain.map((number, index) => invoiceFile(number, parts(chain, index)))),
    ...notes.flatMap(({ chain, of }) => chain.map((number, index) => note(number, of, chain[index - 1]))),
    ...receipts.flatMap(({ chain, of, pesos }, own) =>
      chain.map((number, index) => receipt(number, of, pesos[index]!, chain[index - 1], 1 + own * 5 + index)),
    ),
  ];
}

/** The debts, credits and payments that the last documents of the chains make. */
function expectedOf({ invoices, notes, receipts }: Documents) {
  const owed = invoices.map((chain) => {
    const own = <T extends { of: number }>(list: readonly T[]) => list.filter(({ of }) => chain.includes(of));
    const credited = own(notes).length * NOTE_CENTS;
    const paid = own(receipts).reduce((sum, { pesos }) => sum + pesos.at(-1)! * 100, 0);
    return { uuid: uuidOf(chain.at(-1)!), totalCents: INVOICE_CENTS, paidCents: credited + paid };
  });
  return {
    invoices: owed,
    notes: notes.map(({ chain }) => ({ uuid: uuidOf(chain.at(-1)!), appliedCents: NOTE_CENTS })),
    receipts: receipts.map(({ chain }) => ({ uuid: uuidOf(chain.at(-1)!) })),
  };
}

/** What is stored, told without the numbers that the order of storing gives. */
async function storedIn(db: Db) {
  const byUuid = <T extends { uuid: string | null }>(rows: T[]) =>
    rows.sort((a, b) => (a.uuid! < b.uuid! ? -1 : 1));
  const payments = await db
    .selectFrom('payments as p')
    .innerJoin('invoices as i', 'i.id', 'p.facturaproveedorId')
    .leftJoin('credit_notes as n', 'n.id', 'p.creditNoteId')
    .leftJoin('payment_receipt_lines as l', 'l.paymentId', 'p.id')
    .leftJoin('payment_receipts as r', 'r.id', 'l.receiptId')
    .select(['i.uuid', 'n.uuid as note', 'r.uuid as receipt', 'p.amountCents', 'p.kind', 'p.comments'])
    .select((eb) =>
      eb.case().when('p.kind', '=', 'pago').then(eb.ref('p.paymentdate')).else(null).end().as('day'),
    )
    .execute();
  return {
    invoices: byUuid(await db.selectFrom('invoices').select(['uuid', 'totalCents', 'paidCents']).execute()),
    notes: byUuid(await db.selectFrom('credit_notes').select(['uuid', 'appliedCents']).execute()),
    receipts: byUuid(await db.selectFrom('payment_receipts').select('uuid').execute()),
    payments: payments.map((one) => JSON.stringify(one)).sort(),
  };
}

describe('documents that replace others', () => {
  const opened: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
  });

  async function load(loads: readonly (readonly { name: string; bytes: Buffer }[])[]) {
    const fresh = await openFresh('sqlite');
    opened.push(fresh);
    const { run, fundingSourceId, sound } = await openOffice(fresh.db);
    for (const files of loads) await run([...files], { fundingSourceId, replace: true });
    const stored = await storedIn(fresh.db);
    const messages = (await run(loads.flat(), { fundingSourceId, replace: true })).files
      .map(({ file, outcome, reason, warnings }) => JSON.stringify({ file, outcome, reason, warnings }))
      .sort();
    await sound();
    expect(await storedIn(fresh.db), 'a second load changes nothing').toEqual(stored);
    return { ...stored, messages };
  }

  it('leave the same debts, credits, payments and messages in any order and any cut into loads', async () => {
    const order = fc.infiniteStream(fc.nat(1_000_000));
    await fc.assert(
      fc.asyncProperty(
        sets,
        order,
        fc.array(fc.boolean(), { maxLength: 20 }),
        async (documents, keys, cuts) => {
          const files = filesOf(documents);
          const shuffled = files
            .map((file) => ({ file, key: keys.next().value as number }))
            .sort((a, b) => a.key - b.key)
            .map(({ file }) => file);
          const loads: (typeof files)[] = [[]];
          for (const [index, file] of shuffled.entries()) {
            if (index > 0 && cuts[index % Math.max(cuts.length, 1)]) loads.push([]);
            loads.at(-1)!.push(file);
          }
          const atOnce = await load([files]);
          const { payments: _payments, messages: _messages, ...rows } = atOnce;
          expect(rows).toEqual(expectedOf(documents));
          expect(await load(loads)).toEqual(atOnce);
        },
      ),
      { numRuns: howMany(25, 300) },
    );
  });
});
