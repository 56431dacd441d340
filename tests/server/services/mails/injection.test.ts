import { describe, expect, it } from 'vitest';
import { deliverDueMails } from '../../../../server/services/mails/delivering.ts';
import { sendMail } from '../../../../server/services/mails/smtp.ts';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { createTestApp } from '../../../support/app.ts';
import { useFreshDatabase } from '../../../support/databases.ts';
import { startMailServer } from '../../../support/mail-server.ts';
import { addMail } from '../../../support/mails.ts';
import { addSupplier, createActor, NOW } from '../../../support/rows.ts';

const ADDRESSES = [
  'a@b.mx, c@d.mx',
  'a@b.mx;c@d.mx',
  'a@b.mx c@d.mx',
  'a@b.mx\r\nBcc: c@d.mx',
  'a@b.mx\nRCPT TO:<c@d.mx>',
  'a@b.mx%0d%0aBcc:c@d.mx',
  'Ana <a@b.mx>',
  '<a@b.mx>',
  'a@b.mx>',
  'a@b.mx> SIZE=1',
  '"a@c.mx, b"@b.mx',
  '"a"@b.mx',
  'a(c@d.mx)@b.mx',
  'lista:a@b.mx;',
  'a@[127.0.0.1]',
  'a@b',
  'a@',
  '@b.mx',
  'a@b@c.mx',
  'a..b@c.mx',
  '.a@b.mx',
  'a@-b.mx',
  'a@b..mx',
  `${'a'.repeat(65)}@b.mx`,
  `a@${'b.'.repeat(130)}mx`,
  '',
];

const NAMES = [
  'Aceros\r\nBcc: otro@d.mx',
  'Aceros\r\n.\r\nMAIL FROM:<x@y.mx>',
  'Aceros\u2028Bcc: otro@d.mx',
  '"><script>alert(1)</script>',
  '=?utf-8?Q?Bcc=3A_otro=40d.mx?=',
  '../../etc/passwd',
];

describe('T63 · a letter', () => {
  const fresh = useFreshDatabase('sqlite');

  it.each(ADDRESSES)(
    'goes to one address: «%s» is none, by API, on the page and at the supplier',
    async (para) => {
      const { db } = fresh;
      const test = createTestApp({ db });
      const supplierId = await addSupplier(db);
      const token = await test.withToken(2);
      const byApi = await token.post(`/api/suppliers/${supplierId}/statement/enviar`, { para });
      expect([byApi.status, ((await byApi.json()) as { fields: object }).fields]).toEqual([
        422,
        { para: expect.any(String) },
      ]);
      const client = await test.as(2);
      expect((await client.form(`/estado-cuenta/${supplierId}/enviar`, { para })).status).toBe(422);
      const suppliercontactemail = para;
      await db.updateTable('suppliers').set({ suppliercontactemail }).execute();
      const unreachable = await token.post(`/api/suppliers/${supplierId}/statement/enviar`, {});
      expect(await unreachable.json()).toMatchObject({ code: 'no_address' });
      expect(await db.selectFrom('mails').select('id').execute()).toEqual([]);
    },
  );

  it.each(NAMES)('gets no additional header if a supplier and the firm are named «%s»', async (name) => {
    const { db } = fresh;
    const { account, received } = await startMailServer();
    await changeSetting(db, createActor({ roles: [3] }), 'empresa', name).catch(() => {});
    await addMail(db, { supplierId: await addSupplier(db, { suppliername: name }) });
    const now = () => new Date(NOW);
    const context = { now, actorAt: () => createActor(), signal: new AbortController().signal };
    await deliverDueMails(db, account, context);
    expect(received.map(({ to }) => to)).toEqual([['a@b.mx']]);
    const [head = '', body = ''] = received[0]!.source.split(/\r\n\r\n(.*)/s);
    const headers = head.split(/\r\n(?=\S)/).map((line) => line.replace(/:.*/s, ''));
    expect(headers).toEqual(['From', 'To', 'Subject', 'Message-ID', 'Date', 'MIME-Version', 'Content-Type']);
    const fileHeaders = body.match(/^Content-Disposition: attachment;.*?\r\n\r\n/ms)![0];
    expect(fileHeaders).not.toMatch(/[/\\]\.\.|passwd"?\r\n.*Bcc/);
  });

  it('is never sent to an address that nodemailer would read as two', async () => {
    const { account, received } = await startMailServer();
    const mail = {
      ...{ para: 'a@b.mx>\r\nRCPT TO:<c@d.mx', asunto: 'Uno\r\nBcc: c@d.mx', texto: '.\r\nQUIT\r\n' },
      ...{ filename: 'a.pdf', pdf: Buffer.from('%PDF-'), messageId: 'uno' },
    };
    const outcome = await sendMail(account, mail, {
      handOver: async () => {},
      signal: new AbortController().signal,
      now: new Date(NOW),
    });
    expect(['failed', 'refused']).toContain(outcome.kind);
    expect(received).toEqual([]);
  });
});
