import { catalogs } from '../../../shared/catalogs/all.ts';
import { resolvePageHref } from './addresses.ts';

/** A page for each catalog in the order of the menu. The page of suppliers' accounts follows suppliers. */
const CATALOG_TOPIC_IDS = catalogs
  .toSorted((one, other) => one.menu.place - other.menu.place)
  .map(({ help }) => (help === 'proveedores' ? `${help} cuentas-bancarias` : help));

export interface HelpTopic {
  /** the file's name in topics/, and part of the address: /help/facturas, or its anchor in the index, /help#facturas */
  id: string;
  title: string;
  about: string;
  /** search terms that its title does not contain */
  searchTerms: string;
  href?: string;
  /** the only role that may read the page; absent: everybody */
  role?: 1 | 3;
  /** the screen that its screenshot shows; `npm run pictures` takes all screenshots */
  picture?: string;
  /** the page in Markdown, which markdown.tsx renders */
  text: string;
}

export interface Chapter {
  title: string;
  topics: readonly HelpTopic[];
}

const topicFiles = import.meta.glob<string>('./topics/*.md', {
  eager: true,
  query: '?raw',
  import: 'default',
});

export const CHAPTERS: readonly Chapter[] = [
  createChapter(
    'Tareas',
    `empezar primera-semana pagar-la-semana archivo-para-el-banco estado-del-banco ejemplo-de-saldos cerrar-el-mes conciliar-banco
    restablecer-contrasena`,
  ),
  createChapter(
    'Facturas y pagos',
    `facturas capturar-factura cargar-xml corregir-factura pagos registrar-pago pagos-dobles notas-de-credito programaciones
    caja-chica importar`,
  ),
  createChapter('Listas', ['listas', ...CATALOG_TOPIC_IDS].join(' ')),
  createChapter(
    'Reportes',
    'resultados saldos presupuesto flujo fiscal rep-pendientes lista-69b diot retenciones polizas estado-de-cuenta dashboard',
  ),
  createChapter('Administración', 'configuracion cierre usuarios correos bitacora perfil'),
  createChapter(
    'En todas las pantallas',
    'filtros importes elegir borradores exportar campana estados corte teclado errores novedades',
  ),
  createChapter('Para quien administra el sistema', 'reporte-desde-un-programa mudar-de-equipo terminal'),
];

export const TOPICS: readonly HelpTopic[] = CHAPTERS.flatMap(({ topics }) => topics);

export function findTopicAndChapter(id: string): { topic: HelpTopic; chapter: Chapter } | undefined {
  const chapter = CHAPTERS.find(({ topics }) => topics.some((topic) => topic.id === id));
  return chapter && { chapter, topic: chapter.topics.find((topic) => topic.id === id)! };
}

function createChapter(title: string, ids: string): Chapter {
  return { title, topics: ids.split(/\s+/).map(readTopic) };
}

/** A file begins with front matter: lines such as "title: Facturas" between two lines of dashes. */
function readTopic(id: string): HelpTopic {
  const [, head = '', text = ''] =
    /^---\n(.*?)\n---\n(.*)$/s.exec(topicFiles[`./topics/${id}.md`] ?? '') ?? [];
  const facts = Object.fromEntries(head.split('\n').map((line) => line.split(/: (.*)/, 2)));
  const { title, about, words = '', href, role, picture } = facts as Record<string, string | undefined>;
  if (!title || !about) throw new Error(`topics/${id}.md has no title, or says not what it is about`);
  return {
    id,
    title,
    about,
    searchTerms: words,
    text,
    href: href && resolvePageHref(href),
    role: role ? (Number(role) as 1 | 3) : undefined,
    picture: picture && resolvePageHref(picture),
  };
}
