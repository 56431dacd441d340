import { expect, it } from 'vitest';
import { routesOf } from '../../security/routes.ts';
import { createTestApp } from '../../support/app.ts';
import { describeOneDatabase } from '../../support/proofs.ts';
import { addSmallCompany } from '../../support/small-company.ts';

/** A tag of a page. React writes every attribute in double quotes. */
interface Tag {
  name: string;
  attributes: Map<string, string>;
  text: string;
}

function tagsOf(html: string): Tag[] {
  return [...html.matchAll(/<([a-z][\w-]*)((?:\s+[\w:.-]+(?:="[^"]*")?)*)\s*\/?>([^<]*)/gi)].map(
    ([, name = '', attributes = '', text = '']) => ({
      name: name.toLowerCase(),
      attributes: new Map(
        [...attributes.matchAll(/([\w:.-]+)(?:="([^"]*)")?/g)].map(([, key = '', value = '']) => [
          key.toLowerCase(),
          value,
        ]),
      ),
      text: text.trim(),
    }),
  );
}

/** Attributes that name other elements of the page by their ids (HTML, WAI-ARIA 1.2). */
const REFERRING = [
  'for',
  'list',
  'form',
  'popovertarget',
  'aria-labelledby',
  'aria-describedby',
  'aria-controls',
  'aria-owns',
  'aria-activedescendant',
  'aria-details',
  'aria-errormessage',
];

/** Finds these kinds of mistakes in a page's HTML. */
function mistakesIn(html: string): string[] {
  const tags = tagsOf(html);
  const ids = tags.flatMap(({ attributes }) => attributes.get('id') ?? []);
  const known = new Set(ids);
  const mistakes = ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `two elements #${id}`);
  for (const { name, attributes } of tags) {
    for (const attribute of REFERRING)
      for (const id of (attributes.get(attribute) ?? '').split(/\s+/).filter(Boolean))
        if (!known.has(id)) mistakes.push(`<${name} ${attribute}="${id}"> leads nowhere`);
  }
  for (const [, options = ''] of html.matchAll(/<select[^>]*>(.*?)<\/select>/gs))
    for (const { attributes, text } of tagsOf(options))
      if (text === '' && !attributes.get('label')) mistakes.push('an <option> without a label');
  const focused = tags.filter(({ attributes }) => attributes.has('autofocus'));
  if (focused.length > 1)
    mistakes.push(
      `autofocus on ${focused.map(({ attributes }) => attributes.get('name') ?? attributes.get('id')).join(' and ')}`,
    );
  return mistakes;
}

describeOneDatabase('every page', (fresh) => {
  it('has unique ids, refers to elements that exist, labels each option and focuses one', async () => {
    await addSmallCompany(fresh.db);
    const test = createTestApp({ db: fresh.db });
    const client = await test.as([1, 2, 3]);
    const pages: string[] = [];
    const mistakes: Record<string, string[]> = {};
    for (const { method, path } of routesOf(test)) {
      if (method !== 'GET' || path.startsWith('/api/') || /\.\w+$/.test(path)) continue;
      const answer = await client.get(path);
      if (!answer.headers.get('content-type')?.startsWith('text/html')) continue;
      const html = await answer.text();
      pages.push(path);
      // Once as browsers with script read it, without <noscript>, and once without script.
      for (const read of [html.replace(/<noscript>.*?<\/noscript>/gs, ''), html]) {
        const found = mistakesIn(read);
        if (found.length > 0) mistakes[path] = [...new Set([...(mistakes[path] ?? []), ...found])];
      }
    }
    expect(pages.length).toBeGreaterThan(50);
    expect(mistakes).toEqual({});
  }, 120_000);
});
