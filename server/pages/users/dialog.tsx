import type { ContentfulStatusCode } from 'hono/utils/http-status';
import UserEdit from '../../../islands/UserEdit.tsx';
import type { DomainError } from '../../../shared/errors.ts';
import { pages } from '../../../shared/urls.ts';
import type { Role, User } from '../../../shared/users.ts';
import { userVersion } from '../../services/users/users.ts';
import { Island } from '../../shell/island.tsx';

export interface EditState {
  user: User;
  typed?: { username?: string; email?: string; roles: string[]; active?: string; version?: string };
  problem?: DomainError;
  status?: ContentfulStatusCode;
  done?: string;
  /** just set, and shown once */
  password?: string;
}

interface UserDialogProps {
  state: EditState;
  roles: Role[];
  /** the dialog's own address, and the list's */
  action: string;
  back: string;
  isOwn: boolean;
  /** the user who makes a change has to give the own password */
  asksPassword: boolean;
}

/** The edit dialog, with what is stored, or again with what was typed. */
export function UserDialog({ state, roles, action, back, isOwn, asksPassword }: UserDialogProps) {
  const { user, typed, problem, done, password } = state;
  const newer = problem?.kind === 'stale' ? (problem.extra?.current as User) : undefined;
  const values = typed
    ? {
        username: typed.username ?? '',
        email: typed.email ?? '',
        roles: typed.roles.map(Number).filter(Number.isSafeInteger),
        active: typed.active !== undefined,
      }
    : { ...user, roles: user.roles.map((role) => role.id) };
  return (
    <Island
      of={UserEdit}
      on="idle"
      props={{
        action,
        back,
        id: user.id,
        values: {
          username: values.username,
          email: values.email,
          roles: values.roles,
          active: values.active,
        },
        version: newer ? userVersion(newer) : (typed?.version ?? userVersion(user)),
        roles,
        profile: isOwn ? pages.profile : undefined,
        asksPassword,
        problem: newer ? `${problem?.message} Si guardas de nuevo, queda lo tuyo.` : problem?.message,
        errors: problem?.fields ?? {},
        hints: newer ? differences(newer, values) : {},
        done,
        password,
      }}
    />
  );
}

/** Hints beside the fields that somebody else has changed meanwhile. */
function differences(
  newer: User,
  typed: { username: string; email: string; roles: number[]; active: boolean },
) {
  const saved = (text: string) => `Guardado por otra persona: ${text || '(vacío)'}`;
  const isSameRoles = newer.roles.map((role) => role.id).join() === [...typed.roles].sort().join();
  return {
    username: newer.username === typed.username ? undefined : saved(newer.username),
    email: newer.email === typed.email ? undefined : saved(newer.email),
    roles: isSameRoles ? undefined : saved(newer.roles.map((role) => role.rolename).join(', ')),
    active: newer.active === typed.active ? undefined : saved(newer.active ? 'activo' : 'desactivado'),
  };
}
