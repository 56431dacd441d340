import { formatDayMonth, type PlainDate } from '../../../shared/dates.ts';
import { type ExpenseState, type Movement, receiptName, STATE_NAMES } from '../../../shared/petty-cash.ts';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { type Column, LONGEST_NUMBER } from '../../../shared/ui/DataTable.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { moneyColumn } from '../ui/columns.tsx';

interface ExpenseChipProps {
  state: ExpenseState;
  /** until when its receipt is awaited */
  dueOn: PlainDate | null;
  today: PlainDate;
}

/** How far an expense has come; late where its receipt should be there. */
export function ExpenseChip({ state, dueOn, today }: ExpenseChipProps) {
  const isLate = dueOn !== null && dueOn < today;
  return (
    <Chip tone={isLate ? 'danger' : TONES[state]}>
      {state === 'por-comprobar' ? `Comprobar antes del ${formatDayMonth(dueOn!)}` : STATE_NAMES[state]}
    </Chip>
  );
}

const TONES = {
  'por-comprobar': 'warn',
  'por-reponer': 'neutral',
  solicitado: 'accent',
  repuesto: 'done',
} as const satisfies Record<ExpenseState, string>;

export const CONCEPT_COLUMN: Column<Movement> = {
  key: 'concepto',
  label: 'Concepto',
  link: true,
  clip: true,
  card: 'title',
  render: ({ concepto }) => concepto,
};

/** An expense as lists of some of a box's show it. */
export const EXPENSE_COLUMNS: readonly Column<Movement>[] = [
  { key: 'fecha', label: 'Fecha', card: 'corner', render: ({ fecha }) => <DateText date={fecha} /> },
  CONCEPT_COLUMN,
  { key: 'beneficiario', label: 'Beneficiario', clip: 24, render: ({ beneficiario }) => beneficiario },
  {
    key: 'folio',
    label: 'Comprobante',
    clip: LONGEST_NUMBER,
    render: ({ comprobante, folio }) =>
      comprobante === 'ninguno' ? '' : [receiptName(comprobante), folio].filter(Boolean).join(' '),
  },
  { key: 'jobtitle', label: 'Obra', clip: true, render: ({ jobtitle }) => jobtitle ?? '' },
  moneyColumn('importe', 'Importe', ({ importeCents }) => importeCents),
];

/** One whose receipt is still to come: it has none to show, but a day until when. @param between what stands before that day */
export const awaitedColumns = (
  today: PlainDate,
  between: readonly Column<Movement>[] = [],
): readonly Column<Movement>[] => [
  ...EXPENSE_COLUMNS.filter(({ key }) => key !== 'folio'),
  ...between,
  {
    key: 'plazo',
    label: 'Plazo',
    render: ({ comprobarAntes }) => (
      <ExpenseChip state="por-comprobar" dueOn={comprobarAntes} today={today} />
    ),
  },
];
