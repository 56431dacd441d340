import { Hono } from 'hono';
import {
  type BankMovement,
  type BankStatement,
  missingStatementError,
  OUTCOME_LABELS,
  statementTexts as texts,
} from '../../../shared/bank-statements.ts';
import { formatLongDate, plainDateIn } from '../../../shared/dates.ts';
import { BATCH_FIELDS, batchName } from '../../../shared/payment-batches.ts';
import { mayEnter } from '../../../shared/roles.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { Button, LinkButton } from '../../../shared/ui/Button.tsx';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { type Column, DataTable, MAX_NUMBER_LENGTH } from '../../../shared/ui/DataTable.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { Field } from '../../../shared/ui/Field.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import { idInPath } from '../../http/request.ts';
import { type AppContext, type AppEnv, actorOf, requireSession } from '../../http/session.ts';
import { readSentForm } from '../../http/uploads.ts';
import {
  countMovements,
  getMovement,
  getStatement,
  listStatements,
} from '../../services/bank-statements/reading.ts';
import {
  loadStatementFile,
  MAX_STATEMENT_MB,
  returnMovement,
} from '../../services/bank-statements/statements.ts';
import { requireApprover } from '../../services/payment-batches/stages.ts';
import { answerForm, handleForm, redirectWithMessage, renderPage } from '../../shell/render.tsx';
import { dateColumn, moneyColumn } from '../ui/columns.tsx';
import { ConfirmStep } from '../ui/confirm-step.tsx';
import { FileField } from '../ui/file-field.tsx';
import { LongTable, readFirstRow } from '../ui/long-table.tsx';
import { readFields } from '../ui/posted.ts';
import { renderControls } from '../ui/record-fields.tsx';
import type { FormState } from '../ui/record-form.tsx';

const MOVEMENTS_ON_PAGE = 100;

const ID = ':id{[0-9]+}';

const TITLE = 'Estados de cuenta del banco';
const SOURCE_FIELDS = BATCH_FIELDS.filter(({ name }) => name === 'origenderecursoId');

export const bankStatementPages = new Hono<AppEnv>({ strict: false })
  .get(pages.bankStatements, (c) => renderList(c, { values: {} }))
  .post(pages.loadBankStatement, async (c) => {
    let values: FormState['values'] = {};
    return answerForm(
      c,
      async () => {
        requireApprover(actorOf(c));
        const { fields, files } = await readSentForm(c, MAX_STATEMENT_MB);
        values = fields;
        const { db } = c.get('deps');
        const { origenderecursoId } = await readFields(db, SOURCE_FIELDS, fields, {});
        const { file } = files;
        if (!origenderecursoId || !file) throw missingStatementError(!origenderecursoId, !file);
        const sent = { origenderecursoId: Number(origenderecursoId), cuenta: fields.cuenta, ...file };
        const outcome = await loadStatementFile(db, actorOf(c), sent, c.req.raw.signal);
        const message = { text: texts.loaded(outcome), warnings: outcome.warnings };
        return redirectWithMessage(c, pages.bankStatement(outcome.statementId), message);
      },
      (problem, status) => renderList(c, { values, problem, status }),
    );
  })
  .post(pages.returnMovement(ID), (c) =>
    handleForm(
      c,
      async (c, refused) => {
        const { statementId } = await getMovement(c.get('deps').db, idInPath(c));
        return renderStatement(c, statementId, { ...refused, stepAddress: c.req.path });
      },
      async ({ db, actor }) => {
        const { id } = await returnMovement(db, actor, idInPath(c));
        return redirectWithMessage(c, pages.bankStatement(id), texts.returned);
      },
    ),
  )
  .get(pages.bankStatement(ID), (c) => renderStatement(c, idInPath(c), { values: {} }));

async function renderStatement(c: AppContext, id: number, state: FormState): Promise<Response> {
  const { db } = c.get('deps');
  const from = readFirstRow(c);
  const { movements, ...statement } = await getStatement(db, id, { from, most: MOVEMENTS_ON_PAGE });
  const shown = from + movements.length;
  return renderPage(
    c,
    {
      title: 'Estado de cuenta del banco',
      status: state.status,
      actions: <LinkButton href={pages.bankStatements}>Ver todos</LinkButton>,
    },
    <div className="stack">
      {state.problem && <Alert tone="error">{state.problem.message}</Alert>}
      <p>{`${statement.origenderecursonombre}: ${statement.filename}. Lo cargó ${statement.username} el ${formatLongDate(dayLoaded(c, statement))}.`}</p>
      <LongTable
        id="movimientos"
        shown={shown}
        total={await countMovements(db, id)}
        noun={['movimiento', 'movimientos']}
        href={withQuery(pages.bankStatement(id), { desde: shown })}
      >
        <DataTable
          caption="Movimientos"
          columns={movementColumns(mayEnter('approval', requireSession(c).roles) ? state : undefined)}
          rows={movements}
          rowKey={({ id }) => id}
        />
      </LongTable>
    </div>,
  );
}

