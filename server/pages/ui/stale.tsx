import { Button, LinkButton } from '../../../shared/ui/Button.tsx';
import { DataTable } from '../../../shared/ui/DataTable.tsx';

interface StaleFieldsProps {
  rows: readonly { label: string; stored: string; yours: string }[];
  /** the page as it is stored now */
  reload: string;
  /** id of the form below, for a button here that saves it */
  form?: string;
}

/** After somebody else's newer save: both values, field by field, and the two ways on. */
export function StaleFields({ rows, reload, form }: StaleFieldsProps) {
  return (
    <section className="stale" aria-label="Lo que cambió">
      {rows.length > 0 && (
        <div className="table-wrap">
          <DataTable
            caption="Lo que cambió"
            showCaption
            columns={[
              { key: 'label', label: 'Campo', card: 'title', render: (row) => row.label },
              { key: 'stored', label: 'Guardado ahora', render: (row) => row.stored || '(vacío)' },
              { key: 'yours', label: 'Lo tuyo', render: (row) => row.yours || '(vacío)' },
            ]}
            rows={rows}
            rowKey={(row) => row.label}
          />
        </div>
      )}
      <p>
        {rows.length > 0
          ? 'Si guardas de nuevo, queda lo tuyo en todos estos campos.'
          : 'Lo guardado dice lo mismo que lo tuyo. Si guardas de nuevo, queda lo tuyo.'}
      </p>
      <p className="actions">
        {form && <Button form={form}>Quedarme con lo mío</Button>}
        <LinkButton href={reload}>Cargar lo guardado</LinkButton>
      </p>
    </section>
  );
}
