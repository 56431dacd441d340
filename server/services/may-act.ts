import { DomainError } from '../../shared/errors.ts';
import { type Area, lacksPrivileges, mayEnter } from '../../shared/roles.ts';
import { CLI_USERNAME } from '../../shared/users.ts';
import type { Actor } from './audit/audit.ts';

/**
 * Rights by role, alike from pages, API and command line; the command line may do everything where nobody is named.
 * @throws DomainError forbidden
 */
export function requireArea(actor: Actor, area: Area): void {
  if (isOperator(actor) || mayEnter(area, actor.roles)) return;
  // A terminal has no pages, but can name another user to act as.
  const isCli = actor.origin === 'cli';
  throw new DomainError('forbidden', lacksPrivileges(actor.username, isCli ? 'do this' : undefined), {
    remedy: isCli ? 'act-as' : undefined,
  });
}

const isOperator = ({ origin, username }: Actor): boolean =>
  origin === 'system' || (origin === 'cli' && username === CLI_USERNAME);
