/**
 * Loaded ahead of a server (`--import`): its clock starts at SALDO_STARTED_AT, so that it shows the same on any day.
 */
const RealDate = Date;
const offsetMs = RealDate.parse(process.env.SALDO_STARTED_AT ?? '') - RealDate.now();
if (Number.isFinite(offsetMs))
  globalThis.Date = class extends RealDate {
    constructor(...given) {
      if (given.length === 0) super(RealDate.now() + offsetMs);
      else super(...given);
    }

    static now() {
      return RealDate.now() + offsetMs;
    }
  };
