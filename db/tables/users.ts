import type { ColumnType, Generated } from 'kysely';
import type { Instant } from '../../shared/dates.ts';

/** Columns that better-auth writes: text on SQLite, timestamptz (a Date) on PostgreSQL. */
export type AuthInstant = ColumnType<string | Date, string | Date, string | Date>;

export interface UsersTables {
  roles: { id: number; rolename: string };
  users: {
    id: Generated<number>;
    username: string;
    email: string;
    name: string;
    emailVerified: number | boolean;
    image: string | null;
    createdAt: AuthInstant;
    updatedAt: AuthInstant;
    employeenumber: string | null;
    userfirstname: string;
    userlastname: string;
    active: Generated<number>;
    mustChangePassword: Generated<number>;
    /** until when a password set by another user is valid */
    passwordExpiresAt: Instant | null;
  };
  user_roles: { userId: number; roleId: number };
  sessions: {
    id: Generated<number>;
    token: string;
    userId: number;
    expiresAt: AuthInstant;
    createdAt: AuthInstant;
    updatedAt: AuthInstant;
    ipAddress: string | null;
    userAgent: string | null;
    /** when the password was last entered again, after the sign-in */
    confirmedAt: Generated<Instant | null>;
  };
  /** The table has more columns, used only by better-auth. */
  accounts: {
    id: Generated<number>;
    accountId: string;
    providerId: string;
    userId: number;
    password: string | null;
    createdAt: AuthInstant;
    updatedAt: AuthInstant;
  };
  verifications: {
    id: Generated<number>;
    identifier: string;
    value: string;
    expiresAt: AuthInstant;
    createdAt: AuthInstant;
    updatedAt: AuthInstant;
  };
  signin_attempts: {
    id: Generated<number>;
    account: string;
    /** as typed, up to the @; empty where the account is known by a session */
    name: Generated<string>;
    address: string;
    at: Instant;
    succeeded: number;
  };
  second_factors: {
    userId: number;
    secret: string;
    /** 1 once a code was entered; until then no code is required */
    confirmed: Generated<number>;
    /** the half minute of the last code that was accepted, so that no code works twice */
    lastStep: Generated<number>;
    createdAt: Instant;
  };
  backup_codes: { userId: number; hash: string };
  /** `value` is JSON. */
  user_preferences: { userId: number; name: string; value: string };
  trusted_devices: { hash: string; userId: number; expiresAt: Instant };
  idempotency_keys: {
    userId: number;
    method: string;
    path: string;
    key: string;
    bodyHash: string;
    status: number;
    answer: string;
    createdAt: Instant;
  };
}
