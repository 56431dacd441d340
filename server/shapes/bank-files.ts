import { z } from 'zod';
import { toDecimal } from '../../shared/money.ts';
import type { BatchFile } from '../../shared/payment-batches.ts';
import { layoutText } from '../formats/bank-files/layout.ts';
import type { OfferedFile } from '../services/bank-files/files.ts';
import { isConfirmed, type StoredLayout } from '../services/bank-files/layouts.ts';
import { flagField, textField, versionField } from './fields.ts';
import { ownPasswordField } from './users.ts';
import { amount, answering, count, flag, moment, rowId, text, textOrNone } from './wire.ts';

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

const origin = {
  sha256: text('De lo que la plantilla dice'),
  autor: textOrNone('Quién la cambió; null: como viene con Saldo'),
  confirmo: textOrNone('Quién la confirmó después; null: nadie, o es de fábrica'),
};

const named = {
  plantilla: text('Con qué nombre se pide'),
  nombre: text('Para qué banco y qué cuentas es'),
  ...origin,
};

export const layoutAnswer = z
  .strictObject({
    ...named,
    sirve: flag('Es de fábrica, o alguien la confirmó'),
    version: z.int().nullable().meta({ description: 'La que se confirma; null: es de fábrica' }),
    definicion: text('Lo que dice, como JSON'),
  })
  .meta({ id: 'BankLayout', description: 'Cómo quiere un banco su archivo.' });

export const confirmLayoutShape = z
  .strictObject({
    plantilla: textField('Plantilla', 40, 'plantilla'),
    version: versionField,
    currentpassword: ownPasswordField,
  })
  .meta({
    id: 'LayoutConfirmation',
    required: ['plantilla', 'version'],
    examples: [{ plantilla: 'bbva-spei', version: 412 }],
  });

const toOriginJson = ({ sha256, own }: StoredLayout) => ({
  sha256,
  autor: own?.author ?? null,
  confirmo: own?.confirmer ?? null,
});

const toNamedJson = (stored: StoredLayout) => ({
  plantilla: stored.layout.plantilla,
  nombre: stored.layout.nombre,
  ...toOriginJson(stored),
});

export const toLayoutJson = (stored: StoredLayout): z.output<typeof layoutAnswer> => ({
  ...toNamedJson(stored),
  sirve: isConfirmed(stored),
  version: stored.own?.version ?? null,
  definicion: layoutText(stored.layout),
});

export const toOfferedJson = ({
  transfers,
  totalCents,
  ...stored
}: OfferedFile): z.output<typeof offeredAnswer> => ({
  ...toNamedJson(stored),
  transferencias: transfers,
  total: toDecimal(totalCents),
});

export const offeredAnswer = z
  .strictObject({
    ...named,
    transferencias: count('Cuántas llevaría, una por proveedor'),
    total: amount('Lo que sumarían'),
  })
  .meta({ id: 'BankLayoutOffer', description: 'Una plantilla que sirve para el origen de la programación.' });

export const fileAnswer = z
  .strictObject({
    id: rowId('Número del archivo'),
    plantilla: text('Con cuál se escribió'),
    plantillaSha256: textOrNone('De lo que ella decía; null: es de antes de que se anotara'),
    plantillaAutor: textOrNone('Quién la cambió; null: como viene con Saldo'),
    plantillaConfirmo: textOrNone('Quién la confirmó después'),
    nombre: text('Nombre del archivo'),
    sha256: text('De sus bytes: los mismos mientras nada cambie'),
    transferencias: count('Cuántas lleva, una por proveedor'),
    total: amount('Lo que suman'),
    vigente: flag('Sigue siendo lo que dicen la programación, las cuentas y la plantilla'),
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

const answerFile = answering(fileAnswer);

export const toFileJson = (file: BatchFile, isCurrent: boolean) =>
  answerFile(file, {
    plantilla: file.layout,
    plantillaSha256: file.layoutSha256,
    plantillaAutor: file.layoutAuthor,
    plantillaConfirmo: file.layoutConfirmer,
    nombre: file.filename,
    transferencias: file.transfers,
    vigente: isCurrent,
    generadoPor: file.username,
    generadoAt: file.createdAt,
    descargas: file.downloads,
  });