async function renderList(c: AppContext, { values, problem, status }: FormState) {
  const { db } = c.get('deps');
  const errors = problem?.fields ?? {};
  const statements = await listStatements(db);
  return renderPage(
    c,
    {
      title: TITLE,
      status,
      actions: mayEnter('admin', requireSession(c).roles) && (
        <LinkButton href={pages.settingsOfBanks} look="quiet" icon="settings">
          <span className="roomy">Archivos de bancos</span>
        </LinkButton>
      ),
    },
    <div className="stack">
      {problem && <Alert tone="error">{problem.message}</Alert>}
      {mayEnter('approval', requireSession(c).roles) && (
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
            vuelve a deberse. Se reconoce por el importe junto con la referencia o la CLABE. Cargar dos veces
            el mismo movimiento no paga dos veces.
          </p>
          <div className="fields">
            {await renderControls(db, SOURCE_FIELDS, { values, errors })}
            <FileField
              name="file"
              label="Archivo del banco"
              accept=".csv,.txt,.xlsx"
              hint="CSV, TXT o Excel como lo da el banco, con cargos y abonos aparte o con su signo; hasta 20,000 renglones."
              error={errors.file}
            />
            <Field
              name="cuenta"
              label="Cuenta"
              hint="Solo si el archivo trae varias cuentas."
              value={values.cuenta}
              maxLength={60}
            />
          </div>
          <div className="form-actions">
            <Button look="primary">Cargar</Button>
          </div>
        </form>
      )}
      {statements.length > 0 && (
        <DataTable
          caption="Cargados"
          showCaption
          columns={statementColumns(c)}
          rows={statements}
          rowKey={({ id }) => id}
          rowHref={({ id }) => pages.bankStatement(id)}
        />
      )}
    </div>,
  );
}

const dayLoaded = (c: AppContext, { createdAt }: BankStatement) =>
  plainDateIn(new Date(createdAt), c.get('deps').config.timeZone);

const statementColumns = (c: AppContext): readonly Column<BankStatement>[] => [
  { key: 'filename', label: 'Archivo', card: 'title', clip: true },
  { key: 'origenderecursonombre', label: 'Origen de recurso', clip: true },
  { key: 'fecha', label: 'Cargado', render: (statement) => <DateText date={dayLoaded(c, statement)} /> },
  { key: 'username', label: 'Por' },
];

const TONES = { pagado: 'done', devuelto: 'danger', ambiguo: 'warn', 'sin-partida': 'neutral' } as const;

/** @param refused state of the form that marks a movement as returned; undefined for users who may not do that */
const movementColumns = (refused: FormState | undefined): readonly Column<BankMovement>[] => [
  dateColumn('fecha', 'Fecha', { card: 'title' }),
  { key: 'referencia', label: 'Referencia', clip: MAX_NUMBER_LENGTH },
  { key: 'descripcion', label: 'Descripción', className: 'wraps names' },
  moneyColumn('importe', 'Importe', ({ amountCents }) => amountCents),
  {
    key: 'resultado',
    label: 'Resultado',
    card: 'corner',
    render: ({ outcome }) => <Chip tone={TONES[outcome]}>{OUTCOME_LABELS[outcome]}</Chip>,
  },
  {
    key: 'programacion',
    label: 'Corresponde a',
    className: 'wraps names',
    card: 'line',
    render({ id, outcome, batchId, suppliername }) {
      const batch = batchId !== null && (
        <a href={pages.paymentBatch(batchId)}>{`${suppliername}: ${batchName(batchId)}`}</a>
      );
      if (!refused) return batch;
      return (
        <div className="stack">
          <span>{batch}</span>
          {outcome === 'pagado' && (
            <ConfirmStep
              summary="Marcar como devuelto"
              question="¿Marcarlo como devuelto? Lo que pagó vuelve a deberse, como cuando el banco lo devuelve."
              action={pages.returnMovement(id)}
              button="Marcar como devuelto"
              reason={`motivo-${id}`}
              refused={refused}
            />
          )}
        </div>
      );
    },
  },
];
