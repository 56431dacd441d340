import { z } from 'zod';
import { MAX_LIST_MB, SITUATIONS } from '../formats/sat/list-69b.ts';
import type { List69bReport, ListedPayment, ListedSupplier } from '../services/fiscal/list-69b.ts';
import * as member from './answer-members.ts';
import { answerFor, listAnswer } from './answers.ts';
import { fileField } from './fields.ts';

export const list69bUploadShape = z
  .strictObject({
    file: fileField(`El CSV completo que publica el SAT, hasta ${MAX_LIST_MB} MB`),
  })
  .meta({ id: 'NewList69b', required: ['file'], examples: [{ file: '@Listado_completo_69-B.csv' }] });

const supplierMembers = {
  supplierId: member.rowId('Proveedor'),
  suppliername: member.text('Su nombre'),
  rfc: member.text('Su RFC'),
  situacion: member.choice(SITUATIONS, 'Su situación en la lista'),
  presunto: member.nullableDay('Cuándo se publicó como presunto'),
  definitivo: member.nullableDay('Cuándo se publicó como definitivo'),
  pagado: member.amount('Lo que se le ha pagado'),
};

export const listedSupplierAnswer = answerFor<ListedSupplier>('ListedSupplier').with({
  ...supplierMembers,
  cuenta: member.count('En cuántos pagos'),
});

export const listedPaymentAnswer = answerFor<ListedPayment>('ListedPayment').with({
  ...supplierMembers,
  id: member.rowId('El pago'),
  fecha: member.day('Cuándo se pagó'),
  numfactura: member.text('Su factura'),
  uuid: member.nullableText('Su UUID'),
  alPagar: member.choice(SITUATIONS, 'Su situación ese día; null: ninguna todavía').nullable(),
});

export const list69bAnswer = answerFor<List69bReport & { warnings: string[] }>('List69b').with({
  corte: member.nullableDay('La fecha de corte de la lista; null: no se ha cargado ninguna'),
  filas: member.count('Cuántos contribuyentes trae'),
  proveedores: listAnswer(listedSupplierAnswer, 'Los que están en la lista'),
  pagos: listAnswer(listedPaymentAnswer, 'Lo pagado a los que ahora son definitivos'),
  pagado: member.amount('Su suma'),
  warnings: member.warnings,
});

export const situationMember = z
  .object({
    situacion: member.choice(SITUATIONS, 'Su situación'),
    corte: member.day('La fecha de corte de la lista'),
  })
  .nullable()
  .meta({
    description: 'Lo que dice de él la última lista 69-B que se cargó; null: no está en ella, o no hay',
  });
