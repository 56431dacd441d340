import { Alert } from '../../../shared/ui/Alert.tsx';
import { Button } from '../../../shared/ui/Button.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { TableKind } from '../../formats/tables/table.ts';
import { FileField } from '../ui/file-field.tsx';
import { IMPORT_KINDS, KINDS, MOST_MB } from './kinds.ts';

export interface ImportStartProps {
  kind: TableKind;
  problem?: string;
  /** what the problem is about */
  head?: string;
  /** where the same may go well in a moment */
  again?: string;
}

/** What to import, and the file; a file that is dropped on the field is chosen by the browser itself. */
export function ImportStart({ kind, problem, head, again }: ImportStartProps) {
  return (
    <>
      {problem && (
        <Alert tone="error" head={head} more={again && <a href={again}>Intentar de nuevo</a>}>
          {problem}
        </Alert>
      )}
      <form
        method="post"
        action={pages.imports}
        encType="multipart/form-data"
        className="form import-start"
        noValidate
        data-busy=""
      >
        <fieldset>
          <legend>Qué se importa</legend>
          <div className="import-kinds">
            {KINDS.map((one) => (
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
          accept={ACCEPTED}
          required
          hint={`Elige un archivo o arrástralo aquí: CSV o Excel (.xlsx), de hasta ${MOST_MB} MB. Nada se guarda todavía: primero verás qué se entendió de cada columna y qué pasará con cada fila.`}
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

const ACCEPTED =
  '.csv,.txt,.tsv,.xlsx,text/csv,text/plain,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
