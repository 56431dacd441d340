export interface InvoiceOptions {
  /** ISO 4217, the setting "moneda" */
  baseCurrency: string;
  /** the setting "rfc"; empty: the receiver is not compared */
  ownRfc?: string;
  /** take a document whose total is not the sum of its parts */
  allowMismatch?: boolean;
}
