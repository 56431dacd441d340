import type { TestApp, TestClient } from '../support/app.ts';

export interface Route {
  method: string;
  /** with 1 for every parameter */
  path: string;
  /** as it was registered */
  pattern: string;
}

export const isChange = ({ method }: { method: string }): boolean =>
  ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method);

/** The registered routes, without those under /_, which are the development server's. */
export function routesOf({ app }: Pick<TestApp, 'app'>): Route[] {
  const routes = app.routes
    .filter(({ method, path }) => method !== 'ALL' && !path.includes('*') && !path.startsWith('/_'))
    .map(({ method, path }) => ({
      method,
      path: path.replace(/:\w+(\{[^/]*\})?\??/g, '1'),
      pattern: path.replace(/\{[^/]*\}/g, ''),
    }));
  const unique = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]));
  return [...unique.values()];
}

/** Requests the route as its client would, with empty content. */
export function askRoute(client: TestClient, { method, path }: Omit<Route, 'pattern'>): Promise<Response> {
  if (method === 'GET' || method === 'DELETE') return client.send(path, { method });
  if (!path.startsWith('/api/')) return client.form(path, {});
  return method === 'PUT' ? client.put(path) : client.post(path);
}
