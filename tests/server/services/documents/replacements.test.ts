import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { Db } from '../../../../db/schema.ts';
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
} from '../../../support/cfdi.ts';
import { createCfdiImporter } from '../../../support/cfdi-office.ts';
import { openFreshDatabase } from '../../../support/databases.ts';
import { chooseRunCount } from '../../../support/proofs.ts';

/** A document by its number. It may name documents that never come. */
interface Document {
  n: number;
  kind: 'I' | 'E' | 'P';
  /** of the two issuers */
  issuer: 0 | 1;
  replaces: number[];
  /** for a note, one invoice; for a receipt, the invoices that it pays, with their pesos */
  of: { n: number; pesos: number }[];
  /** its total is wrong, so it is refused */
  broken: boolean;
}

const ISSUERS = [
  { Rfc: 'EKU9003173C9', Nombre: 'Escuela Kemper' },
  { Rfc: 'CVI100512AB1', Nombre: 'Otra' },
];
const INVOICE_CENTS = 1_160_000;
const NOTE_CENTS = 11_600;

/** Documents from this number on never come. */
const GHOST = 90;

const kinds = fc.constantFrom('I' as const, 'I' as const, 'E' as const, 'P' as const);

/** Up to seven documents. Most replace earlier ones, as real ones do; some replace any, so that cycles occur. */
const sets: fc.Arbitrary<Document[]> = fc
  .array(
    fc.record({
      kind: kinds,
      isForeign: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
      replaced: fc.oneof(
        { weight: 3, arbitrary: fc.constant<number[]>([]) },
        { weight: 6, arbitrary: fc.array(fc.nat(30), { minLength: 1, maxLength: 1 }) },
        { weight: 2, arbitrary: fc.array(fc.nat(30), { minLength: 2, maxLength: 2 }) },
      ),
      isAny: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
      of: fc.array(fc.record({ place: fc.nat(30), pesos: fc.integer({ min: 1, max: 250 }) }), {
        minLength: 1,
        maxLength: 2,
      }),
      isBroken: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
    }),
    { minLength: 2, maxLength: 7 },
  )
  .map((drafts) => {
    const numbers = drafts.map((_, index) => index + 1);
    const invoices = drafts.flatMap(({ kind }, index) => (kind === 'I' ? [index + 1] : []));
    const documents = drafts.map(({ kind, isForeign, replaced, isAny, of, isBroken }, index): Document => {
      const n = index + 1;
      const others = isAny ? numbers : numbers.slice(0, index);
      const known = [...others.filter((one) => one !== n), GHOST];
      const named = [...invoices, GHOST];
      const places = of.map(({ place, pesos }) => ({ n: named[place % named.length]!, pesos }));
      return {
        n,
        kind,
        issuer: isForeign ? 1 : 0,
        replaces: [...new Set(replaced.map((place) => known[place % known.length]!))],
        of: kind === 'I' ? [] : kind === 'E' ? places.slice(0, 1) : places,
        broken: isBroken,
      };
    });
    const isBelow = (one: Document) => replacersOf(documents, one.n, one.issuer).length > 0;
    return documents.map((one) => ({ ...one, broken: one.broken && isBelow(one) }));
  });

const replacersOf = (all: readonly Document[], n: number, issuer: 0 | 1): Document[] =>
  all.filter((one) => one.issuer === issuer && one.replaces.includes(n));

/** The valid successors of a replaced document. */
function countingSuccessors(all: readonly Document[], n: number, issuer: 0 | 1): Document[] {
  const found = new Set<Document>();
  const open = replacersOf(all, n, issuer);
  for (const one of open) {
    if (found.has(one)) continue;
    found.add(one);
    open.push(...replacersOf(all, one.n, issuer));
  }
  return [...found].filter((one) => replacersOf(all, one.n, issuer).length === 0);
}

