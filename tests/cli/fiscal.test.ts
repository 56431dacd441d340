import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { importCfdi } from '../../server/services/documents/import.ts';
import { changeSetting } from '../../server/services/settings/settings.ts';
import { buildCfdi } from '../support/cfdi.ts';
import { runSaldo } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';
import { buildList69bFile } from '../support/list-69b.ts';
import { createMetadataUuid, formatMetadata, OWN_RFC } from '../support/metadata.ts';
import { describeOneDatabase } from '../support/proofs.ts';
import {
  addActor,
  addInvoice,
  addJob,
  addPayment,
  addSupplier,
  createActor as system,
} from '../support/rows.ts';

describeOneDatabase('saldo fiscal', (fresh) => {
  const place = temporaryFolder();

  it('loads metadata of several months, and crosses one', async () => {
    await changeSetting(fresh.db, system(), 'rfc', OWN_RFC);
    const supplierId = await addSupplier(fresh.db, { rfc: 'ACE010203AB4' });
    await addInvoice(fresh.db, { supplierId, uuid: createMetadataUuid(1) });
    const accountant = await addActor(fresh.db, { roles: [2], origin: 'cli' });
    const saldo = (...args: string[]) => runSaldo(fresh, ['fiscal', ...args], accountant);
    const files = ['octubre.txt', 'noviembre.txt'].map((name) => join(place.folder, name));
    await writeFile(
      files[0]!,
      formatMetadata([{ uuid: createMetadataUuid(1) }, { uuid: createMetadataUuid(2), monto: '40' }]),
    );
    await writeFile(files[1]!, formatMetadata([{ uuid: createMetadataUuid(3), fecha: '2026-11-03' }]));
    const loaded = await saldo('load', ...files, '--as', 'x');
    expect(loaded.code).toBe(0);
    expect(loaded.out).toBe(
      'octubre.txt: 2 CFDI leídos: 2 nuevos, 0 con novedades.\nnoviembre.txt: 1 CFDI leído: 1 nuevo, 0 con novedades.\n',
    );
    const { out } = await saldo('cruce', '--mes', '2026-10');
    expect(out).toMatch(/Iguales +1 +\$1,160\.00/);
    expect(out).toContain(
      'SAT 2 ($1,200.00) = iguales 1 ($1,160.00) + difieren 0 ($0.00) + faltan 1 ($40.00)',
    );
    const json = JSON.parse((await saldo('cruce', '--mes', '2026-10', '--json')).out);
    expect(json).toMatchObject({ mes: '2026-10', sat: { cuenta: 2, total: 1200 }, faltan: { cuenta: 1 } });
    expect((await saldo('cruce', '--mes', 'octubre')).code).not.toBe(0);
  });

  it('writes the DIOT of a month, and says how it adds up', async () => {
    await changeSetting(fresh.db, system(), 'rfc', OWN_RFC);
    const user = await addActor(fresh.db, { origin: 'cli' });
    const xml = buildCfdi({ receptor: { Rfc: OWN_RFC, Nombre: 'Constructora' } });
    const { files } = await importCfdi(fresh.db, user, [{ name: 'a.xml', bytes: Buffer.from(xml) }], {
      ...{ jobId: await addJob(fresh.db), createSuppliers: true },
    });
    const facturaproveedorId = files[0]!.invoiceId!;
    await addPayment(fresh.db, { facturaproveedorId, amountCents: 116_000, userId: user.userId });
    const out = join(place.folder, 'diot.txt');
    const { code, log } = await runSaldo(fresh, ['fiscal', 'diot', '--mes', '2026-11', '--out', out], user);
    expect([code, log]).toEqual([0, expect.stringContaining('Pagado $1,160.00 = archivo $1,160.00')]);
    const shown = (await runSaldo(fresh, ['fiscal', 'diot', '--mes', '2026-11'], user)).out;
    expect(shown).toMatch(/^04\|85\|EKU9003173C9\|.*\|01\r\n$/);
    expect(await readFile(out, 'utf8')).toBe(shown);
    const json = JSON.parse((await runSaldo(fresh, ['fiscal', 'diot', '--json'], user)).out);
    expect(json).toMatchObject({ mes: '2026-11', pagado: 1160 });
  });

  it('writes the journal of a month for hledger and for spreadsheets', async () => {
    await addInvoice(fresh.db, { numfactura: 'A-1', fechaemision: '2026-11-03' });
    const exported = (...args: string[]) =>
      runSaldo(fresh, ['export', 'journal', '--mes', '2026-11', ...args]);
    const file = join(place.folder, 'noviembre.journal');
    const written = await exported('--format', 'hledger', '--out', file);
    expect([written.code, written.log]).toEqual([0, expect.stringContaining('noviembre.journal')]);
    const text = await readFile(file, 'utf8');
    expect(text).toMatch(/^2026-11-03 \(F-\d+\) .* \| Factura A-1$/m);
    expect(text).toContain('    201.01 Proveedores nacionales  -1160.00 MXN\n');
    expect((await exported('--format', 'hledger')).out).toBe(text);
    expect((await exported()).out).toContain('Factura A-1,201.01 Proveedores nacionales,,1160.00,');
    expect((await runSaldo(fresh, ['export', 'cruce', '--format', 'hledger'])).code).toBe(2);
    const counted = async (...filter: string[]) =>
      JSON.parse((await exported('--json', ...filter)).out).length;
    expect(await counted('--tipo', 'F', '--texto', '1,160.00')).toBe(3);
    expect(await counted('--tipo', 'P')).toBe(0);
    expect(await counted('--cuenta', '501.01 Costo de obra')).toBe(1);
    expect((await exported('--tipo', 'X')).code).toBe(2);
  });

  it('refuses who may not', async () => {
    const clerk = await addActor(fresh.db, { roles: [4], origin: 'cli' });
    const file = join(place.folder, 'otro.txt');
    await writeFile(file, formatMetadata([{ uuid: createMetadataUuid(1) }]));
    const { code, log } = await runSaldo(fresh, ['fiscal', 'load', file, '--as', 'x'], clerk);
    expect([code, log]).toEqual([1, expect.stringContaining('does not have privileges')]);
  });

  it('loads the list of 69-B', async () => {
    await addSupplier(fresh.db, { rfc: 'ACE010203AB4' });
    const accountant = await addActor(fresh.db, { roles: [2], origin: 'cli' });
    const file = join(place.folder, 'lista.csv');
    await writeFile(file, buildList69bFile([{ rfc: 'ACE010203AB4', situacion: 'Definitivo' }]).bytes);
    const saldo = (...args: string[]) => runSaldo(fresh, ['fiscal', '69b', file, ...args], accountant);
    expect((await saldo()).out).toBe(
      '5,000 renglones con corte 2026-10-31. Proveedores en la lista: 1. Pagado a definitivos: $0.00.\n',
    );
    const again = await saldo('--json');
    expect([again.code, again.log]).toEqual([1, expect.stringContaining('Ya está cargada la lista')]);
  });
});
