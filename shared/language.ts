/** How the firm's screens speak: as the specification has it, two languages mixed, or all in Spanish. */
export type Language = 'mixto' | 'es';

/** Of whoever is served right now: a server knows whom it answers, a page what it was drawn in. */
export let language = (): Language => 'mixto';

let inSpanish = (text: string): string => text;

/** Said once by what runs us. @param spanish a text of the specification as Spanish has it; any other stays as it is */
export function speakAs(now: () => Language, spanish = inSpanish): void {
  language = now;
  inSpanish = spanish;
}

/** A text of ours for whoever is served: the specification's own, or its counterpart in Spanish. */
export const say = (text: string): string => (language() === 'es' ? inSpanish(text) : text);
