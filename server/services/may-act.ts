import { DomainError } from '../../shared/errors.ts';
import { type Area, lacksPrivileges, mayEnter } from '../../shared/roles.ts';
import { CLI_USERNAME } from '../../shared/users.ts';
import type { Actor } from './audit/audit.ts';

/**
 * Rights by role, whether the call comes from pages, API or command line; the command line may all where nobody is named.
 * @throws DomainError forbidden
 */
export function requireArea(actor: Actor, area: Area): void {
  if (isOperator(actor) || mayEnter(area, actor.roles)) return;
  // A terminal has no pages, and another name to act in.
  const isTyped = actor.origin === 'cli';
  throw new DomainError('forbidden', lacksPrivileges(actor.username, isTyped ? 'do this' : undefined), {
    remedy: isTyped ? 'act-as' : undefined,
  });
}

const isOperator = ({ origin, username }: Actor): boolean =>
  origin === 'system' || (origin === 'cli' && username === CLI_USERNAME);
