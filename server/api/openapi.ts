import type { RouterRoute } from 'hono/types';
import { z } from 'zod';
import packageJson from '../../package.json' with { type: 'json' };
import { AREA_ROLES } from '../../shared/roles.ts';
import { findAccess, isPasswordChangePath, isSecondFactorPath } from '../http/access.ts';
import { STATUS_BY_KIND } from '../http/errors.ts';
import { EXPORT_MEDIA_TYPES } from '../services/exports/make-export.ts';
import { PROBLEM_DESCRIPTIONS, type ProblemCode, problemShape } from '../shapes/problems.ts';
import { type Description, findDescription, TAGS } from './call-descriptions.ts';
import { COMPONENTS, FORM_TYPE, INTRODUCTION } from './openapi-parts.ts';

export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  description?: string;
  format?: string;
  enum?: readonly unknown[];
  properties?: Record<string, Schema>;
  required?: readonly string[];
  items?: Schema;
  anyOf?: readonly Schema[];
  allOf?: readonly Schema[];
  additionalProperties?: Schema | boolean;
  examples?: readonly unknown[];
  deprecated?: boolean;
  [keyword: string]: unknown;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  deprecated?: boolean;
  schema: Schema;
  example?: unknown;
}

export interface ResponseObject {
  description: string;
  headers?: Record<string, { $ref: string }>;
  content?: Record<string, { schema: Schema }>;
}

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  security?: object[];
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { required: boolean; content: Record<string, { schema: Schema; example?: unknown }> };
  responses: Record<string, ResponseObject>;
}

export type ApiDocument = ReturnType<typeof describeApi>;

export function describeApi(routes: readonly RouterRoute[], url: string) {
  const schemas: Schemas = {};
  const paths: Record<string, Record<string, Operation>> = {};
  toSchema(problemShape, 'output', schemas);
  for (const { method, path, handler } of routes) {
    const description = findDescription(handler);
    if (!description) continue;
    const address = `/api${path.replace(/:(\w+)(\{[^/]*\})?/g, '{$1}')}`.replace(/\/$/, '');
    paths[address] ??= {};
    paths[address][method.toLowerCase()] = describeOperation(method, address, description, schemas);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Saldo',
      version: packageJson.version,
      description: INTRODUCTION,
      license: { name: packageJson.license, identifier: packageJson.license },
    },
    servers: [{ url }],
    tags: TAGS.map((name) => ({ name })),
    security: [{ token: [] }, { bearer: [] }, { cookie: [] }],
    paths,
    components: { schemas, ...COMPONENTS },
  };
}

type Schemas = Record<string, Schema>;

function describeOperation(
  method: string,
  path: string,
  described: Description,
  schemas: Schemas,
): Operation {
  const { tag, summary, text, query, body, answer, type, staleAnswer } = described;
  const roles = findAllowedRoles(path, described);
  const content = answer && { schema: toSchema(answer, 'output', schemas) };
  return {
    operationId: operationIdOf(method, path),
    tags: [tag],
    summary,
    description:
      [text, roles.length === 1 && `Solo para el rol ${roles[0]}.`].filter(Boolean).join(' ') || undefined,
    security: findAccess(path) === 'public' ? [] : undefined,
    parameters: [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => describePathParameter(name)),
      ...(query ? describeQueryParameters(query, schemas) : []),
      ...(described.isIdempotent ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ],
    requestBody: body && describeBody(body, schemas, described),
    responses: {
      [described.status]: {
        description: described.returns,
        headers: createHeaderRefs((described.headers ?? []).flatMap((kind) => HEADER_NAMES_BY_KIND[kind])),
        content: type
          ? { [type]: { schema: { type: 'string' } } }
          : content && { [JSON_TYPE]: content, ...describeExportTypes(query) },
      },
      ...describeProblems(
        collectProblems(method, path, described),
        staleAnswer && toSchema(staleAnswer, 'output', schemas),
      ),
    },
  };
}

const JSON_TYPE = 'application/json';

function describeExportTypes(query: z.ZodObject | undefined) {
  if (!Object.hasOwn(query?.shape ?? {}, 'format')) return {};
  const { json: _same, csv, ...binary } = EXPORT_MEDIA_TYPES;
  const file = { schema: { type: 'string', format: 'binary' } };
  return {
    [csv.split(';')[0]!]: { schema: { type: 'string' } },
    ...Object.fromEntries(Object.values(binary).map((type) => [type, file])),
  };
}

function findAllowedRoles(path: string, { onlyRole }: Description): readonly number[] {
  const access = findAccess(path);
  if (onlyRole !== undefined) return [onlyRole];
  return access === undefined || access === 'public' ? [] : AREA_ROLES[access];
}

/** Makes getPaymentsFindbyidById of GET /api/payments/findbyid/{id}. */
const operationIdOf = (method: string, path: string): string =>
  method.toLowerCase() +
  path
    .slice('/api'.length)
    .replaceAll('{', 'by/')
    .replace(/[^A-Za-z0-9]+(\w?)/g, (_, letter: string) => letter.toUpperCase());

const describePathParameter = (name: string): Parameter => ({
  name,
  in: 'path',
  required: true,
  description: 'Número del registro',
  schema: { type: 'integer', minimum: 1 },
  example: 1,
});

