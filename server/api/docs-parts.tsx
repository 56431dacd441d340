import { Fragment } from 'react';
import { curlOf } from './curl.ts';
import type { Answer, ApiDocument, Operation, Parameter, Schema } from './openapi-types.ts';

export const DOCS = '/api/docs';

export const schemaHref = (name: string): string => `${DOCS}?parte=formas#forma-${name}`;

interface CallProps {
  method: string;
  path: string;
  operation: Operation;
  document: ApiDocument;
}

export function CallSection({ method, path, operation, document }: CallProps) {
  const { operationId, summary, description, requestBody, responses } = operation;
  const parameters = (operation.parameters ?? []).map((parameter) => namedParameter(parameter, document));
  const body = Object.values(requestBody?.content ?? {})[0]?.schema;
  const answers = Object.entries(responses);
  const refused = answers.filter(([status]) => Number(status) >= 400);
  return (
    <section className="call" id={operationId} aria-labelledby={`${operationId}-title`}>
      <h3 id={`${operationId}-title`}>
        <code>
          {method.toUpperCase()} {path}
        </code>
      </h3>
      <p>
        {summary}. {description && <Prose text={description} />}
      </p>
      {parameters.length > 0 && (
        <dl className="members">
          {parameters.map((parameter) => (
            <Field
              key={parameter.in + parameter.name}
              name={parameter.name}
              note={PLACES[parameter.in]}
              schema={{ ...parameter.schema, description: parameter.description }}
              isRequired={parameter.required}
            />
          ))}
        </dl>
      )}
      {body && <Body schema={body} document={document} />}
      <pre>
        <code>{curlOf(method, path, operation)}</code>
      </pre>
      <ul className="answers">
        {answers
          .filter(([status]) => Number(status) < 400)
          .map(([status, answer]) => (
            <li key={status}>
              <strong>{status}</strong> {answer.description}
              <Shown answer={answer} />
            </li>
          ))}
        {refused.map(([status, answer]) => (
          <li key={status}>
            <strong>{status}</strong> <Codes answer={answer} />
          </li>
        ))}
      </ul>
    </section>
  );
}

const PLACES = { path: 'en la dirección', query: undefined, header: 'encabezado' } as const;

export function Fields({ schema }: { schema: Schema }) {
  const { properties = {}, required = [], additionalProperties } = schema;
  const open = typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0;
  return (
    <dl className="members">
      {Object.entries(properties).map(([name, member]) => (
        <Field key={name} name={name} schema={member} isRequired={required.includes(name)} />
      ))}
      {open && <Field name="…" schema={additionalProperties} />}
    </dl>
  );
}

interface FieldProps {
  name: string;
  schema: Schema;
  note?: string;
  isRequired?: boolean;
}

function Field({ name, schema, note, isRequired = false }: FieldProps) {
  return (
    <div>
      <dt>
        <code>{name}</code>
      </dt>
      <dd>
        <span className="soft">
          <TypeText schema={schema} />
          {note && `, ${note}`}
          {isRequired && ', hace falta'}
        </span>
        {schema.description && (
          <>
            {' · '}
            <Prose text={schema.description} />
          </>
        )}
      </dd>
    </div>
  );
}

function Body({ schema, document }: { schema: Schema; document: ApiDocument }) {
  if (!schema.$ref)
    return (
      <p>
        Sin cuerpo, o <code>{'{}'}</code>.
      </p>
    );
  return (
    <>
      <p>
        Cuerpo: <TypeText schema={schema} />
      </p>
      <Fields schema={document.components.schemas[nameOf(schema.$ref)] ?? {}} />
    </>
  );
}

function Shown({ answer }: { answer: Answer }) {
  const schema = answer.content?.['application/json']?.schema;
  const headers = Object.keys(answer.headers ?? {});
  return (
    <>
      {schema && (
        <>
          {': '}
          <TypeText schema={schema} />
        </>
      )}
      {headers.length > 0 && (
        <>
          {' · '}
          {headers.map((header) => (
            <Fragment key={header}>
              <code>{header}</code>{' '}
            </Fragment>
          ))}
        </>
      )}
    </>
  );
}

function Codes({ answer }: { answer: Answer }) {
  const codes = answer.content?.['application/json']?.schema.allOf?.[1]?.properties?.code?.enum ?? [];
  return codes.map((code, index) => (
    <Fragment key={String(code)}>
      {index > 0 && ', '}
      <a href={`${DOCS}#error-${code}`}>{String(code)}</a>
    </Fragment>
  ));
}

/** "entero", "lista de Payment", "ASC o DESC" */
function TypeText({ schema }: { schema: Schema }) {
  const { $ref, type, items, anyOf, format, properties } = schema;
  if ($ref) return <a href={schemaHref(nameOf($ref))}>{nameOf($ref)}</a>;
  if (anyOf)
    return anyOf.map((one, index) => (
      <Fragment key={JSON.stringify(one)}>
        {index > 0 && ' o '}
        <TypeText schema={one} />
      </Fragment>
    ));
  if (schema.enum) return schema.enum.map(String).join(' · ');
  if (items)
    return (
      <>
        lista de <TypeText schema={items} />
      </>
    );
  if (properties) return `{ ${Object.keys(properties).join(', ')} }`;
  const words = [type ?? []]
    .flat()
    .map((one) => (one !== 'null' && FORMATS[format ?? '']) || TYPES[one] || one);
  return [...new Set(words)].join(' o ') || 'lo que sea';
}

const FORMATS: Record<string, string> = { date: 'fecha', 'date-time': 'momento', decimal: 'importe' };
const TYPES: Record<string, string> = {
  integer: 'entero',
  number: 'número',
  string: 'texto',
  boolean: 'sí o no',
  object: 'objeto',
  array: 'lista',
  null: 'null',
};

/** Text between backticks is code. */
export function Prose({ text }: { text: string }) {
  return text.split('`').map((part, index) => {
    const key = `${index} ${part}`;
    return index % 2 === 1 ? <code key={key}>{part}</code> : <Fragment key={key}>{part}</Fragment>;
  });
}

function namedParameter(parameter: Parameter | { $ref: string }, document: ApiDocument): Parameter {
  if ('name' in parameter) return parameter;
  const parameters = document.components.parameters as Record<string, Parameter>;
  return parameters[nameOf(parameter.$ref)]!;
}

const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);
