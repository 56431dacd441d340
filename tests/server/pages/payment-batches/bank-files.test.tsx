import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { BUILT_IN_LAYOUTS, formatLayout } from '../../../../server/formats/bank-files/layout.ts';
import { updateRow } from '../../../../server/services/catalogs/row-changes.ts';
import { fundingSources } from '../../../../shared/catalogs/funding-sources.ts';
import { addAccount, clabeOf } from '../../../support/accounts.ts';
import { createTestApp } from '../../../support/app.ts';
import { addBatch } from '../../../support/batches.ts';
import { readPage } from '../../../support/page.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { addActor, addFundingSource, addInvoice } from '../../../support/rows.ts';

describeOneDatabase('the screens of bank files', (fresh) => {
  const prepare = async () => {
    const { db } = fresh;
    const app = createTestApp({ db });
    const author = await addActor(db, { roles: [6], today: '2026-11-02' });
    const origenderecursoId = await addFundingSource(db, { origenderecursonombre: 'Cheques' });
    const { supplierId } = await addAccount(db, {
      author,
      clabe: clabeOf('072', 5),
      titular: 'Construcciones y Edificaciones Íñiguez',
    });
    const invoiceIds = [await addInvoice(db, { supplierId }), await addInvoice(db)];
    const { id } = await addBatch(db, { estado: 'autorizada', invoiceIds, origenderecursoId });
    return { app, at: `/programaciones/${id}`, origenderecursoId };
  };

  it('offer the layouts that fit the source, say who has no account, and ask before a second download', async () => {
    const { app, at, origenderecursoId } = await prepare();
    const [clerk, approver] = [await app.as(6), await app.as(1)];
    const bare = await readPage(approver.get(at));
    expect(bare.decodedHtml).toContain('Cheques no tiene CLABE');
    expect(bare.links('Ponla en su página.')).toEqual([`/editorigenderecursopage/${origenderecursoId}`]);
    expect(bare.decodedHtml).not.toContain('BBVA');
    const clabe = clabeOf('012', 464305124);
    await updateRow(fresh.db, await addActor(fresh.db), fundingSources, origenderecursoId, { clabe });
    const page = await readPage(approver.get(at));
    expect(page.decodedHtml).toContain('Falta el archivo «BBVA, a otros bancos (SPEI)»');
    expect(page.decodedHtml).not.toContain('BBVA, a cuentas BBVA');
    expect(page.decodedHtml).toContain('no tiene una cuenta confirmada');
    expect((await readPage(clerk.get(at))).decodedHtml).not.toContain('Generar');

    expect((await clerk.form(`${at}/archivos`, { plantilla: 'bbva-spei' })).status).toBe(403);
    expect((await approver.form(`${at}/archivos`, { plantilla: 'bbva-spei' })).status).toBe(303);
    const made = await readPage(approver.get(at));
    expect(made.decodedHtml).toContain('Se generó el archivo para el banco');
    expect(made.decodedHtml).toContain('quedó como «CONSTRUCCIONES Y EDIFICACIONES».');
    const [, download = ''] = /action="([^"]*descargar)"/.exec(made.decodedHtml) ?? [];
    const got = await approver.form(download);
    expect([got.status, (await got.text()).length]).toEqual([200, 130]);
    expect((await readPage(approver.get(at))).decodedHtml).toContain('Descargar otra vez');
    const twice = await readPage(approver.form(download));
    expect([twice.status, twice.decodedHtml]).toEqual([409, expect.stringContaining('se paga dos veces')]);
    expect((await approver.form(download, { otraVez: 'true' })).status).toBe(200);
    for (const kept of ['descargar"', 'Archivos para el banco', 'programacion-'])
      expect((await readPage(clerk.get(at))).decodedHtml).not.toContain(kept);
  });

  it('list the valid file first, and fold the earlier ones, which nobody may download', async () => {
    const { app, at, origenderecursoId } = await prepare();
    const approver = await app.as(1);
    const admin = await addActor(fresh.db);
    const clabe = clabeOf('012', 464305124);
    await updateRow(fresh.db, admin, fundingSources, origenderecursoId, { clabe });
    const generate = () => approver.form(`${at}/archivos`, { plantilla: 'bbva-spei' });
    expect((await generate()).status).toBe(303);
    // The file names the account that pays, so that another one makes it outdated.
    const otherClabe = clabeOf('012', 464305125);
    await updateRow(fresh.db, admin, fundingSources, origenderecursoId, { clabe: otherClabe });
    expect((await generate()).status).toBe(303);
    const [, download = ''] =
      /action="([^"]*descargar)"/.exec((await readPage(approver.get(at))).decodedHtml) ?? [];
    expect((await approver.form(download)).status).toBe(200);
    const { decodedHtml } = await readPage(approver.get(at));
    const [valid, earlier] = decodedHtml
      .slice(decodedHtml.indexOf('id="archivos"'))
      .split('1 archivo anterior');
    expect(valid).toContain('Descargar otra vez');
    expect(valid).not.toContain('Ya no vale');
    expect(earlier).toMatch(/Archivos anteriores.*Ya no vale/s);
    expect(earlier).not.toContain('data-label="Descargar"');
  });

  it('let an administrator change a layout, and say what is wrong with it', async () => {
    const admin = await createTestApp({ db: fresh.db }).as(3);
    const at = '/admin-settings/plantillas';
    const text = await (await admin.get(`${at}/bbva-spei`)).text();
    expect(text).toBe(formatLayout(BUILT_IN_LAYOUTS.find(({ plantilla }) => plantilla === 'bbva-spei')!));
    const send = (plantilla: string) =>
      admin.files(at, { plantilla: ['mia.json', Buffer.from(plantilla, 'utf8')] });
    const wrong = await send(text.replace('"ancho":30', '"ancho":"30"'));
    expect([wrong.status, await wrong.text()]).toEqual([
      422,
      expect.stringContaining('campos › 5 › ancho: falta, o no es del tipo esperado.'),
    ]);
    expect((await send(text.replace('"MXP"', '"MXN"'))).status).toBe(303);
    expect((await readPage(admin.get('/admin-settings/bancos'))).decodedHtml).toContain('Propia, del');
    expect((await admin.form(`${at}/bbva-spei/restablecer`)).status).toBe(303);
    expect((await readPage(admin.get('/admin-settings/bancos'))).decodedHtml).not.toContain('Propia, del');
    expect((await admin.get(`${at}/nadie`)).status).toBe(404);
  });

  it('require Dirección or Contabilidad to confirm a changed layout before it is used, and name it with its author', async () => {
    const { app, at, origenderecursoId } = await prepare();
    const clabe = clabeOf('012', 464305124);
    await updateRow(fresh.db, await addActor(fresh.db), fundingSources, origenderecursoId, { clabe });
    const [admin, boss, clerk] = [await app.as([1, 3]), await app.as(2), await app.as(6)];
    const spei = BUILT_IN_LAYOUTS.find(({ plantilla }) => plantilla === 'bbva-spei')!;
    const own = formatLayout(spei).replace('"MXP"', '"MXN"');
    const sent = await admin.files('/admin-settings/plantillas', {
      plantilla: ['mia.json', Buffer.from(own, 'utf8')],
    });
    const saved = await readPage(admin.follow(sent));
    expect(saved.alerts[0]).toContain('espera a que Dirección o Contabilidad la confirme');
    const page = '/programaciones/plantillas/bbva-spei';
    expect(saved.links('Espera confirmación')).toEqual([page]);

    const batch = await readPage(boss.get(at));
    expect(batch.decodedHtml).not.toContain('Falta el archivo «BBVA, a otros bancos (SPEI)»');
    expect(batch.links('Ver la plantilla')).toEqual([page]);
    const refused = await readPage(boss.form(`${at}/archivos`, { plantilla: 'bbva-spei' }));
    expect([refused.status, refused.decodedHtml]).toEqual([
      409,
      expect.stringContaining('mientras tanto no sirve'),
    ]);

    const shown = await readPage(boss.get(page));
    const sha256 = createHash('sha256').update(own).digest('hex');
    expect(shown.decodedHtml).toContain(`SHA-256 ${sha256.slice(0, 16)}…, la cambió ${admin.user.username}`);
    expect(shown.decodedHtml).toContain('siempre «MXN», 3 lugares');
    expect(shown.rows.filter((row) => row[2]?.startsWith('Distinto'))).toHaveLength(1);
    const version = shown.value('version')!;
    for (const other of [admin, clerk]) {
      const their = await readPage(other.get(page));
      expect([their.status, their.value('version')]).toEqual([200, undefined]);
    }
    expect((await clerk.form(`${page}/confirmar`, { version })).status).toBe(403);
    expect((await admin.form(`${page}/confirmar`, { version })).status).toBe(409);
    expect((await boss.form(`${page}/confirmar`, {})).status).toBe(422);
    const done = await readPage(boss.follow(await boss.form(`${page}/confirmar`, { version })));
    expect(done.alerts).toEqual([`success: Se confirmó la plantilla «${spei.nombre}»: desde ahora sirve.`]);
    const again = await readPage(admin.get('/admin-settings/bancos'));
    expect(again.decodedHtml).toContain(`la confirmó ${boss.user.username}`);

    expect((await readPage(boss.get(at))).decodedHtml).toContain(
      'Falta el archivo «BBVA, a otros bancos (SPEI)»',
    );
    expect((await boss.form(`${at}/archivos`, { plantilla: 'bbva-spei' })).status).toBe(303);
    const file = await readPage(boss.get(at));
    expect(file.decodedHtml).toContain(
      `Plantilla bbva-spei, propia, SHA-256 ${sha256.slice(0, 16)}…, la cambió ${admin.user.username}, la confirmó ${boss.user.username}`,
    );
  });

  it('refuse a layout with a constant account, whoever sends it', async () => {
    const admin = await createTestApp({ db: fresh.db }).as([1, 3]);
    const spei = BUILT_IN_LAYOUTS.find(({ plantilla }) => plantilla === 'bbva-spei')!;
    const abono = spei.campos[0]!;
    const mine = { campo: 'abono', origen: 'constante', valor: clabeOf('646', 1), ancho: 18 } as const;
    const campos = [mine, ...spei.campos.slice(1), { ...abono, campo: 'otro' }];
    const sent = await admin.files('/admin-settings/plantillas', {
      plantilla: ['mia.json', Buffer.from(formatLayout({ ...spei, campos }), 'utf8')],
    });
    expect([sent.status, await sent.text()]).toEqual([
      422,
      expect.stringContaining('Plantilla, campos › 1: tiene diez dígitos o más'),
    ]);
  });
});
