import { DomainError } from '../../../shared/errors.ts';
import { type Area, lacksPrivileges, mayEnter } from '../../../shared/roles.ts';
import type { Actor } from '../audit/audit.ts';
import { CLI_USERNAME } from './reading.ts';

/**
 * For what a role decides by whatever door it comes: a user's roles, or the machine itself in hand, without a user's name.
 * @throws DomainError forbidden
 */
export function requireArea(actor: Actor, area: Area): void {
  if (isOperator(actor) || mayEnter(area, actor.roles)) return;
  throw new DomainError('forbidden', lacksPrivileges(actor.username));
}

const isOperator = ({ origin, username }: Actor): boolean =>
  origin === 'system' || (origin === 'cli' && username === CLI_USERNAME);
