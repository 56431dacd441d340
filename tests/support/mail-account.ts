import type { MailAccount } from '../../server/formats/mail-account.ts';

/** A mail server on this machine; apart from the server itself, so that another process may use it. */
export const createMailAccount = (
  port: number,
  serverOverrides: Partial<MailAccount['server']> = {},
): MailAccount => ({
  from: { name: '', address: 'pagos@constructora.mx' },
  server: { host: '127.0.0.1', port, secure: false, requireTLS: false, ignoreTLS: true, ...serverOverrides },
});
