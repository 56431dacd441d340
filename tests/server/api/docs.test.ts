import { describe, expect, it } from 'vitest';
import { createTestApp } from '../../support/app.ts';
import { useFreshDatabase } from '../../support/databases.ts';
import { apiDocument } from '../../support/documented.ts';
import { readPage } from '../../support/page.ts';

describe('GET /api/docs', () => {
  const fresh = useFreshDatabase('sqlite');
  const read = async (path: string, config = {}) =>
    readPage(await (await createTestApp({ db: fresh.db, config }).as(5)).get(path));
  const open = (config = {}) => read('/api/docs', config);
  /** The pages of the documentation by address: the index and all that it links to. */
  const openAll = async () => {
    const client = await createTestApp({ db: fresh.db }).as(5);
    const pages = new Map<string, string>();
    const next = ['/api/docs'];
    for (let path = next.pop(); path; path = next.pop()) {
      const { status, decodedHtml } = await readPage(client.get(path));
      expect([path, status]).toEqual([path, 200]);
      pages.set(path, decodedHtml);
      for (const [, to] of decodedHtml.matchAll(/ href="(\/api\/docs\?[^"#]+)/g))
        if (!pages.has(to!) && !next.includes(to!)) next.push(to!);
    }
    return pages;
  };
  const idsOf = (html: string) => new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!));

  it('shows every call of the document under its noun, with an anchor and an example to paste', async () => {
    const pages = await openAll();
    const all = [...pages.values()].join('');
    for (const [path, methods] of Object.entries(apiDocument.paths)) {
      for (const [method, { operationId }] of Object.entries(methods)) {
        const section =
          new RegExp(`<section class="call" id="${operationId}".*?</pre>`, 's').exec(all)?.[0] ?? '';
        expect(section, operationId).toContain(`${method.toUpperCase()} ${path}</code>`);
        const typed = path.replace(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`);
        expect(section, operationId).toContain(`"$SALDO${typed}`.replaceAll('"', '”'));
      }
    }
    for (const { name } of apiDocument.tags) expect(all).toContain(`>${name}</h2>`);
    expect(all).not.toContain('`');
  });

  it('has no page above 200 KB', async () => {
    const lengths = [...(await openAll())].map(([path, html]) => [path, Buffer.byteLength(html)] as const);
    expect(lengths).toHaveLength(apiDocument.tags.length + 2);
    expect(lengths.filter(([, length]) => length > 200 * 1024)).toEqual([]);
  });

  it('has every anchor on its first page: calls, nouns, errors and forms lead on from there', async () => {
    const ids = idsOf((await open()).decodedHtml);
    const calls = Object.values(apiDocument.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    const schemas = Object.keys(apiDocument.components.schemas).map((name) => `forma-${name}`);
    for (const anchor of [...calls, ...schemas, 'empezar', 'errores', 'formas', 'error-stale', 'caja-chica'])
      expect(ids.has(anchor), anchor).toBe(true);
  });

  it('links only to what exists', async () => {
    const pages = await openAll();
    const anchors = [...pages].flatMap(([path, html]) =>
      [...html.matchAll(/ href="(\/api\/docs[^"#]*)?#([^"]+)"/g)].map(
        ([, to = path, id]) => [to, id!] as const,
      ),
    );
    expect(anchors.length).toBeGreaterThan(300);
    expect(anchors.filter(([to, id]) => !idsOf(pages.get(to) ?? '').has(id))).toEqual([]);
    expect((await read('/api/docs?parte=nada')).status).toBe(400);
  });

  it('needs no script: it has no island', async () => {
    const { decodedHtml } = await open();
    expect(decodedHtml).not.toMatch(/<script(?![^>]* src=)|<style| style=|<is-land/);
  });

  it('names the server as the reader reached it, or by its public address', async () => {
    expect((await open()).decodedHtml).toContain('SALDO=http://saldo.test');
    expect((await open({ url: 'https://saldo.obra.mx' })).decodedHtml).toContain(
      'SALDO=https://saldo.obra.mx',
    );
  });
});
