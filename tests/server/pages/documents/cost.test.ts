import { ChildProcess } from 'node:child_process';
import { expect, it, onTestFinished, vi } from 'vitest';
import { SqliteConnection } from '../../../../db/sqlite-connection.ts';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { createTestApp, type TestClient } from '../../../support/app.ts';
import { buildCfdi, bytesOf, uuidOfNumber } from '../../../support/cfdi.ts';
import { readPage } from '../../../support/page.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { addJob, addSupplier, createActor } from '../../../support/rows.ts';
import { addSmallCompany } from '../../../support/small-company.ts';

const MOST = { form: 16, save: 30 };

describeOneDatabase('a document that is loaded', (fresh) => {
  const send = (client: TestClient, files: Record<string, [string, Buffer][] | [string, Buffer]>) =>
    client.files('/new-invoice/xml', files);
  const document = (n: number): [string, Buffer] => [
    `${n}.xml`,
    bytesOf(buildCfdi({ uuid: uuidOfNumber(n), root: { Folio: `${n}` } })),
  ];
  /** Counts the answers of reader processes since the last call. */
  const countReadings = () => {
    const emitted = vi.spyOn(ChildProcess.prototype, 'emit');
    onTestFinished(() => emitted.mockRestore());
    return () => {
      const { length } = emitted.mock.calls.filter(([event]) => String(event) === 'message');
      emitted.mockClear();
      return length;
    };
  };

  it('takes few statements to be shown and saved if its supplier has many invoices', async () => {
    await addSmallCompany(fresh.db);
    await addSupplier(fresh.db, { rfc: 'EKU9003173C9' });
    const jobId = await addJob(fresh.db);
    const client = await createTestApp({ db: fresh.db }).as(1);
    const executed = vi.spyOn(SqliteConnection.prototype, 'executeQuery');
    onTestFinished(() => executed.mockRestore());
    const statementsOf = async (work: Promise<Response>) => {
      executed.mockClear();
      const answer = await work;
      return [answer.status, executed.mock.calls.length];
    };
    const sent = await send(client, { xml: document(900) });
    const address = sent.headers.get('location')!;
    const [shown, ofForm] = await statementsOf(client.get(address));
    const [saved, ofSave] = await statementsOf(client.form(address, { jobId }));
    expect([shown, saved]).toEqual([200, 303]);
    expect(ofForm, 'to show its form').toBeLessThanOrEqual(MOST.form);
    expect(ofSave, 'to save it').toBeLessThanOrEqual(MOST.save);
  });

  it('is read once for the same settings', async () => {
    const client = await createTestApp({ db: fresh.db }).as(1);
    const jobId = await addJob(fresh.db);
    const readings = countReadings();
    const sent = await send(client, { xml: document(901) });
    const address = sent.headers.get('location')!;
    expect(readings()).toBe(1);
    await client.get(address);
    await client.form(address, {});
    expect((await client.form(address, { jobId, createSupplier: 'on' })).status).toBe(303);
    expect(readings(), 'for its form, its refusal and its saving').toBe(0);
    const other = (await send(client, { xml: document(902) })).headers.get('location')!;
    await changeSetting(fresh.db, createActor(), 'rfc', 'URE180429TM6');
    readings();
    const warned = await readPage(client.get(other));
    expect(readings(), 'for another receiver').toBe(1);
    expect(warned.decodedHtml.includes('no es la empresa (URE180429TM6)')).toBe(true);
  });
});
