import { existsSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page, type Route } from 'playwright-core';
import { temporaryFolder } from './folder.ts';
import { createDejaVuOnlyConfig } from './fonts.ts';
import { makeOnce } from './once.ts';

const SYSTEM_BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** These flags keep Chromium from connecting to anything outside: tests run without a network. */
const BROWSER_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * CHROMIUM names a browser, or `packaged`; by default it is the system's, else the one that comes with the packages.
 */
export async function launchBrowser(): Promise<Browser> {
  const { folder, remove } = temporaryFolder();
  const env = { ...process.env, HOME: folder, ...createDejaVuOnlyConfig(folder) } as Record<string, string>;
  const wanted = process.env.CHROMIUM;
  const own = wanted ? wanted !== 'packaged' && wanted : SYSTEM_BROWSERS.find((path) => existsSync(path));
  const browser = own
    ? await chromium.launch({ executablePath: own, args: BROWSER_FLAGS, env })
    : await launchPackagedChromium(folder, env);
  browser.on('disconnected', remove);
  return browser;
}

/** Unpacked once for all threads of a test run; where there is none, into the browser's own folder. */
async function launchPackagedChromium(folder: string, env: Record<string, string>): Promise<Browser> {
  const shared = (process.env.VITEST && process.env.TMPDIR) || folder;
  const unpacked = await makeOnce(join(shared, 'chromium.json'), () =>
    unpackChromium(join(shared, 'chromium')),
  );
  const { executablePath, libraries } = JSON.parse(unpacked) as Record<
    'executablePath' | 'libraries',
    string
  >;
  return chromium.launch({
    executablePath,
    args: [...BROWSER_FLAGS, '--no-zygote'],
    env: { ...env, TMPDIR: folder, LD_LIBRARY_PATH: libraries },
  });
}

/** The package unpacks into the temporary folder, and would use a file that another process has half unpacked. */
async function unpackChromium(folder: string): Promise<string> {
  const before = process.env.TMPDIR;
  mkdirSync(folder, { recursive: true });
  process.env.TMPDIR = folder;
  try {
    const { default: packaged, inflate } = await import('@sparticuz/chromium');
    const executablePath = await packaged.executablePath();
    // A bare machine lacks these libraries; the package unpacks them by itself only on the cloud it is made for.
    const bin = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '../bin');
    const libraries = join(await inflate(join(bin, 'al2023.tar.br')), 'lib');
    return JSON.stringify({ executablePath, libraries });
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}

export interface WatchedPage {
  page: Page;
  context: BrowserContext;
  /** everything the page complained about: console messages, uncaught errors, CSP refusals, failed requests */
  browserErrors: string[];
  /** Tells that an answer of this status, and the console's line about it, is expected and no complaint. */
  allowError(meant: number | RegExp): void;
}

export interface PageAppearance {
  width?: number;
  height?: number;
  dark?: boolean;
  runsScript?: boolean;
  reducesMotion?: boolean;
  forcedColors?: boolean;
  /** uses the machine's font instead of ours, with its own metrics: some firms' browsers load no fonts */
  systemFont?: boolean;
}

/** Opens a page whose complaints are collected; a test ends with `expect(complaints).toEqual([])`. */
export async function openPage(
  browser: Browser,
  appearance: PageAppearance & { baseURL: string },
): Promise<WatchedPage> {
  const { width = 1280, runsScript = true, baseURL } = appearance;
  const context = await browser.newContext({
    baseURL,
    viewport: { width, height: appearance.height ?? (width < 640 ? 844 : 900) },
    colorScheme: appearance.dark ? 'dark' : 'light',
    reducedMotion: appearance.reducesMotion ? 'reduce' : 'no-preference',
    forcedColors: appearance.forcedColors ? 'active' : 'none',
    javaScriptEnabled: runsScript,
    locale: 'es-MX',
    timezoneId: 'America/Mexico_City',
    hasTouch: width < 640,
  });
  context.setDefaultTimeout(60_000); // shorter than a test's own limit, so that a failure says what was waited for
  if (appearance.systemFont) await context.route('**/assets/app-*.css', removeFontsFromResponse);
  const page = await context.newPage();
  const browserErrors: string[] = [];
  const allowed: RegExp[] = [];
  page.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type())) return;
    if (appearance.systemFont && /preloaded using link preload but not used/.test(message.text())) return;
    if (allowed.some((meant) => meant.test(message.text()))) return;
    browserErrors.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => browserErrors.push(`uncaught: ${error.message}`));
  if (runsScript) {
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) =>
        console.error(`CSP refused ${event.violatedDirective} ${event.blockedURI}`),
      );
    });
  }
  const failedStatusPattern = (status: number) =>
    new RegExp(`^Failed to load resource: .* status of ${status}\\b`);
  const addAllowedError: WatchedPage['allowError'] = (meant) =>
    void allowed.push(typeof meant === 'number' ? failedStatusPattern(meant) : meant);
  return { page, context, browserErrors, allowError: addAllowedError };
}

async function removeFontsFromResponse(route: Route): Promise<void> {
  const response = await route.fetch();
  const css = await response.text();
  await route.fulfill({ response, body: css.replace(/@font-face\s*\{[^}]*\}/g, '') });
}

/** Signs in through the sign-in page and waits for the invoices, where it leads even in a firm that has none. */
export async function signIn(
  page: Page,
  { login, password }: { login: string; password: string },
  expectedUrl = '**/invoices',
): Promise<void> {
  await page.goto('/login?next=%2Finvoices');
  await fillSignIn(page, { login, password });
  await page.waitForURL(expectedUrl);
}

export async function fillSignIn(
  page: Page,
  { login, password }: { login: string; password: string },
): Promise<void> {
  await page.getByLabel('Correo').fill(login);
  await page.getByLabel('Contraseña').fill(password);
  await page.getByRole('button', { name: 'Ingresar' }).click();
}
