/** What notes the changes of a table, from which the rolled sums are made (rolled-sums.ts). */
interface Log {
  name: string;
  keys: readonly string[];
  measures: readonly string[];
  /** columns worked out from the keys */
  more: string;
  /** what the log would say if all rows of `from` had just come */
  rows(from: string, day: DayText): string;
}

/** A date as text, empty where there is none. */
type DayText = (column: string) => string;

export const DAY_TEXTS: Record<'sqlite' | 'postgres', DayText> = {
  sqlite: (column) => `coalesce(${column}, '')`,
  postgres: (column) => `coalesce(to_char(${column}, 'YYYY-MM-DD'), '')`,
};

export const LOGS: Record<'invoices' | 'payments', Log> = {
  invoices: {
    name: 'invoice_changes',
    keys: ['supplierId', 'jobId', 'rubroId', 'fechaemision', 'pago', 'vence', 'estimado'],
    measures: ['count', 'totalCents', 'paidCents', 'sinIvaCents'],
    more: ', substr(fechaemision, 1, 7) as month',
    rows: (from, day) => `select "supplierId", "jobId", coalesce("rubroId", 0) as "rubroId",
      ${day('fechaemision')} as fechaemision,
      case when "paidCents" >= "totalCents" then 'todo' when "paidCents" > 0 then 'parte' else 'nada' end as pago,
      ${day('vence')} as vence, case when fechavencimiento is null then 1 else 0 end as estimado,
      1 as count, "totalCents", "paidCents", "subtotalCents" + "otrosimpuestosCents" as "sinIvaCents" from ${from}`,
  },
  payments: {
    name: 'payment_changes',
    keys: ['origenderecursoId', 'paymentdate', 'kind'],
    measures: ['count', 'amountCents', 'takenCents'],
    more: '',
    rows: (from, day) => `select coalesce("origenderecursoId", 0) as "origenderecursoId",
      ${day('paymentdate')} as paymentdate, kind, 1 as count, "amountCents",
      coalesce("importebancoCents", "amountCents") as "takenCents" from ${from}`,
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
  const gone = rows(`main.${table} where ${hidden}`, DAY_TEXTS.sqlite);
  return {
    name,
    select: `select ${columns('')} from main.${name} union all select ${columns('-')} from (${gone})`,
  };
}
