import { expect, it } from 'vitest';
import type { Db } from '../../../../db/schema.ts';
import type { CfdiDetail } from '../../../../server/formats/cfdi/candidates.ts';
import type { Actor } from '../../../../server/services/audit/audit.ts';
import { readEntryIndex } from '../../../../server/services/catalogs/entry-index.ts';
import { importCfdi } from '../../../../server/services/documents/import.ts';
import { IssuerSuppliers } from '../../../../server/services/documents/issuers.ts';
import type { CfdiImportOptions } from '../../../../server/services/documents/outcomes.ts';
import {
  readSettlements,
  StoredSettlements,
} from '../../../../server/services/documents/stored-settlements.ts';
import { updateInvoice } from '../../../../server/services/invoices/invoices.ts';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { suppliers } from '../../../../shared/catalogs/suppliers.ts';
import {
  buildCfdi,
  buildConcepto,
  buildConceptos,
  bytesOf,
  type CfdiParts,
  SAMPLE_UUID,
  uuidOfNumber,
} from '../../../support/cfdi.ts';
import { describeEachDatabase } from '../../../support/databases.ts';
import { describeEachInLongLane } from '../../../support/proofs.ts';
import { cfdiInWords } from '../../../support/remarks.ts';
import { addActor, addInvoice, addJob, addRubro, addSupplier } from '../../../support/rows.ts';
import { readRows } from '../../../support/stored.ts';

const RFC = 'EKU9003173C9';

const file = (name: string, parts: CfdiParts = {}) => ({ name, bytes: bytesOf(buildCfdi(parts)) });

interface Ground {
  db: Db;
  actor: Actor;
  jobId: number;
  run(
    files: Parameters<typeof importCfdi>[2],
    options?: Partial<CfdiImportOptions>,
  ): Promise<ReturnType<typeof cfdiInWords>>;
}

async function prepare(db: Db): Promise<Ground> {
  const actor = await addActor(db, { origin: 'cli' });
  const jobId = await addJob(db, { jobtitle: 'Torre Norte' });
  return {
    db,
    actor,
    jobId,
    run: async (files, options) => cfdiInWords(await importCfdi(db, actor, files, { jobId, ...options })),
  };
}

const allInvoices = (db: Db) => db.selectFrom('invoices').selectAll().orderBy('id').execute();
const count = async (db: Db, table: 'invoices' | 'suppliers' | 'imports' | 'cfdi_documents' | 'audit') =>
  (await db.selectFrom(table).selectAll().execute()).length;

