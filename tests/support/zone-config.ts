import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Configures a second run of some tests, in a process in another time zone, on the databases of the first run. */
export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  test: {
    environment: 'node',
    pool: 'threads',
    maxWorkers: 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    globalSetup: ['tests/support/zone-setup.ts'],
    setupFiles: ['tests/support/setup.ts'],
  },
});
