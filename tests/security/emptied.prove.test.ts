import { afterAll, describe, expect, it } from 'vitest';
import { createApp } from '../../server/app.ts';
import type { Deps } from '../../server/http/session.ts';
import { hashPassword } from '../../server/services/session/password-hashing.ts';
import { createTestApp, type TestClient } from '../support/app.ts';
import { CURRENT_PASSWORD, changes } from '../support/changes.ts';
import { useFreshDatabase } from '../support/databases.ts';
import { apiDocument } from '../support/documented.ts';
import { temporaryFolder } from '../support/folder.ts';
import { learnTargets } from '../support/fuzz-routes.ts';
import type { KnownValues } from '../support/fuzz-values.ts';
import { enableQuickHashes } from '../support/quick-crypto.ts';
import { addUser } from '../support/rows.ts';

enableQuickHashes();

type Members = Record<string, unknown>;
interface Sent {
  method: 'post' | 'put' | 'form';
  path: string;
  body: Members;
}

/** Null, empty, blank, and values of another type. */
const OF_JSON: readonly unknown[] = [null, '', '  ', 'x', -1, 1.5, 1e300, true, [], {}, [null]];
const OF_FORMS = ['', '  ', 'x', '-1', '1.5', 'null', '0'];

const { folder, remove } = temporaryFolder();
afterAll(remove);

const routes = new Set(
  createApp({ config: {} } as Deps)
    .routes.filter(({ method }) => ['POST', 'PUT'].includes(method))
    .map(({ method, path }) => `${method} ${path.replace(/:\w+(\{[^/]*\})?/g, ':id')}`)
    .filter((route) => Object.hasOwn(changes, route)),
);

describe('a member that is empty, null, blank or of another type', () => {
  const fresh = useFreshDatabase('sqlite');

  async function fieldsOf(route: string, admin: TestClient): Promise<Record<string, KnownValues>> {
    const get = async (path: string) => {
      if (!path.startsWith('/api/openapi')) {
        const answer = await admin.get(path);
        return { status: answer.status, text: await answer.text() };
      }
      return { status: 200, text: JSON.stringify(apiDocument) };
    };
    const [method = '', path = ''] = route.split(' ');
    const own = [{ method, path: path.replaceAll(':id', ':id{[0-9]+}') }];
    const shown = path.startsWith('/api/') ? [] : [{ method: 'GET', path: own[0]!.path }];
    const targets = await learnTargets([...own, ...shown], get);
    return targets.find((target) => target.method === method)!.body;
  }

  /** Catches the last request of a change before it is sent. */
  async function caught(send: (client: TestClient) => Promise<Response>, client: TestClient) {
    const sent: Sent[] = [];
    const note =
      (method: Sent['method']) =>
      async (path: string, body: Members = {}) => {
        sent.push({ method, path, body });
        return new Response('{}', { status: 200 });
      };
    const listening = new Proxy(client, {
      get(target, name, receiver) {
        if (name === 'post' || name === 'put' || name === 'form') return note(name);
        const value = Reflect.get(target, name, receiver);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    await send(listening).catch(() => undefined);
    return sent.at(-1);
  }

  it.each([...routes])('%s takes effect or is refused by name, and never fails', async (route) => {
    const { db } = fresh;
    const roles = [1, 2, 3, 4, 5, 6];
    const user = await addUser(db, { roles, password: await hashPassword(CURRENT_PASSWORD) });
    const client = await createTestApp({ db, config: { dataFolder: folder } }).as(user);
    const send = await changes[route]!(db);
    const sent = await caught(send, client);
    if (!sent) return; // files alone
    const { method, path, body } = sent;
    const members = new Set([...Object.keys(body), ...Object.keys(await fieldsOf(route, client))]);
    members.delete('idempotencyKey');
    const wrong: unknown[] = [];
    for (const member of members)
      for (const value of method === 'form' ? OF_FORMS : OF_JSON) {
        const changed = { ...body, [member]: value };
        const answer =
          method === 'form'
            ? await client.form(path, changed as Record<string, string>)
            : await client[method](path, changed);
        const text = await answer.text();
        if (answer.status >= 500) wrong.push([member, value, answer.status, text.slice(0, 200)]);
        if (method === 'form' || ![400, 422].includes(answer.status)) continue;
        const { message = '', fields = {} } = JSON.parse(text) as { message: string; fields?: Members };
        const names = Object.keys(fields);
        const isNamed =
          names.some((name) => name === member || name.startsWith(`${member}.`)) || message.includes(member);
        // An earlier change may have left the row in a state that breaks another rule.
        if (names.length === 0 && !isNamed) wrong.push([member, value, answer.status, text.slice(0, 200)]);
      }
    expect(wrong).toEqual([]);
  });
});
