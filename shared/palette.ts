/** Only the palette's own code asks for it, so it is not among the addresses that every page loads. */
export const PALETTE_PATH = '/paleta';
