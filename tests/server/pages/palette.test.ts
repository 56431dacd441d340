import { expect, it } from 'vitest';
import { resolveMovement } from '../../../server/services/bank-statements/resolving.ts';
import { createTestApp } from '../../support/app.ts';
import { addBankMovements } from '../../support/bank-movements.ts';
import { addBatch as addBatchTo } from '../../support/batches.ts';
import { addMail } from '../../support/mails.ts';
import { addFund } from '../../support/petty-cash.ts';
import { describeOneDatabase } from '../../support/proofs.ts';
import { addActor, addInvoice, addPayment, addSupplier } from '../../support/rows.ts';

interface Group {
  title: string;
  entries: { href: string; label: string; meta?: string }[];
}

describeOneDatabase('the palette', (fresh) => {
  const find = async (role: number, text: string): Promise<Group[]> => {
    const reader = await createTestApp({ db: fresh.db }).as(role);
    const response = await reader.get(`/paleta/suggest/?text=${encodeURIComponent(text)}`);
    expect(response.status).toBe(200);
    return (await response.json()) as Group[];
  };
  const entriesOf = async (title: string, role: number, text: string) =>
    (await find(role, text)).find((group) => group.title === title)!.entries;

  it('finds a batch by its number, and the newest by the word alone', async () => {
    const [first, second] = [await addBatch(), await addBatch()];
    const hrefs = async (text: string) =>
      (await entriesOf('Programaciones', 5, text)).map(({ href }) => href);
    for (const text of [`programación ${first}`, `PROGRAMACION #${first}`, `lote ${first}`, String(first)])
      expect([text, await hrefs(text)]).toEqual([text, [`/programaciones/${first}`]]);
    expect(await hrefs('programaciones')).toEqual([`/programaciones/${second}`, `/programaciones/${first}`]);
    expect(await hrefs('programación 99')).toEqual([]);
    expect(await hrefs('factura 1')).toEqual([]);
    const [entry] = await entriesOf('Programaciones', 5, `lote ${second}`);
    expect(entry).toMatchObject({
      label: `Programación ${second}`,
      meta: expect.stringContaining('Borrador · '),
    });
  });

  it('finds a payment by its number, or by part of its reference', async () => {
    const supplierId = await addSupplier(fresh.db, { suppliername: 'Aceros' });
    const facturaproveedorId = await addInvoice(fresh.db, { supplierId });
    const { userId } = await addActor(fresh.db);
    const id = await addPayment(fresh.db, {
      ...{ facturaproveedorId, userId },
      amountCents: 2_345,
      checknum: 'SPEI-0815',
    });
    const entry = { href: `/editpaymentpage/${id}`, label: 'Pago de $23.45 · Aceros' };
    for (const text of [`pago ${id}`, 'spei-08', '0815'])
      expect([text, await entriesOf('Pagos', 5, text)]).toMatchObject([text, [entry]]);
    expect(await entriesOf('Pagos', 5, 'pago 999')).toEqual([]);
  });

  it('finds what is open at the bank by amount, reference and text, and leads to the first by its name', async () => {
    const { ids } = await addBankMovements(fresh.db, [
      { amountCents: -123_450, referencia: '0042', descripcion: 'SPEI Acero Monclova', fecha: '2026-11-18' },
      { amountCents: 9_000, descripcion: 'Depósito' },
    ]);
    const hrefs = async (role: number, text: string) =>
      (await entriesOf('Movimientos del banco', role, text)).map(({ href }) => href);
    const [first, second] = ids.map((id) => `/programaciones/estados-de-cuenta/movimientos/${id}`);
    for (const text of ['1234.50', '$1,234.50', '0042', 'aceros monclova'])
      expect([text, await hrefs(2, text)]).toEqual([text, [first]]);
    expect(await hrefs(2, 'deposito')).toEqual([second]);
    expect(await entriesOf('Movimientos del banco', 2, 'movimientos del banco')).toEqual([
      { href: first, label: 'Movimientos del banco', meta: '2 movimientos abiertos' },
    ]);
    const approver = await addActor(fresh.db, { roles: [2] });
    await resolveMovement(fresh.db, approver, ids[0]!, { clase: 'ajeno' });
    expect(await hrefs(2, '1234.50')).toEqual([]);
  });

  it('finds letters by address and subject, for those who may see the outbox', async () => {
    const supplierId = await addSupplier(fresh.db, { suppliername: 'Aceros' });
    await addMail(fresh.db, { supplierId, para: 'cobranza@aceros.mx' });
    const [{ asunto }] = (await fresh.db.selectFrom('mails').select('asunto').execute()) as [
      { asunto: string },
    ];
    const entry = { href: `/correos?supplierId=${supplierId}`, label: `${asunto} · Aceros` };
    for (const text of ['cobranza@aceros', asunto.slice(0, 12)])
      expect([text, await entriesOf('Correos', 2, text)]).toMatchObject([text, [entry]]);
    expect(await entriesOf('Correos', 5, 'cobranza@aceros')).toEqual([]);
    expect(await entriesOf('Correos', 2, 'otra@aceros')).toEqual([]);
  });

  it('captures an expense in a fund, the own one first', async () => {
    const actor = await addActor(fresh.db);
    const other = await addFund(fresh.db, { nombre: 'Almacén', openedOn: '2026-11-01' });
    const reader = await createTestApp({ db: fresh.db }).as(5);
    const { id: userId } = await fresh.db
      .selectFrom('users')
      .select('id')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    const own = await addFund(fresh.db, {
      actor,
      nombre: 'Torre',
      openedOn: '2026-11-01',
      responsableId: userId,
    });
    const response = await reader.get('/paleta/suggest/?text=nuevo+gasto');
    const cash = ((await response.json()) as Group[]).find(({ title }) => title === 'Caja chica')!;
    expect(cash.entries.map(({ href, label }) => [href, label])).toEqual([
      [`/caja-chica/${own.id}/nuevo-movimiento`, 'Nuevo gasto en Torre'],
      [`/caja-chica/${other.id}/nuevo-movimiento`, 'Nuevo gasto en Almacén'],
    ]);
    expect(await entriesOf('Caja chica', 5, 'gasto almacen')).toHaveLength(1);
  });

  it('finds settings for administrators only, and help for everybody', async () => {
    for (const [text, href] of [
      ['autorización', '/admin-settings/pagos#autorizacion'],
      ['respaldo', '/admin-settings/respaldos'],
      ['rfc', '/admin-settings/empresa#rfc'],
      ['logo', '/admin-settings/empresa'],
    ] as const) {
      const hrefs = (await entriesOf('Configuración', 3, text)).map((entry) => entry.href);
      expect([text, hrefs]).toEqual([text, expect.arrayContaining([href])]);
      expect([text, await entriesOf('Configuración', 1, text)]).toEqual([text, []]);
    }
    for (const [text, topic] of [
      ['anticipo', 'notas-de-credito'],
      ['correo', 'estado-de-cuenta'],
      ['firma', 'programaciones'],
      ['nota de crédito', 'notas-de-credito'],
      ['bajar excel', 'exportar'],
    ] as const)
      expect([text, (await entriesOf('Ayuda', 6, text))[0]?.href]).toEqual([text, `/help/${topic}`]);
    const topics = async (role: number) =>
      (await entriesOf('Ayuda', role, 'bitácora')).map(({ href }) => href);
    expect(await topics(3)).toContain('/help/bitacora');
    expect(await topics(6)).not.toContain('/help/bitacora');
  });

  it('offers only what the user’s role may open', async () => {
    await addBatch();
    await addFund(fresh.db, { openedOn: '2026-11-01' });
    for (const role of [1, 2, 3, 4, 5, 6]) {
      const reader = await createTestApp({ db: fresh.db }).as(role);
      const groups = (
        await Promise.all(
          ['programación', 'gasto', 'configuración', 'autorizar', 'ayuda'].map((text) => find(role, text)),
        )
      ).flat();
      const hrefs = new Set(groups.flatMap(({ entries }) => entries.map(({ href }) => href)));
      expect(hrefs.size).toBeGreaterThan(4);
      for (const href of hrefs)
        expect([role, href, (await reader.get(href)).status]).toEqual([role, href, 200]);
    }
  });

  it('takes the text literally, however long it is', async () => {
    for (const text of ['', '%', "'zz", 'a'.repeat(5000), '\u0000', '9999999999'])
      expect((await find(6, text)).flatMap(({ entries }) => entries)).toEqual([]);
  });

  const addBatch = async () => (await addBatchTo(fresh.db)).id;
});
