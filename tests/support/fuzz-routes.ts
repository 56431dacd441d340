import { balanceQueryShape } from '../../server/shapes/balances.ts';
import { catalogShapes } from '../../server/shapes/catalogs.ts';
import { invoiceChangeShape, invoiceQueryShape, newInvoiceShape } from '../../server/shapes/invoices.ts';
import { newPaymentShape, paymentChangeShape, paymentQueryShape } from '../../server/shapes/payments.ts';
import { newUserShape, resetShape, userChangeShape, userQueryShape } from '../../server/shapes/users.ts';
import { catalogs } from '../../shared/catalogs/all.ts';
import type { Known } from './fuzz-values.ts';

/** A route, and what is known of the fields that it takes. */
export interface Target {
  method: string;
  /** with :id for each number in it */
  path: string;
  query: Record<string, Known>;
  body: Record<string, Known>;
  kind: 'json' | 'form';
}

export interface Route {
  method: string;
  path: string;
}

type Get = (path: string) => Promise<{ status: number; text: string }>;

/**
 * Every registered route with its fields: those of the API as it documents itself, else as its shapes have
 * them; those of the pages as their own forms have them.
 */
export async function learnTargets(registered: readonly Route[], get: Get): Promise<Target[]> {
  const targets = new Map<string, Target>();
  for (const { method, path } of registered) {
    if (method === 'ALL' || path.includes('*') || path.startsWith('/_')) continue;
    const plain = path.replace(/:\w+(\{[^/]*\})?\??/g, ':id').replace(/(?<=.)\/$/, '');
    const kind = plain.startsWith('/api/') ? 'json' : 'form';
    targets.set(`${method} ${plain}`, { method, path: plain, query: {}, body: {}, kind });
  }
  const document = await get('/api/openapi.json');
  if (document.status === 200) learnFromDocument(JSON.parse(document.text), targets);
  else learnFromShapes(targets);
  for (const { method, path } of targets.values()) {
    if (method !== 'GET' || path.startsWith('/api/')) continue;
    for (const id of [1, 2]) {
      const { status, text } = await get(
        path.replaceAll(':id', String(id)) + (path === '/admin-users' ? '?edit=2' : ''),
      );
      if (status === 200) learnFromForms(text, path, targets);
    }
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

function learnFromDocument(document: ApiDocument, targets: Map<string, Target>): void {
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const target = targets.get(`${method.toUpperCase()} ${path.replace(/\{\w+\}/g, ':id')}`);
      if (!target) continue;
      // What it takes to empty a whole list is not learned: nothing would be left to ask for.
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

type Shape = { shape: Record<string, { meta?(): object | undefined }> };

function learnFromShapes(targets: Map<string, Target>): void {
  const lists: ReadonlyArray<readonly [path: string, create: Shape, change: Shape, query: Shape]> = [
    ['/api/facturaproveedores', newInvoiceShape, invoiceChangeShape, invoiceQueryShape],
    ['/api/payments', newPaymentShape, paymentChangeShape, paymentQueryShape],
    ['/api/test/getusers', newUserShape, userChangeShape, userQueryShape],
    ...catalogs.map(({ noun, paths }) => {
      const { create, change, query } = catalogShapes[noun]!;
      return [paths.api, create, change, query] as const;
    }),
  ];
  const passwords = ['id', 'email', 'username', 'password', 'currpassword', 'newpassword'];
  for (const target of targets.values()) {
    const { method, path } = target;
    const [, create, change, query] = lists.find(([list]) => path.startsWith(list)) ?? [];
    const take = (shape: Shape | undefined): Record<string, Known> =>
      Object.fromEntries(
        Object.entries(shape?.shape ?? {}).map(([name, field]) => [
          name,
          { choices: choicesOf(field.meta?.()) },
        ]),
      );
    if (method === 'GET') target.query = take(path.includes('pivot') ? balanceQueryShape : query);
    else if (path.includes('signup')) target.body = take(newUserShape);
    else if (path.includes('resetpsw')) target.body = take(resetShape);
    else if (path.includes('updateusersdata')) target.body = take(userChangeShape);
    else if (path.startsWith('/api/auth'))
      target.body = Object.fromEntries(passwords.map((name) => [name, {}]));
    else if (path.startsWith('/api')) target.body = take(method === 'POST' ? create : change);
  }
}

const choicesOf = (schema: { enum?: readonly unknown[] } = {}) => schema.enum;

/** The fields of each form of a page, for the route that it goes to. */
function learnFromForms(html: string, page: string, targets: Map<string, Target>): void {
  for (const [, attributes = '', content = ''] of html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)) {
    const method = (attributeOf(attributes, 'method') ?? 'get').toUpperCase();
    const [action = ''] = (attributeOf(attributes, 'action') ?? page).split('?');
    const target = targets.get(`${method} ${action.replace(/\/\d+(?=\/|$)/g, '/:id')}`);
    if (!target) continue;
    const fields = method === 'GET' ? target.query : target.body;
    for (const [, tag = '', of = '', rest = ''] of content.matchAll(
      /<(input|select|textarea)\b([^>]*)>(.*?)(?=<(?:input|select|textarea)\b|$)/gs,
    )) {
      const name = attributeOf(of, 'name');
      if (!name) continue;
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

const attributeOf = (attributes: string, name: string): string | undefined =>
  new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes)?.[1]?.replaceAll('&amp;', '&');
