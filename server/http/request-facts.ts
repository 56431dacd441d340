export type RequestEvent =
  | 'sign-in'
  | 'sign-in-failed'
  | 'sign-in-locked'
  | 'sign-out'
  | 'unauthenticated'
  | 'forbidden'
  | 'foreign-origin'
  | 'password-change-required'
  | 'second-factor-required'
  | 'reauthentication-required'
  | 'wrong-password'
  | 'too-many'
  | 'busy'
  | 'error' // unforeseen; another line with the same id has the stack
  | 'aborted'; // the client had gone before the answer was sent

export interface RequestFacts {
  /** also in the answer's X-Request-Id, and on the page of an unforeseen error */
  id: string;
  userId?: number;
  method: string;
  /** the matched pattern, such as /editinvoicepage/:id; absent where none matched */
  route?: string;
  /** without its query */
  path: string;
  status: number;
  /** until the answer was sent, not only begun */
  ms: number;
  slow?: true;
  event?: RequestEvent;
  /** only with sign-ins and refusals */
  address?: string;
  /** with failed sign-ins: the typed name, as a hash that only the secret's owner can make */
  account?: string;
}
