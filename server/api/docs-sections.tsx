import { createElement, Fragment, type ReactNode } from 'react';
import type { ApiDocument, Operation, Parameter, ResponseObject, Schema } from './openapi.ts';
import { FORM_TYPE, IDEMPOTENCY_PARAMETER } from './openapi-parts.ts';

export const DOCS_PATH = '/api/docs';
export const SCHEMAS_SECTION = 'formas';

export interface Call {
  method: string;
  path: string;
  operation: Operation;
}

export function CallSection({ method, path, operation, document }: Call & { document: ApiDocument }) {
  const { operationId, summary, description, requestBody, parameters = [], responses } = operation;
  const body = Object.values(requestBody?.content ?? {})[0]?.schema;
  return (
    <section className="call" id={operationId} aria-labelledby={`${operationId}-title`}>
      <h3 id={`${operationId}-title`}>
        <code>
          {method.toUpperCase()} {path}
        </code>
      </h3>
      <p>
        {summary}. {description && <TextWithCode text={description} />}
      </p>
      <MemberList
        members={parameters
          .map((parameter) => ('name' in parameter ? parameter : IDEMPOTENCY_PARAMETER))
          .map(({ name, in: place, description: text, schema, required }) => ({
            name,
            text,
            note: renderFieldNote(schema, required, PARAMETER_PLACE_LABELS[place]),
          }))}
      />
      {body &&
        (body.$ref ? (
          <>
            <p>Cuerpo: {renderSchemaType(body)}</p>
            <SchemaFields schema={document.components.schemas[refName(body.$ref)] ?? {}} />
          </>
        ) : (
          <p>
            <TextWithCode text="Sin cuerpo, o `{}`." />
          </p>
        ))}
      <pre>
        <code>{formatCurl(method, path, operation)}</code>
      </pre>
      <ul className="answers">
        {Object.entries(responses).map(([status, answer]) => (
          <li key={status}>
            <strong>{status}</strong>{' '}
            {Number(status) < 400 ? renderAnswerNote(answer) : renderErrorCodeLinks(answer)}
          </li>
        ))}
      </ul>
    </section>
  );
}

const PARAMETER_PLACE_LABELS = { path: 'en la dirección', query: undefined, header: 'encabezado' };

interface Member {
  id?: string;
  name: string;
  note?: ReactNode;
  text?: string;
}

export const MemberList = ({ members }: { members: readonly Member[] }) =>
  members.length > 0 && (
    <dl className="members">
      {members.map(({ id, name, note, text }) => (
        <div key={name} id={id}>
          <dt>
            <code>{name}</code>
          </dt>
          <dd>
            {note && <span className="soft">{note}</span>}
            {note && text && ' · '}
            {text && <TextWithCode text={text} />}
          </dd>
        </div>
      ))}
    </dl>
  );

export function SchemaFields({ schema }: { schema: Schema }) {
  const { properties = {}, required = [], additionalProperties } = schema;
  const isOpen = typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0;
  const all = { ...properties, ...(isOpen && { '…': additionalProperties }) };
  return (
    <MemberList
      members={Object.entries(all).map(([name, member]) => ({
        name,
        text: member.description,
        note: renderFieldNote(member, required.includes(name)),
      }))}
    />
  );
}

const renderFieldNote = (schema: Schema, isRequired: boolean, place?: string): ReactNode => (
  <>
    {renderSchemaType(schema)}
    {place && `, ${place}`}
    {isRequired && ', hace falta'}
  </>
);

function renderAnswerNote({ description, headers, content }: ResponseObject): ReactNode {
  const schema = content?.['application/json']?.schema;
  const names = Object.keys(headers ?? {}).map((name) => `\`${name}\``);
  return (
    <>
      {description}
      {schema && ': '}
      {schema && renderSchemaType(schema)}
      {names.length > 0 && <TextWithCode text={` · ${names.join(' ')}`} />}
    </>
  );
}

const renderErrorCodeLinks = ({ content }: ResponseObject): ReactNode => {
  const codes = content?.['application/json']?.schema.allOf?.[1]?.properties?.code?.enum ?? [];
  return joinNodes(codes, ', ', (code) => <a href={`${DOCS_PATH}#error-${code}`}>{String(code)}</a>);
};

