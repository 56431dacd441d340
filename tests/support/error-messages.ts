import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../server/root.ts';

interface Source {
  file: string;
  text: string;
}

/** A refusal as the code makes it: its code, and what it says with "…" for what is different each time. */
export interface SaidError {
  code: string;
  message: string;
}

/** Codes of reading one CFDI, which reach people as one. */
const OF_READING = /^server\/formats\/cfdi\//;

/**
 * Every text with which a DomainError is made, where it can be read from the code: a literal, a constant, an entry of
 * a table of texts, or what is handed to a function that makes the error.
 * @param known codes that stand for themselves
 */
export function errorMessages(known: ReadonlySet<string>): SaidError[] {
  const sources = globSync('{server,shared,db}/**/*.{ts,tsx}', { cwd: projectRoot })
    .sort()
    .map((file) => ({ file, text: readFileSync(join(projectRoot, file), 'utf8') }));
  const found = new Map<string, SaidError>();
  for (const source of sources) {
    for (const { index } of source.text.matchAll(/new DomainError\(/g)) {
      const args = argumentsAt(source.text, index + 'new DomainError'.length);
      for (const { code, message } of readError(source, index, args, sources)) {
        const shown = OF_READING.test(source.file) && !known.has(code) ? 'bad_cfdi' : code;
        found.set(`${shown}\n${message}`, { code: shown, message });
      }
    }
  }
  return [...found.values()].sort((a, b) => compare(a.code, b.code) || compare(a.message, b.message));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function readError(
  source: Source,
  at: number,
  args: readonly string[],
  sources: readonly Source[],
): SaidError[] {
  const [kind = '', text = '', detail = ''] = args;
  const before = source.text.slice(0, at);
  // `const refusal = (code, message) => new DomainError(…)`: what it says stands where it is called
  const maker =
    /(?:const (\w+) = |function (\w+))\(([^()]*)\)(?:: \w+)?(?: =>|\s*\{[^{}]*?(?:return|throw))\s*$/.exec(
      before,
    );
  const parameters = maker?.[3]?.split(',').map((one) => one.trim().split(/[:?\s]/)[0]!) ?? [];
  const spoken = parameters.indexOf(text);
  const coded = /\bcode\b(?!:)/.test(detail) ? parameters.indexOf('code') : -1;
  if (maker && spoken >= 0) {
    const name = maker[1] ?? maker[2]!;
    return sources
      .filter(
        ({ file, text: other }) =>
          file === source.file || new RegExp(`import [^;]*\\b${name}\\b`).test(other),
      )
      .flatMap((caller) =>
        [...caller.text.matchAll(new RegExp(`(?<!const |function |\\.)\\b${name}\\(`, 'g'))].flatMap(
          ({ index }) => {
            const given = argumentsAt(caller.text, index + name.length);
            const code = coded >= 0 ? literal(given[coded]) : codeOf(kind, detail, sources);
            if (!code) return [];
            const texts = textsOf(given[spoken] ?? '', caller, index, sources);
            return texts.map((message) => ({ code, message }));
          },
        ),
      );
  }
  const code = codeOf(kind, detail, sources);
  return code ? textsOf(text, source, at, sources).map((message) => ({ code, message })) : [];
}

const literal = (expression = ''): string | undefined => /^'([a-z_-]+)'$/.exec(expression)?.[1];

function codeOf(kind: string, detail: string, sources: readonly Source[]): string | undefined {
  const own = /\bcode: '([a-z_]+)'/.exec(detail)?.[1];
  if (own) return own;
  const named = /\bcode: ([A-Z_]+)/.exec(detail)?.[1];
  if (named) {
    const stated = new RegExp(`const ${named} = '([a-z_]+)'`);
    return sources.map(({ text }) => stated.exec(text)?.[1]).find(Boolean);
  }
  return /\bcode\b/.test(detail) ? undefined : literal(kind)?.replaceAll('-', '_');
}

/** The sentences in an expression, and in what it names. */
function textsOf(
  expression: string,
  source: Source,
  at: number,
  sources: readonly Source[],
  depth = 0,
): string[] {
  const own = literalsOf(expression).filter((text) => /\p{L}{3}.* /u.test(text));
  if (own.length > 0 || depth > 2) return own;
  const member = /^(\w+)\.(\w+)/.exec(expression);
  if (member) {
    const [, table, key] = member;
    return sources
      .filter(({ text }) => new RegExp(`const ${table}\\b`).test(text))
      .flatMap(({ text }) => {
        const entry = new RegExp(`^ +${key}:((?:[^\\n]|\\n {4,})*?),\\n`, 'm').exec(text)?.[1] ?? '';
        return literalsOf(entry).filter((one) => one.includes(' '));
      });
  }
  const name = /^(\w+)$/.exec(expression)?.[1];
  if (!name) return [];
  const stated = [...source.text.matchAll(new RegExp(`const ${name}(?:: [\\w]+)? =\\s*`, 'g'))];
  const nearest = stated.findLast(({ index }) => index < at) ?? stated.at(-1);
  if (!nearest) return [];
  const start = nearest.index + nearest[0].length;
  const value = source.text.slice(start, endOf(source.text, start));
  return textsOf(value.trim(), source, nearest.index, sources, depth + 1);
}

/** The arguments of a call whose bracket opens at `open`, as they are written. */
function argumentsAt(text: string, open: number): string[] {
  const args: string[] = [];
  let start = open + 1;
  for (let end = endOf(text, start, ','); ; end = endOf(text, start, ',')) {
    args.push(text.slice(start, end).trim());
    if (text[end] !== ',') return args.filter(Boolean);
    start = end + 1;
  }
}

/** Where an expression that begins at `from` ends: at its own closing bracket, or at one of `stops`. */
function endOf(text: string, from: number, stops = ';'): number {
  let depth = 0;
  for (let index = from; index < text.length; index++) {
    const character = text[index]!;
    if (character === "'" || character === '`') index = endOfText(text, index);
    else if ('([{'.includes(character)) depth++;
    else if (')]}'.includes(character) && --depth < 0) return index;
    else if (depth === 0 && stops.includes(character)) return index;
  }
  return text.length;
}

function endOfText(text: string, from: number): number {
  const quote = text[from];
  for (let index = from + 1; index < text.length; index++) {
    if (text[index] === '\\') index++;
    else if (quote === '`' && text.startsWith('${', index)) index = endOf(text, index + 2, '');
    else if (text[index] === quote) return index;
  }
  return text.length;
}

function literalsOf(expression: string): string[] {
  const found: string[] = [];
  for (let index = 0; index < expression.length; index++) {
    if (expression[index] !== "'" && expression[index] !== '`') continue;
    const end = endOfText(expression, index);
    found.push(withHoles(expression.slice(index + 1, end)));
    index = end;
  }
  return found;
}

/** A template with "…" for each of its expressions. */
function withHoles(text: string): string {
  let plain = '';
  for (let index = 0; index < text.length; index++) {
    if (text.startsWith('${', index)) {
      index = endOf(text, index + 2, '');
      plain += '…';
    } else plain += text[index];
  }
  return plain
    .replace(/(?:… ?)+…/g, '…')
    .replace(/\\(['`])/g, '$1')
    .trim();
}
