import { openDatabase } from '../../db/open.ts';
import { createPayment } from '../../server/services/payments/payments.ts';
import { actor, addInvoice } from './rows.ts';

/** This process pays, two at a time, until it is told to stop, and then prints how long each payment took, in ms. */
const [url = '', userId = ''] = process.argv.slice(2);
const database = openDatabase(url, { root: '/', create: false });
const author = actor({ userId: Number(userId), username: 'pagador' });
const times: number[] = [];
let going = true;
process.on('message', () => {
  going = false;
});

async function pay(): Promise<void> {
  while (going) {
    const facturaproveedorId = await addInvoice(database.db);
    for (let n = 0; n < 20 && going; n++) {
      const began = performance.now();
      await createPayment(database.db, author, { facturaproveedorId, amountCents: 1 });
      times.push(Math.round(performance.now() - began));
      await new Promise((resolve) => setImmediate(resolve)); // hears the parent
    }
  }
}

const paying = [pay(), pay()];
process.send?.([]);
await Promise.all(paying);
await database.close();
process.send?.(times, () => process.disconnect?.()); // not before all of it has gone
