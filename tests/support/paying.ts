import { openDatabase } from '../../db/open.ts';
import { createPayment } from '../../server/services/payments/payments.ts';
import { addInvoice, createActor } from './rows.ts';

/** This process pays, two at a time, until it is told to stop, and then prints how long each payment took, in ms. */
const [url = '', userId = ''] = process.argv.slice(2);
const database = openDatabase(url, { root: '/', createIfMissing: false });
const author = createActor({ userId: Number(userId), username: 'pagador' });
const paymentTimesMs: number[] = [];
let isRunning = true;
process.on('message', () => {
  isRunning = false;
});

async function pay(): Promise<void> {
  while (isRunning) {
    const facturaproveedorId = await addInvoice(database.db);
    for (let n = 0; n < 20 && isRunning; n++) {
      const began = performance.now();
      await createPayment(database.db, author, { facturaproveedorId, amountCents: 1 });
      paymentTimesMs.push(Math.round(performance.now() - began));
      await new Promise((resolve) => setImmediate(resolve)); // lets the parent's message arrive
    }
  }
}

const payingLoops = [pay(), pay()];
process.send?.([]);
await Promise.all(payingLoops);
await database.close();
process.send?.(paymentTimesMs, () => process.disconnect?.()); // ends once all times have been sent
