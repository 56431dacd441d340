import { promises as fs } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runSaldo } from '../support/cli.ts';
import { parseCsv } from '../support/csv.ts';
import { useFresh } from '../support/databases.ts';
import { addActor, addFundingSource, addInvoice, addJob, addSupplier } from '../support/rows.ts';
import { buildWorkbook, rowOf } from '../support/tables.ts';

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

const OPTIONS =
  'dry-run map set sheet date-format decimal create-missing on-error rejects allow-duplicates json as';

describe('saldo import suppliers, clients, jobs, rubros, origenes, invoices, payments', () => {
  const fresh = useFresh('sqlite');
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
      expect(await saldo('import', kind, join(folder, `${kind}.csv`))).toMatchObject({
        code: 0,
        out: expect.stringMatching(/Sin cambio +1\n/),
      });
    }
    const job = { jobdescription: 'una\notra', jobstartdate: '2025-11-14', jobduedate: '2026-02-25' };
    expect(await fresh.db.selectFrom('jobs').selectAll().execute()).toMatchObject([
      { jobtitle: 'Muelle', ...job },
    ]);
  });

  it('stores nothing where one row is refused, lists them all, and exits 1', async () => {
    await addLists();
    const { code, out } = await saldo('import', 'invoices', await put('f.csv', INVOICES), '--set', 'tasa=16');
    expect(code).toBe(1);
    expect(out).toMatch(/Folio +Factura \(numfactura\) +por su encabezado/);
    expect(out).toMatch(/ 4 {2}Obra +Puente +No existe la obra «Puente»\./);
    expect(out).toMatch(/ 3 {2}IVA +15\.00 +El IVA no cuadra: /);
    expect(out).toMatch(/Se guardarían +1\nSin cambio +0\nRechazados +2\n/);
    expect(out).toContain('No se guardó nada, por los renglones rechazados. Con --on-error skip');
    expect(out).toContain('Con --create-missing se dan de alta.');
    expect(await count('invoices')).toBe(0);
  });

  it('many refused for the same reason are one line, with how many and what helps', async () => {
    const names = ['Uno', 'Dos', 'Tres'];
    const rows = Array.from({ length: 200 }, (_, n) => `${names[n % 3]},F-${n},2026-11-02,100.00,16`);
    const file = await put('f.csv', ['Proveedor,Factura,Fecha,Subtotal,Tasa', ...rows].join('\n'));
    await addLists();
    const { out } = await saldo('import', 'invoices', file, '--set', 'jobtitle=Nada');
    expect(out.match(/No existe el proveedor/g)).toHaveLength(1);
    expect(out).toMatch(
      /2 y 199 más +Proveedor +Uno y 2 otros +No existe el proveedor «Uno»\. Son 200 renglones\. Con --create-missing se dan de alta\./,
    );
    expect(out).toMatch(/Rechazados +200\n/);
  });

  it('prints one JSON document of the agreed form, and exits 3 where the rest was stored', async () => {
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
          reason: 'El IVA no cuadra: el archivo dice $15.00; $100.00 × 16 % da $16.00.',
          code: 'invalid',
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

  it('writes the refused rows to be mended, and takes them in again', async () => {
    await addLists();
    const rejects = join(folder, 'rechazadas.csv');
    const file = await put('f.csv', INVOICES);
    await saldo('import', 'invoices', file, '--on-error', 'skip', '--set', 'tasa=16', '--rejects', rejects);
    const text = await fs.readFile(rejects, 'utf8');
    const { headings, rows } = parseCsv(text);
    expect(headings).toEqual(['Proveedor', 'Obra', 'Folio', 'Fecha', 'Subtotal', 'IVA', 'Total', 'Motivo']);
    expect(rows.map((row) => [row.Folio, row.Motivo])).toEqual([
      ['A-2', expect.stringMatching(/^IVA: El IVA no cuadra/)],
      ['A-3', 'Obra: No existe la obra «Puente».'],
    ]);
    await put('rechazadas.csv', text.replace('15.00,115.00', '16.00,116.00').replace('Puente', 'Torre'));
    expect(await saldo('import', 'invoices', rejects)).toMatchObject({ code: 0 });
    expect(await count('invoices')).toBe(3);
  });

  it('says which lines it took for no rows', async () => {
    await addLists();
    const text = `Proveedor,Obra,Folio,Subtotal\nAceros,Torre,A-1,100\nSubtotal Aceros,,,100\nProveedor,Obra,Folio,Subtotal\n\nAceros,Torre,A-2,50\nTOTAL,,,150\n`;
    const file = await put('f.csv', text);
    const { out } = await saldo('import', 'invoices', file, '--dry-run', '--set', 'tasa=16');
    expect(out).toContain(
      'No son registros las líneas: 3 (renglón de totales), 4 (encabezado repetido), 7 (renglón de totales).\n',
    );
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

  it('says before it stores anything that the refused rows could not be written', async () => {
    await addLists();
    const file = await put('f.csv', INVOICES);
    const missing = join(folder, 'no', 'hay.csv');
    const said = {
      [missing]: `No se pudo escribir ${missing} en la carpeta `,
      [folder]: `${folder} es una carpeta`,
    };
    for (const [rejects, message] of Object.entries(said)) {
      const args = ['import', 'invoices', file, '--on-error', 'skip', '--rejects', rejects];
      const { code, log } = await saldo(...args);
      expect([code, log]).toEqual([1, expect.stringContaining(message)]);
      expect(await count('invoices')).toBe(0);
    }
  });

  it('refuses a row that a comma without quotes pushed to the right, also when it comes back unmended', async () => {
    await addLists();
    const rejects = join(folder, 'rechazadas.csv');
    const shifted = 'Proveedor,Obra,Folio,Subtotal\nAceros,Torre,A-1,1,160.50\nAceros,Torre,A-2,300.00\n';
    const file = await put('f.csv', shifted);
    const rate = ['--set', 'tasa=16'];
    const args = ['--on-error', 'skip', '--rejects', rejects, '--json', ...rate];
    const { code, out } = await saldo('import', 'invoices', file, ...args);
    const refused = [
      { row: 2, column: '#5', value: '160.50', reason: expect.stringContaining('más celdas') },
    ];
    expect([code, JSON.parse(out)]).toMatchObject([3, { rows: 2, created: 1, refused }]);
    const again = await saldo('import', 'invoices', rejects, '--json', ...rate);
    expect([again.code, JSON.parse(again.out)]).toMatchObject([1, { created: 0, refused }]);
    const text = await fs.readFile(rejects, 'utf8');
    await fs.writeFile(rejects, text.replace('1,160.50', '1160.50,'));
    expect(await saldo('import', 'invoices', rejects, ...rate)).toMatchObject({ code: 0 });
    expect(await count('invoices')).toBe(2);
  });

  it('predicts in a dry run what would come of it, with the same exit code', async () => {
    await addLists();
    const file = await put('f.csv', INVOICES);
    const flags = '--set tasa=16 --create-missing --on-error skip --json'.split(' ');
    const args = ['import', 'invoices', file, ...flags];
    const dry = await saldo(...args, '--dry-run');
    expect(await count('invoices')).toBe(0);
    const real = await saldo(...args);
    expect(dry).toEqual(real);
    expect(real.code).toBe(3);
    expect((await saldo(...args.slice(0, -1), '--dry-run')).out).toContain('Simulación: no se guardó nada.');
  });

  it('takes columns and values as they are said, and fields by their names in the API', async () => {
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

  it('takes a file none of whose headings is known, once it is said what they are', async () => {
    await addLists();
    const file = await put('k.csv', 'Wer,Wo,Was\nAceros,Torre,A-1\nAceros,Torre,A-2\n');
    const asked = await saldo('import', 'invoices', file);
    expect(asked).toMatchObject({ code: 2, out: '' });
    expect(asked.log).toContain('El archivo tiene (línea 1): «Wer», «Wo», «Was».');
    const pairs = ['--map', 'suppliername=Wer', '--map', 'jobtitle=Wo', '--map', 'numfactura=Was'];
    const amount = ['--set', 'subtotal=5', '--set', 'tasa=0'];
    const said = await saldo('import', 'invoices', file, ...pairs, ...amount);
    expect(said).toMatchObject({ code: 0 });
    expect(await count('invoices')).toBe(2);
  });

  it('takes the line of the headings that are named, though words of the row below are headings elsewhere', async () => {
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
    const asked = await saldo('import', 'invoices', await put('d.csv', dated));
    expect(asked).toMatchObject({ code: 2, out: '' });
    expect(asked.log).toContain('van con punto o con coma? Dilo con --decimal . o --decimal ,');
    const short = await put('m.csv', 'Proveedor,Folio,Subtotal\nAceros,A-1,5.00\n');
    const missing = await saldo('import', 'invoices', short);
    expect(missing.code).toBe(2);
    expect(missing.log).toContain('Falta una columna para: Obra.');
    expect(missing.log).toContain('«Proveedor», «Folio», «Subtotal»');
    expect(missing.log).toContain('--map jobtitle=');
    const sheets = join(folder, 'hojas.xlsx');
    const rows = (name: string) => rowOf(1, ['Rubro']) + rowOf(2, [name]);
    const months = ['Enero', 'Febrero'].map((name) => ({ name, rows: rows(name) }));
    await fs.writeFile(sheets, buildWorkbook(months));
    expect(await saldo('import', 'rubros', sheets)).toMatchObject({
      code: 2,
      log: expect.stringContaining('Tiene: «Enero», «Febrero». Dilo con --sheet.'),
    });
    expect(await saldo('import', 'rubros', sheets, '--sheet', 'Marzo')).toMatchObject({ code: 2 });
    expect(await saldo('import', 'rubros', sheets, '--sheet', 'Febrero')).toMatchObject({ code: 0 });
    expect(await count('invoices')).toBe(0);
  });

  it('asks what one amount without IVA is, and stores it as that', async () => {
    await addLists();
    const file = await put('i.csv', 'Proveedor,Obra,Folio,Importe\nAceros,Torre,A-1,"$2,900.00"\n');
    const asked = await saldo('import', 'invoices', file);
    expect(asked).toMatchObject({ code: 2, out: '' });
    expect(asked.log).toContain('«Importe» (línea 2: «$2,900.00») es el único importe');
    expect(asked.log).toContain('Dilo con --amount subtotal o --amount total');
    expect(asked.log).toContain('Dilo con --set tasa=16 o --set tasa=8 o --set tasa=0');
    expect(await saldo('import', 'invoices', file, '--set', 'tasa=16')).toMatchObject({ code: 2 });
    expect(await saldo('import', 'invoices', file, '--amount', 'total')).toMatchObject({ code: 2 });
    const both = ['--map', 'subtotal=Importe', '--amount', 'total'];
    expect(await saldo('import', 'invoices', file, ...both)).toMatchObject({
      code: 2,
      log: 'saldo: --amount: la columna «Importe» ya se pidió como Subtotal.\n',
    });
    expect(await count('invoices')).toBe(0);
    const said = ['--amount', 'total', '--set', 'tasa=16'];
    expect(await saldo('import', 'invoices', file, ...said)).toMatchObject({ code: 0 });
    await put('i.csv', 'Proveedor,Obra,Folio,Importe\nAceros,Torre,A-2,"$2,900.00"\n');
    said[1] = 'subtotal';
    expect(await saldo('import', 'invoices', file, ...said)).toMatchObject({ code: 0 });
    const stored = await fresh.db.selectFrom('invoices').select(['subtotalCents', 'totalCents']).execute();
    expect(stored).toEqual([
      { subtotalCents: 250_000, totalCents: 290_000 },
      { subtotalCents: 290_000, totalCents: 336_400 },
    ]);
    const help = await saldo('import', 'invoices', '--help');
    expect(help.out).toContain('--amount <qué>');
    expect((await saldo('import', 'payments', '--help')).out).not.toContain('--amount');
  });

  it('fails on a missing file with 1, and on wrong usage with 2', async () => {
    const missing = join(folder, 'no.csv');
    expect(await saldo('import', 'rubros', missing)).toMatchObject({
      code: 1,
      log: `saldo: No existe el archivo ${missing}.\n`,
    });
    const file = await put('r.csv', 'Rubro\nAcero\n');
    for (const [wrong, said] of [
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
        log: expect.stringContaining(said),
      });
    expect(await saldo('import', 'rubros')).toMatchObject({ code: 2 });
    expect(await saldo('import', 'otra', file)).toMatchObject({ code: 2 });
  });

  it('pays in the order of the file, adds sources where asked, and stores equal rows where asked', async () => {
    const supplierId = await addSupplier(fresh.db, { suppliername: 'Aceros' });
    const id = await addInvoice(fresh.db, { supplierId, numfactura: 'A-1' });
    await addFundingSource(fresh.db, { origenderecursonombre: 'Banco' });
    const row = '01,A-1,Aceros,15/03/2026,500.00,Caja\n';
    const headings = 'Cheque,Factura,Proveedor,Fecha de pago,Importe pagado,Origen\n';
    const file = await put('p.csv', headings + row + row);
    expect(await saldo('import', 'payments', file)).toMatchObject({ code: 1 });
    const { code, out } = await saldo('import', 'payments', file, '--create-missing');
    expect(code).toBe(0);
    expect(out).toMatch(/Guardados +1\nSin cambio +1\n/);
    expect(out).toContain('Con --allow-duplicates');
    expect(await count('funding_sources')).toBe(2);
    expect(await saldo('import', 'payments', file, '--allow-duplicates')).toMatchObject({ code: 1 });
    const invoices = await fresh.db.selectFrom('invoices').select(['id', 'paidCents']).execute();
    expect(invoices).toEqual([{ id, paidCents: 50000 }]);
  });

  it('asks whether equal rows without number and date are two, and takes the answer', async () => {
    await addLists();
    const row = 'Aceros,Torre,100,16\n';
    const file = await put('f.csv', `Proveedor,Obra,Subtotal,IVA\n${row}${row}`);
    const { code, out } = await saldo('import', 'invoices', file);
    expect(code).toBe(1);
    expect(out).toMatch(/ 3 .*Es igual al renglón 2, y ninguno trae número ni fecha/);
    expect(out).toContain('Con --allow-duplicates');
    expect(await count('invoices')).toBe(0);
    expect(await saldo('import', 'invoices', file, '--allow-duplicates')).toMatchObject({ code: 0 });
    expect(await count('invoices')).toBe(2);
    expect(await saldo('import', 'invoices', file)).toMatchObject({ code: 0 });
    expect(await count('invoices')).toBe(2);
  });

  it('asks once for what a list of names alone lacks, says why, and takes one value for all', async () => {
    for (const text of ['Proveedor\nAceros\nConcretos\n', 'Proveedor,Contacto\nAceros,\nConcretos, \n']) {
      const file = await put('nombres.csv', text);
      const asked = await saldo('import', 'suppliers', file);
      expect(asked).toMatchObject({ code: 2, out: '' });
      expect(asked.log).toContain(
        'Falta una columna para: Contacto.\nCada proveedor lleva una persona de contacto.\n',
      );
      expect(asked.log).toContain('con --set suppliercontactperson="(sin contacto)".');
      const set = ['--set', 'suppliercontactperson=(sin contacto)'];
      expect(await saldo('import', 'suppliers', file, ...set)).toMatchObject({ code: 0 });
    }
    const stored = await fresh.db.selectFrom('suppliers').select('suppliercontactperson').execute();
    expect(stored).toEqual(Array(2).fill({ suppliercontactperson: '(sin contacto)' }));
    const none = await saldo('import', 'jobs', await put('obras.csv', 'Obra\nMuelle\n'));
    expect(none.log).toContain('Cada obra es de un cliente.');
    const both = await saldo('import', 'invoices', await put('f.csv', 'Folio,Subtotal,Tasa\nA-1,1,16\n'));
    expect(both.log).toContain('--set suppliername=… --set jobtitle=….');
  });

  it('says that what roles 1 and 2 do is done in the name of one of them', async () => {
    await addFundingSource(fresh.db, { origenderecursonombre: 'Banco' });
    const { username } = await addActor(fresh.db, { roles: [6] });
    const file = await put(
      'cajas.csv',
      `Caja,Responsable,Origen de recurso,Fecha de apertura\nNorte,${username},Banco,20/11/2026\n`,
    );
    const { code, out } = await runSaldo(fresh, ['import', 'cajas', file, '--dry-run']);
    expect(code).toBe(1);
    expect(out).toContain('Una caja la abren Dirección o Contabilidad.');
    expect(out).toContain('Indica en nombre de quién con --as.');
    const approver = await addActor(fresh.db, { roles: [2], origin: 'cli' });
    expect((await runSaldo(fresh, ['import', 'cajas', file, '--dry-run'], approver)).code).toBe(0);
  });

  it('shows nothing that a terminal would obey', async () => {
    await addLists();
    const file = await put('f.csv', 'Proveedor,Obra,Subtotal\nAceros,Torre\u001b[31m,5.00\n');
    const { out } = await saldo('import', 'invoices', file, '--set', 'tasa=16');
    expect(out).not.toContain('\u001b');
  });

  it('explains itself with an example', async () => {
    for (const kind of ['suppliers', 'clients', 'jobs', 'rubros', 'origenes', 'invoices', 'payments']) {
      const { out, code } = await saldo('import', kind, '--help');
      expect(code).toBe(0);
      expect(out).toContain(`$ saldo import ${kind} `);
      for (const option of OPTIONS.split(' ')) expect(out).toContain(`--${option}`);
    }
  });
});
