import type { KnownValues } from './fuzz-values.ts';

export interface FuzzTarget {
  method: string;
  /** The path has :id in place of each number. */
  path: string;
  query: Record<string, KnownValues>;
  body: Record<string, KnownValues>;
  files: string[];
  kind: 'json' | 'form';
}

export interface Route {
  method: string;
  path: string;
}

type Get = (path: string) => Promise<{ status: number; text: string }>;

/**
 * The API's fields come from its documentation, those of the pages from their forms and links.
 * @param morePaths addresses of pages whose ids are not numbers
 */
export async function learnTargets(
  registeredRoutes: readonly Route[],
  get: Get,
  morePaths: readonly string[] = [],
): Promise<FuzzTarget[]> {
  const targets = new Map<string, FuzzTarget>();
  for (const { method, path } of registeredRoutes) {
    if (method === 'ALL' || path.includes('*') || path.startsWith('/_')) continue;
    const plain = path.replace(/:\w+(\{[^/]*\})?\??/g, ':id').replace(/(?<=.)\/$/, '');
    const kind = plain.startsWith('/api/') ? 'json' : 'form';
    targets.set(`${method} ${plain}`, { method, path: plain, query: {}, body: {}, files: [], kind });
  }
  const document = await get('/api/openapi.json');
  if (document.status !== 200) throw new Error(`/api/openapi.json: ${document.status}`);
  learnFromDocument(JSON.parse(document.text), targets);
  for (const { method, path } of targets.values()) {
    if (method !== 'GET' || path.startsWith('/api/')) continue;
    for (const id of [1, 2]) {
      const { status, text } = await get(
        path.replaceAll(':id', String(id)) + (path === '/admin-users' ? '?edit=2' : ''),
      );
      if (status === 200) learnFromForms(text, path, targets);
    }
  }
  for (const address of morePaths) {
    const { status, text } = await get(address);
    if (status !== 200) throw new Error(`${address}: ${status}`);
    learnFromForms(text, address, targets);
    learnFromLinks(text, targets);
  }
  return [...targets.values()];
}

interface DocumentSchema {
  $ref?: string;
  properties?: Record<string, DocumentSchema>;
  enum?: unknown[];
}

interface ApiDocument {
  paths: Record<
    string,
    Record<
      string,
      {
        parameters?: Array<{ name?: string; in?: string; schema?: DocumentSchema; example?: unknown }>;
        requestBody?: {
          content: Record<string, { schema: DocumentSchema; example?: Record<string, unknown> }>;
        };
      }
    >
  >;
  components: { schemas: Record<string, DocumentSchema> };
}

function learnFromDocument(document: ApiDocument, targets: Map<string, FuzzTarget>): void {
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const target = targets.get(`${method.toUpperCase()} ${path.replace(/\{\w+\}/g, ':id')}`);
      if (!target) continue;
      // The confirmation for emptying a list is not learned: no rows would be left to request.
      for (const { name, in: place, schema, example } of operation.parameters ?? [])
        if (name && name !== 'confirm' && place === 'query')
          target.query[name] = { value: example, choices: schema?.enum };
      const [content] = Object.values(operation.requestBody?.content ?? {});
      const name = content?.schema.$ref?.split('/').at(-1);
      const schema = name ? document.components.schemas[name] : content?.schema;
      for (const [field, of] of Object.entries(schema?.properties ?? {}))
        target.body[field] = { value: content?.example?.[field], choices: of.enum };
    }
  }
}

function learnFromForms(html: string, page: string, targets: Map<string, FuzzTarget>): void {
  for (const [, attributes = '', content = ''] of html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)) {
    const method = (attributeOf(attributes, 'method') ?? 'get').toUpperCase();
    const [action = '', query] = (attributeOf(attributes, 'action') ?? page).split('?');
    const target = targets.get(`${method} ${toRoutePattern(action)}`);
    if (!target) continue;
    if (method !== 'GET') learnQuery(query, target);
    const fields = method === 'GET' ? target.query : target.body;
    for (const [, tag = '', of = '', rest = ''] of content.matchAll(
      /<(input|select|textarea)\b([^>]*)>(.*?)(?=<(?:input|select|textarea)\b|$)/gs,
    )) {
      const name = attributeOf(of, 'name');
      if (!name) continue;
      const type = attributeOf(of, 'type');
      if (type === 'file') {
        if (!target.files.includes(name)) target.files.push(name);
        continue;
      }
      if (type === 'radio') {
        fields[name] = { choices: [...(fields[name]?.choices ?? []), attributeOf(of, 'value')] };
        continue;
      }
      const options = tag === 'select' ? rest.slice(0, Math.max(0, rest.indexOf('</select>'))) : '';
      const choices = [...options.matchAll(/<option\b([^>]*)>/g)].map(
        ([, one = '']) => attributeOf(one, 'value') ?? '',
      );
      const shown = tag === 'textarea' ? rest.slice(0, Math.max(0, rest.indexOf('</textarea>'))) : undefined;
      fields[name] = {
        value: shown ?? attributeOf(of, 'value'),
        choices: choices.length > 0 ? choices : undefined,
      };
    }
  }
}

function learnFromLinks(html: string, targets: Map<string, FuzzTarget>): void {
  for (const [, attributes = ''] of html.matchAll(/<a\b([^>]*)>/g)) {
    const [path = '', query] = (attributeOf(attributes, 'href') ?? '').split('?');
    const target = targets.get(`GET ${toRoutePattern(path)}`);
    if (target) learnQuery(query, target);
  }
}

function learnQuery(query: string | undefined, target: FuzzTarget): void {
  for (const [name, value] of new URLSearchParams(query)) target.query[name] ??= { value };
}

const toRoutePattern = (path: string) =>
  path.replace(/\/\d+(?=\/|$)/g, '/:id').replace(/(?<=^\/importar\/)[\w-]{20,}/, ':id');

const attributeOf = (attributes: string, name: string): string | undefined =>
  new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes)?.[1]?.replaceAll('&amp;', '&');
