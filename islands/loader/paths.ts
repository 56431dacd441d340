// Copied from shared/urls.ts, which would weigh as much as the rest of the loader; a test holds them equal.
export const LOGIN_PATH = '/login';
export const LOGOUT_PATH = '/logout';
export const HELP_PATH = '/help';