/** Computes the expected debts, credits and payments, whatever the order of arrival. */
function expectedOf(all: readonly Document[]) {
  const stored = all.filter((one) => !one.broken && replacersOf(all, one.n, one.issuer).length === 0);
  const invoiceThatCounts = (n: number, issuer: 0 | 1): number | undefined => {
    const isOwn = replacersOf(all, n, issuer).length === 0;
    const invoices = isOwn ? all.filter((one) => one.n === n) : countingSuccessors(all, n, issuer);
    const found = invoices.filter((one) => one.kind === 'I' && one.issuer === issuer && stored.includes(one));
    return found.length === 1 ? found[0]!.n : undefined;
  };
  const settled = stored.flatMap(({ n: by, kind, issuer, of }) =>
    of.flatMap(({ n, pesos }) => {
      const invoice = invoiceThatCounts(n, issuer);
      const cents = kind === 'E' ? NOTE_CENTS : pesos * 100;
      return invoice === undefined ? [] : { by, kind, invoice, cents };
    }),
  );
  const sum = (list: typeof settled) => list.reduce((total, { cents }) => total + cents, 0);
  return {
    invoices: stored
      .filter(({ kind }) => kind === 'I')
      .map(({ n }) => ({ n, paidCents: sum(settled.filter((one) => one.invoice === n)) })),
    notes: stored
      .filter(({ kind }) => kind === 'E')
      .map(({ n }) => ({ n, appliedCents: sum(settled.filter(({ by }) => by === n)) })),
    receipts: stored.filter(({ kind }) => kind === 'P').map(({ n }) => n),
    payments: settled.map((one) => JSON.stringify(one)).sort(),
  };
}

function fileOf({ n, kind, issuer, replaces, of, broken }: Document) {
  const relacionados = replaces.length > 0 ? buildReplacements(...replaces.map(uuidOfNumber)) : '';
  const about = { uuid: uuidOfNumber(n), emisor: ISSUERS[issuer]! };
  const root = { Folio: String(n), ...(broken ? { Total: '9.00' } : {}) };
  const doctos = of.map((one) => ({ amount: `${one.pesos}.00`, of: uuidOfNumber(one.n) }));
  const taxes = buildImpuestos(buildTraslado('002', '0.160000', '1600.00'));
  const xml = {
    I: () =>
      buildCfdi({
        ...{ ...about, relacionados, impuestos: taxes, conceptos: buildConceptos(buildConcepto('10000.00')) },
        root: { SubTotal: '10000.00', Total: '11600.00', ...root },
      }),
    E: () =>
      buildCreditNote([], {
        ...about,
        root,
        relacionados: `${buildRelations('01', ...of.map((one) => uuidOfNumber(one.n)))}${relacionados}`,
      }),
    P: () =>
      buildReceipt({
        ...about,
        doctos,
        fecha: `2024-04-${10 + n}`,
        // The receipt distributes more than was paid.
        ...(broken ? { monto: '0.01' } : {}),
      })
        .replace('Folio="1"', `Folio="${n}"`)
        .replace('<cfdi:Emisor', `${relacionados.replaceAll('{p}', 'cfdi:')}<cfdi:Emisor`),
  }[kind]();
  return { name: `${n}.xml`, bytes: bytesOf(xml) };
}

const numberOf = (uuid: string | null) => Number(uuid!.slice(-12));

