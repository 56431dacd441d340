import { Hono } from 'hono';
import { z } from 'zod';
import { suppliers } from '../../shared/catalogs/suppliers.ts';
import type { SupplierAccount } from '../../shared/supplier-accounts.ts';
import { createOnce, readJson } from '../http/request.ts';
import { type AppContext, type AppEnv, actorOf } from '../http/session.ts';
import { getRow } from '../services/catalogs/reading.ts';
import { requireVersion } from '../services/stored-rows.ts';
import { createAccount, deleteAccount, updateAccount } from '../services/supplier-accounts/accounts.ts';
import { getAccount, listAccounts } from '../services/supplier-accounts/reading.ts';
import { parseId, parseShape } from '../shapes/fields.ts';
import {
  accountAnswer,
  accountChangeShape,
  newAccountShape,
  savedAccountAnswer,
  toAccountJson,
} from '../shapes/supplier-accounts.ts';
import { pathId, withCurrentAsJson } from './answers.ts';
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
    async (c) => {
      const supplierId = pathId(c);
      const body = await readJson(c);
      const draft = parseShape(newAccountShape, body);
      const answer = await createOnce(c, body, async (trx) =>
        toSavedJson(await createAccount(trx, actorOf(c), supplierId, draft)),
      );
      return c.json(answer, 201);
    },
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
    async (c) => {
      const place = placeIn(c);
      const { version, confiable: trusted, ...draft } = parseShape(accountChangeShape, await readJson(c));
      if (trusted) requireVersion(version);
      const saved = await withCurrentAsJson(
        () => updateAccount(c.get('deps').db, actorOf(c), { ...place, version }, { ...draft, trusted }),
        (current) => toAccountJson(current as SupplierAccount),
      );
      return c.json(toSavedJson(saved));
    },
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
