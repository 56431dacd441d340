import { sql } from 'kysely';
import { pluralize } from '../../../shared/counts.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import { formatMoney } from '../../../shared/money.ts';
import { type FundRow, type Movement, movementKindLabel } from '../../../shared/petty-cash.ts';
import type { Replenishment } from '../../../shared/petty-cash-counts.ts';
import { pettyCashTexts } from '../../../shared/petty-cash-texts.ts';
import { mayEnter } from '../../../shared/roles.ts';
import { Button } from '../../../shared/ui/Button.tsx';
import { Checkbox } from '../../../shared/ui/Checkbox.tsx';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { Field } from '../../../shared/ui/Field.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import { idInPath } from '../../http/request.ts';
import { type AppContext, requireSession } from '../../http/session.ts';
import {
  getFundRow,
  readMovements,
  replenishableCondition,
  unprovedExpenseCondition,
} from '../../services/petty-cash/reading.ts';
import { listReplenishments, needsSecondPerson } from '../../services/petty-cash/requests.ts';
import { dateColumn, moneyColumn } from '../ui/columns.tsx';
import type { FieldTexts } from '../ui/record-fields.tsx';
import { type FormState, prepareIdempotencyKey } from '../ui/record-form.tsx';
import { ReasonField } from '../ui/refusal-reason.tsx';
import { RowCheckbox } from '../ui/row-checkbox.tsx';
import { NextActionBar } from '../ui/step-bar.tsx';
import { StepForm } from '../ui/step-form.tsx';
import { FoldedCommentsField, renderFundSubpage } from './fund-page.tsx';
import { awaitedVoucherColumns, EXPENSE_TABLE_COLUMNS, MovementTable } from './movement-table.tsx';

export const CHOSEN_EXPENSES_FIELD = 'movementIds';
/** Posted to request all expenses, also those that the page does not show. */
export const ALL_EXPENSES_FIELD = 'todos';

/** Limits the expenses shown to the oldest. Others are requested only with the checkbox for all. */
const MAX_READY_EXPENSES = 40;
const MAX_OTHER_ROWS = 8;

interface ChoiceState extends FormState {
  /** ids of the ticked expenses; absent: all are ticked */
  chosen?: readonly string[];
}

const FORM_ID = 'reponer';

export async function renderExpenseChoice(c: AppContext, state: ChoiceState) {
  const { db } = c.get('deps');
  const today = c.get('today');
  const fund = await getFundRow(db, idInPath(c), today);
  const readExpenses = (condition: typeof unprovedExpenseCondition, limit: number) =>
    readMovements(
      db,
      sql`m."fundId" = ${fund.id} and ${condition}`,
      sql`order by m.fecha, m.id limit ${limit}`,
    );
  const ready = await readExpenses(replenishableCondition, MAX_READY_EXPENSES);
  const awaited = await readExpenses(unprovedExpenseCondition, MAX_OTHER_ROWS);
  const requested = await listReplenishments(db, fund.id, MAX_OTHER_ROWS);
  const mayPay = mayEnter('approval', requireSession(c).roles) && !(await needsSecondPerson(db));
  return renderFundSubpage(
    c,
    { title: 'Reponer la caja', fund, state },
    <>
      {ready.length === 0 ? (
        <p className="soft">{pettyCashTexts.nothingToReplenish}</p>
      ) : (
        <ReplenishmentRequestForm
          fund={fund}
          readyExpenses={ready}
          today={today}
          state={state}
          mayPay={mayPay}
        />
      )}
      {awaited.length > 0 && (
        <section aria-labelledby="por-comprobar">
          <h2 id="por-comprobar">
            Por comprobar{' '}
            <Money
              cents={fund.porComprobarCents}
              href={withQuery(pages.pettyCashAwaited, { fundId: fund.id })}
            />
          </h2>
          <MovementTable
            caption="Gastos por comprobar"
            columns={awaitedVoucherColumns(today)}
            rows={awaited}
          />
        </section>
      )}
      {requested.length > 0 && (
        <section aria-labelledby="reposiciones">
          <h2 id="reposiciones">Lo que se pidió</h2>
          <DataTable
            className="cash"
            caption="Lo que se pidió"
            columns={REPLENISHMENT_COLUMNS}
            rows={requested}
            rowKey={({ id }) => id}
            rowHref={({ id }) => pages.pettyCashReplenishment(id)}
          />
        </section>
      )}
    </>,
  );
}