/** Reads the stored rows without ids. */
async function storedIn(db: Db) {
  const sorted = <T extends { uuid: string | null }>(rows: T[]) =>
    rows.map(({ uuid, ...row }) => ({ n: numberOf(uuid), ...row })).sort((a, b) => a.n - b.n);
  const settled = await db
    .selectFrom('payments as p')
    .innerJoin('invoices as i', 'i.id', 'p.facturaproveedorId')
    .leftJoin('credit_notes as n', 'n.id', 'p.creditNoteId')
    .leftJoin('payment_receipt_lines as l', 'l.paymentId', 'p.id')
    .leftJoin('payment_receipts as r', 'r.id', 'l.receiptId')
    .select(['i.uuid', 'n.uuid as note', 'r.uuid as receipt', 'p.amountCents', 'p.comments', 'paymentdate'])
    .execute();
  for (const { receipt, paymentdate, comments } of settled)
    if (receipt !== null)
      expect({ paymentdate, comments }).toEqual({
        paymentdate: `2024-04-${10 + numberOf(receipt)}`,
        comments: `Recibo de pago P-${numberOf(receipt)}`,
      });
  const totals = await db.selectFrom('invoices').select('totalCents').execute();
  expect(totals.every(({ totalCents }) => totalCents === INVOICE_CENTS)).toBe(true);
  return {
    invoices: sorted(await db.selectFrom('invoices').select(['uuid', 'paidCents']).execute()),
    notes: sorted(await db.selectFrom('credit_notes').select(['uuid', 'appliedCents']).execute()),
    receipts: sorted(await db.selectFrom('payment_receipts').select('uuid').execute()).map(({ n }) => n),
    payments: settled
      .map(({ uuid, note, receipt, amountCents: cents }) =>
        JSON.stringify({
          by: numberOf(note ?? receipt),
          kind: note === null ? 'P' : 'E',
          invoice: numberOf(uuid),
          cents,
        }),
      )
      .sort(),
  };
}

interface Load {
  documents: Document[];
  /** a replacing document may replace a paid one */
  replace: boolean;
  /** the payments of receipts are captured */
  isFunded: boolean;
}

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

/** @returns rows and messages after everything was loaded again with all permissions */
async function outcomeOf(loads: readonly Load[]) {
  const fresh = await openFreshDatabase('sqlite');
  opened.push(fresh);
  const { run, fundingSourceId, sound } = await createCfdiImporter(fresh.db);
  const load = ({ documents, replace, isFunded }: Load) =>
    run(documents.map(fileOf), {
      ...{ replace, createSuppliers: true },
      fundingSourceId: isFunded ? fundingSourceId : null,
    });
  for (const one of loads) await load(one);
  await sound();
  const all = { documents: loads.flatMap(({ documents }) => documents), replace: true, isFunded: true };
  if (loads.some(({ replace, isFunded }) => !replace || !isFunded)) await load(all);
  const stored = await storedIn(fresh.db);
  const messages = (await load(all)).files
    .map(({ file, outcome, reason, warnings }) => JSON.stringify({ file, outcome, reason, warnings }))
    .sort();
  await sound();
  expect(await storedIn(fresh.db), 'a second load changes nothing').toEqual(stored);
  await fresh.close();
  return { ...stored, messages };
}

const atOnce = (documents: Document[]): Load[] => [{ documents, replace: true, isFunded: true }];

describe('documents that replace others', () => {
  it('leave the same debts, credits, payments and messages in any order and however they are split into loads', async () => {
    const cases = fc.record({
      documents: sets,
      keys: fc.infiniteStream(fc.nat(1_000_000)),
      cuts: fc.array(
        fc.constantFrom(undefined, [true, true], [true, true], [false, true], [true, false], [false, false]),
        {
          minLength: 7,
          maxLength: 7,
        },
      ),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ documents, keys, cuts }) => {
        const shuffled = documents
          .map((document) => ({ document, key: keys.next().value as number }))
          .sort((a, b) => a.key - b.key);
        const loads: Load[] = [];
        for (const [index, { document }] of shuffled.entries()) {
          const flags = cuts[index] ?? (index === 0 ? [true, true] : undefined);
          if (flags) loads.push({ documents: [], replace: flags[0]!, isFunded: flags[1]! });
          loads.at(-1)!.documents.push(document);
        }
        const { messages, ...rows } = await outcomeOf(atOnce(documents));
        expect(rows).toEqual(expectedOf(documents));
        expect(await outcomeOf(loads)).toEqual({ ...rows, messages });
      }),
      // Failures are reported without shrinking, which takes too long.
      { numRuns: chooseRunCount(5, 200), endOnFailure: true },
    );
  });
});
