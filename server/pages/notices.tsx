import { Hono } from 'hono';
import { renderToStaticMarkup } from 'react-dom/server';
import { DomainError } from '../../shared/errors.ts';
import { ESTIMATED_MARK } from '../../shared/invoices-due.ts';
import { describePayment } from '../../shared/payments.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { EmptyState } from '../../shared/ui/EmptyState.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { pages } from '../../shared/urls.ts';
import { readForm, readRefererHref } from '../http/request.ts';
import { sendMarkup } from '../http/send.ts';
import { type AppContext, type AppEnv, actorOf, requireSession } from '../http/session.ts';
import { NOTICE_KEYS, type NoticeKey, type SnoozableNotice } from '../services/notices/notice.ts';
import { addNewestRow, parseNewestRow, snoozeNotice } from '../services/notices/snooze.ts';
import { readPaymentsDeletedByUser } from '../services/payments/reading.ts';
import { TaskAndNoticeRows } from '../shell/notice-rows.tsx';
import { readOwnTasksAndNotices, renderPage } from '../shell/render.tsx';
import { Bell } from '../shell/top-bar.tsx';

const SNOOZE_PATH = `${pages.notices}/posponer`;

export const noticePages = new Hono<AppEnv>({ strict: false })
  .get(pages.notices, (c) => showNotices(c))
  .get(pages.bell, async (c) =>
    sendMarkup(c, renderToStaticMarkup(<Bell content={await readOwnTasksAndNotices(c)} />)),
  )
  .post(SNOOZE_PATH, async (c) => {
    const { aviso, hasta, ...rest } = await readForm(c);
    const key = NOTICE_KEYS.find((one) => one === aviso);
    if (!key || !['manana', 'otra', 'nada'].includes(hasta ?? ''))
      throw new DomainError('malformed', 'No se entiende qué notificación se pospone.');
    const how = hasta === 'manana' ? 'day' : hasta === 'otra' ? parseNewestRow(rest) : undefined;
    await snoozeNotice(c.get('deps').db, requireSession(c).userId, c.get('today'), key, how);
    return c.redirect(readRefererHref(c) ?? pages.notices, 303);
  });

async function showNotices(c: AppContext): Promise<Response> {
  const { db } = c.get('deps');
  const bell = await readOwnTasksAndNotices(c, { includesSlow: true });
  const { tasks, notices, snoozed } = bell;
  const rows = await addNewestRow(db, notices, c.get('today'));
  const since = new Date(Date.parse(actorOf(c).at) - DELETION_UNDO_HOURS * 3_600_000).toISOString();
  const deleted = await readPaymentsDeletedByUser(db, requireSession(c).userId, since);
  return renderPage(
    c,
    { title: 'Notificaciones', bell },
    <>
      {tasks.length + rows.length === 0 && (
        <EmptyState title="Nada que atender">
          Aquí se avisa de lo que espera tu firma o tu pago, de lo que vence, de las facturas que se parecen a
          otra, de los REP que faltan y de los movimientos del banco sin resolver; a los administradores,
          también de los respaldos.
        </EmptyState>
      )}
      <TaskAndNoticeRows tasks={tasks} notices={rows} actions={(notice) => <SnoozeForm notice={notice} />} />
      {rows.some(({ label }) => label.endsWith(ESTIMATED_MARK)) && (
        <p className="note">{ESTIMATED_MARK} Con vencimientos estimados.</p>
      )}
      {deleted.length > 0 && (
        <section aria-labelledby="eliminados">
          <h2 id="eliminados">Pagos que eliminaste</h2>
          <ul className="notice-rows">
            {deleted.map((payment) => (
              <li key={payment.id}>
                <Icon name="trash" className="tone-info" />
                <div>{describePayment(payment)}</div>
                <form
                  method="post"
                  action={pages.restorePayment(payment.id)}
                  className="actions"
                  data-busy=""
                >
                  <Button look="quiet" icon="undo" aria-label={`Deshacer: ${describePayment(payment)}`}>
                    Deshacer
                  </Button>
                </form>
              </li>
            ))}
          </ul>
        </section>
      )}
      {snoozed.length > 0 && (
        <section aria-labelledby="pospuestas">
          <h2 id="pospuestas">Para después</h2>
          <TaskAndNoticeRows
            tasks={[]}
            notices={snoozed}
            actions={({ key, label }) => <ShowAgainForm aviso={key} label={label} />}
          />
        </section>
      )}
    </>,
  );
}

const DELETION_UNDO_HOURS = 24;

const SnoozeForm = ({ notice: { key, label, newest } }: { notice: SnoozableNotice }) => (
  <form method="post" action={SNOOZE_PATH} className="actions">
    <input type="hidden" name="aviso" value={key} />
    <input type="hidden" name="dia" value={newest.day} />
    <input type="hidden" name="id" value={newest.id} />
    <span aria-hidden="true">Recordarme</span>
    {Object.entries({ manana: 'mañana', otra: SNOOZE_UNTIL_TEXTS[key] }).map(([until, snoozeText]) => (
      <Button
        key={until}
        look="quiet"
        name="hasta"
        value={until}
        aria-label={`Recordarme ${snoozeText}: ${label}`}
      >
        {snoozeText}
      </Button>
    ))}
  </form>
);

const SNOOZE_UNTIL_TEXTS: Record<NoticeKey, string> = {
  vencidas: 'cuando venza otra',
  'esta-semana': 'cuando haya otra',
  parecidas: 'cuando haya otra',
  dobles: 'cuando haya otro',
  cancelados: 'cuando se cancele otra',
  lista69b: 'cuando haya otro',
  rep: 'cuando falte otro',
  comprobar: 'cuando venza otro',
  movimientos: 'cuando haya otro',
  respaldo: 'cuando haya otro y sea viejo',
  cierre: 'el mes que sigue',
  firmas: 'cuando haya otra',
  controles: 'cuando haya otro',
};

const ShowAgainForm = ({ aviso, label }: { aviso: NoticeKey; label: string }) => (
  <form method="post" action={SNOOZE_PATH} className="actions">
    <input type="hidden" name="aviso" value={aviso} />
    <Button look="quiet" name="hasta" value="nada" aria-label={`Mostrar otra vez: ${label}`}>
      Mostrar otra vez
    </Button>
  </form>
);
