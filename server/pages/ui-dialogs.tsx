import { Button } from '../../shared/ui/Button.tsx';
import { DataTable } from '../../shared/ui/DataTable.tsx';
import { Field } from '../../shared/ui/Field.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { AGUA } from './ui-tables.tsx';

const PICKED = [
  { id: 12, name: 'Aceros Tepeyac' },
  { id: 31, name: 'Concretos del Norte' },
  { id: 7, name: AGUA },
];

export function Dialogs() {
  return (
    <div className="stack">
      <div className="modal">
        <div className="dialog">
          <DialogHead title="Seleccionar proveedor" />
          <div className="dialog-body">
            <div className="filters">
              <Field label="Nombre" name="suppliername" kind="search" />
              <Field
                label="Ordenar por"
                name="sort"
                kind="select"
                options={[{ value: 'id', label: 'Nombre' }]}
              />
            </div>
            <DataTable
              caption="Proveedores"
              columns={[
                { key: 'id', label: 'ID', align: 'end', render: (row) => row.id },
                { key: 'name', label: 'Nombre', clip: true, card: 'title', render: (row) => row.name },
                {
                  key: 'pick',
                  label: 'Seleccionar',
                  card: 'actions',
                  className: 'btn-text',
                  render: (row) => (
                    <Button look="quiet" aria-label={`Seleccionar ${row.name}`}>
                      Seleccionar
                    </Button>
                  ),
                },
              ]}
              rows={PICKED}
              rowKey={(row) => row.id}
            />
          </div>
          <div className="dialog-foot">
            <Button>Cancelar</Button>
          </div>
        </div>
      </div>
      <div className="modal small">
        <div className="dialog">
          <DialogHead title="¿Eliminar el pago 8812?" />
          <div className="dialog-body">
            <p>Se liberan $58,025.00 de la factura FCC-0098. Podrás deshacerlo.</p>
          </div>
          <div className="dialog-foot">
            <Button>Cancelar</Button>
            <Button look="danger">Eliminar</Button>
          </div>
        </div>
      </div>
      <div className="modal">
        <div className="dialog command">
          <input className="control" aria-label="Ir a" placeholder="Página, proveedor o número de factura" />
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard */}
          <ul className="options" tabIndex={0}>
            <li className="option-group">Facturas</li>
            <li className="option" data-focused="">
              <Icon name="invoice" /> A-10482 <span className="meta">{AGUA}</span>
            </li>
            <li className="option">
              <Icon name="invoice" /> A-10480 <span className="meta">Aceros Tepeyac</span>
            </li>
          </ul>
        </div>
      </div>
      <dl className="keys">
        {[
          ['/', 'Ir al filtro'],
          ['n', 'Nuevo'],
          ['Ctrl K', 'Ir a cualquier parte'],
          ['?', 'Ayuda'],
        ].map(([key, text]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function DialogHead({ title }: { title: string }) {
  return (
    <div className="dialog-head">
      <h2>{title}</h2>
      <Button type="button" icon="close" tip="Cerrar" />
    </div>
  );
}
