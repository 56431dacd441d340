import { say } from '../../../shared/language.ts';
import { fold } from '../../../shared/text.ts';
import { pages } from '../../../shared/urls.ts';
import type { Part } from './parts.tsx';
import { searchHelp, wordsOf } from './search.ts';

/** Letters of the text that a part is shown with. */
const SHOWN = 220;

/** What answers a question, best first. */
export function FoundTopics({ question }: { question: string }) {
  const found = searchHelp(question);
  const words = wordsOf(question);
  if (found.length === 0) {
    return (
      <p>
        Nada en la ayuda habla de «{question}». Prueba con otra palabra, o ve{' '}
        <a href={pages.help}>toda la ayuda</a>.
      </p>
    );
  }
  return found.map(({ topic, parts }) => (
    <section key={topic.id}>
      <h2>
        <a href={pages.helpTopic(topic.id)}>{say(topic.title)}</a>
      </h2>
      {parts.map((part) => (
        <p key={part.id ?? ''}>
          {part.id && (
            <>
              <a href={`${pages.helpTopic(topic.id)}#${part.id}`}>{part.title}</a>:{' '}
            </>
          )}
          <Excerpt part={part} words={words} />
        </p>
      ))}
    </section>
  ));
}

/** The text around the first word that was looked for, with all of them set off. */
function Excerpt({ part, words }: { part: Part; words: readonly string[] }) {
  const folded = fold(part.text);
  const places = words.map((word) => folded.indexOf(word)).filter((place) => place >= 0);
  const first = Math.max(0, Math.min(...places, part.text.length) - 60);
  const start = places.length === 0 || first === 0 ? 0 : part.text.indexOf(' ', first) + 1;
  const rest = part.text.slice(start);
  const end = rest.length > SHOWN ? rest.lastIndexOf(' ', SHOWN) : rest.length;
  const pattern = new RegExp(`((?:${words.join('|')})[\\p{L}\\p{N}]*)`, 'u');
  let place = start;
  const pieces = folded.slice(start, start + end).split(pattern);
  return (
    <>
      {start > 0 && '… '}
      {pieces.map((piece, index) => {
        const text = part.text.slice(place, place + piece.length);
        const key = place + index / (pieces.length + 1);
        place += piece.length;
        return index % 2 === 1 ? <strong key={key}>{text}</strong> : text;
      })}
      {end < rest.length && ' …'}
    </>
  );
}
