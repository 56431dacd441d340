// Copied from shared/urls.ts, which is as large as the rest of the loader; a test keeps them equal.
export const LOGIN_PATH = '/login';
export const LOGOUT_PATH = '/logout';
export const HELP_PATH = '/help';
