/**
 * Loaded ahead of a server (`--import`): its clock starts at SALDO_STARTED_AT, so that it shows the same on any day.
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
