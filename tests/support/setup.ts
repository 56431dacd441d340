import { format } from 'node:util';
import { afterEach } from 'vitest';
import { hashTruly } from './quick-crypto.ts';

hashTruly();

const printed: string[] = [];
for (const level of ['error', 'warn'] as const) {
  console[level] = (...args: unknown[]) => {
    printed.push(format(...args));
  };
}

afterEach(() => {
  const lines = printed.splice(0);
  if (lines.length > 0) throw new Error(`printed on the console:\n${lines.join('\n')}`);
});
