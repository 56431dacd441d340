import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { TAGS } from '../../../server/api/call-descriptions.ts';
import { formatCurl } from '../../../server/api/docs-sections.tsx';
import type { Parameter } from '../../../server/api/openapi.ts';
import { resolveRef } from '../../../server/api/openapi.ts';
import { BUILT_IN_LAYOUTS, formatLayout } from '../../../server/formats/bank-files/layout.ts';
import { NON_API_CAUSES_AND_REMEDIES } from '../../../server/pages/help/remedies.ts';
import { projectRoot } from '../../../server/root.ts';
import { generateFileAndMarkSent } from '../../../server/services/bank-files/files.ts';
import { saveLayout } from '../../../server/services/bank-files/layouts.ts';
import { importBankStatement } from '../../../server/services/bank-statements/import-statement.ts';
import { createRow } from '../../../server/services/catalogs/row-changes.ts';
import { importMetadata } from '../../../server/services/fiscal/import-metadata.ts';
import { signBatch } from '../../../server/services/payment-batches/stages.ts';
import { countCash } from '../../../server/services/petty-cash/counting.ts';
import { createMovement } from '../../../server/services/petty-cash/movements.ts';
import { requestReplenishment } from '../../../server/services/petty-cash/replenishing.ts';
import { hashPassword } from '../../../server/services/session/password-hashing.ts';
import { changeSetting } from '../../../server/services/settings/settings.ts';
import { parseNewRow } from '../../../server/shapes/catalogs.ts';
import { PROBLEM_DESCRIPTIONS } from '../../../server/shapes/problems.ts';
import { catalogOf, catalogs } from '../../../shared/catalogs/all.ts';
import type { Catalog } from '../../../shared/catalogs/catalog.ts';
import { addAccount } from '../../support/accounts.ts';
import { createTestApp, type TestApp, type TestClient } from '../../support/app.ts';
import { addBatch } from '../../support/batches.ts';
import {
  addBankRule,
  addClassifiedBankMovement,
  addOpenBankMovement,
  addPaidBankMovement,
} from '../../support/changes.ts';
import { useFreshDatabase } from '../../support/databases.ts';
import { apiDocument, createDocumentedApp, expectValid } from '../../support/documented.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { buildList69bFile } from '../../support/list-69b.ts';
import { addMail } from '../../support/mails.ts';
import { buildMetadataFile, OWN_RFC } from '../../support/metadata.ts';
import { addFund, createExpenseValues } from '../../support/petty-cash.ts';
import { enableQuickHashes } from '../../support/quick-crypto.ts';
import {
  addActor,
  addCreditNote,
  addInvoice,
  addPayment,
  addUser,
  createActor,
  type StoredUser,
} from '../../support/rows.ts';

enableQuickHashes();

const { paths, components } = apiDocument;

/** These codes occur only on pages and the command line, or are zod's own. */
const NOT_OF_THE_API = [...Object.keys(NON_API_CAUSES_AND_REMEDIES), 'custom', 'unrecognized_keys'];

const filesBelow = (...folders: string[]) =>
  folders.flatMap((folder) =>
    readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => join(projectRoot, folder, name)),
  );

const calls = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    operation,
    isPublic: operation.security?.length === 0,
  })),
);

const queryOf = ({ operation }: (typeof calls)[number]) =>
  (operation.parameters ?? []).filter(
    (parameter): parameter is Parameter => 'in' in parameter && parameter.in === 'query',
  );

const bodyOf = ({ operation }: (typeof calls)[number]) => {
  const { schema } = operation.requestBody?.content['application/json'] ?? {};
  return schema && resolveRef(schema, components.schemas);
};

const LINKED_UUID = '5FB2822E-396D-4725-8521-CDC4BDD20CCF';