function describeQueryParameters(shape: z.ZodObject, schemas: Schemas): Parameter[] {
  const { properties = {}, examples = [] } = toSchema(shape, 'input', schemas);
  const [together = {}] = examples as Record<string, unknown>[];
  return Object.entries(properties).map(([name, { description, deprecated, ...schema }]) => ({
    name,
    in: 'query',
    required: false,
    description,
    deprecated,
    // A query string has no null: there a parameter is left out instead.
    schema: { ...schema, type: [schema.type ?? []].flat().find((type) => type !== 'null') },
    // The values of the whole query's example belong together. A parameter's own example is in its schema.
    example: together[name],
  }));
}

function describeBody(
  body: z.ZodObject | 'empty',
  schemas: Schemas,
  { isBodyOptional, isForm }: Description,
): Operation['requestBody'] {
  if (body === 'empty') {
    return { required: false, content: { [JSON_TYPE]: { schema: { type: 'object' }, example: {} } } };
  }
  const schema = toSchema(body, 'input', schemas);
  const example = resolveRef(schema, schemas).examples?.[0];
  return { required: !isBodyOptional, content: { [isForm ? FORM_TYPE : JSON_TYPE]: { schema, example } } };
}

export const resolveRef = (schema: Schema, schemas: Schemas): Schema =>
  schema.$ref ? (schemas[schema.$ref.replace('#/components/schemas/', '')] ?? {}) : schema;

const createHeaderRefs = (names: readonly string[]): ResponseObject['headers'] =>
  names.length > 0
    ? Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
    : undefined;

const HEADER_NAMES_BY_KIND = {
  page: ['X-Total-Count', 'Link'],
  totals: ['X-Sum-Total', 'X-Sum-Paid', 'X-Sum-Pending', 'X-Sum-SinIva'],
} as const;

function collectProblems(method: string, path: string, described: Description) {
  const { query, body, isIdempotent, staleAnswer, problems = [], onlyRole } = described;
  const hasParameter = (name: string) => Object.hasOwn(query?.shape ?? {}, name);
  const isPublic = findAccess(path) === 'public';
  const names = path.includes('{') || hasParameter('id');
  const changes = method !== 'GET';
  const problemRules: (readonly [holds: boolean, ...codes: ProblemCode[]])[] = [
    [changes || names || query !== undefined, 'malformed'],
    [hasParameter('cursor'), 'bad_cursor'],
    [hasParameter('format'), 'too_many_rows', 'busy'],
    [hasParameter('sortfield'), 'too_many_to_sort'],
    [!isPublic, 'unauthenticated'],
    [!isPublic || onlyRole !== undefined, 'forbidden'],
    [!isPublic && !isPasswordChangePath(path), 'password_change_required'],
    [!isPublic && !isSecondFactorPath(path), 'second_factor_enrolment_required'],
    [changes, 'foreign_origin'],
    [names, 'not_found'],
    [body !== undefined && body !== 'empty', 'invalid', 'bad_value'],
    [body !== undefined && !described.isForm, 'unsupported_media_type'],
    [isIdempotent === true, 'idempotency_key_reused'],
    [staleAnswer !== undefined, 'stale'],
    [changes, 'too_large', 'busy', 'disk_full', 'database_gone', 'database_damaged'],
    [true, 'method_not_allowed', 'file_unusable', 'database_unavailable', 'internal_error'],
  ];
  return new Set([...problemRules.flatMap(([holds, ...codes]) => (holds ? codes : [])), ...problems]);
}

function describeProblems(
  codes: ReadonlySet<ProblemCode>,
  current: Schema | undefined,
): Operation['responses'] {
  const byStatus = Map.groupBy(codes, (code) => {
    const [kind] = PROBLEM_DESCRIPTIONS[code];
    return kind === 'unexpected' ? 500 : STATUS_BY_KIND[kind];
  });
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => {
      const properties: Record<string, Schema> = { code: { enum: group } };
      if (current && group.includes('stale')) properties.current = current;
      const schema = { allOf: [{ $ref: '#/components/schemas/Problem' }, { properties }] };
      const answer: ResponseObject = {
        description: group.map((one) => `\`${one}\`: ${PROBLEM_DESCRIPTIONS[one][1]}`).join('\n'),
        headers: createHeaderRefs(
          status === 405 ? ['Allow'] : [429, 503].includes(status) ? ['Retry-After'] : [],
        ),
        content: { [JSON_TYPE]: { schema } },
      };
      return [status, answer];
    }),
  );
}

/** A shape with an id is added to `schemas` as a component, and the result refers to it. */
function toSchema(shape: z.ZodType, io: 'input' | 'output', schemas: Schemas): Schema {
  const {
    $schema,
    $defs = {},
    ...schema
  } = z.toJSONSchema(shape, {
    io,
    override({ zodSchema, jsonSchema }) {
      // zod drops the examples of transformed values; these show what a client sends.
      const { examples } = z.globalRegistry.get(zodSchema) ?? {};
      if (examples) jsonSchema.examples = [...(examples as unknown[])];
      // The format implies the pattern.
      if (jsonSchema.format) delete jsonSchema.pattern;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  }) as unknown as Schema & { $defs?: Schemas };
  for (const [name, component] of Object.entries($defs)) schemas[name] = pointRefsToComponents(component);
  return pointRefsToComponents(schema);
}

const pointRefsToComponents = (schema: Schema): Schema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
