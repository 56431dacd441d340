/** What helps where nothing is known of a failure. */
export const TRY_AGAIN = 'Intenta de nuevo.';

/** Where nobody says what went wrong. */
export const GENERIC_ERROR = `Ocurrió un error. ${TRY_AGAIN}`;
