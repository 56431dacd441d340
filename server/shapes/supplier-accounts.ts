import { z } from 'zod';
import { bankCodeOf, bankNameOf } from '../../shared/banks.ts';
import type { SupplierAccount } from '../../shared/supplier-accounts.ts';
import { day, flag, moment, nullableText, rowId, rowVersion, text } from './answer-members.ts';
import { answerFor, savedAnswer, signatureNoteMember } from './answers.ts';
import { flagField, textField, versionField } from './fields.ts';

const accountMembers = {
  clabe: textField('CLABE', 60, 'clabe').meta({
    description: 'Los 18 dígitos, con o sin espacios; el último se comprueba',
  }),
  titular: textField('Titular', 200, 'titular').meta({
    description: 'A nombre de quién está la cuenta en el banco',
  }),
};

export const newAccountShape = z.strictObject(accountMembers).meta({
  id: 'NewSupplierAccount',
  required: ['clabe', 'titular'],
  examples: [{ clabe: '032180000118359719', titular: 'Aceros del Norte SA de CV' }],
});

export const accountChangeShape = z
  .strictObject({
    ...accountMembers,
    confiable: flagField('confiable').meta({
      description:
        'Que se le puede pagar: lo dice, con `version`, otra persona que quien la capturó o la ha cambiado desde que se confirmó. Cambiar la cuenta le quita la confianza',
    }),
    version: versionField,
  })
  .meta({ id: 'SupplierAccountChange', examples: [{ titular: 'Aceros del Norte' }] });

export const accountAnswer = answerFor<SupplierAccount>(
  'SupplierAccount',
  'Una cuenta bancaria de un proveedor.',
).with({
  id: rowId('Número de la cuenta'),
  supplierId: rowId('Proveedor'),
  clabe: text('Los 18 dígitos'),
  clavebanco: [text('Los tres primeros: la clave del banco'), ({ clabe }) => bankCodeOf(clabe)],
  banco: [text('Nombre del banco'), ({ clabe }) => bankNameOf(clabe)],
  titular: text('A nombre de quién está'),
  confiable: [
    flag('Otra persona la confirmó después de su último cambio'),
    ({ trustedBy }) => trustedBy !== null,
  ],
  capturadaPor: [text('Quién la capturó'), 'author'],
  cambiadaPor: [text('Quién dijo por última vez cuál es'), 'editor'],
  cambiadaEl: [day('Cuándo'), 'changedOn'],
  confirmadaPor: [nullableText('Quién la confirmó'), 'truster'],
  confirmadaAt: [moment('Cuándo la confirmó').nullable(), 'trustedAt'],
  aviso: [signatureNoteMember, ({ note }) => note?.text ?? null],
  createdAt: moment('Cuándo se capturó'),
  updatedAt: moment('Cuándo cambió por última vez'),
  version: rowVersion,
});

export const savedAccountAnswer = savedAnswer('account', accountAnswer, { id: 'SavedSupplierAccount' });
