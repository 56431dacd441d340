import { z } from 'zod';
import { toDecimal } from '../../shared/money.ts';
import type { BatchFile } from '../../shared/payment-batches.ts';
import { flagField, textField, versionField } from './fields.ts';
import { amount, moment, rowId, text } from './wire.ts';

export const newFileShape = z
  .strictObject({
    plantilla: textField('Plantilla', 40, 'plantilla').meta({
      description: 'Una de las que sirven para su origen de recurso',
    }),
    version: versionField,
  })
  .meta({ id: 'NewBankFile', required: ['plantilla'], examples: [{ plantilla: 'csv' }] });

export const downloadShape = z
  .strictObject({
    otraVez: flagField('otraVez').meta({
      description: 'Que se sabe quién lo descargó antes, y que no está en el banco',
    }),
  })
  .meta({ examples: [{}] });

const count = (description: string) => z.int().min(0).meta({ description });

export const offeredAnswer = z
  .strictObject({
    plantilla: text('Con qué nombre se pide'),
    nombre: text('Para qué banco y qué cuentas es'),
    transferencias: count('Cuántas llevaría, una por proveedor'),
    total: amount('Lo que sumarían'),
  })
  .meta({ id: 'BankLayoutOffer', description: 'Una plantilla que sirve para el origen de la programación.' });

export const fileAnswer = z
  .strictObject({
    id: rowId('Número del archivo'),
    plantilla: text('Con cuál se escribió'),
    nombre: text('Nombre del archivo'),
    sha256: text('De sus bytes: los mismos mientras nada cambie'),
    transferencias: count('Cuántas lleva, una por proveedor'),
    total: amount('Lo que suman'),
    vigente: z
      .boolean()
      .meta({ description: 'Sigue siendo lo que dicen la programación, las cuentas y la plantilla' }),
    generadoPor: text('Quién lo generó primero'),
    generadoAt: moment('Cuándo'),
    descargas: z.array(z.strictObject({ username: text('Quién lo descargó'), at: moment('Cuándo') })),
  })
  .meta({ id: 'BankFile', description: 'Lo que se manda al banco de una programación de pagos.' });

export const madeFileAnswer = fileAnswer
  .extend({
    avisos: z.array(z.string()).meta({ description: 'Textos que no cupieron en su campo y se cortaron' }),
  })
  .meta({ id: 'MadeBankFile' });

export const toFileJson = (file: BatchFile, isCurrent: boolean): z.output<typeof fileAnswer> => ({
  id: file.id,
  plantilla: file.layout,
  nombre: file.filename,
  sha256: file.sha256,
  transferencias: file.transfers,
  total: toDecimal(file.totalCents),
  vigente: isCurrent,
  generadoPor: file.username,
  generadoAt: file.createdAt,
  descargas: file.downloads,
});
