import { Hono } from 'hono';
import { DomainError } from '../../../shared/errors.ts';
import { localize } from '../../../shared/language.ts';
import { fold } from '../../../shared/text.ts';
import { Button, LinkButton } from '../../../shared/ui/Button.tsx';
import { Field } from '../../../shared/ui/Field.tsx';
import { pages } from '../../../shared/urls.ts';
import { stemsOf } from '../../../shared/word-stems.ts';
import { type AppContext, type AppEnv, readPreferencesOnce, readSettingsOnce } from '../../http/session.ts';
import { renderPage } from '../../shell/render.tsx';
import { THEME_PREFERENCE } from '../../shell/theme.ts';
import { HelpText } from './markdown.tsx';
import { TopicPicture } from './picture.tsx';
import { searchHelp } from './search.ts';
import { type HelpSection, helpSectionsOf } from './sections.tsx';
import { CHAPTERS, type Chapter, findTopicAndChapter, type HelpTopic } from './topics.ts';

export const helpPages = new Hono<AppEnv>({ strict: false })
  .get(pages.help, (c) => showIndex(c, c.req.query('q')?.slice(0, MAX_QUESTION_LENGTH).trim() ?? ''))
  .get(pages.helpTopic(':topic'), (c) => showTopic(c, c.req.param('topic') ?? ''));

const MAX_QUESTION_LENGTH = 200;

/** Pages with more headings have no outline. */
const MAX_OUTLINE_SECTIONS = 6;

async function showIndex(c: AppContext, question: string) {
  return renderPage(
    c,
    { title: 'Ayuda' },
    <>
      <search>
        <form className="filters" action={pages.help}>
          <Field
            label="Buscar en la ayuda"
            name="q"
            kind="search"
            value={question}
            maxLength={MAX_QUESTION_LENGTH}
          />
          <Button>Buscar</Button>
        </form>
      </search>
      <div className="guide-text">
        {question ? (
          <FoundTopics question={question} />
        ) : (
          CHAPTERS.map((chapter) => <ChapterContents key={chapter.title} {...chapter} />)
        )}
      </div>
    </>,
  );
}

function ChapterContents({ title, topics }: Chapter) {
  return (
    <section>
      <h2>{title}</h2>
      <dl className="terms">
        {topics.map((topic) => (
          <div key={topic.id} id={topic.id}>
            <dt>
              <a href={pages.helpTopic(topic.id)}>{localize(topic.title)}</a>
            </dt>
            <dd>
              {topic.about}
              <TopicOutline topic={topic} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function TopicOutline({ topic }: { topic: HelpTopic }) {
  const parts = helpSectionsOf(topic).filter(({ id }) => id);
  if (parts.length === 0 || parts.length > MAX_OUTLINE_SECTIONS) return null;
  return (
    <ul>
      {parts.map(({ id, title }) => (
        <li key={id} id={id}>
          <a href={`${pages.helpTopic(topic.id)}#${id}`}>{title}</a>
        </li>
      ))}
    </ul>
  );
}

async function showTopic(c: AppContext, id: string) {
  const found = findTopicAndChapter(id);
  if (!found) throw new DomainError('not-found', 'Esa página de la ayuda no existe.');
  const { topic, chapter } = found;
  const { title, href, role, text } = topic;
  const settings = await readSettingsOnce(c);
  const theme = (await readPreferencesOnce(c))(THEME_PREFERENCE);
  const actions = (
    <LinkButton href={pages.help} icon="help">
      Toda la ayuda
    </LinkButton>
  );
  return renderPage(
    c,
    { title: localize(title), actions },
    <div className="guide">
      <article className="guide-text">
        {(href || role) && (
          <p className="note">
            {href && <a href={href}>Abrir {localize(title)}</a>}
            {href && role && ' · '}
            {role && `Solo para el rol ${settings[`rol.${role}`]}.`}
          </p>
        )}
        <section>
          <HelpText text={text} />
        </section>
        <TopicPicture topic={topic} theme={theme} />
      </article>
      <nav className="guide-index" aria-label={chapter.title}>
        <p>{chapter.title}</p>
        <ul>
          {chapter.topics.map((listed) => (
            <li key={listed.id}>
              <a href={pages.helpTopic(listed.id)} aria-current={listed === topic ? 'page' : undefined}>
                {localize(listed.title)}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </div>,
  );
}

const EXCERPT_LENGTH = 220;

function FoundTopics({ question }: { question: string }) {
  const found = searchHelp(question);
  const words = stemsOf(question);
  if (found.length === 0) {
    return (
      <p>
        No hay resultados para «{question}». Prueba con otra palabra, o ve{' '}
        <a href={pages.help}>toda la ayuda</a>.
      </p>
    );
  }
  return found.map(({ topic, parts }) => (
    <section key={topic.id}>
      <h2>
        <a href={pages.helpTopic(topic.id)}>{localize(topic.title)}</a>
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

function Excerpt({ part, words }: { part: HelpSection; words: readonly string[] }) {
  const folded = fold(part.text);
  const places = words.map((word) => folded.indexOf(word)).filter((place) => place >= 0);
  const first = Math.max(0, Math.min(...places, part.text.length) - 60);
  const start = places.length === 0 || first === 0 ? 0 : part.text.indexOf(' ', first) + 1;
  const rest = part.text.slice(start);
  const end = rest.length > EXCERPT_LENGTH ? rest.lastIndexOf(' ', EXCERPT_LENGTH) : rest.length;
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
