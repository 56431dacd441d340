import { describe, expect, it } from 'vitest';
import { createTestApp, type TestClient } from '../../../support/app.ts';
import { useFresh } from '../../../support/databases.ts';

describe('the looks on Mi perfil', () => {
  const fresh = useFresh('sqlite');
  const pressed = /<button[^>]*aria-pressed="true"[^>]*>(.*?)</;

  const shown = async (client: TestClient, path: string) => {
    const html = await (await client.get(path)).text();
    return [/<html[^>]*data-theme="(\w+)"/.exec(html)?.[1], /"color-scheme" content="(.*?)"/.exec(html)?.[1]];
  };

  it('of the theme are the system’s until the user chooses one, then that on every page, for nobody else', async () => {
    const app = createTestApp({ db: fresh.db });
    const [ana, luis] = [await app.as(4), await app.as(4)];
    expect(await shown(ana, '/invoices')).toEqual([undefined, 'light dark']);
    for (const [tema, theme, label] of [
      ['oscuro', 'dark', 'Oscuro'],
      ['claro', 'light', 'Claro'],
    ] as const) {
      const answer = await ana.form('/userprofile/tema', { tema });
      expect(pressed.exec(await (await ana.follow(answer)).text())?.[1]).toBe(label);
      for (const path of ['/invoices', '/help', '/admin-users', '/nada'])
        expect([path, ...(await shown(ana, path))]).toEqual([path, theme, theme]);
    }
    expect(await shown(luis, '/invoices')).toEqual([undefined, 'light dark']);
    await ana.form('/userprofile/tema', { tema: '' });
    expect(await shown(ana, '/invoices')).toEqual([undefined, 'light dark']);
  });

  it('of dense rows are kept for the user in every list', async () => {
    const app = createTestApp({ db: fresh.db });
    const [ana, luis] = [await app.as(4), await app.as(4)];
    const isDense = async (client: TestClient, path: string) =>
      (await (await client.get(path)).text()).includes('data-dense');
    const chosen = await ana.form('/userprofile/filas', { densas: '1' });
    const profile = await (await ana.follow(chosen)).text();
    expect([...profile.matchAll(new RegExp(pressed, 'g'))].map(([, label]) => label)).toEqual([
      'Como el sistema',
      'Densas',
    ]);
    expect(await isDense(ana, '/invoices')).toBe(true);
    expect(await isDense(ana, '/suppliers')).toBe(true);
    expect(await isDense(luis, '/invoices')).toBe(false);
    await ana.form('/userprofile/filas', { densas: '' });
    expect(await isDense(ana, '/invoices')).toBe(false);
  });
});