describeEachInLongLane('importing CFDI', (fresh) => {
  it('stores the document’s own figures as an invoice, with its UUID and its other data', async () => {
    const { db, jobId, actor, run } = await prepare(fresh.db);
    const [supplierId, rubroId] = [await addSupplier(db, { rfc: RFC }), await addRubro(db)];
    const result = await run([file('a.xml')], { rubroId });
    const [invoice] = await allInvoices(db);
    expect(result).toMatchObject({
      files: [{ file: 'a.xml', outcome: 'created', invoiceId: invoice!.id, uuid: SAMPLE_UUID }],
      created: 1,
      unchanged: 0,
      warned: 0,
      refused: 0,
    });
    expect(invoice).toMatchObject({
      supplierId,
      jobId,
      rubroId,
      numfactura: 'A-0012',
      numfacturaKey: 'a0012',
      fechaemision: '2024-03-05',
      fecharecepcion: null,
      fechavencimiento: null,
      subtotalCents: 100_000,
      tasa: 160_000,
      ivaCents: 16_000,
      totalCents: 116_000,
      paidCents: 0,
      comments: 'Cemento gris',
      uuid: SAMPLE_UUID,
      metodopago: 'PPD',
      userId: actor.userId,
    });
    const document = await db.selectFrom('cfdi_documents').selectAll().executeTakeFirstOrThrow();
    expect(document).toMatchObject({
      invoiceId: invoice!.id,
      version: '4.0',
      moneda: 'MXN',
      tipocambio: null,
    });
    expect(JSON.parse(document.detail) as CfdiDetail).toMatchObject({
      totalCents: 116_000,
      retenciones: { ivaCents: 0 },
      receptor: { rfc: 'IVD920810GU2' },
      formCase: 'DIRECTO',
    });
  });

  it('states no due date, so that the supplier’s credit days decide, from reception, else issue', async () => {
    const { db, run } = await prepare(fresh.db);
    await addSupplier(db, { rfc: RFC, diascredito: 30 });
    await run([file('a.xml')]);
    await run([file('b.xml', { uuid: uuidOfNumber(2), root: { Folio: '13' } })], {
      fecharecepcion: '2024-04-01',
    });
    expect(await allInvoices(db)).toMatchObject([
      { fecharecepcion: null, fechavencimiento: null, vence: '2024-04-04' },
      { fecharecepcion: '2024-04-01', fechavencimiento: null, vence: '2024-05-01' },
    ]);
  });

  it('converts another currency and keeps the document’s own amounts', async () => {
    const { db, run } = await prepare(fresh.db);
    await addSupplier(db, { rfc: RFC });
    const root = { Moneda: 'USD', TipoCambio: '17.5' };
    const { files } = await run([
      file('a.xml', { root }),
      file('b.xml', { root: { Moneda: 'USD' }, uuid: uuidOfNumber(2) }),
    ]);
    expect(files).toMatchObject([
      { outcome: 'warned', warnings: [expect.stringContaining('Está en USD')] },
      { outcome: 'refused', reason: expect.stringContaining('TipoCambio') },
    ]);
    expect(await allInvoices(db)).toMatchObject([
      { subtotalCents: 1_750_000, ivaCents: 280_000, totalCents: 2_030_000 },
    ]);
    const document = await db.selectFrom('cfdi_documents').selectAll().executeTakeFirstOrThrow();
    expect(document).toMatchObject({ moneda: 'USD', tipocambio: '17.5' });
    expect(JSON.parse(document.detail)).toMatchObject({ totalCents: 116_000 });
    expect((await run([file('a.xml', { root })])).files).toMatchObject([{ outcome: 'unchanged' }]);
  });

  it('refuses a document of an unknown supplier, naming it, unless suppliers are to be created', async () => {
    const { db, actor, run } = await prepare(fresh.db);
    const refused = await run([file('a.xml')]);
    expect(refused.files[0]).toMatchObject({
      outcome: 'refused',
      reason: expect.stringMatching(/EKU9003173C9.*Escuela Kemper/),
    });
    expect(await count(db, 'suppliers')).toBe(0);
    await changeSetting(db, actor, 'diascredito', '15');
    const created = await run(
      [file('a.xml'), file('b.xml', { uuid: uuidOfNumber(2), root: { Folio: '13' } })],
      {
        createSuppliers: true,
      },
    );
    expect(created).toMatchObject({ created: 2, suppliersCreated: 1 });
    expect(await db.selectFrom('suppliers').selectAll().execute()).toMatchObject([
      {
        suppliername: 'Escuela Kemper',
        suppliernameFold: 'escuela kemper',
        suppliercontactperson: '(sin contacto)',
        rfc: RFC,
        diascredito: 15,
        importId: expect.any(Number),
      },
    ]);
    expect((await allInvoices(db))[0]!).toMatchObject({ fechavencimiento: null, vence: '2024-03-20' });
  });

  it('accepts the RFC of a CFDI unchanged, with a warning if its check digit or form is wrong', async () => {
    const { db, run } = await prepare(fresh.db);
    const { files } = await run(
      [
        file('digit.xml', { emisor: { Rfc: 'AAA010101AAA', Nombre: 'Uno' } }),
        file('form.xml', { uuid: uuidOfNumber(2), emisor: { Rfc: 'AAA', Nombre: 'Dos' } }),
        file('long.xml', { uuid: uuidOfNumber(3), emisor: { Rfc: 'AAA010101AAA99', Nombre: 'Tres' } }),
        file('nameless.xml', { uuid: uuidOfNumber(4), emisor: { Rfc: 'URE180429TM6' } }),
        file('long-name.xml', {
          uuid: uuidOfNumber(5),
          emisor: { Rfc: 'H&amp;E951128469', Nombre: 'x'.repeat(250) },
        }),
      ],
      { createSuppliers: true },
    );
    expect(files).toMatchObject([
      { outcome: 'warned', warnings: [expect.stringContaining('dígito verificador')] },
      { outcome: 'warned', warnings: [expect.stringContaining('no tiene la forma')] },
      { outcome: 'refused', reason: expect.stringContaining('RFC') },
      { outcome: 'warned', warnings: [expect.stringContaining('URE180429TM6')] },
      { outcome: 'warned', warnings: [expect.stringContaining('200 caracteres')] },
    ]);
    const suppliers = await readRows(db, 'suppliers', {}, ['suppliername', 'rfc']);
    expect(suppliers).toMatchObject([
      { rfc: 'AAA010101AAA' },
      { rfc: 'AAA' },
      { suppliername: 'URE180429TM6' },
      { rfc: 'H&E951128469' },
    ]);
    expect(suppliers[3]!.suppliername).toHaveLength(200);
  });

  it('distinguishes suppliers with a generic RFC by their names', async () => {
    const { db, run } = await prepare(fresh.db);
    const generic = (name: string, n: number) =>
      file(`${n}.xml`, {
        uuid: uuidOfNumber(n),
        root: { Folio: `${n}` },
        emisor: { Rfc: 'XEXX010101000', Nombre: name },
      });
    const { files } = await run([generic('Acme Inc', 1), generic('ACME  INC', 2), generic('Otra', 3)], {
      createSuppliers: true,
    });
    expect(files.map(({ outcome }) => outcome)).toEqual(['warned', 'warned', 'warned']);
    const invoices = await allInvoices(db);
    expect(invoices[0]!.supplierId).toBe(invoices[1]!.supplierId);
    expect(invoices[2]!.supplierId).not.toBe(invoices[0]!.supplierId);
    await addSupplier(db, { suppliername: 'ácme inc', rfc: 'XEXX010101000' });
    expect((await run([generic('Acme Inc', 4)], { createSuppliers: true })).files).toMatchObject([
      { outcome: 'refused', reason: expect.stringMatching(/varios proveedores/) },
    ]);
  });

  it('says so if a created supplier has the name of another one', async () => {
    const { db, run } = await prepare(fresh.db);
    const id = await addSupplier(db, { suppliername: 'ESCUELA KEMPER' });
    const { files } = await run([file('a.xml')], { createSuppliers: true });
    expect(files).toMatchObject([{ warnings: [expect.stringContaining(`sin RFC, id ${id}`)] }]);
  });

  it('stores a UUID once: a copy is unchanged, in one import and in the next, however it is formatted', async () => {
    const { db, run } = await prepare(fresh.db);
    await addSupplier(db, { rfc: RFC });
    const copy = file('b.xml', {
      uuid: SAMPLE_UUID.toLowerCase(),
      prefix: 'x',
      addenda: '<nota>copia</nota>',
    });
    const first = await run([file('a.xml'), copy]);
    const id = first.files[0]!.invoiceId;
    expect(first.files[1]).toEqual({
      file: 'b.xml',
      kind: 'I',
      outcome: 'unchanged',
      invoiceId: id,
      uuid: SAMPLE_UUID,
    });
    const second = await run([copy, file('a.xml')]);
    expect(second).toMatchObject({ created: 0, unchanged: 2, refused: 0, files: [{ invoiceId: id }, {}] });
    expect(await count(db, 'invoices')).toBe(1);
    expect(await count(db, 'imports')).toBe(1);
  });

  it('refuses the same UUID with other figures, date, number or issuer as a conflict', async () => {
    const { db, run } = await prepare(fresh.db);
    await addSupplier(db, { rfc: RFC });
    const { files } = await run([file('a.xml')]);
    const others = await run(
      [
        file('total.xml', { root: { Total: '1160.01' } }),
        file('mismatch.xml', { root: { Total: '9160.00' } }),
        file('date.xml', { root: { Fecha: '2024-03-06T09:00:00' } }),
        file('number.xml', { root: { Folio: '0013' } }),
        file('issuer.xml', { emisor: { Rfc: 'URE180429TM6', Nombre: 'Otra' } }),
        file('currency.xml', { root: { Moneda: 'USD', TipoCambio: '17' } }),
      ],
      { createSuppliers: true },
    );
    expect(others).toMatchObject({ created: 0, refused: 6 });
    const differing = others.files.map(({ reason }) => {
      expect(reason).toMatch(new RegExp(`mismo UUID .*id ${files[0]!.invoiceId}.*conflicto`));
      return /otros datos \((.*)\): es/.exec(reason!)?.[1];
    });
    expect(differing).toEqual([
      'otros impuestos $0.00 MXN, total $1,160.00 MXN; en este archivo $0.01 MXN, $1,160.01 MXN',
      'otros impuestos $0.00 MXN, total $1,160.00 MXN; en este archivo $8,000.00 MXN, $9,160.00 MXN',
      'fecha de emisión martes 5 de marzo de 2024; en este archivo miércoles 6 de marzo de 2024',
      'número A-0012; en este archivo A-0013',
      'RFC del emisor EKU9003173C9; en este archivo URE180429TM6',
      'moneda MXN; en este archivo USD',
    ]);
  });

  it('links a document to an invoice without UUID of the same number and total only if the dates are close, and says both', async () => {
    const { db, run } = await prepare(fresh.db);
    const supplierId = await addSupplier(db, { rfc: RFC });
    const captured = (numfactura: string, fechaemision: string | null) =>
      addInvoice(db, { supplierId, numfactura, fechaemision, subtotalCents: 100_000 });
    const ids = [
      await captured('12', '2024-03-15'),
      await captured('A-13', null),
      await captured('A-14', '2024-03-16'),
      await captured('15', '2023-03-05'),
    ];
    const documents = ids.map((_, index) =>
      file(`${index}.xml`, { uuid: uuidOfNumber(index + 1), root: { Folio: String(12 + index) } }),
    );
    const { files } = await run(documents);
    expect(files.map(({ warnings, reason }) => warnings?.[0] ?? reason)).toEqual([
      `Se ligó a la factura 12 (id ${ids[0]}) del viernes 15 de marzo de 2024, que no tenía UUID; el CFDI es la A-12 del martes 5 de marzo de 2024.`,
      `Se ligó a la factura A-13 (id ${ids[1]}) sin fecha, que no tenía UUID; el CFDI es la A-13 del martes 5 de marzo de 2024.`,
      `Es la A-14 del martes 5 de marzo de 2024, con el número y el total de la factura A-14 (id ${ids[2]}) del sábado 16 de marzo de 2024, que no tiene UUID: es un conflicto. Si es la misma, corrige su fecha de emisión; si es otra, su número o su CFDI.`,
      `Es la A-15 del martes 5 de marzo de 2024, con el número y el total de la factura 15 (id ${ids[3]}) del domingo 5 de marzo de 2023, que no tiene UUID: es un conflicto. Si es la misma, corrige su fecha de emisión; si es otra, su número o su CFDI.`,
    ]);
    expect(files.map(({ outcome }) => outcome)).toEqual(['warned', 'warned', 'refused', 'refused']);
    expect((await allInvoices(db)).map((one) => one.uuid)).toEqual([
      uuidOfNumber(1),
      uuidOfNumber(2),
      null,
      null,
    ]);
  });

  it('recognises a document again after its invoice was corrected', async () => {
    const { db, actor, run } = await prepare(fresh.db);
    await addSupplier(db, { rfc: RFC });
    const id = (await run([file('a.xml')])).files[0]!.invoiceId!;
    const supplierId = await addSupplier(db);
    await updateInvoice(db, actor, id, { numfactura: 'X', fechaemision: '2024-01-01', supplierId });
    expect((await run([file('a.xml')])).files).toMatchObject([{ outcome: 'unchanged', invoiceId: id }]);
  });

  it('identifies a document without a stamp by supplier and number, in the order of the files', async () => {
    const { db, run } = await prepare(fresh.db);
    await addSupplier(db, { rfc: RFC });
    const files = [
      file('a.xml', { uuid: null }),
      file('b.xml', { uuid: null, root: { Serie: 'a ', Folio: '00-12' } }),
      file('c.xml', { uuid: null, root: { SubTotal: '2000.00', Total: '2160.00' } }),
    ];
    const first = await run(files);
    const id = first.files[0]!.invoiceId;
    expect(first.files).toMatchObject([
      { outcome: 'warned', warnings: [expect.stringContaining('No está timbrado')] },
      { outcome: 'unchanged', invoiceId: id },
      { outcome: 'refused', reason: expect.stringMatching(/mismo número .*conflicto/) },
    ]);
    expect((await run(files)).files.map(({ outcome }) => outcome)).toEqual([
      'unchanged',
      'unchanged',
      'refused',
    ]);
    expect(await count(db, 'invoices')).toBe(1);
  });

  it('identifies a document without stamp and number by supplier, date, total and job', async () => {
    const { db, run } = await prepare(fresh.db);
    await addSupplier(db, { rfc: RFC });
    const nameless = (Fecha: string) =>
      file('a.xml', { uuid: null, root: { Serie: undefined, Folio: undefined, Fecha } });
    const [day, other] = [nameless('2024-03-05T09:00:00'), nameless('2024-07-05T09:00:00')];
    expect((await run([day, day, other])).files.map(({ outcome }) => outcome)).toEqual([
      'warned',
      'unchanged',
      'warned',
    ]);
    const jobId = await addJob(db);
    expect((await run([day], { jobId })).created).toBe(1);
  });

  it('refuses a total that differs from the sum of its parts unless told to accept it, and then recognises it', async () => {
    const { db, run } = await prepare(fresh.db);
    await addSupplier(db, { rfc: RFC });
    const wrong = [
      file('a.xml', { root: { Total: '1100.00' } }),
      file('b.xml', { uuid: null, root: { Folio: '7', Total: '1100.00' } }),
    ];
    expect((await run(wrong)).files[0]).toMatchObject({
      outcome: 'refused',
      reason: 'El total del CFDI, $1,100.00, no cuadra con sus partes, que suman $1,160.00.',
    });
    expect(await run(wrong, { allowMismatch: true })).toMatchObject({ created: 2, warned: 2 });
    expect((await allInvoices(db))[0]).toMatchObject({ totalCents: 110_000, otrosimpuestosCents: -6_000 });
    expect(await run(wrong)).toMatchObject({ unchanged: 2, refused: 0 });
  });

  it('reports each file, and none stops the others', async () => {
    const { db, run } = await prepare(fresh.db);
    await addSupplier(db, { rfc: RFC });
    const { files, created, refused } = await run([
      { name: 'lost.xml', problem: 'No se puede leer el archivo.' },
      { name: 'empty.xml', bytes: Buffer.alloc(0) },
      { name: 'bomb.xml', bytes: bytesOf('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>') },
      file('payroll.xml', { uuid: uuidOfNumber(9), root: { TipoDeComprobante: 'N' } }),
      file('good.xml', { conceptos: buildConceptos(buildConcepto('1000.00', '', '=1+1 &lt;b&gt; ñ 🧱')) }),
    ]);
    expect({ created, refused }).toEqual({ created: 1, refused: 4 });
    expect(files.slice(0, 4).every(({ reason }) => Boolean(reason))).toBe(true);
    expect(files[3]).toMatchObject({ uuid: uuidOfNumber(9), reason: expect.stringContaining('nómina') });
    expect((await allInvoices(db))[0]!.comments).toBe('=1+1 <b> ñ 🧱');
  });

  it('writes one audit entry for each list, with the ids and the checksum, and marks its rows', async () => {
    const { db, actor, run } = await prepare(fresh.db);
    const files = [1, 2, 3].map((n) =>
      file(`${n}.xml`, {
        uuid: uuidOfNumber(n),
        root: { Folio: `${n}` },
        emisor: n < 3 ? { Rfc: RFC, Nombre: 'Uno' } : { Rfc: 'URE180429TM6', Nombre: 'Dos' },
      }),
    );
    const result = await run(files, { createSuppliers: true, source: 'facturas' });
    const ids = result.files.map(({ invoiceId }) => invoiceId);
    const imported = await db.selectFrom('imports').selectAll().executeTakeFirstOrThrow();
    expect(imported).toMatchObject({ kind: 'cfdi', source: 'facturas', userId: actor.userId });
    expect(imported.sha256).toMatch(/^[0-9a-f]{64}$/);
    const entries = await db.selectFrom('audit').selectAll().orderBy('id').execute();
    const { id: importId, sha256 } = imported;
    expect(entries).toMatchObject([
      { action: 'import', entity: 'suppliers', username: actor.username, origin: 'cli' },
      { action: 'import', entity: 'invoices', before: null },
    ]);
    const attachmentIds = [1, 2, 3]; // the XML of each
    const after = { importId, kind: 'cfdi', sha256, created: 3, ids, attachmentIds };
    expect(JSON.parse(entries[1]!.after!)).toEqual(after);
    expect((await allInvoices(db)).every((invoice) => invoice.importId === importId)).toBe(true);
    await run(files);
    expect(await count(db, 'audit')).toBe(2);
  });

  it('reports in a dry run the outcome of each file, and stores nothing', async () => {
    const { db, run } = await prepare(fresh.db);
    await addSupplier(db, { rfc: 'URE180429TM6' });
    const files = [
      file('a.xml'),
      file('copy.xml', { uuid: SAMPLE_UUID.toLowerCase() }),
      file('number.xml', { uuid: uuidOfNumber(2) }),
      file('plain.xml', { uuid: null, root: { Folio: '7' } }),
      file('plain-other.xml', { uuid: null, root: { Folio: '7', SubTotal: '2000', Total: '2160' } }),
      file('known.xml', { uuid: uuidOfNumber(3), emisor: { Rfc: 'URE180429TM6', Nombre: 'Dos' } }),
      { name: 'lost.xml', problem: 'No se puede leer el archivo.' },
    ];
    const dry = await run(files, { createSuppliers: true, dryRun: true, filesPerPart: 2 });
    for (const table of ['invoices', 'imports', 'cfdi_documents', 'audit'] as const)
      expect(await count(db, table)).toBe(0);
    const real = await run(files, { createSuppliers: true, filesPerPart: 3 });
    const withoutIds = (text: string | undefined) => text?.replace(/\(id \d+\)/, '(de esta importación)');
    expect(dry).toEqual({
      ...real,
      files: real.files.map(({ reason, warnings, ...rest }) => ({
        ...rest,
        ...(reason === undefined ? {} : { reason: withoutIds(reason) }),
        ...(warnings === undefined ? {} : { warnings: warnings.map(withoutIds) }),
        invoiceId: undefined,
      })),
    });
    expect(real).toMatchObject({ created: 4, unchanged: 1, refused: 2, suppliersCreated: 1 });
  });

  it('stores a long import in parts, each complete with its audit entries, under one import', async () => {
    const { db, run } = await prepare(fresh.db);
    const files = [1, 2, 3, 4, 5].map((n) =>
      file(`${n}.xml`, { uuid: uuidOfNumber(n), root: { Folio: `${n}` } }),
    );
    const controller = new AbortController();
    const options = { createSuppliers: true, filesPerPart: 2 };
    const half = await importCfdi(
      db,
      await addActor(db),
      files,
      { jobId: await addJob(db), ...options, signal: controller.signal },
      (read) => {
        if (read === 3) controller.abort();
      },
    );
    expect(half).toMatchObject({
      interrupted: true,
      created: 2,
      files: [{ file: '1.xml' }, { file: '2.xml' }],
    });
    expect([await count(db, 'invoices'), await count(db, 'cfdi_documents')]).toEqual([2, 2]);
    const rest = await run(files, options);
    expect(rest).toMatchObject({ interrupted: false, created: 3, unchanged: 2, suppliersCreated: 0 });
    const entries = await db.selectFrom('audit').select(['entity', 'after']).orderBy('id').execute();
    const imports = await db.selectFrom('imports').select(['id', 'sha256']).orderBy('id').execute();
    expect(entries.map(({ entity, after }) => [entity, JSON.parse(after!).importId])).toEqual([
      ['suppliers', imports[0]!.id],
      ['invoices', imports[0]!.id],
      ['invoices', imports[1]!.id],
      ['invoices', imports[1]!.id],
    ]);
    expect(JSON.parse(entries.at(-1)!.after!).sha256).toBe(imports[1]!.sha256);
  });
});

