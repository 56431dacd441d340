/** The firm's screens speak two languages mixed, as the specification does, or Spanish alone. */
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
