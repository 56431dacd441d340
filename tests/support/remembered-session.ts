import type { BrowserContext, Page } from 'playwright-core';

/** Typing a password each time takes a second, so later pages use the same session unless a test ended it. */
export function rememberSession(
  signIn: (page: Page) => Promise<void>,
): (watched: { page: Page; context: BrowserContext }) => Promise<void> {
  let session: Awaited<ReturnType<BrowserContext['cookies']>> = [];
  return async ({ page, context }) => {
    if (session.length > 0) {
      await context.addCookies(session);
      await page.goto('/invoices');
      if (new URL(page.url()).pathname === '/invoices') return;
    }
    await signIn(page);
    session = (await context.cookies()).filter(({ name }) => /saldo$/.test(name));
  };
}
