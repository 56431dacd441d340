import { Hono } from 'hono';
import { clockTimeIn, formatLongDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import { formatMoney } from '../../../shared/money.ts';
import {
  type CashCount,
  DENOMINATIONS,
  type Denomination,
  denominationCents,
  type PieceCounts,
} from '../../../shared/petty-cash-counts.ts';
import { pettyCashTexts as texts } from '../../../shared/petty-cash-texts.ts';
import { mayEnter } from '../../../shared/roles.ts';
import { Button } from '../../../shared/ui/Button.tsx';
import { Checkbox } from '../../../shared/ui/Checkbox.tsx';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { Field } from '../../../shared/ui/Field.tsx';
import { Totals } from '../../../shared/ui/Totals.tsx';
import { pages } from '../../../shared/urls.ts';
import { ID_SEGMENT, idInPath, writeOnce } from '../../http/request.ts';
import { type AppContext, type AppEnv, requireSession } from '../../http/session.ts';
import {
  countCash,
  getCashCount,
  listCashCounts,
  postCountDifference,
} from '../../services/petty-cash/counting.ts';
import { getFund } from '../../services/petty-cash/reading.ts';
import { parseShape } from '../../shapes/fields.ts';
import { cashCountShape, postCountDifferenceShape } from '../../shapes/petty-cash.ts';
import { handleForm, redirectWithMessage } from '../../shell/render.tsx';
import { dateColumn, moneyColumn } from '../ui/columns.tsx';
import { type FormState, prepareIdempotencyKey } from '../ui/record-form.tsx';
import { MotivoField } from '../ui/refusal-reason.tsx';
import { NextActionBar } from '../ui/step-bar.tsx';
import { StepForm } from '../ui/step-form.tsx';
import { FoldedCommentsField, renderFundSubpage } from './fund-page.tsx';

export const cashCountPages = new Hono<AppEnv>({ strict: false })
  .get(pages.pettyCashCounts(ID_SEGMENT), (c) => renderCashCountForm(c, { values: {} }))
  .post(pages.pettyCashCounts(ID_SEGMENT), (c) =>
    handleForm(c, renderCashCountForm, async ({ form, actor }) => {
      const { sorpresa, comments } = parseShape(cashCountShape, {
        sorpresa: form.sorpresa,
        comments: form.comments,
      });
      const draft = { denominaciones: parsePieceCounts(form), sorpresa, comments };
      const { id } = await writeOnce(c, form, async (trx) => ({
        id: (await countCash(trx, actor, idInPath(c), draft)).id,
      }));
      return redirectWithMessage(c, pages.pettyCashCount(id), texts.counted);
    }),
  )
  .get(pages.pettyCashCount(ID_SEGMENT), (c) => renderCashCount(c))
  .post(pages.settlePettyCashCount(ID_SEGMENT), (c) =>
    handleForm(c, renderCashCount, async ({ form, db, actor }) => {
      const { motivo = '' } = parseShape(postCountDifferenceShape, { motivo: form.motivo });
      const { movement } = await postCountDifference(db, actor, idInPath(c), motivo);
      return redirectWithMessage(
        c,
        pages.pettyCashFund(movement.fundId),
        texts.adjusted(movement.importeCents),
      );
    }),
  );

const piecesFieldName = (denomination: Denomination): string => `piezas${denomination.replace('.', '_')}`;

const FORM_ID = 'arqueo';

/** The form does not show the expected balance, because the person who counts must not know it. */
async function renderCashCountForm(c: AppContext, state: FormState) {
  const { db } = c.get('deps');
  const fund = await getFund(db, idInPath(c));
  const counts = await listCashCounts(db, fund.id);
  const { idempotencyKey, problem } = prepareIdempotencyKey(state);
  const { values } = state;
  return renderFundSubpage(
    c,
    { title: 'Arqueo', fund, state: { ...state, problem } },
    <>
      {fund.closedOn === null && (
        <NextActionBar
          label="Arqueo"
          state={<Chip mark="open">Sin guardar</Chip>}
          sum={{ label: 'Contado', cents: 0, isLive: true }}
          missingText="Al guardar verás cuánto debía haber."
          nextAction={
            <Button look="primary" form={FORM_ID}>
              Guardar
            </Button>
          }
        />
      )}
      {(fund.closedOn === null || problem) && (
        <StepForm
          id={FORM_ID}
          action={pages.pettyCashCounts(fund.id)}
          hidden={{ idempotencyKey }}
          updatesSum
          fields={
            <>
              <PiecesFields values={values} problem={problem} focusesFirst />
              <Checkbox name="sorpresa" checked={values.sorpresa === 'on'}>
                Arqueo sorpresa: sin avisar, y de otra persona que {fund.responsable}
              </Checkbox>
              <FoldedCommentsField value={values.comments} />
            </>
          }
        />
      )}
      {counts.length > 0 && (
        <section aria-labelledby="arqueos">
          <h2 id="arqueos">Arqueos anteriores</h2>
          <DataTable
            caption="Arqueos anteriores"
            columns={CASH_COUNT_COLUMNS}
            rows={counts}
            rowKey={({ id }) => id}
            rowHref={({ id }) => pages.pettyCashCount(id)}
          />
        </section>
      )}
    </>,
  );
}

type PiecesFieldsProps = Pick<FormState, 'values' | 'problem'> & { focusesFirst?: boolean };

/** @param props `focusesFirst` focuses the first denomination where none is wrong */
export function PiecesFields({ values, problem, focusesFirst }: PiecesFieldsProps) {
  const errors = problem?.fields ?? {};
  const first =
    DENOMINATIONS.find((one) => errors[piecesFieldName(one)]) ?? (focusesFirst && DENOMINATIONS[0]);
  return (
    <fieldset className="wide">
      <legend>Cuántas piezas hay de cada una</legend>
      <div className="pieces">
        {DENOMINATIONS.map((one) => (
          <Field
            key={one}
            name={piecesFieldName(one)}
            label={formatMoney(denominationCents(one))}
            kind="number"
            value={values[piecesFieldName(one)]}
            error={errors[piecesFieldName(one)]}
            inputMode="numeric"
            min={0}
            autoComplete="off"
            focus={one === first}
            data-cents={denominationCents(one)}
          />
        ))}
      </div>
    </fieldset>
  );
}

async function renderCashCount(c: AppContext, state: FormState = { values: {} }) {
  const id = idInPath(c);
  const { db, config } = c.get('deps');
  const count = await getCashCount(db, id);
  const fund = await getFund(db, count.fundId);
  const { problem, values } = state;
  const { contadoCents, esperadoCents, diferenciaCents, adjustmentId, sorpresa, username, comments } = count;
  const { responsable, recibe } = count;
  const time = clockTimeIn(new Date(count.createdAt), config.timeZone);
  const isOpen = diferenciaCents !== 0 && adjustmentId === null;
  const maySettle = isOpen && mayEnter('approval', requireSession(c).roles);
  return renderFundSubpage(
    c,
    { title: `Arqueo ${id}`, fund, state, auditedRow: ['petty-cash-counts', id] },
    <>
      <NextActionBar
        label="Arqueo"
        state={<CashCountChip {...count} />}
        missingText={
          isOpen ? (
            !maySettle && 'Falta ajustar la diferencia: lo hace Dirección o Contabilidad.'
          ) : adjustmentId !== null ? (
            <a href={pages.pettyCashMovement(adjustmentId)}>Ver el ajuste</a>
          ) : undefined
        }
        nextAction={
          maySettle && (
            <Button look="primary" form={FORM_ID}>
              Ajustar la diferencia
            </Button>
          )
        }
      />
      <p>
        {sorpresa ? 'Arqueo sorpresa' : 'Arqueo'} de {username}, el {formatLongDate(count.fecha)} a las {time}
        .{responsable && ` ${recibe ? 'Entregó' : 'Responsable'}: ${responsable}.`}
        {recibe && ` Recibió: ${recibe}.`}
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
      {maySettle && (
        <StepForm
          id={FORM_ID}
          action={pages.settlePettyCashCount(id)}
          fields={
            <MotivoField
              label="Motivo de la diferencia"
              value={values.motivo}
              error={problem?.fields?.motivo}
              hint="Queda en el movimiento y en la bitácora."
              focus={Boolean(problem)}
            />
          }
        />
      )}
      <PiecesTable {...count} />
      {recibe && (
        <div className="signatures print-only">
          <p>Entrega: {responsable}</p>
          <p>Recibe: {recibe}</p>
        </div>
      )}
    </>,
  );
}

const PiecesTable = ({ pieces }: Pick<CashCount, 'pieces'>) => (
  <DataTable
    caption="Lo que se contó"
    className="counted"
    columns={[
      moneyColumn('denominacion', 'Denominación', (one: Denomination) => denominationCents(one), {
        card: 'title',
      }),
      { key: 'piezas', label: 'Piezas', align: 'end', render: (one) => pieces[one] },
      moneyColumn('suma', 'Suma', (one: Denomination) => denominationCents(one) * (pieces[one] ?? 0), {
        card: 'corner',
      }),
    ]}
    rows={DENOMINATIONS.filter((one) => pieces[one])}
    rowKey={(one) => one}
  />
);

const OUTCOME_CHIPS = {
  even: { name: 'Cuadra', tone: 'done', mark: 'full' },
  settled: { name: 'Ajustado', tone: 'done', mark: 'full' },
  short: { name: 'Faltante', tone: 'danger', mark: 'late' },
  over: { name: 'Sobrante', tone: 'warn', mark: 'open' },
} as const;

function CashCountChip({ diferenciaCents, adjustmentId }: CashCount) {
  const isSettled = adjustmentId !== null;
  const outcome =
    diferenciaCents === 0 ? 'even' : isSettled ? 'settled' : diferenciaCents < 0 ? 'short' : 'over';
  const { name, ...look } = OUTCOME_CHIPS[outcome];
  return <Chip {...look}>{name}</Chip>;
}

const CASH_COUNT_COLUMNS: readonly Column<CashCount>[] = [
  { key: 'id', label: 'Número', isRowLink: true, card: 'title', render: ({ id }) => `Arqueo ${id}` },
  dateColumn('fecha', 'Fecha', { card: 'corner' }),
  { key: 'username', label: 'Quién contó' },
  { key: 'sorpresa', label: 'Sorpresa', render: ({ sorpresa }) => (sorpresa ? 'Sí' : '') },
  { key: 'recibe', label: 'Se entregó a', className: 'wraps names' },
  moneyColumn('contado', 'Contado', ({ contadoCents }) => contadoCents),
  moneyColumn('diferencia', 'Diferencia', ({ diferenciaCents }) => diferenciaCents, { dash: true }),
  {
    key: 'estado',
    label: 'Estado',
    render: (one) => <CashCountChip {...one} />,
  },
];

/** Leaves out empty numbers. @throws DomainError invalid, naming wrong numbers */
export function parsePieceCounts(form: Readonly<Record<string, string>>): PieceCounts {
  const pieces: Partial<Record<Denomination, number>> = {};
  const wrong: Record<string, string> = {};
  for (const one of DENOMINATIONS) {
    const typed = form[piecesFieldName(one)]?.trim() ?? '';
    if (typed === '') continue;
    if (/^\d{1,5}$/.test(typed)) pieces[one] = Number(typed);
    else wrong[piecesFieldName(one)] = texts.pieces(one);
  }
  const [first] = Object.values(wrong);
  if (first) throw new DomainError('invalid', first, { fields: wrong });
  return pieces;
}
