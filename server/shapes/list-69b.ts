import { z } from 'zod';
import { MAX_LIST_MB, SITUATIONS } from '../formats/sat/list-69b.ts';
import type { List69bReport, ListedPayment, ListedSupplier } from '../services/fiscal/list-69b.ts';
import {
  amountMember,
  choiceMember,
  countMember,
  dayMember,
  nullableDayMember,
  nullableTextMember,
  rowIdMember,
  textMember,
  warningsMember,
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
  supplierId: rowIdMember('Proveedor'),
  suppliername: textMember('Su nombre'),
  rfc: textMember('Su RFC'),
  situacion: choiceMember(SITUATIONS, 'Su situación en la lista'),
  presunto: nullableDayMember('Cuándo se publicó como presunto'),
  definitivo: nullableDayMember('Cuándo se publicó como definitivo'),
  pagado: amountMember('Lo que se le ha pagado'),
};

export const listedSupplierAnswer = answerFor<ListedSupplier>('ListedSupplier').with({
  ...supplierMembers,
  cuenta: countMember('En cuántos pagos'),
});

export const listedPaymentAnswer = answerFor<ListedPayment>('ListedPayment').with({
  ...supplierMembers,
  id: rowIdMember('El pago'),
  fecha: dayMember('Cuándo se pagó'),
  numfactura: textMember('Su factura'),
  uuid: nullableTextMember('Su UUID'),
  alPagar: choiceMember(SITUATIONS, 'Su situación ese día; null: ninguna todavía').nullable(),
});

export const list69bAnswer = answerFor<List69bReport & { warnings: string[] }>('List69b').with({
  corte: nullableDayMember('La fecha de corte de la lista; null: no se ha cargado ninguna'),
  filas: countMember('Cuántos contribuyentes trae'),
  proveedores: listAnswer(listedSupplierAnswer, 'Los que están en la lista'),
  pagos: listAnswer(listedPaymentAnswer, 'Lo pagado a los que ahora son definitivos'),
  pagado: amountMember('Su suma'),
  warnings: warningsMember,
});

export const situationMember = z
  .object({
    situacion: choiceMember(SITUATIONS, 'Su situación'),
    corte: dayMember('La fecha de corte de la lista'),
  })
  .nullable()
  .meta({
    description: 'Lo que dice de él la última lista 69-B que se cargó; null: no está en ella, o no hay',
  });
