import { expect, it } from 'vitest';
import { readCfdi } from '../../../../server/formats/cfdi/document.ts';
import { checkDatabase } from '../../../../server/services/database/check.ts';
import { importCfdi } from '../../../../server/services/documents/import.ts';
import { deleteInvoice, restoreInvoice } from '../../../../server/services/invoices/invoices.ts';
import { checkInvoiceSeals } from '../../../../server/services/invoices/seal-matches.ts';
import { deleteBatch } from '../../../../server/services/payment-batches/payment-batches.ts';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { createTestApp } from '../../../support/app.ts';
import { addBatch } from '../../../support/batches.ts';
import { buildCfdi, buildStamp, bytesOf, type CfdiParts, uuidOfNumber } from '../../../support/cfdi.ts';
import { describeEachDatabase } from '../../../support/databases.ts';
import { cfdiInWords } from '../../../support/remarks.ts';
import { addActor, addJob, addSupplier } from '../../../support/rows.ts';
import { buildSealedCfdi } from '../../../support/sealed-cfdi.ts';

/** The dates are far apart, so that no two are lookalikes. */
const far = (n: number) => ({ Folio: `${n}`, Fecha: `2024-0${n + 3}-05T09:00:00` });
const SAID = 'El sello no corresponde al timbre.';
const sealed = (seal: string, stampedSeal: string | undefined, parts: CfdiParts = {}): CfdiParts => ({
  stampedSeal,
  ...parts,
  root: { Sello: seal, ...parts.root },
});
const sealOf = (parts: CfdiParts) => readCfdi(bytesOf(buildCfdi(parts))).sello;

it('the seal of a CFDI is the one that its stamp repeats, in every version and however it is broken into lines', () => {
  expect(sealOf(sealed('abc/+=', 'abc/+='))).toBe('coincide');
  expect(sealOf(sealed('abc\n  /+=', ' abc/+= '))).toBe('coincide');
  expect(sealOf(sealed('abc', 'abC'))).toBe('difiere');
  expect(sealOf(sealed('abc', undefined))).toBe('difiere');
  expect(sealOf({ stampedSeal: 'abc' })).toBe('difiere');
  const old = { version: '3.2' as const };
  expect(sealOf({ ...old, root: { Sello: 'x' }, stampedSeal: 'x' })).toBe('coincide');
});

it('there is no warning about a CFDI without seals or stamp', () => {
  expect(sealOf({})).toBeNull();
  expect(sealOf({ root: { Sello: '' }, stampedSeal: '' })).toBeNull();
  expect(sealOf(sealed('abc', undefined, { uuid: null }))).toBeNull();
});

it('of several stamps, the one with the document’s UUID counts', () => {
  const other = buildStamp('no-es-uuid', 'otro');
  expect(sealOf(sealed('abc', 'abc', { complemento: other }))).toBe('coincide');
  expect(sealOf(sealed('otro', 'abc', { complemento: other }))).toBe('difiere');
});

