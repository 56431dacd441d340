import { STATUS_BY_KIND } from '../../http/errors.ts';
import { PROBLEM_DESCRIPTIONS, type ProblemCode } from '../../shapes/problems.ts';
import messages from './messages.txt?raw';
import { NON_API_CAUSES_AND_REMEDIES, REMEDIES } from './remedies.ts';

interface DocumentedError {
  code: string;
  /** HTTP status in the API; absent for errors that the API never returns */
  status?: number;
  cause: string;
  remedy: string;
  /** the messages with this code; "…" stands for variable parts */
  messages: readonly string[];
}

/** Read from messages.txt, whose lines are "code: message"; a test requires that the file is complete. */
const messagesByCode = Map.groupBy(
  messages
    .trim()
    .split('\n')
    .map((line) => line.split(/: (.*)/, 2)),
  ([code]) => code,
);

const messagesOf = (code: string): string[] =>
  messagesByCode.get(code)?.map(([, message = '']) => message) ?? [];

export const ERRORS: readonly DocumentedError[] = [
  ...(Object.keys(PROBLEM_DESCRIPTIONS) as ProblemCode[]).map((code) => {
    const [kind, cause] = PROBLEM_DESCRIPTIONS[code];
    const status = kind === 'unexpected' ? 500 : STATUS_BY_KIND[kind];
    return {
      code,
      status,
      cause: cause.replaceAll('`', ''),
      remedy: REMEDIES[code],
      messages: messagesOf(code),
    };
  }),
  ...Object.entries(NON_API_CAUSES_AND_REMEDIES).map(([code, [cause, remedy]]) => ({
    code,
    cause,
    remedy,
    messages: messagesOf(code),
  })),
];

const MAX_UNFOLDED_MESSAGES = 4;

export const ErrorCatalogue = () =>
  ERRORS.map((documented) => <ErrorDetails key={documented.code} {...documented} />);

function ErrorDetails({ code, status, cause, remedy, messages: texts }: DocumentedError) {
  const list = (
    <ul>
      {texts.map((message) => (
        <li key={message}>{message}</li>
      ))}
    </ul>
  );
  return (
    <>
      <h2 id={code}>
        <code>{code}</code>
      </h2>
      <p>
        <strong>Qué pasó</strong>
        {status && ` (${status})`}: {cause}
      </p>
      <p>
        <strong>Qué hacer:</strong> {remedy}
      </p>
      {texts.length > MAX_UNFOLDED_MESSAGES ? (
        <details className="disclosure">
          <summary>{texts.length} mensajes</summary>
          {list}
        </details>
      ) : (
        texts.length > 0 && list
      )}
    </>
  );
}
