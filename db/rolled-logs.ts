/** What notes the changes of a table, from which the rolled sums are made (rolled-sums.ts). */
interface Log {
  name: string;
  keys: readonly string[];
  measures: readonly string[];
  /** columns worked out from the keys */
  more: string;
  /** what the log would say if all rows of `table` had just come; a condition may follow it */
  rows(table: string, day: DayText): string;
}

/** A date as text, empty where there is none. */
type DayText = (column: string) => string;

export const DAY_TEXTS: Record<'sqlite' | 'postgres', DayText> = {
  sqlite: (column) => `coalesce(${column}, '')`,
  postgres: (column) => `coalesce(to_char(${column}, 'YYYY-MM-DD'), '')`,
};

const TAKEN = 'coalesce("importebancoCents", "amountCents")';

export const LOGS: Record<'invoices' | 'payments', Log> = {
  invoices: {
    name: 'invoice_changes',
    keys: ['supplierId', 'jobId', 'rubroId', 'fechaemision', 'pago', 'vence', 'estimado'],
    measures: ['count', 'totalCents', 'paidCents', 'sinIvaCents'],
    more: ', substr(fechaemision, 1, 7) as month',
    rows: (table, day) => `select "supplierId", "jobId", coalesce("rubroId", 0) as "rubroId",
      ${day('fechaemision')} as fechaemision,
      case when "paidCents" >= "totalCents" then 'todo' when "paidCents" > 0 then 'parte' else 'nada' end as pago,
      ${day('vence')} as vence, case when fechavencimiento is null then 1 else 0 end as estimado,
      1 as count, "totalCents", "paidCents", "subtotalCents" + "otrosimpuestosCents" as "sinIvaCents" from ${table}`,
  },
  payments: {
    name: 'payment_changes',
    keys: ['origenderecursoId', 'paymentdate', 'kind', 'jobId', 'rubroId'],
    measures: ['count', 'amountCents', 'takenCents', 'costCents'],
    more: ', substr(paymentdate, 1, 7) as month',
    // The columns of the invoice have names of their own, so that a condition on the payment may say `id`.
    rows: (table, day) => `select coalesce("origenderecursoId", 0) as "origenderecursoId",
      ${day('paymentdate')} as paymentdate, kind, coalesce("paidJobId", 0) as "jobId",
      coalesce("paidRubroId", 0) as "rubroId", 1 as count, "amountCents", ${TAKEN} as "takenCents",
      coalesce(cast(floor(cast(${TAKEN} as double precision) * "paidSinIva" / nullif("paidTotal", 0) + 0.5) as bigint), 0)
        as "costCents"
      from ${table} left join (select id as "paidId", "jobId" as "paidJobId", "rubroId" as "paidRubroId",
        "subtotalCents" + "otrosimpuestosCents" as "paidSinIva", "totalCents" as "paidTotal" from invoices) invoice
      on "paidId" = "facturaproveedorId"`,
  },
};

/**
 * The log of a table as somebody reads it who does not see some of its rows, whose sums then leave them out; SQLite.
 * @param hidden the condition that these rows meet
 */
export function logWithout(table: string, hidden: string): { name: string; select: string } | undefined {
  if (table !== 'invoices' && table !== 'payments') return undefined;
  const { name, keys, measures, rows } = LOGS[table];
  const columns = (sign: '' | '-') => [...keys, ...measures.map((measure) => `${sign}${measure}`)].join(', ');
  const gone = `${rows(`main.${table}`, DAY_TEXTS.sqlite)} where ${hidden}`;
  return {
    name,
    select: `select ${columns('')} from main.${name} union all select ${columns('-')} from (${gone})`,
  };
}
