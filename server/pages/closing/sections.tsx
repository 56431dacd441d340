import { formatCount, pluralize } from '../../../shared/counts.ts';
import { formatDayAndMonth, formatLongDate, type PlainDate } from '../../../shared/dates.ts';
import { listLastMonths, type Period } from '../../../shared/periods.ts';
import { Button } from '../../../shared/ui/Button.tsx';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { DataTable } from '../../../shared/ui/DataTable.tsx';
import { Disclosure } from '../../../shared/ui/Disclosure.tsx';
import { Field } from '../../../shared/ui/Field.tsx';
import { pages } from '../../../shared/urls.ts';
import { describeEntry } from '../../services/audit/entry-descriptions.ts';
import type { AuditEntry } from '../../services/audit/reading.ts';
import { type ClosingTask, formatMonthAndYear } from '../../services/balances/closing-tasks.ts';
import { CLOSING_KEY, type LastClosedDay } from '../../services/closing/closing.ts';
import { timeColumn, USER_COLUMN } from '../audit/audit.tsx';
import { putFirst } from '../ui/long-table.tsx';
import type { FormState } from '../ui/record-form.tsx';
import { NextActionBar, StepButton } from '../ui/step-bar.tsx';
import { StepForm } from '../ui/step-form.tsx';

const OFFERED_MONTH_COUNT = 36;

import { MotivoField } from '../ui/refusal-reason.tsx';

export function MonthChoiceForm({ month, today }: { month: Period; today: PlainDate }) {
  const recentMonths = listLastMonths(today, OFFERED_MONTH_COUNT).reverse();
  const months = recentMonths.some(({ from }) => from === month.from)
    ? recentMonths
    : [month, ...recentMonths];
  return (
    <form method="get" action={pages.closing} className="filters" data-busy="">
      <Field
        kind="select"
        name="mes"
        label="Mes"
        value={month.from.slice(0, 7)}
        options={months.map((one) => ({ value: one.from.slice(0, 7), label: formatMonthAndYear(one) }))}
      />
      <Button>Ver el mes</Button>
    </form>
  );
}

export const ClosingTasks = ({ month, items: tasks }: { month: Period; items: readonly ClosingTask[] }) => (
  <section className="form" aria-labelledby="open">
    <h2 id="open">Pendientes de {formatMonthAndYear(month)}</h2>
    <DataTable<ClosingTask>
      caption={`Pendientes de ${formatMonthAndYear(month)}`}
      columns={[
        {
          key: 'label',
          label: 'Qué revisar',
          card: 'title',
          className: 'wraps',
          linkName: ({ label, count }) => `${label}: ${formatCount(count)}`,
          textBelow: ({ description }) => description,
        },
        {
          key: 'count',
          label: 'Cantidad',
          align: 'end',
          card: 'corner',
          render: ({ count }) => (count > 0 ? formatCount(count) : <span className="zero">0</span>),
        },
      ]}
      rows={putFirst(tasks, ({ count }) => count > 0)}
      rowKey={({ label }) => label}
      rowHref={({ count, href }) => (count > 0 ? href : undefined)}
    />
  </section>
);

interface StepsProps {
  month: Period;
  closing: LastClosedDay;
  today: PlainDate;
  tasks: readonly ClosingTask[];
  state: Partial<FormState>;
}

/** A month can be closed while items are open, but not before it is over. */
export function MonthClosingSteps({ month, closing, today, tasks, state }: StepsProps) {
  const isClosed = month.to <= closing;
  const isOver = month.to < today;
  const open = tasks.reduce((sum, { count }) => sum + count, 0);
  const name = formatMonthAndYear(month);
  const monthText = () => {
    if (isClosed) return `El mes de ${name} está cerrado.`;
    if (!isOver) return `El mes de ${name} se cierra cuando termine.`;
    const verb = open === 1 ? 'Queda' : 'Quedan';
    return open > 0 && `${verb} ${pluralize(open, 'pendiente', 'pendientes')}; se puede cerrar así.`;
  };
  return (
    <NextActionBar
      label={`Siguiente paso del cierre de ${name}`}
      state={
        <Chip tone={isClosed ? 'done' : 'neutral'} mark={isClosed ? 'full' : 'open'}>
          {isClosed ? 'Cerrado' : 'Abierto'}
        </Chip>
      }
      missingText={[
        monthText(),
        closing ? `Todo está cerrado hasta el ${formatLongDate(closing)}.` : 'No hay nada cerrado.',
      ]
        .filter(Boolean)
        .join(' ')}
      nextAction={
        !isClosed &&
        isOver && (
          <StepButton
            action={pages.closing}
            hidden={{ mes: month.from.slice(0, 7), antes: closing }}
            look="primary"
            icon="check"
          >
            {`Cerrar hasta el ${formatDayAndMonth(month.to)}`}
          </StepButton>
        )
      }
      moreActions={[closing && <ReopenForm closing={closing} state={state} />]}
      isOpen={state.stepAddress === pages.reopening}
    />
  );
}

function ReopenForm({ closing, state }: Pick<StepsProps, 'closing' | 'state'>) {
  const { values = {}, problem, stepAddress } = state;
  const errors = stepAddress === pages.reopening ? (problem?.fields ?? {}) : {};
  return (
    <Disclosure summary="Reabrir un periodo" isOpen={stepAddress === pages.reopening}>
      <StepForm
        action={pages.reopening}
        hidden={{ antes: closing }}
        fields={
          <>
            <Field
              kind="date"
              name={CLOSING_KEY}
              label="Queda cerrado hasta"
              value={values[CLOSING_KEY] ?? ''}
              max={closing}
              hint="Si lo dejas vacío, no queda nada cerrado."
              error={errors.motivo ? undefined : errors[CLOSING_KEY]}
            />
            <MotivoField
              value={values.motivo}
              error={errors.motivo}
              wide={false}
              focus={errors.motivo !== undefined}
            />
          </>
        }
        buttons={<Button look="danger">Reabrir</Button>}
      />
    </Disclosure>
  );
}

export const MonthClosingHistory = ({ entries, timeZone }: { entries: AuditEntry[]; timeZone: string }) => (
  <section className="form" aria-labelledby="moves">
    <h2 id="moves">Cierres y reaperturas</h2>
    <DataTable
      caption="Cierres y reaperturas"
      columns={[
        timeColumn(timeZone),
        USER_COLUMN,
        {
          key: 'text',
          label: 'Qué',
          card: 'title',
          className: 'wraps',
          render(entry) {
            // In the audit trail the user precedes this text; here a column of its own shows the user.
            const { text } = describeEntry(entry);
            return text.charAt(0).toUpperCase() + text.slice(1);
          },
        },
      ]}
      rows={entries}
      rowKey={({ id }) => id}
    />
  </section>
);
