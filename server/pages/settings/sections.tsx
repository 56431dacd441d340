import type { ReactNode } from 'react';
import type { AppContext } from '../../http/session.ts';
import { isSettingKey, SETTING_GROUPS } from '../../services/settings/definitions.ts';
import type { RefusedForm } from '../../shell/render.tsx';

/** Shows the settings, after one of the page's smaller forms was refused. */
export type Again = (c: AppContext, refused: Pick<RefusedForm, 'problem' | 'status'>) => Promise<Response>;

/** The sections below the form, which are not saved together with the settings. */
const OTHERS = ['Plantillas de banco', 'Respaldos', 'Bitácora', 'Acerca de'] as const;

/** "acerca-de", to which an address leads; what is called as one of its settings gives way to that one's control. */
export function sectionId(title: string): string {
  const id = title.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').replaceAll(' ', '-');
  return isSettingKey(id) ? `seccion-${id}` : id;
}

export const SectionLinks = () => (
  <nav className="actions" aria-label="Secciones">
    {[...SETTING_GROUPS, ...OTHERS].map((title) => (
      <a key={title} href={`#${sectionId(title)}`}>
        {title}
      </a>
    ))}
  </nav>
);

export const Section = ({ title, children }: { title: (typeof OTHERS)[number]; children: ReactNode }) => (
  <section id={sectionId(title)} className="form" aria-label={title}>
    <h2>{title}</h2>
    {children}
  </section>
);
