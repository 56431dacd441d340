import { Hono } from 'hono';
import { INVERTED_PERIOD_TEXT } from '../../../shared/periods.ts';
import {
  defaultFundPeriod,
  FUND_FIELDS,
  type FundRow,
  type Movement,
  type PettyCashFund,
} from '../../../shared/petty-cash.ts';
import { pettyCashTexts as texts } from '../../../shared/petty-cash-texts.ts';
import { mayEnter } from '../../../shared/roles.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { ExportLinks } from '../../../shared/ui/ExportLinks.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import { ID_SEGMENT, idInPath, writeOnce } from '../../http/request.ts';
import { type AppContext, type AppEnv, actorOf, requireSession } from '../../http/session.ts';
import { fundList } from '../../lists/petty-cash.ts';
import { getPageShape } from '../../lists/query-shapes.ts';
import { requireApprover } from '../../services/payment-batches/stages.ts';
import { readFundStatement } from '../../services/petty-cash/fund-statement.ts';
import { createFund, deleteFund, updateFund } from '../../services/petty-cash/funds.ts';
import { getFund, getFundRow, listFunds, sortFunds } from '../../services/petty-cash/reading.ts';
import { parseShape } from '../../shapes/fields.ts';
import {
  fundChangeShape,
  fundStatementPageQueryShape,
  newFundShape,
  resolveFundPeriod,
  toFundFieldValues,
} from '../../shapes/petty-cash.ts';
import { handleForm, redirectWithMessage, renderPage } from '../../shell/render.tsx';
import { ConfirmStep } from '../ui/confirm-step.tsx';
import {
  countPrintedBefore,
  countRowsBefore,
  pageSize,
  parseListQuery,
  renderListOrFragment,
  showListOrError,
} from '../ui/list-layout.tsx';
import { readFields } from '../ui/posted-fields.ts';
import {
  createEditPage,
  type FormState,
  parseVersion,
  pickNewestRow,
  prepareIdempotencyKey,
} from '../ui/record-form.tsx';
import { type RefusedStep, RefusedStepNotice } from '../ui/refusal-reason.tsx';
import { NewExpenseLinks } from './expense-uploads.tsx';
import { fundTextsOf, NEW_FUND_FIELDS, renderFundForm } from './form.tsx';
import { FundFacts, FundFigures, FundStatementTable, PeriodLinks } from './fund-statement.tsx';
import { FundList, FundStateTabs } from './list.tsx';

const TITLE = 'Caja chica';

export const pettyCashPages = new Hono<AppEnv>({ strict: false })
  .get(pages.pettyCash, (c) => showFunds(c))
  .get(pages.newPettyCashFund, (c) => {
    requireApprover(actorOf(c));
    return renderNew(c, { values: { openedOn: c.get('today') } });
  })
  .post(pages.newPettyCashFund, (c) => {
    requireApprover(actorOf(c));
    return handleForm(c, renderNew, async ({ form, db, actor }) => {
      const fields = parseShape(newFundShape, await readFields(db, NEW_FUND_FIELDS, form));
      const fund = await writeOnce(c, form, async (trx) => {
        const { id } = await createFund(trx, actor, toFundFieldValues(fields), fields.apertura);
        return getFundRow(trx, id, c.get('today'));
      });
      return redirectWithMessage(
        c,
        pages.pettyCashFund(fund.id),
        withPendingApprovalNote(texts.opened(fund.nombre), fund),
      );
    });
  })
  .get(pages.pettyCashFund(ID_SEGMENT), (c) => showFund(c))
  .get(pages.editPettyCashFund(ID_SEGMENT), (c) => fundEditPage.show(c))
  .post(pages.editPettyCashFund(ID_SEGMENT), (c) =>
    fundEditPage.handleForm(c, async (fund, { form, db, actor }) => {
      const sent = await readFields(db, FUND_FIELDS, form, { previous: fund });
      const fields = parseShape(fundChangeShape, { ...sent, version: form.version });
      await updateFund(db, actor, fund.id, toFundFieldValues(fields), fields.version);
      const after = await getFundRow(db, fund.id, c.get('today'));
      return redirectWithMessage(
        c,
        pages.pettyCashFund(fund.id),
        withPendingApprovalNote(texts.fundUpdated(after.nombre), after),
      );
    }),
  )
  .post(pages.deletePettyCashFund(ID_SEGMENT), (c) =>
    fundEditPage.handleStep(c, async ({ id, nombre }, { form, db, actor }) => {
      await deleteFund(db, actor, id, parseVersion(form.version));
      return redirectWithMessage(c, pages.pettyCash, texts.fundDeleted(nombre));
    }),
  );

const fundEditPage = createEditPage<PettyCashFund>({
  read(c) {
    requireApprover(actorOf(c));
    return getFund(c.get('deps').db, idInPath(c));
  },
  render: renderEdit,
  toTexts: fundTextsOf,
});

/** States a period in the address if the default period does not include the movement. */
export function fundHrefForMovement(
  c: AppContext,
  { fundId, fecha }: Pick<Movement, 'fundId' | 'fecha'>,
): string {
  const { from, to } = defaultFundPeriod(c.get('today'));
  const isShown = fecha >= from && fecha <= to;
  const period = { desde: fecha < from ? fecha : from, hasta: fecha > to ? fecha : to };
  return withQuery(pages.pettyCashFund(fundId), isShown ? {} : period);
}

