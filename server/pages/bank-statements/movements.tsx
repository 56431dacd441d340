import { Hono } from 'hono';
import {
  type BankMovement,
  describeResolution,
  isOpenOutcome,
  bankStatementTexts as texts,
} from '../../../shared/bank-statements.ts';
import { pluralize } from '../../../shared/counts.ts';
import { formatDate } from '../../../shared/dates.ts';
import { formatMoney } from '../../../shared/money.ts';
import { createRefusal, throwIfRefused } from '../../../shared/refusal.ts';
import { mayEnter } from '../../../shared/roles.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { Facts } from '../../../shared/ui/Facts.tsx';
import { Totals } from '../../../shared/ui/Totals.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import { ID_SEGMENT, idInPath, readFormWithLists } from '../../http/request.ts';
import { type AppContext, type AppEnv, actorOf, requireSession } from '../../http/session.ts';
import { deleteRule } from '../../services/bank-statements/classification-rules.ts';
import { markMovementReturned } from '../../services/bank-statements/import-statement.ts';
import {
  findNextOpenMovement,
  getMovement,
  sumBankStatement,
  summarizeOpenMovements,
} from '../../services/bank-statements/reading.ts';
import {
  reopenMovement,
  resolveMovement,
  undoCapture,
  undoClassificationAndRule,
} from '../../services/bank-statements/resolving.ts';
import { requireApprover } from '../../services/payment-batches/stages.ts';
import { resolveMovementShape, toResolutionInput } from '../../shapes/bank-statements.ts';
import { parseId, parseShape } from '../../shapes/fields.ts';
import { handleForm, handleParsedForm, redirectWithMessage, renderPage } from '../../shell/render.tsx';
import { ConfirmStep } from '../ui/confirm-step.tsx';
import { resolvePickedInvoiceId } from '../ui/pickers.ts';
import type { FormState } from '../ui/record-form.tsx';
import { LinkedProblemAlert } from '../ui/refusal-reason.tsx';
import { listMatchedRecordLinks, openMovementsHref } from './resolution-links.tsx';
import { PAYMENT_CAPTURE_FIELDS, renderResolutionOptions } from './resolution-options.tsx';

export const bankMovementPages = new Hono<AppEnv>({ strict: false })
  .get(pages.bankMovement(ID_SEGMENT), (c) => {
    const { busca } = c.req.query();
    const pagos = (c.req.queries('pagos') ?? []).join(',');
    return renderMovement(c, { values: busca === undefined ? {} : { busca, pagos } });
  })
  .post(pages.bankMovementStep(ID_SEGMENT, 'resolver'), async (c) => {
    const { fields, lists } = await readFormWithLists(c, ['pagos', 'facturaproveedorId', 'importe']);
    const [importe = ''] = fields.facturas ? lists.importe : [];
    const values = { ...fields, importe, pagos: lists.pagos.join(',') };
    return handleParsedForm(c, values, renderMovement, async ({ db, actor }) => {
      requireApprover(actor);
      if (fields.siempre?.trim() === '') {
        const { descripcion } = await getMovement(db, idInPath(c));
        throwIfRefused(createRefusal(texts.ruleText(descripcion), 'siempre'));
      }
      const typed = (fields.facturas ?? '').split(',').filter((number) => number.trim() !== '');
      const invoiceIds = [...lists.facturaproveedorId];
      for (const numfactura of typed) invoiceIds.push((await resolvePickedInvoiceId(db, { numfactura }))!);
      if (invoiceIds.length > 1 && importe.trim()) throwIfRefused(createRefusal(texts.oneAmount, 'importe'));
      const facturas = invoiceIds.map((id, index) => ({
        facturaproveedorId: id,
        importe: lists.importe[index],
        importebanco: fields.importebanco || undefined,
      }));
      const body = parseShape(resolveMovementShape, {
        ...(lists.pagos.length > 0 && { pagos: lists.pagos }),
        ...(facturas.length > 0 && { facturas }),
        reposicionId: fields.reposicionId,
        movimientocajaId: fields.movimientocajaId,
        clase: fields.clase || undefined,
        siempre: fields.clase ? fields.siempre : undefined,
      });
      const version = parseId(fields.version, 'Versión');
      const options = { version, allowProgrammed: fields.allowProgrammed !== undefined };
      const { movement, classifiedCount, warnings } = await resolveMovement(
        db,
        actor,
        idInPath(c),
        toResolutionInput(body),
        options,
      );
      const next = await findNextOpenMovement(db, movement);
      const message = {
        text: [texts.resolved(movement, classifiedCount), next === undefined && texts.nothingOpen]
          .filter(Boolean)
          .join(' '),
        // After a capture the message has no link: Deshacer leads back to the movement, too, and on a phone it would
        // cover the link.
        ...(movement.outcome !== 'capturado' && {
          about: { href: pages.bankMovement(movement.id), link: 'Ver ese movimiento' },
        }),
        undo: withQuery(pages.bankMovementStep(movement.id, 'soltar'), {
          siempre: body.siempre ? Date.parse(actor.at) : undefined,
          capturado: movement.outcome === 'capturado' ? 1 : undefined,
        }),
        warnings,
      };
      const to = next === undefined ? pages.bankStatement(movement.statementId) : pages.bankMovement(next);
      return redirectWithMessage(c, to, message);
    });
  })
  .post(pages.bankMovementStep(ID_SEGMENT, 'devolver'), (c) =>
    handleForm(
      c,
      (c, refused) => renderMovement(c, { ...refused, stepAddress: c.req.path }),
      async ({ db, actor }) => {
        const { id } = await markMovementReturned(db, actor, idInPath(c));
        return redirectWithMessage(c, pages.bankStatement(id), texts.returned);
      },
    ),
  )
  .post(pages.bankMovementStep(ID_SEGMENT, 'soltar'), (c) =>
    handleForm(c, renderMovement, async ({ db, actor }) => {
      const [id, pressed] = [idInPath(c), Number(c.req.query('siempre'))];
      const text = c.req.query('capturado')
        ? texts.captureUndone(await undoCapture(db, actor, id))
        : pressed
          ? texts.ruleUndone(
              (await undoClassificationAndRule(db, actor, id, new Date(pressed).toISOString()))
                .classifiedCount,
            )
          : texts.released((await reopenMovement(db, actor, id)).keptPaymentIds);
      return redirectWithMessage(c, pages.bankMovement(id), text);
    }),
  )
  .post(pages.deleteBankRule(ID_SEGMENT), async (c) => {
    await deleteRule(c.get('deps').db, actorOf(c), idInPath(c));
    return redirectWithMessage(c, pages.bankStatements, texts.ruleDeleted);
  });

