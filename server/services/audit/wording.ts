import { grouped } from '../../../shared/counts.ts';
import { formatDate, isPlainDate, sayDate } from '../../../shared/dates.ts';
import { formatMoney, rateText } from '../../../shared/money.ts';
import { pages } from '../../../shared/urls.ts';
import type { Passed } from './audit.ts';
import type { AuditChange } from './batch-lines.ts';
import type { Audited } from './entities.ts';
import { AUDIT_NOUNS, type AuditNoun, settingName, TRUSTER } from './nouns.ts';
import type { AuditEntry } from './reading.ts';

interface AuditWording {
  /** "cambió el subtotal de la factura A-1045: $1,000.00 → $1,200.00", to be read after who did it */
  text: string;
  /** changes beyond what the text says; for a new or deleted row its values */
  changes: readonly AuditChange[];
  /** the page that shows the row; undefined where the row is gone */
  href?: string;
}

type Worded = Pick<AuditEntry, 'entity' | 'entityId' | 'action' | 'before' | 'after'>;

export function wordEntry(entry: Worded): AuditWording {
  const wording = wordAction(entry);
  const { motivo, permite } = { ...entry.after };
  if (!motivo) return wording;
  const rules = Array.isArray(permite) ? permite.map((rule) => PASSED[rule as Passed] ?? rule) : [];
  const of = rules.length > 0 ? ` (${rules.join(' y ')})` : '';
  return { ...wording, text: `${wording.text}. Motivo${of}: ${motivo}` };
}

function wordAction(entry: Worded): AuditWording {
  const noun = AUDIT_NOUNS[entry.entity as Audited] as AuditNoun | undefined;
  if (!noun) return { text: `${entry.action} ${entry.entity} ${entry.entityId ?? ''}`.trim(), changes: [] };
  const { action, entityId, before, after } = entry;
  if (entry.entity === 'settings' && entityId === 'cierre') return wordClosing(entry);
  if (entry.entity === 'settings' && entityId?.startsWith(LAYOUT_KEY)) return wordLayout(entry);
  const href = action === 'delete' || entityId === null ? undefined : noun.href?.(entityId);
  if (action === 'download') return { text: `descargó el respaldo ${entityId}`, changes: [] };
  if (action === 'import' || entityId === null) return { text: ofMany(entry, noun), changes: [] };
  const name =
    entry.entity === 'settings' ? settingName(entityId) : noun.nameOf({ ...before, ...after }) || entityId;
  const thing = `${noun.one} ${name}`;
  if (action === 'password') return { text: passwordText(entry, thing), changes: [], href };
  if (action === 'sign') return { text: `firmó ${thing}. ${after?.text}`, changes: [], href };
  if (action === 'second-factor')
    return { text: `cambió el doble factor del usuario ${entityId}`, changes: [], href };
  const parts = noun.partsChanged?.(before, after) ?? [];
  const changes = [...changesBetween(noun, before, after), ...parts];
  if (action !== 'update') return { text: `${VERBS[action] ?? action} ${thing}`, changes, href };
  const [only] = changes;
  if (changes.length !== 1 || !only || parts.length > 0) return { text: `cambió ${thing}`, changes, href };
  if (only.label === TRUSTER) {
    const text = only.after === '—' ? `quitó la confirmación ${ofThing(thing)}` : `confirmó ${thing}`;
    return { text, changes: [], href };
  }
  const what = entry.entity === 'settings' ? thing : `${only.label} ${ofThing(thing)}`;
  return { text: `cambió ${what}: ${only.before} → ${only.after}`, changes: [], href };
}

function wordClosing({ before, after }: Worded): AuditWording {
  const [was, is] = [String(before?.value ?? ''), String(after?.value ?? '')];
  const until = is ? `cerrado hasta el ${sayDate(is)}` : 'sin nada cerrado';
  const text = is > was ? `cerró el periodo hasta el ${sayDate(is)}` : `reabrió el periodo: queda ${until}`;
  return { text, changes: [], href: pages.closing };
}

