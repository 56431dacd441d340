import { ADMINISTRATION } from './administration.tsx';
import { INVOICES } from './invoices.tsx';
import { NAMES } from './lists.tsx';
import { REFERENCE } from './reference.tsx';
import { REPORTS } from './reports.tsx';
import { SCREENS } from './screens.tsx';
import { TASKS } from './tasks.tsx';
import type { HelpTopic } from './topic.ts';

export interface Chapter {
  title: string;
  topics: readonly HelpTopic[];
}

/** The whole guide, in the order of its index. */
export const CHAPTERS: readonly Chapter[] = [
  { title: 'Tareas', topics: TASKS },
  { title: 'Facturas y pagos', topics: [...INVOICES, ...SCREENS] },
  { title: 'Listas', topics: NAMES },
  { title: 'Reportes', topics: REPORTS },
  { title: 'Administración', topics: ADMINISTRATION },
  { title: 'En todas las pantallas', topics: REFERENCE },
];

export const TOPICS: readonly HelpTopic[] = CHAPTERS.flatMap(({ topics }) => topics);

export function topicOf(id: string): { topic: HelpTopic; chapter: Chapter } | undefined {
  for (const chapter of CHAPTERS) {
    const topic = chapter.topics.find((one) => one.id === id);
    if (topic) return { topic, chapter };
  }
  return undefined;
}
