import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Db } from '../../../../db/schema.ts';
import { writeCsv } from '../../../../server/formats/sheets/csv.ts';
import type { ListExport } from '../../../../server/formats/sheets/sheet.ts';
import { generateXlsxChunks } from '../../../../server/formats/sheets/xlsx.ts';
import { parseRows } from '../../../../server/formats/tables/parse-rows.ts';
import { parseTable } from '../../../../server/formats/tables/parse-table.ts';
import { planTable } from '../../../../server/formats/tables/plan.ts';
import type { TableKind } from '../../../../server/formats/tables/table.ts';
import { createCatalogList } from '../../../../server/lists/catalogs.ts';
import { creditNoteList } from '../../../../server/lists/credit-notes.ts';
import { invoiceList } from '../../../../server/lists/invoices.ts';
import { paymentList } from '../../../../server/lists/payments.ts';
import { readExport } from '../../../../server/lists/read-export.ts';
import { importTable } from '../../../../server/services/imports/import.ts';
import { type CatalogName, catalogOf } from '../../../../shared/catalogs/all.ts';
import { addCompany, arbitraryCompany } from '../../../support/companies.ts';
import { DIALECTS, openFreshDatabase } from '../../../support/databases.ts';
import { chooseRunCount, IS_FULL_PROOF, IS_LONG_LANE } from '../../../support/proofs.ts';
import { addActor, NOW, TODAY } from '../../../support/rows.ts';

/** Making a workbook takes ten times as long. */
const RUNS = { csv: chooseRunCount(5, 60, 300), xlsx: chooseRunCount(2, 15, 60) };

const NOUNS: Partial<Record<TableKind, CatalogName>> = {
  suppliers: 'suppliers',
  clients: 'clients',
  jobs: 'jobs',
  rubros: 'rubros',
  origenes: 'funding-sources',
};

/** Lists that others refer to come first. */
const ORDER: readonly TableKind[] = [
  ...(['suppliers', 'clients', 'jobs', 'rubros', 'origenes'] as const),
  ...(['invoices', 'payments', 'credit-notes'] as const),
];

const FORMATS = ['csv', 'xlsx'] as const;
const CASES = (IS_LONG_LANE ? DIALECTS : (['sqlite'] as const)).flatMap((dialect) =>
  FORMATS.map((format) => ({ dialect, format })),
);

describe.each(CASES)('an export ($dialect, $format)', ({ dialect, format }) => {
  it('is identical to the byte after it was imported into an empty database', {
    timeout: 600_000,
  }, async () => {
    const property = fc.asyncProperty(arbitraryCompany(), async (company) => {
      const [from, to] = [await openFreshDatabase(dialect), await openFreshDatabase(dialect)];
      try {
        await addCompany(from.db, company);
        const actor = await addActor(to.db);
        const before = await exportAll(from.db);
        const files = format === 'csv' ? before : await exportLists(from.db, makeBook);
        for (const kind of ORDER) {
          const bytes = Buffer.from(files[kind]!);
          const table = await parseTable({ bytes, filename: `${kind}.${format}`, kind });
          const plan = planTable(table, kind);
          expect({ kind, questions: plan.questions, missing: plan.missingFields }).toEqual({
            kind,
            questions: [],
            missing: [],
          });
          const options = { source: kind, sha256: table.sha256, columns: plan.columns };
          const result = await importTable(to.db, actor, kind, parseRows(table, plan), options);
          const { refused, unchanged, created } = result;
          // The payments have created the credit notes already.
          const same = kind === 'credit-notes' ? created : unchanged;
          expect({ kind, refused: [...refused], same }).toEqual({ kind, refused: [], same: 0 });
          // The second import changes nothing.
          const again = await importTable(to.db, actor, kind, parseRows(table, plan), options);
          expect({ kind, created: again.created, refused: [...again.refused] }).toEqual({
            kind,
            created: 0,
            refused: [],
          });
        }
        expect(await exportAll(to.db)).toEqual(before);
      } finally {
        await from.close();
        await to.close();
      }
    });
    // A fixed seed, except in full proofs.
    const seed = IS_FULL_PROOF ? undefined : 20_261_122;
    await fc.assert(property, { numRuns: RUNS[format], endOnFailure: true, seed });
  });
});

const ORDERED = { sort: 'id', direction: 'asc' } as const;

/** Exports each list in the format of `make`. */
async function exportLists<File>(db: Db, make: (list: ListExport<unknown>) => Promise<File>) {
  const made: Record<string, File> = {};
  const around = { db, today: TODAY, timeZone: 'UTC', now: new Date(NOW) };
  for (const kind of ORDER) {
    const noun = NOUNS[kind];
    if (noun)
      made[kind] = await make(await readExport(createCatalogList(catalogOf(noun)), { sort: 'id' }, around));
  }
  made.invoices = await make(await readExport(invoiceList, ORDERED, around));
  made['credit-notes'] = await make(await readExport(creditNoteList, ORDERED, around));
  made.payments = await make(await readExport(paymentList, ORDERED, around));
  return made;
}

const LETTERHEAD = {
  empresa: 'Constructora Sol, S.A. de C.V.',
  rfc: 'CSO010101AA1',
  direccion: 'Av. Juárez 1\nMonterrey',
  generatedText: 'Sun, 22 Nov 2026, 04:00',
};

async function makeBook<Row>(list: ListExport<Row>): Promise<Uint8Array> {
  const { title, filters } = list;
  const chunks: Uint8Array[] = [];
  for await (const chunk of generateXlsxChunks(list, { ...LETTERHEAD, title, filters }, new Date(NOW)))
    chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function exportAll(db: Db): Promise<Record<string, string>> {
  const exported = await exportLists(db, ({ sheet }) => writeCsv(sheet));
  // Credit notes have no list here: they come with the payments, unapplied rests included.
  const notes = db
    .selectFrom('credit_notes')
    .select(['id', 'supplierId', 'numero', 'numeroKey', 'uuid', 'fecha', 'subtotalCents', 'ivaCents'])
    .select(['otrosimpuestosCents', 'retencionesCents', 'totalCents', 'appliedCents']);
  exported.notes = JSON.stringify(await notes.orderBy('id').execute());
  expect(NOW.startsWith(TODAY)).toBe(true);
  return exported;
}