async function renderMovement(c: AppContext, state: FormState): Promise<Response> {
  const { db } = c.get('deps');
  const movement = await getMovement(db, idInPath(c));
  const { statementId, origenderecursoId, fecha, amountCents, referencia, descripcion } = movement;
  const isOpen = isOpenOutcome(movement.outcome);
  const open = await summarizeOpenMovements(db, origenderecursoId);
  const { openIn, openOut } = await sumBankStatement(db, statementId);
  const ofStatement = openIn + openOut;
  const next = open.count > (isOpen ? 1 : 0) ? await findNextOpenMovement(db, movement) : undefined;
  return renderPage(
    c,
    {
      title: 'Movimiento del banco',
      subject: `${formatMoney(amountCents)}, ${formatDate(fecha)}`,
      status: state.status,
      back: { href: pages.bankStatement(statementId), text: 'Estado de cuenta' },
      actions: next !== undefined && (
        <LinkButton href={pages.bankMovement(next)}>Siguiente abierto</LinkButton>
      ),
    },
    <div className="stack">
      {state.problem && <LinkedProblemAlert problem={state.problem} fields={PAYMENT_CAPTURE_FIELDS} />}
      <Totals
        label="Importe"
        items={[{ label: amountCents < 0 ? 'Salió' : 'Entró', cents: Math.abs(amountCents) }]}
      />
      <Facts
        look="of-batch"
        facts={{
          Descripción: descripcion,
          Referencia: referencia,
          Fecha: <DateText date={fecha} />,
          Cuenta: movement.origenderecursonombre,
          Resultado: (
            <Chip tone={isOpen ? 'warn' : 'done'}>{isOpen ? 'Abierto' : describeResolution(movement)}</Chip>
          ),
          'Abiertos de esta cuenta': open.count > 0 && (
            <a href={openMovementsHref(statementId)}>
              {pluralize(open.count, 'movimiento', 'movimientos')}
              {ofStatement < open.count && `, ${ofStatement} en este estado`}
            </a>
          ),
        }}
      />
      {!mayEnter('approval', requireSession(c).roles) ? (
        <MatchedRecordLinks movement={movement} />
      ) : isOpen ? (
        await renderResolutionOptions(c, movement, state)
      ) : (
        <>
          <MatchedRecordLinks movement={movement} />
          {movement.outcome === 'pagado' ? (
            <ConfirmStep
              summary="Marcar como devuelto"
              question="¿Marcarlo como devuelto? Lo que pagó vuelve a deberse, como cuando el banco lo devuelve."
              action={pages.bankMovementStep(movement.id, 'devolver')}
              button="Marcar como devuelto"
              reasonFieldId="motivo-devuelto"
              refused={state}
            />
          ) : (
            movement.batchId === null && (
              <ConfirmStep
                summary="Soltar"
                question="¿Soltar este movimiento? Queda abierto; los pagos que se capturaron de él se quedan."
                action={pages.bankMovementStep(movement.id, 'soltar')}
                button="Soltar"
                refused={state}
              />
            )
          )}
        </>
      )}
    </div>,
  );
}

const MatchedRecordLinks = ({ movement }: { movement: BankMovement }) => (
  <ul>
    {listMatchedRecordLinks(movement).map(({ href, text }) => (
      <li key={href}>
        <a href={href}>{text}</a>
      </li>
    ))}
  </ul>
);
