/** How letters are sent: the sender, and the mail server of SMTP_URL. */
export interface MailAccount {
  from: { name: string; address: string };
  server: {
    host: string;
    port: number;
    /** encrypted from its first byte on */
    secure: boolean;
    /** nothing is said before the line is encrypted with STARTTLS */
    requireTLS: boolean;
    /** STARTTLS is not used even if it is offered */
    ignoreTLS: boolean;
    login?: { user: string; pass: string };
  };
}
