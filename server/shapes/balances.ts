import { z } from 'zod';
import { amount, dayOrNone, flag, rowId, text } from './wire.ts';

/** A row has one amount for each column beside its own members. */
export const balanceAnswer = z
  .object({
    suppliername: text('Proveedor; "Total general" en la última fila'),
    jobtitle: text('Obra; "Total {proveedor}" en el total de cada uno'),
    numfactura: text('Número de factura; vacío en los totales'),
    isSummary: flag('Si la fila es un total'),
    facturaproveedorId: rowId('Factura; no está en los totales').optional(),
    fechavencimiento: dayOrNone('Fecha de vencimiento').optional(),
    vencimientoEstimado: z
      .literal(true)
      .optional()
      .meta({ description: 'La factura no tiene vencimiento: se calculó' }),
    total: amount('Saldo de la fila'),
  })
  .catchall(amount('`ANTERIORES` y una columna por semana, como `SEM 47` o `SEM 2 2027`'))
  .meta({ id: 'BalanceRow', description: 'Una factura abierta, el total de un proveedor o el de todos.' });
