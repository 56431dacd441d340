import { renderToStaticMarkup } from 'react-dom/server';
import { language } from '../../../shared/language.ts';
import { HelpText } from './markdown.tsx';
import type { HelpTopic } from './topics.ts';

export interface Part {
  id?: string;
  /** the heading; before the first one the page's own title */
  title: string;
  text: string;
}

const known = new Map<string, readonly Part[]>();

/** The text of a page by its headings, read from the markup that is shown. */
export function partsOf(topic: HelpTopic): readonly Part[] {
  const key = `${language()} ${topic.id}`;
  const parts = known.get(key) ?? readParts(topic);
  known.set(key, parts);
  return parts;
}

function readParts({ title, text }: HelpTopic): Part[] {
  // The space is for pages that begin with a heading.
  const [start = '', ...others] = ` ${renderToStaticMarkup(<HelpText text={text} />)}`.split(/(?=<h2 id=")/);
  return [
    { title, text: textOf(start) },
    ...others.map((markup) => {
      const [, id = '', heading = '', rest = ''] = /^<h2 id="([^"]+)">(.*?)<\/h2>(.*)$/s.exec(markup) ?? [];
      return { id, title: textOf(heading), text: textOf(rest) };
    }),
  ];
}

const textOf = (markup: string): string =>
  markup
    .replace(/<\/?(p|li|ol|ul|dl|dt|dd|div|pre|t[dhr]|h\d|table|caption)\b[^>]*>/g, ' ')
    .replace(/<[^>]*>/g, '')
    .replace(/&(amp|lt|gt|quot|#x27);/g, (entity) => CHARACTERS[entity]!)
    .replace(/\s+/g, ' ')
    .trim();

const CHARACTERS: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
};
