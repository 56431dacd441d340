import type { RouterRoute } from 'hono/types';
import { z } from 'zod';
import { LinkButton } from '../../shared/ui/Button.tsx';
import { withQuery } from '../../shared/urls.ts';
import { type AppContext, usesHttps } from '../http/session.ts';
import { Answer } from '../shapes/answers.ts';
import { choiceField } from '../shapes/fields.ts';
import { PROBLEM_DESCRIPTIONS } from '../shapes/problems.ts';
import { renderPage } from '../shell/render.tsx';
import { TAGS } from './call-descriptions.ts';
import { createEndpoints } from './calls.ts';
import {
  type Call,
  CallSection,
  DOCS_PATH,
  MemberList,
  SCHEMAS_SECTION,
  SchemaFields,
  TextWithCode,
} from './docs-sections.tsx';
import { type ApiDocument, describeApi } from './openapi.ts';

/** Makes the anchor "origen-de-recursos" of the name "Origen de recursos". */
const anchorOf = (name: string): string =>
  name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll(' ', '-');

const docsQueryShape = z.strictObject({
  parte: choiceField('parte', [...TAGS.map(anchorOf), SCHEMAS_SECTION]).meta({
    description: 'Lo que se muestra en lugar del índice: las llamadas de un grupo, o las formas',
  }),
});

const sectionHref = (parte: string) => withQuery(DOCS_PATH, { parte });

const openApiShape = z.looseObject({ openapi: z.literal('3.1.0'), paths: z.looseObject({}) });

export function defineDocumentationApi(routes: () => readonly RouterRoute[]) {
  let cachedDocument: ApiDocument | undefined;
  const getDocument = (c: AppContext) => {
    cachedDocument ??= describeApi(routes(), c.get('deps').config.url ?? '/');
    return cachedDocument;
  };
  const calls = createEndpoints('Documentación');
  calls.reads('/openapi.json', {
    summary: 'Este documento, para programas',
    text: 'OpenAPI 3.1, hecho de los mismos esquemas que validan y responden.',
    returns: 'El documento',
    answer: new Answer<ApiDocument>(openApiShape, (document) => document),
    run: ({ c }) => getDocument(c),
  });
  calls.reads('/docs', {
    summary: 'Este documento, para personas',
    query: docsQueryShape,
    returns: 'La página',
    type: 'text/html',
    run: ({ c, query: { parte } }) => {
      const actions = (
        <LinkButton href="/api/openapi.json" download="saldo-openapi.json">
          openapi.json
        </LinkButton>
      );
      const page = <Documentation document={getDocument(c)} server={serverUrl(c)} part={parte} />;
      return renderPage(c, { title: 'API', actions }, page);
    },
  });
  return calls.app;
}

function serverUrl(c: AppContext): string {
  const { config } = c.get('deps');
  return config.url ?? `${usesHttps(config) ? 'https' : 'http'}://${new URL(c.req.url).host}`;
}

interface DocumentationProps {
  document: ApiDocument;
  server: string;
  part: string | undefined;
}

/** Shows the index with all anchors, or one part, because the whole document would be too long for one page. */
function Documentation({ document, server, part }: DocumentationProps) {
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Call => ({ method, path, operation })),
  );
  const groups = document.tags.map(({ name }) => ({
    name,
    id: anchorOf(name),
    calls: calls.filter(({ operation }) => operation.tags.includes(name)),
  }));
  const schemas = Object.entries(document.components.schemas);
  const shown = groups.find(({ id }) => id === part);
  const index = {
    Llamadas: groups.map(({ name, id }) => [name, sectionHref(id)]),
    'Para todas': [
      ['Para empezar', `${DOCS_PATH}#empezar`],
      ['Errores', `${DOCS_PATH}#errores`],
      ['Formas', sectionHref(SCHEMAS_SECTION)],
    ],
  };
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
          <section id={shown.id} aria-label={shown.name}>
            <h2>{shown.name}</h2>
            <CallList calls={shown.calls} page="" />
            {shown.calls.map((call) => (
              <CallSection key={call.operation.operationId} {...call} document={document} />
            ))}
          </section>
        ) : part === SCHEMAS_SECTION ? (
          <section id={SCHEMAS_SECTION}>
            <h2>Formas</h2>
            {schemas.map(([name, schema]) => (
              <section key={name} id={`forma-${name}`}>
                <h3>{name}</h3>
                {schema.description && (
                  <p>
                    <TextWithCode text={schema.description} />
                  </p>
                )}
                <SchemaFields schema={schema} />
              </section>
            ))}
          </section>
        ) : (
          <>
            <GettingStarted introduction={document.info.description} server={server} />
            {groups.map(({ name, id, calls: groupCalls }) => (
              <section key={id} id={id} aria-label={name}>
                <h2>{name}</h2>
                <CallList calls={groupCalls} page={sectionHref(id)} />
              </section>
            ))}
            <section id="errores">
              <h2>Errores</h2>
              <p>
                <TextWithCode text="El estado dice la clase del error y `code` cuál es." />
              </p>
              <MemberList
                members={Object.entries(PROBLEM_DESCRIPTIONS).map(([code, [, text]]) => ({
                  id: `error-${code}`,
                  name: code,
                  text,
                }))}
              />
            </section>
            <section id={SCHEMAS_SECTION}>
              <h2>Formas</h2>
              <ul className="calls">
                {schemas.map(([name]) => (
                  <li key={name} id={`forma-${name}`}>
                    <a href={`${sectionHref(SCHEMAS_SECTION)}#forma-${name}`}>{name}</a>
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

/** @param page address of the page that describes the calls; '' on that page itself */
const CallList = ({ calls, page }: { calls: readonly Call[]; page: string }) => (
  <ul className="calls">
    {calls.map(({ method, path, operation: { operationId, summary } }) => (
      <li key={operationId} id={page ? operationId : undefined}>
        <a href={`${page}#${operationId}`}>
          <code>
            {method.toUpperCase()} {path}
          </code>
        </a>{' '}
        {summary}
      </li>
    ))}
  </ul>
);

const GettingStarted = ({ introduction, server }: { introduction: string; server: string }) => (
  <section id="empezar">
    <h2>Para empezar</h2>
    {introduction.split('\n\n').map((paragraph) => (
      <p key={paragraph}>
        <TextWithCode text={paragraph} />
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
