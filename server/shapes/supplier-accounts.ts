import { z } from 'zod';
import { bankCodeOf, bankOf } from '../../shared/banks.ts';
import type { SupplierAccount } from '../../shared/supplier-accounts.ts';
import { flagField, textField, versionField } from './fields.ts';
import { answering, day, flag, moment, rowId, rowVersion, text, textOrNone, warnings } from './wire.ts';

const fields = {
  clabe: textField('CLABE', 60, 'clabe').meta({
    description: 'Los 18 dígitos, con o sin espacios; el último se comprueba',
  }),
  titular: textField('Titular', 200, 'titular').meta({
    description: 'A nombre de quién está la cuenta en el banco',
  }),
};

export const newAccountShape = z.strictObject(fields).meta({
  id: 'NewSupplierAccount',
  required: ['clabe', 'titular'],
  examples: [{ clabe: '032180000118359719', titular: 'Aceros del Norte SA de CV' }],
});

export const accountChangeShape = z
  .strictObject({
    ...fields,
    confiable: flagField('confiable').meta({
      description:
        'Que se le puede pagar: lo dice, con `version`, otra persona que quien la capturó o la ha cambiado desde que se confirmó. Cambiar la cuenta le quita la confianza',
    }),
    version: versionField,
  })
  .meta({ id: 'SupplierAccountChange', examples: [{ titular: 'Aceros del Norte' }] });

export const accountAnswer = z
  .strictObject({
    id: rowId('Número de la cuenta'),
    supplierId: rowId('Proveedor'),
    clabe: text('Los 18 dígitos'),
    clavebanco: text('Los tres primeros: la clave del banco'),
    banco: text('Nombre del banco'),
    titular: text('A nombre de quién está'),
    confiable: flag('Otra persona la confirmó después de su último cambio'),
    capturadaPor: text('Quién la capturó'),
    cambiadaPor: text('Quién dijo por última vez cuál es'),
    cambiadaEl: day('Cuándo'),
    confirmadaPor: textOrNone('Quién la confirmó'),
    confirmadaAt: moment('Cuándo la confirmó').nullable(),
    createdAt: moment('Cuándo se capturó'),
    updatedAt: moment('Cuándo cambió por última vez'),
    version: rowVersion,
  })
  .meta({ id: 'SupplierAccount', description: 'Una cuenta bancaria de un proveedor.' });

export const savedAccountAnswer = accountAnswer.extend({ warnings }).meta({ id: 'SavedSupplierAccount' });

const answerAccount = answering(accountAnswer);

export const toAccountJson = (account: SupplierAccount) =>
  answerAccount(account, {
    clavebanco: bankCodeOf(account.clabe),
    banco: bankOf(account.clabe),
    confiable: account.trustedBy !== null,
    capturadaPor: account.author,
    cambiadaPor: account.editor,
    cambiadaEl: account.changedOn,
    confirmadaPor: account.truster,
    confirmadaAt: account.trustedAt,
  });
