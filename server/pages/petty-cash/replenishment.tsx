import { sayDate } from '../../../shared/dates.ts';
import { mayEnter } from '../../../shared/roles.ts';
import { Button, LinkButton } from '../../../shared/ui/Button.tsx';
import { DataTable } from '../../../shared/ui/DataTable.tsx';
import { Field } from '../../../shared/ui/Field.tsx';
import { Pager } from '../../../shared/ui/Pager.tsx';
import { Totals } from '../../../shared/ui/Totals.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import { type AppContext, requireSession } from '../../http/session.ts';
import { getFund } from '../../services/petty-cash/reading.ts';
import { getReplenishment } from '../../services/petty-cash/requests.ts';
import { searchMovements } from '../../services/petty-cash/searching.ts';
import { requestPageShape } from '../../shapes/petty-cash.ts';
import { renderPage } from '../../shell/render.tsx';
import { Ask } from '../ui/ask.tsx';
import { asksReason, Reason } from '../ui/closed-period.tsx';
import { historyLink } from '../ui/history-link.tsx';
import { parseListQuery, rowsBefore, rowsOn } from '../ui/lists.tsx';
import type { FormState } from '../ui/record-form.tsx';
import { Refused } from '../ui/refused.tsx';
import { EXPENSE_COLUMNS } from './expense-columns.tsx';
import { ReplenishmentChip, requestName } from './replenishing-choice.tsx';

/** What was asked for and what it gives back, with the steps that its reader may take. */
export async function renderReplenishment(c: AppContext, id: number, state: FormState = { values: {} }) {
  const { db } = c.get('deps');
  const replenishment = await getReplenishment(db, id);
  const {
    fundId,
    tipo,
    concepto,
    fecha,
    estado,
    count,
    importeCents,
    requester,
    authorizer,
    comments,
    version,
  } = replenishment;
  const fund = await getFund(db, fundId);
  const page = state.problem ? {} : parseListQuery(c, requestPageShape);
  const { movements: expenses, cursor } = await searchMovements(db, {
    replenishmentId: id,
    tipo: 'gasto',
    limit: rowsOn(page),
    cursor: page.cursor,
  });
  const shown = rowsBefore(page) + expenses.length;
  const mayApprove = mayEnter('approval', requireSession(c).roles);
  const { problem, asked } = state;
  const step = (name: string) => pages.pettyCashReplenishmentStep(id, name);
  const isRefused = asked === step('autorizar');
  return renderPage(
    c,
    {
      title: requestName(replenishment),
      which: fund.nombre,
      status: state.status,
      actions: (
        <>
          <LinkButton href={pages.pettyCashFund(fundId)}>Ver la caja</LinkButton>
          {historyLink(c, 'petty-cash-replenishments', id)}
        </>
      ),
    },
    <div className="stack">
      <Refused problem={problem} />
      <p>
        <ReplenishmentChip estado={estado} /> La pidió {requester}, del {sayDate(fecha)}.
        {authorizer && ` La autorizó ${authorizer}.`}
        {fund.origenderecursonombre && ` Sale de ${fund.origenderecursonombre}.`}
      </p>
      {concepto && <p>{concepto}</p>}
      {comments && <p>{comments}</p>}
      <Totals label="Lo que se pidió" items={[{ label: 'Total', cents: importeCents }]} />
      {tipo === 'reposicion' && (
        <div id="results">
          <DataTable
            caption="Gastos que repone"
            columns={EXPENSE_COLUMNS}
            rows={expenses}
            rowKey={(one) => one.id}
            rowHref={(one) => pages.pettyCashMovement(one.id)}
          />
          <Pager
            shown={shown}
            total={count}
            noun={count === 1 ? 'gasto' : 'gastos'}
            href={cursor && withQuery(pages.pettyCashReplenishment(id), { cursor, shown })}
          />
        </div>
      )}
      {estado === 'solicitada' &&
        (mayApprove ? (
          <form method="post" action={step('autorizar')} className="form" data-busy="" noValidate>
            <input type="hidden" name="version" value={version} />
            <div className="fields">
              <Field
                name="fecha"
                label="Fecha en que entra el dinero"
                kind="date"
                value={isRefused ? state.values.fecha : c.get('today')}
                error={isRefused ? problem?.fields?.fecha : undefined}
              />
              {isRefused && asksReason(problem) && <Reason {...state} />}
            </div>
            <div className="form-actions">
              <Button look="primary" icon="check">
                Autorizar
              </Button>
            </div>
          </form>
        ) : (
          <p className="soft">La autoriza otra persona, de Dirección o Contabilidad.</p>
        ))}
      {estado === 'solicitada' && (mayApprove || tipo === 'reposicion') && (
        <Ask
          summary="Retirar la solicitud"
          question="¿Retirar la solicitud? Si es de gastos, se pueden pedir otra vez."
          action={step('retirar')}
          version={String(version)}
          button="Retirar"
          refused={state}
        />
      )}
      {estado === 'pagada' && mayApprove && (
        <Ask
          summary="Sacar el dinero de la caja"
          question="¿Sacar de la caja el dinero que entró? La solicitud vuelve a quedar por autorizar."
          action={step('deshacer')}
          button="Deshacer"
          refused={state}
        />
      )}
    </div>,
  );
}
