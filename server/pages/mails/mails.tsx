import { Hono } from 'hono';
import { formatMoment } from '../../../shared/dates.ts';
import { mayEnter } from '../../../shared/roles.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import { requireMailEnabled } from '../../http/mailing.ts';
import { ID_SEGMENT, idInPath } from '../../http/request.ts';
import { type AppContext, type AppEnv, requireSession } from '../../http/session.ts';
import { mailList } from '../../lists/mails.ts';
import { retryMail } from '../../services/mails/delivering.ts';
import { MAIL_STATE_LABELS, type Mail, mailTexts as texts } from '../../services/mails/mail.ts';
import { countMails, searchMails } from '../../services/mails/reading.ts';
import { handleForm, redirectWithMessage } from '../../shell/render.tsx';
import { showList } from '../ui/list-page.tsx';
import type { RefusedStep } from '../ui/refusal-reason.tsx';
import { StepButton } from '../ui/step-bar.tsx';

export const mailPages = new Hono<AppEnv>({ strict: false })
  .get(pages.mails, (c) => showMails(c))
  .post(pages.retryMail(ID_SEGMENT), (c) =>
    handleForm(
      c,
      (_, refused) => showMails(c, { ...refused, buttonLabel: 'Reintentar' }),
      async ({ db, actor }) => {
        requireMailEnabled(c);
        await retryMail(db, actor, idInPath(c));
        return redirectWithMessage(c, pages.mails, texts.retried);
      },
    ),
  );

const showMails = (c: AppContext, refused?: RefusedStep) =>
  showList(
    c,
    mailList,
    {
      read: async (_, search) => ({
        ...(await searchMails(c.get('deps').db, search)),
        count: await countMails(c.get('deps').db, search),
      }),
      columns: () => [
        {
          key: 'suppliername',
          label: 'Proveedor',
          className: 'wraps names',
          card: 'title',
          render: ({ supplierId, suppliername }) => (
            <a href={`${pages.editSupplier}/${supplierId}`}>{suppliername}</a>
          ),
          textBelow: ({ para }) => para,
        },
        ...mailColumns(c).filter(({ key }) => key !== 'para'),
        {
          key: 'acts',
          label: 'Acciones',
          card: 'actions',
          className: 'btn-text',
          render: ({ id, estado, asunto, suppliername }) =>
            estado === 'fallo' && (
              <StepButton
                look="quiet"
                action={pages.retryMail(id)}
                label={`Reintentar: ${asunto} a ${suppliername}`}
              >
                Reintentar
              </StepButton>
            ),
        },
      ],
      noMatches: {
        title: 'Ningún correo con este filtro',
        hint: 'Prueba con otro estado o con otro proveedor.',
      },
      empty: {
        title: 'Todavía no hay correos',
        hint: c.get('deps').config.mail
          ? 'Se envían desde el estado de cuenta de un proveedor, un pago o una programación pagada.'
          : texts.off,
        action: <LinkButton href={pages.payments}>Ir a pagos</LinkButton>,
      },
    },
    refused,
  );

const mailColumns = (c: AppContext): Column<Mail>[] => {
  const { timeZone } = c.get('deps').config;
  const momentText = (at: string) => formatMoment(new Date(at), timeZone);
  return [
    { key: 'estado', label: 'Estado', card: 'corner', render: ({ estado }) => <MailChip state={estado} /> },
    { key: 'para', label: 'Para', card: 'line', className: 'wraps' },
    {
      key: 'asunto',
      label: 'Asunto',
      card: 'line',
      cardLabel: () => '',
      className: 'wraps',
      render: ({ asunto, estado, respuesta, proximo, supplierId }) => (
        <>
          {asunto}
          {respuesta && estado !== 'enviado' && (
            <div className="hint" title={respuesta}>
              {proximo && `Se intenta otra vez el ${momentText(proximo)}. `}
              {describeMailServerAnswer(respuesta)}
              {reportsUnknownAddress(respuesta) && (
                <>
                  {' '}
                  <a href={`${pages.editSupplier}/${supplierId}`}>Corregirla en el proveedor</a>
                </>
              )}
            </div>
          )}
        </>
      ),
    },
    {
      key: 'createdAt',
      label: 'Pedido',
      card: 'foot',
      render: ({ createdAt }) => <time dateTime={createdAt}>{momentText(createdAt)}</time>,
      textBelow: ({ username }) => username,
    },
    { key: 'intentos', label: 'Intentos', align: 'end', card: 'none' },
  ];
};

/** A code of RFC 3463 in words; other answers are shown as the server worded them. */
const describeMailServerAnswer = (answer: string): string =>
  reportsUnknownAddress(answer)
    ? 'La dirección no existe.'
    : /^4\d\d 4\.7\.1\b/.test(answer)
      ? 'El servidor del proveedor pidió esperar.'
      : /^\d/.test(answer)
        ? `El servidor de correo respondió: ${answer}`
        : answer;

const reportsUnknownAddress = (answer: string): boolean => /^5\d\d 5\.1\.[1-3]\b/.test(answer);

const CHIP_TONES_AND_MARKS = {
  espera: { tone: 'neutral', mark: 'open' },
  enviado: { tone: 'done', mark: 'full' },
  fallo: { tone: 'danger', mark: 'late' },
} as const;

const MailChip = ({ state }: { state: Mail['estado'] }) => (
  <Chip {...CHIP_TONES_AND_MARKS[state]}>{MAIL_STATE_LABELS[state]}</Chip>
);

const MAX_SUPPLIER_MAILS = 5;

/** @returns null where the user may not see sent mails, or where none was sent to this supplier */
export async function renderSupplierMails(c: AppContext, supplierId: number) {
  const { db } = c.get('deps');
  if (!mayEnter('mail', requireSession(c).roles)) return null;
  const { rows } = await searchMails(db, { supplierId, direction: 'desc', limit: MAX_SUPPLIER_MAILS });
  if (rows.length === 0) return null;
  const count = await countMails(db, { supplierId });
  return (
    <section>
      <h2>Correos</h2>
      <DataTable caption="Los últimos correos" columns={mailColumns(c)} rows={rows} rowKey={({ id }) => id} />
      <p className="note">
        <a href={withQuery(pages.mails, { supplierId })}>
          {count === 1 ? 'Ver el correo' : `Ver los ${count} correos`}
        </a>
      </p>
    </section>
  );
}
