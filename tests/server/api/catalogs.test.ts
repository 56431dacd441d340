import { expect, it } from 'vitest';
import { createDocumentedApp as createTestApp } from '../../support/documented.ts';
import { describeOneDatabase } from '../../support/proofs.ts';
import { addSupplier } from '../../support/rows.ts';

type Body = Record<string, unknown> & { id: number };
const rowsOf = async (response: Response) => (await response.json()) as Body[];

describeOneDatabase('the API of the lists', (fresh) => {
  const signedIn = (roles: number | number[] = 1) => createTestApp({ db: fresh.db }).as(roles);

  it('page through a list by the Link header, and always state the count', async () => {
    const api = await signedIn();
    for (const name of ['B', 'A', 'b', 'C', 'a']) await addSupplier(fresh.db, { suppliername: name });
    let path: string | undefined = '/api/suppliers/search/?sortfield=suppliername&limit=2';
    const ids: number[] = [];
    while (path) {
      const response: Response = await api.get(path);
      expect(response.headers.get('x-total-count')).toBe('5');
      ids.push(...(await rowsOf(response)).map((row) => row.id));
      path = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
    }
    const whole = await api.get('/api/suppliers?sortfield=suppliername');
    expect(ids).toEqual((await rowsOf(whole)).map((row) => row.id));
    expect([whole.headers.get('x-total-count'), whole.headers.get('link')]).toEqual(['5', null]);
  });

  it.each([
    ...['/api/suppliers/0', '/api/suppliers/99999999999999999999', '/api/jobs/search/?color=rojo'],
    ...['/api/jobs/search/?limit=1001', '/api/jobs/search/?limit=1.5', '/api/jobs/search/?id=x'],
    ...['color=rojo', 'status=pagado', 'supplierId=-1', 'sortfield=comments'].map(
      (query) => `/api/facturaproveedores/search/?${query}`,
    ),
  ])('refuse an unreadable query of %s', async (path) => {
    const answer = await (await signedIn()).get(path);
    expect([answer.status, await answer.json()]).toMatchObject([400, { message: expect.any(String) }]);
  });
});
