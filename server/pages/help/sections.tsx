import { renderToStaticMarkup } from 'react-dom/server';
import { currentLanguage } from '../../../shared/language.ts';
import { HelpText } from './markdown.tsx';
import type { HelpTopic } from './topics.ts';

export interface HelpSection {
  id?: string;
  /** This is the heading or, before the first heading, the page's title. */
  title: string;
  text: string;
}

const sectionsCache = new Map<string, readonly HelpSection[]>();

/** The text of a section is that of the rendered markup, including generated content. */
export function helpSectionsOf(topic: HelpTopic): readonly HelpSection[] {
  const key = `${currentLanguage()} ${topic.id}`;
  const parts = sectionsCache.get(key) ?? readSections(topic);
  sectionsCache.set(key, parts);
  return parts;
}

function readSections({ title, text }: HelpTopic): HelpSection[] {
  // With the space, split returns the text before the first heading even where a page begins with one.
  const [start = '', ...others] = ` ${renderToStaticMarkup(<HelpText text={text} />)}`.split(/(?=<h2 id=")/);
  return [
    { title, text: stripHtml(start) },
    ...others.map((markup) => {
      const [, id = '', heading = '', rest = ''] = /^<h2 id="([^"]+)">(.*?)<\/h2>(.*)$/s.exec(markup) ?? [];
      return { id, title: stripHtml(heading), text: stripHtml(rest) };
    }),
  ];
}

const stripHtml = (markup: string): string =>
  markup
    .replace(/<\/?(p|li|ol|ul|dl|dt|dd|div|pre|t[dhr]|h\d|table|caption)\b[^>]*>/g, ' ')
    .replace(/<[^>]*>/g, '')
    .replace(/&(amp|lt|gt|quot|#x27);/g, (entity) => HTML_ENTITIES[entity]!)
    .replace(/\s+/g, ' ')
    .trim();

const HTML_ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
};
