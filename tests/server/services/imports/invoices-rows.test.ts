import { expect, it } from 'vitest';
import { invoiceTexts } from '../../../../shared/invoices.ts';
import { describeEachInLongLane } from '../../../support/proofs.ts';
import { addActor, addInvoice, addJob, addRubro, addSupplier } from '../../../support/rows.ts';
import { readRows } from '../../../support/stored.ts';
import { importRows } from '../../../support/table-rows.ts';

const A = {
  suppliername: 'Aceros del Norte',
  rfc: 'EME170704QVA',
  jobtitle: 'Torre',
  nombrerubro: 'Acero',
  numfactura: 'A-0012',
  fechaemision: '2026-01-05',
  fecharecepcion: '2026-01-07',
  fechavencimiento: '2026-02-05',
  subtotal: '1000.50',
  tasa: '16',
  iva: '160.08',
  total: '1160.58',
  comments: 'línea 1\nlínea 2',
};
const UUID = 'AAAAAAAA-1111-4222-8333-000000000001';

describeEachInLongLane('a table of invoices', (fresh) => {
  type Rows = Parameters<typeof importRows>[3];
  type Options = Parameters<typeof importRows>[4];
  const run = async (rows: Rows, options?: Options) =>
    importRows(fresh.db, await addActor(fresh.db), 'invoices', rows, options);

  /** the lists that the rows name */
  const addLists = async () => ({
    supplierId: await addSupplier(fresh.db, { suppliername: A.suppliername, rfc: A.rfc }),
    jobId: await addJob(fresh.db, { jobtitle: A.jobtitle }),
    rubroId: await addRubro(fresh.db, { nombrerubro: A.nombrerubro }),
  });
  const stored = () => fresh.db.selectFrom('invoices').selectAll().orderBy('id').execute();
  const reasonOf = async (row: Record<string, string>, options?: Options) => {
    const { refused } = await run([row], { dryRun: true, ...options });
    return refused[0]?.reason;
  };

  it('names the supplier, obra or rubro that is missing', async () => {
    expect(await reasonOf(A)).toBe('No existe el proveedor «Aceros del Norte» con el RFC EME170704QVA.');
    await addSupplier(fresh.db, { suppliername: A.suppliername, rfc: A.rfc });
    expect(await reasonOf(A)).toBe('No existe la obra «Torre».');
    await addJob(fresh.db, { jobtitle: A.jobtitle });
    expect(await reasonOf(A)).toBe('No existe el rubro «Acero».');
    await addRubro(fresh.db, { nombrerubro: A.nombrerubro });
    expect(await reasonOf(A)).toBeUndefined();
    expect(await reasonOf({ ...A, otrosimpuestos: '-1' })).toMatch(/Otros impuestos no pueden ser negativos/);
    expect(await reasonOf({ ...A, tasa: 'Mixta' })).toMatch(/UUID/);
  });

  it('adds what is missing if asked to, with a client for the obra and an audit entry for each list', async () => {
    const second = { ...A, numfactura: 'A-13', suppliername: 'ACEROS DEL NORTE ', fechaemision: '' };
    const missingCreated = { suppliers: 1, jobs: 1, clients: 1, rubros: 1 };
    const options = { createMissing: true };
    expect(await run([A, second], options)).toMatchObject({ created: 2, missingCreated });
    const suppliers = await fresh.db.selectFrom('suppliers').selectAll().execute();
    expect(suppliers).toMatchObject([
      { suppliername: A.suppliername, rfc: A.rfc, suppliercontactperson: '(sin contacto)' },
    ]);
    const clients = await fresh.db.selectFrom('clients').select('clientname').execute();
    expect(clients).toEqual([{ clientname: '(sin cliente)' }]);
    const entries = await readRows(fresh.db, 'audit', { action: 'import' }, ['entity']);
    const entities = entries.map(({ entity }) => entity).sort();
    expect(entities).toEqual(['clients', 'invoices', 'jobs', 'rubros', 'suppliers']);
    expect(new Set((await stored()).map(({ supplierId }) => supplierId)).size).toBe(1);
  });

  it('adds nothing that only refused rows name', async () => {
    await addLists();
    const rows = [A, { ...A, suppliername: 'Otro', rfc: '', iva: '1.00' }];
    const result = await run(rows, { createMissing: true, onError: 'skip' });
    expect(result).toMatchObject({ created: 1, missingCreated: {} });
    expect(await fresh.db.selectFrom('suppliers').select('id').execute()).toHaveLength(1);
  });

  it('finds the supplier by its RFC, else by its name, never another one of that name', async () => {
    await addLists();
    const named = { ...A, suppliername: 'ACEROS DEL NORTE, S.A.' };
    expect((await run([named], { dryRun: true })).warnings).toMatchObject([
      { reason: expect.stringContaining('es de «Aceros del Norte»') },
    ]);
    const other = { ...A, rfc: 'SRA070307UA4' };
    expect(await reasonOf(other)).toMatch(/No existe el proveedor .*está con el RFC EME170704QVA/);
    await addSupplier(fresh.db, { suppliername: 'Sol y Cielo', rfc: 'XAXX010101000' });
    const generic = { ...A, suppliername: 'SOL Y CIELO', rfc: 'SCC8606225N8' };
    expect(await run([generic, { ...generic, numfactura: 'B', fechaemision: '' }])).toMatchObject({
      created: 2,
      warnings: [{ row: 2, reason: expect.stringContaining('registrado sin el RFC') }],
    });
    expect(await reasonOf({ ...generic, suppliername: 'Nadie', rfc: 'XAXX010101000' })).toContain(
      'No existe',
    );
  });

  it('adds up withholdings that the file lists separately, and says if their sum differs', async () => {
    await addLists();
    const apart = { ...A, total: '1040.58', retencioniva: '106.67', retencionisr: '13.33' };
    expect(await reasonOf({ ...apart, retenciones: '100.00' })).toBe(
      'Las retenciones no cuadran: el archivo dice $100.00; las de IVA e ISR suman $120.00.',
    );
    expect(await reasonOf({ ...apart, retencionisr: '-13.33' })).toBe(
      'Las retenciones no pueden ser negativas.',
    );
    await run([apart]);
    expect(await stored()).toMatchObject([{ retencionesCents: 12_000, totalCents: 104_058 }]);
    expect(await run([apart, { ...A, total: '1040.58', retenciones: '120.00' }])).toMatchObject({
      unchanged: 2,
      refused: [],
    });
  });

  it('deducts a discount from the subtotal, unless the total shows that this was done', async () => {
    await addLists();
    const gross = { ...A, subtotal: '1100.00', descuento: '99.50' };
    await run([gross]);
    expect(await stored()).toMatchObject([{ subtotalCents: 100_050, ivaCents: 16_008, totalCents: 116_058 }]);
    expect(await run([{ ...A, descuento: '99.50' }, A, { ...gross, iva: '', total: '' }])).toMatchObject({
      unchanged: 3,
      refused: [],
    });
    expect(await reasonOf({ ...gross, numfactura: 'B-1', descuento: '1100.00', iva: '', total: '' })).toBe(
      invoiceTexts.required,
    );
  });

  it('asks what a rate below 1 % means if the row has no tax that decides it', async () => {
    await addLists();
    const small = { ...A, tasa: '0.16', iva: '', total: '' };
    expect(await reasonOf(small)).toBe('¿Es 0.16 % o 16 %? Escríbela como 16%, o agrega el IVA.');
    expect(await reasonOf({ ...small, iva: '160.08' })).toBe('El IVA debe ser 1.60.');
    expect(await reasonOf({ ...small, iva: '1.60' })).toBeUndefined();
  });

  it('finds a missing rate if it is 0, 8 or 16 % to the cent', async () => {
    await addLists();
    const bare = { ...A, tasa: '', iva: '', total: '' };
    const of = async (part: Record<string, string>, numfactura: string) => {
      await run([{ ...bare, fechaemision: '', ...part, numfactura }]);
      const invoice = (await stored()).find((one) => one.numfactura === numfactura);
      return invoice && [invoice.subtotalCents, invoice.tasa, invoice.ivaCents, invoice.totalCents];
    };
    expect(await of({}, '1')).toEqual([100050, 160000, 16008, 116058]);
    expect(await of({ iva: '80.04' }, '2')).toEqual([100050, 80000, 8004, 108054]);
    expect(await of({ total: '1000.50' }, '3')).toEqual([100050, 0, 0, 100050]);
    const others = { iva: '160.08', otrosimpuestos: '10', retenciones: '40', total: '1130.58' };
    expect(await of(others, '4')).toEqual([100050, 160000, 16008, 113058]);
    const whole = { subtotal: '', total: '1160.58' };
    for (const part of [
      { tasa: '16', iva: '' },
      { tasa: '', iva: '160.08' },
    ])
      expect(await of({ ...whole, ...part }, `5${part.tasa}`)).toEqual([100050, 160000, 16008, 116058]);
    expect(await reasonOf({ ...bare, subtotal: '', total: '1160.58' })).toMatch(
      /hace falta el IVA o la tasa/,
    );
    expect(await reasonOf({ ...bare, subtotal: '', total: '0.04', tasa: '16' })).toBe(
      'Ningún subtotal más 16 % de IVA da $0.04; el más cercano da $0.03.',
    );
    expect(await of({ subtotal: '0.02', iva: '0' }, '7')).toEqual([2, 160000, 0, 2]); // the IVA is 0 at 16, 8 and 0 %
  });

  it('refuses an IVA at no existing rate, and says what it should be', async () => {
    await addLists();
    const row = { ...A, tasa: '', subtotal: '10.00', iva: '1.61', total: '11.61' };
    expect(await reasonOf(row)).toBe('El IVA debe ser 1.60.');
    expect(await reasonOf({ ...row, iva: '' })).toBe('El total debe ser 11.60.');
    // Of the rates 0, 8 and 16 %, the row's IVA comes nearest to 8 %.
    expect(await reasonOf({ ...row, iva: '', otrosimpuestos: '1', retenciones: '0.40' })).toBe(
      'El total debe ser 11.40.',
    );
    expect(await reasonOf({ ...row, iva: '0.81', total: '10.81' })).toBe('El IVA debe ser 0.80.');
    expect(await reasonOf({ ...row, iva: '1000.51', total: '' })).toBe('El IVA debe ser 1.60.');
    expect(await reasonOf({ ...row, tasa: '16.1' })).toBeUndefined();
    // A document's figures are stored as stated, without an inferred rate.
    const cfdi = { ...row, uuid: UUID };
    expect((await run([cfdi])).warnings).toMatchObject([
      { reason: 'Su IVA no es ni 0 ni 8 ni 16 % del subtotal: la tasa queda como Mixta.' },
    ]);
    expect(await stored()).toMatchObject([{ tasa: null, ivaCents: 161, totalCents: 1161 }]);
  });

  it('says where it uses the common rate for a row without one', async () => {
    await addLists();
    const silent = { ...A, numfactura: 'B', tasa: '', iva: '', total: '', fechaemision: '' };
    expect((await run([A, silent])).warnings).toEqual([
      { row: 3, reason: 'No dice IVA, tasa ni total: se toma la tasa de 16 %.' },
    ]);
  });

  it('keeps the figures of a CFDI, several rates included', async () => {
    await addLists();
    const figures = { subtotal: '68.97', tasa: '16', iva: '11.03', total: '80.00' };
    const cfdi = { ...A, uuid: UUID.toLowerCase(), metodopago: 'PPD', ...figures };
    const undated = (n: string) => ({ ...cfdi, uuid: UUID.replace('1', n), fechaemision: '' });
    const mixed = { ...undated('2'), tasa: 'Mixta', otrosimpuestos: '-0.01', total: '79.99' };
    const free = { ...undated('3'), subtotal: '0', iva: '0', total: '0' };
    expect(await run([cfdi, mixed, free])).toMatchObject({ created: 3, refused: [] });
    expect(await stored()).toMatchObject([
      { uuid: UUID, metodopago: 'PPD', tasa: 160000, ivaCents: 1103, totalCents: 8000 },
      { tasa: null, otrosimpuestosCents: -1, totalCents: 7999 },
      { totalCents: 0 },
    ]);
    expect(await reasonOf({ ...cfdi, uuid: UUID.replace('1', '9'), total: '80.01' })).toBe(
      'El total debe ser 80.00.',
    );
  });

  it('stores nothing twice: by UUID, by number, or by date, total and obra', async () => {
    await addLists();
    const linked = { ...A, uuid: UUID, numfactura: 'U-1', fechaemision: '2026-03-05' };
    const nameless = { ...A, numfactura: '', fechaemision: '2026-06-05' };
    const rows = [A, linked, nameless];
    expect(await run(rows)).toMatchObject({ created: 3, unchanged: 0, warnings: [] });
    expect(await run(rows)).toMatchObject({ created: 0, unchanged: 3, refused: [], warnings: [] });
    const alike = [
      { ...A, numfactura: 'a0012' },
      { ...linked, numfactura: '' },
      { ...nameless, numfactura: '-' },
    ];
    expect(await run(alike)).toMatchObject({ created: 0, unchanged: 3 });
    const conflicts = [
      { ...A, subtotal: '2000', iva: '320', total: '2320' },
      { ...linked, subtotal: '2000', iva: '320', total: '2320' },
      { ...nameless, comments: 'otra cosa' },
      { ...A, fechaemision: '2026-01-06' },
    ];
    const { refused } = await run(conflicts);
    expect(refused.map(({ column }) => column)).toEqual(['Total', 'Total', 'Observaciones', 'Emisión']);
    expect(refused[0]!.reason).toMatch(/A-0012 \(id \d+\).*«\$1,160\.58».*«\$2,320\.00»/);
  });

  it('stores equal rows of one file once, and says so', async () => {
    await addLists();
    const nameless = { ...A, numfactura: '' };
    const result = await run([A, A, nameless, nameless]);
    expect(result).toMatchObject({ created: 2, unchanged: 2, refused: [] });
    expect(result.warnings.filter(({ reason }) => reason.includes('Es igual al renglón'))).toEqual([
      { row: 3, reason: expect.stringContaining('renglón 2') },
      { row: 5, reason: expect.stringContaining('renglón 4') },
    ]);
    const other = { ...A, numfactura: 'N', total: '', iva: '' };
    expect(await run([other, { ...other, subtotal: '5' }])).toMatchObject({
      created: 1,
      refused: [{ row: 3 }],
    });
  });

  it('asks about equal rows with neither number nor date if there are more of them than on file', async () => {
    await addLists();
    const bare = { ...A, numfactura: '', fechaemision: '', fecharecepcion: '', fechavencimiento: '' };
    const why =
      'Es igual al renglón 2, y ninguno trae número ni fecha: pueden ser dos, o el mismo dos veces.';
    const result = await run([bare, bare, bare]);
    expect(result).toMatchObject({ created: 1, unchanged: 0, stored: false });
    expect(result.refused.map(({ row, reason }) => [row, reason])).toEqual([
      [3, expect.stringContaining(why)],
      [4, expect.stringContaining(why)],
    ]);
    expect(await run([bare, bare], { allowDuplicates: true })).toMatchObject({ created: 2, refused: [] });
    expect(await run([bare, bare])).toMatchObject({ created: 0, unchanged: 2, refused: [], warnings: [] });
    expect(await run([bare, bare, bare])).toMatchObject({
      unchanged: 2,
      refused: [{ row: 4, reason: expect.stringContaining(why) }],
    });
    expect(await run([{ ...bare, comments: 'otra' }])).toMatchObject({
      refused: [{ column: 'Observaciones' }],
    });
  });

  it('stores the same number again if asked to, never the same UUID', async () => {
    await addLists();
    const again = { allowDuplicates: true };
    expect(await run([A, A], again)).toMatchObject({ created: 2 });
    const linked = { ...A, uuid: UUID };
    expect(await run([linked, linked], again)).toMatchObject({ created: 1, unchanged: 1 });
  });

  it('warns of invoices that look alike in the file too, and stores them', async () => {
    await addLists();
    const rows = [A, { ...A, numfactura: 'X-2', fechaemision: '2026-01-15' }];
    const warnings = [{ row: 3, reason: expect.stringContaining('A-0012') }];
    expect(await run(rows)).toMatchObject({ created: 2, warnings });
  });

  it('accepts a UUID with the number of an invoice without one: it is that invoice, or another debt', async () => {
    const { supplierId, jobId } = await addLists();
    const captured = { supplierId, jobId, numfactura: 'A-0012', subtotalCents: 100050 };
    await addInvoice(fresh.db, { ...captured, fechaemision: A.fechaemision });
    const silent = { nombrerubro: '', fecharecepcion: '', fechavencimiento: '', comments: '' };
    const plain = { ...A, ...silent, uuid: UUID };
    const rows = [plain, { ...plain, uuid: UUID.replace('1', '2') }];
    expect(await run(rows, { dryRun: true })).toMatchObject({ unchanged: 1, created: 1, refused: [] });
    const otherDay = { ...plain, fechaemision: '2026-02-01' };
    expect(await run([otherDay], { dryRun: true })).toMatchObject({ created: 1, refused: [] });
  });

  const named = (n: number) => ({
    ...A,
    numfactura: `N-${n}`,
    fechaemision: '',
    uuid: n % 2 ? UUID.slice(0, -2) + String(10 + n) : '',
  });
  const unnumbered = (n: number) => ({
    ...A,
    numfactura: '',
    subtotal: `${1000 + n}.00`,
    iva: '',
    total: '',
  });
  it.each([
    ['', named],
    [' without a number', unnumbered],
  ])('leaves one of each if two imports of the same rows%s run at once', async (_, rowOf) => {
    await addLists();
    const rows = Array.from({ length: 60 }, (_, n) => rowOf(n));
    const others = [fresh.database.openAgain(), fresh.database.openAgain()];
    const actor = await addActor(fresh.db);
    const results = await Promise.all(others.map(({ db }) => importRows(db, actor, 'invoices', rows)));
    expect(results.map(({ created }) => created).sort()).toEqual([0, 60]);
    expect(results.map(({ unchanged }) => unchanged).sort()).toEqual([0, 60]);
    expect(await stored()).toHaveLength(60);
  });
});
