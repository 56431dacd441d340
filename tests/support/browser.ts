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
}

/** A page whose complaints are collected; a test ends with `expect(complaints).toEqual([])`. */
export async function openPage(
  browser: Browser,
  {
    width = 1280,
    dark = false,
    script = true,
    still = false,
    baseURL,
  }: { width?: number; dark?: boolean; script?: boolean; still?: boolean; baseURL: string },
): Promise<Watched> {
  const context = await browser.newContext({
    baseURL,
    viewport: { width, height: width < 640 ? 844 : 900 },
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: still ? 'reduce' : 'no-preference',
    javaScriptEnabled: script,
    locale: 'es-MX',
    timezoneId: 'America/Mexico_City',
    hasTouch: width < 640,
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()))
      complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`));
  if (script) {
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) =>
        console.error(`CSP refused ${event.violatedDirective} ${event.blockedURI}`),
      );
    });
  }
  return { page, context, complaints };
}
