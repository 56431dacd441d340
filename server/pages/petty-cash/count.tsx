import { clockTimeIn, sayDate } from '../../../shared/dates.ts';
import { formatMoney } from '../../../shared/money.ts';
import {
  type CashCount,
  centsOf,
  DENOMINATIONS,
  type Denomination,
} from '../../../shared/petty-cash-counts.ts';
import { mayEnter } from '../../../shared/roles.ts';
import { LONGEST_MOTIVO } from '../../../shared/text.ts';
import { Button, LinkButton } from '../../../shared/ui/Button.tsx';
import { Check } from '../../../shared/ui/Check.tsx';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { Field } from '../../../shared/ui/Field.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { Totals } from '../../../shared/ui/Totals.tsx';
import { pages } from '../../../shared/urls.ts';
import { idInPath } from '../../http/request.ts';
import { type AppContext, requireSession } from '../../http/session.ts';
import { getCount, listCounts } from '../../services/petty-cash/counting.ts';
import { getFund } from '../../services/petty-cash/reading.ts';
import { renderPage } from '../../shell/render.tsx';
import { moneyColumn } from '../ui/columns.tsx';
import { historyLink } from '../ui/history-link.tsx';
import { type FormState, keyOf } from '../ui/record-form.tsx';
import { Refused } from '../ui/refused.tsx';

/** The control that takes how many there are of one. */
export const piecesName = (denomination: Denomination): string => `piezas${denomination.replace('.', '_')}`;

/** The sheet of a count: what should be there stands nowhere on it. */
export async function renderCounting(c: AppContext, state: FormState) {
  const { db } = c.get('deps');
  const fund = await getFund(db, idInPath(c));
  const counts = await listCounts(db, fund.id);
  const { idempotencyKey, problem } = keyOf(state);
  const { values } = state;
  const errors = problem?.fields ?? {};
  const wrong = DENOMINATIONS.find((one) => errors[piecesName(one)]);
  return renderPage(
    c,
    {
      title: 'Arqueo',
      which: fund.nombre,
      status: state.status,
      actions: <LinkButton href={pages.pettyCashFund(fund.id)}>Ver la caja</LinkButton>,
    },
    <div className="stack">
      <Refused problem={problem} />
      <form method="post" action={pages.pettyCashCounts(fund.id)} className="form" data-busy="" noValidate>
        <input type="hidden" name="idempotencyKey" value={idempotencyKey} />
        <p className="soft">
          Cuenta los billetes y las monedas, y escribe cuántas piezas hay de cada una. Al guardar se dice
          cuánto debía haber.
        </p>
        <div className="fields">
          {DENOMINATIONS.map((one, index) => (
            <Field
              key={one}
              name={piecesName(one)}
              label={`Piezas de ${formatMoney(centsOf(one))}`}
              kind="number"
              value={values[piecesName(one)]}
              error={errors[piecesName(one)]}
              inputMode="numeric"
              min={0}
              autoComplete="off"
              focus={wrong ? one === wrong : index === 0}
            />
          ))}
          <Check name="sorpresa" checked={values.sorpresa === 'on'}>
            Arqueo sorpresa: sin avisar, y de otra persona que {fund.responsable}
          </Check>
          <Field
            name="comments"
            label="Observaciones"
            kind="textarea"
            value={values.comments}
            maxLength={4000}
            wide
          />
        </div>
        <div className="form-actions">
          <Button look="primary">Guardar el arqueo</Button>
          <LinkButton href={pages.pettyCashFund(fund.id)}>Regresar</LinkButton>
        </div>
      </form>
      {counts.length > 0 && (
        <section aria-labelledby="arqueos">
          <h2 id="arqueos">Arqueos anteriores</h2>
          <DataTable
            caption="Arqueos anteriores"
            columns={COUNT_COLUMNS}
            rows={counts}
            rowKey={({ id }) => id}
            rowHref={({ id }) => pages.pettyCashCount(id)}
          />
        </section>
      )}
    </div>,
  );
}

