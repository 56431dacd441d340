import { afterEach, describe, expect, test, vi } from 'vitest';
import { ask, SERVERS } from '../../islands/hooks/ask.ts';

afterEach(() => void vi.unstubAllGlobals());

function answerWith(response: Response | Error, current = '/invoices?numfactura=A+1') {
  const assign = vi.fn();
  const { pathname, search } = new URL(current, 'http://saldo.test');
  vi.stubGlobal('location', { pathname, search, assign });
  vi.stubGlobal('fetch', async () => {
    if (response instanceof Error) throw response;
    return response;
  });
  return assign;
}

const moment = () => new Promise((resolve) => setTimeout(resolve, 5)).then(() => 'still waiting');

describe('asking our own server', () => {
  test('a page that redirected to the sign-in counts as an ended session', async () => {
    const response = new Response('<h1>Bienvenido</h1>');
    Object.defineProperties(response, {
      redirected: { value: true },
      url: { value: 'http://saldo.test/login?next=%2Fsuppliers' },
    });
    const assign = answerWith(response, '/suppliers');
    expect(await Promise.race([ask('/suppliers'), moment()])).toBe('still waiting');
    expect(assign).toHaveBeenCalledExactlyOnceWith('/login?next=%2Fsuppliers');
  });

  test("a refusal speaks in the server's own words", async () => {
    answerWith(Response.json({ message: 'No existe el proveedor 7.' }, { status: 404 }));
    const refusal = { message: 'No existe el proveedor 7.', cause: SERVERS };
    await expect(ask('/api/suppliers/7')).rejects.toMatchObject(refusal);
  });

  test('an error page gets a plain sentence', async () => {
    answerWith(new Response('<h1>500</h1>', { status: 500 }));
    const plain = { message: 'Ocurrió un error. Intenta de nuevo.', cause: undefined };
    await expect(ask('/suppliers')).rejects.toMatchObject(plain);
  });

  test('an aborted request stays an abort', async () => {
    answerWith(new DOMException('aborted', 'AbortError'));
    await expect(ask('/suppliers', AbortSignal.abort())).rejects.toThrow('aborted');
  });
});
