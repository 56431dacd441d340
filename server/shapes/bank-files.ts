import { z } from 'zod';
import type { BatchFile } from '../../shared/payment-batches.ts';
import { layoutText } from '../formats/bank-files/layout.ts';
import type { OfferedFile } from '../services/bank-files/files.ts';
import { isConfirmed, type StoredLayout } from '../services/bank-files/layouts.ts';
import { answersOf, type Members } from './answers.ts';
import { flagField, textField, versionField } from './fields.ts';
import { ownPasswordField } from './users.ts';
import { amount, count, flag, moment, rowId, text, textOrNone } from './wire.ts';

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

const named = {
  plantilla: [text('Con qué nombre se pide'), ({ layout }) => layout.plantilla],
  nombre: [text('Para qué banco y qué cuentas es'), ({ layout }) => layout.nombre],
  sha256: text('De lo que la plantilla dice'),
  autor: [textOrNone('Quién la cambió; null: como viene con Saldo'), ({ own }) => own?.author ?? null],
  confirmo: [
    textOrNone('Quién la confirmó después; null: nadie, o es de fábrica'),
    ({ own }) => own?.confirmer ?? null,
  ],
} as const satisfies Members<StoredLayout>;

export const layoutAnswer = answersOf<StoredLayout>('BankLayout', 'Cómo quiere un banco su archivo.').with({
  ...named,
  sirve: [flag('Es de fábrica, o alguien la confirmó'), isConfirmed],
  version: [
    z.int().nullable().meta({ description: 'La que se confirma; null: es de fábrica' }),
    ({ own }) => own?.version ?? null,
  ],
  definicion: [text('Lo que dice, como JSON'), ({ layout }) => layoutText(layout)],
});

export const offeredAnswer = answersOf<OfferedFile>(
  'BankLayoutOffer',
  'Una plantilla que sirve para el origen de la programación.',
).with({
  ...named,
  transferencias: [count('Cuántas llevaría, una por proveedor'), 'transfers'],
  total: amount('Lo que sumarían'),
});

type AnsweredFile = BatchFile & { isCurrent: boolean };

export const fileAnswer = answersOf<AnsweredFile>(
  'BankFile',
  'Lo que se manda al banco de una programación de pagos.',
).with({
  id: rowId('Número del archivo'),
  plantilla: [text('Con cuál se escribió'), 'layout'],
  plantillaSha256: [textOrNone('De lo que ella decía; null: es de antes de que se anotara'), 'layoutSha256'],
  plantillaAutor: [textOrNone('Quién la cambió; null: como viene con Saldo'), 'layoutAuthor'],
  plantillaConfirmo: [textOrNone('Quién la confirmó después'), 'layoutConfirmer'],
  nombre: [text('Nombre del archivo'), 'filename'],
  sha256: text('De sus bytes: los mismos mientras nada cambie'),
  transferencias: [count('Cuántas lleva, una por proveedor'), 'transfers'],
  total: amount('Lo que suman'),
  vigente: [flag('Sigue siendo lo que dicen la programación, las cuentas y la plantilla'), 'isCurrent'],
  generadoPor: [text('Quién lo generó primero'), 'username'],
  generadoAt: [moment('Cuándo'), 'createdAt'],
  descargas: [
    z.array(z.strictObject({ username: text('Quién lo descargó'), at: moment('Cuándo') })),
    'downloads',
  ],
});

export const madeFileAnswer = answersOf<AnsweredFile & { warnings: readonly string[] }>('MadeBankFile').with({
  ...fileAnswer.members,
  avisos: [
    z.array(z.string()).meta({ description: 'Textos que no cupieron en su campo y se cortaron' }),
    'warnings',
  ],
});
