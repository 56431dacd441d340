import type { PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import { RECEIPT_LABELS } from '../../../shared/payments.ts';
import { STATEMENT_KIND_LABELS, type Statement, type StatementLine } from '../../../shared/statements.ts';
import { day, money, type RowRole, type Sheet } from '../../formats/sheets/sheet.ts';

/** A movement, or the balance before them or after. */
export interface StatementSheetLine {
  date: PlainDate | null;
  concept: string;
  line?: StatementLine;
  chargeCents?: Cents;
  creditCents?: Cents;
  balanceCents: Cents;
  role?: RowRole;
}

/** A supplier's statement as a file: the balance before, each movement with the balance after it, and the end. */
export function statementSheet(statement: Statement): Sheet<StatementSheetLine> {
  const { from, to, openingCents, lines, chargeCents, creditCents, closingCents } = statement;
  const opening = {
    date: from,
    concept: 'Saldo anterior',
    balanceCents: openingCents,
    role: 'apart',
  } as const;
  const closing = { date: to, concept: 'Saldo', chargeCents, creditCents, balanceCents: closingCents };
  return {
    columns: [
      { name: 'date', heading: 'Fecha', cell: ({ date }) => day(date) },
      { name: 'kind', heading: 'Movimiento', cell: ({ concept }) => concept },
      { name: 'numfactura', heading: 'Factura', cell: ({ line }) => line?.numfactura ?? null },
      { name: 'referencia', heading: 'Referencia', cell: ({ line }) => line?.reference || null },
      { name: 'jobtitle', heading: 'Obra', cell: ({ line }) => line?.jobtitle ?? null },
      { name: 'uuid', heading: 'UUID', cell: ({ line }) => line?.uuid ?? null },
      { name: 'rep', heading: 'REP', cell: ({ line }) => (line?.rep ? RECEIPT_LABELS[line.rep] : null) },
      { name: 'cargo', heading: 'Cargo', cell: (row) => amount(row.chargeCents) },
      { name: 'abono', heading: 'Abono', cell: (row) => amount(row.creditCents) },
      { name: 'balance', heading: 'Saldo', cell: (row) => money(row.balanceCents), sum: false },
    ],
    pages: [[opening], lines.map(rowOf), [{ ...closing, role: 'total' }]],
    roleOf: ({ role }) => role,
  };
}

const rowOf = (line: StatementLine): StatementSheetLine => ({
  date: line.date,
  concept: STATEMENT_KIND_LABELS[line.kind],
  line,
  chargeCents: line.kind === 'factura' ? line.chargeCents : undefined,
  creditCents: line.kind === 'factura' ? undefined : line.creditCents,
  balanceCents: line.balanceCents,
});

const amount = (cents: Cents | undefined) => (cents === undefined ? null : money(cents));
