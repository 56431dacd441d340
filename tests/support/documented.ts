import { expect } from 'vitest';
import { z } from 'zod';
import type { Operation, Schema } from '../../server/api/openapi.ts';
import { describeApi } from '../../server/api/openapi.ts';
import { api } from '../../server/api/routes.ts';
import { createTestApp, type TestApp, type TestClient } from './app.ts';

export const apiDocument = describeApi(api.routes, '/');

const { schemas } = apiDocument.components;

export function createDocumentedApp(options: Parameters<typeof createTestApp>[0]): TestApp {
  const app = createTestApp(options);
  return {
    ...app,
    visitor: () => checkAnswersOf(app.visitor()),
    as: async (who) => checkAnswersOf(await app.as(who)),
    withToken: async (who) => checkAnswersOf(await app.withToken(who)),
  };
}

function checkAnswersOf(client: TestClient): TestClient {
  const send = client.send.bind(client);
  client.send = async (path, init = {}) => {
    const response = await send(path, init);
    if (/^\/api\//.test(path)) await expectDocumented(init.method ?? 'GET', path, response.clone());
    return response;
  };
  return client;
}

/** A member that is not in the document fails, and so does a code that is not listed for the status. */
export async function expectDocumented(method: string, path: string, response: Response): Promise<void> {
  const call = `${method} ${path}: ${response.status}`;
  const operation = operationOf(method, path);
  if (!operation) {
    expect([401, 403, 404, 405], `${call}, where nothing is documented`).toContain(response.status);
    return;
  }
  const answer = operation.responses[response.status];
  if (!answer) throw new Error(`${call} is not documented: ${await response.text()}`);
  const content = Object.entries(answer.content ?? {})[0];
  const text = await response.text();
  if (!content) return expect(text, call).toBe('');
  const [type, { schema }] = content;
  expect(response.headers.get('content-type'), call).toContain(type);
  if (type !== 'application/json') return;
  const body: unknown = JSON.parse(text);
  if (response.status >= 400) expectProblem(schema, body, call);
  else {
    // Old programs ask a list for one row this way: deprecated, and described in words only.
    const isOne = schema.items !== undefined && !Array.isArray(body);
    expectValid(isOne ? schemaOfListedRow(path, schema.items!) : schema, body, call);
    for (const name of Object.keys(answer.headers ?? {})) {
      // The last page has no next page, and a single row has no headers of a list.
      if (name !== 'Link' && Array.isArray(body))
        expect(response.headers.has(name), `${call} ${name}`).toBe(true);
    }
  }
}

function schemaOfListedRow(path: string, row: Schema): Schema {
  const list = path.split('?')[0]!.replace(/\/$/, '');
  const [own] = Object.values(operationOf('GET', `${list}/1`)?.responses[200]?.content ?? {});
  return own?.schema ?? row;
}

/** Every error has the same shape; the call's own part narrows its code and its stored row. */
function expectProblem(schema: Schema, body: unknown, call: string): void {
  const [shape, own] = schema.allOf ?? [];
  expectValid(shape!, body, call);
  const problem = body as Record<string, unknown>;
  expect(own?.properties?.code?.enum, `${call} ${problem.code}`).toContain(problem.code);
  if (problem.current !== undefined) expectValid(own!.properties!.current!, problem.current, call);
}

export function expectValid(schema: Schema, value: unknown, checkedCall: string): void {
  const result = validatorOf(schema).safeParse(value);
  expect(result.success ? '' : z.prettifyError(result.error), checkedCall).toBe('');
}

const documentedPaths = Object.entries(apiDocument.paths).map(([path, methods]) => ({
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[0-9-]+')}$`),
  methods,
}));

export function operationOf(method: string, path: string): Operation | undefined {
  const address = path.replace(/\?.*$/, '').replace(/\/$/, '');
  return documentedPaths.find(({ pattern }) => pattern.test(address))?.methods[method.toLowerCase()];
}

const validators = new Map<string, z.ZodType>();

/** Takes only the definitions that a schema refers to: otherwise all of them would be converted each time. */
function validatorOf(schema: Schema): z.ZodType {
  const text = JSON.stringify(schema);
  const cached = validators.get(text);
  if (cached) return cached;
  const names = new Set<string>();
  const collectReferredSchemas = (from: string) => {
    for (const [, name = ''] of from.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (names.has(name)) continue;
      names.add(name);
      collectReferredSchemas(JSON.stringify(schemas[name]));
    }
  };
  collectReferredSchemas(text);
  const $defs = Object.fromEntries([...names].map((name) => [name, schemas[name]]));
  const resolved = JSON.stringify({ ...schema, $defs }).replaceAll('#/components/schemas/', '#/$defs/');
  const validator = z.fromJSONSchema(JSON.parse(resolved));
  validators.set(text, validator);
  return validator;
}
