import type { Browser } from 'playwright-core';
import { launchBrowser } from './browser.ts';

let launchedBrowser: Promise<Browser> | undefined;

/** The browser closes with its thread: starting one takes longer than many tests. Each test has its own context. */
export async function sharedBrowser(): Promise<Browser> {
  const browser = await launchedBrowser?.catch(() => undefined);
  if (browser?.isConnected()) return browser;
  launchedBrowser = launchBrowser();
  return launchedBrowser;
}
