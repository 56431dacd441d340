import { describe, expect, it } from 'vitest';
import { createTestApp } from '../../support/app.ts';
import { useFresh } from '../../support/databases.ts';
import { apiDocument } from '../../support/documented.ts';
import { readPage } from '../../support/page.ts';

describe('GET /api/docs', () => {
  const fresh = useFresh('sqlite');
  const open = async (config = {}) =>
    readPage(await (await createTestApp({ db: fresh.db, config }).as(5)).get('/api/docs'));

  it('shows every call of the document under its noun, with an anchor and an example to paste', async () => {
    const { status, html } = await open();
    expect(status).toBe(200);
    for (const [path, methods] of Object.entries(apiDocument.paths)) {
      for (const [method, { operationId }] of Object.entries(methods)) {
        const section =
          new RegExp(`<section class="call" id="${operationId}".*?</pre>`, 's').exec(html)?.[0] ?? '';
        expect(section, operationId).toContain(`${method.toUpperCase()} ${path}</code>`);
        const typed = path.replace(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`);
        expect(section, operationId).toContain(`"$SALDO${typed}`.replaceAll('"', '”'));
        expect(html).toContain(`href="#${operationId}"`);
      }
    }
    for (const { name } of apiDocument.tags) expect(html).toContain(`>${name}</h2>`);
  });

  it('leads nowhere that is not on it', async () => {
    const { html } = await open();
    const ids = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    const anchors = [...html.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id);
    expect(anchors.length).toBeGreaterThan(300);
    expect([...new Set(anchors)].filter((anchor) => !ids.has(anchor))).toEqual([]);
  });

  it('needs no script: it has no island, and nothing written into it', async () => {
    const { html } = await open();
    expect(html).not.toMatch(/<script(?![^>]* src=)|<style| style=|<is-land/);
  });

  it('names the server as the reader reached it, or by its public address', async () => {
    expect((await open()).html).toContain('SALDO=http://saldo.test');
    expect((await open({ url: 'https://saldo.obra.mx' })).html).toContain('SALDO=https://saldo.obra.mx');
  });
});
