/** How the firm's screens speak: as the specification has it, two languages mixed, or all in Spanish. */
export const LANGUAGES = ['mixto', 'es'] as const;
export type Language = (typeof LANGUAGES)[number];

interface Speaker {
  /** of whoever is served right now */
  language: () => Language;
  /** a text of the specification as Spanish has it; any other stays as it is */
  spanish: (text: string) => string;
}

let speaker: Speaker = { language: () => 'mixto', spanish: (text) => text };

/** Said once by what runs us: a server knows whom it answers, a page what it was drawn in. */
export function speakAs(other: Speaker): void {
  speaker = other;
}

export const language = (): Language => speaker.language();

/** A text of ours for whoever is served: the specification's own, or its counterpart in Spanish. */
export const say = (text: string): string => (language() === 'es' ? speaker.spanish(text) : text);