describeEachDatabase('a seal that is not that of the stamp', (fresh) => {
  const load = async () => {
    const actor = await addActor(fresh.db, { roles: [1] });
    await addSupplier(fresh.db, { rfc: 'EKU9003173C9' });
    const jobId = await addJob(fresh.db);
    const kinds = [sealed('abc', 'abc'), sealed('abc', 'xyz'), {}];
    const files = kinds.map((parts, n) => ({
      name: `${n}.xml`,
      bytes: bytesOf(buildCfdi({ ...parts, uuid: uuidOfNumber(n), root: { ...parts.root, ...far(n) } })),
    }));
    const { files: outcomes } = cfdiInWords(await importCfdi(fresh.db, actor, files, { jobId }));
    const [sound, broken, bare] = outcomes.map(({ invoiceId }) => invoiceId!);
    return { actor, outcomes, sound: sound!, broken: broken!, bare: bare! };
  };

  it('is a warning at import that stays with the invoice, on its page, in the API and in the trail', async () => {
    const { actor, outcomes, sound, broken, bare } = await load();
    expect(outcomes.map(({ outcome, warnings }) => [outcome, warnings ?? []])).toEqual([
      ['created', []],
      ['warned', [SAID]],
      ['created', []],
    ]);
    const ids = [sound, broken, bare];
    const expected = [
      [sound, 'coincide'],
      [broken, 'difiere'],
    ];
    expect([...(await checkInvoiceSeals(fresh.db, ids))].sort()).toEqual(expected.sort());
    const browser = await createTestApp({ db: fresh.db }).as(1);
    const shown = [];
    for (const id of ids) {
      const answer = (await (await browser.get(`/api/facturaproveedores/${id}`)).json()) as {
        sello: unknown;
      };
      const page = await (await browser.get(`/editinvoicepage/${id}`)).text();
      shown.push([answer.sello, page.includes('El sello no corresponde al timbre')]);
    }
    expect(shown).toEqual([
      ['coincide', false],
      ['difiere', true],
      [null, false],
    ]);
    await deleteInvoice(fresh.db, actor, broken);
    const { before } = await fresh.db
      .selectFrom('audit')
      .select('before')
      .where('action', '=', 'delete')
      .where('entity', '=', 'invoices')
      .executeTakeFirstOrThrow();
    expect(JSON.parse(before!)).toMatchObject({ document: { sello: 'difiere' } });
    await restoreInvoice(fresh.db, actor, broken);
    expect((await checkInvoiceSeals(fresh.db, ids)).get(broken)).toBe('difiere');
    await addActor(fresh.db);
    expect(await checkDatabase(fresh.db)).toMatchObject({ ok: true });
  });

  it('is as well one of another content, though the stamp repeats it', async () => {
    const actor = await addActor(fresh.db, { roles: [1] });
    const options = { jobId: await addJob(fresh.db), createSuppliers: true };
    const bytes = bytesOf(buildSealedCfdi().replace('Obra &quot;norte&quot;', 'Obra sur'));
    const { files } = cfdiInWords(await importCfdi(fresh.db, actor, [{ name: 'a.xml', bytes }], options));
    const said = 'El sello no corresponde al contenido del documento';
    expect(files).toMatchObject([{ outcome: 'warned', warnings: expect.arrayContaining([`${said}.`]) }]);
    const invoiceId = files[0]!.invoiceId!;
    const browser = await createTestApp({ db: fresh.db }).as(1);
    expect(await (await browser.get(`/api/facturaproveedores/${invoiceId}`)).json()).toMatchObject({
      sello: 'alterado',
    });
    expect(await (await browser.get(`/editinvoicepage/${invoiceId}`)).text()).toContain(said);
    const { lines } = await addBatch(fresh.db, { author: actor, invoiceIds: [invoiceId] });
    expect(lines[0]!.verdict.findings).toContainEqual(
      expect.objectContaining({ code: 'sello', reason: `${said}: pide al proveedor otra vez el XML.` }),
    );
  });

  it('is found by the semáforo, which warns or holds as the firm sets it', async () => {
    const { sound, broken, bare } = await load();
    const findings = async () => {
      const author = await addActor(fresh.db, { roles: [6] });
      const { id, lines } = await addBatch(fresh.db, { author, invoiceIds: [sound, broken, bare] });
      await deleteBatch(fresh.db, author, id);
      return lines.flatMap(({ invoiceId, verdict }) =>
        verdict.findings.flatMap((one) => (one.code === 'sello' ? [{ invoiceId, ...one }] : [])),
      );
    };
    expect(await findings()).toEqual([
      {
        invoiceId: broken,
        code: 'sello',
        level: 'avisar',
        source: 'XML de la factura',
        date: '2024-04-05',
        reason: 'El sello no corresponde al timbre: pide al proveedor otra vez el XML.',
        remedy: `/editinvoicepage/${broken}`,
      },
    ]);
    const administrator = await addActor(fresh.db);
    await changeSetting(fresh.db, administrator, 'semaforo.sello', 'impedir');
    expect(await findings()).toMatchObject([{ invoiceId: broken, level: 'impedir' }]);
    await changeSetting(fresh.db, administrator, 'semaforo.sello', 'ignorar');
    expect(await findings()).toEqual([]);
  });
});
