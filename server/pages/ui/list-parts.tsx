import { localize } from '../../../shared/language.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { Button } from '../../../shared/ui/Button.tsx';
import { Icon } from '../../../shared/ui/Icon.tsx';
import type { AppContext } from '../../http/session.ts';
import { PrintTimeStamp } from '../../shell/render.tsx';

export interface ActiveFilter {
  label: string;
  value: string;
  removeAddress: string;
  /** whether wide screens show these words, too, because no visible control shows the filter */
  hasNoControl?: boolean;
}

interface ActiveFiltersProps {
  c: AppContext;
  activeFilters: readonly ActiveFilter[];
  /** the active filters are exactly those of the chosen view, whose name is shown */
  isView: boolean;
}

/** Active filters are part of the results, so that a search updates them. Each filter has a link that removes it. */
export function ActiveFilters({ c, activeFilters, isView }: ActiveFiltersProps) {
  const texts = activeFilters.map(({ label, value }) => `${label}: ${value}`);
  return (
    <>
      {activeFilters.length > 0 && !isView && (
        <ul className="filter-words" aria-label="Filtros puestos">
          {activeFilters.map(({ label, value, removeAddress, hasNoControl }) => (
            <li key={label} className={hasNoControl ? 'unseen' : undefined}>
              <a className="chip accent" href={removeAddress}>
                <span className="visually-hidden">Quitar el filtro </span>
                <span>
                  {label}: <b>{value}</b>
                </span>
                <Icon name="close" />
              </a>
            </li>
          ))}
        </ul>
      )}
      <PrintTimeStamp c={c}> Filtros: {texts.join('; ') || 'ninguno'}</PrintTimeStamp>
    </>
  );
}

interface SearchFailureProps {
  /** the specification's message for the list; with it, a failure opens a dialog titled Error! */
  loadFailed?: string;
  message?: string;
}

/** Here script reports a failed search (islands/loader/failure.ts), above the rows of the previous search. */
export function SearchFailure({ loadFailed, message }: SearchFailureProps) {
  const retryButton = (
    <Button type="button" className="needs-script" data-retry="">
      Reintentar
    </Button>
  );
  return (
    <>
      {loadFailed ? (
        <dialog
          open={Boolean(message)}
          className="dialog small"
          aria-labelledby="failure"
          data-failure={loadFailed}
        >
          <form method="dialog">
            <div className="dialog-head">
              <h2 id="failure">{localize('Error!')}</h2>
            </div>
            <div className="dialog-body" role="alert" data-message="">
              {message}
            </div>
            <div className="dialog-foot">
              {!message && retryButton}
              <Button look="primary">Cerrar</Button>
            </div>
          </form>
        </dialog>
      ) : (
        <div className="alert error failure" hidden data-failure="">
          <Icon name="warning" />
          <div role="alert">
            <strong>Error</strong>
            <span data-message="" />
            {retryButton}
          </div>
          <Button type="button" icon="close" aria-label="Cerrar" data-dismiss="" />
        </div>
      )}
      {message && !loadFailed && <Alert tone="error">{message}</Alert>}
      <p className="stale-note">
        Resultados de la búsqueda anterior.
        <Button type="button" look="quiet" data-retry="">
          Reintentar
        </Button>
      </p>
    </>
  );
}
