import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, openPage, signIn } from './browser.ts';
import { temporaryFolder } from './folder.ts';
import { MORE_SCREENS, SCREENS } from './screens.ts';
import { startServer } from './server.ts';

const ADMIN_LOGIN = { login: 'admin@saldo.test', password: 'andamio-y-cimbra-7' };

interface ScreenVariant {
  width: number;
  theme: 'light' | 'dark';
  print?: boolean;
}

interface SavedScreenVariant extends ScreenVariant {
  folder: string;
  format: 'webp' | 'png';
}

/**
 * Pictures of screens, for people to judge: WebP (or PNG), each named by its address, width and theme.
 *
 *   npm run build && node tests/support/screenshots.ts FOLDER [--widths 390,1280,1920] [--themes light,dark] [--print] [--png]
 *     [--base http://… of a server that runs, instead of the demonstration as of today] [addresses instead of all]
 */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      widths: { type: 'string', default: '390,1280,1920' },
      themes: { type: 'string', default: 'light,dark' },
      print: { type: 'boolean', default: false },
      png: { type: 'boolean', default: false },
      base: { type: 'string' },
    },
  });
  const [folder, ...addresses] = positionals;
  if (!folder) throw new Error('node tests/support/screenshots.ts FOLDER [addresses]');
  mkdirSync(folder, { recursive: true });
  const themes = values.themes.split(',') as ScreenVariant['theme'][];
  const takes: ScreenVariant[] = values.widths
    .split(',')
    .flatMap((width) => themes.map((theme) => ({ width: Number(width), theme })));
  if (values.print) takes.push({ width: 1024, theme: 'light', print: true });
  const served = values.base ? { url: values.base, stop: async () => {} } : await serveDemo();
  const browser = await launchBrowser();
  try {
    const requested = addresses.length > 0 ? addresses : [...SCREENS, ...MORE_SCREENS];
    const format = values.png ? 'png' : 'webp';
    for (const take of takes)
      await takeScreenshots(browser, served.url, requested, { ...take, folder, format });
  } finally {
    await browser.close();
    await served.stop();
  }
}

async function takeScreenshots(
  browser: Browser,
  baseURL: string,
  addresses: readonly string[],
  { width, theme, print, folder, format }: SavedScreenVariant,
): Promise<void> {
  const { page, context, browserErrors } = await openPage(browser, {
    baseURL,
    width,
    dark: theme === 'dark',
    reducesMotion: true,
  });
  await signIn(page, ADMIN_LOGIN);
  if (print) await page.emulateMedia({ media: 'print' });
  for (const address of addresses) {
    await page.goto(address, { waitUntil: 'networkidle' });
    const name = address.replace(/[^a-z0-9]+/gi, '-').replace(/^-|-$/g, '') || 'inicio';
    const file = join(folder, `${name}-${print ? 'print' : `${width}-${theme}`}.${format}`);
    writeFileSync(file, await takePicture(page, { isFullPage: true, format }));
  }
  for (const complaint of browserErrors) console.error(complaint);
  await context.close();
}

interface PictureOptions {
  isFullPage?: boolean;
  format?: 'webp' | 'png';
  quality?: number;
}

export async function takePicture(
  page: Page,
  { isFullPage = false, format = 'webp', quality = 80 }: PictureOptions = {},
): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  const before = page.viewportSize()!;
  if (isFullPage) {
    // The window is made as high as the page, so that sticky elements are at its ends. WebP is limited in height.
    const { cssContentSize } = await session.send('Page.getLayoutMetrics');
    const height = Math.min(Math.max(Math.ceil(cssContentSize.height), before.height), 16_000);
    await page.setViewportSize({ ...before, height });
  }
  await page.evaluate(() => scrollTo(0, 0)); // the browser may have scrolled to the focused field
  const { width, height } = page.viewportSize()!;
  const { data } = await session.send('Page.captureScreenshot', {
    format,
    ...(format === 'webp' && { quality }),
    clip: { x: 0, y: 0, width, height, scale: 1 },
  });
  await session.detach();
  if (isFullPage) await page.setViewportSize(before);
  return Buffer.from(data, 'base64');
}

async function serveDemo(): Promise<{ url: string; stop(): Promise<void> }> {
  const { folder, remove } = temporaryFolder();
  const env = { DATABASE_URL: `file:${folder}/saldo.db`, SALDO_ADMIN_PASSWORD: ADMIN_LOGIN.password };
  const server = await startServer(env, ['--demo']);
  return { url: server.url, stop: () => server.stop().then(remove) };
}

if (import.meta.main) await main();
