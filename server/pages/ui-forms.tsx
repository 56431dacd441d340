import type { ReactNode } from 'react';
import { Button, LinkButton } from '../../shared/ui/Button.tsx';
import { DateText } from '../../shared/ui/DateText.tsx';
import { Field } from '../../shared/ui/Field.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Money } from '../../shared/ui/Money.tsx';
import { AGUA } from './ui-tables.tsx';

export function Filters() {
  const all = [{ value: '', label: 'Todos' }];
  return (
    <form className="filters" action="/invoices">
      <Field label="Número de factura" name="numfactura" kind="search" />
      <details className="more">
        <summary className="btn">Más filtros</summary>
        <Field label="Proveedor" name="supplierId" kind="select" options={all} />
        <Field label="Obra" name="jobId" kind="select" options={all} />
        <Field label="Estado" name="status" kind="select" options={all} />
        <Field label="Vence desde" name="fechavencimientoDesde" kind="date" />
        <Field label="hasta" name="fechavencimientoHasta" kind="date" value="2026-12-31" />
      </details>
      <div className="actions">
        <Button>Buscar</Button>
        <LinkButton href="?" look="quiet">
          Limpiar
        </LinkButton>
      </div>
    </form>
  );
}

export function InvoiceForm() {
  return (
    <form className="form with-amounts" method="post" noValidate>
      <div className="fields">
        <Picker label="Proveedor" name="supplier" required value={AGUA} button="Seleccionar proveedor" />
        <Picker
          label="Obra"
          name="job"
          required
          button="Seleccionar obra"
          error="Ingrese proveedor, obra y subtotal."
        />
        <Picker label="Rubro" name="rubro" value="Acabados" button="Seleccionar rubro" />
        <Field label="Número de factura" name="numfactura-new" value="A-10482" maxLength={60} />
        <Field label="Fecha de emisión" name="fechaemision" kind="date" value="2026-11-18" />
        <Field label="Fecha de recepción" name="fecharecepcion" kind="date" value="2026-11-20" />
        <Field
          label="Fecha de vencimiento"
          name="fechavencimiento"
          kind="date"
          hint="Vacía: 30 días de crédito del proveedor."
        />
        <Field label="Tipo" name="tipo" kind="select" options={[{ value: 1, label: 'Ingreso' }]} readOnly />
        <Field
          label="Observaciones"
          name="comments"
          kind="textarea"
          wide
          value="Entrega parcial en obra; falta la segunda remisión."
        />
      </div>
      <div className="amounts">
        <h2>Importe</h2>
        <Field
          label="Subtotal"
          name="subtotal"
          kind="money"
          value="300,000.001"
          required
          error="Subtotal: a lo más dos decimales."
        />
        <Field label="Tasa (1-100)" name="tasa" kind="number" value="16" suffix="%" />
        <div className="sum">
          <span className="label">IVA</span>
          <Money cents={48_000_00} />
        </div>
        <details className="disclosure" open>
          <summary>
            <Icon name="chevron" />
            Otros impuestos y retenciones
          </summary>
        </details>
        <Field label="Otros impuestos" name="otrosimpuestos" kind="money" value="0.00" />
        <Field label="Retenciones" name="retenciones" kind="money" value="0.00" />
        <div className="sum total">
          <span className="label">Total</span>
          <Money cents={348_000_00} />
        </div>
        <p className="hint">Total ya pagado: $12,000.00</p>
      </div>
      <div className="form-actions">
        <Button look="primary">Guardar</Button>
        <LinkButton href="/invoices">Regresar</LinkButton>
      </div>
    </form>
  );
}

function Picker({
  label,
  name,
  value = '',
  button,
  required,
  error,
}: {
  label: string;
  name: string;
  value?: string;
  button: string;
  required?: boolean;
  error?: string;
}) {
  return (
    <Field label={label} name={name} required={required} error={error}>
      <div className="picker">
        <input
          className="control"
          id={name}
          readOnly
          value={value}
          placeholder="Ninguno"
          aria-invalid={Boolean(error)}
          aria-describedby={error && `${name}-note`}
        />
        <Button type="button" icon="search" aria-label={button} tip={button} />
        {value && (
          <Button type="button" icon="close" aria-label={`Quitar ${label.toLowerCase()}`} tip="Quitar" />
        )}
      </div>
    </Field>
  );
}

export function Facts() {
  const facts: [string, ReactNode][] = [
    ['Proveedor', AGUA],
    ['RFC', 'MAV980312K41'],
    ['Obra', 'Torre Reforma 483, etapa 2'],
    ['Rubro', 'Acabados'],
    ['Creado', <DateText key="d" date="2026-11-20" />],
    ['Pendiente', <Money key="m" cents={335_999_99} />],
  ];
  return (
    <dl className="facts">
      {facts.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
