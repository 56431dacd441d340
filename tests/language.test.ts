import { describe, expect, it } from 'vitest';
import { changeSetting } from '../server/services/settings/settings.ts';
import { pages } from '../shared/urls.ts';
import { askRoute, type Route, routesOf } from './security/routes.ts';
import { createTestApp, type TestApp } from './support/app.ts';
import { runSaldo } from './support/cli.ts';
import { useFreshDatabase } from './support/databases.ts';
import { readPdf } from './support/pdf.ts';
import { createActor } from './support/rows.ts';
import { addSmallCompany } from './support/small-company.ts';

/** English words that no Spanish text contains. */
const ENGLISH = new Set(
  `the of and or to for from with is are was been be not can cannot this that there these your please
  empty field fields required user users username password passwords email invalid supplier suppliers client clients
  job jobs list created updated deleted redirecting does have privileges see page share information match new null
  save click edit unexpected application success done export search sort name firstname lastname type date due
  amount payment payments invoice invoices dashboard settings loading close back next previous select delete show
  hide more today week day month year file files upload download category description start end`
    .trim()
    .split(/\s+/),
);

/** English names of days and months; SAT in capitals is the tax office. */
const DAYS = /\b(Sun|Mon|Tue|Wed|Thu|Fri|Sat), \d\d\b|\b(Jan|Apr|Aug|Dec)\b/g;

describe('a firm that works in Spanish', () => {
  const fresh = useFreshDatabase('sqlite');

  it('reads no English on any page, whether it is opened or sent empty', async () => {
    const app = await inSpanish();
    const client = await app.as([1, 3]);
    const routes = routesOf(app).filter(isPage);
    const found: [route: string, words: string[]][] = [];
    for (const route of routes.sort((a, b) => Number(a.method !== 'GET') - Number(b.method !== 'GET'))) {
      if (route.path === '/logout') continue;
      const answer = await askRoute(client, route);
      const page = answer.status === 303 ? await client.follow(answer) : answer;
      if (!page.headers.get('content-type')?.startsWith('text/html')) continue;
      const html = await page.text();
      found.push([`${route.method} ${route.path}`, [...englishIn(textsOf(html)), ...checkedByBrowser(html)]]);
    }
    expect(found.filter(([, words]) => words.length > 0)).toEqual([]);
    expect(found.length).toBeGreaterThan(60);
  });

  it('calls a page in the menu by the name that the page has', async () => {
    const client = await (await inSpanish()).as([1, 3]);
    const menu = /<nav class="side".*?<\/nav>/s.exec(await (await client.get(pages.invoices)).text())![0];
    const entries = [...menu.matchAll(/<a [^>]*href="([^"]+)"[^>]*>.*?([^<>]+)<\/a>/gs)];
    expect(entries.length).toBeGreaterThan(20);
    for (const [, href, label] of entries) {
      const heading = /<h1[^>]*>([^<]+)</.exec(await (await client.get(href!)).text())?.[1];
      expect([href, heading?.toLowerCase()]).toEqual([href, label!.toLowerCase()]);
    }
  });

  it('reads none in its files', async () => {
    const app = await inSpanish();
    const client = await app.as([1, 3]);
    const files = routesOf(app).filter(({ path }) => path.endsWith('/export.pdf'));
    for (const { path } of files) {
      const text = await textOfPdf(client.get(path));
      expect([path, englishIn(text)]).toEqual([path, []]);
    }
    expect(files.length).toBeGreaterThan(8);
    for (const path of INVOICE_FILES) expect(await textOfPdf(client.get(path))).toContain('mié, 02 dic 2026');
  });

  it('reads none on the terminal', async () => {
    await inSpanish();
    const user = ['users', 'create', '--firstname', ' ', '--lastname', 'Luna', '--roles', '2', '--email', ''];
    const { log } = await runSaldo(fresh, user);
    expect(log).toContain('Faltan el nombre, el apellido o el tipo de usuario.');
    expect(englishIn(log)).toEqual([]);
  });

  it('shares a process with another firm, which reads the specified languages', async () => {
    const client = await (await inSpanish()).as(4);
    expect(await (await client.get('/invoices')).text()).toContain('mié, 02 dic 2026');
    await changeSetting(fresh.db, createActor(), 'idioma', 'mixto');
    expect(await (await client.get('/invoices')).text()).toContain('lang="en">Wed, 02 Dec 2026');
  });

  async function inSpanish(): Promise<TestApp> {
    await addSmallCompany(fresh.db);
    await changeSetting(fresh.db, createActor(), 'idioma', 'es');
    await fresh.db
      .updateTable('invoices')
      .set({ fechavencimiento: '2026-12-02', vence: '2026-12-02' })
      .execute();
    return createTestApp({ db: fresh.db });
  }
});

const INVOICE_FILES = [
  '/invoices/export.pdf?fechavencimientoDesde=2026-11-20',
  '/api/facturaproveedores/search/?format=pdf&fechavencimientoDesde=2026-11-20',
];

async function textOfPdf(answer: Promise<Response>): Promise<string> {
  const { pages } = await readPdf(await answer);
  return pages.flatMap(({ texts }) => texts).join('\n');
}

const isPage = ({ path }: Route) => !/^\/(api|assets|healthz|readyz|favicon)|\/export\.|\.csv$/.test(path);

/** A page's words, including texts for screen readers, tooltips and islands. */
function textsOf(html: string): string {
  const body = html.replace(/<(code|kbd|style)\b.*?<\/\1>/gs, ' ');
  const attributes = [...body.matchAll(/\s(?:title|aria-label|placeholder|alt|data-tip|content)="([^"]*)"/g)];
  const props = [...body.matchAll(/\sprops="([^"]*)"/g)].map(([, json = '']) => sentencesOf(json));
  const shown = body.replace(/<[^>]+>/g, ' ');
  return [shown, ...attributes.map(([, text]) => text), ...props].join('\n');
}

/** Strings in an island's properties that look like sentences, not field names. */
const sentencesOf = (json: string): string =>
  [...json.matchAll(/&quot;([^&]*)&quot;/g)]
    .map(([, text = '']) => text)
    .filter((text) => /^\p{Lu}|\s/u.test(text))
    .join('\n');

/** Forms that the browser validates: its messages are in its own language. */
const checkedByBrowser = (html: string): string[] =>
  [...html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].flatMap(([, tag = '', controls = '']) =>
    /method="post"/.test(tag) &&
    !/novalidate/i.test(tag) &&
    /\s(required|pattern|minlength)=|type="(email|number|url)"/i.test(controls)
      ? [`form ${tag}`]
      : [],
  );

function englishIn(text: string): string[] {
  // Texts may be cut, so "Or…" is no word.
  const words = text.match(/[\p{L}\p{N}]+([@.][\p{L}\p{N}]+)*(?![\p{L}\p{N}…])/gu) ?? [];
  return [
    ...new Set([...words.filter((word) => ENGLISH.has(word.toLowerCase())), ...(text.match(DAYS) ?? [])]),
  ];
}
