import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { pluralize } from '../../../shared/counts.ts';
import type { DomainError } from '../../../shared/errors.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { Button, LinkButton } from '../../../shared/ui/Button.tsx';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import { worksheetChoicesFromError } from '../../formats/reading/read-table.ts';
import type { RawTable, TableKind } from '../../formats/tables/table.ts';
import type { AppContext } from '../../http/session.ts';
import { renderPage } from '../../shell/render.tsx';
import { FileField } from '../ui/file-field.tsx';
import { REMEDY_CONTROL_LABELS } from '../ui/remedies.ts';
import { KindField } from './columns.tsx';
import { IMPORT_KINDS, IMPORTABLE_KINDS, isImportKind, LINE_NOUN, MAX_UPLOAD_MB } from './kinds.ts';
import { UnreadableUploadError } from './plan.ts';

export const TITLE = 'Importar';

export function readRequestedKind(c: AppContext): TableKind {
  const { kind = '' } = c.req.query();
  return isImportKind(kind) ? kind : 'invoices';
}

export const renderStart = (c: AppContext, startProps: ImportStartProps, status?: ContentfulStatusCode) =>
  renderPage(c, { title: TITLE, status }, <ImportStart {...startProps} />);

/** Asks a question where its answer may solve the problem; otherwise the user has to choose another file. */
export function renderProblem(c: AppContext, problem: DomainError, status: ContentfulStatusCode) {
  const kind = readRequestedKind(c);
  const upload = problem instanceof UnreadableUploadError ? problem.upload : undefined;
  const sheets = worksheetChoicesFromError(problem);
  // Only some kinds accept a table with a single column, so the user may have to choose another kind.
  const isAnswerable = sheets || problem.code === 'no_header';
  if (!upload || !isAnswerable) {
    const head = upload && `No se pudo leer «${upload.filename}»`;
    const isPassing = problem.kind === 'busy' || status === 500;
    const retryAddress = isPassing ? withQuery(c.req.path, c.req.query()) : undefined;
    const words = problem.kind === 'not-found' ? UPLOAD_GONE_TEXT : problem.message;
    return renderStart(c, { kind, problem: words, head, retryAddress }, status);
  }
  const isQuestion = problem.remedy === 'choose-sheet';
  return renderPage(
    c,
    {
      title: TITLE,
      subtitle: upload.filename,
      status: isQuestion ? 200 : status,
      actions: <LinkButton href={withQuery(pages.imports, { kind })}>Elegir otro archivo</LinkButton>,
    },
    <>
      {!isQuestion && (
        <Alert tone="error">
          {sheets ? `El libro no tiene una hoja «${c.req.query('sheet')}».` : problem.message}
        </Alert>
      )}
      <ReadAgainForm id={upload.id} kind={kind} sheets={sheets} />
    </>,
  );
}

const UPLOAD_GONE_TEXT = 'El archivo ya no está: ya se importó, o pasaron 48 horas. Vuelve a elegirlo.';

interface ReadAgainProps {
  id: string;
  kind: TableKind;
  sheets: RawTable['sheets'];
}

function ReadAgainForm({ id, kind, sheets }: ReadAgainProps) {
  const shown = sheets?.filter(({ hidden }) => !hidden) ?? [];
  return (
    <form method="get" action={pages.importUpload(id)} className="import-again" data-busy="">
      <KindField kind={kind} />
      {sheets ? (
        <fieldset>
          <legend>{REMEDY_CONTROL_LABELS['choose-sheet']}</legend>
          <p className="note">
            {shown.length > 1
              ? `El libro tiene ${shown.length} hojas con datos. Cada una se importa por separado.`
              : 'El libro tiene una sola hoja.'}
          </p>
          <div className="import-sheets">
            {(shown.length > 0 ? shown : sheets).map(({ name, rows }) => (
              <Button key={name} name="sheet" value={name}>
                <span>{name}</span>
                {/* sheets that were not read have no count */}
                {rows > 0 && <span className="hint">{pluralize(rows, ...LINE_NOUN)}</span>}
                <Icon name="chevron" />
              </Button>
            ))}
          </div>
        </fieldset>
      ) : (
        <div className="actions">
          <Button look="primary">Revisar de nuevo</Button>
        </div>
      )}
    </form>
  );
}

interface ImportStartProps {
  kind: TableKind;
  problem?: string;
  head?: string;
  /** A temporary problem has an address at which to try again. */
  retryAddress?: string;
}

function ImportStart({ kind, problem, head, retryAddress }: ImportStartProps) {
  return (
    <>
      {problem && (
        <Alert
          tone="error"
          heading={head}
          footer={retryAddress && <a href={retryAddress}>Intentar de nuevo</a>}
        >
          {problem}
        </Alert>
      )}
      <form
        method="post"
        action={pages.imports}
        encType="multipart/form-data"
        className="form halves import-start"
        noValidate
        data-busy=""
      >
        <fieldset>
          <legend>¿Qué vas a importar?</legend>
          <div className="import-kinds">
            {IMPORTABLE_KINDS.map((one) => (
              <div key={one} className="check">
                <input
                  type="radio"
                  id={`kind-${one}`}
                  name="kind"
                  value={one}
                  defaultChecked={one === kind}
                  aria-describedby={`kind-${one}-note`}
                />
                <label htmlFor={`kind-${one}`}>{IMPORT_KINDS[one].label}</label>
                <span className="hint" id={`kind-${one}-note`}>
                  {IMPORT_KINDS[one].hint}{' '}
                  <a
                    href={withQuery(pages.importTemplate, { kind: one })}
                    aria-label={`Plantilla de ${IMPORT_KINDS[one].label}`}
                    download
                  >
                    Plantilla
                  </a>
                </span>
              </div>
            ))}
          </div>
        </fieldset>
        <FileField
          name="file"
          label="Archivo"
          accept={ACCEPTED_FILES}
          required
          hint={`CSV o Excel (.xlsx), máximo ${MAX_UPLOAD_MB} MB. Antes de guardar verás qué pasará con cada fila.`}
        />
        <div className="form-actions">
          <Button look="primary">Revisar archivo</Button>
        </div>
      </form>
      <p className="note">
        Los CFDI (XML) no necesitan tabla: en <a href={pages.invoices}>Facturas</a> usa <b>Cargar XML</b>.
      </p>
    </>
  );
}

const ACCEPTED_FILES =
  '.csv,.txt,.tsv,.xlsx,text/csv,text/plain,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
