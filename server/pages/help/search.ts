import { localize } from '../../../shared/language.ts';
import { fold } from '../../../shared/text.ts';
import { scoreStemMatch, stemsOf } from '../../../shared/word-stems.ts';
import { type HelpSection, helpSectionsOf } from './sections.tsx';
import { type HelpTopic, TOPICS } from './topics.ts';

interface FoundTopic {
  topic: HelpTopic;
  parts: readonly HelpSection[];
}

const MAX_TOPICS = 12;
const MAX_SECTIONS = 4;

/**
 * Finds pages for a question, best first: pages with all its words in one section or its headings, or if there are
 * none, pages with at least `minShare` of them. Case, accents and word endings are ignored.
 */
export function searchHelp(question: string, minShare = 0.5): FoundTopic[] {
  const words = stemsOf(question);
  if (words.length === 0) return [];
  const phrase = fold(question);
  const scored = TOPICS.map((topic) => ({
    topic,
    parts: helpSectionsOf(topic)
      .map((part) => ({ part, ...scoreSection(topic, part, words, phrase) }))
      .filter(({ hits }) => hits > 0)
      .sort((a, b) => b.hits - a.hits || b.score - a.score),
  }));
  // The page of error messages contains nearly every word, so it comes last for short questions that are no error code.
  const isRankedLast = ({ id }: HelpTopic) => id === 'errores' && words.length < 4 && !question.includes('_');
  const maxHits = Math.max(0, ...scored.map(({ parts }) => parts[0]?.hits ?? 0));
  if (maxHits < words.length * minShare) return [];
  return scored
    .flatMap(({ topic, parts }) => {
      const best = parts.filter(({ hits }) => hits === maxHits);
      return best.length > 0 ? [{ topic, parts: best, score: best[0]!.score }] : [];
    })
    .sort((a, b) => Number(isRankedLast(a.topic)) - Number(isRankedLast(b.topic)) || b.score - a.score)
    .slice(0, MAX_TOPICS)
    .map(({ topic, parts }) => ({ topic, parts: parts.slice(0, MAX_SECTIONS).map(({ part }) => part) }));
}

function scoreSection(topic: HelpTopic, part: HelpSection, words: readonly string[], phrase: string) {
  const title = fold(localize(topic.title));
  const heading = part.id ? fold(part.title) : '';
  const about = fold(topic.about);
  const text = fold(part.text);
  const places = [
    [title, 8],
    [fold(topic.searchTerms), 8],
    [heading, 8],
    [about, 3],
    [text, 2],
  ] as const;
  let hits = 0;
  let score = places.reduce(
    (sum, [place, weight]) => sum + (place.includes(phrase) ? weight * words.length : 0),
    0,
  );
  for (const word of words) {
    const worth = Math.max(...places.map(([place, weight]) => weight * scoreStemMatch(place, word)));
    if (worth > 0) hits++;
    score += worth;
  }
  return { hits, score };
}
