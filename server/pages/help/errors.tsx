import { STATUS } from '../../http/errors.ts';
import { PROBLEMS, type ProblemCode } from '../../shapes/problems.ts';
import { CURES, ELSEWHERE } from './cures.ts';
import messages from './messages.txt?raw';

interface Trouble {
  code: string;
  /** of the API's answer; absent where the API never gives this error */
  status?: number;
  cause: string;
  cure: string;
  /** as pages, files and the terminal say it; "…" stands for what differs each time */
  says: readonly string[];
}

/** Lines "code: message", written from the code by the catalogue's test. */
const said = Map.groupBy(
  messages
    .trim()
    .split('\n')
    .map((line) => line.split(/: (.*)/, 2)),
  ([code]) => code,
);

const saysOf = (code: string): string[] => said.get(code)?.map(([, message = '']) => message) ?? [];

export const TROUBLES: readonly Trouble[] = [
  ...(Object.keys(PROBLEMS) as ProblemCode[]).map((code) => {
    const [kind, cause] = PROBLEMS[code];
    const status = kind === 'unexpected' ? 500 : STATUS[kind];
    return { code, status, cause: cause.replaceAll('`', ''), cure: CURES[code], says: saysOf(code) };
  }),
  ...Object.entries(ELSEWHERE).map(([code, [cause, cure]]) => ({
    code,
    cause,
    cure,
    says: saysOf(code),
  })),
];

/** More messages than these are opened on request. */
const MOST_SHOWN = 4;

export const ErrorCatalogue = () =>
  TROUBLES.map((trouble) => <TroubleText key={trouble.code} {...trouble} />);

function TroubleText({ code, status, cause, cure, says }: Trouble) {
  const list = (
    <ul>
      {says.map((message) => (
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
        <strong>Qué hacer:</strong> {cure}
      </p>
      {says.length > MOST_SHOWN ? (
        <details className="disclosure">
          <summary>{says.length} mensajes</summary>
          {list}
        </details>
      ) : (
        says.length > 0 && list
      )}
    </>
  );
}
