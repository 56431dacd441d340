import type { ReactNode } from 'react';
import { formatMoney } from '../../shared/money.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { useTray } from './useTray.ts';

interface ChosenProps {
  /** id of the form that the boxes belong to */
  form: string;
  /** what sends it */
  children: ReactNode;
}

/** How much is ticked of the rows, and ticking all of them or none. */
export function Chosen({ form, children }: ChosenProps) {
  const { invoices, suppliers, cents, unseen, tickAll, clear } = useTray(form);
  const words = [
    invoices > 0 && counted(invoices, 'factura', 'facturas'),
    suppliers > 0 && `lo de ${counted(suppliers, 'proveedor', 'proveedores')}`,
  ].filter(Boolean);
  return (
    <>
      {unseen.map(({ name, value }) => (
        <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
      ))}
      <output>
        {words.length > 0 && (
          <>
            {words.join(' y ')}: <strong>{formatMoney(cents)}</strong>
            {unseen.length > 0 && ` (${counted(unseen.length, 'ya no está', 'ya no están')} entre las filas)`}
          </>
        )}
      </output>
      <Button type="button" look="quiet" className="needs-script" onClick={tickAll}>
        Todas las de la página
      </Button>
      <Button type="button" look="quiet" className="needs-script" onClick={clear}>
        Quitar marcas
      </Button>
      {children}
    </>
  );
}

const counted = (count: number, one: string, many: string): string =>
  `${count.toLocaleString('es-MX')} ${count === 1 ? one : many}`;
