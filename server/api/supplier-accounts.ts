import { Hono } from 'hono';
import { z } from 'zod';
import { suppliers } from '../../shared/catalogs/suppliers.ts';
import type { SupplierAccount } from '../../shared/supplier-accounts.ts';
import { type AppContext, type AppEnv, actorOf } from '../http/session.ts';
import { getRow } from '../services/catalogs/reading.ts';
import { requireVersion } from '../services/stored-rows.ts';
import { createAccount, deleteAccount, updateAccount } from '../services/supplier-accounts/accounts.ts';
import { getAccount, listAccounts } from '../services/supplier-accounts/reading.ts';
import { parseId } from '../shapes/fields.ts';
import {
  accountAnswer,
  accountChangeShape,
  newAccountShape,
  savedAccountAnswer,
  toAccountJson,
} from '../shapes/supplier-accounts.ts';
import { CREATES, pathId, takes } from './answers.ts';
import { describes, REFERRING, type Tag } from './describe.ts';

const tag = suppliers.texts.list as Tag;
const LIST = '/:id{[0-9]+}/cuentas';
const ONE = `${LIST}/:cuentaId{[0-9]+}`;

/** Mounted under the suppliers' address, before its own routes. */
export const supplierAccountsApi = new Hono<AppEnv>({ strict: false })
  .get(
    LIST,
    describes({
      tag,
      summary: 'Las cuentas bancarias de un proveedor',
      success: { status: 200, says: 'La más antigua primero', shape: z.array(accountAnswer) },
    }),
    async (c) => {
      const { db } = c.get('deps');
      const { id } = await getRow(db, suppliers, pathId(c));
      return c.json((await listAccounts(db, id)).map(toAccountJson));
    },
  )
  .get(
    ONE,
    describes({
      tag,
      summary: 'Leer una cuenta bancaria de un proveedor',
      success: { status: 200, says: 'La cuenta', shape: accountAnswer },
    }),
    async (c) => {
      const { supplierId, id } = placeIn(c);
      return c.json(toAccountJson(await getAccount(c.get('deps').db, supplierId, id)));
    },
  )
  .post(
    LIST,
    describes({
      tag,
      summary: 'Capturar una cuenta bancaria de un proveedor',
      text: 'No es confiable hasta que otra persona la confirme.',
      body: newAccountShape,
      once: true,
      success: { status: 201, says: 'Capturada', shape: savedAccountAnswer },
      problems: ['account_exists', ...REFERRING],
    }),
    takes(newAccountShape, CREATES, async ({ db, actor, id, body }) =>
      toSavedJson(await createAccount(db, actor, id, body)),
    ),
  )
  .put(
    ONE,
    describes({
      tag,
      summary: 'Cambiar o confirmar una cuenta bancaria de un proveedor',
      text: 'Un cambio de CLABE o de titular le quita la confianza; `confiable` la da otra persona que quien la capturó o la ha cambiado desde que se confirmó, y con `version`.',
      body: accountChangeShape,
      success: { status: 200, says: 'Como quedó', shape: savedAccountAnswer },
      stale: accountAnswer,
      problems: ['account_exists', 'same_person'],
    }),
    takes(accountChangeShape, { current: toAccountJson }, async ({ c, db, actor, body }) => {
      const { version, confiable: trusted, ...draft } = body;
      if (trusted) requireVersion(version);
      return toSavedJson(await updateAccount(db, actor, { ...placeIn(c), version }, { ...draft, trusted }));
    }),
  )
  .delete(
    ONE,
    describes({
      tag,
      summary: 'Eliminar una cuenta bancaria de un proveedor',
      success: { status: 204, says: 'Eliminada' },
    }),
    async (c) => {
      await deleteAccount(c.get('deps').db, actorOf(c), placeIn(c));
      return c.body(null, 204);
    },
  );

const placeIn = (c: AppContext) => ({
  supplierId: pathId(c),
  id: parseId(c.req.param('cuentaId') ?? '', 'Cuenta'),
});

const toSavedJson = ({ account, warnings }: { account: SupplierAccount; warnings: string[] }) => ({
  ...toAccountJson(account),
  warnings,
});
