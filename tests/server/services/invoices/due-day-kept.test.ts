import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../../db/open.ts';
import type { Db } from '../../../../db/schema.ts';
import { inTransaction } from '../../../../db/transaction.ts';
import type { Actor } from '../../../../server/services/audit/audit.ts';
import { updateRow } from '../../../../server/services/catalogs/row-changes.ts';
import { backupDatabase } from '../../../../server/services/database/backup.ts';
import { checkDatabase } from '../../../../server/services/database/check.ts';
import { restoreDatabase } from '../../../../server/services/database/restore.ts';
import { importCfdi } from '../../../../server/services/documents/import.ts';
import { createInvoice, unlinkCfdi, updateInvoice } from '../../../../server/services/invoices/invoices.ts';
import { suppliers } from '../../../../shared/catalogs/suppliers.ts';
import { addDays } from '../../../../shared/dates.ts';
import { computeDueDay } from '../../../../shared/invoices-due.ts';
import {
  buildCfdi,
  buildConcepto,
  buildConceptos,
  buildImpuestos,
  buildReplacements,
  bytesOf,
  uuidOfNumber,
} from '../../../support/cfdi.ts';
import {
  DIALECTS,
  describeEachDatabase,
  newDatabaseUrl,
  useFreshDatabase,
} from '../../../support/databases.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { createInvoiceRow, createNumberedRows, useImports } from '../../../support/import-rows.ts';
import { chooseRunCount } from '../../../support/proofs.ts';
import { addActor, addJob, addSupplier, TODAY } from '../../../support/rows.ts';
import { importRows } from '../../../support/table-rows.ts';

const RFCS = ['EKU9003173C9', 'URE180429TM6', 'JES900109Q90'];

const day = fc.integer({ min: -90, max: 90 }).map((distance) => addDays(TODAY, distance));
const dayOrNone = fc.option(day, { nil: null });
const supplier = fc.nat({ max: RFCS.length - 1 });
const dates = { fechaemision: dayOrNone, fecharecepcion: dayOrNone, fechavencimiento: dayOrNone };
const some = fc.nat({ max: 100 });
const commands = fc.oneof(
  fc.record({ does: fc.constant('create' as const), supplier, ...dates }),
  fc.record({
    does: fc.constant('edit' as const),
    which: some,
    draft: fc.record(dates, { requiredKeys: [] }),
  }),
  fc.record({ does: fc.constant('move' as const), which: some, supplier }),
  fc.record({ does: fc.constant('credit' as const), supplier, diascredito: fc.nat({ max: 365 }) }),
  fc.record({ does: fc.constant('import' as const), supplier, ...dates, isNew: fc.boolean() }),
  fc.record({
    does: fc.constant('cfdi' as const),
    supplier,
    issued: day,
    received: dayOrNone,
    linked: fc.boolean(),
  }),
  fc.record({ does: fc.constant('replace' as const), issued: day }),
  fc.record({ does: fc.constant('unlink' as const), which: some }),
);
type Command = typeof commands extends fc.Arbitrary<infer T> ? T : never;

/** Runs random commands; numbers and UUIDs are unique, so that nothing is refused as a duplicate. */
class Office {
  readonly #db: Db;
  readonly #actor: Actor;
  readonly #jobId: number;
  readonly #suppliers: number[];
  #count = 0;
  #documents: { n: number; supplier: number }[] = [];

  constructor(db: Db, actor: Actor, jobId: number, supplierIds: number[]) {
    this.#db = db;
    this.#actor = actor;
    this.#jobId = jobId;
    this.#suppliers = supplierIds;
  }

