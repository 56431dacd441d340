import { formatCount } from '../../../shared/counts.ts';
import { formatDate, formatLongDate, isPlainDate } from '../../../shared/dates.ts';
import { formatMoney, formatRate } from '../../../shared/money.ts';
import { pages } from '../../../shared/urls.ts';
import { isSettingKey, LOGO_KEY, SETTINGS } from '../settings/definitions.ts';
import type { OverridableRule } from './audit.ts';
import type { AuditChange } from './batch-lines.ts';
import type { AuditedEntity } from './entities.ts';
import { AUDIT_NOUNS, type AuditNoun, CONFIRMED_BY_LABEL } from './nouns.ts';
import type { AuditEntry } from './reading.ts';

interface EntryDescription {
  /** what the user did, without the subject: "cambió el subtotal de la factura A-1045: $1,000.00 → $1,200.00" */
  text: string;
  /** the changes that the text does not state; for a new or deleted row, its values */
  changes: readonly AuditChange[];
  /** undefined if the row was deleted */
  href?: string;
}

type DescribableEntry = Pick<AuditEntry, 'entity' | 'entityId' | 'action' | 'before' | 'after'>;

export function describeEntry(entry: DescribableEntry): EntryDescription {
  const wording = describeEntryWithoutReason(entry);
  const { motivo, permite } = { ...entry.after };
  if (!motivo) return wording;
  const rules = Array.isArray(permite)
    ? permite.map((rule) => OVERRIDDEN_RULE_LABELS[rule as OverridableRule] ?? rule)
    : [];
  const ruleList = rules.length > 0 ? ` (${rules.join(' y ')})` : '';
  return { ...wording, text: `${wording.text}. Motivo${ruleList}: ${motivo}` };
}

function describeEntryWithoutReason(entry: DescribableEntry): EntryDescription {
  const noun = AUDIT_NOUNS[entry.entity as AuditedEntity] as AuditNoun | undefined;
  if (!noun) return { text: `${entry.action} ${entry.entity} ${entry.entityId ?? ''}`.trim(), changes: [] };
  const { action, entityId, before, after } = entry;
  if (entry.entity === 'settings' && entityId === 'cierre') return describePeriodClosingEntry(entry);
  if (entry.entity === 'settings' && entityId?.startsWith(BANK_LAYOUT_KEY_PREFIX))
    return describeBankLayoutEntry(entry);
  const hrefOf = entry.entity === 'settings' ? settingHref : noun.href;
  const href = action === 'delete' || entityId === null ? undefined : hrefOf?.(entityId);
  if (action === 'download') return { text: `descargó el respaldo ${entityId}`, changes: [] };
  if (action === 'import' || entityId === null) return { text: describeBulkEntry(entry, noun), changes: [] };
  const name =
    entry.entity === 'settings' ? settingName(entityId) : noun.nameOf({ ...before, ...after }) || entityId;
  const thing = `${noun.one} ${name}`;
  if (action === 'password') return { text: describePasswordChange(entry, thing), changes: [], href };
  if (action === 'sign') return { text: `firmó ${thing}. ${after?.text}`, changes: [], href };
  if (action === 'second-factor')
    return { text: `cambió el doble factor del usuario ${entityId}`, changes: [], href };
  const parts = noun.compareParts?.(before, after) ?? [];
  const changes = [...compareSnapshots(noun, before, after), ...parts];
  if (action !== 'update') return { text: `${VERBS[action] ?? action} ${thing}`, changes, href };
  const [only] = changes;
  if (changes.length !== 1 || !only || parts.length > 0) return { text: `cambió ${thing}`, changes, href };
  if (only.label === CONFIRMED_BY_LABEL) {
    const text = only.after === '—' ? `quitó la confirmación ${withPreposition(thing)}` : `confirmó ${thing}`;
    return { text, changes: [], href };
  }
  const what = entry.entity === 'settings' ? thing : `${only.label} ${withPreposition(thing)}`;
  return { text: `cambió ${what}: ${only.before} → ${only.after}`, changes: [], href };
}

const settingHref = (key: string): string =>
  isSettingKey(key) ? pages.settingsOf(SETTINGS[key].subject) : pages.settings;

const settingName = (key: string): string =>
  isSettingKey(key) ? SETTINGS[key].label : key === LOGO_KEY ? 'Logotipo' : key;

function describePeriodClosingEntry({ before, after }: DescribableEntry): EntryDescription {
  const [textBefore, textAfter] = [String(before?.value ?? ''), String(after?.value ?? '')];
  const until = textAfter ? `cerrado hasta el ${formatLongDate(textAfter)}` : 'sin nada cerrado';
  const text =
    textAfter > textBefore
      ? `cerró el periodo hasta el ${formatLongDate(textAfter)}`
      : `reabrió el periodo: queda ${until}`;
  return { text, changes: [], href: pages.closing };
}

