import type { RouterRoute } from 'hono/types';
import type { ReactNode } from 'react';
import { z } from 'zod';
import { LinkButton } from '../../shared/ui/Button.tsx';
import { withQuery } from '../../shared/urls.ts';
import { type AppContext, isSecure } from '../http/session.ts';
import { choiceField } from '../shapes/fields.ts';
import { PROBLEMS } from '../shapes/problems.ts';
import { renderPage } from '../shell/render.tsx';
import { callsOf } from './calls.ts';
import { TAGS } from './describe.ts';
import { CallSection, DOCS, Fields, Prose, schemaHref } from './docs-parts.tsx';
import { describeApi } from './openapi.ts';
import type { ApiDocument, Operation } from './openapi-types.ts';

/** "Origen de recursos" → "origen-de-recursos" */
const anchorOf = (name: string): string =>
  name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll(' ', '-');

const SCHEMAS = 'formas';

const partShape = z.strictObject({
  parte: choiceField('parte', [...TAGS.map(anchorOf), SCHEMAS]).meta({
    description: 'Lo que se muestra en lugar del índice: las llamadas de un grupo, o las formas',
  }),
});

const documentShape = z.looseObject({ openapi: z.literal('3.1.0'), paths: z.looseObject({}) });

export function documentationApi(routes: () => readonly RouterRoute[]) {
  let known: ApiDocument | undefined;
  const documentOf = (c: AppContext) => {
    known ??= describeApi(routes(), c.get('deps').config.url ?? '/');
    return known;
  };
  const calls = callsOf('Documentación');
  calls.reads('/openapi.json', {
    summary: 'Este documento, para programas',
    text: 'OpenAPI 3.1, hecho de los mismos esquemas que validan y responden.',
    says: 'El documento',
    answer: documentShape,
    run: ({ c }) => documentOf(c),
  });
  calls.reads('/docs', {
    summary: 'Este documento, para personas',
    query: partShape,
    says: 'La página',
    type: 'text/html',
    run: ({ c, query: { parte } }) => {
      const actions = (
        <LinkButton href="/api/openapi.json" download="saldo-openapi.json">
          openapi.json
        </LinkButton>
      );
      const page = <Documentation document={documentOf(c)} server={serverOf(c)} part={parte} />;
      return renderPage(c, { title: 'API', draws: true, actions }, page);
    },
  });
  return calls.app;
}

/** The address that the reader used, where no public one is set. */
function serverOf(c: AppContext): string {
  const { config } = c.get('deps');
  return config.url ?? `${isSecure(config) ? 'https' : 'http'}://${new URL(c.req.url).host}`;
}

interface Call {
  method: string;
  path: string;
  operation: Operation;
}

interface DocumentationProps {
  document: ApiDocument;
  server: string;
  part: string | undefined;
}

/**
 * The whole document would be too long a page: it shows the index, which has all anchors, or the part that is asked
 * for.
 */
function Documentation({ document, server, part }: DocumentationProps) {
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Call => ({ method, path, operation })),
  );
  const groups = document.tags.map(({ name }) => ({
    name,
    calls: calls.filter(({ operation }) => operation.tags.includes(name)),
  }));
  const index = {
    Llamadas: groups.map(({ name }) => [name, withQuery(DOCS, { parte: anchorOf(name) })]),
    'Para todas': [
      ['Para empezar', `${DOCS}#empezar`],
      ['Errores', `${DOCS}#errores`],
      ['Formas', withQuery(DOCS, { parte: SCHEMAS })],
    ],
  };
  const shown = groups.find(({ name }) => anchorOf(name) === part);
  return (
    <div className="guide">
      <nav className="guide-index" aria-label="Contenido">
        {Object.entries(index).map(([title, links]) => (
          <div key={title}>
            <p>{title}</p>
            <ul>
              {links.map(([name, href]) => (
                <li key={href}>
                  <a href={href}>{name}</a>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <div className="guide-text">
        {shown ? (
          <Group {...shown}>
            {shown.calls.map((call) => (
              <CallSection key={call.operation.operationId} {...call} document={document} />
            ))}
          </Group>
        ) : part === SCHEMAS ? (
          <Schemas document={document} />
        ) : (
          <>
            <Start document={document} server={server} />
            {groups.map((group) => (
              <Group key={group.name} {...group} isIndex />
            ))}
            <Problems />
            <section id="formas">
              <h2>Formas</h2>
              <ul className="calls">
                {Object.keys(document.components.schemas).map((name) => (
                  <li key={name} id={`forma-${name}`}>
                    <a href={schemaHref(name)}>{name}</a>
                  </li>
                ))}
              </ul>
            </section>
          </>
        )}
      </div>
    </div>
  );
}

function Problems() {
  return (
    <section id="errores">
      <h2>Errores</h2>
      <p>
        <Prose text="El estado dice la clase del error y `code` cuál es." />
      </p>
      <dl className="members">
        {Object.entries(PROBLEMS).map(([code, [, meaning]]) => (
          <div key={code} id={`error-${code}`}>
            <dt>
              <code>{code}</code>
            </dt>
            <dd>
              <Prose text={meaning} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Schemas({ document }: { document: ApiDocument }) {
  return (
    <section id={SCHEMAS}>
      <h2>Formas</h2>
      {Object.entries(document.components.schemas).map(([name, schema]) => (
        <section key={name} id={`forma-${name}`}>
          <h3>{name}</h3>
          {schema.description && (
            <p>
              <Prose text={schema.description} />
            </p>
          )}
          <Fields schema={schema} />
        </section>
      ))}
    </section>
  );
}

function Start({ document, server }: { document: ApiDocument; server: string }) {
  return (
    <section id="empezar">
      <h2>Para empezar</h2>
      {document.info.description.split('\n\n').map((paragraph) => (
        <p key={paragraph}>
          <Prose text={paragraph} />
        </p>
      ))}
      <p>
        Los ejemplos se pegan tal cual en una terminal donde estén el servidor, la llave de la sesión y el
        número del registro del que se trata:
      </p>
      <pre>
        <code>{`SALDO=${server}
TOKEN=$(curl -s "$SALDO/api/auth/signin" \\
  -H "content-type: application/json" \\
  -d '{"email":"TU CORREO","password":"TU CONTRASEÑA"}' |
  sed 's/.*"accessToken":"\\([^"]*\\)".*/\\1/')
ID=1`}</code>
      </pre>
    </section>
  );
}

interface GroupProps {
  name: string;
  calls: readonly Call[];
  /** where its calls stand on a page of their own */
  isIndex?: boolean;
  children?: ReactNode;
}

function Group({ name, calls, isIndex = false, children }: GroupProps) {
  const id = anchorOf(name);
  const page = isIndex ? withQuery(DOCS, { parte: id }) : '';
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{name}</h2>
      <ul className="calls">
        {calls.map(({ method, path, operation: { operationId, summary } }) => (
          <li key={operationId} id={isIndex ? operationId : undefined}>
            <a href={`${page}#${operationId}`}>
              <code>
                {method.toUpperCase()} {path}
              </code>
            </a>{' '}
            {summary}
          </li>
        ))}
      </ul>
      {children}
    </section>
  );
}
