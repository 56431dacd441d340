import { sql } from 'kysely';
import type { PlainDate } from '../../../shared/dates.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import { type FundRow, kindName, type Movement } from '../../../shared/petty-cash.ts';
import type { Replenishment } from '../../../shared/petty-cash-counts.ts';
import { pettyCashTexts } from '../../../shared/petty-cash-texts.ts';
import { Button, LinkButton } from '../../../shared/ui/Button.tsx';
import { Check } from '../../../shared/ui/Check.tsx';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { Field } from '../../../shared/ui/Field.tsx';
import { pages } from '../../../shared/urls.ts';
import { idInPath } from '../../http/request.ts';
import type { AppContext } from '../../http/session.ts';
import { getFundRow, isAwaited, isReplenishable, readMovements } from '../../services/petty-cash/reading.ts';
import { listReplenishments } from '../../services/petty-cash/requests.ts';
import { Reason } from '../ui/closed-period.tsx';
import { dateColumn, moneyColumn } from '../ui/columns.tsx';
import type { Texts } from '../ui/record-fields.tsx';
import { type FormState, keyOf } from '../ui/record-form.tsx';
import { renderFundPage } from './fund-page.tsx';
import { awaitedColumns, EXPENSE_COLUMNS, MovementTable } from './movement-table.tsx';

export const CHOSEN = 'movementIds';
/** Posted with this one, all expenses are requested, on the page or not. */
export const ALL = 'todos';

/** The page shows the oldest expenses; all of them can be requested at once. */
const MOST_READY = 40;
const MOST_OTHERS = 8;

interface ChoiceState extends FormState {
  /** ids of expenses; all are marked where it is absent */
  chosen?: readonly string[];
}

export async function renderReplenishing(c: AppContext, state: ChoiceState) {
  const { db } = c.get('deps');
  const fund = await getFundRow(db, idInPath(c), c.get('today'));
  const ofFund = (which: typeof isAwaited, most: number) =>
    readMovements(db, sql`m."fundId" = ${fund.id} and ${which}`, sql`order by m.fecha, m.id limit ${most}`);
  const ready = await ofFund(isReplenishable, MOST_READY);
  const awaited = await ofFund(isAwaited, MOST_OTHERS);
  const asked = await listReplenishments(db, fund.id, MOST_OTHERS);
  return renderFundPage(
    c,
    { title: 'Reponer la caja', fund, state },
    <>
      {ready.length === 0 ? (
        <p className="soft">{pettyCashTexts.nothingToReplenish}</p>
      ) : (
        <ReadyForm fund={fund} ready={ready} today={c.get('today')} state={state} />
      )}
      {awaited.length > 0 && (
        <Awaited expenses={awaited} sumCents={fund.porComprobarCents} today={c.get('today')} />
      )}
      {asked.length > 0 && <Asked replenishments={asked} />}
    </>,
  );
}

interface ReadyProps {
  fund: FundRow;
  ready: readonly Movement[];
  today: PlainDate;
  state: ChoiceState;
}

