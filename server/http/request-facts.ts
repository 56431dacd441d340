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
  | 'error' // unexpected; the stack is in another line of the log, which has the same id
  | 'aborted'; // the client closed the connection before the answer was sent

export interface FinishedRequest {
  id: string;
  userId?: number;
  method: string;
  /** the matched pattern, such as /editinvoicepage/:id; absent where none matched */
  route?: string;
  /** without the query string */
  path: string;
  status: number;
  /** milliseconds until the answer was sent completely */
  ms: number;
  slow?: true;
  event?: RequestEvent;
  /** the client's address, only for sign-ins and refusals */
  address?: string;
  /** a keyed hash of the typed name, only for failed sign-ins */
  account?: string;
}
