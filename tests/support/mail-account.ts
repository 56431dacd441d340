import type { MailAccount } from '../../server/formats/mail-account.ts';

/** The account of a mail server on this machine. Another process may use it, so it is not part of the server. */
export const createMailAccount = (
  port: number,
  serverOverrides: Partial<MailAccount['server']> = {},
): MailAccount => ({
  from: { name: '', address: 'pagos@constructora.mx' },
  server: { host: '127.0.0.1', port, secure: false, requireTLS: false, ignoreTLS: true, ...serverOverrides },
});
