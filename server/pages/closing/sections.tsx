import { type PlainDate, sayDate, sayDay } from '../../../shared/dates.ts';
import { lastMonths, type Period } from '../../../shared/periods.ts';
import { LONGEST_MOTIVO } from '../../../shared/text.ts';
import { Button } from '../../../shared/ui/Button.tsx';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { Field } from '../../../shared/ui/Field.tsx';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { pages } from '../../../shared/urls.ts';
import type { AuditEntry } from '../../services/audit/reading.ts';
import { wordEntry } from '../../services/audit/wording.ts';
import { nameOfMonth, type OpenItem } from '../../services/balances/open-items.ts';
import { CLOSING, type ClosingDate } from '../../services/closing/closing.ts';
import { WHO, whenOf } from '../audit/audit.tsx';
import type { FormState } from '../ui/record-form.tsx';
import { StepForm } from '../ui/step-form.tsx';

const MONTHS_OFFERED = 36;

export function MonthForm({ month, today }: { month: Period; today: PlainDate }) {
  const offered = lastMonths(today, MONTHS_OFFERED).reverse();
  const months = offered.some(({ from }) => from === month.from) ? offered : [month, ...offered];
  return (
    <form method="get" action={pages.closing} className="filters" data-busy="">
      <Field
        kind="select"
        name="mes"
        label="Mes"
        value={month.from.slice(0, 7)}
        options={months.map((one) => ({ value: one.from.slice(0, 7), label: nameOfMonth(one) }))}
      />
      <Button>Ver el mes</Button>
    </form>
  );
}

const COLUMNS: readonly Column<OpenItem>[] = [
  {
    key: 'label',
    label: 'Qué falta',
    card: 'title',
    className: 'wraps',
    render: ({ label, says }) => (
      <>
        {label}
        <div className="note">{says}</div>
      </>
    ),
  },
  {
    key: 'count',
    label: 'Cuántos',
    align: 'end',
    render: ({ label, count, href }) =>
      count > 0 ? (
        <a href={href} aria-label={`${label}: ${count.toLocaleString('en-US')}`}>
          {count.toLocaleString('en-US')}
        </a>
      ) : (
        <Chip tone="done">Nada</Chip>
      ),
  },
];

/** Open items do not keep a month from being closed. */
export const OpenItems = ({ month, items }: { month: Period; items: readonly OpenItem[] }) => (
  <section className="form" aria-labelledby="open">
    <h2 id="open">Lo que falta en {nameOfMonth(month)}</h2>
    <DataTable
      caption={`Lo que falta en ${nameOfMonth(month)}`}
      columns={COLUMNS}
      rows={items}
      rowKey={({ label }) => label}
    />
  </section>
);

interface CloseProps {
  month: Period;
  closing: ClosingDate;
  today: PlainDate;
}

/** Only a month that is over can be closed. */
export function CloseForm({ month, closing, today }: CloseProps) {
  if (month.to <= closing) return <p className="soft">El mes de {nameOfMonth(month)} está cerrado.</p>;
  if (month.to >= today)
    return <p className="soft">El mes de {nameOfMonth(month)} se cierra cuando termine.</p>;
  return (
    <form method="post" action={pages.closing} className="form" data-busy="">
      <input type="hidden" name="mes" value={month.from.slice(0, 7)} />
      <input type="hidden" name="antes" value={closing} />
      <p>
        Al cerrar, lo que tenga fecha del {sayDate(month.to)} o de antes queda como está: facturas por su
        emisión, pagos y movimientos por la suya.
      </p>
      <div className="form-actions">
        <Button look="primary">Cerrar hasta el {sayDay(month.to)}</Button>
      </div>
    </form>
  );
}

interface ReopenProps {
  closing: PlainDate;
  state: Partial<FormState>;
}

/** Reopening goes back to a day, and always takes a reason. */
export function ReopenForm({ closing, state: { values = {}, problem, asked } }: ReopenProps) {
  const errors = asked === pages.reopening ? (problem?.fields ?? {}) : {};
  return (
    <details className="disclosure" open={asked === pages.reopening}>
      <summary>
        <Icon name="chevron" />
        Reabrir un periodo
      </summary>
      <StepForm
        action={pages.reopening}
        hidden={{ antes: closing }}
        fields={
          <>
            <Field
              kind="date"
              name={CLOSING}
              label="Queda cerrado hasta"
              value={values[CLOSING] ?? ''}
              max={closing}
              hint={`Ahora el ${sayDate(closing)}. Vacía: no queda nada cerrado.`}
              error={errors.motivo ? undefined : errors[CLOSING]}
            />
            <Field
              name="motivo"
              label="Motivo"
              value={values.motivo}
              hint="Queda en la bitácora."
              error={errors.motivo}
              maxLength={LONGEST_MOTIVO}
              autoComplete="off"
              required
              focus={errors.motivo !== undefined}
            />
          </>
        }
        buttons={<Button look="danger">Reabrir</Button>}
      />
    </details>
  );
}

export const ClosingHistory = ({
  entries,
  timeZone,
}: {
  entries: readonly AuditEntry[];
  timeZone: string;
}) => (
  <section className="form" aria-labelledby="moves">
    <h2 id="moves">Cierres y reaperturas</h2>
    <DataTable
      caption="Cierres y reaperturas"
      columns={[whenOf(timeZone), WHO, WHAT]}
      rows={entries}
      rowKey={({ id }) => id}
    />
  </section>
);

/** The audit trail puts the user before this text; here it stands alone. */
const asSentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const WHAT: Column<AuditEntry> = {
  key: 'text',
  label: 'Qué',
  card: 'title',
  className: 'wraps',
  render: (entry) => asSentence(wordEntry(entry).text),
};
