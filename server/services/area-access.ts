import { DomainError } from '../../shared/errors.ts';
import { type Area, describeMissingPrivileges, mayEnter } from '../../shared/roles.ts';
import { CLI_USERNAME } from '../../shared/users.ts';
import type { Actor } from './audit/audit.ts';

/** The command line may do everything unless it acts as a user. @throws DomainError forbidden */
export function requireArea(actor: Actor, area: Area): void {
  if (hasUnlimitedAccess(actor) || mayEnter(area, actor.roles)) return;
  const isCli = actor.origin === 'cli';
  throw new DomainError(
    'forbidden',
    describeMissingPrivileges(actor.username, isCli ? 'do this' : undefined),
    {
      remedy: isCli ? 'act-as' : undefined,
    },
  );
}

const hasUnlimitedAccess = ({ origin, username }: Actor): boolean =>
  origin === 'system' || (origin === 'cli' && username === CLI_USERNAME);
