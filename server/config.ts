import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { fileErrorReason } from '../db/explain-errors.ts';
import { resolveSqlitePath } from '../db/open.ts';
import { splitServerUrls } from '../db/postgres.ts';
import { HOME_ZONE } from '../shared/dates.ts';
import { DomainError } from '../shared/errors.ts';
import { isEmail, isSafeMailAddress } from '../shared/text.ts';
import type { MailAccount } from './formats/mail-account.ts';
import { findWeakness } from './formats/passwords/common-passwords.ts';

export interface Config {
  port: number;
  host: string;
  databaseUrl: string;
  /** the folder of the database file; with PostgreSQL `data` in the project's folder */
  dataFolder: string;
  secret: string;
  adminEmail?: string;
  adminPassword?: string;
  /** the public address, without a final slash */
  url?: string;
  trustedProxies: number;
  cliUsername?: string;
  /** loopback port of the metrics for Prometheus; absent: no metrics */
  metricsPort?: number;
  /** where the last hash of the audit trail is recorded once a day */
  auditAnchor?: { file: string } | { url: string };
  /** the account that sends mails; absent: the user's own mail program sends them */
  mail?: MailAccount;
  timeZone: string;
  logLevel: string;
}

/** A test compares the README's table with these variables. */
export const VARIABLE_DEFAULTS = {
  PORT: '3000',
  HOST: '127.0.0.1',
  DATABASE_URL: 'file:./data/saldo.db',
  SALDO_SECRET: '',
  SALDO_ADMIN_EMAIL: '',
  SALDO_ADMIN_PASSWORD: '',
  SALDO_URL: '',
  SALDO_TRUST_PROXY: '0',
  SALDO_USER: '',
  TZ_BUSINESS: HOME_ZONE,
  LOG_LEVEL: 'info',
  METRICS_PORT: '',
  SALDO_ANCHOR: '',
  SMTP_URL: '',
  MAIL_FROM: '',
} as const;

type Environment = Record<string, string | undefined>;
type VariableName = keyof typeof VARIABLE_DEFAULTS;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const MIN_SECRET_LENGTH = 32;

/**
 * Reads the configuration from the environment. With a new SQLite database the secret stays empty until `ensureSecret`.
 * @param secret false for commands that open no session and so need no secret
 * @throws DomainError invalid, naming the variable and what it takes
 */
export function readConfig(env: Environment, root: string, { secret = true } = {}): Config {
  const readVariable = (name: VariableName) => env[name]?.trim() || VARIABLE_DEFAULTS[name];
  const databaseUrl = readVariable('DATABASE_URL');
  if (!/^(postgres(ql)?:\/\/|file:.)/.test(databaseUrl))
    throwBadVariable('DATABASE_URL', 'file:RUTA o postgres://…');
  if (!databaseUrl.startsWith('file:')) splitServerUrls(databaseUrl);
  const adminEmail = readVariable('SALDO_ADMIN_EMAIL');
  if (adminEmail && !isEmail(adminEmail)) throwBadVariable('SALDO_ADMIN_EMAIL', 'un correo');
  const adminPassword = env.SALDO_ADMIN_PASSWORD ?? ''; // not trimmed: spaces may be intended
  const weakness = adminPassword && findWeakness(adminPassword, [adminEmail]);
  if (weakness) throwBadVariable('SALDO_ADMIN_PASSWORD', weakness);
  const logLevel = readVariable('LOG_LEVEL');
  if (!LOG_LEVELS.includes(logLevel)) throwBadVariable('LOG_LEVEL', LOG_LEVELS.join(', '));
  const metricsPort = readVariable('METRICS_PORT');
  return {
    port: parseWholeNumber('PORT', readVariable('PORT'), 65535),
    host: readVariable('HOST'),
    databaseUrl,
    dataFolder: databaseUrl.startsWith('file:')
      ? dirname(resolveSqlitePath(databaseUrl, root))
      : join(root, 'data'),
    secret: secret ? resolveSecretOrEmpty(readVariable('SALDO_SECRET'), databaseUrl, root) : '',
    adminEmail: adminEmail || undefined,
    adminPassword: adminPassword || undefined,
    url: parsePublicUrl(readVariable('SALDO_URL')),
    trustedProxies: parseWholeNumber('SALDO_TRUST_PROXY', readVariable('SALDO_TRUST_PROXY'), 10),
    cliUsername: readVariable('SALDO_USER') || undefined,
    metricsPort: metricsPort ? parseWholeNumber('METRICS_PORT', metricsPort, 65535) : undefined,
    auditAnchor: parseAuditAnchor(readVariable('SALDO_ANCHOR')),
    mail: parseMailAccount(readVariable('SMTP_URL'), readVariable('MAIL_FROM')),
    timeZone: parseTimeZone(readVariable('TZ_BUSINESS')),
    logLevel,
  };
}

function throwBadVariable(name: VariableName, takes: string): never {
  throw new DomainError('invalid', `${name}: se espera ${takes}.`, { code: 'bad_configuration' });
}

function parseWholeNumber(name: VariableName, text: string, max: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > max) throwBadVariable(name, `un número de 0 a ${max}`);
  return value;
}

