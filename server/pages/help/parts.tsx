import { renderToStaticMarkup } from 'react-dom/server';
import { language } from '../../../shared/language.ts';
import { HelpText } from './markdown.tsx';
import type { HelpTopic } from './topics.ts';

export interface Part {
  id?: string;
  /** the heading; for the text before the first one, the title of the page */
  title: string;
  text: string;
}

const partsCache = new Map<string, readonly Part[]>();

/** Splits a page's text at its headings. The text is that of the rendered markup, which includes generated parts. */
export function partsOf(topic: HelpTopic): readonly Part[] {
  const key = `${language()} ${topic.id}`;
  const parts = partsCache.get(key) ?? readParts(topic);
  partsCache.set(key, parts);
  return parts;
}

function readParts({ title, text }: HelpTopic): Part[] {
  // With the space, split returns the text before the first heading even where a page begins with one.
  const [start = '', ...others] = ` ${renderToStaticMarkup(<HelpText text={text} />)}`.split(/(?=<h2 id=")/);
  return [
    { title, text: stripMarkup(start) },
    ...others.map((markup) => {
      const [, id = '', heading = '', rest = ''] = /^<h2 id="([^"]+)">(.*?)<\/h2>(.*)$/s.exec(markup) ?? [];
      return { id, title: stripMarkup(heading), text: stripMarkup(rest) };
    }),
  ];
}

const stripMarkup = (markup: string): string =>
  markup
    .replace(/<\/?(p|li|ol|ul|dl|dt|dd|div|pre|t[dhr]|h\d|table|caption)\b[^>]*>/g, ' ')
    .replace(/<[^>]*>/g, '')
    .replace(/&(amp|lt|gt|quot|#x27);/g, (entity) => ENTITIES[entity]!)
    .replace(/\s+/g, ' ')
    .trim();

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
};
