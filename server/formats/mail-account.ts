export interface MailAccount {
  from: { name: string; address: string };
  server: {
    host: string;
    port: number;
    /** the connection is encrypted from its first byte */
    secure: boolean;
    /** neither login nor mail is sent before STARTTLS has encrypted the connection */
    requireTLS: boolean;
    /** STARTTLS is not used even if it is offered */
    ignoreTLS: boolean;
    login?: { user: string; pass: string };
  };
}
