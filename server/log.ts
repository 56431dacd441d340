import { pino } from 'pino';
import { describeError } from './log-error.ts';

export type Log = pino.Logger;

/** JSON lines on standard error; a person's lines where that is a terminal. */
export function createLog(level: string): Log {
  return pino(
    {
      level,
      base: null,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
    },
    process.stderr.isTTY
      ? { write: (line: string) => process.stderr.write(pretty(line)) }
      : pino.destination({ fd: 2, sync: true }),
  );
}

function pretty(line: string): string {
  const { level, time, msg = '', err, ...rest } = JSON.parse(line);
  const clock = new Date(time).toISOString().slice(11, 19);
  const facts = Object.entries(rest).map(
    ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const text = [msg, ...facts]
    .join(' ')
    .replace(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1));
  return `${clock} ${level} ${text}${err?.stack ? `\n${err.stack}` : ''}\n`;
}
