/**
 * Loaded ahead of a server (`NODE_OPTIONS=--import …`): it takes SALDO_STARTED_AT for the moment of its start, so that
 * what it shows is the same on any day.
 */
const Real = Date;
const offset = Real.parse(process.env.SALDO_STARTED_AT ?? '') - Real.now();
if (Number.isFinite(offset))
  globalThis.Date = class extends Real {
    constructor(...given) {
      if (given.length === 0) super(Real.now() + offset);
      else super(...given);
    }

    static now() {
      return Real.now() + offset;
    }
  };
