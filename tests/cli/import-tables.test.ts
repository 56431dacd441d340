import { promises as fs } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runSaldo } from '../support/cli.ts';
import { useFreshDatabase } from '../support/databases.ts';
import { addActor, addJob, addSupplier } from '../support/rows.ts';
import { buildWorkbook, formatSheetRow } from '../support/tables.ts';

let folder: string;
beforeEach(async () => {
  folder = await fs.mkdtemp(join(tmpdir(), 'tablas-'));
});
afterEach(() => fs.rm(folder, { recursive: true }));

const put = async (name: string, content: string): Promise<string> => {
  const path = join(folder, name);
  await fs.writeFile(path, content);
  return path;
};

const INVOICES = `Proveedor,Obra,Folio,Fecha,Subtotal,IVA,Total
Aceros,Torre,A-1,13/01/2026,"$1,000.00",160.00,"1,160.00"
Aceros,Torre,A-2,14/01/2026,100.00,15.00,115.00
Aceros,Puente,A-3,15/01/2026,100.00,16.00,116.00
`;

describe('saldo import suppliers, clients, jobs, rubros, origenes, invoices, payments', () => {
  const fresh = useFreshDatabase('sqlite');
  const saldo = async (...args: string[]) =>
    runSaldo(fresh, args, await addActor(fresh.db, { origin: 'cli' }));
  const count = async (table: 'invoices' | 'suppliers' | 'payments' | 'funding_sources') =>
    (await fresh.db.selectFrom(table).select('id').execute()).length;
  const addLists = async () => {
    await addSupplier(fresh.db, { suppliername: 'Aceros' });
    await addJob(fresh.db, { jobtitle: 'Torre' });
  };

  it('imports each of the five lists by the headings that people use', async () => {
    const lists = {
      suppliers: 'Nombre;RFC;Contacto;Teléfono;Correo\nAceros;EME170704QVA;Ana;55 0000 1001;a@b.mx\n',
      clients: 'Cliente\tContacto\nPuertos\tLuis\n',
      jobs: 'Obra,Descripción,Fecha inicio,Fecha fin,Cliente\nMuelle,"una\notra",14/11/2025,25/02/2026,Puertos\n',
      rubros: 'Rubro,Descripción\nAcero,Varilla\n',
      origenes: 'Origen de recurso\nCaja chica\n',
    };
    for (const [kind, text] of Object.entries(lists)) {
      const { code, out, log } = await saldo('import', kind, await put(`${kind}.csv`, text));
      expect({ kind, code, log }).toEqual({ kind, code: 0, log: '' });
      expect(out).toMatch(/Guardados +1\n/);
    }
    expect((await saldo('import', 'jobs', join(folder, 'jobs.csv'))).out).toMatch(/Sin cambio +1\n/);
    const job = { jobdescription: 'una\notra', jobstartdate: '2025-11-14', jobduedate: '2026-02-25' };
    expect(await fresh.db.selectFrom('jobs').selectAll().execute()).toMatchObject([
      { jobtitle: 'Muelle', ...job },
    ]);
  });

  it('stores nothing if one row is refused, lists all refused rows with a remedy, and exits with 1', async () => {
    await addLists();
    const { code, out } = await saldo('import', 'invoices', await put('f.csv', INVOICES), '--set', 'tasa=16');
    expect(code).toBe(1);
    expect(out).toMatch(/Folio +Factura \(numfactura\) +por su encabezado/);
    expect(out).toMatch(
      / 3 {2}IVA +15\.00 +El IVA debe ser 16\.00\.\n +4 {2}Obra +Puente +No existe la obra «Puente»\./,
    );
    expect(out).toMatch(/Se guardarían +1\nSin cambio +0\nRechazados +2\n/);
    expect(out).toContain(
      'No se guardó nada, por los renglones rechazados. Con --on-error skip se guardan los demás. Con --create-missing se dan de alta.',
    );
    expect(await count('invoices')).toBe(0);
  });

  it('prints one JSON document of the documented form, and exits with 3 if the other rows were stored', async () => {
    await addLists();
    const file = await put('f.csv', INVOICES);
    const skipping = '--on-error skip --json --set tasa=16'.split(' ');
    const { code, out, log } = await saldo('import', 'invoices', file, ...skipping);
    expect({ code, log }).toEqual({ code: 3, log: '' });
    expect(JSON.parse(out)).toEqual({
      file,
      rows: 3,
      created: 1,
      unchanged: 0,
      refused: [
        {
          row: 3,
          column: 'IVA',
          value: '15.00',
          reason: 'El IVA debe ser 16.00.',
          code: 'amounts_disagree',
        },
        { row: 4, column: 'Obra', value: 'Puente', reason: 'No existe la obra «Puente».', code: 'invalid' },
      ],
      warnings: [],
    });
    expect(await count('invoices')).toBe(1);
    const stopped = await saldo('import', 'invoices', file, '--json', '--set', 'tasa=16');
    expect(stopped.code).toBe(1);
    expect(JSON.parse(stopped.out)).toMatchObject({ created: 0, unchanged: 1 });
  });

  it('says which lines it did not read as rows', async () => {
    await addLists();
    const text = `Proveedor,Obra,Folio,Subtotal\nAceros,Torre,A-1,100\nSubtotal Aceros,,,100\nProveedor,Obra,Folio,Subtotal\n\nAceros,Torre,A-2,50\nTOTAL,,,150\n`;
    const file = await put('f.csv', text);
    const { out } = await saldo('import', 'invoices', file, '--dry-run', '--set', 'tasa=16');
    expect(out).toContain(
      'No son registros las líneas: 3 (renglón de totales), 4 (encabezado repetido), 7 (renglón de totales).\n',
    );
    expect(out).toContain('Simulación: no se guardó nada.');
    const { out: json } = await saldo('import', 'invoices', file, '--json', '--set', 'tasa=16');
    expect(JSON.parse(json)).toMatchObject({
      rows: 2,
      created: 2,
      skipped: [
        { row: 3, reason: 'renglón de totales' },
        { row: 4, reason: 'encabezado repetido' },
        { row: 7, reason: 'renglón de totales' },
      ],
    });
  });

  it('says how many rows the sheet hides, and leaves them out if asked to', async () => {
    await addLists();
    const row = (line: number, number: string) =>
      formatSheetRow(line, ['Aceros', 'Torre', number, `0${line}/01/2026`, 1000, 160, 1160]);
    const hide = (xml: string) => xml.replace('<row', '<row hidden="1"');
    const head = formatSheetRow(1, ['Proveedor', 'Obra', 'Folio', 'Fecha', 'Subtotal', 'IVA', 'Total']);
    const rows = head + row(2, 'H-1') + hide(row(3, 'H-2')) + hide(row(4, 'H-3'));
    const file = join(folder, 'ocultas.xlsx');
    await fs.writeFile(file, buildWorkbook([{ rows }]));
    const all = await saldo('import', 'invoices', file, '--dry-run');
    expect(all.out).toContain(
      'En la hoja hay 2 renglones ocultos, que también se importan. Con --hidden skip se dejan fuera los renglones.',
    );
    expect(JSON.parse((await saldo('import', 'invoices', file, '--dry-run', '--json')).out)).toMatchObject({
      created: 3,
      hidden: 2,
    });
    const left = await saldo('import', 'invoices', file, '--hidden', 'skip');
    expect(left).toMatchObject({ code: 0, log: '' });
    expect(left.out).toContain('En la hoja hay 2 renglones ocultos, que se dejan fuera.');
    expect(await count('invoices')).toBe(1);
    const report = JSON.parse((await saldo('import', 'invoices', file, '--hidden', 'skip', '--json')).out);
    expect(report.skipped).toEqual([3, 4].map((line) => ({ row: line, reason: 'renglón oculto' })));
  });

  it('predicts the outcome in a dry run, with the same exit code', async () => {
    await addLists();
    const file = await put('f.csv', INVOICES);
    const flags = '--set tasa=16 --create-missing --on-error skip --json'.split(' ');
    const args = ['import', 'invoices', file, ...flags];
    const dry = await saldo(...args, '--dry-run');
    expect(await count('invoices')).toBe(0);
    const real = await saldo(...args);
    expect(dry).toEqual(real);
    expect(real.code).toBe(3);
  });

  it('accepts columns and values from options, and fields by their names in the API', async () => {
    await addLists();
    const file = await put('gasto.csv', 'Vendor ref;Spent\nX-1;1.234,50\nX-2;99,00\n');
    const args = ['--map', 'numfactura=Vendor ref', '--map', 'subtotal=Spent'];
    const more = '--set suppliername=Aceros --set jobtitle=Torre --set tasa=0 --decimal ,'.split(' ');
    expect(await saldo('import', 'invoices', file, ...args, ...more)).toMatchObject({ code: 0 });
    const stored = await fresh.db.selectFrom('invoices').select(['numfactura', 'totalCents']).execute();
    expect(stored).toEqual([
      { numfactura: 'X-1', totalCents: 123450 },
      { numfactura: 'X-2', totalCents: 9900 },
    ]);
  });

  it('uses the heading line that is named, even if words of the row below are headings elsewhere', async () => {
    await addLists();
    const file = await put('w.csv', 'Wer,Wo,Was,Wert\nAceros,Torre,Factura,Total\nAceros,Torre,A-2,5\n');
    const pairs = ['suppliername=Wer', 'jobtitle=wo', 'numfactura=Was'].flatMap((pair) => ['--map', pair]);
    const amount = ['--set', 'subtotal=5', '--set', 'tasa=0'];
    expect(await saldo('import', 'invoices', file, ...pairs, ...amount)).toMatchObject({ code: 0 });
    const stored = await fresh.db.selectFrom('invoices').select('numfactura').orderBy('id').execute();
    expect(stored.map(({ numfactura }) => numfactura)).toEqual(['Factura', 'A-2']);
  });

  it('asks what it cannot know, and names the option that answers', async () => {
    await addLists();
    const dated = 'Proveedor,Obra,Folio,Fecha,Subtotal\nAceros,Torre,A-1,01/02/2026,1.234\n';
    const result = await saldo('import', 'invoices', await put('d.csv', dated));
    expect(result).toMatchObject({ code: 2, out: '' });
    expect(result.log).toContain('van con punto o con coma? Dilo con --decimal . o --decimal ,');
    const short = await put('m.csv', 'Proveedor,Folio,Subtotal\nAceros,A-1,5.00\n');
    const missing = await saldo('import', 'invoices', short);
    expect(missing.code).toBe(2);
    expect(missing.log).toContain('Falta una columna para: Obra.');
    expect(missing.log).toContain('«Proveedor», «Folio», «Subtotal»');
    expect(missing.log).toContain('--map jobtitle=');
    const sheets = join(folder, 'hojas.xlsx');
    const rows = (name: string) => formatSheetRow(1, ['Rubro']) + formatSheetRow(2, [name]);
    const months = ['Enero', 'Febrero'].map((name) => ({ name, rows: rows(name) }));
    await fs.writeFile(sheets, buildWorkbook(months));
    expect(await saldo('import', 'rubros', sheets)).toMatchObject({
      code: 2,
      log: expect.stringContaining('Tiene: «Enero», «Febrero». Dilo con --sheet.'),
    });
    expect(await saldo('import', 'rubros', sheets, '--sheet', 'Febrero')).toMatchObject({ code: 0 });
    expect(await count('invoices')).toBe(0);
  });

  it('exits with 1 for a missing file, and with 2 for wrong usage', async () => {
    const missing = join(folder, 'no.csv');
    expect(await saldo('import', 'rubros', missing)).toMatchObject({
      code: 1,
      log: `saldo: No existe el archivo ${missing}.\n`,
    });
    const file = await put('r.csv', 'Rubro\nAcero\n');
    for (const [wrong, report] of [
      [['--on-error', 'quizá'], "'quizá' no sirve para la opción '--on-error <qué>'. Se espera stop, skip."],
      [['--decimal', ';'], "';' no sirve para la opción '--decimal <signo>'. Se espera ., ,."],
      [['--map', 'nombrerubro'], '--map: se espera campo=encabezado.'],
      [
        ['--map', 'nombrerubro=Otra'],
        'saldo: --map: el archivo no tiene una columna «Otra». Tiene: «Rubro».',
      ],
      [['--map', 'nada=1'], 'saldo: --map: no hay un campo «nada». Los campos son: nombrerubro, '],
      [['--set', 'nada=1'], 'saldo: --set: no hay un campo «nada». Los campos son: nombrerubro, '],
      [
        ['--date-format', 'jueves'],
        'saldo: --date-format: «jueves» no es un formato de fecha; se conocen dd/',
      ],
    ] as const)
      expect(await saldo('import', 'rubros', file, ...wrong), wrong.join(' ')).toMatchObject({
        code: 2,
        out: '',
        log: expect.stringContaining(report),
      });
    expect(await saldo('import', 'rubros')).toMatchObject({ code: 2 });
    expect(await saldo('import', 'otra', file)).toMatchObject({ code: 2 });
  });

  it('prints nothing that a terminal would execute', async () => {
    await addLists();
    const file = await put('f.csv', 'Proveedor,Obra,Subtotal\nAceros,Torre\u001b[31m,5.00\n');
    const { out } = await saldo('import', 'invoices', file, '--set', 'tasa=16');
    expect(out).not.toContain('\u001b');
  });
});
