import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../server/root.ts';

const text = readFileSync(join(projectRoot, 'docs/asvs.md'), 'utf8');

/** For each section of OWASP ASVS 5.0.0, the number of requirements of levels 1 and 2; those of level 3 come last. */
const SECTIONS = `
  1.1:2 1.2:9 1.3:11 1.4:3 1.5:2 2.1:3 2.2:3 2.3:4 2.4:1 3.2:2 3.3:4 3.4:6 3.5:5 3.7:2 4.1:3 4.2:1
  4.3:2 4.4:4 5.1:1 5.2:3 5.3:2 5.4:3 6.1:3 6.2:12 6.3:4 6.4:4 6.5:5 6.6:3 6.8:4 7.1:3 7.2:4 7.3:2
  7.4:5 7.5:2 7.6:2 8.1:2 8.2:3 8.3:1 8.4:1 9.1:3 9.2:4 10.1:2 10.2:2 10.3:4 10.4:11 10.5:5 10.6:2
  10.7:3 11.1:2 11.2:3 11.3:3 11.4:4 11.5:1 11.6:1 12.1:3 12.2:2 12.3:4 13.1:1 13.2:5 13.3:2 13.4:5
  14.1:2 14.2:4 14.3:3 15.1:3 15.2:3 15.3:7 16.1:1 16.2:5 16.3:4 16.4:3 16.5:3 17.1:1 17.2:4 17.3:2
`
  .trim()
  .split(/\s+/)
  .map((section) => section.split(':'));
const LEVEL_1 = 70;

interface Row {
  id: string;
  level: string;
  verdict: string;
  place: string;
}

const rows: Row[] = [...text.matchAll(/^\| (\d+\.\d+\.\d+) \| (.*?) \| .*? \| (.*?) \| (.*) \|$/gm)].map(
  ([, id = '', level = '', verdict = '', place = '']) => ({ id, level, verdict, place }),
);

describe('docs/asvs.md', () => {
  it('lists each requirement of both levels once, in order', () => {
    const wanted = SECTIONS.flatMap(([section, count]) =>
      Array.from({ length: Number(count) }, (_, index) => `${section}.${index + 1}`),
    );
    expect(rows.map(({ id }) => id)).toEqual(wanted);
    expect(rows.filter(({ level }) => level === '1')).toHaveLength(LEVEL_1);
    expect(rows.filter(({ level }) => level !== '1' && level !== '2')).toEqual([]);
  });

  it('says of each requirement where it is met, or why not', () => {
    for (const { id, verdict, place } of rows) {
      expect(['met', 'n/a', 'not met'], id).toContain(verdict);
      expect(place.trim(), id).not.toBe('');
    }
  });

  it('names a file or a section for each requirement that is met', () => {
    const bare = rows.filter(
      ({ verdict, place }) =>
        verdict === 'met' && !/`[^`]*(\/|\.json|\.yaml|Dockerfile)[^`]*`|\]\(#/.test(place),
    );
    expect(bare.map(({ id }) => id)).toEqual([]);
  });

  it('states the right counts', () => {
    const levels = { '1': rows.filter(({ level }) => level === '1'), '1 and 2': rows };
    for (const [title, of] of Object.entries(levels)) {
      const counts = ['met', 'n/a', 'not met'].map(
        (one) => of.filter(({ verdict }) => verdict === one).length,
      );
      expect(text).toContain(`| ${[title, of.length, ...counts].join(' | ')} |`);
    }
  });

  it('lacks no requirement of level 1, and at most ten of both levels', () => {
    const missing = rows.filter(({ verdict }) => verdict === 'not met');
    expect(missing.filter(({ level }) => level === '1')).toEqual([]);
    expect(missing.length).toBeLessThanOrEqual(10);
  });

  it('names files and sections that exist', () => {
    const files = [
      ...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]*|[\w.-]+\.(?:json|yaml|md)|Dockerfile|\.dockerignore)`/g),
    ];
    expect(files.length).toBeGreaterThan(150);
    for (const [, file = ''] of files) expect(existsSync(join(projectRoot, file)), file).toBe(true);
    const headings = [...text.matchAll(/^## (.*)$/gm)].map(([, title = '']) =>
      title.toLowerCase().replaceAll(' ', '-'),
    );
    for (const [, anchor = ''] of text.matchAll(/\]\(#([^)]*)\)/g)) expect(headings).toContain(anchor);
  });
});