describeEachDatabase('a dry run over all CFDI of a firm', (fresh) => {
  it('looks up more documents and suppliers at once than a statement accepts parameters', async () => {
    const { db } = fresh;
    const numbers = Array.from({ length: 70_000 }, (_, n) => n + 1);
    const uuids = numbers.map(uuidOfNumber);
    const supplierId = await addSupplier(db, { suppliername: 'Proveedor 7', rfc: 'AAA010101007' });
    const rfcs = numbers.map((n) => `AAA0101${String(n).padStart(5, '0')}`);
    const issuers = new IssuerSuppliers();
    const issued = rfcs.map((rfc, n) => ({
      suppliername: `Proveedor ${n + 1}`,
      detail: { emisor: { rfc, nombre: '' } },
    }));
    await issuers.read(db, issued);
    expect(
      issuers.findSuppliersFor({ ...issued[0]!, detail: { emisor: { rfc: 'AAA010101007', nombre: '' } } }),
    ).toMatchObject([{ id: supplierId }]);
    expect((await readEntryIndex(db, suppliers, rfcs)).findByRfc('AAA010101007')?.id).toBe(supplierId);
    const asked = {
      notes: [],
      uuids,
      newInvoiceUuids: uuids,
      chainedUuids: uuids,
      supplierIds: numbers,
      replacedInvoiceIds: numbers,
    };
    const settlements = new StoredSettlements();
    await readSettlements(db, settlements, asked);
    expect(settlements.receiptWithUuid(uuids[0]!)).toBeUndefined();
  });
});
