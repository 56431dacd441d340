import type { Operation, Parameter } from './openapi.ts';
import { FORM_TYPE } from './openapi-parts.ts';

/** Members that name a record are variables in the examples, so that a pasted one hits no record by accident. */
const NAMES_A_RECORD = ['id', 'iduser', 'facturaproveedorId', 'facturaproveedorid'];

/**
 * A call as it is typed in a shell, with $SALDO (the server), $TOKEN (the session), $ID (the record) and further
 * members of the path by their own names. Deleting a whole list takes $CONFIRM, which is set nowhere by accident
 * either.
 */
export function curlOf(method: string, path: string, operation: Operation): string {
  const { parameters = [], requestBody, security } = operation;
  const own = parameters.filter((parameter): parameter is Parameter => 'name' in parameter);
  const query = own.flatMap(({ in: place, name, example }) =>
    place === 'query' && example !== undefined ? [`${name}=${shellValue(name, example)}`] : [],
  );
  const address =
    path.replace(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`) +
    (query.length > 0 ? `?${query.join('&')}` : '');
  const lines = [`curl -s${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} "$SALDO${address}"`];
  if (!security) lines.push('-H "x-access-token: $TOKEN"');
  if (parameters.some((parameter) => '$ref' in parameter)) lines.push('-H "Idempotency-Key: $(date +%s)"');
  if (requestBody?.required) {
    for (const [type, { example }] of Object.entries(requestBody.content))
      lines.push(...(type === FORM_TYPE ? partsOf(example as object) : bodyOf(type, example)));
  }
  return lines.join(' \\\n  ');
}

const shellValue = (name: string, example: unknown): string =>
  NAMES_A_RECORD.includes(name)
    ? '$ID'
    : name === 'confirm'
      ? '$CONFIRM'
      : encodeURIComponent(String(example));

const partsOf = (example: object): string[] =>
  Object.entries(example).map(([name, value]) => `-F "${name}=${value}"`);

function bodyOf(type: string, example: unknown): string[] {
  const text = JSON.stringify(example).replaceAll("'", "'\\''");
  const named = text.replace(/"(\w+)":\d+/g, (member, name) =>
    NAMES_A_RECORD.includes(name) ? `"${name}":'"$ID"'` : member,
  );
  return [`-H "content-type: ${type}"`, `-d '${named}'`];
}