interface ReplenishmentRequestFormProps {
  fund: FundRow;
  readyExpenses: readonly Movement[];
  today: PlainDate;
  state: ChoiceState;
  mayPay: boolean;
}

function ReplenishmentRequestForm({
  fund,
  readyExpenses,
  today,
  state,
  mayPay,
}: ReplenishmentRequestFormProps) {
  const { id, origenderecursonombre: source, porReponerCents, solicitadoCents } = fund;
  const { idempotencyKey, problem } = prepareIdempotencyKey(state);
  const errors: FieldTexts = problem?.fields ?? {};
  const { values, chosen } = state;
  const sum = readyExpenses.reduce((cents, { importeCents }) => cents + importeCents, 0);
  const restCents = porReponerCents - solicitadoCents - sum;
  return (
    <>
      <NextActionBar
        label="Reposición"
        state={<Chip mark="open">Sin pedir</Chip>}
        sum={{ label: 'Marcado', cents: sum, isLive: true }}
        missingText={
          source ? (
            `Sale de ${source}${mayPay ? '.' : ', cuando otra persona lo autoriza.'}`
          ) : (
            <a href={pages.editPettyCashFund(id)}>Falta decir de dónde sale su dinero</a>
          )
        }
        nextAction={
          <Button look="primary" form={FORM_ID}>
            Reponer
          </Button>
        }
      />
      <StepForm
        id={FORM_ID}
        action={pages.pettyCashReplenishments(id)}
        hidden={{ idempotencyKey }}
        updatesSum
        fields={
          <>
            {restCents > 0 && (
              <Checkbox
                name={ALL_EXPENSES_FIELD}
                checked={values[ALL_EXPENSES_FIELD] === 'on'}
                data-cents={restCents}
              >
                Todos: también los que no se muestran, por {formatMoney(restCents)}
              </Checkbox>
            )}
            <ReasonField problem={problem} values={values} />
            <Field
              name="fecha"
              label="Fecha"
              kind="date"
              value={values.fecha ?? today}
              error={errors.fecha}
            />
            <FoldedCommentsField value={values.comments} error={errors.comments} />
          </>
        }
      >
        <MovementTable
          caption="Gastos que se pueden pedir"
          columns={[chosenColumn(chosen), ...EXPENSE_TABLE_COLUMNS]}
          rows={readyExpenses}
        />
      </StepForm>
    </>
  );
}

const chosenColumn = (chosen: readonly string[] | undefined): Column<Movement> => ({
  key: 'chosen',
  label: 'Reponer',
  className: 'no-print',
  card: 'side',
  render: ({ id, concepto, importeCents }) => (
    <RowCheckbox
      name={CHOSEN_EXPENSES_FIELD}
      value={id}
      checked={chosen?.includes(String(id)) ?? true}
      label={`Reponer ${concepto}`}
      cents={importeCents}
    />
  ),
});

export const replenishmentName = ({ tipo, id }: Pick<Replenishment, 'tipo' | 'id'>) =>
  `${movementKindLabel(tipo)} ${id}`;

export function ReplenishmentChip({ estado }: Pick<Replenishment, 'estado'>) {
  const isPaid = estado === 'pagada';
  return (
    <Chip tone={isPaid ? 'done' : 'warn'} mark={isPaid ? 'full' : 'open'}>
      {isPaid ? 'Pagada' : 'Por autorizar'}
    </Chip>
  );
}

const REPLENISHMENT_COLUMNS: readonly Column<Replenishment>[] = [
  {
    key: 'id',
    label: 'Número',
    isRowLink: true,
    card: 'title',
    render: replenishmentName,
    textBelow: ({ count }) => (count > 0 ? pluralize(count, 'gasto', 'gastos') : null),
  },
  dateColumn('fecha', 'Fecha', { card: 'half', cardLabel: () => '' }),
  {
    key: 'requester',
    label: 'Pidió y autorizó',
    card: 'foot',
    className: 'wraps',
    render: ({ requester, authorizer }) => [requester, authorizer].filter(Boolean).join(' · '),
  },
  { key: 'estado', label: 'Estado', card: 'end', render: (one) => <ReplenishmentChip {...one} /> },
  moneyColumn('importe', 'Importe', ({ importeCents }) => importeCents, { card: 'corner' }),
];