function parsePublicUrl(text: string): string | undefined {
  if (!text) return undefined;
  const url = URL.parse(text);
  const isOrigin =
    url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.username;
  // Over plain http cookies and passwords would be readable, so it is accepted for this machine only.
  if (!isOrigin || (url.protocol === 'http:' && !isLoopback(url.hostname)))
    throwBadVariable('SALDO_URL', 'una dirección como https://saldo.ejemplo.mx, sin ruta');
  return url.origin;
}

function parseAuditAnchor(text: string): Config['auditAnchor'] {
  if (!text) return undefined;
  if (isAbsolute(text)) return { file: text };
  const url = URL.parse(text);
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (!url || !isSafe || url.username || url.password)
    throwBadVariable(
      'SALDO_ANCHOR',
      'la ruta completa de un archivo, o una dirección https://… sin contraseña',
    );
  return { url: url.href };
}

function parseMailAccount(server: string, from: string): Config['mail'] {
  if (!server && !from) return undefined;
  if (!from)
    throwBadVariable('MAIL_FROM', 'una dirección como «Pagos <pagos@ejemplo.mx>», porque hay SMTP_URL');
  if (!server) throwBadVariable('SMTP_URL', 'smtps://usuario:contraseña@servidor, porque hay MAIL_FROM');
  const [, name = '', inBrackets, plain] = /^(?:([^<>"\p{C}]*)<([^<>]*)>|([^<>]*))$/u.exec(from) ?? [];
  const address = inBrackets ?? plain ?? '';
  if (!isSafeMailAddress(address))
    throwBadVariable('MAIL_FROM', 'una sola dirección, como «Pagos <pagos@ejemplo.mx>»');
  return { from: { name: name.trim(), address }, server: parseMailServer(server) };
}

const STARTTLS_QUERY = '?requireTLS=true';

function parseMailServer(text: string): MailAccount['server'] {
  const url = URL.parse(text);
  const isSmtp =
    url &&
    /^smtps?:$/.test(url.protocol) &&
    /^([\w.-]+|\[[\da-f:.]+\])$/i.test(url.hostname) &&
    /^\/?$/.test(url.pathname);
  if (!isSmtp || !['', STARTTLS_QUERY].includes(url.search) || url.hash || !url.username !== !url.password)
    throwBadVariable('SMTP_URL', `smtps://usuario:contraseña@servidor, o smtp://…${STARTTLS_QUERY}`);
  const secure = url.protocol === 'smtps:';
  const requireTLS = url.search === STARTTLS_QUERY;
  // A relay on this machine has a self-signed certificate, and what is sent to it does not leave the machine.
  const isPlain = !secure && !requireTLS && isLoopback(url.hostname);
  if (url.username && !secure && !requireTLS && !isPlain)
    throwBadVariable('SMTP_URL', `smtps:// o ${STARTTLS_QUERY}, para que la contraseña no viaje sin cifrar,`);
  const login = parseLogin(url);
  const port = Number(url.port) || (secure ? 465 : 587);
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port, secure, requireTLS, ignoreTLS: isPlain, login };
}

function parseLogin({ username, password }: URL): MailAccount['server']['login'] {
  if (!username) return undefined;
  try {
    return { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  } catch {
    return throwBadVariable('SMTP_URL', 'usuario y contraseña con sus signos como %40');
  }
}

export const isLoopback = (host: string): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host) || host.endsWith('.localhost');

function parseTimeZone(name: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return throwBadVariable('TZ_BUSINESS', 'una zona horaria como America/Mexico_City');
  }
}

function resolveSecretOrEmpty(provided: string, databaseUrl: string, root: string): string {
  if (provided) {
    if (provided.length < MIN_SECRET_LENGTH || new Set(provided).size < 10) {
      throwBadVariable('SALDO_SECRET', `al menos ${MIN_SECRET_LENGTH} caracteres al azar`);
    }
    return provided;
  }
  if (!databaseUrl.startsWith('file:'))
    throwBadVariable('SALDO_SECRET', 'un secreto propio cuando se usa PostgreSQL');
  const file = secretPath(dirname(resolveSqlitePath(databaseUrl, root)));
  return existsSync(file) ? readSecretFile(file) : '';
}

const secretPath = (dataFolder: string) => join(dataFolder, 'secret');

/** Called only after the database was opened. */
export function ensureSecret(config: Config): Config {
  if (config.secret) return config;
  const file = secretPath(config.dataFolder);
  if (!existsSync(file)) createSecret(file);
  return { ...config, secret: readSecretFile(file) };
}

function readSecretFile(file: string): string {
  let secret: string;
  try {
    secret = readFileSync(file, 'utf8').trim();
  } catch (error) {
    const message = `No se pudo usar ${file}: ${fileErrorReason(error)}.`;
    throw new DomainError('conflict', message, { code: 'file_unusable' });
  }
  if (secret.length < MIN_SECRET_LENGTH)
    throwBadVariable('SALDO_SECRET', `en ${file} al menos ${MIN_SECRET_LENGTH} caracteres`);
  return secret;
}

/** Links a temporary file into place, so that two processes that start at the same time use the same secret. */
function createSecret(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${process.pid}-${randomBytes(4).toString('hex')}`;
  writeFileSync(temporary, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600 });
  try {
    linkSync(temporary, file);
  } catch (error) {
    if (!existsSync(file)) throw error;
  } finally {
    unlinkSync(temporary);
  }
}
