import { z } from 'zod';
import { MAX_LIST_MB, SITUATIONS } from '../formats/sat/list-69b.ts';
import type { List69bReport, ListedPayment, ListedSupplier } from '../services/fiscal/list-69b.ts';
import {
  amount,
  count,
  day,
  nullableDay,
  nullableText,
  oneOf,
  rowId,
  text,
  warnings,
} from './answer-members.ts';
import { answerFor, listAnswer } from './answers.ts';

export const newListShape = z
  .strictObject({
    file: z
      .unknown()
      .optional()
      .meta({
        type: 'string',
        format: 'binary',
        description: `El CSV completo que publica el SAT, hasta ${MAX_LIST_MB} MB`,
      }),
  })
  .meta({ id: 'NewList69b', required: ['file'], examples: [{ file: '@Listado_completo_69-B.csv' }] });

const supplierMembers = {
  supplierId: rowId('Proveedor'),
  suppliername: text('Su nombre'),
  rfc: text('Su RFC'),
  situacion: oneOf(SITUATIONS, 'Su situación en la lista'),
  presunto: nullableDay('Cuándo se publicó como presunto'),
  definitivo: nullableDay('Cuándo se publicó como definitivo'),
  pagado: amount('Lo que se le ha pagado'),
};

export const listedSupplierAnswer = answerFor<ListedSupplier>('ListedSupplier').with({
  ...supplierMembers,
  cuenta: count('En cuántos pagos'),
});

export const listedPaymentAnswer = answerFor<ListedPayment>('ListedPayment').with({
  ...supplierMembers,
  id: rowId('El pago'),
  fecha: day('Cuándo se pagó'),
  numfactura: text('Su factura'),
  uuid: nullableText('Su UUID'),
  alPagar: oneOf(SITUATIONS, 'Su situación ese día; null: ninguna todavía').nullable(),
});

export const list69bAnswer = answerFor<List69bReport & { warnings: string[] }>('List69b').with({
  corte: nullableDay('La fecha de corte de la lista; null: no se ha cargado ninguna'),
  filas: count('Cuántos contribuyentes trae'),
  proveedores: listAnswer(listedSupplierAnswer, 'Los que están en la lista'),
  pagos: listAnswer(listedPaymentAnswer, 'Lo pagado a los que ahora son definitivos'),
  pagado: amount('Su suma'),
  warnings,
});

export const situationMember = z
  .object({ situacion: oneOf(SITUATIONS, 'Su situación'), corte: day('La fecha de corte de la lista') })
  .nullable()
  .meta({
    description: 'Lo que dice de él la última lista 69-B que se cargó; null: no está en ella, o no hay',
  });
