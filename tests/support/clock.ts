/** The app's clock: tests set it, so that nothing has to wait. */
export class Clock {
  #now: number;
  constructor(now: string | Date) {
    this.#now = new Date(now).getTime();
  }
  readonly now = (): Date => new Date(this.#now);
  advance({ days = 0, hours = 0, minutes = 0, ms = 0 }): void {
    this.#now += ms + 60_000 * (minutes + 60 * (hours + 24 * days));
  }
  set(now: string | Date): void {
    this.#now = new Date(now).getTime();
  }
}