function describeBankLayoutEntry({ action, entityId, before, after }: DescribableEntry): EntryDescription {
  const code = entityId!.slice(BANK_LAYOUT_KEY_PREFIX.length);
  const href = after?.value || action === 'sign' ? pages.layoutToConfirm(code) : undefined;
  if (action === 'sign')
    return { text: `confirmó la plantilla de banco ${code}. ${after?.text}`, changes: [], href };
  const isSame = before?.sha256 !== undefined && before.sha256 === after?.sha256;
  return {
    text: `${isSame ? 'confirmó' : 'cambió'} la plantilla de banco ${code}`,
    changes: compareSnapshots({ labels: LAYOUT_FIELD_LABELS }, before, after),
    href,
  };
}

export const BANK_LAYOUT_KEY_PREFIX = 'plantilla.';
const LAYOUT_FIELD_LABELS = { estado: 'Estado', sha256: 'SHA-256', value: 'Plantilla' };

const OVERRIDDEN_RULE_LABELS: Readonly<Record<OverridableRule, string>> = {
  cierre: 'periodo cerrado',
  presupuesto: 'presupuesto excedido',
  programacion: 'está en una programación enviada',
};

const VERBS: Readonly<Record<string, string>> = {
  create: 'capturó',
  delete: 'eliminó',
  restore: 'recuperó',
  update: 'cambió',
};

function describeBulkEntry({ action, entity, before, after }: DescribableEntry, noun: AuditNoun): string {
  const { many } = noun;
  const values = { ...before, ...after };
  const count = Number(values.created ?? values.count ?? (Array.isArray(values.ids) ? values.ids.length : 0));
  const file = typeof values.source === 'string' ? ` de «${values.source}»` : '';
  if (action === 'import' && noun.describeImport) return noun.describeImport(values);
  if (action === 'import') return `importó ${formatCount(count)} en ${many}${file}`;
  if (action === 'backup') return 'respaldó la base de datos';
  if (action === 'missing')
    return `encontró una base de datos que termina en el asiento ${values.found}: se había llegado al ${values.entries}`;
  if (action === 'restore') return entity === 'database' ? 'restauró un respaldo' : `recuperó ${many}`;
  if (action === 'delete') return `eliminó toda la lista de ${many} (${formatCount(count)})`;
  return `${VERBS[action] ?? action} ${many}`;
}

const describePasswordChange = ({ after }: DescribableEntry, thing: string): string => {
  if (after && 'renewed' in after)
    return `guardó la misma contraseña ${withPreposition(thing)} con un cifrado más fuerte`;
  return `${after && 'reset' in after ? 'restableció' : 'cambió'} la contraseña ${withPreposition(thing)}`;
};

const withPreposition = (thing: string): string =>
  thing.startsWith('el ') ? `del ${thing.slice(3)}` : `de ${thing}`;

type Snapshot = AuditEntry['before'];

function compareSnapshots(
  { labels }: Pick<AuditNoun, 'labels'>,
  before: Snapshot,
  after: Snapshot,
): AuditChange[] {
  return Object.entries(labels).flatMap(([name, label]) => {
    const [textBefore, textAfter] = [formatValue(name, before?.[name]), formatValue(name, after?.[name])];
    return textBefore === textAfter ? [] : [{ label, before: textBefore, after: textAfter }];
  });
}

function formatValue(name: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return '—';
  if (typeof value === 'number' && name.endsWith('Cents')) return formatMoney(value);
  if (typeof value === 'number' && name === 'tasa') return `${formatRate(value)} %`;
  if (typeof value === 'boolean') return value ? 'Sí' : 'No';
  if (typeof value === 'string') return isPlainDate(value) ? formatDate(value) : value;
  if (Array.isArray(value)) return value.map(formatListItem).join(', ') || '—';
  return String(value);
}

const formatListItem = (part: unknown): string =>
  typeof part === 'object' && part !== null && 'rolename' in part ? String(part.rolename) : String(part);

const ORIGIN_LABELS: Readonly<Record<string, string>> = {
  page: 'Página',
  api: 'API',
  cli: 'Línea de comandos',
  system: 'Sistema',
};

export function originLabel(origin: string): string {
  const [kind = '', osUser] = origin.split(':');
  const label = ORIGIN_LABELS[kind] ?? kind;
  return osUser ? `${label} (${osUser})` : label;
}
