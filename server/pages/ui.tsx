import type { ReactNode } from 'react';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button, LinkButton } from '../../shared/ui/Button.tsx';
import { Chip, StatusChip } from '../../shared/ui/Chip.tsx';
import { EmptyState } from '../../shared/ui/EmptyState.tsx';
import { ExportLinks } from '../../shared/ui/ExportLinks.tsx';
import { Pager } from '../../shared/ui/Pager.tsx';
import { Totals } from '../../shared/ui/Totals.tsx';
import { Dialogs } from './ui-dialogs.tsx';
import { Facts, Filters, InvoiceForm } from './ui-forms.tsx';
import { BalanceTable, InvoiceTable } from './ui-tables.tsx';

/** Every component in every state, with the content that is hardest on it. Routed in development alone. */
export function UiPage() {
  return (
    <div className="stack">
      <Section title="Lista">
        <Filters />
        <Totals
          label="Totales del filtro"
          items={[
            { label: 'Total facturado', cents: 1_284_730_55 },
            { label: 'Total pagado', cents: 412_500_00, op: '−' },
            { label: 'Total pendiente', cents: 872_230_55, op: '=' },
          ]}
        />
        <InvoiceTable />
        <Pager shown={50} total={12_408} noun="facturas" href="?cursor=50" />
      </Section>
      <Section title="Lista vacía">
        <EmptyState
          title="Todavía no hay proveedores"
          action={
            <LinkButton href="/new-supplier" look="primary" icon="plus">
              Nuevo proveedor
            </LinkButton>
          }
        >
          Aquí se guardan las empresas que facturan a tus obras. Da de alta la primera, o importa tu lista
          desde un archivo.
        </EmptyState>
      </Section>
      <Section title="Mensajes">
        <Alert tone="error">El total pagado no puede ser mayor que el total de la factura.</Alert>
        <Alert tone="success">Se guardó la factura A-10482.</Alert>
        <Alert tone="warning">
          Se parece a la factura <a href="/editinvoicepage/7">FCC-0098</a>: mismo proveedor, mismo total,
          emitida con 3 días de diferencia.
        </Alert>
        <Alert tone="info" dismissible={false}>
          Comparte esta contraseña: <kbd>k3v9x0qa</kbd>
        </Alert>
      </Section>
      <Section title="Formulario">
        <InvoiceForm />
      </Section>
      <Section title="Datos de solo lectura">
        <Facts />
      </Section>
      <Section title="Botones, estados y esperas">
        <Controls />
      </Section>
      <Section title="Diálogos">
        <Dialogs />
      </Section>
      <Section title="Saldos por proveedor">
        <BalanceTable />
      </Section>
    </div>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 style={{ marginBlockEnd: 12 }}>{title}</h2>
      {children}
    </section>
  );
}

function Controls() {
  return (
    <div className="stack">
      <div className="actions">
        <Button look="primary" icon="plus">
          Nueva factura
        </Button>
        <ExportLinks list="#" first="pdf" query={{}} />
        <Button look="quiet" icon="undo">
          Deshacer
        </Button>
        <Button look="danger" icon="trash">
          Eliminar
        </Button>
        <Button icon="edit" tip="Editar" />
        <Button look="danger" icon="trash" tip="Eliminar el pago" />
        <Button disabled>No disponible</Button>
        <Button look="primary" busy>
          Ingresando…
        </Button>
      </div>
      <div className="actions">
        <StatusChip status="pagada" />
        <StatusChip status="vencida" />
        <StatusChip status="sin-vencimiento" />
        <StatusChip status="parcial" />
        <StatusChip status="pendiente" />
        <StatusChip status="pendiente" text="Vence mañana" soon />
        <Chip>Inactivo</Chip>
        <Chip tone="done">CFDI</Chip>
      </div>
      <label className="check">
        <input type="checkbox" name="allowDuplicate" defaultChecked />
        Guardar de todas formas aunque el número se repita
      </label>
      <div aria-busy="true">
        <span className="skeleton" />
        <span className="skeleton" />
        <span className="skeleton" />
      </div>
      <progress aria-label="Importando" value={0.62} />
      <p>
        <span className="spinner" /> Buscando… <span className="note">Nota al pie de una tabla</span>
      </p>
    </div>
  );
}