function ReadyForm({ fund, ready, today, state }: ReadyProps) {
  const { idempotencyKey, problem } = keyOf(state);
  const errors: Texts = problem?.fields ?? {};
  const chosen = state.chosen && new Set(state.chosen);
  const sum = ready.reduce((cents, { importeCents }) => cents + importeCents, 0);
  const restCents = fund.porReponerCents - fund.solicitadoCents - sum;
  return (
    <form
      method="post"
      action={pages.pettyCashReplenishments(fund.id)}
      className="stack"
      data-busy=""
      noValidate
    >
      <input type="hidden" name="idempotencyKey" value={idempotencyKey} />
      <p className="note">
        {ready.length === 1 ? 'Un gasto comprobado' : `${ready.length} gastos comprobados`},{' '}
        {formatMoney(sum)}. Quita la marca de lo que no se repone ahora.
      </p>
      <MovementTable
        caption="Gastos que se pueden pedir"
        columns={[chosenColumn(chosen), ...DATED_COLUMNS]}
        rows={ready}
      />
      <div className="form">
        <div className="fields">
          {restCents > 0 && (
            <Check name={ALL} checked={state.values[ALL] === 'on'}>
              Todos: también los que no se muestran, por {formatMoney(restCents)}
            </Check>
          )}
          <Reason problem={problem} values={state.values} />
          <Field
            name="fecha"
            label="Fecha"
            kind="date"
            value={state.values.fecha ?? today}
            error={errors.fecha}
          />
          <Field
            name="comments"
            label="Observaciones"
            kind="textarea"
            value={state.values.comments}
            error={errors.comments}
            maxLength={4000}
            wide
          />
        </div>
        <div className="form-actions">
          <Button look="primary">Reponer</Button>
          <LinkButton href={pages.pettyCashFund(fund.id)}>Regresar</LinkButton>
        </div>
        <p className="hint">
          {fund.origenderecursonombre
            ? `El dinero sale de ${fund.origenderecursonombre}, cuando otra persona lo autoriza.`
            : 'Falta decir de dónde sale su dinero: edita la caja.'}
        </p>
      </div>
    </form>
  );
}

/** The corner of their card holds the box to tick. */
const DATED_COLUMNS: readonly Column<Movement>[] = EXPENSE_COLUMNS.map((column) =>
  column.key === 'fecha' ? { ...column, card: 'half' } : column,
);

const chosenColumn = (chosen: ReadonlySet<string> | undefined): Column<Movement> => ({
  key: 'chosen',
  label: 'Reponer',
  card: 'corner',
  render: ({ id, concepto }) => (
    <input
      type="checkbox"
      name={CHOSEN}
      value={id}
      defaultChecked={chosen?.has(String(id)) ?? true}
      aria-label={`Reponer ${concepto}`}
    />
  ),
});

interface AwaitedProps {
  expenses: readonly Movement[];
  sumCents: Cents;
  today: PlainDate;
}

const Awaited = ({ expenses, sumCents, today }: AwaitedProps) => (
  <section aria-labelledby="por-comprobar">
    <h2 id="por-comprobar">Por comprobar</h2>
    <p className="note">
      Lo que se entregó sin comprobante, {formatMoney(sumCents)}. Al traerlo se edita el gasto; después se
      puede reponer. <a href={pages.pettyCashAwaited}>Ver los de todas las cajas</a>
    </p>
    <MovementTable caption="Gastos por comprobar" columns={awaitedColumns(today)} rows={expenses} />
  </section>
);

const Asked = ({ replenishments }: { replenishments: readonly Replenishment[] }) => (
  <section aria-labelledby="reposiciones">
    <h2 id="reposiciones">Lo que se pidió</h2>
    <DataTable
      caption="Lo que se pidió"
      columns={ASKED_COLUMNS}
      rows={replenishments}
      rowKey={({ id }) => id}
      rowHref={({ id }) => pages.pettyCashReplenishment(id)}
    />
  </section>
);

/** "Reposición 7", "Apertura 8". */
export function requestName({ tipo, id }: Pick<Replenishment, 'tipo' | 'id'>): string {
  return `${kindName(tipo)} ${id}`;
}

export const ReplenishmentChip = ({ estado }: Pick<Replenishment, 'estado'>) =>
  estado === 'pagada' ? <Chip tone="done">Pagada</Chip> : <Chip tone="warn">Por autorizar</Chip>;

const ASKED_COLUMNS: readonly Column<Replenishment>[] = [
  { key: 'id', label: 'Número', link: true, card: 'title', render: requestName },
  dateColumn('fecha', 'Fecha', { card: 'corner' }),
  { key: 'requester', label: 'La pidió' },
  { key: 'authorizer', label: 'La autorizó' },
  { key: 'count', label: 'Gastos', align: 'end' },
  { key: 'estado', label: 'Estado', render: (one) => <ReplenishmentChip {...one} /> },
  moneyColumn('importe', 'Importe', ({ importeCents }) => importeCents),
];
