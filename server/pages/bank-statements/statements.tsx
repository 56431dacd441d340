import { Hono } from 'hono';
import { formatWeekDays } from '../../../shared/balances.ts';
import {
  BANK_STATEMENT_SORTS,
  type BankRule,
  type BankStatement,
  MOVEMENT_CLASS_LABELS,
  missingBankStatementFieldsError,
  bankStatementTexts as texts,
} from '../../../shared/bank-statements.ts';
import { formatCount, pluralize } from '../../../shared/counts.ts';
import { formatDate } from '../../../shared/dates.ts';
import { parseMoney } from '../../../shared/money.ts';
import { BATCH_FIELDS } from '../../../shared/payment-batches.ts';
import type { RecordField } from '../../../shared/record-fields.ts';
import { mayEnter } from '../../../shared/roles.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { Button, LinkButton } from '../../../shared/ui/Button.tsx';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { Disclosure } from '../../../shared/ui/Disclosure.tsx';
import { Field } from '../../../shared/ui/Field.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { pages } from '../../../shared/urls.ts';
import { ID_SEGMENT, idInPath } from '../../http/request.ts';
import { type AppContext, type AppEnv, actorOf, requireSession } from '../../http/session.ts';
import { readUploadForm } from '../../http/uploads.ts';
import { readRules } from '../../services/bank-statements/classification-rules.ts';
import {
  importBankStatementFile,
  MAX_BANK_STATEMENT_MB,
} from '../../services/bank-statements/import-statement.ts';
import {
  countBankStatements,
  getBankStatement,
  listBankStatements,
  type PeriodAndOpenCount,
  readPeriodsAndOpenCounts,
  summarizeOpenMovements,
} from '../../services/bank-statements/reading.ts';
import { requireApprover } from '../../services/payment-batches/stages.ts';
import { idsOf } from '../../services/stored-rows.ts';
import { sortOrderShape } from '../../shapes/fields.ts';
import { redirectWithMessage, renderPage, saveOrRerender } from '../../shell/render.tsx';
import { FileField } from '../ui/file-field.tsx';
import { addSortLinks, listHref, parseListQuery } from '../ui/list-layout.tsx';
import { LongTable, readFirstRowIndex } from '../ui/long-table.tsx';
import { readFields } from '../ui/posted-fields.ts';
import { renderControls } from '../ui/record-fields.tsx';
import type { FormState } from '../ui/record-form.tsx';
import { openMovementsHref } from './resolution-links.tsx';
import { importDayOf, renderStatement } from './statement.tsx';

const STATEMENTS_ON_PAGE = 20;

const TITLE = 'Estados de cuenta del banco';
const CLOSING_BALANCE_FIELDS = [
  {
    name: 'saldofinal',
    label: 'Saldo final',
    kind: 'money',
    canBeNone: true,
  },
] as const satisfies readonly RecordField[];
const FUNDING_SOURCE_FIELDS = BATCH_FIELDS.filter(({ name }) => name === 'origenderecursoId');

export const bankStatementPages = new Hono<AppEnv>({ strict: false })
  .get(pages.bankStatements, (c) => renderList(c, { values: {} }))
  .post(pages.loadBankStatement, async (c) => {
    let values: FormState['values'] = {};
    return saveOrRerender(
      c,
      async () => {
        requireApprover(actorOf(c));
        const { fields, files } = await readUploadForm(c, MAX_BANK_STATEMENT_MB);
        values = fields;
        const { db } = c.get('deps');
        const { origenderecursoId } = await readFields(db, FUNDING_SOURCE_FIELDS, fields, {});
        const { saldofinal } = await readFields(db, CLOSING_BALANCE_FIELDS, fields);
        const { file } = files;
        if (!origenderecursoId || !file) throw missingBankStatementFieldsError(!origenderecursoId, !file);
        const sent = {
          ...{ origenderecursoId: Number(origenderecursoId), cuenta: fields.cuenta, ...file },
          saldofinalCents: saldofinal?.trim() ? parseMoney(saldofinal, 'Saldo final', 'saldofinal') : null,
        };
        const outcome = await importBankStatementFile(db, actorOf(c), sent, c.req.raw.signal);
        const { saldorenglon } = await getBankStatement(db, outcome.statementId, {
          from: 0,
          maxMovements: 1,
        });
        const ownWarning = saldorenglon !== null && texts.balanceBroken(saldorenglon); // the page shows it anyway
        const warnings = outcome.warnings.filter((one) => one !== ownWarning);
        const message = { text: texts.loaded(outcome), warnings };
        return redirectWithMessage(c, pages.bankStatement(outcome.statementId), message);
      },
      (problem, status) => renderList(c, { values, problem, status }),
    );
  })
  .get(pages.bankStatement(ID_SEGMENT), (c) => renderStatement(c, idInPath(c)));

