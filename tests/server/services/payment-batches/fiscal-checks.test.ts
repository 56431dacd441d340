import { expect, it } from 'vitest';
import { importMetadata } from '../../../../server/services/fiscal/import-metadata.ts';
import { getBatch } from '../../../../server/services/payment-batches/reading.ts';
import { signBatch } from '../../../../server/services/payment-batches/stages.ts';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { listBlockingFindings } from '../../../../shared/payment-batches.ts';
import { addBatch } from '../../../support/batches.ts';
import { buildMetadataFile, createMetadataUuid } from '../../../support/metadata.ts';
import { describeEachInLongLane } from '../../../support/proofs.ts';
import { addActor, addInvoice, addSupplier } from '../../../support/rows.ts';

const RFC = 'ACE010203AB4';
const OTHER_CHECKS = { 'semaforo.xml': 'ignorar', 'semaforo.duplicada': 'ignorar' };
const [VALID, CANCELLED, UNKNOWN, REPLACEMENT] = [1, 2, 3, 4].map(createMetadataUuid) as [
  string,
  string,
  string,
  string,
];

describeEachInLongLane('what the SAT says of an invoice that is to be paid', (fresh) => {
  const prepare = async (settings: Record<string, string>) => {
    const administrator = await addActor(fresh.db);
    for (const [key, value] of Object.entries({ ...OTHER_CHECKS, ...settings }))
      await changeSetting(fresh.db, administrator, key, value);
    const supplierId = await addSupplier(fresh.db, { rfc: RFC });
    const invoiceIds: number[] = [];
    for (const uuid of [VALID, CANCELLED, UNKNOWN, null])
      invoiceIds.push(await addInvoice(fresh.db, { supplierId, uuid, fechaemision: '2026-10-05' }));
    const batch = () => addBatch(fresh.db, { invoiceIds });
    const load = (cancelado?: string) =>
      importMetadata(
        fresh.db,
        administrator,
        buildMetadataFile([{ uuid: VALID }, { uuid: CANCELLED, ...(cancelado && { cancelado }) }]),
      );
    const findings = async (id: number) => {
      const { lines } = await getBatch(fresh.db, id);
      return invoiceIds.map((one) => lines.find(({ invoiceId }) => invoiceId === one)!);
    };
    return { invoiceIds, supplierId, batch, load, findings };
  };

  it('holds a cancelled one with day, source and what replaces it, from the file that says so on', async () => {
    const { invoiceIds, batch, load, findings } = await prepare({});
    await load();
    const before = await batch();
    expect((await findings(before.id)).flatMap(({ verdict }) => verdict.findings)).toEqual([]);
    await load('2026-11-02');
    await fresh.db
      .insertInto('document_relations')
      .values({
        ...{ uuid: REPLACEMENT, replacedUuid: CANCELLED },
        ...{ kind: 'I', numero: 'F-2', rfc: RFC },
      })
      .execute();
    await signBatch(fresh.db, await addActor(fresh.db, { roles: [1] }), before.id);
    const [valid, cancelled, ...others] = await findings(before.id);
    expect([valid, ...others].flatMap((line) => listBlockingFindings(line!))).toEqual([]);
    expect(cancelled!.verdict).toMatchObject({
      step: 'autorizar',
      findings: [
        {
          code: 'cancelado',
          level: 'impedir',
          reason: `El SAT tiene su CFDI por cancelado desde el lunes 2 de noviembre de 2026. Lo sustituye ${REPLACEMENT}.`,
          source: 'Metadatos del SAT',
          date: '2026-11-02',
          remedy: `/editinvoicepage/${invoiceIds[1]}`,
        },
      ],
    });
  });

  it('warns of documents that no file lists, if the setting says so', async () => {
    const { batch, load, findings } = await prepare({
      'semaforo.sin_verificar': 'avisar',
      'semaforo.cancelado': 'ignorar',
    });
    await load('2026-11-02');
    const lines = await findings((await batch()).id);
    expect(lines.map(({ verdict }) => verdict.findings.map(({ code, reason }) => [code, reason]))).toEqual([
      [],
      [],
      [['sin_verificar', 'Ningún archivo del SAT trae su CFDI.']],
      [['sin_verificar', 'No tiene UUID: no se sabe si el SAT la tiene.']],
    ]);
    expect(lines[2]!.verdict.findings[0]!.remedy).toBe('/fiscal/cruce?mes=2026-10');
  });
});
