import { existsSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import type { Db } from '../../../../db/schema.ts';
import { readCfdiFiles } from '../../../../server/formats/cfdi/find-files.ts';
import { importCfdi } from '../../../../server/services/documents/import.ts';
import type { CfdiImportResult, CfdiOutcome } from '../../../../server/services/documents/outcomes.ts';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { findDatabaseProblems } from '../../../support/problems.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { cfdiInWords } from '../../../support/remarks.ts';
import { addActor, addFundingSource, addJob } from '../../../support/rows.ts';

/** Real documents, kept outside the repository with a manifest of the expected outcomes. */
const folder = resolve(import.meta.dirname, '../../../../../shared/data/cfdi');
const manifest = join(folder, 'MANIFEST.tsv');
const OWN_RFC = 'IVD920810GU2';

type Row = Record<string, string>;
type Expected = 'stored' | 'warned' | 'unchanged' | 'refused';

describeOneDatabase('the collected CFDI', (fresh) => {
  if (!existsSync(manifest)) {
    it.skip('is skipped without the external files of CFDI', () => undefined);
    return;
  }

  it('are stored with the figures of the manifest to the cent, the rest is refused with a reason, and nothing is stored twice', async () => {
    const rows = readRows();
    const first = await importAll(fresh.db);
    expect(first.files.map(({ file }) => basename(file))).toEqual(rows.map(({ file }) => file));
    const stored = await readStored(fresh.db);
    const problems: string[] = [];
    const expected = expectOutcomes(rows);
    for (const [index, row] of rows.entries()) {
      const outcome = first.files[index]!;
      const wanted = expected[index]!;
      if (!fits(outcome, wanted)) problems.push(`${row.file}: ${JSON.stringify(outcome)}, not ${wanted}`);
      if (outcome.outcome === 'refused') expect(outcome.reason).toMatch(/^\p{Lu}.*\.$/u);
      if (outcome.outcome !== 'created' && outcome.outcome !== 'warned') continue;
      if (row.tipo === 'E') expect(await readNote(fresh.db, outcome.creditNoteId!)).toEqual(expectNote(row));
      if (row.tipo === 'P') expect(await readLines(fresh.db, outcome.receiptId!)).toEqual(expectLines(row));
      if (row.tipo === 'E' || row.tipo === 'P') continue;
      expect({ file: row.file, ...stored.get(outcome.invoiceId!) }).toEqual({
        file: row.file,
        ...expectInvoice(row),
      });
      stored.delete(outcome.invoiceId!);
    }
    expect(problems).toEqual([]);
    expect([...stored.keys()]).toEqual([]);

    const second = await importAll(fresh.db);
    expect(second).toMatchObject({
      created: 0,
      suppliersCreated: 0,
      unchanged: first.created + first.unchanged,
      refused: first.refused,
    });
    expect(second.files.map(({ invoiceId }) => invoiceId)).toEqual(
      first.files.map(({ invoiceId }) => invoiceId),
    );
    expect((await readStored(fresh.db)).size).toBe(first.kinds.invoices);
    console.info(`CFDI data: ${describeCounts(first)}; again: ${describeCounts(second)}`);
  });

  it('settle each chain of invoice, credit note and two payments to the last cent, and every rule holds', async () => {
    const fundingSourceId = await addFundingSource(fresh.db);
    const chains = readRows().filter(({ category }) => category === 'cadena_ppd');
    expect(chains.length).toBeGreaterThan(0);
    await importAll(fresh.db, { fundingSourceId });
    for (const { uuid, form_total } of chains) {
      const payments = await fresh.db
        .selectFrom('payments')
        .innerJoin('invoices', 'invoices.id', 'payments.facturaproveedorId')
        .select(['kind', 'amountCents', 'origenderecursoId', 'totalCents', 'paidCents'])
        .where('uuid', '=', uuid!)
        .execute();
      const total = toCents(exact(form_total));
      expect(payments.map(({ kind }) => kind).sort()).toEqual(['credito', 'pago', 'pago']);
      expect(payments.reduce((sum, { amountCents }) => sum + amountCents, 0)).toBe(total);
      expect(payments[0]).toMatchObject({ totalCents: total, paidCents: total });
    }
    const again = await importAll(fresh.db, { fundingSourceId });
    expect(again).toMatchObject({ created: 0, linked: 0 });
    expect(await findDatabaseProblems(fresh.db)).toEqual([]);
  });
});

async function importAll(db: Db, more: { fundingSourceId?: number } = {}) {
  const actor = await addActor(db);
  await changeSetting(db, actor, 'rfc', OWN_RFC);
  const options = { jobId: await addJob(db), createSuppliers: true, ...more };
  return cfdiInWords(await importCfdi(db, actor, readCfdiFiles([folder]), options));
}

/**
 * The manifest's outcomes, except where the README of the data differs: wrong sums and currencies without a usable rate
 * are refused, and unstamped documents are identified by supplier and number.
 */
function expectOutcomes(rows: Row[]): Expected[] {
  const numbers = new Map<string, Row[]>();
  const uuids = new Set<string>();
  return rows.map((row) => {
    const kind = row.expect?.split(/[:(]/)[0];
    if (row.uuid && uuids.has(row.uuid)) return 'unchanged';
    // Credit notes and stamped receipts are stored; unstamped receipts are refused.
    const isOther = row.tipo === 'N' || row.tipo === 'T' || (row.tipo === 'P' && !row.uuid);
    if (isOther || kind === 'REJECT' || row.form_case === 'DESCUADRE') return 'refused';
    const key = `${row.emisor_rfc} ${row.form_numfactura?.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')}`;
    const known = numbers.get(key) ?? [];
    if (!row.uuid && known.length > 0)
      return known.some((one) => isEqual(one, row)) ? 'unchanged' : 'refused';
    numbers.set(key, [...known, row]);
    if (row.uuid) uuids.add(row.uuid);
    if (row.tipo === 'E' || row.tipo === 'P') return 'stored';
    return kind === 'IMPORT_WARN' ? 'warned' : 'stored';
  });
}

const isEqual = (one: Row, other: Row): boolean =>
  ['moneda', 'form_subtotal', 'form_iva', 'form_ajuste', 'form_total', 'form_fechaemision'].every(
    (name) => one[name] === other[name],
  );

const fits = ({ outcome }: CfdiOutcome, wanted: Expected): boolean =>
  outcome === wanted || (wanted === 'stored' && (outcome === 'created' || outcome === 'warned'));

/** Converts an invoice of the manifest to the base currency with exact arithmetic. */
function expectInvoice(row: Row) {
  const withheld = ['iva_retenido', 'isr_retenido', 'ieps_retenido', 'local_retenido'];
  const retenciones = withheld.reduce((sum, name) => sum + exact(row[name]), 0n);
  const foreign = row.moneda === 'USD' || row.moneda === 'EUR';
  const rate = foreign ? exact(row.tipocambio) : SCALE;
  const convert = (amount: bigint) => toCents((amount * rate) / SCALE);
  const totalCents = convert(exact(row.form_total));
  const ivaCents = convert(exact(foreign ? row.iva_trasladado : row.form_iva));
  const retencionesCents = convert(retenciones);
  const ajuste = convert(exact(row.form_ajuste));
  return {
    uuid: row.uuid || null,
    rfc: row.emisor_rfc,
    numfactura: row.form_numfactura,
    fechaemision: row.form_fechaemision,
    subtotalCents: foreign ? totalCents - ivaCents - ajuste : toCents(exact(row.form_subtotal)),
    tasa: row.form_tasa === 'MIXTA' ? null : Number(exact(row.form_tasa) / (SCALE / 10_000n)),
    ivaCents,
    otrosimpuestosCents: ajuste + retencionesCents,
    retencionesCents,
    totalCents,
    metodopago: row.metodo_pago || null,
  };
}

function expectNote(row: Row) {
  const { rfc, numfactura, fechaemision, totalCents, ivaCents, uuid } = expectInvoice(row);
  return { rfc, numero: numfactura, fecha: fechaemision, totalCents, ivaCents, uuid };
}

const readNote = (db: Db, id: number) =>
  db
    .selectFrom('credit_notes')
    .innerJoin('suppliers', 'suppliers.id', 'credit_notes.supplierId')
    .select(['rfc', 'numero', 'fecha', 'totalCents', 'ivaCents', 'uuid'])
    .where('credit_notes.id', '=', id)
    .executeTakeFirstOrThrow();

/** Formats a payment as "2024-04-05T12:00:00 109430.52 MXN tc=1 {UUID:109430.52 MXN, …}". */
const expectLines = (row: Row) =>
  [...(row.pagos ?? '').matchAll(/(\d{4}-\d\d-\d\d)T\S+ \S+ \w+ tc=\S* \{([^}]*)\}/g)].flatMap(
    ([, paidOn, lines]) =>
      lines!.split(', ').map((line) => {
        const [, invoiceUuid, paid, moneda] = /^([^:]+):(\S+) (\w+)$/.exec(line)!;
        return { invoiceUuid, paidOn, amountCents: toCents(exact(paid)), moneda };
      }),
  );

const readLines = (db: Db, receiptId: number) =>
  db
    .selectFrom('payment_receipt_lines')
    .select(['invoiceUuid', 'paidOn', 'amountCents', 'moneda'])
    .where('receiptId', '=', receiptId)
    .orderBy('id')
    .execute();

async function readStored(db: Db) {
  const rows = await db
    .selectFrom('invoices')
    .innerJoin('suppliers', 'suppliers.id', 'invoices.supplierId')
    .select(['invoices.id', 'uuid', 'rfc', 'numfactura', 'fechaemision', 'subtotalCents', 'tasa', 'ivaCents'])
    .select(['otrosimpuestosCents', 'retencionesCents', 'totalCents', 'metodopago'])
    .execute();
  return new Map(rows.map(({ id, ...rest }) => [id, rest]));
}

const describeCounts = ({
  created,
  warned,
  unchanged,
  refused,
  suppliersCreated,
}: CfdiImportResult): string =>
  `${created} created (${warned} warned), ${unchanged} unchanged, ${refused} refused, ${suppliersCreated} suppliers`;

const SCALE = 10n ** 12n;

function exact(text = ''): bigint {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const units = BigInt(whole || '0') * SCALE + BigInt(fraction.padEnd(12, '0'));
  return text.startsWith('-') ? -units : units;
}

/** Rounds half away from zero. */
function toCents(amount: bigint): number {
  const size = amount < 0n ? -amount : amount;
  const cents = (size * 100n + SCALE / 2n) / SCALE;
  return Number(amount < 0n ? -cents : cents);
}

function readRows(): Row[] {
  const [header = '', ...lines] = readFileSync(manifest, 'utf8')
    .split(/\r?\n/)
    .filter((line) => line !== '');
  const names = header.split('\t');
  return lines
    .map(
      (line) =>
        Object.fromEntries(line.split('\t').map((value, index) => [names[index] ?? '', value])) as Row,
    )
    .sort((a, b) => (a.file! < b.file! ? -1 : 1));
}