describe('the document of the API', () => {
  it('is OpenAPI 3.1: every reference leads somewhere and every operation has a name of its own', () => {
    expect(apiDocument.openapi).toBe('3.1.0');
    expect(apiDocument.info.license).toEqual({ name: 'MIT', identifier: 'MIT' });
    const references = [...JSON.stringify(apiDocument).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref!);
    expect(references.length).toBeGreaterThan(100);
    for (const reference of new Set(references)) {
      const found = reference
        .replace(/^#\//, '')
        .split('/')
        .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], apiDocument);
      expect(found, reference).toBeTypeOf('object');
    }
    const ids = calls.map(({ operation }) => operation.operationId);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index || !/^[a-z][A-Za-z0-9]+$/.test(id))).toEqual(
      [],
    );
    const schemes = Object.keys(components.securitySchemes ?? {});
    expect(apiDocument.security.flatMap(Object.keys).sort()).toEqual([...schemes].sort());
  });

  it.each(calls)('$name states what it accepts and what it answers', ({ path, operation }) => {
    expect(operation.summary).not.toBe('');
    expect(TAGS).toEqual(expect.arrayContaining(operation.tags));
    const parameters = (operation.parameters ?? []).filter((one): one is Parameter => 'name' in one);
    const names = parameters.map((one) => `${one.in} ${one.name}`);
    expect(new Set(names).size).toBe(names.length);
    expect(parameters.filter((one) => one.in === 'path').map((one) => `{${one.name}}`)).toEqual(
      path.match(/\{\w+\}/g) ?? [],
    );
    for (const { name, description, schema, example } of parameters) {
      expect(description, name).toBeTruthy();
      expect(schema.type, name).toBeTypeOf('string');
      for (const one of schema.examples ?? []) expectValid(schema, one, `an example of ${name}`);
      if (example !== undefined) expectValid(schema, example, name);
    }
    const body = operation.requestBody?.content['application/json'];
    if (body) expectValid(body.schema, body.example, 'the example of the body');
    const [success] = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
    // A generated client has one type of answer for a call, not a list or something else.
    expect(success?.[1].content?.['application/json']?.schema.anyOf).toBeUndefined();
    const statuses = Object.keys(operation.responses);
    expect(statuses.filter((status) => status.startsWith('2'))).toHaveLength(1);
    expect(statuses).toContain('500');
    for (const answer of Object.values(operation.responses)) expect(answer.description).not.toBe('');
  });

  it('has every registered route below /api, and no other', () => {
    const { app } = createTestApp({ db: undefined as never }); // no request is made
    const registered = app.routes
      .filter(({ method, path }) => method !== 'ALL' && path.startsWith('/api/'))
      .map(
        ({ method, path }) => `${method} ${path.replace(/:(\w+)(\{[^/]*\})?/g, '{$1}').replace(/\/$/, '')}`,
      );
    expect(calls.map(({ name }) => name).sort()).toEqual([...new Set(registered)].sort());
    expect(calls.length).toBeGreaterThan(70);
  });

  it('knows every code that the server answers with', () => {
    const thrown = filesBelow('db', 'shared', 'server').flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/\bcode: '([a-z_]+)'/g)].map(([, code]) => code!),
    );
    expect(thrown).toContain('overpayment');
    const elsewhere = new Set(NOT_OF_THE_API);
    expect(
      [...new Set(thrown)].filter((code) => !(code in PROBLEM_DESCRIPTIONS) && !elsewhere.has(code)),
    ).toEqual([]);
    const codes = calls.flatMap(({ operation }) =>
      Object.values(operation.responses).flatMap(
        ({ content }) => content?.['application/json']?.schema.allOf?.[1]?.properties?.code?.enum ?? [],
      ),
    );
    expect(Object.keys(PROBLEM_DESCRIPTIONS).filter((code) => !codes.includes(code))).toEqual([]);
  });

  it('describes every member of every answer', () => {
    const bare = Object.entries(components.schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties).flatMap(([member, schema]) =>
        schema.description || schema.$ref || schema.properties || schema.anyOf || schema.items
          ? []
          : `${name}.${member}`,
      ),
    );
    expect(bare).toEqual([]);
  });
});

