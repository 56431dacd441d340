import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../root.ts';

interface Release {
  /** "0.1.0 — unreleased" */
  title: string;
  points: readonly string[];
}

let releases: readonly Release[] | undefined;

/** What the changelog says, newest first, each point as one line without its marks; none where nobody put it there. */
export function readChangelog(): readonly Release[] {
  releases ??= parse(text());
  return releases;
}

function text(): string {
  try {
    return readFileSync(join(projectRoot, 'CHANGELOG.md'), 'utf8');
  } catch {
    return '';
  }
}

function parse(changelog: string): Release[] {
  return changelog
    .split(/^## /m)
    .slice(1)
    .map((release) => {
      const [title = '', ...points] = release.split(/^- /m);
      return { title: inOneLine(title), points: points.map(inOneLine) };
    });
}

const inOneLine = (point: string): string => point.replaceAll('`', '').replace(/\s+/g, ' ').trim();
