import { parentPort, workerData } from 'node:worker_threads';
import { openToRead } from '../db/open.ts';
import { projectRoot } from './root.ts';
import { findStartDamage } from './services/database/check.ts';

/** Looks through a database file that is too large for the thread that answers everybody, and says what is wrong with it. */
const database = openToRead(workerData as string, { root: projectRoot, create: false });
const damage = await findStartDamage(database.db);
await database.close();
parentPort?.postMessage(damage ?? null);