/** What was found and what should have been there, and taking the difference into the books. */
export async function renderCount(c: AppContext, state: FormState = { values: {} }) {
  const id = idInPath(c);
  const { db, config } = c.get('deps');
  const count = await getCount(db, id);
  const fund = await getFund(db, count.fundId);
  const { problem, values } = state;
  const { contadoCents, esperadoCents, diferenciaCents, adjustmentId, sorpresa, username, comments } = count;
  const time = clockTimeIn(new Date(count.createdAt), config.timeZone);
  const isOpen = diferenciaCents !== 0 && adjustmentId === null;
  return renderPage(
    c,
    {
      title: `Arqueo ${id}`,
      which: fund.nombre,
      status: state.status,
      actions: (
        <>
          <LinkButton href={pages.pettyCashFund(fund.id)}>Ver la caja</LinkButton>
          {historyLink(c, 'petty-cash-counts', id)}
        </>
      ),
    },
    <div className="stack">
      <Refused problem={problem} />
      <p>
        <DifferenceChip {...count} /> {sorpresa ? 'Arqueo sorpresa' : 'Arqueo'} de {username}, el{' '}
        {sayDate(count.fecha)} a las {time}. Responsable: {fund.responsable}.
      </p>
      <Totals
        label="Resultado del arqueo"
        items={[
          { label: 'Contado', cents: contadoCents },
          { label: 'Debía haber', cents: esperadoCents, op: '−' },
          { label: diferenciaCents < 0 ? 'Faltante' : 'Sobrante', cents: Math.abs(diferenciaCents), op: '=' },
        ]}
      />
      <p className="note">
        Además estaban por comprobar {formatMoney(count.porComprobarCents)} y por reponer{' '}
        {formatMoney(count.porReponerCents)}.
      </p>
      {comments && <p>{comments}</p>}
      <Pieces {...count} />
      {adjustmentId !== null && (
        <p>
          <a href={pages.pettyCashMovement(adjustmentId)}>La diferencia se ajustó.</a>
        </p>
      )}
      {isOpen &&
        (mayEnter('approval', requireSession(c).roles) ? (
          <form
            method="post"
            action={pages.settlePettyCashCount(id)}
            className="form"
            data-busy=""
            noValidate
          >
            <div className="fields">
              <Field
                name="motivo"
                label="Motivo de la diferencia"
                value={values.motivo}
                error={problem?.fields?.motivo}
                hint="Queda en el movimiento y en la bitácora."
                maxLength={LONGEST_MOTIVO}
                autoComplete="off"
                required
                wide
                focus={Boolean(problem)}
              />
            </div>
            <div className="form-actions">
              <Button look="primary">Ajustar la diferencia</Button>
            </div>
          </form>
        ) : (
          <p className="soft">La diferencia la ajustan Dirección o Contabilidad.</p>
        ))}
    </div>,
  );
}

const Pieces = ({ pieces }: Pick<CashCount, 'pieces'>) => (
  <DataTable
    caption="Lo que se contó"
    columns={[
      moneyColumn('denominacion', 'Denominación', (one: Denomination) => centsOf(one), { card: 'title' }),
      { key: 'piezas', label: 'Piezas', align: 'end', render: (one) => pieces[one] },
      {
        key: 'suma',
        label: 'Suma',
        align: 'end',
        card: 'corner',
        render: (one) => <Money cents={centsOf(one) * (pieces[one] ?? 0)} />,
      },
    ]}
    rows={DENOMINATIONS.filter((one) => pieces[one])}
    rowKey={(one) => one}
  />
);

function DifferenceChip({ diferenciaCents }: Pick<CashCount, 'diferenciaCents'>) {
  if (diferenciaCents === 0) return <Chip tone="done">Cuadra</Chip>;
  return diferenciaCents < 0 ? <Chip tone="danger">Faltante</Chip> : <Chip tone="warn">Sobrante</Chip>;
}

const COUNT_COLUMNS: readonly Column<CashCount>[] = [
  { key: 'id', label: 'Número', link: true, card: 'title', render: ({ id }) => `Arqueo ${id}` },
  { key: 'fecha', label: 'Fecha', card: 'corner', render: ({ fecha }) => <DateText date={fecha} /> },
  { key: 'username', label: 'Quién contó', render: ({ username }) => username },
  { key: 'sorpresa', label: 'Sorpresa', render: ({ sorpresa }) => (sorpresa ? 'Sí' : '') },
  { key: 'contado', label: 'Contado', align: 'end', render: (one) => <Money cents={one.contadoCents} /> },
  {
    key: 'diferencia',
    label: 'Diferencia',
    align: 'end',
    render: (one) => <Money cents={one.diferenciaCents} dash />,
  },
  {
    key: 'estado',
    label: 'Estado',
    render: (one) =>
      one.diferenciaCents !== 0 && one.adjustmentId !== null ? (
        <Chip tone="done">Ajustado</Chip>
      ) : (
        <DifferenceChip {...one} />
      ),
  },
];
