import { catalogs } from '../../../shared/catalogs/all.ts';
import { pages } from '../../../shared/urls.ts';

type PageHrefOrBuilder = string | ((id: number) => string);

const PAGES_BY_NAME = new Map<string, PageHrefOrBuilder>([
  ...Object.entries(pages).map(([name, page]) => [`pages.${name}`, page as PageHrefOrBuilder] as const),
  ...catalogs.flatMap(({ noun, paths }) => [
    [`${noun}.list`, paths.list] as const,
    [`${noun}.create`, paths.create] as const,
  ]),
  ['api.docs', '/api/docs'],
]);

/**
 * Resolves an address as help pages write it: "caja-chica.md#arqueo" is another help page,
 * "pages.accounts?estado=activa" and "pages.paymentBatch(1)" are pages of shared/urls.ts, "jobs.create" is a page of a
 * catalog.
 */
export function resolvePageHref(name: string): string {
  const [, topic, about = ''] = /^([\w-]+)\.md(#.*)?$/.exec(name) ?? [];
  if (topic) return pages.helpTopic(topic) + about;
  const [, key = '', id, rest = ''] = /^([\w.-]+)(?:\((\d+)\))?([?#].*)?$/.exec(name) ?? [];
  const page = PAGES_BY_NAME.get(key);
  if (!page) throw new Error(`No page is called «${name}»: a help page may link to those of shared/urls.ts`);
  return (typeof page === 'function' ? page(Number(id)) : page) + rest;
}