export function showFund(c: AppContext, refused?: RefusedStep, id?: number) {
  const options = {
    title: TITLE,
    loadFailed: 'Ocurrió un error al cargar la caja chica.',
    address: pages.pettyCash,
  };
  return showListOrError(c, { ...options, status: refused?.status }, async () => {
    const { db } = c.get('deps');
    const today = c.get('today');
    const fund = await getFundRow(db, id ?? idInPath(c), today);
    const list = pages.pettyCashFund(fund.id);
    const query = refused ? {} : parseListQuery(c, fundStatementPageQueryShape);
    const { sentido, cursor } = query;
    const period = resolveFundPeriod(query, today);
    const isInverted = period.from > period.to;
    return renderListOrFragment(
      c,
      {
        title: fundTitle(fund),
        status: isInverted ? 400 : refused?.status,
        actions: (
          <>
            <ExportLinks
              list={list}
              defaultFormat="pdf"
              query={{ desde: period.from, hasta: period.to, sentido }}
              acts={fund.closedOn === null ? listOpenFundActions(fund) : []}
            />
            {fund.closedOn === null && <NewExpenseLinks fund={fund} look="primary" />}
          </>
        ),
      },
      {
        alert: refused && <RefusedStepNotice {...refused} action={c.req.path} />,
        renderFilter: async () => (
          <>
            <FundFigures fund={fund} today={today} />
            <PeriodLinks fund={fund} period={period} today={today} sentido={sentido}>
              <FundFacts fund={fund} mayEdit={fund.closedOn === null && mayApprove(c)} />
            </PeriodLinks>
          </>
        ),
        results: isInverted ? (
          <Alert tone="error">{INVERTED_PERIOD_TEXT}</Alert>
        ) : (
          <FundStatementTable
            fund={fund}
            period={period}
            sentido={sentido}
            today={today}
            before={countRowsBefore(query)}
            printedBefore={countPrintedBefore(c, query)}
            statement={await readFundStatement(db, fund, period, { limit: pageSize(query), cursor, sentido })}
          />
        ),
      },
    );
  });
}

const listOpenFundActions = ({ id }: PettyCashFund) => [
  { text: 'Arqueo', href: pages.pettyCashCounts(id) },
  { text: 'Reponer', href: pages.pettyCashReplenishments(id) },
];

const mayApprove = (c: AppContext) => mayEnter('approval', requireSession(c).roles);

const withPendingApprovalNote = (message: string, { porAutorizarCents }: FundRow) =>
  porAutorizarCents > 0 ? `${message} ${texts.waiting(porAutorizarCents)}` : message;

const fundTitle = ({ nombre: name }: Pick<PettyCashFund, 'nombre'>) =>
  /^caja/i.test(name) ? name : `${TITLE}: ${name}`;

export async function showFunds(c: AppContext, refused?: RefusedStep) {
  const query = refused ? {} : parseListQuery(c, getPageShape(fundList));
  const { estado: state = 'abiertas', sortfield = 'nombre' } = query;
  const order = { sort: sortfield, direction: query.sorttype };
  const funds = sortFunds(await listFunds(c.get('deps').db, c.get('today'), state), order);
  const open = mayApprove(c) && (
    <LinkButton href={pages.newPettyCashFund} look="primary" icon="plus" data-new="">
      Abrir caja
    </LinkButton>
  );
  return renderPage(
    c,
    {
      title: TITLE,
      actions: funds.length > 0 && (
        <>
          <ExportLinks
            list={pages.pettyCash}
            defaultFormat="xlsx"
            query={{ ...query, estado: state }}
            acts={[{ text: 'Movimientos', href: pages.pettyCashMovements }]}
          />
          {open}
        </>
      ),
      status: refused?.status,
    },
    <>
      {refused && <RefusedStepNotice {...refused} action={c.req.path} />}
      <FundStateTabs state={state} />
      <FundList
        funds={funds}
        state={state}
        query={{ ...query, sortfield }}
        today={c.get('today')}
        openFundAction={open}
      />
    </>,
  );
}

async function renderNew(c: AppContext, state: FormState) {
  const { idempotencyKey } = prepareIdempotencyKey(state);
  const form = await renderFundForm(c.get('deps').db, state, {
    action: pages.newPettyCashFund,
    back: pages.pettyCash,
    hidden: { idempotencyKey },
  });
  return renderPage(c, { title: 'Abrir caja', status: state.status }, <div className="stack">{form}</div>);
}

async function renderEdit(c: AppContext, before: PettyCashFund, state: FormState) {
  const { row: fund, version } = pickNewestRow(before, state);
  const form = await renderFundForm(c.get('deps').db, state, {
    action: pages.editPettyCashFund(fund.id),
    back: pages.pettyCashFund(fund.id),
    hidden: { version },
    stored: fund,
  });
  return renderPage(
    c,
    { title: 'Editar caja', subtitle: fund.nombre, status: state.status },
    <div className="stack">
      {form}
      <p className="note">
        Si pasa a otra persona con dinero: <a href={pages.handOverPettyCashFund(fund.id)}>Entregar caja</a>,
        que lo cuenta. Si ya no se usa: <a href={pages.closePettyCashFund(fund.id)}>Cerrar caja</a>.
      </p>
      <ConfirmStep
        summary="Eliminar la caja chica"
        question={`¿Eliminar la caja chica «${fund.nombre}»? No se puede deshacer.`}
        action={pages.deletePettyCashFund(fund.id)}
        version={version}
        button="Eliminar"
        refused={state}
      />
    </div>,
  );
}
