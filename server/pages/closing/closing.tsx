import { Hono } from 'hono';
import { z } from 'zod';
import { formatDayAndMonth, formatLongDate, monthName, type PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import { describePeriod, monthPeriodOf, type Period, parseMonth } from '../../../shared/periods.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { exportPath, pages, withQuery } from '../../../shared/urls.ts';
import type { ListExport } from '../../formats/sheets/sheet.ts';
import { readForm } from '../../http/request.ts';
import { type AppContext, type AppEnv, readSettingsOnce } from '../../http/session.ts';
import { readExport } from '../../lists/read-export.ts';
import { balanceList, resultList } from '../../lists/reports.ts';
import { searchAudit } from '../../services/audit/reading.ts';
import {
  formatMonthAndYear,
  getMonthToClose,
  readClosingTasks,
} from '../../services/balances/closing-tasks.ts';
import { CLOSING_KEY } from '../../services/closing/closing.ts';
import { toAppliedFilters } from '../../services/exports/export-texts.ts';
import { joinExportsIntoPdf } from '../../services/exports/make-export.ts';
import { paidBySourceExport } from '../../services/exports/paid-by-source.ts';
import { changeSettings } from '../../services/settings/settings.ts';
import { monthField } from '../../shapes/fields.ts';
import { type FormRequest, type RefusedForm, redirectWithMessage, renderPage } from '../../shell/render.tsx';
import { answerExport } from '../ui/export-answers.tsx';
import { parseListQuery } from '../ui/list-layout.tsx';
import { handleFormWithPassword } from '../ui/password-form.tsx';
import type { FormState } from '../ui/record-form.tsx';
import { ClosingTasks, MonthChoiceForm, MonthClosingHistory, MonthClosingSteps } from './sections.tsx';

const TITLE = 'Cierre de mes';
const monthShape = z.strictObject({ mes: monthField('Mes') });

export const monthClosingPages = new Hono<AppEnv>({ strict: false })
  .get(pages.closing, (c) => renderMonthClosing(c, {}))
  .post(pages.closing, async (c) => {
    const form = await readForm(c);
    const month = parseMonth(form.mes);
    const confirmation = {
      form,
      title: month
        ? `Cerrar hasta el ${formatDayAndMonth(month.to)} de ${month.to.slice(0, 4)}`
        : 'Cerrar el mes',
      button: month ? `Cerrar ${monthName(month.to)}` : 'Cerrar',
      note: 'Después nadie podrá capturar ni cambiar nada con fecha anterior sin un motivo.',
      back: pages.closing,
    };
    const renderRefused = (_: AppContext, refused: RefusedForm) =>
      renderMonthClosing(c, { ...refused, month });
    return handleFormWithPassword(c, confirmation, renderRefused, async (posted) => {
      if (!month) throw new DomainError('malformed', 'No dice qué mes se cierra.');
      if (month.to >= c.get('today'))
        throw new DomainError('invalid', `El mes de ${formatMonthAndYear(month)} no ha terminado.`);
      await moveClosingDate(posted, month.to);
      return redirectWithMessage(
        c,
        pages.closing,
        `Se cerró el periodo hasta el ${formatLongDate(month.to)}.`,
      );
    });
  })
  .post(pages.reopening, (c) => {
    const confirmation = { title: 'Reabrir un periodo', button: 'Reabrir', back: pages.closing };
    const renderRefused = (_: AppContext, refused: RefusedForm) =>
      renderMonthClosing(c, { ...refused, stepAddress: c.req.path });
    return handleFormWithPassword(c, confirmation, renderRefused, async (posted) => {
      const until = posted.form.cierre?.trim() ?? '';
      await moveClosingDate(posted, until);
      const message = until
        ? `Ahora está cerrado hasta el ${formatLongDate(until)}.`
        : 'Ya no hay nada cerrado.';
      return redirectWithMessage(c, pages.closing, message);
    });
  })
  .get(exportPath(pages.closing, 'pdf'), (c) =>
    answerExport(c, { title: TITLE, format: 'pdf' }, async () =>
      readMonthExport(c, await readRequestedMonth(c)),
    ),
  );

/** Refuses the change as stale if the form showed another closing date (`antes`) than the present one. */
const moveClosingDate = ({ form, db, actor }: FormRequest, value: PlainDate | '') =>
  changeSettings(db, actor, [{ key: CLOSING_KEY, value, previous: form.antes }]);

async function readRequestedMonth(c: AppContext): Promise<Period> {
  const { mes } = parseListQuery(c, monthShape);
  if (mes) return monthPeriodOf(`${mes}-01`);
  const { cierre } = await readSettingsOnce(c);
  return getMonthToClose(cierre, c.get('today'));
}

interface MonthClosingPageState extends Partial<FormState> {
  month?: Period;
}

async function renderMonthClosing(c: AppContext, state: MonthClosingPageState): Promise<Response> {
  const { db, config } = c.get('deps');
  const today = c.get('today');
  const day = { today, timeZone: config.timeZone };
  const { cierre } = await readSettingsOnce(c);
  const month = state.month ?? (await readRequestedMonth(c));
  const items = await readClosingTasks(db, month, day);
  const history = await searchAudit(
    db,
    { entity: 'settings', entityId: CLOSING_KEY, limit: MAX_HISTORY_ENTRIES },
    config,
  );
  const { problem, status } = state;
  const pdf = withQuery(exportPath(pages.closing, 'pdf'), { mes: month.from.slice(0, 7) });
  return renderPage(
    c,
    {
      title: TITLE,
      subtitle: formatMonthAndYear(month),
      status,
      actions: (
        <LinkButton href={pdf} icon="export">
          PDF del mes
        </LinkButton>
      ),
    },
    <div className="stack">
      {problem && <Alert tone="error">{problem.message}</Alert>}
      <MonthClosingSteps month={month} closing={cierre} today={today} tasks={items} state={state} />
      <MonthChoiceForm month={month} today={today} />
      <ClosingTasks month={month} items={items} />
      {history.rows.length > 0 && <MonthClosingHistory entries={history.rows} timeZone={config.timeZone} />}
    </div>,
  );
}

const MAX_HISTORY_ENTRIES = 24;

async function readMonthExport(c: AppContext, month: Period): Promise<ListExport<unknown>> {
  const { db, config } = c.get('deps');
  const context = { db, today: c.get('today'), timeZone: config.timeZone, now: c.get('now') };
  const facts = toAppliedFilters({ 'Fecha de pago': describePeriod(month.from, month.to) });
  const parts = [
    await readExport(resultList, { desde: month.from, hasta: month.to }, context),
    await readExport(balanceList, { corte: month.to }, context),
    (await paidBySourceExport(db, month, facts)) as ListExport<unknown>,
  ];
  const title = `Cierre de ${formatMonthAndYear(month)}`;
  const named = { file: title, title, noun: ['reporte', 'reportes'] } as const;
  return joinExportsIntoPdf({ ...context, format: 'pdf' }, named, parts);
}
