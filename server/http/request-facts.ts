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
  | 'wrong-password' // of who is signed in
  | 'too-many'
  | 'busy'
  | 'error' // that nobody foresaw; its own line with the same id holds the stack
  | 'aborted'; // who asked had gone before the answer was sent

export interface RequestFacts {
  /** also in the answer's X-Request-Id, and on the page of an unforeseen error */
  id: string;
  userId?: number;
  method: string;
  /** the pattern that it matched, such as /editinvoicepage/:id; none where it matched nothing */
  route?: string;
  /** without its query */
  path: string;
  status: number;
  /** until the answer was sent, not only begun */
  ms: number;
  slow?: true;
  event?: RequestEvent;
  /** with sign-ins and refusals alone */
  address?: string;
  /** with sign-ins that failed: the name that was typed, as a hash that only the secret's owner can make */
  account?: string;
}
