import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { temporaryFolder } from './folder.ts';

const SYSTEM_BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Kept from looking anything up outside: tests run without a network. */
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * The system's Chromium where there is one, else the one that comes with the packages; CHROMIUM names
 * another, or `packaged`.
 */
export async function launchBrowser(): Promise<Browser> {
  const wanted = process.env.CHROMIUM;
  const own = wanted ? wanted !== 'packaged' && wanted : SYSTEM_BROWSERS.find((path) => existsSync(path));
  if (own) return chromium.launch({ executablePath: own, args: QUIET });
  // It unpacks into the temporary folder, and takes a half-unpacked file of somebody else's for its own.
  const { folder, remove } = temporaryFolder();
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  try {
    const { default: packaged, inflate } = await import('@sparticuz/chromium');
    const executablePath = await packaged.executablePath();
    // Libraries that a bare machine lacks; unpacked by themselves only on the cloud they are made for.
    const bin = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '../bin');
    const libraries = join(await inflate(join(bin, 'al2023.tar.br')), 'lib');
    const env = { ...process.env, LD_LIBRARY_PATH: libraries } as Record<string, string>;
    const browser = await chromium.launch({ executablePath, args: [...QUIET, '--no-zygote'], env });
    browser.on('disconnected', remove);
    return browser;
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}

export interface Watched {
  page: Page;
  context: BrowserContext;
  /** whatever the page complained about: console, uncaught errors, refused by the CSP, failed requests */
  complaints: string[];
  /** The browser reports an answer of this status on the console; where a test means it, it is no complaint. */
  allow(status: number): void;
}

export interface Look {
  width?: number;
  height?: number;
  dark?: boolean;
  script?: boolean;
  /** reduced motion */
  still?: boolean;
  /** the colours of the reader's system instead of ours */
  forcedColors?: boolean;
}

/** A page whose complaints are collected; a test ends with `expect(complaints).toEqual([])`. */
export async function openPage(browser: Browser, look: Look & { baseURL: string }): Promise<Watched> {
  const { width = 1280, script = true, baseURL } = look;
  const context = await browser.newContext({
    baseURL,
    viewport: { width, height: look.height ?? (width < 640 ? 844 : 900) },
    colorScheme: look.dark ? 'dark' : 'light',
    reducedMotion: look.still ? 'reduce' : 'no-preference',
    forcedColors: look.forcedColors ? 'active' : 'none',
    javaScriptEnabled: script,
    locale: 'es-MX',
    timezoneId: 'America/Mexico_City',
    hasTouch: width < 640,
  });
  context.setDefaultTimeout(60_000); // below a test's own, so that the failure says what was waited for
  const page = await context.newPage();
  const complaints: string[] = [];
  const allowed = new Set<string>();
  page.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type())) return;
    const status = /^Failed to load resource: .* status of (\d+)/.exec(message.text())?.[1];
    if (!status || !allowed.has(status)) complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`));
  if (script) {
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) =>
        console.error(`CSP refused ${event.violatedDirective} ${event.blockedURI}`),
      );
    });
  }
  return { page, context, complaints, allow: (status) => allowed.add(String(status)) };
}

/** Types into the sign-in page and waits for where it leads. */
export async function signIn(
  page: Page,
  { login, password }: { login: string; password: string },
  leadsTo = '**/invoices',
): Promise<void> {
  await page.goto('/login');
  await fillSignIn(page, { login, password });
  await page.waitForURL(leadsTo);
}

/** The sign-in page as it stands, also one that leads back to where somebody was. */
export async function fillSignIn(
  page: Page,
  { login, password }: { login: string; password: string },
): Promise<void> {
  await page.getByLabel('Correo').fill(login);
  await page.getByLabel('Contraseña').fill(password);
  await page.getByRole('button', { name: 'Ingresar' }).click();
}
