import { suppliers } from '../../shared/catalogs/suppliers.ts';
import { type AppContext, actorOf } from '../http/session.ts';
import { getRow } from '../services/catalogs/reading.ts';
import { requireVersion } from '../services/stored-rows.ts';
import { createAccount, deleteAccount, updateAccount } from '../services/supplier-accounts/accounts.ts';
import { addSignatureNotes, getAccount, listAccounts } from '../services/supplier-accounts/reading.ts';
import { listAnswer } from '../shapes/answers.ts';
import { parseId } from '../shapes/fields.ts';
import {
  accountAnswer,
  accountChangeShape,
  newAccountShape,
  savedAccountAnswer,
} from '../shapes/supplier-accounts.ts';
import { REFERENCE_PROBLEMS } from './call-descriptions.ts';
import { createEndpoints, pathIdWithoutQuery, ROW_PATH } from './calls.ts';

const endpoints = createEndpoints(suppliers.texts.list);
/** Mounted under the path of suppliers, before the routes of the suppliers themselves. */
export const supplierAccountsApi = endpoints.app;

const ACCOUNTS_PATH = `${ROW_PATH}/cuentas`;
const ACCOUNT_PATH = `${ACCOUNTS_PATH}/:cuentaId{[0-9]+}`;

endpoints.reads(ACCOUNTS_PATH, {
  summary: 'Las cuentas bancarias de un proveedor',
  returns: 'La más antigua primero',
  answer: listAnswer(accountAnswer),
  run: async ({ db, id }) => listAccounts(db, (await getRow(db, suppliers, id)).id),
});

endpoints.reads(ACCOUNT_PATH, {
  summary: 'Leer una cuenta bancaria de un proveedor',
  returns: 'La cuenta',
  answer: accountAnswer,
  run: async ({ c, db }) => {
    const { supplierId, id } = pathAccountIds(c);
    const [account] = await addSignatureNotes(db, [await getAccount(db, supplierId, id)]);
    return account!;
  },
});

endpoints.creates(ACCOUNTS_PATH, {
  summary: 'Capturar una cuenta bancaria de un proveedor',
  text: 'No es confiable hasta que otra persona la confirme.',
  body: newAccountShape,
  returns: 'Capturada',
  answer: savedAccountAnswer,
  problems: ['account_exists', ...REFERENCE_PROBLEMS],
  run: ({ db, actor, id, body }) => createAccount(db, actor, id, body),
});

endpoints.changes(ACCOUNT_PATH, {
  summary: 'Cambiar o confirmar una cuenta bancaria de un proveedor',
  text: 'Un cambio de CLABE o de titular le quita la confianza; `confiable` la da otra persona que quien la capturó o la ha cambiado desde que se confirmó, y con `version`.',
  body: accountChangeShape,
  answer: savedAccountAnswer,
  stale: accountAnswer,
  problems: ['account_exists', 'same_person', 'same_author'],
  run: ({ c, db, actor, body: { version, confiable: trusted, ...draft } }) => {
    if (trusted) requireVersion(version);
    return updateAccount(db, actor, { ...pathAccountIds(c), version }, { ...draft, trusted });
  },
});

endpoints.call('DELETE', ACCOUNT_PATH, {
  summary: 'Eliminar una cuenta bancaria de un proveedor',
  status: 204,
  returns: 'Eliminada',
  run: async (c) => {
    await deleteAccount(c.get('deps').db, actorOf(c), pathAccountIds(c));
    return c.body(null, 204);
  },
});

const pathAccountIds = (c: AppContext) => ({
  supplierId: pathIdWithoutQuery(c),
  id: parseId(c.req.param('cuentaId') ?? '', 'Cuenta'),
});
