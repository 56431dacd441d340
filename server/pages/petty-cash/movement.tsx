import { kindName, MOVEMENT_KINDS, type Movement, type PettyCashFund } from '../../../shared/petty-cash.ts';
import { pettyCashTexts as texts } from '../../../shared/petty-cash-texts.ts';
import { mayEnter } from '../../../shared/roles.ts';
import { Button } from '../../../shared/ui/Button.tsx';
import { pages } from '../../../shared/urls.ts';
import { type AppContext, requireSession } from '../../http/session.ts';
import { listAttachments } from '../../services/attachments.ts';
import { getFund } from '../../services/petty-cash/reading.ts';
import { renderPage } from '../../shell/render.tsx';
import { Ask } from '../ui/ask.tsx';
import { Attachments } from '../ui/attachments-section.tsx';
import { historyLink } from '../ui/history-link.tsx';
import { type FormState, keyOf, newestOf } from '../ui/record-form.tsx';
import { renderMovementForm } from './form.tsx';
import { MovementFiles, MovementXml, namesOfSent } from './sent-files.tsx';

/** Its values name the kind of movement. */
export async function renderNewMovement(c: AppContext, fund: PettyCashFund, state: FormState) {
  const { idempotencyKey, problem } = keyOf(state, texts.alreadySaved);
  const tipo = MOVEMENT_KINDS.find((one) => one === state.values.tipo) ?? 'gasto';
  const form = await renderMovementForm(
    c.get('deps').db,
    { ...state, problem },
    {
      fund,
      tipo,
      action: pages.newPettyCashMovement(fund.id),
      back: pages.pettyCashFund(fund.id),
      hidden: { idempotencyKey, tipo },
      ...(tipo === 'gasto' && (await renderFiles(c, pages.readNewPettyCashXml(fund.id), state))),
    },
  );
  return renderPage(
    c,
    { title: NEW[tipo], which: fund.nombre, status: state.status },
    <div className="stack">
      {form}
      {tipo === 'gasto' && (
        <p className="note">
          ¿No es un gasto?{' '}
          {OTHERS.map((other, index) => (
            <span key={other}>
              {index > 0 && ' · '}
              <a href={`${pages.newPettyCashMovement(fund.id)}?tipo=${other}`}>{NEW[other]}</a>
            </span>
          ))}
        </p>
      )}
    </div>,
  );
}

const NEW = {
  gasto: 'Nuevo gasto',
  devolucion: 'Devolución al origen',
  apertura: 'Dinero que entra a la caja',
  ajuste: 'Ajuste',
  reposicion: 'Reposición',
} as const;

const OTHERS = ['devolucion', 'apertura', 'ajuste'] as const;

export async function renderMovement(c: AppContext, before: Movement, state: FormState) {
  const { db, config } = c.get('deps');
  const { row: movement, version } = newestOf(before, state);
  const fund = await getFund(db, movement.fundId);
  const { id, tipo, comprobarAntes } = movement;
  const form = await renderMovementForm(db, state, {
    fund,
    tipo,
    action: pages.pettyCashMovement(id),
    back: pages.pettyCashFund(fund.id),
    hidden: { version },
    stored: movement,
    ...(tipo === 'gasto' && (await renderFiles(c, pages.readPettyCashXml(id), state))),
  });
  const mayAccept = comprobarAntes !== null && mayEnter('approval', requireSession(c).roles);
  return renderPage(
    c,
    {
      title: `Editar ${kindName(tipo).toLowerCase()}`,
      which: fund.nombre,
      status: state.status,
      actions: historyLink(c, 'petty-cash-movements', id),
    },
    <div className="stack">
      {form}
      <form method="post" action={pages.deletePettyCashMovement(id)} data-busy="">
        <Button look="danger" icon="trash">
          Eliminar
        </Button>
      </form>
      {mayAccept && (
        <Ask
          summary="Aceptar sin comprobante"
          question="¿Aceptar que este gasto no tendrá comprobante? Queda por reponer, y en la bitácora quién lo aceptó."
          action={pages.acceptPettyCashMovement(id)}
          version={version}
          button="Aceptar"
          refused={state}
        />
      )}
      <Attachments
        address={pages.pettyCashAttachments(id)}
        whose="del movimiento"
        none="Todavía no hay archivos: la foto del ticket, el XML o el PDF."
        attachments={await listAttachments(db, { movementId: id })}
        timeZone={config.timeZone}
      />
    </div>,
  );
}

async function renderFiles(c: AppContext, reads: string, { values, problem }: FormState) {
  const sent = { values, errors: problem?.fields ?? {}, names: await namesOfSent(c, values) };
  return { files: <MovementFiles {...sent} />, xml: <MovementXml {...sent} reads={reads} /> };
}
