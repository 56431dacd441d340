import { beforeEach, describe, expect, it } from 'vitest';
import { importCfdi } from '../../../../server/services/documents/import.ts';
import { createMovement } from '../../../../server/services/petty-cash/movements.ts';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { createTestApp, type TestClient } from '../../../support/app.ts';
import { buildCfdi, bytesOf, uuidOfNumber } from '../../../support/cfdi.ts';
import { useFreshDatabase } from '../../../support/databases.ts';
import { OWN_RFC } from '../../../support/metadata.ts';
import { readPage } from '../../../support/page.ts';
import { addFund, createExpenseValues } from '../../../support/petty-cash.ts';
import {
  addActor,
  addInvoice,
  addJob,
  addPayment,
  addUser,
  createActor as system,
} from '../../../support/rows.ts';

describe('the page of the DIOT', () => {
  const fresh = useFreshDatabase('sqlite');
  let client: TestClient;

  beforeEach(async () => {
    await changeSetting(fresh.db, system(), 'rfc', OWN_RFC);
    client = await createTestApp({ db: fresh.db }).as(await addUser(fresh.db, { roles: [2] }));
  });

  const textOf = async (address: string) =>
    (await readPage(await client.get(address))).decodedHtml.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

  async function payOne(): Promise<void> {
    const actor = await addActor(fresh.db);
    const xml = buildCfdi({ receptor: { Rfc: OWN_RFC, Nombre: 'Constructora' }, uuid: uuidOfNumber(1) });
    const { files } = await importCfdi(fresh.db, actor, [{ name: 'a.xml', bytes: bytesOf(xml) }], {
      ...{ jobId: await addJob(fresh.db), createSuppliers: true },
    });
    await addPayment(fresh.db, {
      ...{ facturaproveedorId: files[0]!.invoiceId!, amountCents: 58_000, userId: actor.userId },
    });
    const facturaproveedorId = await addInvoice(fresh.db, { numfactura: 'B-7' });
    await addPayment(fresh.db, { facturaproveedorId, amountCents: 40_000, userId: actor.userId });
  }

  it('says how what was paid adds up, by supplier, and what is not reported', async () => {
    await payOne();
    const text = await textOf('/fiscal/diot?mes=2026-11');
    expect(text).toMatch(/No va en el archivo 1 pago por \$400\.00/);
    expect(text).toMatch(/En el archivo \$580\.00.*No reportado \$400\.00.*Pagado en el mes \$980\.00/);
    expect(text).toMatch(/Escuela Kemper EKU9003173C9 · 85 Otros .*\$580\.00 .*\$500\.00 .*\$80\.00/);
    expect(text).toMatch(/No reportado: 1 por \$400\.00 .*B-7 .*Proveedor sin RFC/);
    expect(text).toContain('Se presenta a más tardar el jueves 31 de diciembre de 2026.');
    await changeSetting(fresh.db, system(), 'diot.vence', 'dia17');
    expect(await textOf('/fiscal/diot?mes=2026-11')).toContain(
      'más tardar el jueves 17 de diciembre de 2026.',
    );
    const answer = await client.get('/api/fiscal/diot/export.txt?mes=2026-11');
    expect(await answer.text()).toBe(`04|85|EKU9003173C9|||||||||500||||||||||80${'|'.repeat(32)}01\r\n`);
    expect(answer.headers.get('content-disposition')).toContain('filename="DIOT 2026-11.txt"');
    expect(await (await client.get('/api/fiscal/diot/?mes=2026-11')).json()).toMatchObject({
      ...{ mes: '2026-11', pagado: 980, archivo: 580, retenido: 0, notas: 0, redondeo: 0 },
      filas: [{ rfc: 'EKU9003173C9', operacion: '85', pagado: 580, tasa16: 500, iva: 80, ivaRetenido: 0 }],
      noReportado: { cuenta: 1, total: 400, filas: [{ documento: 'B-7', causa: 'sin_rfc', importe: 400 }] },
    });
    const csv = await (await client.get('/fiscal/diot/export.csv?mes=2026-11')).text();
    expect(csv.split('\r\n').filter(Boolean)).toHaveLength(3);
  });

  it('has what petty cash spent, which is reported only with a CFDI', async () => {
    const { id } = await addFund(fresh.db, { aperturaCents: 100_000 });
    await createMovement(
      fresh.db,
      await addActor(fresh.db),
      id,
      createExpenseValues({ importeCents: 12_345 }),
    );
    const month = await (await client.get('/api/fiscal/diot/')).json();
    expect(month).toMatchObject({ pagado: 123.45, archivo: 0 });
    expect(month.noReportado.filas).toMatchObject([{ tipo: 'gasto', causa: 'caja_sin_cfdi' }]);
    expect(await textOf('/fiscal/diot')).toContain('De nada de lo pagado se tiene el XML de su CFDI');
  });

  it('of a month without payments is empty, and without the RFC of the firm asks for it', async () => {
    expect(await textOf('/fiscal/diot?mes=2026-08')).toContain('Nada se pagó en agosto de 2026');
    expect(await (await client.get('/api/fiscal/diot/export.txt?mes=2026-08')).text()).toBe('');
    await changeSetting(fresh.db, system(), 'rfc', '');
    expect(await textOf('/fiscal/diot')).toContain('Falta el RFC de la empresa');
    expect((await client.get('/api/fiscal/diot/')).status).toBe(409);
    expect((await client.get('/fiscal/diot?mes=agosto')).status).toBe(400);
  });
});