function wordLayout({ action, entityId, before, after }: Worded): AuditWording {
  const code = entityId!.slice(LAYOUT_KEY.length);
  const href = after?.value || action === 'sign' ? pages.layoutToConfirm(code) : undefined;
  if (action === 'sign')
    return { text: `confirmó la plantilla de banco ${code}. ${after?.text}`, changes: [], href };
  const isSame = before?.sha256 !== undefined && before.sha256 === after?.sha256;
  return {
    text: `${isSame ? 'confirmó' : 'cambió'} la plantilla de banco ${code}`,
    changes: changesBetween({ labels: LAYOUT_LABELS }, before, after),
    href,
  };
}

/** The prefix of bank layouts among the keys of settings. */
export const LAYOUT_KEY = 'plantilla.';
const LAYOUT_LABELS = { estado: 'Estado', sha256: 'SHA-256', value: 'Plantilla' };

const PASSED: Readonly<Record<Passed, string>> = {
  cierre: 'periodo cerrado',
  presupuesto: 'presupuesto excedido',
  programacion: 'está en el banco',
};

const VERBS: Readonly<Record<string, string>> = {
  create: 'capturó',
  delete: 'eliminó',
  restore: 'recuperó',
  update: 'cambió',
};

function ofMany({ action, entity, before, after }: Worded, { many }: AuditNoun): string {
  const said = { ...before, ...after };
  const count = Number(said.created ?? said.count ?? (Array.isArray(said.ids) ? said.ids.length : 0));
  const file = typeof said.source === 'string' ? ` de «${said.source}»` : '';
  if (action === 'import') return `importó ${grouped(count)} en ${many}${file}`;
  if (action === 'backup') return 'respaldó la base de datos';
  if (action === 'missing')
    return `encontró una base de datos que termina en el asiento ${said.found}: se había llegado al ${said.entries}`;
  if (action === 'restore') return entity === 'database' ? 'restauró un respaldo' : `recuperó ${many}`;
  if (action === 'delete') return `eliminó toda la lista de ${many} (${grouped(count)})`;
  return `${VERBS[action] ?? action} ${many}`;
}

const passwordText = ({ after }: Worded, thing: string): string => {
  if (after && 'renewed' in after)
    return `guardó la misma contraseña ${ofThing(thing)} con un cifrado más fuerte`;
  return `${after && 'reset' in after ? 'restableció' : 'cambió'} la contraseña ${ofThing(thing)}`;
};

/** "del usuario", "de la factura". */
const ofThing = (thing: string): string =>
  thing.startsWith('el ') ? `del ${thing.slice(3)}` : `de ${thing}`;

type Snapshot = AuditEntry['before'];

function changesBetween(
  { labels }: Pick<AuditNoun, 'labels'>,
  before: Snapshot,
  after: Snapshot,
): AuditChange[] {
  return Object.entries(labels).flatMap(([name, label]) => {
    const [was, is] = [valueText(name, before?.[name]), valueText(name, after?.[name])];
    return was === is ? [] : [{ label, before: was, after: is }];
  });
}

/** As screens show it; "—" for nothing. */
function valueText(name: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return '—';
  if (typeof value === 'number' && name.endsWith('Cents')) return formatMoney(value);
  if (typeof value === 'number' && name === 'tasa') return `${rateText(value)} %`;
  if (typeof value === 'boolean') return value ? 'Sí' : 'No';
  if (typeof value === 'string') return isPlainDate(value) ? formatDate(value) : value;
  if (Array.isArray(value)) return value.map(partText).join(', ') || '—';
  return String(value);
}

const partText = (part: unknown): string =>
  typeof part === 'object' && part !== null && 'rolename' in part ? String(part.rolename) : String(part);

const ORIGINS: Readonly<Record<string, string>> = {
  page: 'Página',
  api: 'API',
  cli: 'Línea de comandos',
  system: 'Sistema',
};

/** "page" → "Página"; "cli:root" → "Línea de comandos (root)". */
export function originLabel(origin: string): string {
  const [kind = '', who] = origin.split(':');
  const label = ORIGINS[kind] ?? kind;
  return who ? `${label} (${who})` : label;
}
