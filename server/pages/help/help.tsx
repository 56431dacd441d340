import { Hono } from 'hono';
import { say } from '../../../shared/language.ts';
import { pages } from '../../../shared/urls.ts';
import type { AppEnv } from '../../http/session.ts';
import type { Settings } from '../../services/settings/definitions.ts';
import { readSettings } from '../../services/settings/settings.ts';
import { renderPage } from '../../shell/render.tsx';
import { REFERENCE } from './reference.tsx';
import { REPORTS } from './reports.tsx';
import { SCREENS } from './screens.tsx';
import type { HelpSection } from './section.ts';

export const helpPages = new Hono<AppEnv>({ strict: false }).get(pages.help, async (c) => {
  const settings = await readSettings(c.get('deps').db);
  return renderPage(
    c,
    { title: 'Ayuda' },
    <div className="guide">
      <nav className="guide-index" aria-label="Contenido">
        <Index title="Pantallas" sections={[...SCREENS, ...REPORTS]} />
        <Index title="En todas las pantallas" sections={REFERENCE} />
      </nav>
      <div className="guide-text">
        {[...SCREENS, ...REPORTS, ...REFERENCE].map((section) => (
          <Section key={section.id} {...section} settings={settings} />
        ))}
      </div>
    </div>,
  );
});

function Index({ title, sections }: { title: string; sections: readonly HelpSection[] }) {
  return (
    <div>
      <p>{title}</p>
      <ul>
        {sections.map((section) => (
          <li key={section.id}>
            <a href={`#${section.id}`}>{say(section.title)}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Section({ id, title, href, role, body, settings }: HelpSection & { settings: Settings }) {
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{say(title)}</h2>
      {(href || role) && (
        <p className="note">
          {href && <a href={href}>Abrir {say(title)}</a>}
          {href && role && ' · '}
          {role && `Solo para el rol ${settings[`rol.${role}`]}.`}
        </p>
      )}
      {body}
    </section>
  );
}
