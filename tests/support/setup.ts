import { format } from 'node:util';
import { afterEach } from 'vitest';
import { enableRealHashes } from './quick-crypto.ts';

enableRealHashes();

const printedLines: string[] = [];
for (const level of ['error', 'warn'] as const) {
  console[level] = (...args: unknown[]) => {
    printedLines.push(format(...args));
  };
}

afterEach(() => {
  const lines = printedLines.splice(0);
  if (lines.length > 0) throw new Error(`printed on the console:\n${lines.join('\n')}`);
});