  async run(command: Command): Promise<void> {
    const n = ++this.#count;
    if (command.does === 'create') {
      const { does: _does, supplier, ...own } = command;
      await createInvoice(this.#db, this.#actor, { ...own, ...this.#of(supplier), numfactura: `M-${n}` });
    } else if (command.does === 'edit') {
      const id = await this.#pick(command.which);
      if (id) await updateInvoice(this.#db, this.#actor, id, command.draft);
    } else if (command.does === 'move') {
      const id = await this.#pick(command.which);
      const supplierId = this.#suppliers[command.supplier];
      if (id) await updateInvoice(this.#db, this.#actor, id, { supplierId }, { allowDuplicate: true });
    } else if (command.does === 'credit') {
      const { supplier, diascredito } = command;
      await updateRow(this.#db, this.#actor, suppliers, this.#suppliers[supplier]!, { diascredito });
    } else if (command.does === 'import') await this.#import(command, n);
    else if (command.does === 'unlink') {
      const id = await this.#pick(command.which, true);
      if (id) await unlinkCfdi(this.#db, this.#actor, id);
    } else await this.#load(command, n);
  }

  /** Totals are unique, so that no two invoices are lookalikes. */
  #of = (supplier: number) => ({
    supplierId: this.#suppliers[supplier]!,
    jobId: this.#jobId,
    subtotalCents: 100_000 + 100 * this.#count,
  });

  async #pick(which: number, isLinked = false): Promise<number | undefined> {
    const rows = await this.#db
      .selectFrom('invoices')
      .select('id')
      .$if(isLinked, (query) => query.where('uuid', 'is not', null))
      .orderBy('id')
      .execute();
    return rows[which % Math.max(1, rows.length)]?.id;
  }

  async #import(command: Extract<Command, { does: 'import' }>, n: number): Promise<void> {
    const { fechaemision, fecharecepcion, fechavencimiento } = command;
    const row = {
      suppliername: command.isNew ? `Nuevo ${n}` : `Proveedor ${command.supplier}`,
      jobtitle: 'Torre',
      numfactura: `T-${n}`,
      subtotal: `${1000 + n}.00`,
      tasa: '16',
      fechaemision: fechaemision ?? '',
      fecharecepcion: fecharecepcion ?? '',
      fechavencimiento: fechavencimiento ?? '',
    };
    const result = await importRows(this.#db, this.#actor, 'invoices', [row], { createMissing: true });
    expect(result).toMatchObject({ created: 1 });
  }

  /** Loads a new document, that of a captured invoice, or one that replaces the last document. */
  async #load(command: Extract<Command, { does: 'cfdi' | 'replace' }>, n: number): Promise<void> {
    const before = command.does === 'replace' ? this.#documents.at(-1) : undefined;
    if (command.does === 'replace' && !before) return;
    const supplier = command.does === 'cfdi' ? command.supplier : before!.supplier;
    if (command.does === 'cfdi' && command.linked)
      await createInvoice(this.#db, this.#actor, { ...this.#of(supplier), numfactura: `A-${n}` });
    const [base, iva, total] = [1, 0.16, 1.16].map((part) => ((1000 + n) * part).toFixed(2)) as [
      string,
      string,
      string,
    ];
    const xml = buildCfdi({
      uuid: uuidOfNumber(n),
      root: { Folio: String(n), Fecha: `${command.issued}T09:00:00`, SubTotal: base, Total: total },
      conceptos: buildConceptos(buildConcepto(base)),
      impuestos: buildImpuestos(
        `<{p}Traslado Base="${base}" Impuesto="002" TipoFactor="Tasa" TasaOCuota="0.160000" Importe="${iva}"/>`,
      ),
      emisor: { Rfc: RFCS[supplier]!, Nombre: `Proveedor ${supplier}` },
      ...(before ? { relacionados: buildReplacements(uuidOfNumber(before.n)) } : {}),
    });
    const fecharecepcion = (command.does === 'cfdi' && command.received) || undefined;
    const options = { jobId: this.#jobId, replace: true, fecharecepcion };
    const files = [{ name: `${n}.xml`, bytes: bytesOf(xml) }];
    const { refused, files: outcomes } = await importCfdi(this.#db, this.#actor, files, options);
    if (!before) expect({ refused, outcomes }).toMatchObject({ refused: 0 });
    this.#documents.push({ n, supplier });
  }
}

describeEachDatabase('the stored due day', (fresh) => {
  it('follows the row and its supplier’s credit days, whatever was done before', async () => {
    const { db } = fresh;
    const actor = await addActor(db, { roles: [1, 3] });
    const supplierIds: number[] = [];
    for (const [n, rfc] of RFCS.entries())
      supplierIds.push(await addSupplier(db, { rfc, suppliername: `Proveedor ${n}`, diascredito: 10 * n }));
    const office = new Office(db, actor, await addJob(db, { jobtitle: 'Torre' }), supplierIds);
    await fc.assert(
      fc.asyncProperty(fc.array(commands, { minLength: 1, maxLength: 12 }), async (all) => {
        for (const command of all) await office.run(command);
        await expectKept(db);
      }),
      { numRuns: fresh.dialect === 'sqlite' ? chooseRunCount(8, 60) : chooseRunCount(2, 20) },
    );
  });
});

describe('the stored due day of a restored copy', () => {
  const fresh = useFreshDatabase('sqlite');

  it('is that of the copy, in either database', async () => {
    const { db } = fresh;
    const actor = await addActor(db, { roles: [1, 3] });
    const supplierId = await addSupplier(db, { diascredito: 20 });
    const jobId = await addJob(db);
    for (const own of [{ fechaemision: '2026-11-01' }, { fechavencimiento: '2026-12-01' }, {}])
      await createInvoice(db, actor, { ...own, supplierId, jobId, subtotalCents: 100 });
    const due = async (one: Db) =>
      (await one.selectFrom('invoices').select('vence').orderBy('id').execute()).map(({ vence }) => vence);
    expect(await due(db)).toEqual(['2026-11-21', '2026-12-01', TODAY]);
    const { folder, remove } = temporaryFolder();
    const copy = join(folder, 'copia.zip');
    await backupDatabase(fresh.database, actor, copy, { portable: true });
    for (const dialect of DIALECTS) {
      const databaseUrl = await newDatabaseUrl(dialect);
      await restoreDatabase({ databaseUrl, dataFolder: join(folder, dialect), root: '/' }, actor, copy);
      const restored = openDatabase(databaseUrl, { root: '/', createIfMissing: false });
      expect(await due(restored.db)).toEqual(await due(db));
      await expectKept(restored.db);
      await restored.close();
    }
    remove();
  });
});

describe('the stored due day while others write (postgres)', () => {
  const fresh = useFreshDatabase('postgres');

  it('never uses credit days that somebody is changing', async () => {
    const { db } = fresh;
    const actor = await addActor(db, { roles: [1] });
    const [supplierId, jobId] = [await addSupplier(db), await addJob(db)];
    const other = fresh.database.openAgain().db;
    const captured = { supplierId, jobId, fechaemision: '2026-11-01', subtotalCents: 100 };
    const capture = async () => {
      for (let n = 0; n < 10; n++) await createInvoice(db, actor, captured);
    };
    const change = async () => {
      for (let diascredito = 1; diascredito <= 10; diascredito++)
        await updateRow(other, actor, suppliers, supplierId, { diascredito });
    };
    await Promise.all([capture(), change()]);
    await expectKept(db);
  });
});

describe('the stored due day of an imported table (sqlite)', () => {
  const use = useImports();

  it('uses the credit days that the supplier is given meanwhile', async () => {
    const { fresh, importIn, other, actor, ids } = use;
    await createInvoice(fresh.db, actor, { ...ids, fechaemision: '2026-11-01', subtotalCents: 100 });
    const result = await importIn('invoices', createNumberedRows(700, createInvoiceRow), undefined, {
      async storeOnce(write) {
        await updateRow(other(), actor, suppliers, ids.supplierId, { diascredito: 30 });
        return inTransaction(fresh.db, write);
      },
    });
    expect(result).toMatchObject({ created: 700, stored: true });
    await expectKept(fresh.db);
  });
});

/** Compares the stored due days with newly computed ones, and runs the database check. */
async function expectKept(db: Db): Promise<void> {
  const rows = await db
    .selectFrom('invoices')
    .innerJoin('suppliers', 'suppliers.id', 'supplierId')
    .select(['invoices.id', 'fechavencimiento', 'fecharecepcion', 'fechaemision', 'fechacaptura', 'vence'])
    .select('diascredito')
    .orderBy('invoices.id')
    .execute();
  expect(rows.map(({ id, vence }) => [id, vence])).toEqual(
    rows.map((row) => [row.id, computeDueDay(row, row.diascredito)]),
  );
  const { checks } = await checkDatabase(db);
  expect(checks.find(({ name }) => name === 'due-day')!.problems).toEqual([]);
}