/** Describes a type in words, such as "entero", "lista de Payment" or "ASC o DESC". */
function renderSchemaType({
  $ref,
  type,
  items,
  anyOf,
  format = '',
  properties,
  ...schema
}: Schema): ReactNode {
  if ($ref)
    return <a href={`${DOCS_PATH}?parte=${SCHEMAS_SECTION}#forma-${refName($ref)}`}>{refName($ref)}</a>;
  if (anyOf) return joinNodes(anyOf, ' o ', renderSchemaType);
  if (schema.enum) return schema.enum.map(String).join(' · ');
  if (items) return <>lista de {renderSchemaType(items)}</>;
  if (properties) return `{ ${Object.keys(properties).join(', ')} }`;
  const words = [type ?? []]
    .flat()
    .map((one) => (one !== 'null' && FORMAT_WORDS[format]) || TYPE_WORDS[one] || one);
  return [...new Set(words)].join(' o ') || 'lo que sea';
}

const FORMAT_WORDS: Record<string, string> = { date: 'fecha', 'date-time': 'momento', decimal: 'importe' };
const TYPE_WORDS: Record<string, string> = {
  integer: 'entero',
  number: 'número',
  string: 'texto',
  boolean: 'sí o no',
  object: 'objeto',
  array: 'lista',
  null: 'null',
};

export const TextWithCode = ({ text }: { text: string }) =>
  joinNodes(text.split('`'), '', (part, index) => (index % 2 === 1 ? <code>{part}</code> : part));

/** Passes the nodes as separate arguments, because React needs no keys for those. */
const joinNodes = <T,>(
  parts: readonly T[],
  between: string,
  draw: (part: T, index: number) => ReactNode,
): ReactNode =>
  createElement(Fragment, null, ...parts.flatMap((part, index) => [index > 0 && between, draw(part, index)]));

const refName = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

/** Examples show these members as variables, so that a pasted example does not change an existing row by accident. */
const ID_MEMBERS = ['id', 'iduser', 'facturaproveedorId', 'facturaproveedorid'];

/** Writes path parameters and $CONFIRM as variables, so that a pasted example deletes no list by accident. */
export function formatCurl(method: string, path: string, operation: Operation): string {
  const { parameters = [], requestBody, security } = operation;
  const named = parameters.filter((parameter): parameter is Parameter => 'name' in parameter);
  const query = named.flatMap(({ in: place, name, example }) =>
    place === 'query' && example !== undefined ? [`${name}=${curlQueryValue(name, example)}`] : [],
  );
  const address =
    path.replace(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`) +
    (query.length > 0 ? `?${query.join('&')}` : '');
  const lines = [`curl -s${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} "$SALDO${address}"`];
  if (!security) lines.push('-H "x-access-token: $TOKEN"');
  if (parameters.some((parameter) => '$ref' in parameter)) lines.push('-H "Idempotency-Key: $(date +%s)"');
  if (requestBody?.required) {
    for (const [type, { example }] of Object.entries(requestBody.content))
      lines.push(
        ...(type === FORM_TYPE ? curlFormArguments(example as object) : curlBodyArguments(type, example)),
      );
  }
  return lines.join(' \\\n  ');
}

const curlQueryValue = (name: string, example: unknown): string =>
  ID_MEMBERS.includes(name) ? '$ID' : name === 'confirm' ? '$CONFIRM' : encodeURIComponent(String(example));

const curlFormArguments = (example: object): string[] =>
  Object.entries(example).map(([name, value]) => `-F "${name}=${value}"`);

function curlBodyArguments(type: string, example: unknown): string[] {
  const text = JSON.stringify(example).replaceAll("'", "'\\''");
  const named = text.replace(/"(\w+)":\d+/g, (member, name) =>
    ID_MEMBERS.includes(name) ? `"${name}":'"$ID"'` : member,
  );
  return [`-H "content-type: ${type}"`, `-d '${named}'`];
}
