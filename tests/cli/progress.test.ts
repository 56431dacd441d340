import { describe, expect, it } from 'vitest';
import { createProgress, formatProgressLine } from '../../cli/progress.ts';

describe('the progress bar', () => {
  it('shows how far the work is and what it does, cut to the width of the terminal', () => {
    expect(formatProgressLine(0, '0', 80)).toBe('░░░░░░░░░░░░░░░░░░░░░░░░   0 %  0');
    expect(formatProgressLine(0.5, '7  a.xml', 80)).toBe('████████████░░░░░░░░░░░░  50 %  7  a.xml');
    expect(formatProgressLine(2, 'a', 80)).toContain('100 %');
    expect(formatProgressLine(0.5, 'muy largo', 34)).toHaveLength(34);
  });

  it('is written only on a terminal, and removed at the end', () => {
    const written: string[] = [];
    const write = (text: string) => written.push(text);
    const elsewhere = createProgress({ isTerminal: false }, write, 80);
    elsewhere.show(0.5, 'a');
    elsewhere.end();
    expect(written).toEqual([]);
    const progress = createProgress({ isTerminal: true }, write, 80);
    progress.end();
    progress.show(0.5, 'a');
    progress.show(0.6, 'b');
    progress.end();
    expect(written).toEqual([`\r${formatProgressLine(0.5, 'a', 79)}\u001b[K`, '\r\u001b[K']);
  });
});