describe('every documented call', () => {
  const fresh = useFreshDatabase('sqlite');
  const PASSWORD = 'demostracion-2026';
  const hash = hashPassword(PASSWORD);
  const place = temporaryFolder();
  afterAll(place.remove);

  /** Stores one row of everything; for a deletion, nothing that would prevent it. */
  async function found(method: string, path: string) {
    const { db } = fresh;
    const user = await addUser(db, {
      username: 'admin',
      email: 'admin@saldo.test',
      roles: [1, 3],
      password: await hash,
    });
    const other = await addUser(db, { roles: [2] });
    const list = path.split('/')[2];
    const deletes = method === 'DELETE' || path.endsWith('/restore');
    const add = (catalog: Catalog) =>
      createRow(db, createActor({ userId: user.id }), catalog, parseNewRow(catalog, catalog.schema.example));
    const catalog = catalogs.find(({ paths }) => paths.api === `/api/${list}`);
    if (deletes && catalog) {
      for (const { ref } of catalog.fields) if (ref) await add(catalogOf(ref));
      await add(catalog);
    } else {
      for (const one of catalogs) await add(one);
      const facturaproveedorId = await addInvoice(db, { fechavencimiento: '2026-11-15' });
      const isUnpaid = deletes && list === 'facturaproveedores';
      if (!isUnpaid) await addPayment(db, { facturaproveedorId, amountCents: 5_000, userId: user.id });
    }
    if (path.endsWith('/{pair}')) await addSecondPayment(user.id);
    if (path.startsWith('/api/programaciones/')) await addBatchFor(method, path);
    if (path.includes('/archivos')) await addFileFor(path);
    if (path.endsWith('/plantillas/confirmar')) await addLayout();
    if (path.endsWith('/devolver')) return { user, id: await addPaidBankMovement(db) };
    if (/movimientos\/\{id\}(\/resolver|\/propuestas)?$/.test(path) && path.includes('/estados-de-cuenta/'))
      return { user, id: await addOpenBankMovement(db) };
    if (path.startsWith('/api/correos/{id}')) await addMail(db, { supplierId: 1 });
    if (path.startsWith('/api/fiscal/')) await addMetadata();
    if (path.endsWith('/rep/enviar')) await addPaymentInParts(user.id);
    if (path.endsWith('/soltar')) return { user, id: await addClassifiedBankMovement(db) };
    if (path.endsWith('/reglas/{id}')) return { user, id: await addBankRule(db) };
    if (path.endsWith('/estados-de-cuenta/{id}')) await addStatement();
    if (path.startsWith('/api/cajachica/')) return { user, id: await addFundFor(method, path) };
    if (path.startsWith('/api/creditos/{id}')) await addCreditNote(db, { supplierId: 1, userId: user.id });
    if (path.endsWith('/{cuentaId}')) await addAccount(fresh.db, { supplierId: 1 });
    return { user, id: /auth|getusers/.test(path) ? other.id : 1 };
  }

  /** Stores the SAT's document of the first invoice, which has no UUID yet. */
  async function addMetadata(): Promise<void> {
    const { db } = fresh;
    await changeSetting(db, createActor(), 'rfc', OWN_RFC);
    const { supplierId } = await db
      .updateTable('invoices')
      .set({ fechaemision: '2026-10-05' })
      .where('id', '=', 1)
      .returning('supplierId')
      .executeTakeFirstOrThrow();
    await db.updateTable('suppliers').set({ rfc: 'ACE010203AB4' }).where('id', '=', supplierId).execute();
    await importMetadata(db, createActor(), buildMetadataFile([{ uuid: LINKED_UUID }]));
  }

  async function addPaymentInParts(userId: number): Promise<void> {
    const facturaproveedorId = await addInvoice(fresh.db, { supplierId: 1, metodopago: 'PPD' });
    await addPayment(fresh.db, { facturaproveedorId, amountCents: 5_000, userId });
  }

  async function addSecondPayment(userId: number): Promise<void> {
    const { supplierId } = await fresh.db
      .selectFrom('invoices')
      .select('supplierId')
      .executeTakeFirstOrThrow();
    const facturaproveedorId = await addInvoice(fresh.db, { supplierId });
    await addPayment(fresh.db, { facturaproveedorId, amountCents: 5_000, userId });
  }

  /** Stores a fund from which somebody else has spent, in the state that this call requires. */
  async function addFundFor(method: string, path: string): Promise<number> {
    const { db } = fresh;
    const isAlone = (method === 'DELETE' && /cajachica.\{id\}$/.test(path)) || path.endsWith('/cerrar');
    const fund = await addFund(db, { aperturaCents: isAlone ? 0 : 100_000 });
    if (isAlone || path.endsWith('/entregar')) return fund.id;
    const clerk = await addActor(db, { roles: [6] });
    const draft = createExpenseValues(path.endsWith('/aceptar') ? { comprobante: 'ninguno' } : {});
    const { movement } = await createMovement(db, clerk, fund.id, draft);
    if (path.includes('/movimientos/')) return movement.id;
    if (path.includes('/arqueos/'))
      return (await countCash(db, clerk, fund.id, { denominaciones: { '500': 1 } })).id;
    if (path.includes('/reposiciones/'))
      return (await requestReplenishment(db, clerk, fund.id, {})).replenishment.id;
    return fund.id;
  }

  /** Stores another user's batch in the state that this call requires. */
  async function addBatchFor(method: string, path: string) {
    const { db } = fresh;
    await changeSetting(
      db,
      createActor(),
      'semaforo.xml',
      path.endsWith('/permitir') ? 'impedir' : 'ignorar',
    );
    const isLater = /\/(enviar|pagar|regresar)$/.test(path);
    const invoiceIds = await db.selectFrom('invoices').select('id').execute();
    const batch = {
      invoiceIds: invoiceIds.map(({ id }) => id),
      estado: path.endsWith('/avisos/enviar') ? 'pagada' : isLater ? 'autorizada' : 'borrador',
    } as const;
    await addBatch(db, invoiceIds.length > 0 && method !== 'DELETE' ? batch : {});
  }

  async function addStatement() {
    await importBankStatement(fresh.db, await addActor(fresh.db, { roles: [1] }), {
      origenderecursoId: 1,
      filename: 'estado.csv',
      sha256: 'a'.repeat(64),
      movements: [
        { line: 2, fecha: '2026-11-19', amountCents: -500, referencia: '', descripcion: 'Comisión' },
      ],
    });
  }

  /** Stores the changed layout that the example names. */
  async function addLayout() {
    const { db } = fresh;
    const spei = BUILT_IN_LAYOUTS.find(({ plantilla }) => plantilla === 'bbva-spei')!;
    await saveLayout(db, await addActor(db), formatLayout({ ...spei, nombre: 'La nuestra' }));
    await db.updateTable('bank_layouts').set({ version: 412 }).execute();
  }

  /** Stores confirmed accounts of the batch's suppliers, without which no bank file is made. */
  async function addFileFor(path: string) {
    const { db } = fresh;
    const author = await addActor(db, { roles: [6], today: '2026-11-02' });
    for (const { id: supplierId } of await db.selectFrom('suppliers').select('id').execute())
      await addAccount(db, { supplierId, author });
    const approver = await addActor(db, { roles: [1] });
    await signBatch(db, approver, 1);
    if (path.endsWith('/descargar')) await generateFileAndMarkSent(db, approver, 1, { layout: 'csv' });
  }

  /** Sends the request of a page's curl example. */
  async function paste(client: TestClient, command: string, variables: Record<string, string | number>) {
    const shell = command.replaceAll(/'"(\$\w+)"'/g, '$1').replaceAll('$(date +%s)', '1795000000');
    const typed = shell.replace(/\$([A-Z]+)\b/g, (_, name: string) => String(variables[name]));
    const [, address = ''] = /"SALDO([^"]*)"/.exec(typed) ?? [];
    const [, body] = /-d '(.*)'$/s.exec(typed) ?? [];
    const parts = Object.fromEntries(
      [...typed.matchAll(/-F "(\w+)=([^"]*)"/g)].map(([, name, value]) => [name!, value!]),
    );
    const headers = [...typed.matchAll(/-H "([\w-]+): ([^"]*)"/g)].map(([, name, value]) => [name!, value!]);
    const method = /-X (\w+)/.exec(typed)?.[1] ?? 'GET';
    if (parts.file) {
      const { file, ...fields } = parts;
      if (file === '@metadatos.zip')
        return client.files(
          address,
          { file: ['metadatos.txt', buildMetadataFile([{ uuid: LINKED_UUID }]).bytes] },
          {},
          Object.fromEntries(headers),
        );
      if (file === '@Listado_completo_69-B.csv')
        return client.files(
          address,
          { file: ['lista.csv', buildList69bFile([]).bytes] },
          {},
          Object.fromEntries(headers),
        );
      const statement = Buffer.from('Fecha,Concepto,Cargo,Abono\n19/11/2026,Comisión,5.00,\n');
      const sent = Object.fromEntries(headers);
      return client.files(address, { file: [file!.replace('@', ''), statement] }, fields, sent);
    }
    return client.send(address, { method, body, headers: headers as [string, string][] });
  }

  it.each(calls)('$name answers its example as documented', async ({ method, path, operation }) => {
    const app = createDocumentedApp({ db: fresh.db, config: { dataFolder: place.folder } });
    const { user, id } = await found(method, path);
    const { token } = await app.withToken(user);
    const caller = app.visitor();
    caller.headers.delete('origin');
    if (path.endsWith('/restore')) {
      const deleted = await (await app.withToken(user)).delete(
        path.replace('/restore', '').replace('{id}', String(id)),
      );
      expect(deleted.status).toBe(204);
    }
    const command = formatCurl(method.toLowerCase(), path, operation);
    const names = {
      SALDO: 'SALDO',
      TOKEN: token,
      ID: id,
      FACTURAPROVEEDORID: 1,
      CUENTAID: 1,
      ARCHIVOID: 1,
      PAIR: '1-2',
      CONFIRM: 'all',
    };
    const response = await paste(caller, command, names);
    expect([command, response.status, response.ok ? '' : await response.text()]).toEqual([
      command,
      Number(Object.keys(operation.responses).find((status) => status.startsWith('2'))),
      '',
    ]);
  });

  it('refuses as documented', async () => {
    const app = createDocumentedApp({ db: fresh.db });
    const user = await addUser(fresh.db, { roles: [1, 3] });
    for (const call of calls) await expectRefusals(app, user, call);
  });

  async function expectRefusals(app: TestApp, user: StoredUser, call: (typeof calls)[number]) {
    const { name } = call;
    const address = call.path.replace(/\{\w+\}/g, '1');
    const send = (client: TestClient, query: string, body?: object) =>
      client.send(`${address}${query}`, {
        method: call.method,
        headers: { 'content-type': 'application/json' },
        body: body && call.method !== 'GET' ? JSON.stringify(body) : undefined,
      });
    const admin = await app.withToken(user);
    if (!call.isPublic) expect((await send(app.visitor(), '', {})).status, name).toBe(401);
    if (call.operation.description?.includes('Solo para el rol 3.'))
      expect((await send(await app.withToken(1), '', {})).status, name).toBe(403);
    const query = queryOf(call);
    if (query.length > 0 && call.method !== 'DELETE') {
      const unknown = await send(admin, '?desconocido=1', {});
      expect([unknown.status, (await unknown.json()).code], name).toEqual([400, 'malformed']);
      // An empty parameter counts as absent, except where its name is unknown.
      const empty = await send(admin, `?${query.map((one) => `${one.name}=`).join('&')}`, {});
      expect(await empty.text(), name).not.toContain('No existe el campo');
    }
    const body = bodyOf(call);
    if (body?.additionalProperties === false) {
      const asked = query.length > 0 ? '?id=1' : '';
      const unknown = await send(admin, asked, { desconocido: 1 });
      expect([unknown.status, (await unknown.json()).fields], name).toEqual([
        400,
        { desconocido: 'No existe el campo «desconocido».' },
      ]);
      const all = Object.fromEntries(Object.keys(body.properties ?? {}).map((member) => [member, null]));
      expect(await (await send(admin, asked, all)).text(), name).not.toContain('No existe el campo');
    }
  }

  it('with a body requires what the document requires', async () => {
    const app = createDocumentedApp({ db: fresh.db });
    const { user } = await found('POST', '');
    const admin = await app.withToken(user);
    for (const call of calls.filter(({ method }) => method === 'POST')) {
      const { example } = call.operation.requestBody?.content['application/json'] ?? {};
      for (const name of bodyOf(call)?.required ?? []) {
        const { [name]: _left, ...rest } = example as Record<string, unknown>;
        const answer = await admin.post(call.path.replace(/\{\w+\}/g, '1'), rest);
        expect([call.name, name, answer.status]).toEqual([call.name, name, 422]);
      }
    }
  });
});

describe('GET /api/openapi.json', () => {
  const fresh = useFreshDatabase('sqlite');

  it('answers the document to every signed-in user, and to nobody else', async () => {
    const app = createTestApp({ db: fresh.db });
    expect((await app.visitor().get('/api/openapi.json')).status).toBe(401);
    const answer = await (await app.as(6)).get('/api/openapi.json');
    expect(await answer.json()).toEqual(JSON.parse(JSON.stringify(apiDocument)));
  });
});
