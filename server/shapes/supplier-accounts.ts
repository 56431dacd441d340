import { z } from 'zod';
import { bankCodeOf, bankNameOf } from '../../shared/banks.ts';
import type { SupplierAccount } from '../../shared/supplier-accounts.ts';
import * as member from './answer-members.ts';
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
  id: member.rowId('Número de la cuenta'),
  supplierId: member.rowId('Proveedor'),
  clabe: member.text('Los 18 dígitos'),
  clavebanco: [member.text('Los tres primeros: la clave del banco'), ({ clabe }) => bankCodeOf(clabe)],
  banco: [member.text('Nombre del banco'), ({ clabe }) => bankNameOf(clabe)],
  titular: member.text('A nombre de quién está'),
  confiable: [
    member.boolean('Otra persona la confirmó después de su último cambio'),
    ({ trustedBy }) => trustedBy !== null,
  ],
  capturadaPor: [member.text('Quién la capturó'), 'author'],
  cambiadaPor: [member.text('Quién dijo por última vez cuál es'), 'editor'],
  cambiadaEl: [member.day('Cuándo'), 'changedOn'],
  confirmadaPor: [member.nullableText('Quién la confirmó'), 'truster'],
  confirmadaAt: [member.moment('Cuándo la confirmó').nullable(), 'trustedAt'],
  aviso: [signatureNoteMember, ({ note }) => note?.text ?? null],
  createdAt: member.moment('Cuándo se capturó'),
  updatedAt: member.moment('Cuándo cambió por última vez'),
  version: member.rowVersion,
});

export const savedAccountAnswer = savedAnswer('account', accountAnswer, { id: 'SavedSupplierAccount' });