async function renderList(c: AppContext, { values, problem, status }: FormState) {
  const { db } = c.get('deps');
  const errors = problem?.fields ?? {};
  const order = parseListQuery(c, sortOrderShape(BANK_STATEMENT_SORTS));
  const from = readFirstRowIndex(c);
  const statements = await listBankStatements(db, STATEMENTS_ON_PAGE, {
    sort: order.sortfield,
    direction: order.sorttype,
    openFirst: order.sortfield === undefined,
    offset: from,
  });
  const shown = from + statements.length;
  const summaries = await readPeriodsAndOpenCounts(db, idsOf(statements));
  const rules = await readRules(db);
  const { count, firstId } = await summarizeOpenMovements(db);
  const mayApprove = mayEnter('approval', requireSession(c).roles);
  const list = { page: pages.bankStatements, sorts: BANK_STATEMENT_SORTS };
  return renderPage(
    c,
    {
      title: TITLE,
      status,
      actions: (
        <>
          {mayApprove && firstId !== undefined && (
            <LinkButton href={pages.bankMovement(firstId)} look="primary">
              {count === 1 ? 'Resolver el abierto' : `Resolver ${formatCount(count)} abiertos`}
            </LinkButton>
          )}
          {mayEnter('admin', requireSession(c).roles) && (
            <LinkButton href={pages.settingsOfBanks} look="quiet" icon="settings">
              Archivos de bancos
            </LinkButton>
          )}
        </>
      ),
    },
    <div className="stack">
      {problem && <Alert tone="error">{problem.message}</Alert>}
      {mayApprove && (
        <Disclosure
          summary="Cargar un estado de cuenta"
          isOpen={problem !== undefined || statements.length === 0}
        >
          <form
            method="post"
            action={pages.loadBankStatement}
            encType="multipart/form-data"
            className="form"
            data-busy=""
            noValidate
          >
            <p className="note">
              Lo que el banco pagó de las programaciones enviadas queda pagado con su fecha; lo que devolvió
              vuelve a deberse. Se reconoce por el importe junto con la referencia o la CLABE. Cargar dos
              veces el mismo movimiento no paga dos veces.
            </p>
            <div className="fields">
              {await renderControls(db, FUNDING_SOURCE_FIELDS, { values, errors })}
              <FileField
                name="file"
                label="Archivo del banco"
                accept=".csv,.txt,.xlsx"
                hint="CSV, TXT o Excel como lo da el banco, con cargos y abonos aparte o con su signo; hasta 20,000 renglones."
                error={errors.file}
              />
            </div>
            <Disclosure
              summary="Si el archivo trae varias cuentas, o ningún saldo"
              isOpen={Boolean(values.cuenta || values.saldofinal || errors.saldofinal)}
            >
              <div className="fields">
                <Field name="cuenta" label="Cuenta" value={values.cuenta} maxLength={60} />
                {await renderControls(db, CLOSING_BALANCE_FIELDS, { values, errors })}
              </div>
            </Disclosure>
            <div className="form-actions">
              <Button look="primary">Cargar</Button>
            </div>
          </form>
        </Disclosure>
      )}
      {statements.length > 0 && (
        <LongTable
          id="cargados"
          shown={shown}
          total={await countBankStatements(db)}
          noun={['estado de cuenta', 'estados de cuenta']}
          href={listHref(list, order, { desde: shown })}
        >
          <DataTable
            caption="Cargados"
            showCaption
            columns={addSortLinks(statementColumns(c, summaries), list, shown, order)}
            rows={statements}
            rowKey={({ id }) => id}
            rowHref={({ id }) => pages.bankStatement(id)}
          />
        </LongTable>
      )}
      {rules.length > 0 && (
        <DataTable
          caption="Reglas"
          showCaption
          columns={ruleColumns(mayApprove)}
          rows={rules}
          rowKey={({ id }) => id}
        />
      )}
    </div>,
  );
}

const statementColumns = (
  c: AppContext,
  summaries: ReadonlyMap<number, PeriodAndOpenCount>,
): readonly Column<BankStatement>[] => [
  { key: 'filename', label: 'Archivo', card: 'title', wraps: true },
  { key: 'origenderecursonombre', label: 'Origen de recurso', card: 'line', wraps: true },
  {
    ...{ key: 'periodo', label: 'Periodo', card: 'half' },
    render: ({ id }) => {
      const { desde, hasta } = summaries.get(id) ?? {};
      return (
        desde &&
        hasta &&
        (desde === hasta ? formatDate(desde) : `${formatWeekDays(desde, hasta)} ${hasta.slice(0, 4)}`)
      );
    },
  },
  {
    ...{ key: 'saldo', label: 'Saldo final', align: 'end', card: 'half' },
    render: ({ saldofinalCents }) => saldofinalCents !== null && <Money cents={saldofinalCents} />,
  },
  {
    ...{ key: 'abiertos', label: 'Movimientos', card: 'corner' },
    render: ({ id }) => {
      const open = summaries.get(id)?.openCount ?? 0;
      return (
        open > 0 && (
          <span>
            <a href={openMovementsHref(id)}>
              <Chip tone="warn">{pluralize(open, 'abierto', 'abiertos')}</Chip>
            </a>
          </span>
        )
      );
    },
  },
  {
    ...{ key: 'fecha', label: 'Cargado', card: 'half' },
    render: (statement) => <DateText date={importDayOf(c, statement)} />,
  },
  { key: 'username', label: 'Por', card: 'half', className: 'wide-only' },
];

const ruleColumns = (mayDelete: boolean): readonly Column<BankRule>[] => [
  { key: 'texto', label: 'Texto', card: 'title', render: ({ texto }) => `«${texto}»` },
  { key: 'clase', label: 'Se clasifica como', render: ({ clase }) => MOVEMENT_CLASS_LABELS[clase] },
  { key: 'entra', label: 'Sentido', render: ({ entra }) => (entra ? 'Entrada' : 'Salida') },
  { key: 'origenderecursonombre', label: 'Origen de recurso' },
  { key: 'username', label: 'Por' },
  {
    key: 'quitar',
    label: 'Acciones',
    card: 'actions',
    render: ({ id, texto }) =>
      mayDelete && (
        <form method="post" action={pages.deleteBankRule(id)} data-busy="">
          <Button look="quiet" aria-label={`Quitar la regla «${texto}»`}>
            Quitar
          </Button>
        </form>
      ),
  },
];
