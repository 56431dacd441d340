import { z } from 'zod';
import type { Invoice } from '../../shared/invoices.ts';
import type { Period } from '../../shared/periods.ts';
import { keysOf } from '../../shared/record-fields.ts';
import { CFDI_KIND_LABELS } from '../formats/cfdi/kinds.ts';
import type {
  CrossCheck,
  CrossCheckGroup,
  CrossCheckRow,
  MetadataImport,
} from '../services/fiscal/cross-check.ts';
import type { MetadataOutcome } from '../services/fiscal/import-metadata.ts';
import { FISCAL_STATE_LABELS, FISCAL_SUBJECTS } from '../services/fiscal/labels.ts';
import type { FiscalCard } from '../services/fiscal/month-cards.ts';
import {
  amountMember,
  booleanMember,
  choiceMember,
  countMember,
  dayMember,
  momentMember,
  nullableDayMember,
  nullableTextMember,
  rowIdMember,
  rowVersionMember,
  textMember,
  warningsMember,
} from './answer-members.ts';
import { answerFor, listAnswer } from './answers.ts';
import { idField, motivoField, textField, versionField } from './fields.ts';

export const linkCfdiShape = z
  .strictObject({
    uuid: textField('UUID', 60, 'uuid'),
    facturaproveedorId: idField('Factura'),
    version: versionField,
    motivo: motivoField,
  })
  .meta({
    id: 'LinkCfdi',
    required: ['uuid', 'facturaproveedorId'],
    examples: [{ uuid: '5FB2822E-396D-4725-8521-CDC4BDD20CCF', facturaproveedorId: 1, version: 1 }],
  });

export const crossCheckRowAnswer = answerFor<CrossCheckRow>('CrossRow').with({
  uuid: textMember('UUID'),
  rfc: textMember('RFC de quien lo emitió'),
  nombre: textMember('Su nombre'),
  fecha: dayMember('De emisión'),
  efecto: choiceMember(keysOf(CFDI_KIND_LABELS), 'Qué CFDI es'),
  montoSat: amountMember('El total según el SAT, en la moneda del CFDI'),
  montoSaldo: amountMember('El mismo según Saldo; null: no está, o es un REP').nullable(),
  estatus: choiceMember(['vigente', 'cancelado'], 'Según el último archivo que lo dice'),
  fechaCancelacion: nullableDayMember('Cuándo se canceló'),
  facturaproveedorId: rowIdMember('La factura con ese UUID, o a la que corresponde').nullable(),
  pagado: amountMember('Lo que se ha pagado de ella; null: no es factura').nullable(),
  sustituidoPor: z.array(z.string()).meta({ description: 'UUID de los CFDI que dicen que lo sustituyen' }),
});

const crossCheckSumAnswer = answerFor<CrossCheck['sat']>('CrossSum').with({
  cuenta: countMember('iguales + difieren + faltan + ajenos'),
  total: amountMember('La suma de sus montos según el SAT'),
});

const crossCheckGroupAnswer = answerFor<CrossCheckGroup>('CrossGroup').with({
  cuenta: countMember('Cuántos'),
  total: amountMember('La suma de sus montos según el SAT'),
  filas: [listAnswer(crossCheckRowAnswer), 'rows'],
});

const metadataImportAnswer = answerFor<MetadataImport>('MetadataLoad').with({
  archivo: textMember('Su nombre'),
  cargado: momentMember('Cuándo se cargó'),
  filas: countMember('Cuántos CFDI trae'),
  visto: dayMember('El último día que conoce'),
  completo: [
    booleanMember('false: la carga se interrumpió; se carga otra vez el mismo archivo'),
    'isFinished',
  ],
});

export const crossCheckAnswer = answerFor<CrossCheck>(
  'Cross',
  'Los CFDI de un mes según el SAT, junto a lo que hay en Saldo.',
).with({
  mes: [textMember('AAAA-MM'), ({ month }) => month.from.slice(0, 7)],
  cortes: [listAnswer(metadataImportAnswer), 'cortes'],
  sat: crossCheckSumAnswer,
  ...{
    iguales: crossCheckGroupAnswer,
    difieren: crossCheckGroupAnswer,
    faltan: crossCheckGroupAnswer,
    ajenos: crossCheckGroupAnswer,
  },
  ...{ cancelados: crossCheckGroupAnswer, sinUuid: crossCheckGroupAnswer },
});

export const metadataOutcomeAnswer = answerFor<MetadataOutcome>('MetadataOutcome').with({
  id: rowIdMember('La carga'),
  filas: countMember('Cuántos CFDI trae el archivo'),
  nuevos: countMember('Los que no se conocían'),
  cambiados: countMember('Los conocidos de los que dice algo nuevo'),
  cancelados: countMember('Los que están en Saldo y este archivo es el primero que da por cancelados'),
  warnings: warningsMember,
});

export const linkedCfdiAnswer = answerFor<Invoice>('LinkedCfdi').with({
  facturaproveedorId: [rowIdMember('La factura'), 'id'],
  uuid: nullableTextMember('El UUID que ahora tiene'),
  version: rowVersionMember,
});

const fiscalPendingItemAnswer = answerFor<FiscalCard['pendientes'][number]>('FiscalPending').with({
  nombre: [textMember('Qué falta'), 'label'],
  cuenta: countMember('Cuántos'),
  direccion: [textMember('Su página'), 'href'],
});

const fiscalMonthCardAnswer = answerFor<FiscalCard>('FiscalCard').with({
  tema: choiceMember(keysOf(FISCAL_SUBJECTS), 'De qué trata'),
  estado: choiceMember(keysOf(FISCAL_STATE_LABELS), 'abierto: falta cargar algo'),
  cuenta: countMember('Cuántos documentos'),
  total: amountMember('Su suma'),
  pendientes: listAnswer(fiscalPendingItemAnswer),
});

export const fiscalMonthAnswer = answerFor<{ month: Period; cards: FiscalCard[] }>(
  'FiscalMonth',
  'Lo fiscal de un mes, tema por tema.',
).with({
  mes: [textMember('AAAA-MM'), ({ month }) => month.from.slice(0, 7)],
  temas: [listAnswer(fiscalMonthCardAnswer), 'cards'],
});
