/** Help by command: first the lines that are wrapped to the terminal's width, then those that are printed as they are. */
export type HelpTexts = Readonly<Record<string, readonly [wrapped: string, after: string]>>;

/** Commander's default width, and the smallest width at which it wraps lines. */
const DEFAULT_WIDTH = 80;
const MIN_WIDTH = 40;

/**
 * Returns the same text as commander, from the texts that the build has written, so that no command is loaded.
 * @returns undefined where commander itself has to answer
 */
export function findHelp(
  texts: HelpTexts,
  args: readonly string[],
  width = DEFAULT_WIDTH,
): string | undefined {
  const words = args[0] === 'help' ? args.slice(1) : args.slice(0, -1);
  const path = words.join(' ');
  if (words.some((word) => !/^\S+$/.test(word)) || !Object.hasOwn(texts, path)) return undefined;
  const [wrapped, after] = texts[path]!;
  const [usage, ...lines] = wrapped.split('\n');
  return [usage, ...lines.map((line) => wrapLine(line, width))].join('\n') + after;
}

/** A line with a term keeps its description in one column. */
function wrapLine(line: string, width: number): string {
  const term = /^ {2}\S.*? {2,}(?=\S)|^/.exec(line)![0];
  const room = width - term.length;
  if (room < MIN_WIDTH) return line;
  const piece = new RegExp(`(\\S{${room},}|.{1,${room}})(?: +|$)`, 'g');
  const pieces = [...line.slice(term.length).matchAll(piece)].map(([, text]) => text);
  return term + pieces.join(`\n${' '.repeat(term.length)}`);
}
